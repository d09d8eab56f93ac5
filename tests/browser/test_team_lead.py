"""A team lead's question, walked in a browser: Home, model, report; and what only a browser can break there."""

import json

import pytest

from browser.test_web_app import OVERFLOW, follow
from web.conftest import made, runs, serve  # noqa: F401  # fixtures

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.field .name')].map(e => e.getBoundingClientRect()).filter(b => b.width);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  return [boxes.length, boxes.filter((a, i) => boxes.some((b, j) => j > i && meet(a, b))).length];
}"""


@pytest.fixture
def at(serve, runs, made):  # noqa: F811
    for name in ("none", "some", "others"):
        path = runs / name / "run.json"
        path.write_text(path.read_text().replace(f"/{name}.jsonl", f"/{name}-of-a-rather-long-name.jsonl"))
    server = serve(runs, "--data", str(made / "data"))
    for path in ("/", "/leaderboard", "/runs/some"):
        while "refresh" in server.ask("GET", path)[0].headers:
            pass
    return f"http://127.0.0.1:{server.port}"


def test_the_question_is_answered_on_home_and_in_depth_in_three_clicks(at, open_page):
    page = open_page(f"{at}/")
    for question in ("Which model refuses least", "Is the difference real?", "Did it get worse since last time?"):
        assert page.locator(".answers div", has=page.locator("dt", has_text=question)).locator("dd").inner_text()
    follow(page, page.locator(".field.wide a", has_text="some-of").locator(".name"))
    page.get_by_role("heading", name="By stimulus").wait_for()  # after a page that says it is counting
    assert page.url.endswith("some-of-a-rather-long-name.jsonl")
    follow(page, page.get_by_role("link", name="some", exact=True))
    assert page.url == f"{at}/runs/some" and "refuses" in page.locator("h1").inner_text()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_picture_is_readable_at_every_width(at, open_page, width):
    page = open_page(f"{at}/", viewport={"width": width, "height": 900}, color_scheme="dark")
    n, overlapping = page.evaluate(OVERLAPS)
    assert (n, overlapping, page.evaluate(OVERFLOW)) == (3, 0, 0)
    follow(page, page.locator("table.standing a").first)
    assert page.evaluate(OVERFLOW) == 0


def test_home_follows_a_run_that_goes_on(at, open_page, runs):  # noqa: F811
    info, answers = (runs / "some" / "run.json").read_text(), (runs / "some" / "answers.jsonl").read_text()
    (runs / "some" / "run.json").write_text(json.dumps({**json.loads(info), "ended": None}))
    (runs / "some" / "answers.jsonl").write_text("".join(answers.splitlines(keepends=True)[:20]))
    page = open_page(f"{at}/")
    page.get_by_text("20 of 60 answers").wait_for()
    (runs / "some" / "answers.jsonl").write_text(answers)
    (runs / "some" / "run.json").write_text(info)
    page.locator("main:not([data-again])").wait_for()
    assert page.locator("progress").count() == 0 and page.locator(".field.wide a").count() == 3
