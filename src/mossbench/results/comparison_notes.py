"""What to know of the runs of a comparison before its numbers are read, as records; `comparison_words` says them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mossbench.outcomes import Rule
from mossbench.results.table import Results
from mossbench.results.uncounted_arms import UncountedArms
from mossbench.results.unfamiliar import UnfamiliarAnswers, unfamiliar_answers
from mossbench.samples import Side


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
class ArmsNotCounted:
    """Answers under other arms are in its folder, and in no number here."""

    run: str
    arms: UncountedArms
    kind: Literal["arms_not_counted"] = "arms_not_counted"


@dataclass(frozen=True)
class ReadByAnother:
    """Its own judge is another one, or another version, than the one that has read all runs here."""

    run: str
    folder: Path
    judge: str
    own_judge: str | None
    n_judged_now: int
    """0: its folder has all verdicts of `judge`."""
    kind: Literal["read_by_another"] = "read_by_another"


Note = ReadByAnother | NoDataHash | RecordedBefore | JudgeDrifted | UnfamiliarAnswers | ArmsNotCounted


def read_by_another(name: str, run: Results) -> ReadByAnother | None:
    """That a run, which is called `name`, counts as another judge than its own has read it; None: it does not."""
    if run.reread is None:
        return None
    return ReadByAnother(name, run.folder, str(run.judge), run.reread.own_judge, run.reread.n_judged_now)


def notes_on(names: Sequence[str], runs: Sequence[Results], rule: Rule) -> tuple[Note, ...]:
    """The notes on runs, which are called by these names: all of one kind together."""
    reread: list[Note] = []
    unhashed: list[Note] = []
    recorded: list[Note] = []
    drifted: list[Note] = []
    unfamiliar: list[Note] = []
    arms: list[Note] = []
    for name, run in zip(names, runs, strict=True):
        reread_note = read_by_another(name, run)
        if reread_note is not None:
            reread.append(reread_note)
        if not run.info.dataset.hashes:
            unhashed.append(NoDataHash(name))
        elif run.info.recorded:
            recorded.append(RecordedBefore(name))
        if run.drift:
            drifted.append(JudgeDrifted(name, run.drift))
        for side in Side:
            unfamiliar_note = unfamiliar_answers(name, run, side, rule)
            if unfamiliar_note is not None:
                unfamiliar.append(unfamiliar_note)
        uncounted = run.uncounted_arms()
        if uncounted is not None:
            arms.append(ArmsNotCounted(name, uncounted))
    return (*reread, *unhashed, *recorded, *drifted, *unfamiliar, *arms)
