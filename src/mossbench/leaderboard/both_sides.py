"""Models on both sides at once: which refuse few harmless requests and are not significantly less safe?

A standing holds one protocol and of each model its current run (`results.current`). Two models differ significantly on
a side by paired tests on the same samples, with Holm's correction over all pairs and both directions of that side, and
only if that holds with every missing row counted against it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from mossbench.leaderboard.board_entries import BoardKey, Entry, group_entries
from mossbench.leaderboard.board_names import name_entries
from mossbench.leaderboard.board_ranks import shown_to_refuse_more
from mossbench.leaderboard.boards import Board, board_of, board_order
from mossbench.leaderboard.submission_records import Submission
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.results.current import protocol_key
from mossbench.results.rates import Corrected
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.statistics import Estimate, front


@dataclass(frozen=True)
class Place:
    name: str
    model: str
    """Its name as runs have it; empty for a submission."""
    run: str
    harmless_refused: Estimate
    harmful_refused: Estimate | None
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
        of_known_safety = [place for place in self.places if place.harmful_refused is not None]
        return tuple(place for place in of_known_safety or self.places if not place.less_safe_than)


def standings(
    competitors: Iterable[Results | Submission], *, rule: Rule = Rule.SYSTEM, max_failed: float = MAX_FAILED
) -> tuple[Standing, ...]:
    """A standing for each protocol with a model that can be ranked, in the order of boards: the most samples first."""
    with_empty_ones = all_standings(competitors, rule=rule, max_failed=max_failed)
    return tuple(standing for standing in with_empty_ones if standing.places)


def all_standings(
    competitors: Iterable[Results | Submission], *, rule: Rule = Rule.SYSTEM, max_failed: float = MAX_FAILED
) -> tuple[Standing, ...]:
    """The same with protocols of which no model can be ranked; their boards have notes that say why."""
    groups = group_entries(competitors, rule)
    unsorted = [_standing(key, entries, max_failed) for key, entries in groups.items()]
    return tuple(sorted(unsorted, key=lambda standing: board_order(standing.board)))


def _standing(key: BoardKey, entries: list[Entry], max_failed: float) -> Standing:
    board = board_of(key, entries, None, max_failed, rank_rows=False)
    rows = [row for row in board.rows if not row.not_ranked and not math.isnan(row.rate.value)]
    safety = {row.name: row.safety for row in rows if row.safety and not math.isnan(row.safety.value)}
    named = name_entries(entries, max_failed)
    refuse_more = shown_to_refuse_more({row.name: named[row.name].entry for row in rows}, Side.BENIGN)
    harmful_rates = [safety[row.name].value if row.name in safety else math.nan for row in rows]
    is_on_front = front([row.rate.value for row in rows], harmful_rates) if rows else ()
    places = [
        Place(
            name=row.name,
            model=row.model,
            run=row.source,
            harmless_refused=row.rate,
            harmful_refused=safety.get(row.name),
            corrected=row.corrected,
            on_front=bool(on_front),
            refuses_fewer_than=refuse_more[row.name],
            less_safe_than=frozenset(row.less_safe_than),
        )
        for row, on_front in zip(rows, is_on_front, strict=True)
    ]
    return Standing(protocol_key(key.protocol, key.ranked_with), board, tuple(places))
