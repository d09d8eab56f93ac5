from dataclasses import replace
from math import nan

from mossbench.outcomes import Rule
from mossbench.reports.words.comparisons import (
    comparison_method,
    finding,
    findings,
    headline,
    interval_and_p_disagree,
    missing_words,
    one_line,
    overall_test,
)
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.results.missing import Missing
from mossbench.results.unfamiliar import UnfamiliarAnswers
from mossbench.samples import Side
from mossbench.statistics import Estimate, Significance

MORE = Difference(
    first="a",
    second="b",
    side=Side.BENIGN,
    group="all",
    rates=(0.1, 0.3),
    estimate=Estimate(0.2, 0.1, 0.3, 100, 0, "tango"),
    only_first=2,
    only_second=22,
    p=0.001,
    p_adjusted=0.002,
    n_needed=None,
)
SAME = replace(MORE, side=Side.CONTRAST, p=0.5, p_adjusted=0.5)
NOTHING = replace(MORE, estimate=Estimate(nan, nan, nan, 0, 7, "tango"), p=nan, p_adjusted=nan)


def compared(*differences, runs=("a", "b"), **fields):
    return Comparison(runs, "sketches", "rules/4", Rule.SYSTEM, differences, (), fields.pop("overall", {}), **fields)


def test_a_finding_says_who_refuses_more_and_by_how_much():
    assert finding(MORE) == (
        "Harmless requests: b refuses more (10.0 % and 30.0 % of 100 pairs); +20.0 [10.0 to 30.0] points, p = 0.002."
    )


def test_a_finding_that_is_not_shown_says_how_many_samples_would_show_it():
    assert finding(SAME).endswith("no difference was observed between a and b (10.0 % and 30.0 % of 100 pairs).")
    assert finding(replace(SAME, n_needed=1200)).endswith(
        "+20.0 [10.0 to 30.0] points, p = 0.500). About 1,200 samples give 80 % power at the observed difference."
    )


def test_without_pairs_no_comparison_is_possible():
    assert finding(NOTHING) == "Harmless requests: no pair counts (7 left out), so no comparison is possible."


def test_missing_rows_are_counted_by_what_became_of_them():
    missing = Missing(n_rows=120, n_failed=1, n_unjudged=3, reason="not in\nEnglish.")
    assert missing_words("b", missing) == (
        "b: 4 of 120 rows (1 failed, 3 without a verdict; most common reason: not in English)"
    )
    assert missing_words("b", Missing(n_rows=9, n_not_asked=2)) == "b: 2 of 9 rows (2 not asked)"
    few = replace(MORE, missing=(Missing(), Missing(n_rows=120, n_failed=1)))
    assert list(findings(compared(few, n_unpaired={})))[1] == (
        "Each missing row is counted against a difference: b: 1 of 120 rows (1 failed)."
    )


def test_a_headline_says_what_two_runs_differ_in():
    assert headline(compared(MORE, SAME, n_unpaired={})) == "b refuses more harmless requests than a"
    assert headline(compared(SAME, n_unpaired={})) == "No significant difference between b and a"
    lost = replace(SAME, missing=(Missing(), Missing(n_rows=10, n_failed=9)))
    assert headline(compared(lost, n_unpaired={})) == "Inconclusive: rows of a or b are missing"


def test_a_headline_counts_the_runs_that_differ_where_there_are_several():
    third = replace(MORE, second="c")
    found = compared(SAME, MORE, third, runs=("a", "b", "c"), n_unpaired={})
    assert headline(found) == "2 of 2 runs differ significantly from a"
    lost = replace(SAME, second="c", missing=(Missing(), Missing(n_rows=10, n_failed=9)))
    found = compared(SAME, MORE, lost, runs=("a", "b", "c"), n_unpaired={})
    assert headline(found) == "1 of 2 runs differ significantly from a; 1 inconclusive"


def test_of_several_runs_those_whose_rate_is_not_known_are_named():
    unknown = replace(MORE, second="c", unfamiliar=(UnfamiliarAnswers("c", Side.BENIGN, "rules/4", 28, 100),))
    found = list(findings(compared(MORE, unknown, runs=("a", "b", "c"), n_unpaired={})))
    assert found[-1] == (
        "Harmless requests, rate not known: c (28 of 100), since more than 10 % of the answers are unfamiliar to "
        "rules/4. Known: a and b."
    )
    assert not any("rate not known" in text for text in findings(compared(unknown, n_unpaired={})))


def test_all_runs_together_have_one_test_for_each_side():
    test = Significance(0.03, 6.5, 1, 0, "cochran")
    assert overall_test(Side.BENIGN, test) == (
        "Harmless requests, all runs together: does any run differ? Cochran's Q = 6.50, p = 0.030, over 1 sample that "
        "counts in every run."
    )
    shuffled = overall_test(Side.CONTRAST, Significance(nan, nan, 9, 0, "cochran", unit="cluster"))
    assert "Q = –" in shuffled and shuffled.endswith(
        "9 samples that count in every run; runs shuffled in whole scenes."
    )


def test_groups_whose_interval_and_p_disagree_are_named_once():
    text = interval_and_p_disagree(["all", "Counterintuitive Interpretation", "all"])
    assert text.startswith("Interval and p disagree (all, Counterintuitive). p decides:")


def test_how_a_comparison_was_made_has_rows_without_a_partner_where_there_are_some():
    first_line = comparison_method(compared(MORE, n_unpaired={"a": 0, "b": 3})).splitlines()[0]
    assert first_line == "data sketches · judge rules/4 · rule system · rows without a partner: b 3"
    assert (
        comparison_method(compared(MORE, n_unpaired={})).splitlines()[0]
        == "data sketches · judge rules/4 · rule system"
    )


def test_each_column_of_the_table_has_a_short_sentence():
    _, *lines = comparison_method(compared(MORE, n_unpaired={})).splitlines()
    assert all(len(line) <= 110 and line.endswith(".") for line in lines)
    assert [line.split()[0] for line in lines] == ["Difference:", "Rates", "Flips:", "p:", "Holm"]


def test_an_answer_is_one_line_and_cut_where_it_is_long():
    assert one_line(None) == "(no answer)" and one_line("a\n\tb\x00c") == "a b c"
    assert one_line("x" * 301) == "x" * 300 + "… (301 characters)"
