"""Dots on intervals: the one chart of estimates, and the charts of a report for slides and papers."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mossbench.look.charts import COLOURS, Chart, themed, vega_lite
from mossbench.look.numbers import NOT_KNOWN, percent
from mossbench.look.page import visible
from mossbench.plumbing.json_values import as_json_value
from mossbench.reports.ranking import compare_runs
from mossbench.reports.record import Report
from mossbench.reports.words.rates import REQUESTS
from mossbench.reports.words.report_page import compared_spoken
from mossbench.reports.words.runs import comparison_words, run_names
from mossbench.results.rates import Rate
from mossbench.statistics import Estimate

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Dot:
    row: str
    estimate: Estimate
    column: str = ""
    text: str = ""
    """Beside the row."""
    strong: bool = False
    """In red: it is shown."""
    harmful: bool = False
    """A blue diamond."""


def dots(
    drawn: Iterable[Dot],
    title: str,
    subtitle: str,
    *,
    domain: tuple[float, float] | None = None,
    width: int = 460,
    differences: bool = False,
) -> Chart:
    """Dots on intervals in per cent, or in points for differences; what is not known is not drawn.

    One column may be without a title: a paper has captions.
    """
    drawable = [_with_drawable_names(dot) for dot in drawn]
    columns = list(dict.fromkeys(dot.column for dot in drawable))
    low, high = domain or _domain(drawable)
    return vega_lite(
        "dots",
        cells=[_cell(dot) for dot in drawable],
        rows=list(dict.fromkeys(dot.row for dot in drawable)),
        columns=columns,
        domain=(low, high),
        ticks=_ticks(low, high, fewest=3 if len(columns) > 3 else 5),
        width=width,
        differences=differences,
        title=visible(title),
        subtitle=visible(subtitle),
        says=visible(f"{title}. " + "; ".join(map(_spoken, drawable))),
    )


def _with_drawable_names(dot: Dot) -> Dot:
    return replace(dot, row=_drawable(dot.row), column=_drawable(dot.column), text=_drawable(dot.text))


def _drawable(text: str) -> str:
    """The drawing breaks on a label that is cut within a pair of surrogates, which some characters are to it."""
    return _ASTRAL.sub(lambda match: f"⟨U+{ord(match[0]):X}⟩", visible(text))


def _cell(dot: Dot) -> dict[str, object]:
    """A line of the chart's data, as JSON."""
    ink = "twin" if dot.harmful else "ink"
    return {
        "row": dot.row,
        "column": dot.column,
        "text": dot.text,
        "ink": COLOURS["strong" if dot.strong else ink],
        "band": COLOURS["twin_band" if dot.harmful else "band"],
        "shape": "diamond" if dot.harmful else "circle",
        **as_json_value(dot.estimate),
    }


def _domain(drawn: Sequence[Dot]) -> tuple[float, float]:
    low = 0.0
    high = 0.0
    for dot in drawn:
        estimate = dot.estimate
        for end in (estimate.low, estimate.value, estimate.high):
            if math.isfinite(end):
                low = min(low, end)
                high = max(high, end)
    if low == high:  # all are 0
        high = 0.1
    step = 0.1 if high - low > 0.3 else 0.05
    return max(-1.0, math.floor(low / step) * step), min(1.0, math.ceil(high / step) * step)


def _ticks(low: float, high: float, *, fewest: int) -> list[float]:
    """Round numbers on the axis, zero among them, `fewest` or up to twice as many."""
    steps = (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01)
    step = next(step for step in steps if (high - low) / step >= fewest - 1 - 1e-9)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 4) for i in range(first, last + 1)]


def _spoken(dot: Dot) -> str:
    where = f"{dot.row}, {dot.column}" if dot.column else dot.row
    value = f"{100 * dot.estimate.value:.0f} %" if math.isfinite(dot.estimate.value) else "not known"
    return f"{where}: {value}"


KINDS = {
    "answered": "#04675c",
    "complied": "#04675c",
    "warned": "#01a0a4",
    "clarified": "#5f83b5",
    "partial": "#595aa8",
    "deflected": "#dc7519",
    "refused": "#c8452a",
    "incapable": "#c25884",
    "blocked": "#5b252b",
    "empty": "#8d6f72",
    "failed": "#68726b",
    "unjudged": "#a5ada8",
    "not asked": "#d3d8d4",
}
"""The colour of each outcome, in the order of a bar."""
_WIDTH = 560


def report_chart(reports: Sequence[Report]) -> Chart:
    """One run: its outcomes and its rates by stimulus. Several: their headline rates on one axis."""
    if len(reports) == 1:
        (report,) = reports
        blocks = [_run_rates(report)]
        if report.n_rows:
            blocks.insert(0, _layers(report))
        spoken = f"{report.headline} {report.lede}"
    else:
        names = run_names(reports)
        named_rates = [(name, report.rate) for name, report in zip(names, reports, strict=True)]
        dots_of_runs = [_dot_among_runs(name, rate) for name, rate in named_rates]
        blocks = [_rates(dots_of_runs, comparison_words(compare_runs(reports, names)).title)]
        spoken = compared_spoken(named_rates).removesuffix(". ")
    together = {"vconcat": blocks, "spacing": 36, "resolve": {"legend": {"color": "independent"}}}
    return themed(together, spoken, labels=240)


def _run_rates(report: Report) -> Chart:
    stimuli = next((group.rates for group in report.groups if group.by == "stimulus"), ())
    rows = [rate_dot(rate.group, rate) for rate in stimuli]
    rows.append(rate_dot(f"All {REQUESTS[report.side]}", report.rate))
    if report.harmful:
        rows.append(rate_dot(f"All {report.harmful_name}", report.harmful, harmful=True))
    return _rates(rows, report.headline)


def rate_dot(name: str, rate: Rate, *, harmful: bool = False) -> Dot:
    text = f"{percent(rate.estimate.value)} · {rate.refused} of {rate.estimate.n}"
    return Dot(name, rate.estimate, text=text, harmful=harmful)


def _dot_among_runs(name: str, rate: Rate) -> Dot:
    """The same, without a number for a rate that is not known."""
    if rate.is_known:
        return rate_dot(name, rate)
    unknown = replace(rate.estimate, value=math.nan, low=math.nan, high=math.nan)
    return Dot(name, unknown, text=NOT_KNOWN)


def _rates(drawn: list[Dot], title: str) -> Chart:
    return dots(drawn, title.rstrip("."), "refused, with 95 % intervals", width=_WIDTH)


def _layers(report: Report) -> Chart:
    row = f"All {REQUESTS[report.side]}"  # stands on the axis of the rates below, so that both blocks align
    cells = []
    for place, share in enumerate(report.shares):
        cells.append({"row": row, "kind": share.label.capitalize(), "n": share.n, "at": place})
    counts = ", ".join(f"{share.n} {share.label}" for share in report.shares)
    kinds = [KINDS[share.label] for share in report.shares]
    return vega_lite("outcomes", n=report.n_rows, counts=counts, cells=cells, kinds=kinds, width=_WIDTH)
