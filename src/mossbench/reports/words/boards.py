"""Boards in words: titles, what the columns mean, who may be first, and how safe those models are."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.look.numbers import percent, rate_in_words
from mossbench.reports.tables import short_name
from mossbench.reports.words.grammar import capital, in_digits, is_are, listing

GROUPS = {"models": "", "controls": "Control models: ", "unknown provider": "Models of unknown provider: "}
"""How the title of a board begins, by the group that its rows are ranked in."""
LESS_SAFE = "‡"
"""Marks the rank of a row that is shown to refuse fewer harmful requests than another of its board."""
AMONG_THEMSELVES = {
    "controls": "Control models, ranked among themselves.",
    "unknown provider": "Submissions that do not record their provider, ranked among themselves.",
}
"""Why these rows are not on a board with other models, by the group that they are ranked in."""
MOST_FIRST = 3
"""The most models that a heading names; if more may be first, it has only their number."""
MOST_NAMES = 4
"""The most models that a sentence names; of more it has only the number."""


def board_title(board: Board) -> str:
    """Data, judge and rule of a board, and the settings that are not the default."""
    group = "Published figures: " if board.published else GROUPS[board.ranked_with]
    stimulus = f", {board.stimulus}" if board.stimulus else ""
    settings = f" · {', '.join(board.asked)}" if board.asked else ""
    return f"{group}data {board.data}{stimulus} · judge {board.judge} · rule {board.rule}{settings}"


@dataclass(frozen=True)
class BoardFinding:
    """Who may be first. The names are apart from the text around them, so that a page can keep each on one line."""

    before: str = ""
    names: tuple[str, ...] = ()
    after: str = ""


def board_finding(board: Board) -> BoardFinding:
    """Who is first or may be first. A filter may hide rows, also those that may be first."""
    if not board.rows:
        return BoardFinding("No models match")
    n_ranked = sum(row.place is not None for row in board.rows)
    if n_ranked == 0:
        return BoardFinding(_nothing_ranked(board))
    first = sorted(rows_that_may_be_first(board), key=lambda row: row.place.rank if row.place else 0)
    if not first:
        return BoardFinding(_after_published(board, "None of the models shown can be first"))
    alone = f" by {_requests(board)} alone" if any(row.less_safe_than for row in first) else ""
    most_names = MOST_FIRST - 1 if alone else MOST_FIRST  # at most ten words
    if len(first) > most_names:
        return BoardFinding(_after_published(board, f"{len(first)} models may be first{alone}"))
    is_certain = first[0].place is not None and first[0].place.high_rank == 1
    if len(first) > 1 or not is_certain:
        names = tuple(row.name for row in first)
        return BoardFinding(_after_published(board, ""), names, f" may be first{alone}")
    if n_ranked == 1:
        return _only_ranked(board, first[0])
    return BoardFinding(
        _after_published(board, ""), (first[0].name,), f" is first{_rate_of_first(board, first[0], alone)}"
    )


def _requests(board: Board) -> str:
    return board.stimulus or "harmless requests"


def _only_ranked(board: Board, row: BoardRow) -> BoardFinding:
    """The finding of a board on which one row alone is ranked."""
    rate = "" if math.isnan(row.rate.value) else f": {rate_in_words(row.rate.value)} of {_requests(board)} refused"
    if len(board.rows) == 1:
        return BoardFinding(_after_published(board, "One model, "), (row.name,), rate)
    return BoardFinding(_after_published(board, "Only "), (row.name,), f" is ranked{rate}")


def _rate_of_first(board: Board, row: BoardRow, alone: str) -> str:
    """What the first row refused; `alone` names the requests, where safety does not count."""
    if math.isnan(row.rate.value):
        return alone
    if alone:
        return f"{alone}: {rate_in_words(row.rate.value)} refused"
    return f": {rate_in_words(row.rate.value)} of {_requests(board)} refused"


def _after_published(board: Board, text: str) -> str:
    """The text; on a board of published figures after `Published:` and with a small letter."""
    if not board.published:
        return text
    return f"Published: {text[:1].lower()}{text[1:]}"


def _nothing_ranked(board: Board) -> str:
    if board.published:
        return f"Published: {in_digits(len(board.rows), 'model')} as printed"
    return "No model can be ranked"


def board_method(board: Board) -> str:
    """How certain the ranks of a board are, who is ranked there, and under which protocol."""
    sentences = [certain_ranks(board), AMONG_THEMSELVES.get(board.ranked_with, "")]
    protocol = f"Dataset {board.data}, judge {board.judge}, counting rule {board.rule}"
    sentences.append(f"{protocol}, {board.stimulus} only." if board.stimulus else f"{protocol}.")
    if board.asked:
        sentences.append(f"Settings other than the default: {', '.join(board.asked)}.")
    if board.published:
        sentences.append(
            "Hollow marks are published figures, never ranked with runs; mossbench computed the intervals."
        )
    return " ".join(filter(None, sentences))


def short_method(board: Board) -> str:
    """The data, the number of samples and the judge of a board, and whom it ranks."""
    parts = ["published figures"] if board.published else []
    parts.append(f"{board.dataset}, {board.n_samples:,} harmless samples" if board.n_samples else board.dataset)
    parts.append(f"judge {board.judge}")
    if board.rule != "system" and not board.published:
        parts.append(f"rule {board.rule}")
    if board.ranked_with != "models":
        parts.append("control models" if board.ranked_with == "controls" else board.ranked_with)
    parts += board.asked
    return " · ".join(parts)


def chosen_words(board: Board) -> str:
    """By what a board ranks, in a line."""
    return f"rule {board.rule}, {board.stimulus or 'all three stimuli'}"


def certain_ranks(board: Board) -> str:
    """How many ranks are certain; empty where fewer than two rows are ranked."""
    places = [row.place for row in board.rows if row.place is not None]
    if len(places) < 2:
        return ""
    n_certain = sum(place.low_rank == place.high_rank for place in places)
    if n_certain == 0:
        return f"None of {len(places)} ranks is certain."
    return f"{n_certain} of {len(places)} ranks {is_are(n_certain)} certain."


def column_notes(
    boards: Sequence[Board], *, rate: str = "Refused", safety: str = "Safety", tied: str = "with the same letter"
) -> str:
    """What the columns that are shown mean; empty if no row is shown.

    `rate` and `safety` are the names of these columns, `tied` says how rows that are not clearly different are marked.
    """
    rows = list(chain.from_iterable(board.rows for board in boards))
    if not rows:
        return ""
    has_intervals = any(not math.isnan(row.rate.low) for row in rows)
    intervals = ", 95 % intervals" if has_intervals else ""
    parts = [f"{rate}: share of harmless requests refused, lower is better{intervals}."]
    if any(row.by_stimulus for row in rows):
        parts.append("ER, NH, CI: Exaggerated Risk, Negated Harm, Counterintuitive Interpretation.")
    if any(_has_ranks(board) for board in boards):
        parts.append(
            "Rank: position by refusal rate, and the range of the true rank if the judge reads every answer correctly "
            f"(simultaneous 95 % ranges of a board). Rows {tied} do not differ significantly from the first of their "
            "group."
        )
    if any(row.safety for row in rows):
        parts.append(f"{safety}: share of harmful requests refused, higher is better.")
    if any(row.less_safe_than for row in rows):
        parts.append(
            f"{LESS_SAFE} or less safe: refuses significantly fewer harmful requests than another model of its board, "
            "by exact paired tests over all stimuli; its rank is by harmless requests alone."
        )
    return " ".join(parts)


def _has_ranks(board: Board) -> bool:
    return sum(row.place is not None for row in board.rows) > 1


def rows_that_may_be_first(board: Board) -> list[BoardRow]:
    """The rows that may be first, of those that are shown: a filter may hide some."""
    return [row for row in board.rows if row.place is not None and row.place.low_rank == 1]


def safety_of_first(board: Board, *, has_column: bool = False) -> list[str]:
    """How many harmful requests the models refuse that may be first on harmless ones; empty if nothing is ranked.

    `has_column`: the table beside it says it of each row, so only what weakens their places is said.
    """
    first = rows_that_may_be_first(board)
    sentences = []
    less_safe = [row for row in first if row.less_safe_than]
    if less_safe:
        sentences.append(_less_safe_first(less_safe, board))
    refused_none = [row for row in first if row.safety and row.safety.n and row.safety.value == 0]
    if refused_none:
        sentences.append(f"{_names(refused_none)} refused no harmful request.")
    unknown = [row for row in first if not row.safety or math.isnan(row.safety.value)]
    if unknown:
        sentences.append(f"It is not known how many harmful requests {_names(unknown)} would refuse.")
    if has_column or not first or unknown or len(refused_none) == len(first):
        return sentences
    who = "the first" if len(first) == 1 else "those that may be first"
    sentences.append(f"Harmful requests refused by {who}: {_safety_range(first)}.")
    return sentences


def _less_safe_first(rows: Sequence[BoardRow], board: Board) -> str:
    """That these rows may be first, but are less safe than others."""
    safer: set[str] = set()
    for row in rows:
        safer.update(row.less_safe_than)
    stimuli = " (over all stimuli)" if board.stimulus else ""
    return (
        f"May be first, but less safe: {_names(rows)}, with significantly fewer harmful requests refused than "
        f"{_listed(sorted(safer))}{stimuli}."
    )


def _safety_range(rows: Sequence[BoardRow]) -> str:
    """The share of harmful requests that each row refused; of many rows only the lowest and the highest."""
    shares = [(row.safety.value, short_name(row.name)) for row in rows if row.safety]
    shares.sort(key=lambda share: share[0])
    texts = [f"{name} {percent(value)}" for value, name in shares]
    if len(texts) <= MOST_NAMES:
        return ", ".join(texts)
    return f"from {texts[0]} to {texts[-1]}"


def _names(rows: Sequence[BoardRow]) -> str:
    return _listed([row.name for row in rows])


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{len(names)} models"
    return listing([short_name(name) for name in names])


def shared_by_all_rows(board: Board) -> str:
    """Date, provider and number of rows that count, as far as they are the same for all models."""
    dates = {row.date for row in board.rows}
    counts = {(row.rate.n, row.rate.n_left_out) for row in board.rows}
    providers = {row.provider or "not recorded" for row in board.rows}
    parts = []
    if len(dates) == 1:
        parts.append(f"date {dates.pop()}")
    if len(providers) == 1 and not board.published:
        parts.append(f"provider {providers.pop()}")
    if len(counts) == 1:
        n, n_left_out = counts.pop()
        parts.append(f"n = {n}, {n_left_out} left out")
    return " · ".join(parts)


def note_sentences(board: Board) -> Iterator[str]:
    """The notes of a board for its page, without those on ranks: the page has them elsewhere."""
    names_of_rows = {row.name for row in board.rows}
    for note in board.remarks:
        if note.kind == "ranks":
            continue
        # A note on a row begins with its name, which keeps its small letter.
        is_about_row = not names_of_rows.isdisjoint(note.names)
        text = note.text if is_about_row else capital(note.text)
        yield text if text.endswith(".") else f"{text}."
