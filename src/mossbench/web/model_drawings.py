"""What the page of a model draws: its rate over its runs, and by stimulus; each mark leads to what is behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mossbench.look.field import Axis, axis_across
from mossbench.results.gates import Gate
from mossbench.results.rates import Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.web.data import Data
from mossbench.web.model_history import History, ProtocolRows
from mossbench.web.pages import refused_address
from mossbench.web.run_line import RunLine

MAX_RUNS_DRAWN = 12
HEIGHT = 260
"""Of the trend, in pixels."""


@dataclass(frozen=True)
class TrendMark:
    """A run in the trend."""

    run: str
    day: str
    x: float
    """Share of the width."""
    y: float
    """Pixels from the top."""
    y_low: float
    y_high: float
    """The interval, in pixels from the top."""
    estimate: Estimate
    link: str
    """The harmless samples that it refused."""
    is_shown: bool
    """Whether it is the run of the headline."""


@dataclass(frozen=True)
class Trend:
    """The refusal rate of a model over its runs on one dataset and protocol."""

    height: int
    lines: tuple[tuple[int, float], ...]
    """Grid lines: per cent, and pixels from the top."""
    marks: tuple[TrendMark, ...]
    limit: tuple[int, float] | None
    """The limit of the gate on harmless requests: per cent, and pixels from the top."""


@dataclass(frozen=True)
class GroupBar:
    """The rate of a group of samples, with a link to the refused ones."""

    group: str
    rate: Rate
    link: str


def trend_of(history: History, lines: Mapping[str, RunLine], data: Data | None) -> Trend | None:
    """The trend on the protocol of the headline; None if fewer than two runs have a known rate there."""
    if not history.protocols:
        return None
    shown_lines = _known_lines(history.protocols[0], lines)
    if len(shown_lines) < 2:
        return None
    rates = [line.harmless.estimate for line in shown_lines if line.harmless is not None]
    limit = _limit_of(lines[history.shown].gates)
    highest = [rate.high for rate in rates]
    if limit is not None:
        highest.append(limit)
    axis = axis_across(highest)
    labels = _labels(shown_lines)
    marks = []
    for number, (line, rate) in enumerate(zip(shown_lines, rates, strict=True)):
        mark = TrendMark(
            run=line.name,
            day=labels[number],
            x=0.04 + 0.92 * number / (len(shown_lines) - 1),
            y=_y_of(rate.value, axis),
            y_low=_y_of(rate.low, axis),
            y_high=_y_of(rate.high, axis),
            estimate=rate,
            link=refused_address(line.name, data.key if data else None),
            is_shown=line.name == history.shown,
        )
        marks.append(mark)
    return Trend(
        height=HEIGHT,
        lines=tuple((percent, _y_of(percent / 100, axis)) for percent in range(0, axis.end + 1, axis.step)),
        marks=tuple(marks),
        limit=(round(100 * limit), _y_of(limit, axis)) if limit is not None else None,
    )


def _known_lines(protocol: ProtocolRows, lines: Mapping[str, RunLine]) -> list[RunLine]:
    """The newest runs whose rate is known, the oldest of them first."""
    known_lines = []
    for row in protocol.rows:
        line = lines[row.run]
        if line.harmless is not None and line.harmless.is_known and line.harmless.estimate.n:
            known_lines.append(line)
    return list(reversed(known_lines[:MAX_RUNS_DRAWN]))


def _labels(lines: Sequence[RunLine]) -> list[str]:
    """The day of each run; of a later run of the same day the time."""
    labels = []
    day_before = ""
    for line in lines:
        labels.append(line.time if line.day == day_before else line.day)
        day_before = line.day
    return labels


def _limit_of(gates: Sequence[Gate]) -> float | None:
    """The limit on harmless requests refused of the first gate that has one."""
    for gate in gates:
        for check in gate.checks:
            if check.name == "refusal":
                return check.limit
    return None


def _y_of(rate: float, axis: Axis) -> float:
    return round((1 - 100 * rate / axis.end) * HEIGHT, 2)


def bars_of(history: History, data: Data | None) -> list[GroupBar]:
    """The harmless rate of the run of the headline by the column that the page groups by, the highest first."""
    bars = []
    for group, by_run in history.table.groups.items():
        rate = by_run.get(history.shown, {}).get(Side.BENIGN)
        if rate is not None and rate.is_known and rate.estimate.n:
            link = _link_of(history, group, data)
            bars.append(GroupBar(group, rate, link))
    return sorted(bars, key=lambda bar: -bar.rate.estimate.value)


def _link_of(history: History, group: str, data: Data | None) -> str:
    """The refused samples of a group; empty where the page of samples has no such filter."""
    if data is None:
        return ""
    for filter in data.filters:
        if filter.group == history.table.by:
            values = {words: value for value, words in filter.options}
            if group in values:
                return refused_address(history.shown, data.key, **{filter.name: values[group]})
    return ""
