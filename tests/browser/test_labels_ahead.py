"""Ten labels in three seconds: the next items are there already, no key is lost, and none labels what was not shown."""

import pytest

from browser.test_labels_are_meant import item_of, sent_by
from browser.test_web_app import SETTLED, begin, next_item, press, unlabelled  # noqa: F401  # a fixture

pytestmark = pytest.mark.browser

KEYS = "1652716523"
KIND_OF_KEY = {"1": "answered", "2": "warned", "3": "clarified", "5": "deflected", "6": "refused", "7": "incapable"}
EVERY_MS = 300
NOT_LOADED = "Failed to load resource"


def delay_images(page):
    """Every image of an item takes as long as a label."""

    def pass_on(route):
        page.wait_for_timeout(EVERY_MS)
        route.continue_()

    page.route("**/annotate/picture/**", pass_on)


def wait_for_items_ahead(page):
    page.locator("body[data-ahead='3']").wait_for(state="attached")
    page.wait_for_timeout(2 * EVERY_MS)  # for their images


def labels_given(page, at):
    """The kind of each label on the page Mine, by item."""
    page.goto(f"{at}/annotate/mine")
    kinds = {}
    for row in page.locator("a[href*='item=']").all():
        item = row.get_attribute("href").partition("item=")[2]
        kinds[item] = row.evaluate("(link) => link.closest('li, tr')?.innerText ?? link.innerText").lower()
    return kinds


def test_ten_labels_in_three_seconds_are_all_saved_each_on_the_item_that_was_shown(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    delay_images(page)
    page.reload()
    wait_for_items_ahead(page)
    shown = []
    for key in KEYS:
        shown.append((item_of(page), KIND_OF_KEY[key]))
        page.keyboard.press(key)
        page.wait_for_timeout(EVERY_MS)
    page.locator(SETTLED).wait_for(state="attached")
    assert page.locator(".early").count() == 0
    assert page.locator(".progress b").inner_text() == "11"
    assert len({item for item, _ in shown}) == 10
    kinds = labels_given(page, unlabelled)
    assert len(kinds) == 10 and all(kind in kinds[item] for item, kind in shown)


def test_a_key_that_comes_before_the_next_item_is_shown_is_said_and_labels_nothing(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    wait_for_items_ahead(page)
    sent = sent_by(page)
    with next_item(page):
        page.evaluate("""for (const key of "66") document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true }))""")
    assert "Key 6 came before this was shown. It saved nothing." in page.locator(".early").inner_text()
    assert len(sent) == 1 and page.locator(".progress b").inner_text() == "2"


def test_what_the_server_does_not_take_is_said_and_saved_again(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate", expected=(NOT_LOADED,))
    begin(page, unlabelled, "Ines")
    wait_for_items_ahead(page)
    labelled = item_of(page)
    page.route("**/annotate/label", lambda route: route.abort())
    page.keyboard.press("6")
    page.get_by_text("The last one is not saved").wait_for()
    assert page.locator(".label:enabled").count() == 0 and "Saved" not in page.locator(".saved").inner_text()
    page.unroute("**/annotate/label")
    page.get_by_role("button", name="Save again").click()
    page.locator(SETTLED).wait_for(state="attached")
    assert "Saved: Refused" in page.locator(".saved").inner_text()
    press(page, "1")
    kinds = labels_given(page, unlabelled)
    assert len(kinds) == 2 and "refused" in kinds[labelled]


def test_what_was_not_saved_comes_first_after_a_reload(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate", expected=(NOT_LOADED,))
    begin(page, unlabelled, "Ines")
    wait_for_items_ahead(page)
    labelled = item_of(page)
    page.route("**/annotate/label", lambda route: route.abort())
    page.keyboard.press("6")
    page.get_by_text("The last one is not saved").wait_for()
    page.reload()
    assert item_of(page) == labelled
