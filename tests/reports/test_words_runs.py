"""What runs, models, arms and days are called, and what is said of several runs on one axis."""

import pytest

from mossbench.reports.build import make_report
from mossbench.reports.ranking import RunsCompared, compare_runs
from mossbench.reports.words.home_page import (
    all_runs,
    axis_begins,
    compare_first,
    field_note,
    n_models,
    other_protocols,
    standing_on,
)
from mossbench.reports.words.run_lines import (
    answers_so_far,
    both_rates,
    both_rates_spoken,
    how_to_use_the_list,
    more_findings,
    n_runs,
    too_few_to_compare,
    under_other_arms,
)
from mossbench.reports.words.runs import ComparisonWords, arm_title, comparison_words, day, model_name, run_names
from mossbench.results.rates import rate_of
from mossbench.samples import Side
from tables import results, row

SAME = "All runs have the same requests and the same judge. Where intervals overlap, the difference may be chance."


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-x", "openai/gpt-x"),
        ("replay/recorded/careful.jsonl", "careful"),
        ("some/folder/mine.py:ask", "mine.py:ask"),
        ("m" * 61, "m" * 30 + "…" + "m" * 29),
        ("m" * 60, "m" * 60),
    ],
)
def test_a_model_has_a_short_name_in_sentences(model, name):
    assert model_name(model) == name


def test_the_arm_with_a_system_prompt_is_not_mistaken_for_a_rule():
    assert [arm_title("system"), arm_title("plain")] == ["system prompt", "plain"]


@pytest.mark.parametrize(
    ("moment", "text"), [("2025-11-04T10:00:00+00:00", "4 November 2025"), ("last week", "last week"), ("", "")]
)
def test_a_day_is_written_out_where_it_can_be_read(moment, text):
    assert day(moment) == text


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (
            RunsCompared(2, ("data", "judge", "side"), n_with_rate=2, refuses_most=None),
            ComparisonWords(
                "Two runs on one axis.", "The runs differ in data, judge and side, so their rates cannot be compared."
            ),
        ),
        (RunsCompared(13, (), n_with_rate=1, refuses_most=None), ComparisonWords("13 runs on one axis.", SAME)),
        (
            RunsCompared(2, (), n_with_rate=2, refuses_most=None),
            ComparisonWords("No run clearly refuses the most.", SAME),
        ),
        (RunsCompared(2, (), n_with_rate=2, refuses_most="m"), ComparisonWords("m refuses the most.", SAME)),
        (
            RunsCompared(3, (), n_with_rate=2, refuses_most="m"),
            ComparisonWords("Of runs with a known rate, m refuses the most.", SAME),
        ),
    ],
)
def test_several_runs_are_ranked_only_where_that_is_shown(runs, words):
    assert comparison_words(runs) == words


def report_of(model, n_refused, n=40):
    return make_report(results([row("benign", i, i < n_refused) for i in range(n)], model=model))


def test_the_run_that_clearly_refuses_most_is_found():
    reports = [report_of("careless", 1), report_of("careful", 30)]
    assert compare_runs(reports, run_names(reports)) == RunsCompared(2, (), 2, "careful")


def test_no_run_is_found_to_refuse_most_where_it_may_be_chance():
    reports = [report_of("careless", 9), report_of("careful", 10)]
    assert compare_runs(reports, run_names(reports)).refuses_most is None


def test_runs_of_different_size_are_not_ranked():
    reports = [report_of("careless", 1, n=30), report_of("careful", 30)]
    runs = compare_runs(reports, run_names(reports))
    assert "number of rows" in runs.differences and runs.refuses_most is None


def test_runs_that_nothing_tells_apart_are_numbered():
    reports = [report_of("m", 1), report_of("m", 2), report_of("other", 3)]
    first, second, other = run_names(reports)
    assert first.endswith(" (1)") and second.endswith(" (2)") and other == "other"


def rate(n_refused, side):
    return rate_of(side, "all", [row(side, i, i < n_refused) for i in range(40)], "system")


def test_a_run_in_one_line_gives_the_sides_that_there_are():
    harmless, harmful = rate(10, Side.BENIGN), rate(40, Side.CONTRAST)
    assert both_rates(None, None) == ""
    assert both_rates(harmless, None) == "harmless 25.0\u202f% (14.2 to 40.2)"
    assert both_rates(harmless, harmful) == (
        "harmless 25.0\u202f% (14.2 to 40.2), harmful 100.0\u202f% (91.2 to 100.0)"
    )
    assert both_rates_spoken(None, harmful) == "harmful 100.0\u202f% (91.2 to 100.0), 40 of 40"


def test_a_run_says_how_far_it_is():
    assert answers_so_far(3, 4000, "in progress") == "3 of 4,000 answers, in progress"
    assert answers_so_far(3, 3, "finished", is_unjudged=True) == "3 of 3 answers, finished, not judged"


def test_the_list_of_runs_is_headed_by_their_number():
    assert [n_runs(n) for n in (0, 1, 2)] == ["No runs yet", "One run", "2 runs"]
    assert how_to_use_the_list(can_compare=False) == "Select a run to open its report."
    assert how_to_use_the_list(can_compare=True) == (
        "Select a run to open its report, or tick two or more runs to compare them."
    )
    assert under_other_arms(1200) == "and 1,200 under other arms, not in the rates"
    assert [more_findings(1), more_findings(2)] == ["1 more finding", "2 more findings"]
    assert [too_few_to_compare(n) for n in (0, 1)] == ["There are no runs yet", "There is one run so far"]


def test_home_says_on_which_data_models_are_compared():
    assert standing_on("sketches", 0, 0, "rules/4") == "sketches · judge rules/4"
    assert standing_on("sketches", 1200, 0, "rules/4") == "sketches · 1,200 samples · judge rules/4"
    assert standing_on("sketches", 1200, 12, "rules/4") == "sketches · 1,200 + 12 samples · judge rules/4"
    assert other_protocols(1) == "1 other protocol, not compared with this one"
    assert [n_models(1), n_models(3)] == ["1 model", "3 models"]
    assert [all_runs(1), all_runs(3)] == ["The run", "All 3 runs"]
    assert compare_first(3) == "Compare the first three"


def test_home_says_how_to_read_its_drawing():
    newest = "The newest finished run of each model under this protocol, with 95 % intervals"
    front = "; the line is the Pareto front as measured: no model there is beaten on both sides"
    assert field_note("rule system", has_front=False) == f"rule system. {newest}."
    assert field_note("rule system", has_front=True) == f"rule system. {newest}{front}."
    assert [axis_begins(bottom) for bottom in (0, 40)] == ["", " from 40"]
