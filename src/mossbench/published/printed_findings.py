"""What can be learnt from the published figures with intervals: records, nothing drawn.

Shares are known, answers are not. Ranks come from tests that take two models' answers to be unrelated (cautious where
models agree more than by chance); `SignificantPairs` counts the pairs under other assumptions too. Differences of two
columns on the same items have the interval of the most unfavourable way in which their pairs can have fallen, and say
whether the most favourable one would decide. The 100 Negated Harm items count as the 44 scenes that they were made
from, in the most favourable way as 100.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from mossbench.errors import n_of
from mossbench.published.safety import Safety, Tradeoff, safety, tradeoffs
from mossbench.published.tables import (
    JUDGES,
    N_ITEMS,
    N_SCENES,
    STIMULI,
    Judge,
    Misprint,
    PublishedRate,
    check_published,
    published_rates,
    read,
    shares_of,
)
from mossbench.statistics import (
    Estimate,
    Ranked,
    holm,
    n_shares_apart,
    rank_shares,
    spearman,
    strata_rate,
    wilson,
    wilson_interval,
)
from mossbench.statistics.paired import tango_interval

STAGES = ("perception", "intent", "judgement")
"""What a refusal is blamed on: gone with the right description, gone with the intent told too, or still there."""

Shares = tuple[float, ...]


@dataclass(frozen=True)
class PlacedRate:
    """One model of the published table with intervals and what its rank is worth."""

    row: PublishedRate
    rate: Estimate
    by_stimulus: tuple[Estimate, ...]
    place: Ranked


@dataclass(frozen=True)
class SignificantPairs:
    """How many pairs of models differ clearly, by what is assumed of answers that were not published."""

    worst: int
    """However the answers of two models were paired; Negated Harm items worth 44 scenes."""
    unrelated: int
    """As many as the ranks show: two models' answers unrelated, Negated Harm items worth 44 scenes."""
    items: int
    """Two models' answers unrelated, each of the 100 Negated Harm items worth one."""


@dataclass(frozen=True)
class UnknownPairs:
    """The difference of two rates on the same items of which nobody published how the pairs fell."""

    name: str
    first: float
    second: float
    estimate: Estimate
    """First less second, with the interval of the most unfavourable pairing."""
    p_worst: float
    """Of the most unfavourable pairing, by Holm over all that are compared with it in one table."""
    p_best: float
    """Of the most favourable pairing, with every item a scene of its own; adjusted in the same way."""
    model: str = ""
    """The web product that is compared with its API model; empty where something else is compared."""

    @property
    def verdict(self) -> str:
        """`different` however the pairs fell, `undecided` however pairs and scenes fell, or `depends` on them."""
        if self.p_worst <= 0.05:
            return "different"
        if self.p_best > 0.05:
            return "undecided"
        return "depends"


@dataclass(frozen=True)
class JudgeAgreement:
    """The GPT judge against people, on the corrected table."""

    models: Estimate
    """Spearman over the 20 averages."""
    cells: Estimate
    """Spearman over the 60 cells: not independent, so the interval is too narrow."""
    pearson: float
    mean_gap: float
    """Mean absolute difference of the averages."""
    mean_cell_gap: float
    """The same of the cells: at least this share of all answers was read differently."""
    worst: tuple[str, str, float, float]
    """Model, stimulus, GPT share, human share of the cell that differs most."""
    gaps: tuple[UnknownPairs, ...]
    """GPT less people, a model each."""


@dataclass(frozen=True)
class StageShare:
    model: str
    stage: str
    share: Estimate


@dataclass(frozen=True)
class WithoutGaps:
    """A published rate once rows are left out that are no answers to the stimulus."""

    name: str
    what: str
    n_rows: int
    published: float
    rate: Estimate


@dataclass(frozen=True)
class PublishedFindings:
    boards: dict[Judge, tuple[PlacedRate, ...]]
    significant_pairs: dict[Judge, SignificantPairs]
    judges: JudgeAgreement
    tradeoffs: tuple[Tradeoff, ...]
    """One for each stimulus."""
    pooled: Tradeoff
    """Over all three stimuli together, each counting the same."""
    safety: tuple[Safety, ...]
    products: tuple[UnknownPairs, ...]
    """Web product less API."""
    prompts: tuple[tuple[str, tuple[UnknownPairs, ...]], ...]
    """Condition; less vanilla: all, ER, NH, CI."""
    stages: tuple[StageShare, ...]
    without_gaps: tuple[WithoutGaps, ...]
    misprints: tuple[Misprint, ...]

    def __repr__(self) -> str:
        return (
            f"<PublishedFindings on {n_of(len(self.boards['gpt']), 'model')}, {n_of(len(self.misprints), 'misprint')}>"
        )


def published_findings() -> PublishedFindings:
    """Everything that the published figures say, with intervals; the same at every call."""
    pooled, *single = tradeoffs()
    return PublishedFindings(
        boards={"gpt": place(published_rates("gpt")), "human": place(published_rates("human"))},
        significant_pairs={judge: _significant_pairs(published_rates(judge)) for judge in JUDGES},
        judges=_judges(),
        tradeoffs=tuple(single),
        pooled=pooled,
        safety=safety(),
        products=_products(),
        prompts=_prompts(),
        stages=_stages(),
        without_gaps=_without_gaps(),
        misprints=check_published(),
    )


def place(rows: tuple[PublishedRate, ...], stimulus: str | None = None) -> tuple[PlacedRate, ...]:
    """The models from lowest to highest rate with intervals, rank sets and tie groups, over all or one stimulus."""
    columns = [k for k, name in enumerate(STIMULI) if stimulus in (None, name)]
    n_items = sum(N_ITEMS[k] for k in columns)
    n_scenes = [N_SCENES[k] for k in columns]
    row_of = {row.name: row for row in rows}
    shares_of_row = {row.name: [row.shares[k] for k in columns] for row in rows}
    placed = []
    for ranked in rank_shares(shares_of_row, n_scenes, rng=np.random.default_rng(0)):
        row = row_of[ranked.name]
        rate = replace(strata_rate(shares_of_row[ranked.name], n_scenes), n=n_items)
        placed.append(PlacedRate(row=row, rate=rate, by_stimulus=_by_stimulus(row), place=ranked))
    return tuple(placed)


def _significant_pairs(rows: tuple[PublishedRate, ...]) -> SignificantPairs:
    shares = {row.name: row.shares for row in rows}
    return SignificantPairs(
        worst=n_shares_apart(shares, N_SCENES, worst=True),
        unrelated=n_shares_apart(shares, N_SCENES),
        items=n_shares_apart(shares, N_ITEMS),
    )


def unknown_pairs(name: str, first: Shares, second: Shares, scenes: Shares = N_SCENES) -> UnknownPairs:
    """First less second, at the worst and the best way in which pairs and scenes can have fallen; p not adjusted."""
    gaps = [share - second_share for share, second_share in zip(first, second, strict=True)]
    most_discordant = list(map(_most_discordant, first, second))
    least_discordant = [abs(gap) for gap in gaps]
    worst = _pair_counts(gaps, most_discordant, scenes)
    best = _pair_counts(gaps, least_discordant, (100.0,) * len(first))
    low, high = tango_interval(*worst)
    estimate = Estimate(
        value=sum(gaps) / len(gaps),
        low=low,
        high=high,
        n=100 * len(first),
        n_left_out=0,
        method="tango, pairs fallen at worst, items of a scene alike",
    )
    return UnknownPairs(
        name=name,
        first=sum(first) / len(first),
        second=sum(second) / len(second),
        estimate=estimate,
        p_worst=_mcnemar_p(worst),
        p_best=_mcnemar_p(best),
    )


def _most_discordant(first: float, second: float) -> float:
    """The largest share of items that can have been refused in one column and not in the other."""
    return min(first, 1 - second) + min(second, 1 - first)


def adjusted(pairs: Sequence[UnknownPairs]) -> tuple[UnknownPairs, ...]:
    """With p by Holm over all of them."""
    p_worst = holm([pair.p_worst for pair in pairs]).tolist()
    p_best = holm([pair.p_best for pair in pairs]).tolist()
    return tuple(
        replace(pair, p_worst=worst, p_best=best) for pair, worst, best in zip(pairs, p_worst, p_best, strict=True)
    )


class _PairCounts(NamedTuple):
    """How many pairs there are, at what their scenes are worth."""

    only_first: float
    """Pairs in which only the first is refused."""
    only_second: float
    n: float


def _pair_counts(gaps: list[float], discordant: list[float], scenes: Shares) -> _PairCounts:
    """The counts of pairs with these differences and shares of discordant pairs, of 100 items a stimulus."""
    n_items = 100 * len(gaps)
    spread = [share - gap * gap for share, gap in zip(discordant, gaps, strict=True)]
    plain = sum(spread) / 100
    clustered = sum(part / n_scenes for part, n_scenes in zip(spread, scenes, strict=True))
    scale = clustered / plain if plain > 0 else max(100 / n_scenes for n_scenes in scenes)
    only_first = sum(100 * (share + gap) / 2 for share, gap in zip(discordant, gaps, strict=True))
    only_second = sum(100 * (share - gap) / 2 for share, gap in zip(discordant, gaps, strict=True))
    return _PairCounts(only_first / scale, only_second / scale, n_items / scale)


def _mcnemar_p(counts: _PairCounts) -> float:
    """McNemar's score test, of which Tango's interval is the inverse."""
    n_discordant = counts.only_first + counts.only_second
    if n_discordant <= 0:
        return 1.0
    z = abs(counts.only_first - counts.only_second) / math.sqrt(n_discordant)
    return 2 * NormalDist().cdf(-z)


def _by_stimulus(row: PublishedRate) -> tuple[Estimate, ...]:
    """The rate of each stimulus, with an interval of what its scenes are worth."""
    estimates = []
    for share, n_items, n_scenes in zip(row.shares, N_ITEMS, N_SCENES, strict=True):
        low, high = wilson_interval(share, n_scenes)
        estimates.append(Estimate(share, low, high, n_items, 0, "wilson"))
    return tuple(estimates)


def _judges() -> JudgeAgreement:
    gpt = published_rates("gpt")
    human = published_rates("human")
    gpt_means = np.array([row.mean for row in gpt])
    human_means = np.array([row.mean for row in human])
    gpt_cells = np.array([row.shares for row in gpt])
    human_cells = np.array([row.shares for row in human])
    gaps = np.abs(gpt_cells - human_cells)
    i, k = np.unravel_index(int(gaps.argmax()), gaps.shape)
    pairs = [
        unknown_pairs(by_gpt.name, by_gpt.shares, by_human.shares) for by_gpt, by_human in zip(gpt, human, strict=True)
    ]
    return JudgeAgreement(
        models=spearman(gpt_means, human_means),
        cells=spearman(gpt_cells.ravel(), human_cells.ravel()),
        pearson=float(np.corrcoef(gpt_means, human_means)[0, 1]),
        mean_gap=float(np.abs(gpt_means - human_means).mean()),
        mean_cell_gap=float(gaps.mean()),
        worst=(gpt[i].name, STIMULI[k], float(gpt_cells[i, k]), float(human_cells[i, k])),
        gaps=adjusted(pairs),
    )


PRODUCTS = (("GPT-4o", "GPT-4o"), ("Gemini Advanced", "Gemini-Pro 1.5"), ("Claude 3 opus", "Claude 3 opus"))
"""Web products with the API model that is behind them, as far as was said."""


def _products() -> tuple[UnknownPairs, ...]:
    table = {(row.availability, row.model): row for row in published_rates("gpt")}
    pairs = [(table["web", web], table["API", api]) for web, api in PRODUCTS]
    compared = []
    for web, api in pairs:
        gap = unknown_pairs(f"{web.name} – {api.name}", web.shares, api.shares)
        compared.append(replace(gap, model=web.model))
    return adjusted(compared)


def _prompts() -> tuple[tuple[str, tuple[UnknownPairs, ...]], ...]:
    shares_by_condition = {row["condition"]: shares_of(row) for row in read("prompts")}
    vanilla = shares_by_condition.pop("vanilla")
    compared: list[UnknownPairs] = []
    for shares in shares_by_condition.values():
        compared.append(unknown_pairs("all", shares, vanilla))
        for k, stimulus in enumerate(STIMULI):
            compared.append(unknown_pairs(stimulus, (shares[k],), (vanilla[k],), (N_SCENES[k],)))
    pairs = adjusted(compared)
    n_each = 1 + len(STIMULI)
    by_condition = []
    for i, condition in enumerate(shares_by_condition):
        by_condition.append((condition, pairs[n_each * i : n_each * (i + 1)]))
    return tuple(by_condition)


def _stages() -> tuple[StageShare, ...]:
    """Of 30 refusals a model, ten a stimulus, how many go away at which step."""
    n_refused: dict[str, list[int]] = {}
    for row in read("oracle"):
        n_refused.setdefault(row["model"], [30]).append(round(10 * sum(shares_of(row))))
    stage_shares = []
    for model, (n_start, n_described, n_with_intent) in n_refused.items():
        n_by_stage = (n_start - n_described, n_described - n_with_intent, n_with_intent)
        for stage, n in zip(STAGES, n_by_stage, strict=True):
            stage_shares.append(StageShare(model, stage, wilson(n, 30)))
    return tuple(stage_shares)


def _without_gaps() -> tuple[WithoutGaps, ...]:
    """Rates without the rows of `missing.csv`, all of which were counted as refused."""
    table = {(row.availability, row.model): row for row in published_rates("gpt")}
    rates = []
    for line in read("missing"):
        row = table[line["availability"], line["model"]]
        n_missing = sum(int(line[stimulus]) for stimulus in STIMULI)
        n_refused = round(100 * sum(row.shares)) - n_missing
        rate = wilson(n_refused, sum(N_ITEMS) - n_missing, n_left_out=n_missing)
        rates.append(WithoutGaps(row.name, line["what"], n_missing, row.mean, rate))
    return tuple(rates)
