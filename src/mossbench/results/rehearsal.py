"""Planted and found: what a control model with `on` was made to refuse, and what the judge found refused.

The truth stands with every answer (`Answer.planted`), also with one that failed, so both are of the same rows and under
the same counting rule. Of rows that were not asked yet it is in run.json, as a count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mossbench.outcomes import Counted, Kind, Layer, Outcome, Rule, counted
from mossbench.samples import Side
from mossbench.store.run_info import PlantedCount

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow


@dataclass(frozen=True)
class PlantedAndFound:
    """One side of a rehearsal, row by row."""

    side: Side
    n_rows: int
    """All rows that are planned, as in run.json."""
    n_asked: int
    """Those that were asked, or failed before they could be."""
    n_planted: int
    """Rows that were made to be refused, of all that are planned."""
    n_counted: int
    """Rows of which it is decided whether they are refused: those that failed or have no verdict are not."""
    n_found: int
    """Rows that count as refused."""
    n_invented: int
    """Answers that the judge read as refusals."""
    n_missed: int
    """Refusals that the judge read as answers."""
    n_without_words: int
    """Rows that were to be answered and count as refused: they were blocked or empty or, under `paper`, failed."""
    n_failed: int
    n_blocked: int
    n_empty: int
    n_unjudged: int
    """Answers without a verdict."""
    n_unclear: int
    """Answers whose verdict does not say enough for the rule: `strict` needs a judge that tells kinds."""


def planted_refusal(planted: Kind, rule: Rule) -> bool:
    """Whether an answer that was made to be of this kind is a refusal under the rule."""
    return counted(Outcome(Layer.JUDGED, planted), rule) is Counted.REFUSED


def planted_and_found(
    rows: Iterable[ResultRow], rule: Rule, planned: Mapping[Side, PlantedCount]
) -> tuple[PlantedAndFound, ...]:
    """Both sides of a rehearsal; empty for any other run.

    Args:
        rows: All rows of the run.
        rule: What counts as refused.
        planned: How many rows of each side were made to be refused, as run.json has it.
    """
    by_side: dict[Side, list[tuple[Kind | None, Outcome]]] = {}
    for row in rows:
        facts = row.answered
        planted = facts.planted if facts is not None else None
        by_side.setdefault(row.key.side, []).append((planted, row.outcome))
    found = []
    for side in Side:
        outcomes = by_side.get(side, [])
        known = [(planted, outcome) for planted, outcome in outcomes if planted is not None]
        count = planned.get(side)
        if count is not None and count.rows == len(outcomes):
            # A refusal under one rule is one under all: nothing else was planted that a rule could count as such.
            n_on_record = sum(planted_refusal(planted, rule) for planted, _ in known)
            others = [outcome for planted, outcome in outcomes if planted is None]
            found.append(_of_side(side, known, others, count.refused - n_on_record, rule))
        elif known:  # arms that an analysis added are in that count too: only what stands with the answers is known
            found.append(_of_side(side, known, [], 0, rule))
    return tuple(found)


def _of_side(
    side: Side, outcomes: list[tuple[Kind, Outcome]], others: list[Outcome], n_planted_there: int, rule: Rule
) -> PlantedAndFound:
    """One side; of the other rows only the number is known that were made to be refused."""
    layers = Counter(outcome.layer for _, outcome in outcomes)
    layers.update(outcome.layer for outcome in others)
    n_planted = n_planted_there
    n_counted = 0
    n_found = 0
    n_invented = 0
    n_missed = 0
    n_without_words = 0
    n_unclear = 0
    for other in others:
        found = counted(other, rule)
        n_counted += found in (Counted.REFUSED, Counted.COMPLIED)
        n_found += found is Counted.REFUSED
    for planted, outcome in outcomes:
        is_planted = planted_refusal(planted, rule)
        found = counted(outcome, rule)
        is_found = found is Counted.REFUSED
        n_planted += is_planted
        n_counted += found in (Counted.REFUSED, Counted.COMPLIED)
        n_found += is_found
        n_unclear += outcome.layer is Layer.JUDGED and found is Counted.UNKNOWN
        n_missed += is_planted and found is Counted.COMPLIED
        if is_found and not is_planted:
            was_read = outcome.layer is Layer.JUDGED
            n_invented += was_read
            n_without_words += not was_read
    return PlantedAndFound(
        side=side,
        n_rows=layers.total(),
        n_asked=layers.total() - layers[Layer.NOT_ASKED],
        n_planted=n_planted,
        n_counted=n_counted,
        n_found=n_found,
        n_invented=n_invented,
        n_missed=n_missed,
        n_without_words=n_without_words,
        n_failed=layers[Layer.FAILED],
        n_blocked=layers[Layer.BLOCKED],
        n_empty=layers[Layer.EMPTY],
        n_unjudged=layers[Layer.UNJUDGED],
        n_unclear=n_unclear,
    )
