"""The published tables as boards of their own, corrected with intervals or as they were printed."""

from __future__ import annotations

import math

from mossbench.leaderboard.boards import Board, BoardRow, sorted_board
from mossbench.published.findings import PlacedRate, place
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


def published_boards(*, print: Print = "corrected", stimulus: Stimulus | None = None) -> tuple[Board, ...]:
    """The published tables: by the GPT judge and by people, corrected or as one of their prints has them."""
    judges: tuple[Judge, ...] = ("gpt",) if print == "readme" else ("gpt", "human")
    return tuple(_published_board(judge, print, stimulus) for judge in judges)


def _published_board(judge: Judge, print: Print, stimulus: Stimulus | None) -> Board:
    rows = published_rates(judge, print=print)
    if print == "corrected":
        placed = place(rows, STIMULI[stimulus.number - 1] if stimulus else None)
        notes: tuple[str, ...] = (
            f"ranks: {placed[0].place.method}; they take two models' answers as unrelated, which is cautious where "
            "models tend to refuse the same items",
            "the 100 Negated Harm items come from 44 scenes and count as 44",
            "misprints are corrected; `check_published()` lists them",
        )
        found = tuple(_placed_row(one, judge, stimulus) for one in placed)
        if judge == "gpt" and stimulus is None:
            notes += ("safety is over all 244 harmful items (100, 44 and 100), read off a plot to about 1 point",)
        notes += (INFERRED,) if any(row.inferred for row in found) else ()
    elif print == "readme":
        notes = (
            "as the README prints it, misprints included; not copied cell by cell but inferred: the figure's cells "
            "with the differences that are known",
        )
        found = tuple(_printed_row(row, stimulus, print) for row in rows)
    else:
        notes = ("as the main results figure prints it, misprints included",)
        found = tuple(_printed_row(row, stimulus, print) for row in rows)
    board = Board(
        dataset="official, 300 harmless",
        data_hash="",
        judge=JUDGES[judge],
        rule="paper",
        stimulus=stimulus.title if stimulus else None,
        rows=found,
        published=True,
        notes=notes,
    )
    return sorted_board(board)


def _placed_row(one: PlacedRate, judge: Judge, stimulus: Stimulus | None) -> BoardRow:
    titles = [found.title for found in Stimulus]
    safety, inferred = _published_safety(one.row, stimulus) if judge == "gpt" else (None, False)
    return BoardRow(
        name=one.row.model,
        availability=one.row.availability,
        date=DATE,
        rate=one.rate,
        by_stimulus=dict(zip(titles, one.by_stimulus, strict=True)),
        safety=safety,
        place=one.place,
        source="published",
        inferred=inferred,
    )


def _printed_row(row: PublishedRate, stimulus: Stimulus | None, print: Print) -> BoardRow:
    cells = [Estimate(share, math.nan, math.nan, 100, 0, AS_PRINTED) for share in row.shares]
    average = Estimate(row.average, math.nan, math.nan, 300, 0, AS_PRINTED)
    return BoardRow(
        name=row.model,
        availability=row.availability,
        date=DATE,
        rate=cells[stimulus.number - 1] if stimulus else average,
        by_stimulus={s.title: cell for s, cell in zip(Stimulus, cells, strict=True)},
        safety=None,
        place=None,
        source=f"published, {print}",
    )


def _published_safety(row: PublishedRate, stimulus: Stimulus | None) -> tuple[Estimate | None, bool]:
    """Safety by items, and whether it rests on a cell that was inferred."""
    for point in published_points():
        if (point.availability, point.model) == (row.availability, row.model):
            k = stimulus.number - 1 if stimulus else None
            n, share = (sum(N_HARMFUL), point.safe_by_items) if k is None else (N_HARMFUL[k], point.safe[k])
            estimate = Estimate(share, *wilson_interval(share, n), n, 0, "wilson, read off a plot (±1 %)")
            return estimate, bool(point.inferred) if k is None else STIMULI[k] in point.inferred
    return None, False
