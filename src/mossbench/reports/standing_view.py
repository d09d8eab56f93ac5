"""The standing of models on Home: a row for each model, and a plot of their rates on harmless and harmful requests.

The plot is laid out twice, for wide and for narrow windows; `look.field` chooses its axes and the places of the names.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.look.field import (
    NARROW,
    WIDE,
    Axis,
    Box,
    Name,
    NamedDot,
    Widths,
    axis_across,
    axis_down,
    place_names,
)
from mossbench.reports.words.standing import (
    leaders,
    lowest_rate_sentences,
    place_name,
    protocol_words,
    significance_sentences,
    verdict,
    whole_place_name,
)
from mossbench.results.rates import Corrected
from mossbench.statistics import Estimate

HEIGHTS = {"wide": 400, "narrow": 216}
"""Of the plot in pixels, by its style: with the verdict above and three rows below, a phone shows it whole."""
_INTERVAL_MARGIN = 4
"""Pixels to either side of an interval's line that no name should cover."""


class Stance(StrEnum):
    """How a model compares with the others; pages show the values."""

    FEWEST = "fewest"
    NOT_TOLD_APART = "no significant difference"
    MORE = "refuses more"
    LESS_SAFE = "less safe"
    SAFETY_UNKNOWN = "safety not known"


class PlaceLinks(NamedTuple):
    """Where a model leads."""

    model: str
    """Its page."""
    refused: str
    """The harmless samples that it refused."""


@dataclass(frozen=True)
class PlaceView:
    """A model in the table."""

    name: str
    whole_name: str
    """However long it is."""
    link: str
    """Its page."""
    refused_link: str
    """The harmless samples that it refused."""
    run: str
    """Empty for a submission."""
    harmless_refused: Estimate
    harmful_refused: Estimate | None
    corrected: Corrected | None
    less_safe_than: frozenset[str]
    on_front: bool
    """Whether no other model is better on both sides."""
    leads: bool
    """Whether it has the lowest rate on harmless requests, alone or with others."""
    stance: Stance

    @property
    def is_as_safe(self) -> bool:
        """Whether it differs from the others on the harmless side only: it is not shown to be less safe."""
        return self.stance not in (Stance.LESS_SAFE, Stance.SAFETY_UNKNOWN)


@dataclass(frozen=True)
class Mark:
    """A model in the plot."""

    place: PlaceView
    y: float
    """Pixels from the top."""
    y_low: float
    """Where the interval of the harmful side begins, in pixels from the top."""
    y_high: float
    """Where it ends."""
    label: Name | None
    """Where its name stands; None if it is only in the table."""


@dataclass(frozen=True)
class FrontStep:
    """A step of the line that connects the models on the front: across from one to the next, then down or up."""

    x1: float
    """Share of the width."""
    x2: float
    y1: float
    """Pixels from the top."""
    y2: float


@dataclass(frozen=True)
class Drawing:
    """The plot: harmless requests refused across, harmful requests refused down."""

    style: str
    """`wide` or `narrow`: by the width of the window one of them is shown."""
    height: int
    axis_across: Axis
    bottom: int
    """Per cent at the lower end of the axis down, whose upper end is 100."""
    lines_down: tuple[tuple[int, float], ...]
    """Grid lines of the axis down: per cent, and pixels from the top."""
    marks: tuple[Mark, ...]
    front: tuple[FrontStep, ...]
    n_unnamed: int
    """Models whose names are only in the table."""


@dataclass(frozen=True)
class StandingView:
    """What pages show of a standing."""

    key: str
    before: str
    named: tuple[PlaceView, ...]
    after: str
    """The verdict: the models that it names, and the words before and after them."""
    which: tuple[str, ...]
    """Sentences on the models with the lowest rate."""
    whether_real: tuple[str, ...]
    """Sentences on whether their difference from the others is significant."""
    protocol: str
    dataset: str
    judge: str
    n_samples: int
    """Harmless samples."""
    n_harmful: int
    """Harmful samples; 0 if none counts."""
    notes: tuple[str, ...]
    rows: tuple[PlaceView, ...]
    drawings: tuple[Drawing, ...]
    """The plot, wide and narrow; empty if the harmful side of no model is known."""


def standing_values(standing: Standing, links: Callable[[Place], PlaceLinks]) -> StandingView:
    """What the templates show of a standing; `links` lead to a model and to what it refused."""
    lowest, tied = leaders(standing)
    rows = tuple(_place_view(place, links(place), lowest, tied) for place in standing.places)
    finding = verdict(standing)
    drawings: tuple[Drawing, ...] = ()
    if any(row.harmful_refused for row in rows):
        drawings = (_drawing(rows, WIDE, "wide"), _drawing(rows, NARROW, "narrow"))
    return StandingView(
        key=standing.key,
        before=finding.before,
        named=tuple(rows[standing.places.index(place)] for place in finding.places),
        after=finding.after,
        which=tuple(lowest_rate_sentences(standing)),
        whether_real=tuple(significance_sentences(standing)),
        protocol=protocol_words(standing.board),
        dataset=standing.board.dataset,
        judge=standing.board.judge,
        n_samples=standing.board.n_samples,
        n_harmful=max((_n_asked(place.harmful_refused) for place in standing.places), default=0),
        notes=standing.board.notes,
        rows=rows,
        drawings=drawings,
    )


def _n_asked(estimate: Estimate | None) -> int:
    return estimate.n + estimate.n_left_out if estimate else 0


def _place_view(place: Place, links: PlaceLinks, lowest: Sequence[Place], tied: Sequence[Place]) -> PlaceView:
    return PlaceView(
        name=place_name(place),
        whole_name=whole_place_name(place),
        link=links.model,
        refused_link=links.refused,
        run=place.run if place.model else "",
        harmless_refused=place.harmless_refused,
        harmful_refused=place.harmful_refused,
        corrected=place.corrected,
        less_safe_than=place.less_safe_than,
        on_front=place.on_front,
        leads=place in lowest,
        stance=_stance(place, lowest, tied),
    )


def _stance(place: Place, lowest: Sequence[Place], tied: Sequence[Place]) -> Stance:
    if place.less_safe_than:
        return Stance.LESS_SAFE
    if place.harmful_refused is None and any(leader.harmful_refused for leader in lowest):
        return Stance.SAFETY_UNKNOWN
    if place in lowest:
        is_alone = not tied and len(lowest) == 1
        return Stance.FEWEST if is_alone else Stance.NOT_TOLD_APART
    return Stance.NOT_TOLD_APART if place in tied else Stance.MORE


@dataclass(frozen=True)
class _Dot:
    """A model whose two rates are known, and where it stands with its intervals."""

    place: PlaceView
    x: float
    """Share of the width."""
    x_low: float
    """Share of the width."""
    x_high: float
    """Share of the width."""
    y: float
    """Pixels from the top."""
    y_low: float
    """Pixels from the top: below `y`, as the higher rates are further up."""
    y_high: float
    """Pixels from the top."""


def _drawing(rows: Sequence[PlaceView], widths: Widths, style: str) -> Drawing:
    """The plot in a window of one style, with a place for every name that has one."""
    highest_rates: list[float] = []
    lowest_rates: list[float] = []
    for row in rows:
        if row.harmful_refused:
            highest_rates += [row.harmless_refused.high, row.harmless_refused.value]
            lowest_rates += [row.harmful_refused.low, row.harmful_refused.value]
    height = HEIGHTS[style]
    across = axis_across(highest_rates)
    down = axis_down(lowest_rates)
    dots = [_dot(row, row.harmful_refused, across, down, height) for row in rows if row.harmful_refused]
    labels = _labels(dots, widths, height)
    marks = [Mark(dot.place, dot.y, dot.y_low, dot.y_high, label) for dot, label in zip(dots, labels, strict=True)]
    front = sorted((dot.x, dot.y) for dot in dots if dot.place.on_front)
    front_steps = [FrontStep(x, next_x, y, next_y) for (x, y), (next_x, next_y) in pairwise(front)]
    return Drawing(
        style=style,
        height=height,
        axis_across=across,
        bottom=down.end,
        lines_down=tuple((percent, _y_of(percent / 100, down, height)) for percent in range(down.end, 101, down.step)),
        marks=tuple(marks),
        front=tuple(front_steps),
        n_unnamed=labels.count(None),
    )


def _dot(row: PlaceView, harmful: Estimate, across: Axis, down: Axis, height: int) -> _Dot:
    harmless = row.harmless_refused
    return _Dot(
        place=row,
        x=100 * harmless.value / across.end,
        x_low=100 * harmless.low / across.end,
        x_high=100 * harmless.high / across.end,
        y=_y_of(harmful.value, down, height),
        y_low=_y_of(harmful.low, down, height),
        y_high=_y_of(harmful.high, down, height),
    )


def _y_of(rate: float, down: Axis, height: int) -> float:
    """How far down a rate of the harmful side stands, in pixels; 100 % is at the top."""
    return (100 - 100 * rate) / (100 - down.end) * height


def _labels(dots: Sequence[_Dot], widths: Widths, height: int) -> list[Name | None]:
    """Where the names stand; those of models that lead or are on the front are placed first."""
    named_dots = [NamedDot(dot.place.name, dot.x, dot.y) for dot in dots]
    important = [i for i, dot in enumerate(dots) if dot.place.leads or dot.place.on_front]
    margin = _INTERVAL_MARGIN
    bands_across = [Box(dot.x_low, dot.x_high, 0, 0, dot.y - margin, dot.y + margin) for dot in dots]
    bands_down = [Box(dot.x, dot.x, -margin, margin, dot.y_high, dot.y_low) for dot in dots]
    return place_names(named_dots, widths, important, [*bands_across, *bands_down], height)
