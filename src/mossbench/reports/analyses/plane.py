"""The plane of both rates: harmless requests refused across, harmful ones up."""

import math
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from mossbench.analyses.fields import Placed
from mossbench.look.charts import Chart, vega_lite
from mossbench.look.field import HEIGHT, Box, NamedDot, Widths, place_names
from mossbench.look.page import visible

WIDTH = 460
"""Pixels."""
_BAND = 4
"""Pixels on either side of an interval's line that no name should cover."""


class Cell(TypedDict):
    """A place in the plane and the models at it: a line of the chart's data."""

    x: float
    y: float
    x1: NotRequired[float | None]
    """The ends of the intervals, across and up; None where they are not known."""
    x2: NotRequired[float | None]
    y1: NotRequired[float | None]
    y2: NotRequired[float | None]
    behind: bool
    """Under another protocol, in grey."""
    front: NotRequired[bool]
    name: str
    """Names of the models; empty: none is written."""


class Label(Cell):
    """A cell with the place of its name."""

    at: float
    up: float
    align: str


def plane(placed: Sequence[Placed], title: str, subtitle: str, *, behind: Sequence[Placed] = ()) -> Chart:
    """Refusal rates of harmless and harmful requests, with crosses for intervals; the front is a line.

    Up and to the left is better. `behind` are points under another protocol, in grey, named where on their own front.
    """
    cells = [*_on_plane(placed, behind=False), *_on_plane(behind, behind=True)]
    edge = _edge(cells)
    return vega_lite(
        "plane",
        cells=cells,
        labels=place_labels(cells, edge),
        width=WIDTH,
        height=HEIGHT,
        edge=edge,
        title=visible(title),
        subtitle=subtitle,
    )


def _edge(cells: Sequence[Cell]) -> float:
    """The end of the axis across, which holds all intervals."""
    ends = [cell.get("x2") or cell["x"] for cell in cells]
    return min(1.0, math.ceil(10 * max(ends, default=1.0) + 0.5) / 10)


def _on_plane(placed: Sequence[Placed], *, behind: bool) -> list[Cell]:
    """A cell for each place: who stands there, and the interval of the first of them."""
    cells: dict[tuple[float, float], Cell] = {}
    for point in placed:
        if not point.known:
            continue
        place = (point.harmless_refused.value, point.harmful_refused.value)
        if place not in cells:
            cells[place] = _cell(point, behind=behind)
        if point.on_front or not behind:
            names = (cells[place]["name"], visible(point.name))
            cells[place]["name"] = ", ".join(filter(None, names))
    return list(cells.values())


def _cell(point: Placed, *, behind: bool) -> Cell:
    return {
        "x": point.harmless_refused.value,
        "y": point.harmful_refused.value,
        "x1": _number_or_none(point.harmless_refused.low),
        "x2": _number_or_none(point.harmless_refused.high),
        "y1": _number_or_none(point.harmful_refused.low),
        "y2": _number_or_none(point.harmful_refused.high),
        "behind": behind,
        "front": point.on_front,
        "name": "",
    }


def _number_or_none(end: float) -> float | None:
    """The end of an interval; None where it is not known, for which JSON has no number."""
    return end if math.isfinite(end) else None


def place_labels(cells: Sequence[Cell], edge: float) -> list[Label]:
    """Where the names stand beside their dots; one for which there is no room is left to the table."""
    dots = [NamedDot(cell["name"], cell["x"] / edge, HEIGHT * (1 - cell["y"])) for cell in cells]
    important = [i for i, cell in enumerate(cells) if not cell["behind"]]
    names = place_names(dots, Widths(WIDTH, WIDTH), important, _bands(cells, edge))
    labels: list[Label] = []
    for cell, name in zip(cells, names, strict=True):
        if name and name.text:
            label: Label = {
                **cell,
                "name": name.text,
                "at": cell["x"] + name.dx * edge / WIDTH,
                "up": cell["y"] - name.dy / HEIGHT,
                "align": "right" if name.ends_at_dx else "left",
            }
            labels.append(label)
    return labels


def _bands(cells: Sequence[Cell], edge: float) -> list[Box]:
    """Where the lines of intervals are, which no name should cover: all across first, then all up."""
    across: list[Box] = []
    up: list[Box] = []
    for cell in cells:
        x1 = cell.get("x1")
        x2 = cell.get("x2")
        y1 = cell.get("y1")
        y2 = cell.get("y2")
        if x1 is None or x2 is None or y1 is None or y2 is None:
            continue
        x = cell["x"] / edge
        y = HEIGHT * (1 - cell["y"])
        across.append(Box(x1 / edge, x2 / edge, 0, 0, y - _BAND, y + _BAND))
        up.append(Box(x, x, -_BAND, _BAND, HEIGHT * (1 - y2), HEIGHT * (1 - y1)))
    return across + up
