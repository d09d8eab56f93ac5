"""The notes below a board, as records: the kind of each note, and the rows that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mossbench.errors import n_of, some
from mossbench.protocols import RECORDED

if TYPE_CHECKING:
    from mossbench.leaderboard.boards import BoardRow

Kind = Literal[
    "ranks",
    "not_ranked",
    "superseded",
    "settings_not_taken",
    "other_harmful_samples",
    "copies_differ",
    "seeds_differ",
    "verified",
    "claimed_verdicts",
    "recorded_answers",
    "no_hash",
    "published",
]
MOST_NAMES = 5
"""Rows that a note on copies names of each copy."""


@dataclass(frozen=True)
class BoardNote:
    kind: Kind
    text: str
    names: tuple[str, ...] = ()
    """The rows that it names."""


def notes_on_rows_not_ranked(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """One for each row that has no rank; runs that gave way to a newer one have a note of their own."""
    notes = []
    for row in rows:
        if row.not_ranked and not row.superseded_by:
            notes.append(BoardNote("not_ranked", f"{row.name} is not ranked: {row.not_ranked}", (row.name,)))
    return notes


def notes_on_superseded(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """One note for each run that older ones gave way to, however many these are."""
    n_older = Counter(row.superseded_by for row in rows if row.superseded_by)
    notes = []
    for newest, n in n_older.items():
        older = n_of(n, "run")
        text = f"{older} not ranked: superseded by {newest}, the newest of the same model under this protocol"
        notes.append(BoardNote("superseded", text))
    return notes


def notes_on_settings_not_taken(rows: Sequence[BoardRow]) -> list[BoardNote]:
    notes = []
    for row in rows:
        if row.not_taken:
            text = f"{row.name}: its provider rejects {', '.join(row.not_taken)}"
            notes.append(BoardNote("settings_not_taken", text, (row.name,)))
    return notes


def notes_on_copies(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """Which rows were asked with which copy of the published images, where they differ."""
    names: dict[str, list[str]] = {}
    for row in rows:
        if row.copy:
            names.setdefault(copy_in_words(row), []).append(row.name)
    if len(names) < 2:
        return []
    listed = []
    named: list[str] = []
    for copy, of_copy in names.items():
        listed.append(f"{copy}: {some(of_copy, MOST_NAMES)}")
        named += of_copy[:MOST_NAMES]
    text = f"rows were asked with different copies of the same images, which may change a rate ({'; '.join(listed)})"
    return [BoardNote("copies_differ", text, tuple(named))]


def copy_in_words(row: BoardRow) -> str:
    return f"{row.copy} copy, as claimed" if row.copy_is_claimed else f"{row.copy} copy"


def notes_on_bundles(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """One note for the rows whose numbers and verdicts were made again here from a bundle of the run's files.

    Rows of which only a part was verified have a note about the rest (`notes_on_claims`).
    """
    names = [row.name for row in rows if row.bundle and row.claimed == "none"]
    if not names:
        return []
    text = f"counted and judged again here from bundles of their runs: {', '.join(names)}"
    return [BoardNote("verified", text, tuple(names))]


def notes_on_claims(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """One note for each reason for which verdicts of submissions, or some of them, are only claimed."""
    names: dict[str, list[str]] = {}
    for row in rows:
        if row.claimed != "none":
            names.setdefault(row.verdicts, []).append(row.name)
    notes = []
    for reason, claiming in names.items():
        text = f"verdicts of {', '.join(claiming)}: {reason}"
        notes.append(BoardNote("claimed_verdicts", text, tuple(claiming)))
    return notes


def notes_on_recorded(rows: Sequence[BoardRow]) -> list[BoardNote]:
    """One note for all rows whose answers were recorded before: the settings of the board are not theirs."""
    names = [row.name for row in rows if row.provider == RECORDED]
    if not names:
        return []
    text = f"recorded answers, replayed from files; how they were asked is unknown: {', '.join(names)}"
    return [BoardNote("recorded_answers", text, tuple(names))]
