"""Boards as a page: a table for each, marks on intervals, bars along tie groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.board_tables import SHORT, as_printed, letter
from mossbench.reports.words.boards import (
    BoardFinding,
    board_finding,
    board_method,
    certain_ranks,
    chosen_words,
    column_notes,
    note_sentences,
    safety_of_first,
    short_method,
)
from mossbench.reports.words.runs import model_name


def board_page(
    boards: Sequence[Board],
    *,
    frame: Frame = ALONE,
    controls: Mapping[str, object] | None = None,
    left_out: Sequence[str] = (),
    models: Mapping[str, str] | None = None,
) -> str:
    """The page: a table for each board, marks on intervals, bars along tie groups; in the web app also controls.

    `models` has the addresses of models, or of the runs that rows come from.
    """
    views = [_board_view(board) for board in boards]
    return render_page(
        "board.html",
        frame=frame,
        controls=controls,
        stimuli=SHORT,
        boards=views,
        ties=any(view.has_ties for view in views),
        how_to_read="How to read a board" if len(boards) == 1 else "How to read the boards",
        legend=column_notes(boards, rate="Refused", safety="Harmful", tied="joined by a green bar"),
        left_out=left_out,
        chosen_words=chosen_words(boards[0]) if boards else "",
        finding_name=model_name,
        shown_name=_shown_name,
        models=models or {},
        as_printed=as_printed,
        letter=letter,
    )


def _shown_name(row: BoardRow) -> str:
    """The name of a row without the folder and the ending of a file of recorded answers."""
    return row.name.replace(row.model, model_name(row.model)) if row.model else row.name


@dataclass(frozen=True)
class Tie:
    """Where a row stands among those of its tie group."""

    first: bool
    last: bool


@dataclass(frozen=True)
class BoardView:
    board: Board
    n_ranked: int
    rows: tuple[tuple[BoardRow, Tie | None], ...]
    """Each with the bar along its group; None where it is alone in it, or not ranked."""
    notes: tuple[str, ...]
    finding: BoardFinding
    making: str
    certain: str
    """How many ranks are certain."""
    short_making: str
    """The data, the number of samples and the judge in a line."""
    safety: list[str]

    @property
    def has_ties(self) -> bool:
        return any(tie for _, tie in self.rows)


def _board_view(board: Board) -> BoardView:
    groups = [row.place.tie_group if row.place else 0 for row in board.rows]
    # Sorted otherwise, a bar would run through other groups; rows that are not ranked (0) stand last.
    is_in_order = groups == sorted(groups, key=lambda group: (group == 0, group))
    rows = []
    for i, row in enumerate(board.rows):
        tie = _tie(groups, i) if is_in_order and groups[i] else None
        rows.append((row, tie))
    return BoardView(
        board=board,
        n_ranked=sum(group > 0 for group in groups),
        rows=tuple(rows),
        notes=tuple(note_sentences(board)),
        finding=board_finding(board),
        making=board_method(board),
        certain=certain_ranks(board),
        short_making=short_method(board),
        safety=safety_of_first(board, has_column=True),
    )


def _tie(groups: list[int], i: int) -> Tie | None:
    """Where a row stands in its group; None when it is alone."""
    is_first = i == 0 or groups[i - 1] != groups[i]
    is_last = i == len(groups) - 1 or groups[i + 1] != groups[i]
    if is_first and is_last:
        return None
    return Tie(is_first, is_last)
