"""An app on four runs of one small dataset, and a browser-like client."""

import re
import shutil
import signal
from contextlib import suppress

import pytest
from starlette.testclient import TestClient

from answered import answered, samples
from mossbench.web import Settings, create_app
from mossbench.web.shelf import StillReading
from waiting import until
from web.server import Server

HERE = "http://127.0.0.1"


class Browser:
    """Keeps cookies, sends an Origin with writes, and takes the form's token from a page, as a browser does."""

    def __init__(self, app, base_url=HERE):
        self.shelf, self.origin = app.state.shelf, base_url
        self.http = TestClient(app, base_url=base_url, follow_redirects=False, raise_server_exceptions=False)

    def get(self, path, **options):
        def read():
            before = dict(self.shelf.loaded_runs)
            found = self.http.get(path, **options)
            waits = "refresh" in found.headers or found.status_code == 503
            if any(run is not before.get(name) for name, run in dict(self.shelf.loaded_runs).items()):
                waits = True  # a run was read while the page was made, which may have begun with it as it was
            if self.shelf.is_reading:  # a run has changed, and the page may show it as it was
                with suppress(StillReading):
                    self.shelf.runs()
                waits = True
            return None if waits else found

        return until(read)

    def post(self, path, fields=(), *, page="/annotate", origin=None, token=None, **options):
        if token is None:
            found = re.search(r'name="form_token" value="(\w+)"', self.get(page).text)
            token = found[1] if found else ""
        data, origin = {**dict(fields), "form_token": token}, self.origin if origin is None else origin
        return self.http.post(path, data=data, headers={"origin": origin} if origin else {}, **options)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Four runs on thirty samples of both sides: none refused, some refused, others refused, some failed."""
    root = tmp_path_factory.mktemp("made")
    data = samples(root / "data", 30, scene=lambda i: f"scene {i // 2}")
    (root / "runs").mkdir()
    for name, chosen in {"none": {}, "some": {"refused": range(1, 7)}, "others": {"refused": range(4, 10)}}.items():
        answered(data, root / "runs" / name, **chosen)
    answered(data, root / "runs" / "failing", failed=range(1, 5))
    return root


@pytest.fixture
def runs(made, tmp_path):
    """Without the index that another test may have left there."""
    return shutil.copytree(made / "runs", tmp_path / "runs", ignore=shutil.ignore_patterns(".index*"))


@pytest.fixture
def app(runs, made):
    return create_app(Settings(runs, data=(str(made / "data"),)))


@pytest.fixture
def browser(app):
    return Browser(app)


@pytest.fixture
def new_browser(app):
    return lambda: Browser(app)


def start(browser, name="Ines", *, n=10, double=50, runs=("none", "some")):
    """Chooses answers to label and sits down."""
    fields = {"n": str(n), "double": str(double), "seed": "1", "run": list(runs)}
    assert browser.post("/annotate/new", fields, page="/annotate/new").status_code == 303
    return join(browser, name)


def join(browser, name):
    done = browser.post("/annotate/join", {"name": name})
    assert done.status_code == 303, done.text
    return done


def item_of(page):
    found = re.search(r'name="item" value="(\w+)"', page)
    return found and found[1]


@pytest.fixture
def serve():
    servers = []

    def start(*args):
        servers.append(Server(*args))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)
