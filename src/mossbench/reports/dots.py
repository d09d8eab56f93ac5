"""Dots on intervals: the one chart of estimates, and the charts of a report for slides and papers. Drawn by Altair."""

import math
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.errors import needing
from mossbench.look.charts import INK, SOFT, THEME
from mossbench.look.numbers import percent, stated
from mossbench.look.page import visible
from mossbench.reports.record import Report
from mossbench.reports.wording import REQUESTS, compared, run_names
from mossbench.results.rates import Rate
from mossbench.statistics import Estimate

BAND, TWIN, TWIN_BAND, STRONG = "#a9b8ac", "#2f5f95", "#a8bfd9", "#c8452a"
PERCENT = "format(100 * datum.value, '~f') + '\u202f%'"
_POINTS = "datum.value == 0 ? '0' : format(100 * datum.value, '+~f')"
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
) -> Any:
    """Dots on intervals in per cent, or in points for differences; what is not known is not drawn.

    One column may be without a title: a paper has captions.
    """
    import altair as alt

    cells = [_cell(dot) for dot in drawn]
    rows, columns = (list(dict.fromkeys(cell[name] for cell in cells)) for name in ("row", "column"))
    low, high = domain or _domain(cells)
    ticks = _ticks(low, high, fewest=3 if len(columns) > 3 else 5)
    label = _POINTS if differences else PERCENT
    axis = alt.Axis(title=None, labelExpr=label, labelFlush=False, grid=True, values=ticks)
    at: dict[str, Any] = {"axis": axis, "scale": alt.Scale(domain=[low, high], clamp=True, nice=False)}
    bare = alt.Chart(alt.InlineData(cells))
    base = bare.encode(y=alt.Y("row:N", sort=rows, title=None))
    band = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=6)
    dot = base.transform_filter("isValid(datum.value)").mark_point(filled=True, size=90, opacity=1)
    layers: list[Any] = [
        bare.mark_rule(color=SOFT, strokeWidth=1).encode(x=alt.XDatum(0, **at)),
        band.encode(x=alt.X("low:Q", **at), x2="high:Q", color=alt.Color("band:N", scale=None, legend=None)),
        dot.encode(
            x=alt.X("value:Q", **at),
            color=alt.Color("ink:N", scale=None, legend=None),
            shape=alt.Shape("shape:N", scale=None, legend=None),
        ),
    ]
    if any(cell["text"] for cell in cells):
        text = base.mark_text(align="left", fontSize=13, color=INK, dx=12)
        layers.append(text.encode(x=alt.value(width), text="text:N"))
    shown = alt.layer(*layers).properties(width=width // max(len(columns), 1), height=28 * len(rows))
    heading = alt.Title(visible(title), subtitle=visible(subtitle))
    if len(columns) > 1:
        facet = alt.Column("column:N", sort=columns, title=None)
        chart: Any = shown.facet(column=facet, title=heading, spacing=44)
    else:
        chart = shown.properties(title=heading) if title else shown
    return chart.properties(description=visible(f"{title}. " + "; ".join(map(_spoken, cells))))


def themed(chart: Any, says: str | None = None, *, labels: int = 0) -> Any:
    """The chart in the look of all charts, with what it says for those who do not see it.

    `labels`: how many pixels the names of rows have at least, so that blocks align.
    """
    said = chart if says is None else chart.properties(description=visible(says))
    return said.configure(**{**THEME, "axisY": {**THEME["axisY"], "minExtent": labels}})


def known(estimate: Estimate) -> dict[str, float | None]:
    numbers = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    return {name: None if math.isnan(x) else x for name, x in numbers.items()}


def _cell(dot: Dot) -> dict[str, Any]:
    ink, band, shape = (TWIN, TWIN_BAND, "diamond") if dot.harmful else (INK, BAND, "circle")
    look = {"ink": STRONG if dot.strong else ink, "band": band, "shape": shape}
    # The drawing breaks on a label that is cut within a pair of surrogates, which some characters are to it.
    shown = {name: visible(getattr(dot, name)) for name in ("row", "column", "text")}
    names = {name: _ASTRAL.sub(lambda found: f"⟨U+{ord(found[0]):X}⟩", text) for name, text in shown.items()}
    return {**names, **look, **known(dot.estimate)}


def _domain(cells: Sequence[dict[str, Any]]) -> tuple[float, float]:
    ends = [cell[name] for cell in cells for name in ("low", "value", "high") if cell[name] is not None]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    high = 0.1 if low == high else high  # all are 0
    step = 0.1 if high - low > 0.3 else 0.05
    return max(-1.0, math.floor(low / step) * step), min(1.0, math.ceil(high / step) * step)


def _ticks(low: float, high: float, *, fewest: int) -> list[float]:
    """Round numbers on the axis, zero among them, `fewest` or up to twice as many."""
    step = next(step for step in (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01) if (high - low) / step >= fewest - 1 - 1e-9)
    return [round(i * step, 4) for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _spoken(cell: dict[str, Any]) -> str:
    where = f"{cell['row']}, {cell['column']}" if cell["column"] else cell["row"]
    return f"{where}: " + ("not known" if cell["value"] is None else f"{100 * cell['value']:.0f} %")


KINDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The colour of each outcome."""
_WIDTH = 560


def report_chart(reports: Sequence[Report]) -> Any:
    """One run: its outcomes and its rates by stimulus. Several: their headline rates on one axis."""
    with needing("a chart", "charts"):
        import altair as alt
    if len(reports) == 1:
        blocks: list[Any] = [*([_layers(reports[0])] if reports[0].n_rows else []), _run_rates(reports[0])]
        spoken = f"{reports[0].headline} {reports[0].lede}"
    else:
        named = list(zip(run_names(reports), reports, strict=True))
        blocks = [_rates([rate_dot(name, r.rate) for name, r in named], compared(reports)["title"])]
        spoken = ". ".join(f"{name}: {stated(r.rate.estimate, r.rate.refused)}" for name, r in named)
    return themed(alt.vconcat(*blocks, spacing=36).resolve_legend(color="independent"), spoken, labels=240)


def _run_rates(report: Report) -> Any:
    stimuli = next((group.rates for group in report.groups if group.by == "stimulus"), ())
    rows = [rate_dot(rate.group, rate) for rate in stimuli]
    rows.append(rate_dot(f"All {REQUESTS[report.side]}", report.rate))
    if report.harmful:
        rows.append(rate_dot(f"All {report.those}", report.harmful, harmful=True))
    return _rates(rows, report.headline)


def rate_dot(name: str, rate: Rate, *, harmful: bool = False) -> Dot:
    text = f"{percent(rate.estimate.value)} · {rate.refused} of {rate.estimate.n}"
    return Dot(name, rate.estimate, text=text, harmful=harmful)


def _rates(drawn: list[Dot], title: str) -> Any:
    return dots(drawn, title.rstrip("."), "refused, with 95 % intervals", width=_WIDTH)


def _layers(report: Report) -> Any:
    import altair as alt

    row = f"All {REQUESTS[report.side]}"  # stands on the axis of the rates below, so that both blocks align
    shares = enumerate(report.shares)
    cells = [{"row": row, "kind": share.label.capitalize(), "n": share.n, "at": i} for i, share in shares]
    counts = ", ".join(f"{share.n} {share.label}" for share in report.shares)
    kinds = [share.label for share in report.shares]
    scale = alt.Scale(domain=[kind.capitalize() for kind in kinds], range=[KINDS[kind] for kind in kinds])
    legend = alt.Legend(orient="bottom", title=None, labelFontSize=13, labelColor=SOFT, symbolType="square", columns=6)
    return (
        alt.Chart(alt.InlineData(cells))
        .mark_bar(height=34, stroke="white", strokeWidth=1)
        .encode(
            x=alt.X("n:Q", axis=None, stack=True, scale=alt.Scale(nice=False)),
            y=alt.Y("row:N", title=None),
            color=alt.Color("kind:N", scale=scale, legend=legend),
            order="at:Q",
        )
        .properties(
            width=_WIDTH,
            height=36,
            title=alt.Title(f"Outcomes of the {report.n_rows} rows", subtitle=counts),
        )
    )
