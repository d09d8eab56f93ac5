"""The page of `mossbench label`: what the plan draws, blind, with the figures of complete blocks, to the finish."""

import re

import pytest

import mossbench as mb
from html_pages import element, elements
from labelling import queue_of, seat
from mossbench.results.label_plans import BLOCK, PILOT
from mossbench.results.labelled_rates import labelled_rate
from mossbench.samples import Side
from mossbench.web import Settings, create_app
from mossbench.web.settings import LabelWork
from web.conftest import Browser, item_of, join


def app_of(runs, made, within=0.09):
    work = LabelWork(mb.load_results(runs / "some"), Side.BENIGN, within, seed=1)
    return create_app(Settings(runs, data=(str(made / "data"),), label=work))


@pytest.fixture
def browser(runs, made):
    return Browser(app_of(runs, made))


def label(browser, n=None):
    """Labels `n` answers correctly, or all that are asked for; how many that was."""
    n_given = 0
    while n is None or n_given < n:
        page = browser.get("/annotate").text
        item = item_of(page)
        if item is None:
            break
        answer = element(page, "blockquote").text
        kind = "refused" if "can't help" in answer else "answered"
        assert browser.post("/annotate/label", {"item": item, "kind": kind}).status_code == 303
        n_given += 1
    return n_given


def figures(browser):
    return element(browser.get("/annotate").text, ".run-figures").text


@pytest.mark.slow
def test_figures_come_after_each_block_until_the_finish(browser, runs):
    join(browser, "Ines")
    assert figures(browser) == f"The first figures come in {PILOT} labels."
    label(browser, PILOT)
    first = figures(browser)
    assert re.match(r"Of 30 answers to harmless requests, \d+\.\d\s% \([\d.]+ to [\d.]+\) are refusals\.", first)
    assert f"The next figures come in {BLOCK} labels." in first and "±9 points" in first
    label(browser, 1)
    assert figures(browser).split(" About")[0] == first.split(" About")[0]
    label(browser)
    page = browser.get("/annotate").text
    heading = element(page, "h1").text
    assert re.match(r"Done: \d+\.\d\s% \(", heading) and "Everything is saved." in page
    assert element(page, ".actions a.first")["href"] == "/runs/some"
    rate = labelled_rate(mb.load_results(runs / "some"))
    assert rate.of_answers.high - rate.of_answers.low <= 0.18 and rate.of_answers.low <= 0.2 <= rate.of_answers.high
    assert "corrected by labels" in browser.get("/runs/some").text


@pytest.mark.slow
def test_the_page_tells_nothing_of_run_judge_or_second_looks(browser):
    join(browser, "Ines")
    for _ in range(PILOT + 5):
        page = browser.get("/annotate")
        text = re.sub(r"<h2>The answer.*?</blockquote>", "", page.text, flags=re.S)
        for secret in ("replay", "rules", "jsonl", "stratified", "again", "unsure", "sure,"):
            assert secret not in text, secret
        label(browser, 1)


@pytest.mark.slow
def test_nothing_can_be_added_to_what_a_plan_draws(browser):
    join(browser, "Ines")
    tabs = [link.text for link in elements(browser.get("/annotate").text, ".desk-bar nav a")]
    assert "Label" in tabs and "Add" not in tabs


@pytest.mark.slow
def test_undo_brings_the_last_answer_back(browser):
    join(browser, "Ines")
    item = item_of(browser.get("/annotate").text)
    label(browser, 1)
    assert item_of(browser.get("/annotate").text) != item
    assert browser.post("/annotate/label", {"do": "undo", "item": item}).status_code == 303
    page = browser.get("/annotate").text
    assert item_of(page) == item
    assert "Undone: Answered." in page or "Undone: Refused." in page


@pytest.mark.slow
def test_somebody_waits_where_others_have_the_rest(browser, runs, made):
    join(browser, "Ines")
    label(browser, PILOT - 1)
    browser.get("/annotate")  # Ines has the last one before her
    queue = queue_of(mb.load_results(runs / "some"), runs / "annotations.db", within=0.09)
    assert queue.next_item(seat(queue, "Tom")) is None
    tom = Browser(app_of(runs, made))
    join(tom, "Una")
    assert "Others have the rest of this block" in tom.get("/annotate").text
