"""What can be learnt from the published figures with intervals: records, nothing drawn.

Shares are known, answers are not. Ranks come from tests that take two models' answers to be unrelated (cautious where
models agree more than by chance); `ToldApart` counts the pairs under other assumptions too. Differences of two columns
on the same items have the interval of the most unfavourable way in which their pairs can have fallen, and say whether
the most favourable one would decide. The 100 Negated Harm items count as the 44 scenes that they were made from, in the
most favourable way as 100.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

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
class ToldApart:
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
        return "different" if self.p_worst <= 0.05 else "undecided" if self.p_best > 0.05 else "depends"


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
    told_apart: dict[Judge, ToldApart]
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


def published_findings() -> PublishedFindings:
    """Everything that the published figures say, with intervals; the same at every call."""
    pooled, *single = tradeoffs()
    return PublishedFindings(
        boards={"gpt": place(published_rates("gpt")), "human": place(published_rates("human"))},
        told_apart={judge: _told_apart(published_rates(judge)) for judge in JUDGES},
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
    chosen = [i for i, name in enumerate(STIMULI) if stimulus in (None, name)]
    worth = [N_SCENES[i] for i in chosen]
    shares = {row.name: [row.shares[i] for i in chosen] for row in rows}
    table = {row.name: row for row in rows}
    n = sum(N_ITEMS[i] for i in chosen)
    return tuple(
        PlacedRate(
            row=table[found.name],
            rate=replace(strata_rate(shares[found.name], worth), n=n),
            by_stimulus=_by_stimulus(table[found.name]),
            place=found,
        )
        for found in rank_shares(shares, worth, rng=np.random.default_rng(0))
    )


def _told_apart(rows: tuple[PublishedRate, ...]) -> ToldApart:
    shares = {row.name: row.shares for row in rows}
    return ToldApart(
        worst=n_shares_apart(shares, N_SCENES, worst=True),
        unrelated=n_shares_apart(shares, N_SCENES),
        items=n_shares_apart(shares, N_ITEMS),
    )


def unknown_pairs(name: str, first: Shares, second: Shares, scenes: Shares = N_SCENES) -> UnknownPairs:
    """First less second, at the worst and the best way in which pairs and scenes can have fallen; p not adjusted."""
    n = 100 * len(first)
    gaps = [one - other for one, other in zip(first, second, strict=True)]
    most = [min(one, 1 - other) + min(other, 1 - one) for one, other in zip(first, second, strict=True)]
    worst, best = _counts(gaps, most, scenes, n), _counts(gaps, [abs(gap) for gap in gaps], (100.0,) * len(first), n)
    method = "tango, pairs fallen at worst, items of a scene alike"
    estimate = Estimate(sum(gaps) / len(gaps), *tango_interval(*worst), n, 0, method)
    return UnknownPairs(name, sum(first) / len(first), sum(second) / len(second), estimate, _p(worst), _p(best))


def adjusted(pairs: Sequence[UnknownPairs]) -> tuple[UnknownPairs, ...]:
    """With p by Holm over all of them."""
    worst, best = (holm(p).tolist() for p in ([one.p_worst for one in pairs], [one.p_best for one in pairs]))
    return tuple(replace(one, p_worst=a, p_best=b) for one, a, b in zip(pairs, worst, best, strict=True))


def _counts(gaps: list[float], discordant: list[float], scenes: Shares, n: int) -> tuple[float, float, float]:
    """Pairs in which only the first, only the second is a yes, and all, at what the scenes are worth."""
    spread = [share - gap * gap for share, gap in zip(discordant, gaps, strict=True)]
    plain = sum(spread) / 100
    clustered = sum(part / worth for part, worth in zip(spread, scenes, strict=True))
    scale = clustered / plain if plain > 0 else max(100 / worth for worth in scenes)
    only_first = sum(100 * (share + gap) / 2 for share, gap in zip(discordant, gaps, strict=True))
    only_second = sum(100 * (share - gap) / 2 for share, gap in zip(discordant, gaps, strict=True))
    return only_first / scale, only_second / scale, n / scale


def _p(counts: tuple[float, float, float]) -> float:
    """McNemar's score test, of which Tango's interval is the inverse."""
    first, second, _ = counts
    z = abs(first - second) / math.sqrt(first + second) if first + second > 0 else 0.0
    return 2 * NormalDist().cdf(-z)


def _by_stimulus(row: PublishedRate) -> tuple[Estimate, ...]:
    cells = zip(row.shares, N_ITEMS, N_SCENES, strict=True)
    return tuple(Estimate(share, *wilson_interval(share, worth), n, 0, "wilson") for share, n, worth in cells)


def _judges() -> JudgeAgreement:
    gpt, human = published_rates("gpt"), published_rates("human")
    averages = np.array([row.mean for row in gpt]), np.array([row.mean for row in human])
    cells = np.array([row.shares for row in gpt]), np.array([row.shares for row in human])
    gaps = np.abs(cells[0] - cells[1])
    i, k = np.unravel_index(int(gaps.argmax()), gaps.shape)
    return JudgeAgreement(
        models=spearman(*averages),
        cells=spearman(cells[0].ravel(), cells[1].ravel()),
        pearson=float(np.corrcoef(*averages)[0, 1]),
        mean_gap=float(np.abs(averages[0] - averages[1]).mean()),
        mean_cell_gap=float(gaps.mean()),
        worst=(gpt[i].name, STIMULI[k], float(cells[0][i, k]), float(cells[1][i, k])),
        gaps=adjusted([unknown_pairs(a.name, a.shares, b.shares) for a, b in zip(gpt, human, strict=True)]),
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
    table = {row["condition"]: shares_of(row) for row in read("prompts")}
    vanilla = table.pop("vanilla")
    found = [
        pair
        for shares in table.values()
        for pair in (
            unknown_pairs("all", shares, vanilla),
            *(unknown_pairs(name, (shares[k],), (vanilla[k],), (N_SCENES[k],)) for k, name in enumerate(STIMULI)),
        )
    ]
    each = 1 + len(STIMULI)
    pairs = adjusted(found)
    return tuple((condition, pairs[each * i : each * (i + 1)]) for i, condition in enumerate(table))


def _stages() -> tuple[StageShare, ...]:
    """Of 30 refusals a model, ten a stimulus, how many go away at which step."""
    left: dict[str, list[int]] = {}
    for row in read("oracle"):
        left.setdefault(row["model"], [30]).append(round(10 * sum(shares_of(row))))
    return tuple(
        StageShare(model, stage, wilson(count, 30))
        for model, (start, described, told) in left.items()
        for stage, count in zip(STAGES, (start - described, described - told, told), strict=True)
    )


def _without_gaps() -> tuple[WithoutGaps, ...]:
    """Rates without the rows of `missing.csv`, all of which were counted as refused."""
    table = {(row.availability, row.model): row for row in published_rates("gpt")}
    found = []
    for line in read("missing"):
        row, gone = table[line["availability"], line["model"]], [int(line[stimulus]) for stimulus in STIMULI]
        refused, n = round(100 * sum(row.shares)) - sum(gone), sum(N_ITEMS) - sum(gone)
        found.append(WithoutGaps(row.name, line["what"], sum(gone), row.mean, wilson(refused, n, n_left_out=sum(gone))))
    return tuple(found)
