"""What charts of analyses are made of: dots on intervals, and the plane of both rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mossbench.analyses.fields import Placed
from mossbench.look.charts import INK, SOFT, THEME
from mossbench.look.numbers import percent, points
from mossbench.look.page import visible
from mossbench.reports.rate_charts import BAND, TWIN
from mossbench.statistics import Estimate

WIDTH, HEIGHT, ROW = 460, 340, 30
FLAT_THEME = {**THEME, "axisY": {**THEME["axisY"], "minExtent": 0}}
"""For charts whose vertical axis is a number."""
LABEL_THEME = {**THEME, "axisY": {**THEME["axisY"], "minExtent": 190}}
_PERCENT = "format(100 * datum.value, '~f') + '\u202f%'"
_POINTS = "datum.value == 0 ? '0' : format(100 * datum.value, '+~f')"


@dataclass(frozen=True)
class Dot:
    """One row of a chart of intervals."""

    row: str
    estimate: Estimate
    harmful: bool = False


def intervals(dots: Sequence[Dot], title: str, subtitle: str, *, differences: bool = False) -> Any:
    """Dots on their intervals, a row each, harmful ones as diamonds; about zero for differences."""
    import altair as alt

    cells = [_cell(dot, differences) for dot in dots]
    label = _POINTS if differences else _PERCENT
    axis = alt.Axis(title=None, labelExpr=label, tickCount=5, labelFlush=False)
    base = alt.Chart(alt.InlineData(cells)).encode(
        y=alt.Y("row:N", sort=list(dict.fromkeys(cell["row"] for cell in cells)), title=None)
    )
    scale = alt.Scale(nice=True, zero=True)
    layers: list[Any] = []
    if differences:
        zero = alt.Chart(alt.InlineData([{"zero": 0}])).mark_rule(color=SOFT)
        layers.append(zero.encode(x=alt.X("zero:Q", axis=axis, scale=scale)))
    for harmful, colour, shape, shift in ((False, INK, "circle", 0), (True, TWIN, "diamond", 0)):
        some = base.transform_filter(f"datum.harmful === {str(harmful).lower()}")
        known = some.transform_filter("isValid(datum.low)")
        layers.append(
            known.mark_rule(strokeWidth=6, color=BAND if not harmful else "#a8bfd9", yOffset=shift).encode(
                x=alt.X("low:Q", axis=axis, scale=scale), x2="high:Q"
            )
        )
        dot = some.transform_filter("isValid(datum.value)")
        layers.append(
            dot.mark_point(filled=True, size=90, color=colour, opacity=1, shape=shape).encode(
                x=alt.X("value:Q", axis=axis, scale=scale)
            )
        )
    text = base.mark_text(align="left", fontSize=13, color=INK, dx=12).encode(x=alt.value(WIDTH), text="text:N")
    return alt.layer(*layers, text).properties(
        width=WIDTH,
        height=ROW * len({cell["row"] for cell in cells}),
        title=alt.Title(visible(title), subtitle=subtitle),
    )


def plane(placed: Sequence[Placed], title: str, subtitle: str, *, behind: Sequence[Placed] = ()) -> Any:
    """Refusal rates of harmless and harmful requests, with crosses for intervals; the front is a line.

    Up and to the left is better. `behind` are points under another protocol, in grey, named where on their own front.
    """
    import altair as alt

    cells = [*_on_plane(placed, behind=False), *_on_plane(behind, behind=True)]
    edge = math.ceil(10 * max([c["x2"] or c["x"] for c in cells], default=1.0) + 0.5) / 10
    edge = min(1.0, edge)
    worse, better = "harmless requests refused →  worse", "harmful requests refused →  better"
    x_axis = alt.Axis(title=worse, labelExpr=_PERCENT, tickCount=6)
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, edge]), axis=x_axis)
    y_axis = alt.Axis(title=better, labelExpr=_PERCENT, grid=True, tickCount=6)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, 1]), axis=y_axis)
    diagonal = alt.Chart(alt.InlineData([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    layers: list[Any] = [diagonal.mark_line(color=BAND, strokeDash=[4, 4], clip=True).encode(x=x, y=y)]
    for old, colour, size in ((True, BAND, 45), (False, INK, 90)):
        some = alt.Chart(alt.InlineData([cell for cell in cells if cell["behind"] is old]))
        front = some.transform_filter("datum.front").mark_line(
            color=BAND if old else TWIN, interpolate="step-after", strokeWidth=1.5
        )
        layers.append(front.encode(x=x, y=y, order="x:Q"))
        if not old:
            layers.append(some.mark_rule(color=BAND, strokeWidth=3).encode(x="x1:Q", x2="x2:Q", y=y))
            layers.append(some.mark_rule(color=BAND, strokeWidth=3).encode(x=x, y="y1:Q", y2="y2:Q"))
        layers.append(some.mark_point(filled=True, size=size, color=colour, opacity=1).encode(x=x, y=y))
    labels = alt.Chart(alt.InlineData(_labels(cells, edge)))
    for align in ("left", "right"):
        here = labels.transform_filter(f"datum.align === '{align}'")
        text = here.mark_text(align="left" if align == "left" else "right", fontSize=13)
        colour_of = alt.condition("datum.behind", alt.value(SOFT), alt.value(INK))
        layers.append(
            text.encode(x=alt.X("at:Q", axis=x_axis), y=alt.Y("up:Q", axis=y_axis), text="name:N", color=colour_of)
        )
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=alt.Title(visible(title), subtitle=subtitle))


def _on_plane(placed: Sequence[Placed], *, behind: bool) -> list[dict[str, Any]]:
    """A cell for each place: who stands there, and the interval of the first of them."""
    found: dict[tuple[float, float], dict[str, Any]] = {}
    for point in placed:
        place = point.over.value, point.safe.value
        if math.isnan(sum(place)):
            continue
        ends_ = {"x1": point.over.low, "x2": point.over.high, "y1": point.safe.low, "y2": point.safe.high}
        known = {name: None if math.isnan(value) else value for name, value in ends_.items()}
        new = {"x": place[0], "y": place[1], **known, "behind": behind, "front": point.on_front, "name": ""}
        cell = found.setdefault(place, new)
        if point.on_front or not behind:
            cell["name"] = ", ".join(filter(None, (cell["name"], _short(visible(point.name)))))
    return list(found.values())


def _labels(cells: Sequence[dict[str, Any]], edge: float) -> list[dict[str, Any]]:
    """Where the names stand: beside their dots, each at the first place of ten that is free and inside."""
    found: list[dict[str, Any]] = []
    taken: list[tuple[float, float, float, float]] = []
    for cell in cells:
        x, y = WIDTH * cell["x"] / edge, HEIGHT * (1 - cell["y"])
        taken.append((x - 6, y - 6, x + 6, y + 6))
    for cell in sorted(cells, key=lambda cell: cell["behind"]):
        name = cell["name"]
        if not name:
            continue
        x, y, long = WIDTH * cell["x"] / edge, HEIGHT * (1 - cell["y"]), 7 * len(name)
        corners = [(dx, dy) for dy in (-11, 13, -26, 28, 44) for dx in (8, -8)]
        boxes = [
            (x + min(dx, dx * (long + 8) / 8), y + dy - 8, x + max(dx, dx * (long + 8) / 8), y + dy + 8)
            for dx, dy in corners
        ]
        inside = [
            i
            for i, box in enumerate(boxes)
            if box[0] >= 0 and box[2] <= WIDTH + 40 and 0 <= box[1] and box[3] <= HEIGHT
        ]
        free = [i for i in inside if not any(_overlap(boxes[i], other) for other in taken)]
        place = next(iter(free or inside), 0)
        (dx, dy), box = corners[place], boxes[place]
        taken.append(box)
        at, up = (x + dx) * edge / WIDTH, 1 - (y + dy) / HEIGHT
        found.append(
            {"name": name, "behind": cell["behind"], "at": at, "up": up, "align": "left" if dx > 0 else "right"}
        )
    return found


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:20]}…{name[-7:]}"


def themed(chart: Any, says: str, theme: dict[str, Any]) -> Any:
    """The chart in the look of all charts, with what it says for those who do not see it."""
    return chart.properties(description=visible(says)).configure(**theme)


def _cell(dot: Dot, differences: bool) -> dict[str, Any]:
    numbers = {key: getattr(dot.estimate, key) for key in ("value", "low", "high")}
    return {
        "row": visible(dot.row),
        "harmful": dot.harmful,
        "text": points(dot.estimate) if differences else f"{percent(dot.estimate.value)} of {dot.estimate.n}",
        **{key: None if math.isnan(value) else value for key, value in numbers.items()},
    }
