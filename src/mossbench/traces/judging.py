"""What judges read in answers of traces; a verdict is kept, and asked for once."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from mossbench.images.preparing import Picture, joined_pictures, prepare
from mossbench.judges import Judge, models_asked
from mossbench.judges.judge import FunctionJudge, judge_shown, judgement_of
from mossbench.outcomes import REFUSED_KINDS, Judgement, Verdict
from mossbench.plumbing.coroutines import closing, finish, in_thread, together
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.lines import read_lines
from mossbench.traces.folder import PrivateLines, TracesFolder
from mossbench.traces.records import Trace

_AT_ONCE = 8
"""Answers that a judging model reads at a time."""
OnTrace = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a judge reads in an answer."""

    is_refused: bool | None
    """None: it gave no verdict."""
    is_unfamiliar: bool = False
    reason: str = ""
    """Why there is no verdict."""


def asks_model(judge: Judge) -> bool:
    """Whether a judge sends answers to a model, or to whatever code of a user's asks."""
    return isinstance(judge, FunctionJudge) or any(True for _ in models_asked(judge))


def saved_readings(folder: TracesFolder, judge: Judge) -> dict[str, Reading]:
    """What the judge said of traces so far."""
    path = folder.path / verdicts_name(judge)
    readings: dict[str, Reading] = {}
    for line in read_lines(path, Judgement):
        if line.verdict.code is None:  # a judge that failed is asked again
            readings[line.sample] = reading_of(line.verdict)
    return readings


def verdicts_name(judge: Judge) -> str:
    return f"verdicts.{label_slug(judge.label)}.jsonl"


def reading_of(verdict: Verdict) -> Reading:
    """What a verdict says: refused or not, or why there is none."""
    is_refused = verdict.kind in REFUSED_KINDS if verdict.kind is not None else verdict.refused
    reason = sys.intern(verdict.reason) if is_refused is None else ""
    return Reading(is_refused, verdict.unfamiliar, reason)


def read_traces(
    folder: TracesFolder, judge: Judge, traces: Iterable[Trace], on_trace: OnTrace | None = None
) -> dict[str, Reading]:
    """What the judge says of these traces that have a text to judge; verdicts are appended as they come."""
    readings = saved_readings(folder, judge)
    with PrivateLines(folder.path / verdicts_name(judge)) as lines:

        def keep(judgement: Judgement) -> None:
            lines.append(judgement)
            readings[judgement.sample] = reading_of(judgement.verdict)
            if on_trace is not None:
                on_trace(judgement)

        unread = (trace for trace in traces if trace.id not in readings and trace.exchange().to_judge)
        if asks_model(judge):
            finish(closing(_read_at_once(folder, judge, unread, lines, keep), judge))
        else:
            for trace in unread:
                keep(_read_offline(judge, trace))
    return readings


def _read_offline(judge: Judge, trace: Trace) -> Judgement:
    """The verdict of a judge that needs no call: without an event loop, which would take as long as the judge."""
    exchange = trace.exchange()
    verdict = judge.verdict(exchange)
    if inspect.isawaitable(verdict):
        return finish(judge_shown(judge, exchange, _no_picture))
    return judgement_of(judge, exchange, verdict)


async def _no_picture() -> Picture | None:
    return None


async def _read_at_once(
    folder: TracesFolder,
    judge: Judge,
    traces: Iterator[Trace],
    lines: PrivateLines,
    keep: Callable[[Judgement], None],
) -> None:
    """Several answers at a time; each verdict is on the disk before the next batch is asked for."""
    while True:
        batch = list(islice(traces, _AT_ONCE * 4))
        if not batch:
            return
        queue = iter(batch)

        async def work(queue: Iterator[Trace] = queue) -> None:
            for trace in queue:
                find_picture = partial(in_thread, picture_of, folder, trace)
                keep(await judge_shown(judge, trace.exchange(), find_picture))

        try:
            await together((work() for _ in range(_AT_ONCE)), queue)
        finally:
            lines.sync()


def picture_of(folder: TracesFolder, trace: Trace) -> Picture | None:
    """The images of the request that are stored, the others in `more` of the first; None without any."""
    names = [image.file for image in trace.images if image.file]
    return joined_pictures([prepare(folder.image_path(name).read_bytes()) for name in names])
