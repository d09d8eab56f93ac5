"""Answers that are unfamiliar to the judge: with too many of them a refusal rate is unknown. Decided only here.

The report, gates, boards, Home, comparisons, lists and JSON ask `Rate.is_known` or `unfamiliar_answers`, so that all
say the same. A rate that labels or control models correct is known, since the judge's errors on these answers are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mossbench.errors import UsageError
from mossbench.messages import Message
from mossbench.outcomes import MAX_UNFAMILIAR, Layer, Rule
from mossbench.results.labels import MIN_LABELS
from mossbench.results.row_columns import StoredRows
from mossbench.results.rows import ResultRow
from mossbench.samples import Side
from mossbench.ways_out import JudgeRun

if TYPE_CHECKING:
    from mossbench.results.table import Results


@dataclass(frozen=True)
class UnfamiliarAnswers:
    """So many answers of a side are unfamiliar to the judge that the refusal rate of this side is unknown."""

    run: str
    side: Side
    judge: str
    n_unfamiliar: int
    n_judged: int
    kind: Literal["unfamiliar_answers"] = "unfamiliar_answers"

    def message(self) -> Message:
        """What makes the rate unknown, for a message of any kind."""
        return Message(
            f"{self.n_unfamiliar} of {self.n_judged} answers are unfamiliar to {self.judge}, more than "
            f"{100 * MAX_UNFAMILIAR:.0f} %, so the rate is not known"
        )


UnfamiliarSides = Mapping[Side, tuple[UnfamiliarAnswers, ...]]


def count_unfamiliar(rows: Iterable[ResultRow]) -> int:
    """Judged answers in a manner that the judge does not know."""
    if isinstance(rows, StoredRows):
        is_judged = rows.outcomes.where(lambda outcome: outcome.layer is Layer.JUDGED)
        n_rows = rows.at(is_judged).verdicts.counts()
        return sum(n for facts, n in n_rows.items() if facts and facts.unfamiliar)
    judged = (row.judged for row in rows if row.outcome.layer is Layer.JUDGED)
    return sum(facts.unfamiliar for facts in judged if facts)


def is_too_unfamiliar(n_unfamiliar: int, n_judged: int) -> bool:
    """Whether the judge's reading of so many answers, with so many unfamiliar ones, says little of the rate."""
    return n_unfamiliar > MAX_UNFAMILIAR * n_judged


def unfamiliar_sides(names: Sequence[str], runs: Sequence[Results], rule: Rule) -> UnfamiliarSides:
    """Why the rates of runs, which are called by these names, are unknown: by side, only where one is."""
    unknown: dict[Side, tuple[UnfamiliarAnswers, ...]] = {}
    for side in Side:
        answers = [unfamiliar_answers(name, run, side, rule) for name, run in zip(names, runs, strict=True)]
        unknown[side] = tuple(answer for answer in answers if answer is not None)
    return {side: answers for side, answers in unknown.items() if answers}


def label_answers(run: Results) -> JudgeRun:
    """The way out: labels by people, which correct the rate."""
    to = f"label {MIN_LABELS} answers drawn at random (the report of the run has a sheet) and add them"
    return JudgeRun(run.folder, "human/labels.csv", to=to)


def check_rates_known(run: Results, rule: Rule) -> None:
    """Raises UsageError if the rate of a side is unknown: nobody is given such a rate as a result."""
    for side in Side:
        answers = unfamiliar_answers(run.name, run, side, rule)
        if answers is not None:
            raise UsageError(answers.message().after(f"{side.adjective} requests: ").text, way_out=label_answers(run))


def unfamiliar_answers(name: str, run: Results, side: Side, rule: Rule) -> UnfamiliarAnswers | None:
    """Why the refusal rate of a side of the run, which is called `name`, is unknown; None if it is known."""
    n, n_judged = run.n_unfamiliar[side]
    if not is_too_unfamiliar(n, n_judged):
        return None
    rates = {rate.side: rate for rate in run.rates(rule=rule, by=None)}
    if rates[side].is_known:  # labels or control models correct it
        return None
    return UnfamiliarAnswers(name, side, str(run.judge), n, n_judged)
