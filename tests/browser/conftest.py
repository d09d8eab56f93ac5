"""A Chromium for each module: the system's own, never downloaded. Without one, these tests are skipped."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """All of them in one worker, one after the other: see `chromium`."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("browser"))


# Not for the whole session: while Playwright is there an event loop runs, and tests that start their own would fail.
@pytest.fixture(scope="module")
def chromium():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("needs a browser: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'mossbench[test]'")
    with playwright.sync_playwright() as driver:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses root in its sandbox
        browser = driver.chromium.launch(executable_path=program, args=[*sandbox, "--disable-dev-shm-usage"])
        yield browser
        browser.close()


class Watched:
    """A page and all that it must not do: write to the console, break its policy, ask the network."""

    def __init__(self, browser, place, expected=(), **settings):
        address = place if isinstance(place, str) else place.resolve().as_uri()
        self.home = ("file:", "data:") if not isinstance(place, str) else (place[: place.index("/", 8)], "data:")
        self.expected = expected
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.faults = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._request)
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.goto(address)

    def _console(self, message):
        quicker = "Autofocus processing was blocked"  # the test was in the field before the browser
        if not any(text in message.text for text in (*self.expected, quicker)):
            self.faults.append(f"console: {message.text}")

    def _request(self, request):
        if not request.url.startswith(self.home):
            self.faults.append(f"request: {request.url}")


@pytest.fixture
def open_page(chromium):
    """Opens a file or an address in a watched page; at the end there must have been no fault but those expected."""
    opened = []

    def open_(place, **settings):
        opened.append(Watched(chromium, place, **settings))
        return opened[-1].page

    yield open_
    for watched in opened:
        watched.context.close()
        assert watched.faults == []
