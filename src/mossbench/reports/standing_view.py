"""Where models stand as a page shows it: a row for each model, and both rates as a drawing, wide and narrow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.look.field import HEIGHT, NARROW, WIDE, Box, Name, NamedDot, Widths, axis_across, axis_down, place_names
from mossbench.reports.words.standing import (
    heading,
    leaders,
    lowest_rate_sentences,
    place_name,
    protocol_words,
    significance_sentences,
)
from mossbench.results.rates import Corrected
from mossbench.statistics import Estimate

_BAND = 4  # pixels to either side of an interval's line that no name should cover


class Stance(StrEnum):
    """How a model compares with the others; pages show the values."""

    FEWEST = "fewest"
    NOT_TOLD_APART = "no significant difference"
    MORE = "refuses more"
    LESS_SAFE = "less safe"
    SAFETY_UNKNOWN = "safety not known"


@dataclass(frozen=True)
class PlaceView:
    """A model in the table."""

    name: str
    link: str
    run: str
    """Empty for a submission."""
    harmless_refused: Estimate
    harmful_refused: Estimate | None
    corrected: Corrected | None
    less_safe_than: frozenset[str]
    front: bool
    leads: bool
    says: Stance
    """How it compares with the others."""

    @property
    def is_as_safe(self) -> bool:
        """Whether it differs from the others on the harmless side only: it is not shown to be less safe."""
        return self.says not in (Stance.LESS_SAFE, Stance.SAFETY_UNKNOWN)


@dataclass(frozen=True)
class Mark:
    """A model in the drawing; what is down is in pixels."""

    place: PlaceView
    y: float
    ends: tuple[float, float]
    """Of the interval of the harmful side."""
    label: Name | None
    """Where its name stands; None: only in the table."""


@dataclass(frozen=True)
class Drawing:
    """Both rates of each model; the front as steps between its dots."""

    style: str
    """`wide` or `narrow`: by the width of the window one of them is shown."""
    height: int
    top: int
    """Per cent at the right end of the axis."""
    bottom: int
    """Per cent at the lower end of the other."""
    lines: tuple[tuple[int, float], ...]
    """Per cent, and how far down."""
    step: int
    marks: tuple[Mark, ...]
    steps: tuple[tuple[float, float, float, float], ...]
    """From across to across, from down to down."""
    n_unnamed: int


@dataclass(frozen=True)
class StandingView:
    key: str
    heading: str
    which: tuple[str, ...]
    whether_real: tuple[str, ...]
    protocol: str
    dataset: str
    n_samples: int
    notes: tuple[str, ...]
    rows: tuple[PlaceView, ...]
    drawings: tuple[Drawing, ...]
    """Empty where the harmful side of no model is known."""


def standing_values(standing: Standing, link: Callable[[Place], str]) -> StandingView:
    """What the templates show of a standing; `link` leads to a model."""
    lowest, tied = leaders(standing)
    rows = tuple(_place_view(place, link(place), lowest, tied) for place in standing.places)
    drawings: tuple[Drawing, ...] = ()
    if any(row.harmful_refused for row in rows):
        drawings = (_drawing(rows, WIDE, "wide"), _drawing(rows, NARROW, "narrow"))
    return StandingView(
        key=standing.key,
        heading=heading(standing),
        which=tuple(lowest_rate_sentences(standing)),
        whether_real=tuple(significance_sentences(standing)),
        protocol=protocol_words(standing.board),
        dataset=standing.board.dataset,
        n_samples=standing.board.n_samples,
        notes=standing.board.notes,
        rows=rows,
        drawings=drawings,
    )


def _place_view(place: Place, link: str, lowest: Sequence[Place], tied: Sequence[Place]) -> PlaceView:
    return PlaceView(
        name=place_name(place),
        link=link,
        run=place.run if place.model else "",
        harmless_refused=place.harmless_refused,
        harmful_refused=place.harmful_refused,
        corrected=place.corrected,
        less_safe_than=place.less_safe_than,
        front=place.on_front,
        leads=place in lowest,
        says=_stance(place, lowest, tied),
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
    """A model whose two rates are known, and where it stands."""

    place: PlaceView
    x: float
    """Share of the width."""
    y: float
    y_low: float
    y_high: float


def _drawing(rows: Sequence[PlaceView], widths: Widths, style: str) -> Drawing:
    """The marks of one drawing, with a place for every name that has one."""
    upper_ends: list[float] = []
    lower_ends: list[float] = []
    for row in rows:
        if row.harmful_refused:
            upper_ends += [row.harmless_refused.high, row.harmless_refused.value]
            lower_ends += [row.harmful_refused.low, row.harmful_refused.value]
    top, step = axis_across(upper_ends)
    bottom, rise = axis_down(lower_ends)

    def y_of(share: float) -> float:
        return (100 - 100 * share) / (100 - bottom) * HEIGHT

    dots = []
    for row in rows:
        if row.harmful_refused:
            x = 100 * row.harmless_refused.value / top
            dots.append(
                _Dot(
                    row,
                    x,
                    y_of(row.harmful_refused.value),
                    y_of(row.harmful_refused.low),
                    y_of(row.harmful_refused.high),
                )
            )
    labels = _labels(dots, widths, top)
    marks = [Mark(dot.place, dot.y, (dot.y_low, dot.y_high), label) for dot, label in zip(dots, labels, strict=True)]
    front = sorted((dot.x, dot.y) for dot in dots if dot.place.front)
    steps = [(x, next_x, y, next_y) for (x, y), (next_x, next_y) in pairwise(front)]
    return Drawing(
        style=style,
        height=HEIGHT,
        top=top,
        bottom=bottom,
        lines=tuple((percent, y_of(percent / 100)) for percent in range(bottom, 101, rise)),
        step=step,
        marks=tuple(marks),
        steps=tuple(steps),
        n_unnamed=labels.count(None),
    )


def _labels(dots: Sequence[_Dot], widths: Widths, top: int) -> list[Name | None]:
    """Where the names stand; those that lead or are on the front are placed first."""
    named_dots = [NamedDot(dot.place.name, dot.x, dot.y) for dot in dots]
    important = [i for i, dot in enumerate(dots) if dot.place.leads or dot.place.front]
    bands: list[Box] = []
    for dot in dots:
        over = dot.place.harmless_refused
        bands.append(Box(100 * over.low / top, 100 * over.high / top, 0, 0, dot.y - _BAND, dot.y + _BAND))
    for dot in dots:
        bands.append(Box(dot.x, dot.x, -_BAND, _BAND, dot.y_high, dot.y_low))
    return place_names(named_dots, widths, important, bands)
