"""Boards for the terminal, as Markdown and as CSV; `board_page` has the page, `reports.words.boards` the sentences."""

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.numbers import brackets, one
from mossbench.look.page import markdown, markdown_table
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.reports.tables import short_name, text_table
from mossbench.reports.words.boards import LESS_SAFE, board_title, column_notes, safety_of_first, shared_by_all_rows
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate

SHORT = {stimulus.title: short for stimulus, short in zip(Stimulus, ("ER", "NH", "CI"), strict=True)}


def boards_table(boards: Sequence[Board]) -> RenderableType:
    parts: list[RenderableType] = []
    for board in boards:
        about = filter(None, (*safety_of_first(board), shared_by_all_rows(board), *board.notes))
        table = _table(board) if board.rows else Text("  no model matches")
        parts += [Text(board_title(board), style="bold"), table, *(Text(text) for text in about), Text()]
    return Group(*parts, column_notes(boards))


def boards_markdown(boards: Sequence[Board]) -> str:
    lines = []
    for board in boards:
        lines += [f"### {markdown(board_title(board))}", ""]
        lines += markdown_table(
            columns(board), (cells(row, board) for row in board.rows), words=3 if board.published else 4
        )
        lines += [] if board.rows else ["No model matches.", ""]
        notes = [*safety_of_first(board), *board.notes]
        lines += [*(f"- {markdown(text)}" for text in notes), ""]
    return "\n".join([*lines, column_notes(boards), ""])


def boards_csv(boards: Sequence[Board]) -> str:
    """One line a row of a board; rates are fractions, and empty where they are not known."""
    head = ["dataset", "hash", "judge", "rule", "model", "availability", "date"]
    for name in ("refused", "ER", "NH", "CI", "safety"):
        head += [name, f"{name}_low", f"{name}_high"]
    head += ["n", "n_left_out", "rank", "low_rank", "high_rank", "tie_group", "best", "not_ranked"]
    head += ["source", "asked", "endpoint", "not_taken", "inferred"]
    head += ["provider", "ranked_with", "verdicts", "superseded_by", "less_safe_than", "copy"]
    lines: list[list[str | float]] = [[*head]]
    for board in boards:
        lines += [_csv_line(board, row) for row in board.rows]
    return csv_text(lines)


def _csv_line(board: Board, row: BoardRow) -> list[str | float]:
    line: list[str | float] = [board.dataset, board.data_hash, board.judge, board.rule]
    line += [cell(row.name), cell(row.availability), cell(row.date)]
    for rate in (row.rate, *(row.by_stimulus.get(name) for name in SHORT), row.safety):
        line += _rate_cells(rate)
    line += [row.rate.n, row.rate.n_left_out]
    place = row.place
    if place:
        line += [place.rank, place.low_rank, place.high_rank, place.tie_group, place.best]
    else:
        line += [""] * 5
    line += [row.not_ranked, cell(row.source), cell("; ".join(board.asked)), row.endpoint]
    line += [cell(" ".join(row.not_taken)), "safety" if row.inferred else ""]
    line += [cell(row.provider), board.ranked_with, cell(row.verdicts), cell(row.superseded_by)]
    line += [cell("; ".join(row.less_safe_than)), row.copy]
    return line


def _rate_cells(rate: Estimate | None) -> list[str | float]:
    """Value and ends; empty where they are not known."""
    if rate is None:
        return ["", "", ""]
    return ["" if math.isnan(number) else round(number, 6) for number in (rate.value, rate.low, rate.high)]


def columns(board: Board) -> list[str]:
    heads = ["model", "", "date", "refused %"]
    if not board.published:
        heads.insert(1, "provider")
    if any(row.place or row.not_ranked for row in board.rows):
        heads += ["rank"]
    heads += [SHORT[name] for name in SHORT if any(name in row.by_stimulus for row in board.rows)]
    if any(row.safety for row in board.rows):
        heads += ["safety %"]
    return heads if board.published else [*heads, "counted"]


def cells(row: BoardRow, board: Board) -> list[str]:
    place, shown = row.place, columns(board)
    group = f" {letter(place.tie_group)}" if place else ""
    refused = as_printed(row.rate) if row.is_as_printed and row.rate.n else _percent(row.rate)
    texts = [short_name(row.name), row.availability, row.date, refused + group]
    if not board.published:
        texts.insert(1, row.provider or "–")
    if "rank" in shown:
        mark = LESS_SAFE if row.less_safe_than else ""
        texts.append(f"{place.rank} ({place.low_rank}–{place.high_rank}){mark}" if place else "–")
    for name, short in SHORT.items():
        if short in shown:
            rate = row.by_stimulus.get(name)
            texts.append("–" if rate is None or math.isnan(rate.value) else f"{100 * rate.value:.0f}")
    if "safety %" in shown:
        texts.append(_percent(row.safety) + "†" * row.inferred if row.safety else "")
    return texts if board.published else [*texts, f"{row.rate.n}/{row.rate.n + row.rate.n_left_out}"]


def as_printed(rate: Estimate) -> str:
    """The per cent with the digits that the print has: `12.34`, `55`."""
    return f"{100 * rate.value:.2f}".removesuffix(".00")


def letter(group: int) -> str:
    """The name of a tie group: a to z, then aa."""
    text = ""
    while group > 0:
        group, rest = divmod(group - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _table(board: Board) -> Table:
    """For 80 columns: the three stimuli share a column, and what is the same in all rows is left to the line above."""
    shown, rows = columns(board), [cells(row, board) for row in board.rows]
    stimuli = [place for place, name in enumerate(shown) if name in SHORT.values()]
    same = [
        place
        for place, name in enumerate(shown)
        if name in ("date", "counted", "provider") and len({row[place] for row in rows}) < 2
    ]
    hidden = {*stimuli[1:], *same}
    heads = ["/".join(shown[i] for i in stimuli) if place in stimuli else name for place, name in enumerate(shown)]
    joined = (
        ["/".join(row[i] for i in stimuli) if i in stimuli else text for i, text in enumerate(row)] for row in rows
    )
    head, *kept = ([text for i, text in enumerate(row) if i not in hidden] for row in (heads, *joined))
    return text_table(*head, rows=kept, words=("", "date", "provider"), padding=(0, 1, 0, 0))


def _percent(rate: Estimate) -> str:
    """`12.5 [4–31]`; a dash when nothing counts."""
    if rate.n == 0:
        return "–"
    return f"{'' if math.isnan(rate.value) else f'{one(rate.value)} '}{brackets(rate)}".strip()
