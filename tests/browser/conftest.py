"""A Chromium, the system's own, never downloaded, and the servers whose pages it opens. Without it they are skipped."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from small_set import small_set
from waiting import LONG
from web.conftest import made, runs, serve  # noqa: F401  # fixtures
from web.server import Server

HERE = Path(__file__).parent
LONG_NAME = "an_instruction_tuned_vision_language_model_of_34_billion_parameters"
SCREEN = {"width": 1280, "height": 900}
OPENED = ExitStack()


@pytest.hookimpl(trylast=True)  # after the fixtures
def pytest_runtest_teardown(nextitem):
    """Not for the whole session: while Playwright is there an event loop runs, and tests that start one would fail."""
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        _launched.clear()
        _windows.clear()
        OPENED.close()


_launched = []
_windows = {}  # those that no test uses, by their settings


@pytest.fixture
def chromium():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("needs a browser: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'mossbench[test]'")
    if not _launched:
        driver = OPENED.enter_context(playwright.sync_playwright())
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses root in its sandbox
        options = {"args": [*sandbox, "--disable-dev-shm-usage"], "timeout": 1000 * LONG}
        browser = driver.chromium.launch(executable_path=program, **options)
        OPENED.callback(browser.close)
        _launched.append(browser)
    return _launched[0]


class Watched:
    """A page and all that it must not do: write to the console, break its policy, ask the network."""

    def __init__(self, context, place, expected, viewport, color_scheme):
        address = place if isinstance(place, str) else place.resolve().as_uri()
        self.home = ("file:", "data:") if not isinstance(place, str) else (place[: place.index("/", 8)], "data:")
        self.expected = expected
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * LONG)
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(color_scheme=color_scheme)
        self.faults = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._request)
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self._goto, self.page.goto = self.page.goto, self._settled
        self.page.goto(address)

    def _settled(self, address, **options):
        """Goes there, and waits until the page that is asked for has replaced one that says that it is being made."""
        answer = self._goto(address, **options)
        self.page.locator("body:not(:has(main.message progress))").wait_for(state="attached")
        return answer

    def _console(self, message):
        quicker = "Autofocus processing was blocked"  # the test was in the field before the browser
        if not any(text in message.text for text in (*self.expected, quicker)):
            self.faults.append(f"console: {message.text}")

    def _request(self, request):
        if not request.url.startswith(self.home):
            self.faults.append(f"request: {request.url}")


@pytest.fixture
def open_page(chromium):
    """Opens a file or an address in a watched page; at the end there must have been no fault but those expected.

    Each page is another person's. A window costs a second of processor time, so the next test gets this one's: without
    cookies, and with a tab of its own, which nothing else is stored for.
    """
    opened, used = [], []

    def open_(place, expected=(), viewport=SCREEN, color_scheme="light", **settings):
        free = _windows.setdefault(repr(settings), [])
        context = free.pop() if free else chromium.new_context(viewport=viewport, **settings)
        used.append((free, context))
        if not context.pages:
            context.new_page()  # it stays: without a tab the window would go
        opened.append(Watched(context, place, expected, viewport, color_scheme))
        return opened[-1].page

    yield open_
    for free, context in used:
        for page in context.pages[1:]:
            page.close()
        context.clear_cookies()
        free.append(context)
    for watched in opened:
        assert watched.faults == []


@pytest.fixture(scope="session")
def shown(made, tmp_path_factory):  # noqa: F811
    """The address of a server on four runs, with candidates to review, for tests that look.

    They may label and rate under a name of their own, and add to the board, if they look at nothing else of it.
    """
    root = tmp_path_factory.mktemp("shown")
    folder = shutil.copytree(made / "runs", root / "runs", ignore=shutil.ignore_patterns(".index*"))
    server = Server(folder, "--data", str(made / "data"), "--review", str(small_set(root / "small")))
    yield server.ready("/runs", "/samples", "/leaderboard", "/runs/some", "/review")
    server.stop()


@pytest.fixture(scope="session")
def long_named(made, tmp_path_factory):  # noqa: F811
    """The address of a server on runs of models with long names."""
    folder = shutil.copytree(made / "runs", tmp_path_factory.mktemp("long") / "runs")
    for name in ("none", "some", "others"):
        info = folder / name / "run.json"
        info.write_text(info.read_text().replace(f"/{name}.jsonl", f"/{name}-{LONG_NAME}.jsonl"))
    server = Server(folder, "--data", str(made / "data"))
    yield server.ready("/", "/leaderboard", "/runs/some")
    server.stop()


@pytest.fixture(scope="session")
def site(made, tmp_path_factory):  # noqa: F811
    from mossbench.web.settings import Settings
    from mossbench.web.site import write_site

    folder = tmp_path_factory.mktemp("host") / "team" / "results"
    return write_site(Settings(made / "runs", data=(str(made / "data"),)), folder)
