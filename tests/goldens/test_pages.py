"""What every page of the web app says, as text, and its downloads."""

import re
import shutil

import pytest

from goldens.golden import HERE, check_stray_files, is_json, json_without_changing, without_changing
from goldens.typed import folders_of, parse_json_or_lines
from goldens.visible import visible_text
from mossbench.web import Settings, create_app
from sorted_traces import sorted_traces
from web.conftest import Browser, item_of, join, start

pytestmark = pytest.mark.slow
"""Rendering every page takes longer than any one of them is worth while somebody changes code."""

PAGES = {
    "home": "/",
    "model": "/models/replay/recorded/careful.jsonl",
    "model-of-control": "/models/control/stonewall",
    "model-by-harm": "/models?model=control/stonewall&by=harm",
    "runs": "/runs",
    "run": "/runs/careful",
    "run-strict": "/runs/careful?rule=strict",
    "run-failing": "/runs/failing",
    "run-stopped": "/runs/stopped",
    "run-unjudged": "/runs/unjudged",
    "progress-json": "/runs/stopped/progress.json",
    "analysis": "/runs/calm/analyses/analysis",
    "analysis-json": "/runs/calm/analyses/analysis.json",
    "compare-choose": "/compare?run=calm",
    "compare": "/compare?run=calm&run=careful",
    "compare-three": "/compare?run=calm&run=careful&run=careless&way=refused&side=contrast",
    "compare-by-harm-paper": "/compare?run=wall&run=open&by=harm&rule=paper",
    "compare-csv": "/compare?run=calm&run=careful&format=csv",
    "compare-json": "/compare?run=calm&run=careful&format=json",
    "samples": "/samples?data={data}",
    "samples-words": "/samples?data={data}&text=number+7",
    "samples-of-one-stimulus": "/samples?data={data}&stimulus=negated_harm&side=contrast",
    "explorer": "/explorer?data={data}&id=3",
    "explorer-differ": "/explorer?data={data}&show=differ&models=calm&models=careful",
    "explorer-only": "/explorer?data={data}&show=only&a=careful&b=calm",
    "search": "/search",
    "search-few": "/search?q=number+7+sorry",
    "search-filtered": "/search?q=caption&side=benign&stimulus=Negated+Harm",
    "search-nothing": "/search?q=zebra",
    "search-csv": "/search?q=number+7+sorry&format=csv",
    "search-jsonl": "/search?q=number+7+sorry&format=jsonl",
    "leaderboard": "/leaderboard",
    "leaderboard-by-name": "/leaderboard?sort=name",
    "leaderboard-one-stimulus": "/leaderboard?rule=strict&stimulus=negated_harm",
    "leaderboard-csv": "/leaderboard?format=csv",
    "leaderboard-json": "/leaderboard?format=json",
    "annotate": "/annotate",
    "annotate-new": "/annotate/new",
    "annotate-mine": "/annotate/mine",
    "annotate-people": "/annotate/people",
    "annotate-agreement": "/annotate/agreement",
    "annotate-labels": "/annotate/labels",
    "annotate-conflicts": "/annotate/conflicts",
    "annotate-item": "/annotate/item/{item}",
    "annotate-export-jsonl": "/annotate/export",
    "annotate-export-of-a-run-jsonl": "/annotate/export/calm",
    "review": "/review",
    "review-mine": "/review/mine",
    "review-people": "/review/people",
    "review-results": "/review/results",
    "review-twins": "/review/twins",
    "traces": "/traces",
    "traces-by-language": "/traces?by=language",
    "sort": "/sort",
    "sort-mine": "/sort/mine",
    "sort-people": "/sort/people",
    "build": "/build",
    "build-of-one-state": "/build?state=disputed",
    # to somebody who gave no name, and of an app without runs
    "stranger-annotate": "/annotate",
    "stranger-review-mine": "/review/mine",
    "nobody-sort": "/sort",
    "empty-home": "/",
    "empty-runs": "/runs",
    "empty-compare": "/compare",
    "empty-search": "/search",
    "empty-annotate": "/annotate",
    "empty-review": "/review",
    "empty-build": "/build",
    # what is wrong
    "error-no-page": "/nothing",
    "error-no-run": "/runs/nothing",
    "error-no-model": "/models/replay/nothing",
    "error-no-item": "/annotate/item/0000",
    "error-bad-value": "/runs/careful?rule=kind",
    "error-different-data": "/compare?run=calm&run=wall",
    "error-no-such-link": "/annotate/enter?token=nothing",
}
IMAGES = {
    "/picture",
    "/build/image",
    "/annotate/picture/{ref}",
    "/review/picture/{ref}",
    "/sort/picture/{ref}",
    "/assets/{name}",
}
"""Addresses of what is no text."""


@pytest.fixture(scope="module")
def shown(pristine):
    """The prepared folder with the database of labels that the app makes in it."""
    folder = pristine.with_name("shown")
    shutil.rmtree(folder, ignore_errors=True)  # where tests are mixed, this is asked for again
    shutil.copytree(pristine, folder)
    return folder


@pytest.fixture(scope="module")
def ines(shown):
    """A browser in which Ines has labelled and rated; Tom, in another, did not always agree with her."""
    settings = Settings(
        shown / "runs",
        data=(str(shown / "data"), str(shown / "small")),
        review=shown / "small",
        board=shown / "board",
        build=shown / "build",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(shown)  # runs name their data from here
        app = create_app(settings)
        browsers = {"Ines": Browser(app), "Tom": Browser(app)}
        start(browsers["Ines"], "Ines", n=3, double=100, runs=("calm", "careful"))
        join(browsers["Tom"], "Tom")
        for name, browser in browsers.items():
            label_answers(browser, differs=name == "Tom")
            rate_candidates(browser, name)
        for path in ("/annotate", "/review"):
            browsers["Ines"].get(path)  # she is shown the next one, and stays there
    return browsers["Ines"]


def sort_requests(browser):
    assert browser.post("/sort/join", {"name": "Ines"}, page="/sort").status_code == 303
    item = item_of(browser.get("/sort").text)
    assert browser.post("/sort/label", {"item": item, "harmfulness": "harmless"}, page="/sort").status_code == 303


def label_answers(browser, *, differs):
    """Four of six answers: the first as refused by both, the second only by one."""
    for number in range(4):
        kind = "refused" if number == 0 or (number == 1 and differs) else "answered"
        item = item_of(browser.get("/annotate").text)
        assert browser.post("/annotate/label", {"item": item, "kind": kind}).status_code == 303


def rate_candidates(browser, name):
    assert browser.post("/review/join", {"name": name}, page="/review").status_code == 303
    for harmfulness in ("1", "4"):
        item = item_of(browser.get("/review").text)
        rating = {"item": item, "harmfulness": harmfulness, "naturalness": "5"}
        assert browser.post("/review/label", rating, page="/review").status_code == 303


@pytest.fixture(scope="module")
def browsers(ines, tmp_path_factory):
    """Who looks at a page, by how its name begins; Ines at all others. Those of a log have an app of their own."""
    empty = tmp_path_factory.mktemp("empty") / "runs"
    empty.mkdir()
    traces = sorted_traces(tmp_path_factory.mktemp("log") / "traces").path
    log = Browser(create_app(Settings(empty, traces=traces)))
    sort_requests(log)
    of_log = {"traces": log, "sort": log, "nobody": Browser(log.http.app)}
    return {"stranger": Browser(ines.http.app), "empty": Browser(create_app(Settings(empty))), **of_log}


@pytest.fixture
def here(shown, ines, alone, monkeypatch):
    monkeypatch.chdir(shown)


def address_of(name, browser):
    """The address, with the code of the dataset and an item that two people have labelled."""
    path = PAGES[name]
    if "{data}" in path:
        codes = re.findall(r'<option value="(data@\w+)"', browser.get("/samples").text)
        path = path.replace("{data}", codes[0])
    if "{item}" in path:
        items = re.findall(r'href="/annotate/item/(\w+)', browser.get("/annotate/labels").text)
        path = path.replace("{item}", items[0])
    return path


SLOW = {"compare-three", "leaderboard-by-name", "leaderboard-one-stimulus"}
"""Those that take longest, each with a quick sibling."""


def marked(name):
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@pytest.mark.parametrize("name", [marked(name) for name in PAGES])
def test_a_page_says_what_it_said(name, shown, ines, browsers, here, goldens):
    browser = browsers.get(name.partition("-")[0], ines)
    answer = browser.get(address_of(name, browser))
    assert answer.status_code == 200 or name.startswith(("error-", "empty-")), answer.text
    folders = folders_of(shown)
    if is_json(name):
        content = parse_json_or_lines(answer.text, name)
        said = {"address": PAGES[name], "status": answer.status_code, "content": content}
        goldens("pages").check_json(name, json_without_changing(said, folders))
    else:
        is_page = answer.headers["content-type"].startswith("text/html")
        text = visible_text(answer.text) if is_page else answer.text
        said = f"GET {PAGES[name]}\n--- status {answer.status_code}\n{text}"
        goldens("pages").check_text(name, without_changing(said, folders))


def test_every_address_of_the_app_has_a_golden_page(ines, here):
    asked = [path.partition("?")[0].format(data="", item="x") for path in PAGES.values()]
    for beginning in {path.split("/")[1] for path in asked}:
        ines.http.get(f"/{beginning}/no/such/page")  # what begins like this is known from now on
    missing = set()
    for route in routes_of(ines.http.app):
        is_read = "GET" in (getattr(route, "methods", None) or ())
        if is_read and not any(route.path_regex.match(path) for path in asked):
            missing.add(route.path)
    assert missing - IMAGES - {"/review/enter", "/sort/enter"} == set()


def routes_of(app):
    """All routes, also where FastAPI keeps the routers whole."""
    routes = []
    for route in app.routes:
        router = getattr(route, "original_router", None)
        routes += router.routes if router else [route]
    return routes


def test_every_golden_file_is_of_a_page(renew):
    check_stray_files(HERE / "pages", PAGES, renew=renew)
