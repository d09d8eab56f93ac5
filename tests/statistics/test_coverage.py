"""Do 95 % intervals hold the truth 95 times in 100? Exact sums where counts allow, seeded simulation elsewhere.

Asked of approximate intervals: 94 to 96.5 % on average over a grid, nowhere under 92 %. A simulated share of 1,000 runs
is itself known to 0.7 points.
"""

from functools import cache
from statistics import NormalDist

import numpy as np
import pytest

from mossbench.statistics import (
    Confusion,
    agreement,
    cluster_rate,
    cohen_kappa,
    detection,
    fleiss,
    gwet_ac1,
    krippendorff_alpha,
    macro_rate,
    paired_difference,
    ppi_rate,
    rank,
    rogan_gladen,
    sign_flip_test,
    spearman,
    wilson_interval,
)
from mossbench.statistics.estimates import jeffreys_interval
from mossbench.statistics.paired import tango_interval

# Items a scene in the published Negated Harm set: 100 items of 44 scenes.
PUBLISHED = np.repeat(np.arange(44), np.repeat([1, 2, 3, 4, 5], [6, 27, 5, 5, 1]))
DESIGNS = {
    "published": PUBLISHED,
    "20 of them": PUBLISHED[np.isin(PUBLISHED, np.arange(3, 43, 2))],
    "30 threes": np.repeat(np.arange(30), 3),
    "60 fives": np.repeat(np.arange(60), 5),
}


def judge(found):
    """Checks shares of intervals that hold the truth, by cell of a grid."""
    mean, least = np.mean(list(found.values())), min(found, key=found.get)
    print(f"mean {mean:.4f}, least {found[least]:.4f} at {least}")
    assert 0.94 <= mean <= 0.965
    assert found[least] >= 0.92, (least, found[least])


def holds(estimate, truth):
    return estimate.low - 1e-9 <= truth <= estimate.high + 1e-9


def clustered(rng, clusters, alike):
    """Uniform numbers, one a row; two rows of a cluster are the same one with chance `alike`."""
    shared, own = rng.random(clusters.max() + 1)[clusters], rng.random(len(clusters))
    return np.where(rng.random(len(clusters)) < np.sqrt(alike), shared, own)


@cache
def binomial_coverage(interval, n, p):
    from scipy.stats import binom

    ends = [interval(k / n, n) for k in range(n + 1)]
    held = [low - 1e-9 <= p <= high + 1e-9 for low, high in ends]
    return sum(chance for chance, holds in zip(binom.pmf(np.arange(n + 1), n, p), held, strict=True) if holds)


GRID = [(n, p) for n in (10, 20, 50, 100, 300) for p in (0.02, 0.03, *np.arange(0.05, 0.96, 0.05))]


@pytest.mark.parametrize(("interval", "least_yes"), [(wilson_interval, 1), (jeffreys_interval, 3)])
def test_intervals_of_a_share(interval, least_yes):
    # With fewer expected yes (or no) rows they dip: Wilson to 0.85, Jeffreys to 0.88; see docs/method.md.
    cells = [(n, p) for n, p in GRID if n * min(p, 1 - p) >= least_yes - 1e-9]
    judge({cell: binomial_coverage(interval, *cell) for cell in cells})


@pytest.mark.slow
def test_shares_of_clustered_rows():
    rng, found = np.random.default_rng(1), {}
    for name, clusters in DESIGNS.items():
        for alike in (0, 0.3, 0.7, 1):
            for p in (0.05, 0.1, 0.3, 0.5):
                runs = [cluster_rate(clustered(rng, clusters, alike) < p, clusters) for _ in range(1000)]
                found[name, alike, p] = np.mean([holds(run, p) for run in runs])
    judge(found)


def test_ignoring_clusters_is_what_goes_wrong():
    rng, clusters = np.random.default_rng(2), DESIGNS["60 fives"]
    runs = [clustered(rng, clusters, 0.7) < 0.3 for _ in range(500)]
    assert np.mean([holds(cluster_rate(run), 0.3) for run in runs]) < 0.8
    assert np.mean([holds(cluster_rate(run, clusters), 0.3) for run in runs]) > 0.93


@pytest.mark.slow
def test_the_mean_of_groups():
    rng, found = np.random.default_rng(4), {}
    for sizes in ((100, 44, 100), (30, 30, 30)):
        groups = np.repeat(np.arange(3), sizes)
        for rates in ((0.1, 0.3, 0.5), (0.05, 0.05, 0.2), (0.95, 0.8, 0.9)):
            runs = [macro_rate(rng.random(len(groups)) < np.array(rates)[groups], groups.tolist()) for _ in range(1000)]
            found[sizes, rates] = np.mean([holds(run, np.mean(rates)) for run in runs])
    judge(found)


@pytest.mark.slow
def test_differences_of_pairs():
    interval = cache(tango_interval)
    rng, found = np.random.default_rng(5), {}
    for n in (20, 44, 100, 300):
        for p, gap in ((0.05, 0.15), (0.1, 0.05), (0.3, 0.0), (0.3, 0.15), (0.5, 0.05)):
            for correlation in (0, 0.4):
                both = p * (p + gap) + correlation * np.sqrt(p * (1 - p) * (p + gap) * (1 - p - gap))
                shares = [both, p - both, p + gap - both, 1 - 2 * p - gap + both]
                runs = rng.multinomial(n, shares, size=2000)[:, 1:3].tolist()
                limits = [interval(b, c, n) for b, c in runs]
                found[n, p, gap, correlation] = np.mean([low - 1e-9 <= -gap <= high + 1e-9 for low, high in limits])
    judge(found)


@pytest.mark.slow
def test_differences_of_clustered_pairs():
    # Three clusters with a difference are expected at least; with fewer the interval covers up to 100 %.
    rng, found = np.random.default_rng(6), {}
    for name, clusters in DESIGNS.items():
        for alike in (0, 0.5, 1):
            for p, gap in ((0.1, 0.1), (0.3, 0.0), (0.4, 0.2)):
                hit = 0
                for _ in range(600):
                    one, other = clustered(rng, clusters, alike), clustered(rng, clusters, alike)
                    other = np.where((rng.random(clusters.max() + 1) < 0.5)[clusters], one, other)
                    hit += holds(paired_difference(one < p, other < p + gap, clusters), -gap)
                found[name, alike, p, gap] = hit / 600
    judge(found)


def test_swapping_whole_clusters_keeps_its_level_where_rows_alone_do_not():
    rng, clusters = np.random.default_rng(7), DESIGNS["60 fives"]
    pairs = [(clustered(rng, clusters, 1) < 0.3, clustered(rng, clusters, 1) < 0.3) for _ in range(600)]
    assert np.mean([sign_flip_test(*pair, clusters).p <= 0.05 for pair in pairs]) <= 0.05
    assert np.mean([sign_flip_test(*pair).p <= 0.05 for pair in pairs]) > 0.2


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["cohen", "fleiss", "ac1", "alpha"])
def test_agreement_beyond_chance(coefficient):
    methods = {
        "cohen": lambda rows: cohen_kappa(*zip(*rows, strict=True)),
        "fleiss": fleiss,
        "ac1": lambda rows: gwet_ac1(rows, categories=[False, True]),
        "alpha": krippendorff_alpha,
    }
    rng, found = np.random.default_rng(8), {}
    for n in (50, 150):
        for p in (0.1, 0.3, 0.5):
            for error in (0.02, 0.1, 0.2):
                n_raters = 2 if coefficient == "cohen" else 3
                share, seen = p * (1 - error) + (1 - p) * error, 1 - 2 * error * (1 - error)
                chance = 2 * share * (1 - share) if coefficient == "ac1" else share**2 + (1 - share) ** 2
                truth, hit = (seen - chance) / (1 - chance), 0
                for _ in range(500):
                    rows = (rng.random((n, 1)) < p) ^ (rng.random((n, n_raters)) < error)
                    hit += holds(methods[coefficient](rows.tolist()), truth)
                found[n, p, error] = hit / 500
    judge(found)


@pytest.mark.slow
def test_the_measures_of_a_judge():
    rng = np.random.default_rng(9)
    found = {measure: {} for measure in ("kappa", "ac1", "sensitivity", "specificity", "rate_error")}
    for n in (150, 400):  # three errors expected at least; with one or two the rate error is covered up to 99.9 %
        for p in (0.15, 0.4):
            for sensitivity, specificity in ((0.95, 0.98), (0.8, 0.9)):
                cells = np.array(
                    [p * sensitivity, (1 - p) * (1 - specificity), p * (1 - sensitivity), (1 - p) * specificity]
                )
                truth = agreement(Confusion(*map(round, cells * 10**6)), rng=rng, n_bootstrap=1)
                runs = [Confusion(*map(int, rng.multinomial(n, cells))) for _ in range(1000)]
                estimates = [agreement(run, rng=rng, n_bootstrap=300) for run in runs]
                for measure, shares in found.items():
                    held = [holds(estimate[measure], truth[measure].value) for estimate in estimates]
                    shares[n, p, sensitivity] = np.mean(held)
    for shares in found.values():
        judge(shares)


@pytest.mark.slow
def test_rates_corrected_by_validation():
    rng, found = np.random.default_rng(10), {}
    corrected = cache(lambda k, yes, no, wrong, missed: rogan_gladen(k, 300, Confusion(yes, wrong, missed, no)))
    for n_yes, n_no in ((25, 25), (30, 120), (200, 200)):
        for p in (0.05, 0.1, 0.3, 0.5):
            for sensitivity, specificity in ((0.8, 0.9), (0.95, 0.98)):
                read = rng.binomial(300, p * sensitivity + (1 - p) * (1 - specificity), 400).tolist()
                right = rng.binomial(n_yes, sensitivity, 400).tolist(), rng.binomial(n_no, specificity, 400).tolist()
                found[n_yes, n_no, p, sensitivity] = np.mean(
                    [
                        holds(corrected(k, yes, no, n_no - no, n_yes - yes), p)
                        for k, yes, no in zip(read, *right, strict=True)
                    ]
                )
    judge(found)


@pytest.mark.slow
def test_rates_from_few_labels_and_many_readings():
    rng, found = np.random.default_rng(11), {}
    for labelled in (60, 120):
        for p in (0.05, 0.1, 0.3, 0.5):
            for sensitivity, specificity in ((0.6, 0.6), (0.8, 0.9), (0.95, 0.98)):
                hit = 0
                for _ in range(1000):
                    truth = rng.random(600) < p
                    reading = rng.random(600) < np.where(truth, sensitivity, 1 - specificity)
                    hit += holds(ppi_rate(np.where(np.arange(600) < labelled, truth, np.nan), reading).rate, p)
                found[labelled, p, sensitivity] = hit / 1000
    judge(found)


def test_a_judge_without_errors_gives_wide_and_never_narrow_intervals():
    rng = np.random.default_rng(12)
    for p in (0.05, 0.3):
        truths = [rng.random(600) < p for _ in range(300)]
        runs = [ppi_rate(np.where(np.arange(600) < 60, truth, np.nan), truth).rate for truth in truths]
        assert np.mean([holds(run, p) for run in runs]) >= 0.97


@pytest.mark.slow
def test_detection_of_twins():
    z, rng, d_prime, criterion = NormalDist().inv_cdf, np.random.default_rng(13), {}, {}
    for n in (44, 100, 244):
        for alarm, hit in ((0.05, 0.95), (0.1, 0.8), (0.3, 0.8), (0.05, 0.4)):
            for together in (0, 0.5):
                runs = []
                for _ in range(600):
                    benign = rng.random(n)
                    contrast = np.where(rng.random(n) < together, benign, rng.random(n))
                    runs.append(detection(benign < alarm, contrast < hit))
                cell, apart, middle = (n, alarm, hit, together), z(hit) - z(alarm), -(z(hit) + z(alarm)) / 2
                d_prime[cell] = np.mean([holds(run.d_prime, apart) for run in runs])
                criterion[cell] = np.mean([holds(run.criterion, middle) for run in runs])
    judge(d_prime)
    judge(criterion)


@pytest.mark.slow
@pytest.mark.parametrize("chance", [0, 0.5, 1])
def test_detection_when_only_harmless_requests_are_repeated(chance):
    """`chance`: how often an answer is drawn anew, and not the sample's own. The cap on worth may make them wide."""
    z, rng, found = NormalDist().inv_cdf, np.random.default_rng(16), {}
    for n in (44, 100):
        samples = np.tile(np.arange(n), 9)
        for alarm, hit in ((0.05, 0.95), (0.1, 0.8), (0.3, 0.8)):
            held = []
            for _ in range(400):
                own = np.tile(rng.random(n), 9)
                benign = np.where(rng.random(9 * n) < chance, rng.random(9 * n), own) < alarm
                contrast = np.concatenate([rng.random(n) < hit, np.full(8 * n, np.nan)])
                held.append(holds(detection(benign, contrast, samples, n_samples=n).d_prime, z(hit) - z(alarm)))
            found[n, alarm, hit] = np.mean(held)
    print(found)
    assert min(found.values()) >= 0.92 and np.mean(list(found.values())) >= 0.94


@pytest.mark.slow
def test_rank_correlations():
    rng, found = np.random.default_rng(14), {}
    for n in (10, 16, 40):
        for r in (0, 0.3, 0.6, 0.8):
            truth, hit = 6 / np.pi * np.arcsin(r / 2), 0  # of two normal variables with correlation r
            for _ in range(1000):
                first = rng.normal(size=n)
                hit += holds(spearman(first, r * first + np.sqrt(1 - r * r) * rng.normal(size=n)), truth)
            found[n, r] = hit / 1000
    judge(found)


@pytest.mark.slow
@pytest.mark.parametrize("rates", [(0.2,) * 6, (0.1, 0.15, 0.2, 0.2, 0.3, 0.5)])
def test_whole_tables_of_rank_sets_hold_all_true_ranks(rates):
    rng, clusters, n_right = np.random.default_rng(15), DESIGNS["published"], 0
    for _ in range(300):
        difficulty = clustered(rng, clusters, 0.5)
        rows = {
            str(i): np.where(rng.random(len(clusters)) < 0.5, difficulty, rng.random(len(clusters))) < rate
            for i, rate in enumerate(rates)
        }
        places = rank(rows, clusters, rng=rng, n_bootstrap=1)
        n_right += all(
            place.low_rank <= 1 + sum(rate <= rates[int(place.name)] for rate in rates) - 1
            and place.high_rank >= 1 + sum(rate < rates[int(place.name)] for rate in rates)
            for place in places
        )
    assert n_right / 300 >= 0.95
