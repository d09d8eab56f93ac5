"""A comparison's reasons and notes in words: the one place that makes sentences of them.

They are clauses without a full stop, for a message or a list.
"""

from typing import assert_never

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
    RecordedBefore,
    UnfamiliarAnswers,
)
from mossbench.results.readiness import not_ready_message
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
                f"{reason.first} and {reason.second} were asked different {reason.side} samples ({datasets}, "
                f"hashes {hashes}); compare runs on the same samples"
            )
        case DifferentJudges():
            judge, other_judge = reason.judges
            return Message(
                f"{reason.first} was judged by {judge}, {reason.second} by {other_judge}: a difference could come "
                "from the judges",
                (
                    JudgeRun("RUN", "NAME", to="judge both with one judge"),
                    SetOption("judge", to="name one that has read both"),
                ),
            )
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


def note_message(note: Note) -> Message:
    """A note, with the run that it is about."""
    match note:
        case NoDataHash():
            return Message(f"{note.run} has no data hash; its rows are paired where id and request are the same")
        case RecordedBefore():
            return Message(f"{note.run}: its answers were recorded elsewhere; how they were sampled is unknown")
        case JudgeDrifted():
            return Message(f"{note.run}: {note.finding}")
        case UnfamiliarAnswers():
            return Message(
                f"{note.run}: {note.n_unfamiliar} of {note.n_judged} answers are in a manner that {note.judge} does "
                "not know; a difference may come from the judge"
            )
        case ArmsNotCounted():
            return note.arms.message().after(f"{note.run}: ")
    assert_never(note)
