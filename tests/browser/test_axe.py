"""axe-core finds nothing on any page: light and dark, on a small phone, a phone and a screen."""

import re
import shutil
from importlib.resources import files

import pytest

import mossbench as mb
from browser.test_web_app import begin, follow, press
from building.candidate import candidate
from mossbench.building.folder import BuildFolder
from mossbench.look.page import Frame, render_page
from mossbench.reports.analyses import write_analysis
from mossbench.reports.published_tables import reproduction_page
from mossbench.web.pages import LINKS, MessagePage
from published.test_reproduction import write_release
from small_set import small_set
from sorted_traces import sorted_traces
from waiting import LONG
from web.server import Server, TracesServer

pytest.importorskip("axe_playwright_python", reason="needs axe-core: pip install 'mossbench[test]'")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Of a long table, the first ten rows and the last two: those between are made by the same lines of a template.
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FOUND = """async only => (await axe.run({exclude: [["tr:nth-child(n+11):not(:nth-last-child(-n+2))"]]}, {
    resultTypes: ["violations"], preload: false, ...(only ? {runOnly: only} : {rules: {"target-size": {enabled: true}}})
    })).violations.map(one =>
    `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" | ")}`)"""
SCHEMES = {"light": None, "dark": ["color-contrast", "link-in-text-block"]}
"""The rules for each: a scheme changes nothing but colours."""
PATHS = [
    *(
        "/",
        "/models/replay/some.jsonl",
        "/leaderboard",
        "/runs",
        "/runs/some",
        "/runs/some/analyses/analysis",
        "/build",
    ),
    *("/compare", "/compare?run=none&run=some", "/compare?run=none&run=some&run=others", "/samples"),
    *(
        "/search",
        "/search?q=largest",
        "/search?q=nowhere",
        "/explorer?models=none&models=some&id=5",
        "/explorer?show=only",
    ),
]


@pytest.fixture(scope="module")
def app(made, tmp_path_factory):
    """A server with runs, an analysis, candidates to review and a build; its address."""
    root = tmp_path_factory.mktemp("axe")
    runs = shutil.copytree(made / "runs", root / "runs")
    write_analysis(mb.analyse_runs("tradeoff", [runs / "some"]))
    for i in range(3):  # so many that they can be filtered
        shutil.copytree(runs / "none", runs / f"copy-{i}")
    (runs / "broken").mkdir()
    (runs / "broken" / "run.json").write_text("{")
    build = BuildFolder(root / "set")
    build.start()
    build.append("candidates", [candidate("negated_harm")])
    reviewed = ("--review", str(small_set(root / "small")), "--reviewers", "1")
    server = Server(runs, "--data", str(made / "data"), *reviewed, "--build", str(build.path))
    yield server.ready("/runs", "/leaderboard", "/runs/some", "/review")
    server.stop()


def faults(page):
    """What axe-core finds on the page that is open, at each width and in each scheme."""
    found = {}
    page.wait_for_load_state()
    page.evaluate(AXE)
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for fault in page.evaluate(FOUND, rules):
                found.setdefault(fault, f"{page.url} {width} {scheme}")
    return [f"{where} {fault}" for fault, where in found.items()]


def visit(page, addresses, status=None):
    found = []
    for address in addresses:
        answer = page.goto(address)
        assert answer is None or status in (None, answer.status), address  # none: it came again by itself meanwhile
        settled = page.locator("main:not([data-reload]):not(.message:has(progress))")
        settled.wait_for(timeout=1000 * LONG)  # after a page that says it is reading
        found += faults(page)
    return found


def test_what_is_wrong_is_found(open_page, tmp_path):
    row = '<tr><th scope="row">a</th><td style="color: #ddd">pale</td></tr>'
    body = f'<main><h1>x</h1><img src="data:,"><table><tbody>{30 * row}</tbody></table></main>'
    (tmp_path / "page.html").write_text(f'<!doctype html><html lang="en"><title>x</title>{body}')
    found = " ".join(faults(open_page(tmp_path / "page.html")))
    assert "image-alt" in found and "color-contrast" in found


def test_pages_to_look_at(open_page, app):
    missing = ("/nowhere", "/runs/broken", "/runs/none-such", "/explorer?id=no-such", "/samples?stimulus=none-such")
    page = open_page(f"{app}/", expected=("404", "400", "422"))
    found = visit(page, [app + path for path in PATHS], 200) + visit(page, [app + path for path in missing])
    assert not found, "\n".join(found)


def test_home_without_runs_and_a_page_that_waits(open_page, tmp_path):
    server = Server(tmp_path)
    try:
        at = f"http://127.0.0.1:{server.port}"
        page = open_page(f"{at}/")
        found = visit(page, [f"{at}/"], 200)
        content = MessagePage("Counting some …", "This page reloads automatically.", is_waiting=True)
        waiting = render_page("message.html", frame=Frame(links=LINKS, live=True), **vars(content))
        page.route(f"{at}/waiting", lambda route: route.fulfill(body=waiting, content_type="text/html"))
        page.evaluate("place => location.assign(place)", f"{at}/waiting")
        page.get_by_role("status").wait_for()
        found += faults(page)
    finally:
        server.stop()
    assert not found, "\n".join(found)


def test_pages_of_people_who_label(open_page, app):
    page = open_page(f"{app}/annotate", expected=("403",))
    found = faults(page)  # what to label
    begin(page, app, "Ines", n="1")
    found += faults(page)
    while page.locator(".label").count():
        press(page, "6")
    found += faults(page)  # all are labelled
    follow(page, page.get_by_role("button", name="Leave"))
    found += faults(page)  # who is there
    begin(page, app, "Tom")
    press(page, "5")
    found += faults(page)  # a label was saved
    found += visit(
        page, [f"{app}/annotate/{place}" for place in ("agreement", "labels", "conflicts", "mine", "people")]
    )
    page.goto(f"{app}/annotate/conflicts")
    press(page, "5")
    found += faults(page)  # none is open
    found += visit(page, [f"{app}/annotate/new"])
    assert not found, "\n".join(found)


def test_pages_of_people_who_review_and_who_were_invited(open_page, app):
    page = open_page(f"{app}/review", expected=("403",))
    found = faults(page)
    page.get_by_label("Your name").fill("Ines")
    page.keyboard.press("Enter")
    page.locator(".rating input:enabled").first.wait_for()
    page.keyboard.press("1")
    press(page, "5")
    found += faults(page)
    found += visit(page, [f"{app}/review/results"])
    page.goto(f"{app}/review/people")
    page.get_by_label("Invite").fill("Guest")
    follow(page, page.get_by_role("button", name="Create link"))
    found += faults(page)
    link = re.search(r"http://[^\s\"<]+/review/enter\?token=[\w-]+", page.content())[0]
    guest = open_page(link, expected=("403",))
    guest.wait_for_url(f"{app}/review")
    found += visit(guest, [f"{app}/runs"], 403)  # what they may not see, and the way back
    assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def log_app(tmp_path_factory):
    """A server with a sorted log, and with samples of it to review; their addresses."""
    root = tmp_path_factory.mktemp("axe-log")
    folder = sorted_traces(root / "traces")
    mb.traces_to_dataset(folder.path, root / "refused")
    (root / "runs").mkdir()
    server = Server(root / "runs", "--review", str(root / "refused"))
    sort = TracesServer(folder.path, "--n", "10")
    yield server.ready("/review/twins"), sort.ready("/traces", "/sort")
    server.stop()
    sort.stop()


def test_pages_of_a_log(open_page, log_app):
    review, log = log_app
    page = open_page(f"{log}/traces")
    found = visit(page, [f"{log}/traces", f"{log}/traces?by=language", f"{log}/sort"], 200)
    page.get_by_label("Your name").fill("Ines")
    page.keyboard.press("Enter")
    page.locator(".label").first.wait_for()
    found += faults(page)
    press(page, "1")
    found += visit(page, [f"{log}/sort/mine", f"{log}/sort/people"], 200)
    page = open_page(f"{review}/review/twins")
    found += faults(page)
    page.locator("textarea").first.fill("How do I hurt somebody with it?")
    follow(page, page.get_by_role("button", name="Save").first)
    found += faults(page)
    assert not found, "\n".join(found)


def test_pages_that_are_files(open_page, site, made, tmp_path):
    names = ("index", "leaderboard", "runs", "samples-data", "downloads", "samples-data-benign-1")
    shown = [site / f"{name}.html" for name in names]
    shown += [next(site.glob(f"{kind}-*.html")) for kind in ("run", "model", "compare")]
    shown.append(tmp_path / "report.html")
    mb.write_report([mb.load_results(made / "runs" / name) for name in ("none", "some")], shown[-1])
    write_analysis(mb.analyse_runs("tradeoff", [made / "runs" / "some"]), tmp_path / "analysis.html")
    again = mb.reproduce(write_release(tmp_path / "MOSSBench"), tmp_path / "again", judge="keywords")
    (tmp_path / "reproduction.html").write_text(reproduction_page(again, mb.published_findings()), "utf-8")
    shown += [tmp_path / "analysis.html", tmp_path / "reproduction.html"]
    page = open_page(site / "index.html")
    found = visit(page, [one.resolve().as_uri() for one in shown])
    assert not found, "\n".join(found)
