"""A label is given by somebody who saw the image and pressed a key for it: held keys and early ones give none."""

import pytest

from browser.test_web_app import begin, follow, next_item, press, unlabelled  # noqa: F401  # a fixture

pytestmark = pytest.mark.browser

NOT_LOADED = "Failed to load resource"


def sent_by(page):
    """The forms that the page sends from now on."""
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def item_of(page):
    return page.locator("input[name=item]").get_attribute("value")


def begin_rating(page, at, name):
    page.goto(f"{at}/review")
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    page.locator(".rating input").first.wait_for()


class Held:
    """Images that are asked for and do not arrive until they are let go."""

    def __init__(self, page, pattern):
        self.is_held, self.waiting = True, []
        page.route(pattern, lambda route: self.waiting.append(route) if self.is_held else route.continue_())

    def let_go(self):
        self.is_held = False
        for route in self.waiting:
            route.continue_()


@pytest.mark.parametrize("key", ["6", "s"])
def test_a_key_that_is_held_down_gives_one_label(unlabelled, open_page, key):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    sent = sent_by(page)
    with next_item(page):
        page.keyboard.down(key)
    second = item_of(page)
    page.locator(".label:enabled").first.wait_for()
    for _ in range(8):
        page.keyboard.down(key)  # as a keyboard does while a key is down
    assert item_of(page) == second and len(sent) == 1
    page.keyboard.up(key)
    press(page, key)
    assert item_of(page) != second and len(sent) == 2


def test_an_undo_key_that_is_held_down_takes_back_one_label(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    for _ in range(3):
        press(page, "6")
    with page.expect_navigation():
        page.keyboard.down("u")
    for _ in range(5):
        page.keyboard.down("u")
    page.reload()
    assert page.locator(".progress b").inner_text() == "3"


def test_enter_that_is_held_down_on_a_label_gives_one(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    sent = sent_by(page)
    page.locator(".label").first.focus()
    with next_item(page):
        page.keyboard.down("Enter")
    page.locator(".label:enabled").first.focus()
    for _ in range(5):
        page.keyboard.down("Enter")
    assert page.locator(".progress b").inner_text() == "2" and len(sent) == 1


def test_a_number_that_is_held_down_answers_one_question_of_a_rating(shown, open_page):
    page = open_page(f"{shown}/review")
    begin_rating(page, shown, "Hanna")
    page.locator(".rating input:enabled").first.wait_for()
    sent = sent_by(page)
    for _ in range(6):
        page.keyboard.down("3")
    assert page.locator(".rating input:checked").count() == 1 and sent == []
    page.keyboard.up("3")
    press(page, "4")
    assert "harmfulness 3, naturalness 4" in page.locator(".saved").inner_text()


def test_an_arrow_that_is_held_down_still_leads_through_samples(shown, open_page):
    page = open_page(f"{shown}/explorer?data=data")
    first = page.url
    with page.expect_navigation():
        page.keyboard.down("ArrowRight")
    second = page.url
    with page.expect_navigation():
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    assert len({first, second, page.url}) == 3


def test_no_label_is_given_before_the_image_is_there(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    held = Held(page, "**/annotate/picture/**")
    page.reload(wait_until="commit")
    page.locator(".label:disabled").first.wait_for()
    item, sent = item_of(page), sent_by(page)
    for key in "1234567":
        page.keyboard.press(key)
    page.locator(".label").nth(5).click(force=True)
    page.locator(".label").nth(5).evaluate("(label) => label.click()")
    page.get_by_text("Loading the image.").wait_for()
    assert sent == [] and item_of(page) == item
    held.let_go()
    page.locator(".label:enabled").first.wait_for()
    assert page.get_by_text("Loading the image.").is_hidden() and sent == []
    press(page, "6")
    assert len(sent) == 1 and "Saved: Refused" in page.locator(".saved").inner_text()


def test_what_cannot_be_seen_yet_can_be_skipped(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines")
    held = Held(page, "**/annotate/picture/**")
    page.reload(wait_until="commit")
    page.locator(".label:disabled").first.wait_for()
    item = item_of(page)
    page.keyboard.press("s")
    page.locator(f'input[name=item]:not([value="{item}"])').wait_for(state="attached")
    held.let_go()


def test_an_image_that_cannot_be_shown_is_said_and_labelled_only_on_purpose(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate", expected=(NOT_LOADED,))
    begin(page, unlabelled, "Ines")
    page.route("**/annotate/picture/**", lambda route: route.abort())
    page.reload()
    page.get_by_text("The image could not be loaded.").wait_for()
    item, sent = item_of(page), sent_by(page)
    for key in ("1", "6"):
        page.keyboard.press(key)
    assert sent == [] and item_of(page) == item and page.locator(".label:enabled").count() == 0
    page.get_by_role("button", name="Label without it").click()
    assert page.get_by_text("The image could not be loaded.").is_hidden()
    press(page, "6")
    assert len(sent) == 1
    page.get_by_text("The image could not be loaded.").wait_for()  # of the next one
    page.unroute("**/annotate/picture/**")
    follow(page, page.get_by_role("button", name="Reload"))
    page.locator(".label:enabled").first.wait_for()


def test_a_candidate_is_not_rated_before_its_image_is_there(shown, open_page):
    page = open_page(f"{shown}/review")
    begin_rating(page, shown, "Nora")
    held = Held(page, "**/review/picture/**")
    page.reload(wait_until="commit")
    page.locator(".rating input:disabled").first.wait_for()
    sent = sent_by(page)
    for key in "15":
        page.keyboard.press(key)
    page.get_by_role("button", name="Save").click(force=True)
    assert page.locator(".rating input:checked").count() == 0 and sent == []
    held.let_go()
    page.locator(".rating input:enabled").first.wait_for()
    page.keyboard.press("1")
    press(page, "5")
    assert "harmfulness 1, naturalness 5" in page.locator(".saved").inner_text()


def test_a_conflict_is_not_decided_before_its_image_is_there(unlabelled, open_page):  # noqa: F811
    page = open_page(f"{unlabelled}/annotate")
    begin(page, unlabelled, "Ines", n="1")
    for _ in range(4):
        press(page, "6")
    follow(page, page.get_by_role("button", name="Leave"))
    begin(page, unlabelled, "Tom")
    for _ in range(4):
        press(page, "1")
    held = Held(page, "**/annotate/picture/**")
    page.goto(f"{unlabelled}/annotate/conflicts", wait_until="commit")
    page.locator(".label:disabled").first.wait_for()
    sent = sent_by(page)
    page.keyboard.press("5")
    assert sent == []
    held.let_go()
    page.locator(".label:enabled").first.wait_for()
    press(page, "5")
    assert len(sent) == 1
