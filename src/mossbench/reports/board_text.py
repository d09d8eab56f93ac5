"""Boards for the terminal, as Markdown, as CSV and as a page."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.numbers import brackets, one, percent
from mossbench.look.page import ALONE, Frame, markdown, markdown_table, render_page
from mossbench.look.texts import sentences
from mossbench.plumbing.sheets import cell, csv_text
from mossbench.reports.tables import short_name, text_table
from mossbench.reports.wording import listed
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate

_say = sentences(__file__)
GROUPS = {"models": "", "controls": "Control models: ", "unknown provider": "Models of unknown provider: "}
"""How the title of a board begins, by whom its rows are ranked among."""
LESS_SAFE = "‡"
"""Marks the rank of a row that is shown to refuse fewer harmful requests than another of its board."""
MOST_NAMES = 4
"""Names in a sentence; of more only the number is said."""
SHORT = {stimulus.title: short for stimulus, short in zip(Stimulus, ("ER", "NH", "CI"), strict=True)}


def explained(
    boards: Sequence[Board], *, rate: str = "Refused", safety: str = "Safety", tied: str = "with the same letter"
) -> str:
    """What the columns mean, of those that are shown, by their names there; empty when no row is."""
    rows = [row for board in boards for row in board.rows]
    intervals = any(not math.isnan(row.rate.low) for row in rows)
    ranked = any(sum(row.place is not None for row in board.rows) > 1 for board in boards)
    text = _say("explained", rows=rows, intervals=intervals, ranked=ranked, rate=rate, safety=safety, tied=tied)
    if not any(row.less_safe_than for row in rows):
        return text
    return (
        f"{text} {LESS_SAFE} or less safe: shown to refuse fewer harmful requests than another model of its board, by "
        "exact paired tests over all stimuli; its rank is by harmless requests alone."
    )


def first_of(board: Board) -> list[BoardRow]:
    """The rows that may be first, as far as they are shown: a filter may hide some."""
    return [row for row in board.rows if row.place is not None and row.place.low_rank == 1]


def safety_of_first(board: Board) -> list[str]:
    """What is to be said of harmful requests beside who is first on harmless ones; nothing where nothing is ranked."""
    first = first_of(board)
    said = []
    less_safe = [row for row in first if row.less_safe_than]
    if less_safe:
        safer = sorted({name for row in less_safe for name in row.less_safe_than})
        stimuli = " (over all stimuli)" if board.stimulus else ""
        said.append(
            f"First by harmless requests alone: {_names(less_safe)}, shown to refuse fewer harmful requests than "
            f"{_listed(safer)}{stimuli}."
        )
    refused_none = [row for row in first if row.safety and row.safety.n and row.safety.value == 0]
    if refused_none:
        said.append(f"{_names(refused_none)} refused no harmful request.")
    unknown = [row for row in first if not row.safety or math.isnan(row.safety.value)]
    if unknown:
        said.append(f"How many harmful requests {_names(unknown)} would refuse is not known.")
    if len(first) > 1 and not unknown and len(refused_none) < len(first):
        said.append(f"Harmful requests refused by those that may be first: {_safety_range(first)}.")
    return said


def _safety_range(rows: Sequence[BoardRow]) -> str:
    """The shares of harmful requests that these refused; of many rows the lowest and the highest."""
    by_safety = sorted(rows, key=lambda row: row.safety.value if row.safety else math.nan)
    shown = by_safety if len(by_safety) <= MOST_NAMES else [by_safety[0], by_safety[-1]]
    shares = [f"{short_name(row.name)} {percent(row.safety.value)}" for row in shown if row.safety]
    return ", ".join(shares) if len(by_safety) <= MOST_NAMES else f"from {shares[0]} to {shares[1]}"


def _names(rows: Sequence[BoardRow]) -> str:
    return _listed([row.name for row in rows])


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} models" if len(names) > MOST_NAMES else listed([short_name(name) for name in names])


def boards_table(boards: Sequence[Board]) -> RenderableType:
    parts: list[RenderableType] = []
    for board in boards:
        about = filter(None, (*safety_of_first(board), _shared(board), *board.notes))
        table = _table(board) if board.rows else Text("  no model matches")
        parts += [Text(title(board), style="bold"), table, *(Text(text) for text in about), Text()]
    return Group(*parts, explained(boards))


def boards_markdown(boards: Sequence[Board]) -> str:
    lines = []
    for board in boards:
        lines += [f"### {markdown(title(board))}", ""]
        lines += markdown_table(
            columns(board), (cells(row, board) for row in board.rows), words=3 if board.published else 4
        )
        lines += [] if board.rows else ["No model matches.", ""]
        notes = [*safety_of_first(board), *board.notes]
        lines += [*(f"- {markdown(text)}" for text in notes), ""]
    return "\n".join([*lines, explained(boards), ""])


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


def title(board: Board) -> str:
    by = f", {board.stimulus}" if board.stimulus else ""
    which = "Published figures: " if board.published else GROUPS[board.ranked_with]
    asked = f" · {', '.join(board.asked)}" if board.asked else ""
    return f"{which}data {board.data}{by} · judge {board.judge} · rule {board.rule}{asked}"


def columns(board: Board) -> list[str]:
    found = ["model", "", "date", "refused %"]
    if not board.published:
        found.insert(1, "provider")
    if any(row.place or row.not_ranked for row in board.rows):
        found += ["rank"]
    found += [SHORT[name] for name in SHORT if any(name in row.by_stimulus for row in board.rows)]
    if any(row.safety for row in board.rows):
        found += ["safety %"]
    return found if board.published else [*found, "counted"]


def cells(row: BoardRow, board: Board) -> list[str]:
    place, shown = row.place, columns(board)
    group = f" {letter(place.tie_group)}" if place else ""
    refused = as_printed(row.rate) if row.is_as_printed and row.rate.n else _percent(row.rate)
    found = [short_name(row.name), row.availability, row.date, refused + group]
    if not board.published:
        found.insert(1, row.provider or "–")
    if "rank" in shown:
        mark = LESS_SAFE if row.less_safe_than else ""
        found.append(f"{place.rank} ({place.low_rank}–{place.high_rank}){mark}" if place else "–")
    for name, short in SHORT.items():
        if short in shown:
            rate = row.by_stimulus.get(name)
            found.append("–" if rate is None or math.isnan(rate.value) else f"{100 * rate.value:.0f}")
    if "safety %" in shown:
        found.append(_percent(row.safety) + "†" * row.inferred if row.safety else "")
    return found if board.published else [*found, f"{row.rate.n}/{row.rate.n + row.rate.n_left_out}"]


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


def _shared(board: Board) -> str:
    """Date, provider and rows counted, where they are the same for all."""
    dates = {row.date for row in board.rows}
    counts = {(row.rate.n, row.rate.n_left_out) for row in board.rows}
    providers = {row.provider or "not recorded" for row in board.rows}
    parts = [f"date {dates.pop()}"] if len(dates) == 1 else []
    if len(providers) == 1 and not board.published:
        parts.append(f"provider {providers.pop()}")
    if len(counts) == 1:
        n, n_left_out = counts.pop()
        parts.append(f"n = {n}, {n_left_out} left out")
    return " · ".join(parts)


def _percent(rate: Estimate) -> str:
    """`12.5 [4–31]`; a dash when nothing counts."""
    if rate.n == 0:
        return "–"
    return f"{'' if math.isnan(rate.value) else f'{one(rate.value)} '}{brackets(rate)}".strip()


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
    shown = [_board(board) for board in boards]
    return render_page(
        "board.html",
        frame=frame,
        controls=controls,
        stimuli=SHORT,
        boards=shown,
        ties=any(board.has_ties for board in shown),
        legend=explained(boards, rate="Refused", safety="Harmful", tied="joined by a green bar"),
        left_out=left_out,
        models=models or {},
        as_printed=as_printed,
        letter=letter,
    )


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
    safety: list[str]
    by_harmless_alone: bool

    @property
    def has_ties(self) -> bool:
        return any(tie for _, tie in self.rows)


def _board(board: Board) -> BoardView:
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
        notes=tuple(_note_sentences(board)),
        safety=safety_of_first(board),
        by_harmless_alone=any(row.less_safe_than for row in first_of(board)),
    )


def _note_sentences(board: Board) -> Iterator[str]:
    """The notes for a page, which has how ranks were made beside each row of a board that is not a print."""
    shown = {row.name for row in board.rows}
    for note in board.remarks:
        if note.kind == "ranks":
            continue
        # A name is written as it is, also where a sentence begins with it.
        is_about_row = not shown.isdisjoint(note.names)
        text = note.text if is_about_row else f"{note.text[:1].upper()}{note.text[1:]}"
        yield text if text.endswith(".") else f"{text}."


def _tie(groups: list[int], i: int) -> Tie | None:
    """Where a row stands in its group; None when it is alone."""
    is_first = i == 0 or groups[i - 1] != groups[i]
    is_last = i == len(groups) - 1 or groups[i + 1] != groups[i]
    if is_first and is_last:
        return None
    return Tie(is_first, is_last)
