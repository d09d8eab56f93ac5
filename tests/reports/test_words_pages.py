"""What pages say around their numbers: known counts in, exact words out."""

import math
from dataclasses import replace

import pytest

from mossbench.outcomes import Counted, Rule
from mossbench.reports.build import make_report
from mossbench.reports.record import Card
from mossbench.reports.words import compare_page, explorer_page, model_page, paper, report_page, search_page
from mossbench.reports.words.model_page import Beside, WithNames
from mossbench.results.rates import JudgeRange
from mossbench.samples import Side
from mossbench.statistics import Estimate
from tables import results, sides

CARD = Card(
    id="1",
    side=Side.BENIGN,
    arm="plain",
    epoch=1,
    outcome="refused",
    helped=False,
    stimulus="",
    harm="",
    request="?",
    answer=(),
    rest=(),
    cut=0,
    nothing="",
    why="",
    alt="",
)


@pytest.fixture(scope="module")
def report():
    return make_report(results(sides([True] * 10 + [False] * 30, [True] * 40)))


# A report


def test_a_page_of_one_report_is_titled_by_it(report):
    assert report_page.page_title([report]) == report.about
    assert report_page.page_title([report, report]) == "2 runs"


def test_marks_are_explained_where_they_are_drawn():
    assert report_page.compared_marks(None) == ""
    assert report_page.compared_marks("harmful twins") == "; round marks: harmless, diamonds: harmful twins"
    assert report_page.layer_marks([]) == ""
    assert (
        report_page.layer_marks([Counted.COMPLIED, Counted.REFUSED]) == "Round marks: helped. Angular marks: refusals."
    )


def test_cautions_are_read_before_a_number_is_quoted(report):
    nothing_counts = make_report(results([]))
    assert report_page.cautions_title(report) == "Before you quote the number"
    assert report_page.cautions_title(nothing_counts) == "Before you read on"


def test_charts_are_also_said(report):
    harmless = "harmless requests 25.0\u202f% (14.2 to 40.2), 10 of 40"
    harmful = "harmful twins 100.0\u202f% (91.2 to 100.0), 40 of 40"
    scale = "Refusal rate on a scale from 0 to 100 percent:"
    assert report_page.rate_spoken(report) == f"{scale} {harmless}, {harmful}."
    assert report_page.rate_spoken(replace(report, harmful=None)) == f"{scale} {harmless}."
    assert report_page.layers_spoken(report, [("Helped", 30), ("Refusals", 10)]) == (
        "30 helped, 10 refusals of 40 harmless requests. The table below has every kind."
    )


@pytest.mark.parametrize(
    ("n", "failed", "unjudged"),
    [
        (1, "Why 1 row of the run failed", "Why 1 answer of the run has no verdict"),
        (2000, "Why 2,000 rows of the run failed", "Why 2,000 answers of the run have no verdict"),
    ],
)
def test_what_failed_is_counted(n, failed, unjudged):
    assert report_page.why_failed(n) == failed
    assert report_page.why_unjudged(n) == unjudged


def test_the_note_on_rules_says_only_what_is_known(report):
    compliance = "Compliance, the share that was not refused: 75.0\u202f% (59.8 to 85.8)."
    unknown = replace(report.rate, estimate=replace(report.rate.estimate, value=math.nan))
    bounds = "Where a rate has no value, only its bounds are known: some rows may count either way."
    no_macro = replace(report, macro=Estimate(math.nan, math.nan, math.nan, 0, 0, "x"))
    assert report_page.rules_note(no_macro, bounds_only=False) == compliance
    assert report_page.rules_note(replace(no_macro, rate=unknown), bounds_only=True) == bounds
    assert report_page.rules_note(replace(no_macro, rate=unknown), bounds_only=False) == ""
    assert report_page.rules_note(report, bounds_only=True).startswith(
        f"{compliance} With equal weight for every stimul"
    )


def test_twins_are_explained_where_the_data_have_some():
    assert report_page.twins_intro(has_twins=False).startswith("For a good model the round mark")
    assert report_page.twins_intro(has_twins=True).startswith("A harmful twin is the same scene with a request that")


def test_a_folded_section_says_its_result_in_a_line():
    assert report_page.counts_line([("Helped", 87), ("Refusals", 33)]) == "87 helped, 33 refusals"
    assert report_page.answers_line(1) == "1 answer" and report_page.answers_line(1200) == "1,200 answers"


def test_answers_to_label_are_counted():
    assert report_page.to_label(1) == "1 answer to label, drawn at random"
    assert report_page.to_label(2) == "2 answers to label, drawn at random"


def test_the_range_of_a_judge_is_no_correction():
    judge_range = JudgeRange(0.05, 0.5, misses=0.1, invents=0.02, on="other answers")
    assert report_page.judge_range_name(judge_range) == (
        "If the judge misses up to 10\u202f% of refusals and reads up to 2\u202f% of other answers as refusals"
    )
    assert report_page.judge_range_note(judge_range) == (
        "This range is not a correction: these are the judge’s largest measured errors (other answers)."
    )


def test_cards_that_are_a_part_say_so():
    assert report_page.cards_note(3, 3, has_search=True) == ""
    assert report_page.cards_note(200, 2000, has_search=True) == (
        "200 of 2,000, drawn at random. All rows are in the run’s answers.jsonl and in the search."
    )
    assert report_page.cards_note(2, 3, has_search=False).endswith("All rows are in the run’s answers.jsonl.")


def test_a_card_has_only_the_facts_that_are_not_plain():
    assert report_page.card_facts(CARD, "harmful twins") == []
    harmful = replace(CARD, side=Side.CONTRAST, stimulus="Negated Harm", harm="Violence", arm="system", epoch=2)
    assert report_page.card_facts(harmful, "harmful twins") == [
        "harmful twin",
        "Negated Harm",
        "harm asked for: violence",
        "arm system prompt",
        "epoch 2",
    ]
    assert report_page.card_facts(replace(CARD, harm="Violence"), "") == ["suspected harm: violence"]
    assert report_page.prompt_title("system") == "System prompt of arm system prompt"


# A model


ALONE = Beside(safer=(), refuse_more=(), refuse_fewer=(), same=(), is_safety_known=True)


def test_a_model_is_called_less_safe_only_where_that_is_shown():
    assert model_page.how_safe(ALONE) == WithNames("No other model refuses significantly more harmful requests")
    assert model_page.how_safe(replace(ALONE, is_safety_known=False)) == WithNames(
        "It is not known how many harmful requests it would refuse"
    )
    assert model_page.how_safe(replace(ALONE, safer=("a", "b"))) == WithNames(
        "Refuses significantly fewer harmful requests than", ("a", "b")
    )


def test_a_model_stands_beside_others_by_what_is_shown():
    assert model_page.how_oversensitive(ALONE) == []
    beside = replace(ALONE, refuse_more=("a",), refuse_fewer=("b",), same=("c",))
    assert model_page.how_oversensitive(beside) == [
        WithNames("Refuses significantly fewer harmless requests than", ("a",)),
        WithNames("Refuses significantly more harmless requests than", ("b",)),
        WithNames("Not significantly different on harmless requests from", ("c",)),
    ]


def test_the_run_of_a_headline_is_placed_among_the_others():
    assert model_page.which_data(1, has_most_samples=True) == ""
    assert model_page.which_data(2, has_most_samples=True) == "The dataset with the most samples. "
    assert model_page.which_data(2, has_most_samples=False) == "Not the dataset with the most samples, which is below. "
    assert model_page.which_run(1, has_newer=False, has_open=False) == "Newest run"
    assert model_page.which_run(2, has_newer=False, has_open=False) == "Newest run on these data"
    assert model_page.which_run(2, has_newer=False, has_open=True) == "Newest run that is finished and judged"
    assert model_page.which_run(2, has_newer=True, has_open=True) == "Newest run on these data that can be ranked"


# Samples


def caption(n, **choices):
    return explorer_page.stripes_caption(
        n, "harmless", **{"is_filtered": False, "has_ids": True, "can_open": True, **choices}
    )


def test_stripes_say_what_they_are():
    assert caption(1) == "One harmless sample."
    assert caption(1, is_filtered=True) == "One harmless sample that matches the filters."
    assert caption(2000) == "All 2,000 harmless samples, one stripe each; select one to open it."
    assert caption(2, is_filtered=True, has_ids=False, can_open=False) == (
        "All 2 harmless samples that match the filters, in their order."
    )


def test_a_sample_has_a_place_among_those_shown():
    assert explorer_page.place_words(0, 9, "all", "harmless") == "1 of 9 · harmless"
    assert explorer_page.place_words(2, 9, "differ", "harmful") == "3 of 9 where models differ · harmful"
    assert explorer_page.place_words(2, 9, "only", "harmful") == "3 of 9 refused by one only · harmful"
    assert explorer_page.place_words(None, 9, "all", "harmless") == "not among the 9 shown · harmless"


@pytest.mark.parametrize(
    ("show", "n_runs", "is_filtered", "is_against_one", "text"),
    [
        ("all", 2, False, False, "This dataset has no harmless samples."),
        ("all", 2, True, False, "No harmless sample matches all filters."),
        ("differ", 1, False, False, "Choose at least two models to see where they differ."),
        (
            "differ",
            2,
            True,
            False,
            "No harmless sample that matches the filters counts as refused for one of these models and as not "
            "refused for "
            "another.",
        ),
        ("only", 1, False, False, "Choose at least two models to see what one of them alone refused."),
        (
            "only",
            1,
            False,
            True,
            "No harmless sample counts as refused for this model and as not refused for the other.",
        ),
        (
            "only",
            2,
            False,
            False,
            "No harmless sample counts as refused for this model and as not refused for all others shown.",
        ),
    ],
)
def test_an_empty_explorer_says_why(show, n_runs, is_filtered, is_against_one, text):
    words = explorer_page.no_samples(
        show, "harmless", is_filtered=is_filtered, n_runs=n_runs, is_against_one=is_against_one
    )
    assert words == text


def test_who_refused_a_twin_is_named_where_it_is_one_or_two():
    assert explorer_page.twin_title(is_harmful=True) == "Harmful twin"
    assert explorer_page.twin_title(is_harmful=False) == "Harmless twin"
    assert explorer_page.refused_by([], 0) == ""
    assert explorer_page.refused_by([], 1) == "Not refused."
    assert explorer_page.refused_by([], 3) == "Refused by none of 3."
    assert explorer_page.refused_by(["a"], 3) == "Refused by 1 of 3: a."
    assert explorer_page.twin_refused_by([], 0) == "No answer of these models to it counts."
    assert explorer_page.twin_refused_by([], 3) == "Refused by 0 of 3."
    assert explorer_page.twin_refused_by(["a"], 1) == "Refused by 1 of 1."
    assert explorer_page.twin_refused_by(["a", "b"], 3) == "Refused by 2 of 3: a, b."
    assert explorer_page.twin_refused_by(["a", "b", "c"], 3) == "Refused by 3 of 3."
    assert explorer_page.twin_refused_in(1, 1) == "Refused in 1 of 1 run."
    assert explorer_page.twin_refused_in(1, 2) == "Refused in 1 of 2 runs."
    assert explorer_page.twin_refused_in(0, 0) == "No answer of these models to it counts."


def test_a_search_is_headed_by_what_it_found():
    assert search_page.heading("", 0, has_filters=False) == "Search requests and answers"
    assert search_page.heading("", 0, has_filters=True) == "Nothing found"
    assert search_page.heading("knife", 0, has_filters=False) == "Nothing found for “knife”"
    assert search_page.heading("knife", 1, has_filters=False) == "1 result for “knife”"
    assert search_page.heading("", 2000, has_filters=True) == "2,000 results"
    assert search_page.no_answer("failed") == "No answer: the call failed."
    assert search_page.no_answer("refused") == "No answer text."
    assert search_page.searched(1) == "One run: requests, answers, judges’ notes, image descriptions."
    assert search_page.searched(2000).startswith("2,000 runs: ")
    assert search_page.samples_heading(1, "sketches") == "1 sample of sketches"
    assert search_page.samples_heading(2000, "sketches") == "2,000 samples of sketches"


# Comparisons and papers


def test_changed_samples_are_counted():
    headings = [compare_page.changed_heading(n) for n in (0, 1, 2000)]
    assert headings == ["No changed samples", "1 changed sample", "2,000 changed samples"]
    assert compare_page.no_changed_sample(is_filtered=True) == "No changed sample matches these choices."
    assert compare_page.no_changed_sample(is_filtered=False) == "The runs agree on every pair that counts."
    notes = [compare_page.groups_shown_to_differ(n, 3) for n in (0, 1, 2)]
    assert notes == [
        "None of 3 groups differ significantly",
        "1 of 3 groups differ significantly",
        "2 of 3 groups differ significantly",
    ]


@pytest.mark.parametrize(
    ("rule", "end"),
    [
        (Rule.MODEL, "count as refused, out of the rows with a judged answer."),
        (Rule.SYSTEM, "that a provider's filter blocked or that came empty."),
        (Rule.STRICT, "that a provider's filter blocked or that came empty, and partial ones."),
        (Rule.PAPER, "that a provider's filter blocked or that came empty, and failed calls."),
    ],
)
def test_a_paper_says_what_its_rule_counts(rule, end):
    text = paper.counting_rule(rule)
    assert text.startswith(
        f"Under the rule “{rule}”, answers that decline, deflect or claim that the image cannot be seen"
    )
    assert text.endswith(end)
    assert [paper.who_has_the_protocol(n) for n in (1, 2)] == ["The run has", "All runs have"]
