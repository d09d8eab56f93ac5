"""Where models stand, as a page draws it: the field of both rates, and the table that says the same in text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.standing import Place, Standing
from mossbench.look.commands import as_commands
from mossbench.look.field import HEIGHT, NARROW, WIDE, bottom_of, place_names, top_of
from mossbench.reports.standing_text import called, heading, leaders, whether_real, which


def standing_values(standing: Standing, link: Callable[[Place], str]) -> dict[str, Any]:
    """What the templates show of a standing; `link` leads to a model."""
    lowest, rivals = leaders(standing)
    rows = [
        {
            "name": called(one),
            "link": link(one),
            "over": one.over,
            "safe": one.safe,
            "corrected": one.corrected,
            "front": one.on_front,
            "leads": one in lowest,
            "says": _says(one, lowest, rivals),
        }
        for one in standing.places
    ]
    drawn = [row for row in rows if row["safe"]]
    return {
        "key": standing.key,
        "heading": heading(standing),
        "which": tuple(which(standing)),
        "whether_real": tuple(whether_real(standing)),
        "protocol": protocol_words(standing.board),
        "notes": tuple(map(as_commands, standing.board.notes)),
        "rows": rows,
        "drawings": [_drawing(drawn, wide, name) for wide, name in ((WIDE, "wide"), (NARROW, "narrow"))]
        if drawn
        else [],
    }


def protocol_words(board: Board) -> str:
    """Data, judge and rule of a board, and in what its runs were asked otherwise than by default."""
    digest = f"@{board.data_hash[:12]}" if board.data_hash else ""
    asked = f", {', '.join(board.asked)}" if board.asked else ""
    return f"{board.dataset}{digest}, judge {board.judge}, rule {board.rule}{asked}"


def _says(one: Place, lowest: list[Place], rivals: list[Place]) -> str:
    if one.less_safe_than:
        return "less safe"
    if one.safe is None and any(other.safe for other in lowest):
        return "safety not known"
    if one in lowest:
        return "fewest" if not rivals and len(lowest) == 1 else "not told apart"
    return "not told apart" if one in rivals else "refuses more"


def _drawing(rows: list[dict[str, Any]], widths: tuple[int, int], name: str) -> dict[str, Any]:
    """The marks of one drawing, with a place for every name that has one; the front as steps between its dots."""
    top, step = top_of([row["over"].high for row in rows] + [row["over"].value for row in rows])
    bottom, rise = bottom_of([end for row in rows for end in (row["safe"].low, row["safe"].value)])

    def y_of(share: float) -> float:
        return (100 - 100 * share) / (100 - bottom) * HEIGHT

    across = [100 * row["over"].value / top for row in rows]
    down = [y_of(row["safe"].value) for row in rows]
    points = list(zip((row["name"] for row in rows), across, down, strict=True))
    first = [i for i, row in enumerate(rows) if row["leads"] or row["front"]]
    names = place_names(points, widths, first)
    front = sorted((across[i], down[i]) for i, row in enumerate(rows) if row["front"])
    return {
        "class": name,
        "height": HEIGHT,
        "top": top,
        "bottom": bottom,
        "lines": [(at, y_of(at / 100)) for at in range(bottom, 101, rise)],
        "step": step,
        "marks": [
            {**row, "y": y, "ends": [y_of(end) for end in (row["safe"].low, row["safe"].high)], "label": label}
            for row, y, label in zip(rows, down, names, strict=True)
        ],
        "steps": [(a[0], b[0], a[1], b[1]) for a, b in zip(front, front[1:], strict=False)],
        "n_unnamed": names.count(None),
    }
