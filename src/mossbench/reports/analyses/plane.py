"""The plane of both rates: harmless requests refused across, harmful ones up."""

import math
from collections.abc import Sequence
from typing import Any

from mossbench.analyses.fields import Placed
from mossbench.look.charts import Chart, vega_lite
from mossbench.look.page import visible
from mossbench.reports.dots import known

WIDTH, HEIGHT = 460, 340


def plane(placed: Sequence[Placed], title: str, subtitle: str, *, behind: Sequence[Placed] = ()) -> Chart:
    """Refusal rates of harmless and harmful requests, with crosses for intervals; the front is a line.

    Up and to the left is better. `behind` are points under another protocol, in grey, named where on their own front.
    """
    cells = [*_on_plane(placed, behind=False), *_on_plane(behind, behind=True)]
    edge = min(1.0, math.ceil(10 * max([c["x2"] or c["x"] for c in cells], default=1.0) + 0.5) / 10)
    sizes = {"width": WIDTH, "height": HEIGHT, "edge": edge}
    named = {"title": visible(title), "subtitle": subtitle}
    return vega_lite("plane", cells=cells, labels=_labels(cells, edge), **sizes, **named)


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
