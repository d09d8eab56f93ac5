"""What to know of the runs of a comparison before its numbers are read, as records; `comparison_words` says them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mossbench.outcomes import MAX_UNFAMILIAR, Layer
from mossbench.results.rates import n_unfamiliar
from mossbench.results.table import Results
from mossbench.results.uncounted_arms import UncountedArms


@dataclass(frozen=True)
class NoDataHash:
    """Its rows are paired by id and request, since nothing else says that the data are the same."""

    run: str
    kind: Literal["no_data_hash"] = "no_data_hash"


@dataclass(frozen=True)
class RecordedBefore:
    """Its answers were recorded before, and nobody knows how they were drawn."""

    run: str
    kind: Literal["recorded_before"] = "recorded_before"


@dataclass(frozen=True)
class JudgeDrifted:
    """`judge drift` found that the judge no longer reads as it did."""

    run: str
    finding: str
    kind: Literal["judge_drifted"] = "judge_drifted"


@dataclass(frozen=True)
class UnfamiliarAnswers:
    """Answers in a manner that the judge does not know, so many that a difference may come from the judge."""

    run: str
    judge: str
    n_unfamiliar: int
    n_judged: int
    kind: Literal["unfamiliar_answers"] = "unfamiliar_answers"


@dataclass(frozen=True)
class ArmsNotCounted:
    """Answers under other arms are in its folder, and in no number here."""

    run: str
    arms: UncountedArms
    kind: Literal["arms_not_counted"] = "arms_not_counted"


Note = NoDataHash | RecordedBefore | JudgeDrifted | UnfamiliarAnswers | ArmsNotCounted


def unfamiliar_answers(name: str, run: Results) -> UnfamiliarAnswers | None:
    """How many answers of a run, which is called `name`, are in a manner unknown to its judge; None: few."""
    n_judged = run.layers()[Layer.JUDGED]
    n = n_unfamiliar(run.rows)
    if n <= MAX_UNFAMILIAR * n_judged:
        return None
    return UnfamiliarAnswers(name, str(run.judge), n, n_judged)


def notes_on(names: Sequence[str], runs: Sequence[Results]) -> tuple[Note, ...]:
    """The notes on runs, which are called by these names: all of one kind together."""
    unhashed: list[Note] = []
    recorded: list[Note] = []
    drifted: list[Note] = []
    unfamiliar: list[Note] = []
    arms: list[Note] = []
    for name, run in zip(names, runs, strict=True):
        if not run.info.dataset.hashes:
            unhashed.append(NoDataHash(name))
        elif run.info.recorded:
            recorded.append(RecordedBefore(name))
        if run.drift:
            drifted.append(JudgeDrifted(name, run.drift))
        unfamiliar_note = unfamiliar_answers(name, run)
        if unfamiliar_note is not None:
            unfamiliar.append(unfamiliar_note)
        uncounted = run.uncounted_arms()
        if uncounted is not None:
            arms.append(ArmsNotCounted(name, uncounted))
    return (*unhashed, *recorded, *drifted, *unfamiliar, *arms)
