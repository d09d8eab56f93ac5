"""What pages got wrong in small ways: orders, claims, searches, the end of a list."""

import os
import re

import pytest
from filelock import FileLock

import mossbench as mb
from answered import stop
from html_pages import element, elements, text_of
from mossbench.results.listing import list_runs
from mossbench.web import Settings, create_app
from mossbench.web.site import write_site
from waiting import LONG
from web.conftest import Browser


@pytest.mark.slow
@pytest.mark.parametrize("added", ["some-nonsense", "../x", "<b>", "mine"])
def test_nothing_is_said_to_be_added_that_is_not_on_the_board(browser, added):
    assert "Added <code>" not in browser.get(f"/leaderboard?added={added}").text


def test_sorting_by_safety_begins_with_the_safest(browser):
    def shown(page):
        head, rows = page.split("</thead>")[:2]
        return re.search(r'aria-sort="(\w+)"', head)[1], [float(x) for x in re.findall(r'"harmful, %">([\d.]+)', rows)]

    page = browser.get("/leaderboard").text
    first = re.search(r'href="([^"]*sort=safety[^"]*)"', page)[1].replace("&amp;", "&")
    direction, values = shown(browser.get(first).text)
    assert direction == "descending" and values == sorted(values, reverse=True) and len(set(values)) > 1
    again = re.search(r'href="([^"]*sort=safety[^"]*)">Harmful', browser.get(first).text)[1].replace("&amp;", "&")
    direction, values = shown(browser.get(again).text)
    assert direction == "ascending" and values == sorted(values)


def test_runs_that_began_in_one_second_stand_newest_first(browser, runs):
    for i, name in enumerate(("some", "others", "none", "failing")):  # names say nothing of the order
        text = (runs / name / "run.json").read_text()
        (runs / name / "run.json").write_text(re.sub(r'"started": ?"[^"]*"', '"started": "2026-01-01T00:00:00"', text))
        os.utime(runs / name / "samples.jsonl", ns=(i, 1_000_000 * i))
    wanted = ["failing", "none", "others", "some"]
    assert [line.name for line in list_runs(runs)] == wanted
    shown = re.findall(r'href="/runs/(\w+)"', browser.get("/runs").text)
    assert list(dict.fromkeys(shown)) == wanted


def test_a_page_past_the_last_one_is_the_last_one(browser):
    page = browser.get("/samples?start=9999").text
    assert "49 to 60 of 60" in page and 'rel="next"' not in page and "start=24" in page
    assert browser.get("/samples?start=9999&text=nothing").status_code == 200
    whole = browser.get("/samples?start=9999&n=all").text  # an address that 0.1.0 gave
    assert "60 samples" in whole and whole.count("<article") == 60


def test_random_leads_through_all_samples_before_one_comes_again(browser):
    page, seen = browser.get("/explorer?models=some&stimulus=negated_harm").text, []
    for _ in range(10):
        page = browser.get(element(page, "a[data-key=r]")["href"]).text
        seen.append(element(page, "h1").own_text)
    assert len(set(seen)) == 10


def test_the_command_for_data_that_nobody_asked_names_them(runs, made, tmp_path):
    for path in runs.iterdir():
        if path.is_dir():
            path.rename(tmp_path / path.name)
    browser = Browser(create_app(Settings(runs, data=(str(made / "data"),))))
    page = browser.get("/explorer?data=data").text
    assert f"mossbench run --model 'control/candid?on=id&amp;rate=0.2' --data {made / 'data'}</pre>" in page
    assert "mossbench run --model control/candid</pre>" in browser.get("/explorer?data=sketches").text


@pytest.mark.slow
def test_boards_have_names_of_their_own_for_readers_of_landmarks(browser, runs, made):
    mb.run(f"replay/{made / 'runs' / 'some.jsonl'}", made / "data", out=runs / "short", ids=["1", "2", "3"])
    for t in (0.5, 1.0):
        mb.run(f"replay/{made / 'runs' / 'some.jsonl'}", made / "data", out=runs / f"warm-{t}", temperature=t)
    page = browser.get("/leaderboard").text
    boards = elements(page, "details[id^=board-]")
    headings = [element(board, "h2").text for board in boards]
    assert len(set(headings)) < len(headings)
    named = [text_of(element(board, "summary")) for board in boards]
    assert len(set(named)) == len(named)


@pytest.mark.slow
def test_a_search_on_the_site_looks_through_what_the_live_one_does(browser, runs, made, tmp_path):
    site = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    cards = [card["data-text"] for card in elements((site / "samples-data.html").read_text(), "[data-text]")]
    for words in ("benign", "contrast", "number 7", "refused", "twin"):
        live = int(element(browser.get(f"/samples?text={words}").text, "h1").text.partition(" sample")[0])
        assert sum(all(word in text for word in words.split()) for text in cards) == live
    assert len(cards) == 60


def test_a_report_tells_nobody_to_go_on_with_a_run_that_goes_on(browser, runs, monkeypatch):
    stop(runs / "some", 20)
    for fresh, said in ((LONG, "The run is in progress, "), (0, "The run is not finished, ")):
        monkeypatch.setattr("mossbench.web.runs.FRESH", fresh)
        page = browser.get("/runs/some").text
        cautions = page.split('class="cautions"')[1].split("</section>")[0]
        assert said in cautions and "40 of 60 rows were not asked yet" in cautions
        assert ("--resume" in cautions) is (fresh == 0)
    with FileLock(runs / "some" / ".lock"):  # a model that takes longer than that for an answer
        page = browser.get("/runs/some").text
    assert "The run is in progress, " in page and "--resume" not in page
