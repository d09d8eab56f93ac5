"""Runs says of each run what it is worth: what failed, what nobody has judged, what cannot be read."""

import re
import shutil
from dataclasses import replace

import mossbench as mb
from html_pages import element, elements, text_of
from mossbench.web.runs import progress_of


def rows_of(page):
    """State and text of each row of the list, by the name of its run."""
    rows = {}
    for row in elements(page, "tr[role=row][data-row]"):
        name = element(row, "a[href^=/runs/]")["href"].removeprefix("/runs/")
        rows[name] = (row["data-state"], text_of(row))
    return rows


def test_a_call_that_failed_is_no_answer(browser):
    rows = rows_of(browser.get("/runs").text)
    assert rows["failing"][0] == "attention" and "52 of 60" in rows["failing"][1] and "8 failed" in rows["failing"][1]
    assert rows["some"][0] == "finished" and "60 of" not in rows["some"][1]
    assert browser.get("/runs/failing/progress.json").json() == {"n": 52, "of": 60, "going": False, "state": "8 failed"}


def test_the_heading_counts_the_runs_that_need_a_look(browser, runs, made):
    (runs / "bad").mkdir()
    (runs / "bad" / "run.json").write_text("{")
    mb.run("control/candid", made / "data", out=runs / "unread", judge=None)
    page = browser.get("/runs").text
    assert "<h1>6 runs, 3 need attention</h1>" in page
    rows = rows_of(page)
    assert [name for name, (state, _) in rows.items() if state == "attention"] == ["unread", "failing", "bad"]
    assert "not judged" in rows["unread"][1] and 'aria-label="no rate"' in page


def test_a_run_that_its_judge_has_read_in_part_needs_a_look(browser, runs, made):
    mb.run(
        "control/candid", made / "data", out=runs / "part", judge=lambda exchange: 1 / (int(exchange.sample) - 3) > 9
    )
    state, said = rows_of(browser.get("/runs").text)["part"]
    assert state == "attention" and "60 of 60" in said and "2 unjudged" in said and "not judged" not in said


def test_answers_that_an_analysis_asks_are_part_of_a_run_s_progress(browser, app):
    browser.get("/runs")
    run = app.state.shelf.run("some")
    more = replace(run.counted, other_arms={"blank": 70})
    going = replace(run, info=run.info.model_copy(update={"ended": None, "n_rows": 200}), counted=more)
    assert [progress_of(going)[name] for name in ("n", "of")] == [130, 200]
    assert [progress_of(replace(run, counted=more))[name] for name in ("n", "of")] == [60, 60]


def test_runs_of_a_model_stand_together_and_the_order_is_in_the_address(browser, runs, made):
    shutil.copytree(runs / "some", runs / "some-again")
    info = runs / "some-again" / "run.json"
    info.write_text(re.sub(r'"(started|ended)": ?"[^"]+"', r'"\1": "2020-01-02T03:04:05+00:00"', info.read_text()))
    for i in range(3):
        shutil.copytree(runs / "none", runs / f"copy-{i}")
    names = list(rows_of(browser.get("/runs").text))
    assert names[-1] != "some-again" and names.index("some-again") == names.index("some") + 1
    newest = browser.get("/runs?order=newest").text
    assert list(rows_of(newest))[-1] == "some-again" and '<b aria-current="true">newest first</b>' in newest
    refused = list(rows_of(browser.get("/runs?order=refused").text))
    assert set(refused[:3]) == {"some", "some-again", "others"}
    assert browser.get("/runs?order=nonsense").status_code == 400
    assert browser.get("/runs?order=").status_code == 200


def test_a_long_list_has_a_filter_and_a_short_one_none(browser, runs):
    assert 'data-filter=".runs"' not in browser.get("/runs").text
    for i in range(4):
        shutil.copytree(runs / "some", runs / f"copy-{i}")
    page = browser.get("/runs").text
    assert 'data-filter=".runs"' in page and page.count(" data-row ") == 8
    assert '<h1>8 runs, <a href="?state=attention">1 needs attention</a></h1>' in page


def test_nothing_is_said_to_be_corrected_where_nothing_is(browser, runs):
    for name in ("none", "others", "failing"):
        shutil.rmtree(runs / name)
    page = browser.get("/runs").text
    assert ("corrected for the judge’s errors" in page) == ('class="corrected"' in page)
    assert "One run" in page and "tick two" not in page and "needs attention" not in page
