"""Charts lead to what is behind them: every mark is a link, with a pointer, by keyboard and without scripts."""

import pytest

from browser.test_web_app import follow

pytestmark = pytest.mark.browser


def settled(page):
    """After a page that says it is reading."""
    page.locator("main:not([data-reload]):not(.message:has(progress))").wait_for()
    return page


def test_a_dot_on_home_leads_to_the_refused_samples_of_its_model(shown, open_page):
    page = settled(open_page(f"{shown}/"))
    dot = page.locator(".field.wide a[aria-label^='some: ']")
    assert not dot.locator(".tip p").is_visible()
    dot.focus()
    tip = dot.locator(".tip p").inner_text()
    assert "20.0" in tip and "n = 30" in tip and "harmful refused" in tip
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator("h1").inner_text().startswith("6 samples") and page.locator(".card").count() == 6
    assert page.locator(".chip").count() == 2


def test_marks_lead_on_without_scripts(shown, open_page):
    page = open_page(f"{shown}/", java_script_enabled=False)
    link = page.locator(".field.wide a[aria-label^='some: ']").get_attribute("href")
    page.goto(f"{shown}{link}")
    assert page.locator(".card").count() == 6


def test_home_fits_a_screen_and_a_phone(shown, open_page):
    for width, height in ((1280, 800), (390, 844)):
        page = settled(open_page(f"{shown}/", viewport={"width": width, "height": height}))
        for part in (".verdict", ".field:visible", ".finding h2 >> nth=2"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= height, (part, width)


def test_a_bar_of_a_stimulus_leads_to_the_refused_samples_of_it(shown, open_page):
    page = settled(open_page(f"{shown}/models/replay/some.jsonl"))
    bar = page.locator(".group-bars a").first
    group = bar.inner_text()
    follow(page, bar)
    assert group.lower() in page.locator(".chip").last.inner_text().lower()
    assert page.locator(".card").count() > 0


def test_a_refused_sample_of_a_model_leads_to_its_answer(shown, open_page):
    page = settled(open_page(f"{shown}/models/replay/some.jsonl"))
    card = page.locator(".sample-card").first
    sample = card.locator(".id").inner_text()
    assert card.locator("q").inner_text()
    follow(page, card)
    assert page.locator("h1").inner_text().startswith(sample)


def test_a_count_of_changed_samples_leads_to_those_pairs(shown, open_page):
    page = settled(open_page(f"{shown}/compare?run=some&run=others"))
    count = page.locator("table.overview a").first
    n = int(count.inner_text().split()[0])
    follow(page, count)
    assert page.locator(".flip").count() == n


def test_what_is_folded_opens_where_a_link_leads_into_it(shown, open_page):
    page = settled(open_page(f"{shown}/leaderboard"))
    page.get_by_role("link", name="Submit a run").click()
    page.get_by_role("button", name="Check and add").wait_for()
    assert page.locator("#submit").get_attribute("open") is not None
