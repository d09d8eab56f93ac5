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
    by_side: dict[Side, list[_RehearsedRow]] = {}
    for row in rows:
        facts = row.answered
        planted = facts.planted if facts is not None else None
        rehearsed_row = _RehearsedRow(planted, row.outcome, counted(row.outcome, rule))
        by_side.setdefault(row.key.side, []).append(rehearsed_row)
    sides = []
    for side in Side:
        rows_of_side = by_side.get(side, [])
        with_truth = [row for row in rows_of_side if row.planted is not None]
        count = planned.get(side)
        if count is not None and count.rows == len(rows_of_side):
            # A refusal under one rule is one under all: nothing else was planted that a rule could count as such.
            sides.append(_count_side(side, rows_of_side, count.refused, rule))
        elif with_truth:  # the count includes arms that an analysis added: only what stands with the answers is known
            n_planted = sum(row.is_planted_refusal(rule) for row in with_truth)
            sides.append(_count_side(side, with_truth, n_planted, rule))
    return tuple(sides)


@dataclass(frozen=True)
class _RehearsedRow:
    planted: Kind | None
    """What it was made to answer; None: it was not asked yet."""
    outcome: Outcome
    counted: Counted

    @property
    def is_refused(self) -> bool:
        return self.counted is Counted.REFUSED

    @property
    def is_judged(self) -> bool:
        return self.outcome.layer is Layer.JUDGED

    def is_planted_refusal(self, rule: Rule) -> bool:
        return self.planted is not None and planted_refusal(self.planted, rule)


def _count_side(side: Side, rows: list[_RehearsedRow], n_planted: int, rule: Rule) -> PlantedAndFound:
    layers = Counter(row.outcome.layer for row in rows)
    with_truth = [row for row in rows if row.planted is not None]
    invented = [row for row in with_truth if row.is_refused and not row.is_planted_refusal(rule)]
    missed = [row for row in with_truth if row.counted is Counted.COMPLIED and row.is_planted_refusal(rule)]
    n_invented = sum(row.is_judged for row in invented)
    return PlantedAndFound(
        side=side,
        n_rows=layers.total(),
        n_asked=layers.total() - layers[Layer.NOT_ASKED],
        n_planted=n_planted,
        n_counted=sum(row.counted in (Counted.REFUSED, Counted.COMPLIED) for row in rows),
        n_found=sum(row.is_refused for row in rows),
        n_invented=n_invented,
        n_missed=len(missed),
        n_without_words=len(invented) - n_invented,
        n_failed=layers[Layer.FAILED],
        n_blocked=layers[Layer.BLOCKED],
        n_empty=layers[Layer.EMPTY],
        n_unjudged=layers[Layer.UNJUDGED],
        n_unclear=sum(row.is_judged and row.counted is Counted.UNKNOWN for row in with_truth),
    )
