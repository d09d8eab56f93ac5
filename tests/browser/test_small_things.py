"""Small things that only a browser shows: menus, boxes, captions, print, and numbers that come while one looks."""

import os
import shutil
import time

import pytest

from answered import going_on, stop
from browser.test_web_app import follow

pytestmark = pytest.mark.browser


def test_a_menu_stays_open_while_models_are_ticked_and_keeps_the_sample(shown, open_page):
    page = open_page(f"{shown}/explorer?data=data&side=contrast&id=5&models=some&models=others&models=none")
    page.get_by_text("Models 3 of 4").click()
    page.locator('.menu label:has(small:text-is("none")) input').uncheck()
    page.locator('.menu label:has(small:text-is("failing")) input').check()
    assert page.locator(".menu").get_attribute("open") is not None
    with page.expect_navigation():
        page.locator(".request").first.click()  # elsewhere
    assert {name.strip() for name in page.locator(".column h2").all_inner_texts()} == {"some", "others", "failing"}
    assert page.locator("h1").inner_text().startswith("5") and "side=contrast" in page.url


def test_the_menu_of_models_lies_within_the_window(shown, open_page):
    page = open_page(f"{shown}/explorer?data=data")
    page.locator(".menu summary").click()
    for width in (390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        box = page.locator(".menu > div").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, width


def test_trigger_boxes_stay_shown_on_the_next_sample(serve, open_page, tmp_path):
    page = open_page(f"{serve(tmp_path).ready('/explorer?data=sketches')}/explorer?data=sketches")
    page.locator(".show-trigger").check()
    follow(page, page.locator("a[rel=next]"))
    assert page.locator(".show-trigger").is_checked()
    page.locator(".show-trigger").uncheck()
    page.reload()
    assert not page.locator(".show-trigger").is_checked()


def test_the_side_that_was_chosen_is_there_after_going_on_and_coming_back(shown, open_page):
    page = open_page(f"{shown}/explorer?data=data")
    side = page.get_by_label("Side")
    with page.expect_navigation():
        side.select_option("contrast")
    follow(page, page.locator("a[rel=next]"))
    sample = page.locator("h1").inner_text()
    follow(page, page.get_by_role("navigation", name="Pages").get_by_role("link", name="Runs"))
    follow(page, page.get_by_role("navigation", name="Pages").get_by_role("link", name="Explorer"))
    assert side.input_value() == "contrast" and page.locator("h1").inner_text() == sample
    for _ in range(4):  # back to the page on which it was chosen
        page.go_back()
        page.wait_for_load_state()
    assert "side=contrast" not in page.url and side.input_value() == "benign"
    follow(page, page.get_by_role("navigation", name="Pages").get_by_role("link", name="Explorer"))
    assert side.input_value() == "benign"  # on the page itself it begins again


def test_a_caption_has_the_width_of_its_table_on_a_telephone(shown, open_page):
    page = open_page(f"{shown}/annotate", viewport={"width": 390, "height": 800})
    page.set_content(
        f'<link rel=stylesheet href="{shown}/assets/style.css"><main><table class="stack"><caption>Pairs of people, on '
        "refused or not</caption><tbody><tr><th>Ines and Tom</th><td>1</td></tr></tbody></table></main>",
        wait_until="networkidle",
    )
    caption, table = page.locator("caption").bounding_box(), page.locator("table").bounding_box()
    assert caption["width"] == table["width"] > 300 and caption["height"] < 40


def test_a_report_that_is_printed_says_how_many_cards_a_filter_left(shown, open_page):
    page = open_page(f"{shown}/runs/some")
    page.locator("#samples > summary").click()
    page.locator("input[name=text]").fill("number 5,")
    page.emulate_media(media="print")
    said = page.locator("form[data-filter] output")
    assert said.is_visible() and " shown" in said.inner_text() and not page.locator("input[name=text]").is_visible()


def test_the_numbers_of_a_report_come_while_its_run_goes_on(serve, open_page, runs):
    with going_on(runs / "some") as come:
        come(20)
        page = open_page(f"{serve(runs).ready('/runs', '/runs/some')}/runs/some")
        page.locator("[data-live]").wait_for()
        before = page.locator(".headline").inner_text()
        page.locator("#samples > summary").click()
        page.locator("input[name=text]").fill("number")
        come(50)
        page.wait_for_function("text => document.querySelector('.headline').innerText !== text", arg=before)
        assert page.locator("input[name=text]").input_value() == "number" and page.locator("[data-live]").is_visible()


def test_a_filter_of_runs_stays_while_the_list_comes_again(serve, open_page, runs):
    for i in range(5):
        shutil.copytree(runs / "none", runs / f"copy-{i}")
    stop(runs / "some", 20)
    answers, later = runs / "some" / "answers.jsonl", time.time() + 86400  # it goes on for as long as the test takes
    os.utime(answers, (later, later))
    page = open_page(f"{serve(runs).ready('/runs')}/runs")
    page.keyboard.press("/")
    page.keyboard.type("copy")
    said, field = page.locator("form[data-filter] output"), page.locator("input[name=text]")
    assert said.inner_text() == "5 of 9 shown"
    shutil.copytree(runs / "none", runs / "copy-6")
    page.get_by_text("6 of 10 shown").wait_for()
    assert field.input_value() == "copy" and field.evaluate("one => one === document.activeElement")
    page.keyboard.type("-6")
    assert said.inner_text() == "1 of 10 shown"
    page.locator(".to-compare input:visible").check()
    compare = page.get_by_role("button", name="Compare with another run")
    box, height = compare.bounding_box(), page.viewport_size["height"]
    assert height - 100 < box["y"] + box["height"] <= height  # at hand, however long the list is
    field.fill("no such run")
    assert said.inner_text() == "1 of 10 shown" and page.get_by_label("Compare copy-6").is_visible()  # it is ticked
    field.fill("others")
    page.get_by_label("Compare others").check()
    assert page.get_by_role("button", name="Compare 2 runs").is_visible() and said.inner_text() == "2 of 10 shown"
    assert page.url.endswith("/runs?text=others")  # so that a link copied here shows the same
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Compare ticked").wait_for()
    assert page.locator(".to-compare :checked").count() == 0 and not page.get_by_label("Compare copy-6").is_visible()
    page.get_by_role("link", name="need").click()
    page.get_by_text("1 of 10 shown").wait_for()
    assert page.locator("select[name=state]").input_value() == "attention" and field.input_value() == ""
