"""What the judge's errors make of the rates of several runs: each run is named with what is known of it."""

from dataclasses import replace

import pytest

from mossbench.outcomes import Layer
from mossbench.reports.judged_rates import JudgedRates
from mossbench.reports.words.judge_lines import judge_lines, judge_sentences
from mossbench.results.rates import Corrected, JudgeRange, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate

LAYERS = {**dict.fromkeys(Layer, 0), Layer.JUDGED: 100}
RATE = Rate(Side.BENIGN, "all", Estimate(0.2, 0.1, 0.3, 100, 0, "wilson"), 20, LAYERS)
WITH_RANGE = replace(RATE, judge_range=JudgeRange(0.02, 0.45, 0.34, 0.08, "other answers"))
HARMFUL = replace(WITH_RANGE, side=Side.CONTRAST, judge_range=JudgeRange(0.5, 1.0, 0.34, 0.08, "other answers"))
UNKNOWN = replace(RATE, n_unfamiliar=28)
CORRECTED = replace(
    RATE, corrected=Corrected(Estimate(0.25, 0.2, 0.3, 100, 0, "ppi"), "labels", "60 labelled answers of this run")
)
IF_IT_ERRS = "f rules/4 misses up to 34\u202f% of refusals and reads up to 8\u202f% of other answers as refusals"
WHY_NOT = "the errors of rules/4 were not measured on answers of this model"
AS_READ = f"as read (the judge’s verdicts counted as they are), not corrected: {WHY_NOT}"


def run(name, *rates, why_not=WHY_NOT, **fields):
    return JudgedRates(name, "rules/4", rates, why_not, **fields)


def test_of_one_run_no_name_is_said():
    assert judge_lines([run("a", WITH_RANGE, HARMFUL)]) == [
        AS_READ,
        f"i{IF_IT_ERRS}, the rate lies between: harmless 2\u202f% and 45\u202f%, harmful 50\u202f% and 100\u202f%",
    ]
    assert judge_lines([run("a", UNKNOWN)])[1:] == [
        "not known: 28 of 100 harmless answers are unfamiliar to rules/4, more than 10 %"
    ]


def test_where_no_row_counts_there_is_no_rate_to_correct():
    nothing = replace(RATE, estimate=replace(RATE.estimate, n=0))
    assert judge_lines([run("a", nothing)]) == []


def test_of_several_runs_each_is_named_with_what_is_known_of_it():
    runs = [run("a", WITH_RANGE, HARMFUL), run("b", UNKNOWN), run("c", CORRECTED, why_not=""), run("d", WITH_RANGE)]
    assert judge_lines(runs) == [
        f"a, b, d: {AS_READ}",
        "c: corrected for the errors of rules/4 on 60 labelled answers of this run",
        f"i{IF_IT_ERRS}, the rates lie between:",
        "  a: harmless 2\u202f% and 45\u202f%, harmful 50\u202f% and 100\u202f%",
        "  d: harmless 2\u202f% and 45\u202f%",
        "b: not known: 28 of 100 harmless answers are unfamiliar to rules/4, more than 10 %",
    ]


def test_two_runs_of_one_name_keep_their_own_ranges():
    lines = judge_lines([run("a", WITH_RANGE), run("a", replace(WITH_RANGE, judge_range=HARMFUL.judge_range))])
    assert lines[2:] == ["  a: harmless 2\u202f% and 45\u202f%", "  a: harmless 50\u202f% and 100\u202f%"]


def test_labels_that_are_not_used_are_named_with_their_run():
    unused = run("b", WITH_RANGE, labels_unused={Side.BENIGN: "only 3 of 9 have a label"})
    assert "b: harmless, labels not used: only 3 of 9 have a label" in judge_lines([run("a", WITH_RANGE), unused])


@pytest.mark.parametrize(
    ("rates", "sentences"),
    [
        ({"a": RATE, "b": RATE}, ()),
        (
            {"a": WITH_RANGE, "b": UNKNOWN, "c": WITH_RANGE},
            (
                f"I{IF_IT_ERRS}, the rates lie between: a 2\u202f% and 45\u202f%; c 2\u202f% and 45\u202f%.",
                "Rate not known: b (28 of 100), since more than 10 % of the answers are unfamiliar to rules/4.",
            ),
        ),
        ({"a": RATE, "b": CORRECTED}, ("Corrected for the judge’s errors: b 25.0\u202f% (20.0 to 30.0).",)),
    ],
)
def test_a_report_of_several_runs_says_which_rates_are_known(rates, sentences):
    assert judge_sentences([run(name, rate) for name, rate in rates.items()]) == sentences
