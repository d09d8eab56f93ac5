"""Charts of dots on intervals, for every analysis: one row a number, one column a group."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mossbench.look.charts import INK, SOFT, THEME
from mossbench.look.page import visible
from mossbench.reports.rate_charts import BAND
from mossbench.statistics import Estimate

STRONG = "#c8452a"
"""For what was shown; all else is in ink."""


@dataclass(frozen=True)
class Dot:
    """A number to draw."""

    row: str
    estimate: Estimate
    column: str = ""
    strong: bool = False


def dots(
    drawn: Iterable[Dot], *, title: str, subtitle: str, domain: tuple[float, float] | None = None, width: int = 520
) -> Any:
    """Dots on intervals in per cent, in columns where there are several; None when there is nothing to draw."""
    import altair as alt

    cells = [_cell(dot) for dot in drawn]
    if not any(cell["value"] is not None for cell in cells):
        return None
    rows, columns = (list(dict.fromkeys(cell[name] for cell in cells)) for name in ("row", "column"))
    scale = alt.Scale(domain=list(domain or _domain(cells)), clamp=True, nice=False)
    axis = alt.Axis(title=None, labelExpr="format(100 * datum.value, '~f') + '\u202f%'", labelFlush=False, grid=True)
    axis.values = _ticks(*scale.domain, fewest=3 if len(columns) > 3 else 5)
    x = alt.X("value:Q", scale=scale, axis=axis)
    bare = alt.Chart(alt.InlineData(cells))
    base = bare.encode(y=alt.Y("row:N", sort=rows, title=None))
    color = alt.condition("datum.strong", alt.value(STRONG), alt.value(INK))
    band = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=6, color=BAND)
    known = base.transform_filter("isValid(datum.value)")
    layers = [
        bare.mark_rule(color=SOFT, strokeWidth=1).encode(x=alt.XDatum(0, scale=scale, axis=axis)),
        band.encode(x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"),
        known.mark_point(filled=True, size=80, opacity=1).encode(x=x, color=color),
    ]
    shown = alt.layer(*layers).properties(
        width=width if len(columns) == 1 else width // len(columns), height=26 * len(rows)
    )
    heading = alt.Title(visible(title), subtitle=visible(subtitle))
    if len(columns) > 1:
        chart: Any = shown.facet(column=alt.Column("column:N", sort=columns, title=None), title=heading, spacing=44)
    else:
        chart = shown.properties(title=heading)
    spoken = f"{title}. " + "; ".join(_spoken(cell) for cell in cells)
    return chart.properties(description=visible(spoken)).configure(
        **{**THEME, "axisY": {**THEME["axisY"], "minExtent": 0}}
    )


def _cell(dot: Dot) -> dict[str, Any]:
    numbers = {name: getattr(dot.estimate, name) for name in ("value", "low", "high")}
    known = {name: None if math.isnan(x) else x for name, x in numbers.items()}
    return {"row": visible(dot.row), "column": visible(dot.column), "strong": dot.strong, **known}


def _domain(cells: Sequence[dict[str, Any]]) -> tuple[float, float]:
    ends = [cell[name] for cell in cells for name in ("low", "value", "high") if cell[name] is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
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
