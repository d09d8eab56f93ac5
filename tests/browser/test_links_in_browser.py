"""Ways between pages that only a browser can break: ticks, stripes, large images, copied links."""

import pytest

from browser.test_web_app import OVERFLOW, follow, overflows

pytestmark = pytest.mark.browser


def test_two_ticks_lead_to_a_comparison_and_a_changed_sample_to_the_explorer(open_page, shown):
    page = open_page(f"{shown}/runs")
    page.get_by_label("Compare some").check()
    page.get_by_label("Compare others").check()
    follow(page, page.get_by_role("button", name="Compare 2 runs"))
    page.locator("h1", has_text="No significant difference").wait_for()
    assert "order=" not in page.url and page.locator(".flip").count() == 10  # of 12: a page
    follow(page, page.locator("td[data-label='answered → refused'] a").first)
    assert "way=refused" in page.url and page.locator(".flip").count() == 3
    follow(page, page.locator(".flip h3 a").first)
    assert page.locator(".column").count() == 2
    follow(page, page.locator(".column h2 a").first)
    assert "/runs/" in page.url


def test_a_stripe_says_its_sample_and_opens_it(open_page, shown):
    page = open_page(f"{shown}/explorer?models=some")
    strip = page.locator(".strip td svg").first
    box = strip.bounding_box()
    place = {"x": box["width"] * 11.5 / 30, "y": 8}  # in the middle of the twelfth of thirty
    strip.hover(position=place)
    assert page.locator(".strip output").inner_text() == "12 of 30: 12"
    with page.expect_navigation():
        strip.click(position=place)
    assert page.locator("h1").inner_text().startswith("12")
    assert page.url.endswith("&id=12") and "at=" not in page.url and len(page.url) < 70


@pytest.mark.parametrize("path", ["/explorer", "/samples", "/runs/some", "/compare?run=none&run=some"])
def test_an_image_opens_large_by_key_and_gives_the_focus_back(open_page, shown, path):
    page = open_page(shown + path)
    link = page.locator("a[data-zoom]").first
    link.evaluate("link => { for (let part = link; part; part = part.parentElement) part.open = true }")  # its folds
    link.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert dialog.locator("output").inner_text() == "100 %"
    dialog.locator("img[src*='size=2048']").wait_for()
    page.wait_for_function("() => document.querySelector('dialog img').complete")  # as text it would need eval
    before = dialog.locator("img").bounding_box()["width"]
    page.keyboard.press("+")
    assert dialog.locator("output").inner_text() == "150 %"
    assert dialog.locator("img").bounding_box()["width"] == pytest.approx(before * 1.5, rel=0.02)
    address = page.url
    page.keyboard.press("ArrowRight")  # moves the image; the page's own keys rest
    page.keyboard.press("0")
    assert page.url == address and dialog.locator("output").inner_text() == "100 %"
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.matches('a[data-zoom]')")


def test_a_tap_makes_a_large_image_larger_on_a_phone(open_page, shown):
    page = open_page(f"{shown}/explorer", viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page.locator("a[data-zoom]").first.tap()
    dialog = page.get_by_role("dialog")
    dialog.locator("img").tap()
    assert dialog.locator("output").inner_text() == "250 %" and page.evaluate(OVERFLOW) <= 0
    dialog.get_by_role("button", name="Close").tap()
    dialog.wait_for(state="detached")


def test_the_address_of_what_is_seen_is_copied(open_page, shown):
    page = open_page(f"{shown}/explorer?models=some&id=7", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url and "models=" not in copied and copied.endswith("id=7")
    page.get_by_role("button", name="Copy link").wait_for()
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copy failed").wait_for()


def test_nothing_is_wider_than_the_page(open_page, shown):
    page = open_page(f"{shown}/compare?run=none&run=some&run=others")
    assert overflows(page) == []
    for path in ("/compare", "/explorer", "/runs"):
        page.goto(shown + path)
        assert overflows(page) == []


def test_the_chart_of_a_board_is_wide_enough_to_be_read(open_page, shown):
    page = open_page(f"{shown}/leaderboard", viewport={"width": 1280, "height": 800})
    drawn, name = page.locator(".board .ci").first.bounding_box(), page.locator(".board tbody .name").first
    assert drawn["width"] > 280 and name.bounding_box()["width"] > 200
