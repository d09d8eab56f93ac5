"""The charts of a report for slides and papers: outcomes, and rates with intervals. Drawn by Altair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mossbench.errors import needing
from mossbench.look.charts import INK, SOFT, THEME
from mossbench.look.numbers import percent, stated
from mossbench.look.page import visible
from mossbench.reports.record import Report
from mossbench.reports.wording import REQUESTS, compared, run_names
from mossbench.statistics import Estimate

if TYPE_CHECKING:
    import altair as alt

BAND, TWIN, TWIN_BAND = "#a9b8ac", "#2f5f95", "#a8bfd9"
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
_WIDTH, _ROW = 560, 30


def report_chart(reports: Sequence[Report]) -> alt.VConcatChart:
    """One run: its outcomes and its rates by stimulus. Several: their headline rates on one axis."""
    with needing("a chart", "charts"):
        import altair as alt
    if len(reports) == 1:
        blocks: list[Any] = [*([_layers(reports[0])] if reports[0].n_rows else []), _run_rates(reports[0])]
        spoken = f"{reports[0].headline} {reports[0].lede}"
    else:
        named = list(zip(run_names(reports), reports, strict=True))
        rows = [(name, r.rate.estimate, r.rate.refused, False) for name, r in named]
        blocks = [_rates(rows, compared(reports)["title"].rstrip("."))]
        spoken = ". ".join(f"{name}: {stated(r.rate.estimate, r.rate.refused)}" for name, r in named)
    theme = {**THEME, "axisY": {**THEME["axisY"], "minExtent": 240}}
    chart = alt.vconcat(*blocks, spacing=36, description=visible(spoken)).resolve_legend(color="independent")
    themed: alt.VConcatChart = chart.configure(**theme)
    return themed


def _run_rates(report: Report) -> Any:
    stimuli = next((group.rates for group in report.groups if group.by == "stimulus"), ())
    rows = [(rate.group, rate.estimate, rate.refused, False) for rate in stimuli]
    rows.append((f"All {REQUESTS[report.side]}", report.rate.estimate, report.rate.refused, False))
    if report.harmful:
        rows.append((f"All {report.those}", report.harmful.estimate, report.harmful.refused, True))
    return _rates(rows, report.headline.rstrip("."))


def _layers(report: Report) -> Any:
    import altair as alt

    row = f"All {REQUESTS[report.side]}"  # stands on the axis of the rates below, so that both blocks align
    shares = enumerate(report.shares)
    cells = [{"row": row, "kind": share.label.capitalize(), "n": share.n, "at": i} for i, share in shares]
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
            title=alt.Title(f"Outcomes of the {report.n_rows} rows", subtitle=_counts(report)),
        )
    )


def _counts(report: Report) -> str:
    return ", ".join(f"{share.n} {share.label}" for share in report.shares)


def _rates(rows: list[tuple[str, Estimate, int, bool]], title: str) -> Any:
    """A dot on an interval for each row, harmful twins a diamond; what is not known is not drawn."""
    import altair as alt

    cells = [_cell(*row) for row in rows]
    most = max((cell["high"] for cell in cells if cell["high"] is not None), default=1.0)
    top = next(t for t in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if most <= t)
    ticks = [top * i / 4 for i in range(5)]
    axis = alt.Axis(title=None, values=ticks, labelExpr="format(100 * datum.value, '~f') + '\u202f%'", labelFlush=False)
    base = alt.Chart(alt.InlineData(cells)).encode(y=alt.Y("row:N", sort=[cell["row"] for cell in cells], title=None))
    x = alt.X("value:Q", scale=alt.Scale(domain=[0, top]), axis=axis)
    marks = []
    for twin, band, dot, shape in ((False, BAND, INK, "circle"), (True, TWIN_BAND, TWIN, "diamond")):
        some = base.transform_filter(f"datum.twin === {str(twin).lower()}")
        known = some.transform_filter("isValid(datum.low)")
        marks.append(known.mark_rule(strokeWidth=6, color=band).encode(x=alt.X("low:Q", axis=axis), x2="high:Q"))
        marks.append(
            some.transform_filter("isValid(datum.value)")
            .mark_point(filled=True, size=90, color=dot, opacity=1, shape=shape)
            .encode(x=x)
        )
    text = base.mark_text(align="left", fontSize=13, color=INK, dx=12).encode(x=alt.value(_WIDTH), text="text:N")
    subtitle = "refused, with 95 % intervals"
    return alt.layer(*marks, text).properties(
        width=_WIDTH, height=_ROW * len(rows), title=alt.Title(visible(title), subtitle=subtitle)
    )


def _cell(name: str, estimate: Estimate, refused: int, twin: bool) -> dict[str, Any]:
    numbers = {key: getattr(estimate, key) for key in ("value", "low", "high")}
    return {
        "row": visible(name),
        "twin": twin,
        "text": f"{percent(estimate.value)} · {refused} of {estimate.n}",
        **{key: None if math.isnan(value) else value for key, value in numbers.items()},
    }
