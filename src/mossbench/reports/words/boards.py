"""Boards in words: how one is called, what its columns mean, and what is to be said beside who is first."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.numbers import percent, whole
from mossbench.reports.tables import short_name
from mossbench.reports.words.grammar import capital, listing

GROUPS = {"models": "", "controls": "Control models: ", "unknown provider": "Models of unknown provider: "}
"""How the title of a board begins, by whom its rows are ranked among."""
LESS_SAFE = "‡"
"""Marks the rank of a row that is shown to refuse fewer harmful requests than another of its board."""
AMONG_THEMSELVES = {
    "controls": "Control models, ranked among themselves.",
    "unknown provider": "Submissions that do not record their provider, ranked among themselves.",
}
"""Why a board is not one of models, by whom its rows are ranked among."""
MOST_FIRST = 3
"""Names of models that may be first in a heading; of more only the number is said."""
MOST_NAMES = 4
"""Names in a sentence; of more only the number is said."""


def board_title(board: Board) -> str:
    """Data, judge and rule of a board, and in what its runs were asked otherwise than by default."""
    by = f", {board.stimulus}" if board.stimulus else ""
    which = "Published figures: " if board.published else GROUPS[board.ranked_with]
    asked = f" · {', '.join(board.asked)}" if board.asked else ""
    return f"{which}data {board.data}{by} · judge {board.judge} · rule {board.rule}{asked}"


@dataclass(frozen=True)
class BoardFinding:
    """Who may be first. A page sets the names apart from the words around them, so that none is broken."""

    before: str = ""
    names: tuple[str, ...] = ()
    after: str = ""


def board_finding(board: Board) -> BoardFinding:
    """What a board shows. Rows may be fewer than those that were ranked: a filter may hide whoever is first."""
    if not board.rows:
        return BoardFinding("No models match")
    published = "Published: " if board.published else ""
    n_ranked = sum(row.place is not None for row in board.rows)
    if not n_ranked:
        models = "model" if len(board.rows) == 1 else "models"
        none = f"{len(board.rows)} {models} as printed" if board.published else "No model can be ranked"
        return BoardFinding(f"{published}{none}")
    first = sorted(first_of(board), key=lambda row: row.place.rank if row.place else 0)
    if not first:
        none = "none" if board.published else "None"
        return BoardFinding(f"{published}{none} of the models shown can be first")
    alone = " by harmless requests alone" if any(row.less_safe_than for row in first) else ""
    if len(first) > MOST_FIRST:
        any_of = "any" if board.published else "Any"
        return BoardFinding(f"{published}{any_of} of {len(first)} models may be first{alone}")
    names = tuple(row.name for row in first)
    is_certain = first[0].place is not None and first[0].place.high_rank == 1
    if len(first) > 1 or not is_certain:
        return BoardFinding(published, names, f" may be first{alone}")
    refused = _refused_by_first(first[0], board)
    if n_ranked > 1:
        return BoardFinding(published, names, f" is first{alone}{refused}")
    only = "One model, " if len(board.rows) == 1 else "One model is ranked, "
    return BoardFinding(f"{published}{only}", names, refused)


def _refused_by_first(row: BoardRow, board: Board) -> str:
    if math.isnan(row.rate.value):
        return ""
    harmful = ""
    if row.safety and not math.isnan(row.safety.value):
        harmful = f" and {whole(row.safety.value)} of harmful ones"
    stimulus = f" of {board.stimulus}" if board.stimulus else ""
    return f": it refused {whole(row.rate.value)} of harmless requests{harmful}{stimulus}"


def board_making(board: Board) -> str:
    """How certain the ranks of a board are, who is ranked there, and under which protocol."""
    sentences = [_certain_ranks(board), AMONG_THEMSELVES.get(board.ranked_with, "")]
    protocol = f"Dataset {board.data}, judge {board.judge}, counting rule {board.rule}"
    sentences.append(f"{protocol}, {board.stimulus} only." if board.stimulus else f"{protocol}.")
    if board.asked:
        sentences.append(f"Settings other than the default: {', '.join(board.asked)}.")
    if board.published:
        sentences.append(
            "Hollow marks are published figures, never ranked with runs; mossbench computed the intervals."
        )
    return " ".join(filter(None, sentences))


def _certain_ranks(board: Board) -> str:
    """How many ranks are certain; empty where fewer than two rows are ranked."""
    places = [row.place for row in board.rows if row.place is not None]
    if len(places) < 2:
        return ""
    n_certain = sum(place.low_rank == place.high_rank for place in places)
    are = "is" if n_certain < 2 else "are"
    return f"{n_certain or 'None'} of {len(places)} ranks {are} certain."


def explained(
    boards: Sequence[Board], *, rate: str = "Refused", safety: str = "Safety", tied: str = "with the same letter"
) -> str:
    """What the columns mean, of those that are shown, by their names there; empty when no row is."""
    rows: list[BoardRow] = []
    for board in boards:
        rows += board.rows
    if not rows:
        return ""
    has_intervals = any(not math.isnan(row.rate.low) for row in rows)
    intervals = ", 95 % intervals" if has_intervals else ""
    parts = [f"{rate}: share of harmless requests refused, lower is better{intervals}."]
    if any(row.by_stimulus for row in rows):
        parts.append("ER, NH, CI: Exaggerated Risk, Negated Harm, Counterintuitive Interpretation.")
    if any(sum(row.place is not None for row in board.rows) > 1 for board in boards):
        parts.append(
            "Rank: place by refusal rate, and the range of its true place if the judge reads every answer right; all "
            f"ranges of a board hold together at 95 %. Rows {tied} are not clearly different from the first of their "
            "group."
        )
    if any(row.safety for row in rows):
        parts.append(f"{safety}: share of harmful requests refused, higher is better.")
    if any(row.less_safe_than for row in rows):
        parts.append(
            f"{LESS_SAFE} or less safe: shown to refuse fewer harmful requests than another model of its board, by "
            "exact paired tests over all stimuli; its rank is by harmless requests alone."
        )
    return " ".join(parts)


def first_of(board: Board) -> list[BoardRow]:
    """The rows that may be first, as far as they are shown: a filter may hide some."""
    return [row for row in board.rows if row.place is not None and row.place.low_rank == 1]


def safety_of_first(board: Board) -> list[str]:
    """What is to be said of harmful requests beside who is first on harmless ones; nothing where nothing is ranked."""
    first = first_of(board)
    sentences = []
    less_safe = [row for row in first if row.less_safe_than]
    if less_safe:
        safer = sorted({name for row in less_safe for name in row.less_safe_than})
        stimuli = " (over all stimuli)" if board.stimulus else ""
        sentences.append(
            f"First by harmless requests alone: {_names(less_safe)}, shown to refuse fewer harmful requests than "
            f"{_listed(safer)}{stimuli}."
        )
    refused_none = [row for row in first if row.safety and row.safety.n and row.safety.value == 0]
    if refused_none:
        sentences.append(f"{_names(refused_none)} refused no harmful request.")
    unknown = [row for row in first if not row.safety or math.isnan(row.safety.value)]
    if unknown:
        sentences.append(f"How many harmful requests {_names(unknown)} would refuse is not known.")
    if len(first) > 1 and not unknown and len(refused_none) < len(first):
        sentences.append(f"Harmful requests refused by those that may be first: {_safety_range(first)}.")
    return sentences


def _safety_range(rows: Sequence[BoardRow]) -> str:
    """The shares of harmful requests that these refused; of many rows the lowest and the highest."""
    by_safety = sorted(rows, key=lambda row: row.safety.value if row.safety else math.nan)
    shown = by_safety if len(by_safety) <= MOST_NAMES else [by_safety[0], by_safety[-1]]
    shares = [f"{short_name(row.name)} {percent(row.safety.value)}" for row in shown if row.safety]
    return ", ".join(shares) if len(by_safety) <= MOST_NAMES else f"from {shares[0]} to {shares[1]}"


def _names(rows: Sequence[BoardRow]) -> str:
    return _listed([row.name for row in rows])


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} models" if len(names) > MOST_NAMES else listing([short_name(name) for name in names])


def shared_by_all_rows(board: Board) -> str:
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


def note_sentences(board: Board) -> Iterator[str]:
    """The notes for a page, which has how ranks were made beside each row of a board that is not a print."""
    shown = {row.name for row in board.rows}
    for note in board.remarks:
        if note.kind == "ranks":
            continue
        # A name is written as it is, also where a sentence begins with it.
        is_about_row = not shown.isdisjoint(note.names)
        text = note.text if is_about_row else capital(note.text)
        yield text if text.endswith(".") else f"{text}."
