"""Boards for the terminal, as Markdown and as CSV; `board_page` has the page, `reports.words.boards` the sentences."""

import math
from collections.abc import Container, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.numbers import bare_percent, brackets
from mossbench.look.page import markdown, markdown_table
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.reports.tables import short_name, text_table
from mossbench.reports.words.boards import LESS_SAFE, board_title, column_notes, safety_of_first, shared_by_all_rows
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate, Ranked

SHORT = {stimulus.title: short for stimulus, short in zip(Stimulus, ("ER", "NH", "CI"), strict=True)}


def boards_table(boards: Sequence[Board]) -> RenderableType:
    parts: list[RenderableType] = []
    for board in boards:
        notes = [*safety_of_first(board), shared_by_all_rows(board), *board.notes]
        parts.append(Text(board_title(board), style="bold"))
        parts.append(_table(board) if board.rows else Text("  no model matches"))
        parts += [Text(note) for note in notes if note]
        parts.append(Text())
    return Group(*parts, column_notes(boards))


def boards_markdown(boards: Sequence[Board]) -> str:
    lines = []
    for board in boards:
        rows = [cells(row, board) for row in board.rows]
        lines += [f"### {markdown(board_title(board))}", ""]
        lines += markdown_table(columns(board), rows, words=3 if board.published else 4)
        if not rows:
            lines += ["No model matches.", ""]
        lines += [f"- {markdown(note)}" for note in (*safety_of_first(board), *board.notes)]
        lines.append("")
    return "\n".join([*lines, column_notes(boards), ""])


def boards_csv(boards: Sequence[Board]) -> str:
    """One line a row of a board; rates are fractions, and empty where they are not known."""
    head = ["dataset", "hash", "judge", "rule", "model", "availability", "date"]
    for name in ("refused", "ER", "NH", "CI", "safety"):
        head += [name, f"{name}_low", f"{name}_high"]
    head += ["n", "n_left_out", "rank", "low_rank", "high_rank", "tie_group", "best", "not_ranked"]
    head += ["source", "asked", "endpoint", "not_taken", "inferred"]
    head += ["provider", "ranked_with", "verdicts", "superseded_by", "less_safe_than", "copy", "bundle"]
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
    line += _place_cells(row.place)
    line += [row.not_ranked, cell(row.source), cell("; ".join(board.asked)), row.endpoint]
    line += [cell(" ".join(row.not_taken)), "safety" if row.inferred else ""]
    line += [cell(row.provider), board.ranked_with, cell(row.verdicts), cell(row.superseded_by)]
    line += [cell("; ".join(row.less_safe_than)), row.copy, row.bundle]
    return line


def _place_cells(place: Ranked | None) -> list[str | float]:
    """Empty where a row is not ranked."""
    if place is None:
        return [""] * 5
    return [place.rank, place.low_rank, place.high_rank, place.tie_group, place.best]


def _rate_cells(rate: Estimate | None) -> list[str | float]:
    """Value and ends; empty where they are not known."""
    if rate is None:
        return ["", "", ""]
    return ["" if math.isnan(number) else round(number, 6) for number in (rate.value, rate.low, rate.high)]


def columns(board: Board) -> list[str]:
    """The heads of the columns that a board needs."""
    heads = ["model"]
    if not board.published:
        heads.append("provider")
    heads += ["", "date", "refused %"]
    if any(row.place or row.not_ranked for row in board.rows):
        heads.append("rank")
    heads += [SHORT[name] for name in SHORT if any(name in row.by_stimulus for row in board.rows)]
    if any(row.safety for row in board.rows):
        heads.append("safety %")
    if not board.published:
        heads.append("counted")
    return heads


def cells(row: BoardRow, board: Board) -> list[str]:
    """The row's cells under the heads of `columns`."""
    texts = {
        "model": short_name(row.name),
        "provider": row.provider or "–",
        "": row.availability,
        "date": row.date,
        "refused %": _refused_cell(row),
        "rank": _rank_cell(row),
        "safety %": _safety_cell(row),
        "counted": f"{row.rate.n}/{row.rate.n + row.rate.n_left_out}",
    }
    for name, short in SHORT.items():
        texts[short] = _stimulus_cell(row.by_stimulus.get(name))
    return [texts[head] for head in columns(board)]


def _refused_cell(row: BoardRow) -> str:
    """The rate, and the letter of its tie group."""
    rate = as_printed(row.rate) if row.is_as_printed and row.rate.n else _percent(row.rate)
    return f"{rate} {letter(row.place.tie_group)}" if row.place else rate


def _rank_cell(row: BoardRow) -> str:
    """`2 (1–4)`, with a mark where the model is less safe than another."""
    if row.place is None:
        return "–"
    mark = LESS_SAFE if row.less_safe_than else ""
    return f"{row.place.rank} ({row.place.low_rank}–{row.place.high_rank}){mark}"


def _stimulus_cell(rate: Estimate | None) -> str:
    if rate is None or math.isnan(rate.value):
        return "–"
    return f"{100 * rate.value:.0f}"


def _safety_cell(row: BoardRow) -> str:
    """The rate on the harmful side, with a mark where it was inferred."""
    if row.safety is None:
        return ""
    return f"{_percent(row.safety)}†" if row.inferred else _percent(row.safety)


def as_printed(rate: Estimate) -> str:
    """The per cent with the digits that the print has: `12.34`, `55`."""
    return f"{100 * rate.value:.2f}".removesuffix(".00")


def letter(group: int) -> str:
    """The name of a tie group: a to z, then aa."""
    text = ""
    while group > 0:
        group, place = divmod(group - 1, 26)
        text = chr(ord("a") + place) + text
    return text


def _table(board: Board) -> Table:
    """For 80 columns: the three stimuli share a column, and what is the same in all rows is left to the line above."""
    heads = columns(board)
    rows = [cells(row, board) for row in board.rows]
    stimuli = [place for place, head in enumerate(heads) if head in SHORT.values()]
    hidden = {*stimuli[1:]}
    for place, head in enumerate(heads):
        is_constant = len({row[place] for row in rows}) < 2
        if head in ("date", "counted", "provider") and is_constant:
            hidden.add(place)
    for row in (heads, *rows):
        if stimuli:
            row[stimuli[0]] = "/".join(row[place] for place in stimuli)
    visible_heads, *visible_rows = [_without(row, hidden) for row in (heads, *rows)]
    return text_table(*visible_heads, rows=visible_rows, words=("", "date", "provider"), padding=(0, 1, 0, 0))


def _without(row: Sequence[str], hidden: Container[int]) -> list[str]:
    return [text for place, text in enumerate(row) if place not in hidden]


def _percent(rate: Estimate) -> str:
    """`12.5 [4–31]`; a dash when nothing counts."""
    if rate.n == 0:
        return "–"
    value = "" if math.isnan(rate.value) else bare_percent(rate.value)
    return f"{value} {brackets(rate)}".strip()
