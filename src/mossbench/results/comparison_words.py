"""A comparison's reasons and notes in words: the one place that makes sentences of them.

They are clauses without a full stop, for a message or a list.
"""

from collections.abc import Iterator
from typing import assert_never

from mossbench.errors import n_of
from mossbench.judges import DEFAULT_JUDGE, JUDGES, SUCCESSION, spec_of
from mossbench.messages import Message
from mossbench.results.comparability import (
    AskedDifferently,
    DifferentJudges,
    DifferentSamples,
    DifferentSettings,
    NoCommonSample,
    NotComparable,
    Unreadable,
)
from mossbench.results.comparison_notes import (
    ArmsNotCounted,
    JudgeDrifted,
    NoDataHash,
    Note,
    ReadByAnother,
    RecordedBefore,
)
from mossbench.results.readiness import not_ready_message
from mossbench.results.unfamiliar import UnfamiliarAnswers
from mossbench.ways_out import JudgeRun, SetOption


def asked_differently_words(pair: AskedDifferently) -> str:
    settings = "; ".join(setting.words() for setting in pair.settings)
    return f"{pair.first} and {pair.second} were asked differently: {settings}"


def not_comparable_message(reason: NotComparable) -> Message:
    """Why two runs cannot be compared, and what to do about it."""
    match reason:
        case DifferentSamples():
            hashes = " and ".join(digest[:12] for digest in reason.hashes)
            datasets = " and ".join(reason.datasets)
            return Message(
                f"{reason.first} and {reason.second} were asked different {reason.side.adjective} samples ({datasets}, "
                f"hashes {hashes}); compare runs on the same samples"
            )
        case DifferentJudges():
            return _different_judges_message(reason)
        case DifferentSettings():
            settings = "; ".join(setting.words() for setting in reason.settings)
            return Message(
                f"{reason.first} and {reason.second} cannot be compared: {settings}; "
                "run both with the same ids, offset and limit"
            )
        case NoCommonSample():
            return Message("the two have no sample in common")
        case Unreadable():
            return reason.message
        case _:
            return not_ready_message(reason)


def read_by_another_message(note: ReadByAnother) -> Message:
    """That a run counts as another judge than its own has read it, and how to keep the new verdicts."""
    was_judged = f"was judged by {note.own_judge}" if note.own_judge else "was not judged"
    if not note.n_judged_now:
        return Message(f"{note.run} {was_judged}; here the verdicts of {note.judge} count, which its folder has too")
    keep = JudgeRun(note.folder, spec_of(note.judge), to="keep the new ones too")
    answers = n_of(note.n_judged_now, "answer")
    return Message(
        f"{note.run} {was_judged}; here {note.judge} has judged its {answers} again, and its own verdicts are kept",
        (keep,),
    )


def _different_judges_message(reason: DifferentJudges) -> Message:
    """That no judge has read both; judging with one that costs money is left to the user."""
    judge, other_judge = reason.judges
    free = SetOption("judge", DEFAULT_JUDGE, to="let an offline judge read both for free")
    return Message(
        f"{reason.first} was judged by {judge}, {reason.second} by {other_judge}: a difference could come from the "
        "judges",
        (*_judging_with_one_of_them(reason), free),
    )


def _judging_with_one_of_them(reason: DifferentJudges) -> Iterator[JudgeRun]:
    """The command that makes a judge read the run that it has not read, where it can be asked by its name."""
    first_spec, second_spec = (spec_of(str(label)) for label in reason.judges)
    if first_spec == second_spec:
        yield JudgeRun("RUN", first_spec, to="judge both again with its present version")
        return
    first_folder, second_folder = reason.folders
    for spec, folder in ((first_spec, second_folder), (second_spec, first_folder)):
        kind = spec.partition("/")[0].partition("?")[0]
        if kind in JUDGES and kind not in (*SUCCESSION, "human"):
            yield JudgeRun(folder, spec, to=f"judge {folder.name} with {kind} too, which may cost money")


def note_message(note: Note) -> Message:
    """A note, with the run that it is about."""
    match note:
        case ReadByAnother():
            return read_by_another_message(note)
        case NoDataHash():
            return Message(f"{note.run} has no data hash; its rows are paired where id and request are the same")
        case RecordedBefore():
            return Message(f"{note.run}: its answers were recorded elsewhere; how they were sampled is unknown")
        case JudgeDrifted():
            return Message(f"{note.run}: {note.finding}")
        case UnfamiliarAnswers():
            return note.message().after(f"{note.run}, {note.side.adjective} requests: ")
        case ArmsNotCounted():
            return note.arms.message().after(f"{note.run}: ")
    assert_never(note)
