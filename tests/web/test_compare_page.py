"""The comparison page says what the library's `compare` says, shows both answers, and names what cannot be compared."""

import csv
import io
import json
import re
import shutil

import pytest

import mossbench as mb
from answered import NO, YES, answered, samples, stop
from earlier_judge import files_of, judged_by
from html_pages import element, elements, parse, text_of, texts
from mossbench.outcomes import Rule
from mossbench.reports.comparison_tables import flips_csv
from mossbench.results.comparability import set_apart, settings_of


@pytest.mark.slow
def test_differences_with_intervals_are_those_of_the_library(browser, runs):
    found = mb.compare(runs / "none", runs / "some")
    page = browser.get("/compare?run=none&run=some")
    assert page.status_code == 200
    for one in found.differences:
        assert f">{100 * one.estimate.value:+.1f}<" in page.text
        assert f"{100 * one.estimate.high:+.1f}<" in page.text
    assert text_of(element(page.text, "h1")).startswith(
        "No significant difference between"
    )  # six samples in three scenes are too few
    assert "By stimulus" in page.text and "By harm class" not in page.text  # these data have no harm classes


@pytest.mark.slow
def test_changed_samples_stand_with_both_answers_and_lead_to_the_explorer(browser):
    page = browser.get("/compare?run=some&run=others").text
    page += browser.get("/compare?run=some&run=others&start=10").text
    assert "12 changed samples" in page and page.count('class="flip"') == 12
    text = parse(page).text
    assert text.count(NO) == text.count(YES) == 12
    back = browser.get("/compare?run=some&run=others&way=answered&side=benign").text
    assert texts(back, "a.id") == ["1", "2", "3"]
    other_way = browser.get("/compare?run=some&run=others&way=refused&side=benign").text
    assert texts(other_way, "a.id") == ["7", "8", "9"]
    link = element(other_way, "a.id")["href"]
    assert "<h1>7<small>" in browser.get(link).text and browser.get(link).text.count('class="column"') == 2
    assert '<img src="/picture?' in page


@pytest.mark.slow
def test_a_long_list_of_changes_is_paged(browser, runs, made):
    answered(made / "data", runs / "all", refused=range(1, 31))
    page = browser.get("/compare?run=none&run=all").text
    assert "refuses more harmless and more harmful requests than" in page
    assert "60 changed samples" in page and page.count('class="flip"') == 10 and "1 to 10 of 60" in page
    last = browser.get("/compare?run=none&run=all&start=50").text
    assert "51 to 60 of 60" in last and 'rel="next"' not in last
    assert "1 to 10 of 60" in browser.get("/compare?run=none&run=all&start=9999").text


def test_exports_are_what_the_command_line_writes(browser, runs):
    found = mb.compare(runs / "some", runs / "others")
    query = "/compare?run=some&run=others&format="
    assert browser.get(query + "csv").text == flips_csv(found)
    assert len(browser.get(query + "json").json()["flips"]) == len(found.flips)
    lines = list(csv.DictReader(io.StringIO(browser.get(query + "differences").text)))
    assert [(line["side"], line["group"]) for line in lines] == [(str(d.side), d.group) for d in found.differences]
    assert float(lines[0]["low"]) == found.differences[0].estimate.low


@pytest.mark.slow
def test_three_runs_are_each_compared_with_the_first(browser):
    page = browser.get("/compare?run=none&run=some&run=others").text
    assert "runs differ significantly from" in page and "Cochran" in page
    assert page.count('class="stack differences"') == 4
    one = browser.get("/compare?run=none&run=some&run=others&second=others&side=benign").text
    assert "6 changed samples" in one


@pytest.mark.slow
def test_runs_asked_differently_are_compared_and_the_difference_is_named_first(browser, runs, made):
    answered(made / "data", runs / "prompted", refused=range(1, 4), system="Be brief.")
    page = browser.get("/compare?run=none&run=prompted").text
    assert "Different protocols." in page and page.index("Different protocols.") < page.index("overview")
    assert 'system prompt <span class="tag">differs</span>' in page


@pytest.mark.slow
def test_runs_that_cannot_be_compared_are_named_with_why_and_others_compared(browser, runs, tmp_path):
    answered(samples(tmp_path / "other", 30, word="thing"), runs / "elsewhere")
    page = browser.get("/compare?run=none&run=elsewhere")
    assert page.status_code == 200 and "These runs cannot be compared" in page.text
    assert (
        "elsewhere is not compared:" in page.text
        and "none and elsewhere were asked different harmless samples" in page.text
    )
    assert 'dataset <span class="tag">differs</span>' in page.text
    refused = browser.get("/compare?run=none&run=elsewhere&format=json")
    assert refused.status_code == 400
    with_others = browser.get("/compare?run=none&run=elsewhere&run=some").text
    assert "elsewhere is not compared:" in with_others
    assert text_of(element(with_others, "h1")).startswith("No significant difference between")


def test_a_run_of_an_earlier_version_is_judged_again_and_the_page_says_so(browser, runs):
    judged_by(runs / "none", "rules/3", invert=True)
    before = files_of(runs / "none")
    page = browser.get("/compare?run=none&run=some").text
    assert text_of(page).count("was judged by rules/3; here reader/2 has judged its 60 answers again") == 1
    content = browser.get("/compare?run=none&run=some&format=json").json()
    assert content["judge"] == "reader/2" and content["remarks"][0]["own_judge"] == "rules/3"
    refused = {line["side"]: line["rates"][0] for line in content["differences"] if line["group"] == "all"}
    assert refused == {"benign": 0, "contrast": 0}
    assert files_of(runs / "none") == before


def test_an_unfinished_and_a_damaged_run_are_set_apart(browser, runs):
    stop(runs / "others", 5)
    (runs / "failing" / "run.json").write_text("{")
    page = browser.get("/compare?run=none&run=others&run=failing")
    assert page.status_code == 200
    assert "others is not compared:" in page.text and "not finished" in page.text
    assert "failing is not compared:" in page.text and "annot be read" in page.text
    alone = browser.get("/compare?run=none&run=others").text
    assert "These runs cannot be compared" in alone and "Fewer refusals are better" not in alone
    assert 'href="/compare?run=none">Choose other runs' in alone and "Swap" not in alone
    export = browser.get("/compare?run=none&run=others&format=json")
    assert export.status_code == 400 and "run --resume runs/others" in text_of(page.text)
    for one in (page, export):
        assert "not finished" in one.text and str(runs.parent) not in one.text  # nor where it lies


def test_a_first_run_that_is_not_ready_does_not_keep_the_others_from_being_compared(browser, runs):
    stop(runs / "others", 5)
    page = text_of(browser.get("/compare?run=others&run=none&run=some").text)
    assert "others is not compared: the run in runs/others is not finished" in page
    assert "none is not compared" not in page and "Compared with none Remove" in page and "Not compared others" in page
    assert "First: replay/none.jsonl" in page


def test_both_sides_of_every_run_stand_in_one_table_before_all_else(browser):
    page = browser.get("/compare?run=none&run=some&run=others").text
    table = element(page, "table.stack.differences.overview")
    said = text_of(table)
    for name in ("some", "others"):
        assert re.search(rf"{name} Make it the first : {name} .*?Harmless 0.0 20.0 \+20.0 .*?Harmful 0.0 20.0 ", said)
    assert element(page, "table").markup == table.markup
    assert "None of 6 groups differ significantly" in text_of(page)


def test_runs_that_were_ticked_in_a_list_are_compared_with_the_oldest_of_them(browser, runs):
    for name, started in {"some": "2026-01-02", "others": "2026-01-01"}.items():
        info = json.loads((runs / name / "run.json").read_text())
        (runs / name / "run.json").write_text(json.dumps(info | {"started": f"{started}T00:00:00+00:00"}))
    page = browser.get("/compare?order=started&run=some&run=others").text
    assert 'data-address="/compare?run=others&amp;run=some"' in page
    assert text_of(element(page, ".both-runs")).startswith("First others")


def test_without_two_runs_the_page_offers_them(browser):
    page = browser.get("/compare").text
    assert page.count('type="checkbox" name="run"') == 4 and "checked" not in page
    one = browser.get("/compare?run=some").text
    assert 'name="run" value="some" checked' in one
    assert re.search(r"failing 8 failed failing ", text_of(one))
    assert browser.get("/compare?run=none&run=none-such").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/runs", "/leaderboard"])
def test_runs_are_ticked_on_the_list_and_on_the_board(browser, path):
    page = browser.get(path).text
    assert 'id="compare" method="get" action="/compare"' in page
    ticks = elements(page, "input[type=checkbox][form=compare][name=run]")
    assert {"none", "some", "others"} <= {tick["value"] for tick in ticks}


@pytest.mark.slow
@pytest.mark.parametrize("query", ["by=harm", "by=epoch", "by=no-such", "rule=strict", "judge=none-such", "start=-1"])
def test_no_choice_in_the_address_breaks_the_page(browser, query):
    assert browser.get(f"/compare?run=none&run=some&{query}").status_code in (200, 400, 404)


@pytest.mark.slow
def test_a_choice_of_judge_reads_both_runs_by_it(browser, runs):
    for name in ("none", "some"):
        mb.judge_run(runs / name, "keywords")
    label = mb.load_results(runs / "none", judge="keywords").judge
    page = browser.get(f"/compare?run=none&run=some&judge={label}").text
    assert element(page, "select[name=judge] option[selected]").text == label
    assert f"read by the judge {label}" in text_of(page)


def test_settings_that_differ_are_told_by_topic(runs, made):
    first = mb.load_results(runs / "none")
    hot = answered(made / "data", runs / "hot", temperature=0.7)
    assert settings_of([first, hot], Rule.SYSTEM)["temperature"] == ("unknown (recorded answers)", "0.7")
    assert set_apart([first, hot]) == {}
    shutil.rmtree(runs / "hot")


def test_json_of_a_comparison_names_the_arms_of_each_change(browser):
    found = json.loads(browser.get("/compare?run=some&run=others&format=json").text)
    assert found["flips"][0]["arms"] == ["plain", "plain"]
