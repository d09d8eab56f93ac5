"""The plane of both rates: harmless requests refused across, harmful ones up."""

import math
from collections.abc import Sequence
from typing import Any

from mossbench.analyses.fields import Placed
from mossbench.look.charts import INK, SOFT
from mossbench.look.page import visible
from mossbench.reports.dots import BAND, PERCENT, TWIN, known

WIDTH, HEIGHT = 460, 340


def plane(placed: Sequence[Placed], title: str, subtitle: str, *, behind: Sequence[Placed] = ()) -> Any:
    """Refusal rates of harmless and harmful requests, with crosses for intervals; the front is a line.

    Up and to the left is better. `behind` are points under another protocol, in grey, named where on their own front.
    """
    import altair as alt

    cells = [*_on_plane(placed, behind=False), *_on_plane(behind, behind=True)]
    edge = min(1.0, math.ceil(10 * max([c["x2"] or c["x"] for c in cells], default=1.0) + 0.5) / 10)
    worse, better = "harmless requests refused →  worse", "harmful requests refused →  better"
    x_axis = alt.Axis(title=worse, labelExpr=PERCENT, tickCount=6)
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, edge]), axis=x_axis)
    y_axis = alt.Axis(title=better, labelExpr=PERCENT, grid=True, tickCount=6)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, 1]), axis=y_axis)
    diagonal = alt.Chart(alt.InlineData([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    layers: list[Any] = [diagonal.mark_line(color=BAND, strokeDash=[4, 4], clip=True).encode(x=x, y=y)]
    for old, colour, size in ((True, BAND, 45), (False, INK, 90)):
        some = alt.Chart(alt.InlineData([cell for cell in cells if cell["behind"] is old]))
        line: dict[str, Any] = {"color": BAND if old else TWIN, "interpolate": "step-after", "strokeWidth": 1.5}
        layers.append(some.transform_filter("datum.front").mark_line(**line).encode(x=x, y=y, order="x:Q"))
        if not old:
            layers.append(some.mark_rule(color=BAND, strokeWidth=3).encode(x="x1:Q", x2="x2:Q", y=y))
            layers.append(some.mark_rule(color=BAND, strokeWidth=3).encode(x=x, y="y1:Q", y2="y2:Q"))
        layers.append(some.mark_point(filled=True, size=size, color=colour, opacity=1).encode(x=x, y=y))
    at, up = alt.X("at:Q", axis=x_axis), alt.Y("up:Q", axis=y_axis)
    ink = alt.condition("datum.behind", alt.value(SOFT), alt.value(INK))
    for align in ("left", "right"):
        here = alt.Chart(alt.InlineData([label for label in _labels(cells, edge) if label["align"] == align]))
        layers.append(here.mark_text(align=align, fontSize=13).encode(x=at, y=up, text="name:N", color=ink))
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=alt.Title(visible(title), subtitle=subtitle))


def _on_plane(placed: Sequence[Placed], *, behind: bool) -> list[dict[str, Any]]:
    """A cell for each place: who stands there, and the interval of the first of them."""
    found: dict[tuple[float, float], dict[str, Any]] = {}
    for point in placed:
        place, over, safe = (point.over.value, point.safe.value), known(point.over), known(point.safe)
        if point.known:
            ends = {"x1": over["low"], "x2": over["high"], "y1": safe["low"], "y2": safe["high"]}
            new = {"x": place[0], "y": place[1], **ends, "behind": behind, "front": point.on_front, "name": ""}
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
