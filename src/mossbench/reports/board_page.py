"""Boards as an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.leaderboard.printed import AS_PRINTED
from mossbench.look.commands import as_commands
from mossbench.look.numbers import ends, one, percent, quoted
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.board_text import as_printed, explained, letter
from mossbench.samples import Stimulus


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
    ties = any(row["tie"] for board in shown for row in board["rows"])
    values = {"boards": shown, "ties": ties, "legend": legend, "left_out": left_out, "models": models or {}}
    return render_page("board.html", frame=frame, controls=controls, **values)


def _board(board: Board) -> dict[str, Any]:
    groups = [row.place.tie_group if row.place else 0 for row in board.rows]
    # Sorted otherwise, a bar would run through other groups; rows that are not ranked (0) stand last.
    in_order = groups == sorted(groups, key=lambda group: (group == 0, group))
    digest = f"@{board.data_hash[:12]}" if board.data_hash else ""
    return {
        "heading": _finding(board),
        "making": f"Dataset {board.dataset}{digest}, judge {board.judge}, counting rule {board.rule}"
        + (f", {board.stimulus} only" if board.stimulus else "")
        + (f". Settings other than the default: {', '.join(board.asked)}" if board.asked else ""),
        "published": board.published,
        "ranked": any(row.place for row in board.rows),
        "rows": [
            _row(row, _tie(groups, i) if in_order and groups[i] else None, board) for i, row in enumerate(board.rows)
        ],
        "notes": tuple(map(as_commands, board.notes)),
    }


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


def _row(row: BoardRow, tie: dict[str, bool] | None, board: Board) -> dict[str, Any]:
    place, n = row.place, sum(one.place is not None for one in board.rows)
    stimuli = dict(zip(("er", "nh", "ci"), (row.by_stimulus.get(one.title) for one in Stimulus), strict=True))
    rank = ("–" if row.not_ranked else "") if place is None else str(place.low_rank)
    if place is not None and place.high_rank != place.low_rank:
        rank = f"{place.low_rank}–{place.high_rank}"
    return {
        "rank": rank,
        "group": letter(place.tie_group) if place else "",
        "tie": tie,
        "name": row.name,
        "source": row.source,
        "model": row.model,
        "ranks": (
            ((place.low_rank - 1) / n, (place.high_rank - place.low_rank + 1) / n)
            if place is not None and n > 1
            else None
        ),
        "availability": "control" if row.name.startswith("control/") else row.availability,
        "rate": row.rate,
        "corrected": row.corrected,
        "rate_text": as_printed(row.rate) if row.rate.method == AS_PRINTED else one(row.rate.value),
        "of": f"{row.rate.n}/{row.rate.n + row.rate.n_left_out}",
        "safety": row.safety,
        "inferred": row.inferred,
        "made": _made(row, board),
        **stimuli,
    }


def _made(row: BoardRow, board: Board) -> list[tuple[str, str]]:
    """What is behind one row."""
    rate = row.rate
    found = [
        ("Source", row.source),
        ("Date", row.date),
        ("Availability", row.availability or "–"),
        ("Interval method", rate.method),
        ("Judge and rule", f"{board.judge}, {board.rule}"),
    ]
    if row.corrected:
        only_if = "if it errs as on" if row.corrected.basis == "assumed" else "for its errors on"
        found.append(("Corrected", f"{quoted(row.corrected.estimate)}, {only_if} {row.corrected.on}"))
    if row.endpoint:
        found.append(("Endpoint (digest)", row.endpoint))
    if row.not_taken:
        found.append(("Settings not supported", ", ".join(row.not_taken)))
    if row.not_ranked:
        found.append(("Not ranked", as_commands(row.not_ranked)))
    found += [(name, f"{percent(one.value)} ({ends(one)})") for name, one in row.by_stimulus.items() if one.n]
    if row.safety:
        found.append(("Harmful, refused", f"{percent(row.safety.value)} ({ends(row.safety)})"))
    if row.place:
        found.append(("Ranked first in resamples", percent(row.place.best)))
    return found


def _tie(groups: list[int], i: int) -> dict[str, bool] | None:
    """Where a row stands in its group; None when it is alone."""
    first = i == 0 or groups[i - 1] != groups[i]
    last = i == len(groups) - 1 or groups[i + 1] != groups[i]
    return None if first and last else {"first": first, "last": last}
