"""A team lead's question, walked in a browser: Home, model, report; and what only a browser can break there."""

import pytest

from answered import going_on
from browser.conftest import LONG_NAME
from browser.test_web_app import OVERFLOW, follow

pytestmark = pytest.mark.browser

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.field .name')].map(e => e.getBoundingClientRect()).filter(b => b.width);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  return [boxes.length, boxes.filter((a, i) => boxes.some((b, j) => j > i && meet(a, b))).length];
}"""


def test_the_question_is_answered_on_home_and_in_depth_in_three_clicks(long_named, open_page):
    page = open_page(f"{long_named}/")
    for title in ("Refuses least without being less safe", "Changed since last time", "Needs attention"):
        assert page.locator(".finding", has=page.get_by_role("heading", name=title)).locator(".item").first.inner_text()
    follow(page, page.locator("table.standing .name a", has_text="some-"))
    page.get_by_role("heading", name="What it refuses").wait_for()  # after a page that says it is counting
    assert page.url.endswith(f"some-{LONG_NAME}.jsonl")
    follow(page, page.get_by_role("link", name="Report", exact=True))
    assert page.url == f"{long_named}/runs/some" and "refuses" in page.locator("h1").inner_text()


def test_the_picture_is_readable_at_every_width(long_named, open_page):
    page = open_page(f"{long_named}/", color_scheme="dark")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        n, overlapping = page.evaluate(OVERLAPS)
        assert (n, overlapping, page.evaluate(OVERFLOW)) == (3, 0, 0), width
    follow(page, page.locator("table.standing a").first)
    assert page.evaluate(OVERFLOW) == 0


def test_home_follows_a_run_that_goes_on(serve, runs, open_page):
    at = serve(runs).ready("/")
    with going_on(runs / "some") as come:
        come(20)
        page = open_page(f"{at}/")
        page.get_by_text("20 of 60 answers").first.wait_for(state="attached")
    page.locator("main:not([data-reload])").wait_for()
    assert page.locator("progress").count() == 0 and page.locator(".field.wide a").count() == 3
