"""The published tables as boards of their own, corrected with intervals or as they were printed."""

import math
from collections.abc import Iterable
from dataclasses import replace

from mossbench.leaderboard.board_notes import BoardNote
from mossbench.leaderboard.boards import Board, BoardRow, sorted_board
from mossbench.published.printed_findings import place
from mossbench.published.tables import (
    DATE,
    INFERRED,
    JUDGES,
    N_HARMFUL,
    STIMULI,
    Judge,
    Print,
    PublishedRate,
    published_points,
    published_rates,
)
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate, wilson_interval

AS_PRINTED = "as printed"
"""The method of a share that has no interval, since it is copied from a print."""


SAFETY_NOTE = "safety is over all 244 harmful items (100, 44 and 100), read off a plot to about 1 point"
FIGURE_NOTE = "as the main results figure prints it, misprints included"
README_NOTE = (
    "as the README prints it, misprints included; not copied cell by cell but inferred: the figure's cells with the "
    "known differences"
)


def corrected_notes(ranks_by: str) -> list[str]:
    """What a corrected table says below it; `ranks_by`: the method of its ranks."""
    return [
        f"ranks: {ranks_by}; they treat two models' answers as independent, which is conservative where models tend to "
        "refuse the same items",
        "the 100 Negated Harm items come from 44 scenes and count as 44",
        "misprints are corrected; mossbench leaderboard check lists them",
    ]


def published_boards(*, table: Print = "corrected", stimulus: Stimulus | None = None) -> tuple[Board, ...]:
    """The published tables: by the GPT judge and by people, corrected or as one of their prints has them."""
    judges: tuple[Judge, ...] = ("gpt",) if table == "readme" else ("gpt", "human")
    return tuple(_published_board(judge, table, stimulus) for judge in judges)


def _published_board(judge: Judge, table: Print, stimulus: Stimulus | None) -> Board:
    rates = published_rates(judge, table=table)
    if table == "corrected":
        placed = place(rates, STIMULI[stimulus.number - 1] if stimulus else None)
        rows = []
        for placed_row in placed:
            row = _row(placed_row.row, placed_row.rate, placed_row.by_stimulus, "published")
            row = replace(row, place=placed_row.place)
            if judge == "gpt":
                safety, is_inferred = _published_safety(placed_row.row, stimulus)
                row = replace(row, safety=safety, inferred=is_inferred)
            rows.append(row)
        notes = corrected_notes(placed[0].place.method)
        if judge == "gpt" and stimulus is None:
            notes.append(SAFETY_NOTE)
        if any(row.inferred for row in rows):
            notes.append(INFERRED)
    else:
        rows = [_printed_row(rate, stimulus, table) for rate in rates]
        notes = [README_NOTE if table == "readme" else FIGURE_NOTE]
    board = Board(
        dataset="official, 300 harmless",
        data_hash="",
        judge=JUDGES[judge],
        rule="paper",
        stimulus=stimulus.title if stimulus else None,
        rows=tuple(rows),
        published=True,
        remarks=tuple(BoardNote("published", note) for note in notes),
    )
    return sorted_board(board)


def _row(row: PublishedRate, rate: Estimate, by_stimulus: Iterable[Estimate], source: str) -> BoardRow:
    parts = {s.title: part for s, part in zip(Stimulus, by_stimulus, strict=True)}
    return BoardRow(row.model, row.availability, DATE, rate, parts, safety=None, place=None, source=source)


def _printed_row(row: PublishedRate, stimulus: Stimulus | None, table: Print) -> BoardRow:
    cells = [Estimate(share, math.nan, math.nan, 100, 0, AS_PRINTED) for share in row.shares]
    average = Estimate(row.average, math.nan, math.nan, 300, 0, AS_PRINTED)
    rate = cells[stimulus.number - 1] if stimulus else average
    return replace(_row(row, rate, cells, f"published, {table}"), is_as_printed=True)


def _published_safety(row: PublishedRate, stimulus: Stimulus | None) -> tuple[Estimate | None, bool]:
    """Safety by items, and whether it rests on a cell that was inferred."""
    for point in published_points():
        if (point.availability, point.model) == (row.availability, row.model):
            if stimulus is None:
                return _safety_estimate(point.safety_by_items, sum(N_HARMFUL)), bool(point.inferred)
            k = stimulus.number - 1
            return _safety_estimate(point.harmful_refused[k], N_HARMFUL[k]), STIMULI[k] in point.inferred
    return None, False


def _safety_estimate(share: float, n: int) -> Estimate:
    return Estimate(share, *wilson_interval(share, n), n, 0, "wilson, read off a plot (±1 %)")
