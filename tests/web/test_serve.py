"""The real server in a process of its own: started, asked, killed in mid-write, started again."""

import http.client
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from mossbench.annotation.store import Store
from mossbench.building.folder import BuildFolder
from mossbench.cli import cli
from mossbench.web import app as app_module
from mossbench.web.app import PAGES, create_app
from mossbench.web.pages import ChosenText
from mossbench.web.serving import DEMO_MODELS, demo_runs_to_make, start_demo
from mossbench.web.settings import Settings
from waiting import until
from web.conftest import item_of


def token_of(page):
    return re.search(r'name="form_token" value="(\w+)"', page)[1]


def own(server):
    """The owner's cookie, whose name has the port, and the page that it came with."""
    answer, page = server.ask("GET", "/annotate")
    return answer.headers["set-cookie"].partition(";")[0], page


def seat(server, name):
    """The cookie of somebody who has sat down; it outlives the server."""
    cookie, page = own(server)
    answer, text = server.ask("POST", "/annotate/join", {"name": name, "form_token": token_of(page)}, cookie)
    assert answer.status == 303, text
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.slow
def test_every_label_that_was_acknowledged_is_there_after_kill_9(serve, runs):
    store = Store(runs / "annotations.db")
    store.add_items(((str(i), {"scene": "s", "side": "benign", "sample": "1", "hashes": {}, "question": "?",
                               "response": "!", "alt": ""}) for i in range(2000)), double=0.5, seed=1)  # fmt: skip
    rng, acknowledged, cookies = random.Random(1), [], []

    def work(server, name, cookie):
        try:
            while True:
                _, page = server.ask("GET", "/annotate", cookie=cookie)
                if item_of(page) is None:
                    continue
                fields = {"item": item_of(page), "kind": "refused", "form_token": token_of(page)}
                answer, _ = server.ask("POST", "/annotate/label", fields, cookie)
                if answer.status == 303:
                    acknowledged.append((fields["item"], name))
        except (OSError, http.client.HTTPException, TypeError):
            return  # the server is gone

    for round_ in range(3):
        server = serve(runs)
        if not cookies:
            cookies = [(f"p{i}", seat(server, f"p{i}")) for i in range(6)]
        mine = own(server)[0]
        threads = [threading.Thread(target=work, args=(server, name, f"{mine}; {one}")) for name, one in cookies]
        for thread in threads:
            thread.start()
        before = len(acknowledged)
        until(lambda before=before: len(acknowledged) >= before + 5)
        time.sleep(rng.uniform(0, 0.3))
        server.stop(signal.SIGKILL)
        for thread in threads:
            thread.join()
        there = {(label.item, label.annotator) for label in Store(runs / "annotations.db").labels()}
        assert set(acknowledged) <= there, round_


@pytest.mark.slow
def test_outside_loopback_a_token_is_made_and_shown_once(serve, runs):
    server = serve(runs, "--host", "0.0.0.0")
    token = re.search(r"\?token=([\w-]{20,})", server.line)[1]
    assert server.ask("GET", "/runs")[0].status == 401
    assert server.ask("GET", "/runs", cookie=f"mossbench_{server.port}={token}")[0].status == 200
    server.stop()
    assert server.process.returncode in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_an_empty_folder_is_served_with_demo_runs_when_asked(serve, tmp_path):
    server = serve(tmp_path / "demo", "--demo")

    def shows(*texts):
        page = server.ask("GET", "/runs")[1]
        return all(text in page for text in texts)

    until(lambda: shows("are in progress", "data-reload"))  # there before the runs are
    until(lambda: shows("<progress", "control/candid", "in progress"), every=0.1)


def test_a_demo_is_made_whole_and_never_beside_other_runs(runs, tmp_path):
    started = {"control-candid": None, "control-jumpy-rate-0.4": "2026-01-01"}
    for name, ended in started.items():
        shutil.copytree(runs / "some", tmp_path / "demo" / name)
        info = json.loads((runs / "some" / "run.json").read_text())
        (tmp_path / "demo" / name / "run.json").write_text(json.dumps({**info, "ended": ended}))
    assert list(demo_runs_to_make(tmp_path / "demo")) == [model for model in DEMO_MODELS if "jumpy" not in model]
    assert start_demo(runs) is None


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["file.txt"], "is a file"),
        (["nowhere"], "no folder 'nowhere'"),
        ([".", "--review", "nowhere"], "no folder"),
        ([".", "--host", "192.0.2.1"], "cannot listen"),
        ([".", "--token", "short"], "shorter than 16"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(args, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.txt").write_text("")
    done = CliRunner().invoke(cli, ["serve", *args])
    assert done.exit_code == 2 and says in done.output


def made_build(path):
    """A build folder with a candidate in it."""
    BuildFolder(path).start()
    (path / "candidates.jsonl").write_text("")
    return path


def test_a_folder_that_holds_no_runs_is_not_served_as_one_of_runs(runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made_build(tmp_path / "my build")
    shutil.copytree(runs / "some", tmp_path / "runs" / "one")
    for command in (["serve"], ["site", "out"]):
        done = CliRunner().invoke(cli, [*command, "runs/one"])
        assert done.exit_code == 2 and "is a single run; name the folder that contains it: runs" in done.output
        done = CliRunner().invoke(cli, [*command, "my build"])
        assert done.exit_code == 2 and "show it with: mossbench serve --build 'my build'" in done.output
    monkeypatch.chdir(tmp_path / "runs" / "one")
    done = CliRunner().invoke(cli, ["serve", "."])
    assert done.exit_code == 2 and f"the folder that contains it: {tmp_path / 'runs'}" in done.output.replace("\n", "")


def test_a_build_to_review_is_that_of_its_review_page_or_says_how_to_write_it(tmp_path, monkeypatch, small):
    monkeypatch.chdir(tmp_path)
    build = made_build(tmp_path / "set")
    done = CliRunner().invoke(cli, ["serve", "--review", "set"])
    assert done.exit_code == 2 and "write its review page with: mossbench build review set" in done.output
    assert not (build / "review.db").exists()  # nothing of it was begun
    shutil.copytree(small, build / "review")
    served = []

    def serve_app(settings, socket, **_):
        socket.close()
        served.append(settings.review)

    monkeypatch.setattr("mossbench.web.serving.serve_app", serve_app)
    done = CliRunner().invoke(cli, ["serve", "--review", "set", "--port", "0"])
    assert done.exit_code == 0 and served == [Path("set/review")], done.output


def test_the_way_back_from_a_page_that_fails_is_another_page(tmp_path):
    build = made_build(tmp_path / "set")
    (tmp_path / "nothing").mkdir()
    for review in (build, tmp_path / "nothing"):
        app = create_app(Settings(tmp_path / "runs", review=review, build=tmp_path / "nowhere"))
        browser = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
        for path in ("/review", "/review/results", "/build"):
            shown = browser.get(path, follow_redirects=False)
            assert shown.status_code == 400, (path, shown.text)
            back = re.search(r'href="([^"]*)"[^>]*>Back to', shown.text)[1]
            assert back != path
    assert (
        "build review"
        in TestClient(create_app(Settings(tmp_path / "runs", review=build)), base_url="http://127.0.0.1")
        .get("/review")
        .text
    )


def test_pages_are_added_when_their_addresses_are_first_asked_for(tmp_path):
    app = create_app(Settings(tmp_path))
    asked = ["/search", "/nowhere", "/search", "/compare"]
    n_routes = [(TestClient(app, base_url="http://127.0.0.1").get(path), len(app.routes))[1] for path in asked]
    assert n_routes == [n_routes[0], n_routes[0], n_routes[0], n_routes[0] + 1]


def test_a_page_that_could_not_be_imported_is_tried_again(tmp_path, monkeypatch):
    def broken(name):
        monkeypatch.setattr(app_module, "import_module", import_module)
        raise ImportError("too many open files")

    browser = TestClient(create_app(Settings(tmp_path)), base_url="http://127.0.0.1", raise_server_exceptions=False)
    monkeypatch.setattr(app_module, "import_module", broken)
    assert browser.get("/search").status_code == 500
    assert browser.get("/search").status_code == 200


def test_no_warning_of_a_library_is_printed_where_another_thread_undoes_its_silence(monkeypatch, tmp_path):
    def page(where: ChosenText = None):
        return where

    with warnings.catch_warnings(record=True) as printed:
        warnings.simplefilter("default")
        app = create_app(Settings(runs=tmp_path))
        monkeypatch.setattr(warnings, "simplefilter", lambda *_, **__: None)  # FastAPI's, as if undone at once
        app.add_api_route("/new", page)
    assert not printed


def test_every_page_has_its_place_in_the_table_of_addresses():
    folder = Path(create_app.__code__.co_filename).parent
    with_pages = {path.stem for path in folder.glob("*.py") if "\nrouter = APIRouter(" in path.read_text("utf-8")}
    assert with_pages == {name for names in PAGES.values() for name in names}
    for start, names in PAGES.items():
        for name in names:
            routes = import_module(f"mossbench.web.{name}").router.routes
            assert {route.path.split("/")[1] for route in routes} == {start}


@pytest.mark.slow
def test_home_begins_without_what_it_takes_to_run_a_model():
    code = "import sys, mossbench.web.serving, mossbench.web.home; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"mossbench.web.home", "fastapi"} <= set(loaded)
    for heavy in (
        "scipy",
        "mossbench.runs.running",
        "mossbench.analyses",
        "mossbench.building",
        "mossbench.judges.earlier.rules",
    ):
        assert heavy not in loaded
