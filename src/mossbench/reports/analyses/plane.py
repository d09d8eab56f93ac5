"""The plane of both rates: harmless requests refused across, harmful ones up."""

import math
from collections.abc import Sequence
from typing import Any

from mossbench.analyses.fields import Placed
from mossbench.look.charts import Chart, vega_lite
from mossbench.look.field import HEIGHT, place_names
from mossbench.look.page import visible
from mossbench.plumbing.storage import plain

WIDTH = 460


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
        place, over, safe = (point.over.value, point.safe.value), plain(point.over), plain(point.safe)
        if point.known:
            ends = {"x1": over["low"], "x2": over["high"], "y1": safe["low"], "y2": safe["high"]}
            new = {"x": place[0], "y": place[1], **ends, "behind": behind, "front": point.on_front, "name": ""}
            cell = found.setdefault(place, new)
            if point.on_front or not behind:
                cell["name"] = ", ".join(filter(None, (cell["name"], visible(point.name))))
    return list(found.values())


def _labels(cells: Sequence[dict[str, Any]], edge: float) -> list[dict[str, Any]]:
    """Where the names stand beside their dots; one for which there is no room is left to the table."""
    points = [(cell["name"], cell["x"] / edge, HEIGHT * (1 - cell["y"])) for cell in cells]
    ours = [i for i, cell in enumerate(cells) if not cell["behind"]]
    ends = ("x1", "x2", "y1", "y2")
    whole = [(cell, x, y) for cell, (_, x, y) in zip(cells, points, strict=True) if None not in map(cell.get, ends)]
    bands = [(cell["x1"] / edge, cell["x2"] / edge, 0, 0, y - 4, y + 4) for cell, _, y in whole]
    bands += [(x, x, -4, 4, HEIGHT * (1 - cell["y2"]), HEIGHT * (1 - cell["y1"])) for cell, x, _ in whole]
    placed = zip(cells, points, place_names(points, (WIDTH, WIDTH), ours, bands), strict=True)
    return [
        {
            **cell,
            "name": name.text,
            "at": cell["x"] + name.dx * edge / WIDTH,
            "up": cell["y"] - name.dy / HEIGHT,
            "align": "right" if name.end else "left",
        }
        for cell, _, name in placed
        if name and name.text
    ]
