"""Boards as an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.printed import AS_PRINTED
from mossbench.look.commands import as_commands
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.board_text import SHORT, as_printed, explained, letter


def board_page(
    boards: Sequence[Board],
    *,
    frame: Frame = ALONE,
    controls: dict[str, Any] | None = None,
    left_out: Sequence[str] = (),
    models: Mapping[str, str] | None = None,
) -> str:
    """The page: a table for each board, marks on intervals, bars along tie groups; in the web app also controls.

    `models` has the addresses of models, or of the runs that rows come from.
    """
    shown = [_board(board) for board in boards]
    legend = explained(boards, rate="Refused", safety="Harmful", tied="joined by a green bar")
    ties = any(tie for board in shown for _, tie in board["rows"])
    values = {"boards": shown, "ties": ties, "legend": legend, "left_out": left_out, "models": models or {}}
    values |= {"as_commands": as_commands, "as_printed": as_printed, "AS_PRINTED": AS_PRINTED, "letter": letter}
    return render_page("board.html", frame=frame, controls=controls, stimuli=SHORT, **values)


def _board(board: Board) -> dict[str, Any]:
    groups = [row.place.tie_group if row.place else 0 for row in board.rows]
    # Sorted otherwise, a bar would run through other groups; rows that are not ranked (0) stand last.
    in_order = groups == sorted(groups, key=lambda group: (group == 0, group))
    rows = [(row, _tie(groups, i) if in_order and groups[i] else None) for i, row in enumerate(board.rows)]
    return {"board": board, "heading": _finding(board), "n_ranked": sum(map(bool, groups)), "rows": rows}


def _finding(board: Board) -> str:
    """What the ranks are worth, in a sentence."""
    n = len(board.rows)
    if n == 0:
        return "No models match"
    if board.published and not any(row.place for row in board.rows):
        return f"Published: {n} models as printed"
    n = sum(row.place is not None for row in board.rows)
    if n == 0:
        return "No model can be ranked"
    if n == 1:
        return "One model: nothing to compare it with"
    sure = sum(row.place.low_rank == row.place.high_rank for row in board.rows if row.place)
    groups = f"{board.n_groups} tie group{'s' if board.n_groups != 1 else ''}"
    text = f"{sure or 'none'} of {n} ranks {'is' if sure < 2 else 'are'} certain, {groups}"
    return f"Published: {text}" if board.published else text.capitalize()


def _tie(groups: list[int], i: int) -> dict[str, bool] | None:
    """Where a row stands in its group; None when it is alone."""
    first = i == 0 or groups[i - 1] != groups[i]
    last = i == len(groups) - 1 or groups[i + 1] != groups[i]
    return None if first and last else {"first": first, "last": last}
