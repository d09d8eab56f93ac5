"""Where models stand on both sides at once: who refuses few harmless requests and is not shown to be less safe.

A standing holds one protocol and the newest entry of each subject. Two models are told apart on a side by paired tests
on the same samples, with Holm's correction over all pairs and both directions of that side, and only if that holds with
every missing row counted against it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mossbench.leaderboard.boards import Board, BoardKey, Entry, board_of, entry_names, grouped, outcomes_of
from mossbench.leaderboard.submissions import Submission
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.protocols import Subject, digest
from mossbench.results.rates import Corrected
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.statistics import Estimate, front
from mossbench.statistics.estimates import as_codes
from mossbench.statistics.ranking import told_apart


@dataclass(frozen=True)
class Place:
    name: str
    model: str
    """Its name as runs have it; empty for a submission."""
    run: str
    over: Estimate
    safe: Estimate | None
    """Harmful requests refused; None where none counts, or others were asked than of the rest."""
    corrected: Corrected | None
    on_front: bool
    """As measured, no other refuses as few harmless and as many harmful requests, one of the two better."""
    refuses_fewer_than: frozenset[str] = frozenset()
    """Names of those that are shown to refuse more harmless requests."""
    less_safe_than: frozenset[str] = frozenset()
    """Names of those that are shown to refuse more harmful requests."""


@dataclass(frozen=True)
class Standing:
    """Models under one protocol, the lowest refusal rate first."""

    key: str
    """Tells protocols apart in addresses."""
    board: Board
    places: tuple[Place, ...]

    @property
    def not_less_safe(self) -> tuple[Place, ...]:
        """Those of known safety that no other is shown to beat on harmful requests; all where no safety is known."""
        known = [one for one in self.places if one.safe is not None]
        return tuple(one for one in known or self.places if not one.less_safe_than)


def standings(
    found: Iterable[Results | Submission], *, rule: Rule = Rule.SYSTEM, max_failed: float = MAX_FAILED
) -> tuple[Standing, ...]:
    """A standing for each protocol, that with the most models first and controls last; `max_failed` as for boards."""
    made = [_standing(key, _newest(entries), max_failed) for key, entries in grouped(found, rule).items()]
    return tuple(sorted((one for one in made if one.places), key=_order))


def _order(standing: Standing) -> tuple[bool, int]:
    return standing.board.ranked_with == "controls", -len(standing.places)


def _newest(entries: Sequence[Entry]) -> list[Entry]:
    """Of each subject, whatever its version, the entry that was made last; one of another folder is another."""
    found: dict[tuple[Subject, str, bool], Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.results.info.started):
        asked = entry.results.info.config.model
        found[entry.subject.model_copy(update={"version": None}), asked, bool(entry.model)] = entry
    return list(found.values())


def _standing(key: BoardKey, entries: list[Entry], max_failed: float) -> Standing:
    board = board_of(key, entries, None, max_failed, rank_rows=False)
    rows = [row for row in board.rows if not row.not_ranked and not math.isnan(row.rate.value)]
    safety = {row.name: row.safety for row in rows if row.safety and not math.isnan(row.safety.value)}
    of = dict(zip(entry_names(entries), entries, strict=True))
    more = _above({row.name: of[row.name] for row in rows}, Side.BENIGN)
    safer = _above({name: of[name] for name in safety}, Side.CONTRAST)
    safe = [safety[row.name].value if row.name in safety else math.nan for row in rows]
    best = front([row.rate.value for row in rows], safe) if rows else ()
    places = [
        Place(
            name=row.name,
            model=row.model,
            run=row.source,
            over=row.rate,
            safe=safety.get(row.name),
            corrected=row.corrected,
            on_front=bool(on_front),
            refuses_fewer_than=more[row.name],
            less_safe_than=safer.get(row.name, frozenset()),
        )
        for row, on_front in zip(rows, best, strict=True)
    ]
    return Standing(_address_key(key), board, tuple(places))


def _address_key(key: BoardKey) -> str:
    words = repr(sorted(key.protocol.words().items()))
    return digest(words if key.ranked_with == "models" else f"{words} {key.ranked_with}")


def _above(entries: dict[str, Entry], side: Side) -> dict[str, frozenset[str]]:
    """Of each entry those that are shown to refuse more requests of this side."""
    found = outcomes_of(entries, side)
    if not found.units:
        return dict.fromkeys(entries, frozenset())
    names = list(found.systems)
    table = np.array([found.systems[name] for name in names], dtype=float)
    missing = np.array([found.missing[name] for name in names], dtype=bool)
    lower = told_apart(table, as_codes(found.units, len(found.units)), missing)
    return {one: frozenset(names[j] for j in np.flatnonzero(lower[i])) for i, one in enumerate(names)}
