"""On a phone: what comes second is folded, what is labelled stands above the keys, and no name is too long."""

import pytest

import mossbench as mb
from browser.conftest import LONG_NAME
from browser.test_web_app import OVERFLOW, begin, follow
from web.server import Server

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}}


def settled(page):
    """After a page that says it is reading."""
    page.locator("main:not([data-reload]):not(.message:has(progress))").wait_for()
    return page


def test_boards_after_the_first_are_folded_and_one_press_away(shown, open_page):
    page = open_page(f"{shown}/leaderboard", **PHONE)
    second = page.locator("#board-2")
    assert page.locator("#board-1 tbody").is_visible() and not second.locator("tbody").is_visible()
    assert "judge" in second.locator("summary .result").inner_text()  # what it is stays in sight
    second.locator("summary").first.click()
    assert second.locator("tbody").is_visible()


def test_a_comparison_shows_totals_first_and_groups_and_answers_at_a_press(shown, open_page):
    address = f"{shown}/compare?run=none&run=some"
    page = settled(open_page(address, **PHONE))
    groups = page.locator("table.differences:not(.overview)").first
    rows = groups.locator("tbody tr:not(.part)")
    assert all(row.is_visible() for row in page.locator("table.overview tbody tr").all())
    assert rows.count() > 1 and not any(row.is_visible() for row in rows.all())
    open_fold_of(page, groups)
    assert not any(row.is_visible() for row in rows.all())  # each group of rows is folded on its own
    for part in groups.locator("summary").all():
        part.click()
    assert all(row.is_visible() for row in rows.all()) and page.evaluate(OVERFLOW) == 0
    columns = page.locator(".flip .columns").first
    if page.locator(".flip summary").count():
        assert not columns.is_visible()
        page.locator(".flip summary").first.click()
    assert columns.is_visible() and page.evaluate(OVERFLOW) == 0
    wide = settled(open_page(address))
    assert wide.locator(".flip .columns").first.is_visible()
    open_fold_of(wide, wide.locator("table.differences:not(.overview)").first)
    assert all(row.is_visible() for row in wide.locator("table.differences tbody tr").all())


def test_each_difference_says_its_unit_and_stands_beside_its_mark_on_a_phone(shown, open_page):
    page = settled(open_page(f"{shown}/compare?run=none&run=some", **PHONE))
    rows = page.locator("table.overview .lead-row").all()
    assert len(rows) == 2
    for row in rows:
        points = row.locator("td.rate").evaluate("cell => getComputedStyle(cell, '::before').content")
        assert "points" in points
        name, mark = row.locator("th.name").bounding_box(), row.locator(".side-mark").bounding_box()
        middle_of_name, middle_of_mark = (box["y"] + box["height"] / 2 for box in (name, mark))
        assert abs(middle_of_name - middle_of_mark) < 4, row.inner_text()


def test_rates_of_stimuli_have_their_whole_names_on_a_phone(shown, open_page):
    page = open_page(f"{shown}/leaderboard", **PHONE)
    page.locator("td.src summary").first.click()
    short = page.locator('#board-1 td[data-label="CI"]')
    assert short.count() and not any(cell.is_visible() for cell in short.all())
    assert page.locator("tr.made").first.get_by_text("Counterintuitive Interpretation").is_visible()


def open_fold_of(page, part):
    page.locator("details.folded", has=part).locator("summary").first.click()


@pytest.fixture(scope="module")
def corrected(tmp_path_factory):
    """The address of a server on the run of a control model: the judge was measured on such answers."""
    folder = tmp_path_factory.mktemp("corrected")
    mb.run("control/candid", limit=4, out=folder / "run")
    server = Server(folder)
    yield server.ready("/runs", "/")
    server.stop()


def test_what_rates_are_corrected_to_stands_on_a_phone_too_where_a_note_explains_it(corrected, open_page):
    page = open_page(f"{corrected}/runs", **PHONE)
    for path in ("/runs", "/"):
        page.goto(corrected + path)
        found = settled(page).locator("main .corrected").all()
        assert found and all(one.is_visible() for one in found), path


def test_filters_are_in_a_menu_and_those_in_use_are_chips(shown, open_page):
    page = open_page(f"{shown}/samples?data=data", **PHONE)
    side = page.get_by_label("Side")
    assert not side.is_visible() and page.locator(".chip").count() == 0
    page.locator("summary", has_text="Filters").click()
    assert side.is_visible() and page.evaluate(OVERFLOW) == 0
    with page.expect_navigation():
        side.select_option("contrast")
    chip = page.locator(".chip", has_text="Harmful")  # says that a filter is in use while the menu is closed
    assert chip.is_visible() and not side.is_visible()
    follow(page, chip)
    assert page.locator(".chip").count() == 0


def test_request_and_answer_are_seen_above_the_keys(shown, open_page):
    page = open_page(f"{shown}/annotate", **PHONE)
    begin(page, shown, "Pia")
    keys = page.locator(".labels").bounding_box()
    for seen in (page.locator(".request"), page.locator("blockquote.answer")):
        box = seen.bounding_box()
        assert box["y"] + min(box["height"], 60) <= keys["y"], (box, keys)
    page.goto(f"{shown}/review")
    page.get_by_label("Your name").fill("Pia")
    page.keyboard.press("Enter")
    page.locator(".rating").first.wait_for()
    box, keys = page.locator(".request").bounding_box(), page.locator(".labels").bounding_box()
    assert box["y"] + box["height"] <= keys["y"]
    page.locator(".ask .zoom").first.click()  # small, but it opens
    assert page.locator("dialog.large img").is_visible()


def test_no_page_is_wider_than_the_phone_for_a_long_name(long_named, open_page):
    page = open_page(f"{long_named}/", expected=("404",), **PHONE)
    model, two = f"replay/some-{LONG_NAME}.jsonl", "some&run=others"
    places = ["", "runs", "runs/some", "leaderboard", "compare", f"compare?run={two}", "samples", "search"]
    places += ["explorer?models=some&models=others&id=5", f"models/{model}", f"models/{LONG_NAME}", LONG_NAME]
    for place in places:
        page.goto(f"{long_named}/{place}")
        assert settled(page).evaluate(OVERFLOW) == 0, place


def test_sections_of_a_report_are_a_few_lines_each_on_a_phone_until_opened(shown, open_page):
    page = settled(open_page(f"{shown}/runs/some", **PHONE))
    sections = page.locator("details.folded").all()
    assert len(sections) > 4 and all(section.bounding_box()["height"] < 160 for section in sections)
    for section in sections:
        section.locator("summary").first.click()
    assert page.evaluate(OVERFLOW) == 0
