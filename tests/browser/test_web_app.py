"""What only a browser can break in the web app: keys, forms, policy, layout."""

import json
import re
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import mossbench as mb
from answered import going_on

pytestmark = pytest.mark.browser

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def unlabelled(serve, runs, made):
    """The address of a server of its own, where nobody has chosen what to label."""
    return serve(runs, "--data", str(made / "data")).ready("/runs")


@pytest.fixture
def going(serve, runs):
    """The address of a server of its own, whose runs may change."""
    return serve(runs).ready("/runs")


SETTLED = "body:not([data-saving]):not(:has(form.desk:not([data-seen]))), body:has(.unseen:not([hidden]))"
"""Every label is saved, and the item on the page can be labelled, or the page says why not."""


def begin(page, at, name, *, n="5", double="100"):
    page.goto(f"{at}/annotate")
    chosen = page.get_by_role("heading", name="Choose answers to label")
    chosen.or_(page.get_by_label("Your name")).first.wait_for()
    if chosen.is_visible():
        page.locator("input[name=n]").fill(n)
        page.locator("input[name=double]").fill(double)
        follow(page, page.get_by_role("button", name="Start"))
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    page.locator(".label:enabled").first.wait_for()


def follow(page, link):
    with page.expect_navigation():
        link.click()


def press(page, key):
    """Presses a key that leads to another page or item, and waits until that can be used and all labels are saved.

    Only once the item on the page is shown: before, a key does nothing.
    """
    page.locator(SETTLED).wait_for(state="attached")
    with next_item(page):
        page.keyboard.press(key)


@contextmanager
def next_item(page):
    page.locator("main").evaluate("(main) => { main.dataset.before = ''; }")
    yield
    page.locator("main:not([data-before])").wait_for(state="attached")
    page.locator(SETTLED).wait_for(state="attached")


def test_ten_answers_by_keyboard_with_undo_reload_and_export(unlabelled, open_page):
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    item = page.locator("input[name=item]")
    first = item.get_attribute("value")
    press(page, "6")
    second = item.get_attribute("value")
    assert second != first and "Saved: Refused" in page.locator(".saved").inner_text()
    press(page, "u")
    assert item.get_attribute("value") == first
    press(page, "1")
    assert item.get_attribute("value") == second
    page.reload()
    assert item.get_attribute("value") == second
    page.keyboard.press("n")
    page.keyboard.type("6 and u are letters here")
    assert page.locator("input[name=note]").input_value() == "6 and u are letters here"
    for key in ("Enter", "Escape"):
        page.locator("input[name=note]").focus()
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.tagName") == "BODY"
    assert item.get_attribute("value") == second and page.locator("input[name=note]").input_value()
    press(page, "s")
    for _ in range(8):
        press(page, "2")
    assert page.locator(".progress").inner_text().split("\n")[0].startswith("11 of 20")
    for _ in range(10):
        press(page, "6")
    follow(page, page.get_by_role("button", name="Show skipped again"))
    press(page, "7")
    follow(page, page.get_by_role("link", name="Show agreement"))
    assert "none by two people yet" in page.locator("h1").inner_text()
    page.locator("#files > summary").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSONL", exact=True).first.click()
    rows = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert len(rows) == 5 and all(row["labels"][0]["annotator"] == "Ines" for row in rows)


def test_enter_in_a_note_labels_nothing_also_without_scripts(open_page, shown):
    page = open_page(f"{shown}/annotate", java_script_enabled=False)
    begin(page, shown, "Ada")
    page.locator("input[name=note]").fill("why")
    page.keyboard.press("Enter")
    assert page.locator(".progress b").inner_text() == "1" and page.locator("input[name=note]").input_value() == "why"
    follow(page, page.locator(".label").first)
    assert page.locator(".progress b").inner_text() == "2"


def test_keys_that_are_pressed_twice_label_once(open_page, shown):
    page = open_page(f"{shown}/annotate")
    begin(page, shown, "Bo")
    with next_item(page):
        page.evaluate("""for (const key of "16") document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true }))""")
    assert "Saved: Answered." in page.locator(".saved").inner_text()
    assert "Key 6 came before this was shown. It saved nothing." in page.locator(".early").inner_text()
    assert page.locator(".progress b").inner_text() == "2"


def test_two_people_disagree_and_the_conflict_is_settled(unlabelled, open_page):
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines", n="2")
    for _ in range(8):
        press(page, "6")
    follow(page, page.get_by_role("button", name="Leave"))
    begin(page, unlabelled, "Tom")
    press(page, "5")
    for _ in range(7):
        press(page, "6")
    follow(page, page.get_by_role("link", name="Show agreement"))
    assert "People agree on 8 of 8 answers" in page.locator("main").inner_text()
    page.locator("details.folded", has=page.locator(".confusion")).first.locator("summary").first.click()
    assert page.locator(".confusion .differs").first.inner_text() == "1"
    follow(page, page.get_by_role("link", name="Resolve 1 conflict"))
    assert "Deflected" in page.locator(".people").inner_text()
    press(page, "5")
    assert page.get_by_role("heading", name="No open conflicts").is_visible()
    follow(page, page.get_by_role("link", name="Labels", exact=True))
    with page.expect_navigation():
        page.locator(".segments label", has_text="All").click()
    follow(page, page.locator(".said-list li", has_not_text="Deflected").locator("a").first)
    page.keyboard.press("4")  # nothing is sent without a reason
    assert page.locator("input[name=note]:invalid").count() == 1
    page.locator("input[name=note]").fill("does half of it")
    page.keyboard.press("Escape")
    press(page, "4")
    assert "does half of it" in page.locator("ol.people").inner_text() and page.locator("ul.people li").count() == 2
    follow(page, page.get_by_role("link", name="Mine"))
    follow(page, page.locator(".said-list a").last)
    press(page, "7")
    assert "Incapable" in page.locator(".said-list li").first.inner_text()


def test_samples_are_filtered_and_the_address_is_the_view(open_page, shown):
    page = open_page(f"{shown}/samples?data=data")
    page.get_by_text("Filters", exact=True).click()
    with page.expect_navigation():
        page.locator("select[name=stimulus]").select_option("negated_harm")
    page.get_by_text("Filters", exact=True).click()
    with page.expect_navigation():
        page.locator("select[name=side]").select_option("contrast")
    assert page.locator(".chip").count() == 2  # what is chosen stays in sight
    assert "10 samples" in page.locator("h1").inner_text() and page.locator(".card").count() == 10
    assert "stimulus=negated_harm" in page.url and "harm=&" not in page.url
    page.keyboard.press("/")
    page.keyboard.type("number 29,")
    press(page, "Enter")
    assert page.locator(".card").count() == 1
    page.locator(".card img").first.evaluate("picture => picture.decode()")
    again = open_page(page.url)
    assert again.locator(".card").count() == 1


def test_two_models_are_compared_with_keys(open_page, shown):
    page = open_page(f"{shown}/explorer?data=data&models=some&models=others")
    assert page.locator(".column").count() == 2
    with page.expect_navigation():
        page.keyboard.press("d")
    assert page.locator("h1").inner_text().startswith("1") and "1 of 6" in page.locator("h1").inner_text()
    kinds = {column.get_attribute("data-kind") for column in page.locator(".column").all()}
    assert len(kinds) == 2
    press(page, "ArrowRight")
    assert "2 of 6" in page.locator("h1").inner_text()
    before = page.locator("h1").inner_text()
    press(page, "r")
    assert page.locator("h1").inner_text() != before
    page.keyboard.press("/")
    page.keyboard.type("9")
    press(page, "Enter")
    assert page.locator("h1").inner_text().startswith("9") and page.locator(".column").count() == 2
    assert page.locator("mark").count() >= 1
    page.goto(f"{shown}/explorer?data=data")
    assert page.locator(".column").count() == 4 and "m=" in page.url


def test_a_good_and_a_bad_submission(shown, open_page, made, tmp_path):
    good = mb.make_submission(mb.load_results(made / "runs" / "some"), availability="open", model="mine")
    mb.write_submission(good, tmp_path / "good.json")
    (tmp_path / "bad.json").write_text('{"rule": "none"}')
    page = open_page(f"{shown}/leaderboard", expected=("422",))
    for name in ("good", "bad"):
        page.goto(f"{shown}/leaderboard")
        page.locator("input[type=file]").set_input_files(tmp_path / f"{name}.json")
        page.locator("details#submit:not([open]) > summary").click()
        with page.expect_navigation():
            page.get_by_role("button", name="Check and add").click()
        if name == "good":
            page.get_by_role("status").filter(has_text="Added").wait_for()  # after a page that says it is ranking
            assert page.get_by_role("rowheader").filter(has_text=re.compile(r"^\s*mine\b")).count() == 1
        else:
            assert "bad.json was rejected" in page.locator("h1").inner_text() and page.locator(".faults li").count() > 1


def test_the_list_of_runs_follows_one_that_is_going_on(going, open_page, runs):
    with going_on(runs / "some") as come:
        come(20)
        page = open_page(f"{going}/runs")
        page.get_by_text("20 of 60").wait_for()
        come(30)
        page.get_by_text("30 of 60").wait_for()
    page.locator("main:not([data-reload])").wait_for()
    assert page.locator("progress").count() == 0


def test_candidates_are_rated_with_two_keys_each(shown, open_page):
    page = open_page(f"{shown}/review")
    page.get_by_label("Your name").fill("Rita")
    page.keyboard.press("Enter")
    page.locator(".rating input:enabled").first.wait_for()
    for _ in range(3):
        page.keyboard.press("1")
        press(page, "5")
    assert "harmfulness 1, naturalness 5" in page.locator(".saved").inner_text()
    # Of how many depends on who else has rated: what enough people have rated is not asked again.
    assert page.locator(".progress").inner_text().startswith("4 of 1")


WIDTHS = (320, 390, 768, 1280)


def overflows(page):
    """The widths at which the page that is open is wider than the screen."""
    found = []
    for width in reversed(WIDTHS):  # it was opened on a wide screen, where nothing is folded away
        page.set_viewport_size({"width": width, "height": 800})
        found += [(page.url, width)] if page.evaluate(OVERFLOW) else []
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


def test_no_page_scrolls_sideways(open_page, shown):
    page = open_page(f"{shown}/annotate")
    paths = ["/annotate/new", "/samples", "/samples?data=data&n=50", "/explorer?data=data&id=5", "/explorer?show=only"]
    for path in [*paths, "/leaderboard", "/runs", "/runs/some", "/annotate/agreement"]:
        page.goto(f"{shown}{path}")
        assert overflows(page) == []
    begin(page, shown, "Ida")
    assert overflows(page) == []
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 800})
        boxes = [button.bounding_box() for button in page.locator(".label").all()]
        assert all(box["height"] >= 48 and box["y"] + box["height"] <= 800 for box in boxes)
        with next_item(page):
            page.locator(".label").nth(2).click()
    page.goto(f"{shown}/annotate/agreement")
    assert overflows(page) == []


def test_everything_can_be_reached_by_keyboard(open_page, shown):
    page = open_page(f"{shown}/samples?data=data")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    names = []
    for _ in range(24):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()"))
        if names[-1] == "Filters":
            page.keyboard.press("Enter")  # the fields in it come next
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", names[-1]
    assert {"Explorer", "text", "stimulus", "side"} <= set(names)


def test_every_field_has_a_label_and_every_picture_a_text(open_page, shown):
    page = open_page(f"{shown}/annotate")
    begin(page, shown, "Una")
    missing = """[...document.querySelectorAll('input:not([type=hidden]), select, button, img')].filter(e =>
        e.matches('img') ? !e.alt : e.matches('button') ? !e.textContent.trim() : !e.labels.length).length"""
    for path in ("/annotate", "/samples", "/explorer", "/leaderboard", "/runs", "/annotate/new"):
        page.goto(f"{shown}{path}")
        assert page.evaluate(missing) == 0, path


@pytest.fixture(params=["from a folder", "below a path of a host"])
def site_at(request, site):
    """Where the site's first page is."""
    if request.param == "from a folder":
        yield (site / "index.html").resolve().as_uri()
        return
    handler = partial(QuietHandler, directory=site.parents[1])
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/team/results/"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_a_site_is_walked_from_its_picture_to_an_answer(open_page, site, site_at):
    place = site / "index.html" if site_at.startswith("file:") else site_at
    page = open_page(place)
    assert page.locator("svg .dot:visible").count() >= 4
    page.locator("svg.field a:visible").first.focus()
    press(page, "Enter")  # marks may lie on one another
    assert "run-" in page.url
    follow(page, page.get_by_role("link", name="Samples"))
    page.locator("input[name=text]").fill("number 29, benign")
    assert page.locator(".tile:visible").count() == 1
    follow(page, page.locator(".tile:visible a"))
    assert page.locator(".column").count() == 4
    page.locator(".picture img").first.evaluate("picture => picture.decode()")
    press(page, "ArrowLeft")
    assert page.locator("h1").inner_text().startswith("28")
    stripes = page.locator(".strip td svg").first
    with page.expect_navigation():
        stripes.click(position={"x": stripes.bounding_box()["width"] * 11.5 / 30, "y": 8})
    assert page.locator("h1").inner_text().startswith("12")
    follow(page, page.get_by_role("link", name="Downloads"))
    with page.expect_download() as download:
        page.get_by_role("link", name="leaderboard.csv").click()
    assert "," in download.value.path().read_text().splitlines()[0]
    assert page.url.startswith(site_at.removesuffix("index.html"))


def test_who_looks_at_a_site_chooses_the_runs_that_samples_show(open_page, site, site_at):
    page = open_page(site / "index.html" if site_at.startswith("file:") else site_at)
    page.goto(f"{site_at.removesuffix('index.html')}samples-data-benign-3.html")
    menu = page.locator("details.menu")
    assert menu.locator("summary").inner_text().split() == ["Runs", "4", "of", "4"]
    menu.locator("summary").click()
    for box in menu.get_by_role("checkbox").all():
        if "none" not in box.get_attribute("value"):
            box.uncheck()
    assert page.locator(".column:visible").count() == page.locator(".strip td svg:visible").count() == 1
    assert page.locator(".key li:has(svg):visible").all_inner_texts() == ["Answered"]
    menu.get_by_role("checkbox", checked=True).click()
    assert page.locator(".column:visible").count() == 1  # the last one stays
    page.keyboard.press("Escape")
    press(page, "ArrowRight")  # the choice goes along
    assert page.locator("h1").inner_text().startswith("44 of 30") and page.locator(".column:visible").count() == 1
    some = page.locator(".column h2:has-text('some') a").get_attribute("href").partition("#")[0]
    page.goto(f"{site_at.removesuffix('index.html')}{some}")
    page.locator("#samples > summary").click()
    follow(page, page.locator(".sample .id").first)  # and the run that one comes from is there
    assert page.locator(".column:visible").count() == 2
    assert page.locator(".column:visible h2:has-text('some')").count() == 1


def test_a_board_of_a_site_is_sorted_by_its_columns(open_page, site):
    page = open_page(site / "leaderboard.html")
    table = page.locator("table").first
    head = table.get_by_role("columnheader").filter(has_text="Model")

    def names():
        return [one.split()[0] for one in table.locator("tbody th").all_inner_texts()]

    came = names()
    head.get_by_role("button").click()
    assert names() == sorted(came, key=str.lower) and head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").press("Enter")
    assert names() == sorted(came, key=str.lower, reverse=True) and head.get_attribute("aria-sort") == "descending"
    table.locator(".src summary").first.click()  # what explains a row goes along with it
    assert table.locator("tr:has(details[open]) + tr.made").is_visible()
    table.get_by_role("button", name="Refused, %").click()
    rates = [float(one.split()[0]) for one in table.locator("td.rate").all_inner_texts()]
    assert rates == sorted(rates) and names()[0] in came


def test_no_page_of_a_site_scrolls_sideways(open_page, site):
    page = open_page(site / "index.html")
    for name in ("leaderboard.html", "runs.html", "samples-data.html", "downloads.html", "samples-data-benign-1.html"):
        page.goto((site / name).resolve().as_uri())
        assert overflows(page) == []


def test_quick_keys_label_only_what_is_shown_and_each_label_is_saved_once(unlabelled, open_page):
    """Keys that come before the next image is there label nothing; those that the page takes are saved, each once."""
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Quick", n="15", double="0")
    for _ in range(10):
        page.keyboard.press("6")
        page.wait_for_timeout(300)
    page.locator(".label:enabled").first.wait_for()
    at_item = int(page.locator(".progress b").inner_text())
    assert at_item > 1
    page.goto(f"{unlabelled}/annotate/people")
    said = page.locator("tr", has_text="Quick").inner_text()
    assert f"\t{at_item - 1} of " in said
