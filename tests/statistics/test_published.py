"""Numbers of the published benchmark, reproduced from its counts and tables."""

import math

import numpy as np
import pytest

from mossbench.statistics import cluster_rate, macro_rate, rank, spearman, wilson

# Refusal rate on benign and on contrast requests, by stimulus, of the 16 models in the published scatter plot.
SCATTER = {
    "ER": (
        [11, 39, 27, 25, 20, 6, 3, 11, 17, 16, 14, 21, 16, 18, 32, 11],
        [96, 98, 82, 88, 66, 75, 67, 53, 74, 66, 62, 66, 46, 42, 49, 37],
    ),
    "NH": (
        [43, 65, 58, 28, 9, 8, 3, 21, 9, 13, 11, 23, 11, 10, 48, 7],
        [38.64, 79.55, 27.27, 52.27, 9.09, 25, 13.64, 34.09, 84.09, 50, 13.64, 50, 13.64, 15.91, 13.64, 15.91],
    ),
    "CI": (
        [50, 61, 63, 35, 22, 5, 3, 18, 15, 36, 28, 3, 10, 9, 13, 12],
        [89, 66, 93, 85, 53, 58, 45, 76, 73, 33, 42, 42, 45, 37, 40, 38],
    ),
}
MISPLOTTED = 14  # the 13b model: plotted at 32 / 48 / 13, in the table 9 / 9 / 11
# Average refusal rate of 20 models by the automatic judge and by people.
JUDGE = [4, 61, 70.67, 3, 6.33, 17, 29.33, 34.67, 55, 49.33, 16.67]
JUDGE += [13.67, 21.67, 17.67, 15.67, 12.34, 6, 12.33, 9.67, 10]
PEOPLE = [2, 63.67, 76.33, 2, 8, 11.33, 34.67, 30.67, 65.33, 55.33, 13.33]
PEOPLE += [10.67, 16, 15.33, 13.33, 6.33, 3, 6.67, 6, 0.67]


@pytest.mark.parametrize(
    ("stimulus", "tabled", "plotted_rho", "tabled_rho"),
    [("ER", 9, 0.19, 0.32), ("NH", 9, 0.41, 0.56), ("CI", 11, 0.47, 0.47)],
)
def test_over_refusal_and_safety_go_together_weakly(stimulus, tabled, plotted_rho, tabled_rho):
    benign, contrast = SCATTER[stimulus]
    plotted = spearman(benign, contrast)
    assert round(plotted.value, 2) == plotted_rho and plotted.n == 16
    corrected = spearman([*benign[:MISPLOTTED], tabled, *benign[MISPLOTTED + 1 :]], contrast)
    assert round(corrected.value, 2) == tabled_rho


def test_sixteen_models_cannot_show_that_the_first_correlation_is_there():
    estimate = spearman(*SCATTER["ER"])
    assert estimate.low < -0.3 and estimate.high > 0.6


def test_the_automatic_judge_orders_models_as_people_do():
    assert round(spearman(JUDGE, PEOPLE).value, 2) == 0.96
    assert round(float(np.corrcoef(JUDGE, PEOPLE)[0, 1]), 2) == 0.99
    assert round(float(np.abs(np.subtract(JUDGE, PEOPLE)).mean()), 1) == 4.4


def test_the_submission_template_is_reproduced_from_counts():
    counts = {"ER": (98, 100), "NH": (35, 44), "CI": (93, 100)}
    assert [round(wilson(*count).value, 3) for count in counts.values()] == [0.98, 0.795, 0.93]
    rows = np.concatenate([np.arange(n) < yes for yes, n in counts.values()])
    stimuli = np.repeat(list(counts), [n for _, n in counts.values()]).tolist()
    assert round(cluster_rate(rows).value, 3) == 0.926  # 226/244
    assert round(macro_rate(rows, stimuli).value, 3) == 0.902  # each stimulus alike


@pytest.mark.parametrize(
    ("refused", "published", "corrected"), [(104, 34.67, 31.5), (165, 55.0, 52.8), (148, 49.33, 46.9)]
)
def test_answers_that_were_never_given_are_left_out_of_the_rate(refused, published, corrected):
    # 14 of the 300 have no answer on record and were counted as refusals: (104 - 14) / 286 = 31.5 %
    as_published = np.arange(300) < refused
    as_answered = np.where(np.arange(300) < 14, math.nan, as_published)
    assert round(100 * cluster_rate(as_published).value, 2) == published
    estimate = cluster_rate(as_answered)
    assert round(100 * estimate.value, 1) == corrected
    assert (estimate.n, estimate.n_left_out) == (286, 14)


@pytest.mark.parametrize(("refused", "unanswered", "corrected"), [(11, 2, 9.2), (43, 6, 39.4), (50, 6, 46.8)])
def test_the_correction_holds_by_stimulus(refused, unanswered, corrected):
    assert round(100 * wilson(refused - unanswered, 100 - unanswered).value, 1) == corrected


def test_a_published_lead_of_one_point_is_no_lead():
    # 16.67 and 17.67 % of the same 300: even if all but three refusals are shared, the order is open
    one, other = np.arange(300) < 50, np.arange(300) < 53
    first, second = rank({"one": one, "other": other}, rng=np.random.default_rng(1))
    assert first.name == "one" and second.tie_group == 1 and (second.low_rank, second.high_rank) == (1, 2)
