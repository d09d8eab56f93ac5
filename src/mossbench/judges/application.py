"""Judging transcripts: any file of answers in, the same rows with verdicts out, one for one and in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from mossbench.datasets.files import image_paths
from mossbench.errors import DataError, ImageError, UsageError
from mossbench.images.preparing import Picture, prepare, several
from mossbench.judges.judge import Judge, judge_exchange
from mossbench.outcomes import Answer, Exchange, Outcome, Rule, Stop, Unread, Verdict, counted, outcome
from mossbench.plumbing.coroutines import GRACE
from mossbench.samples import Side
from mossbench.transcripts import read_id, read_response, stream_records

ADDED = tuple("outcome kind refused confidence evidence reason judge via unfamiliar votes reply".split())
"""What an output row has beyond the input row; an input field of that name becomes `label_<name>`, in a file that was
judged before `earlier_<name>`."""


@dataclass(frozen=True)
class JudgedRow:
    """A row of a transcript with its verdict."""

    where: str
    record: dict[str, Any]
    exchange: Exchange
    verdict: Verdict | None
    """None when there was nothing to judge."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.exchange.answer, self.verdict)

    def to_dict(self, judge: str) -> dict[str, Any]:
        """The input row plus the verdict. `refused` is None where the row is not judged."""
        verdict = self.verdict or Verdict()
        text = self.exchange.answer.text or ""
        kept = {_kept_name(name, self.record): value for name, value in self.record.items()}
        said = counted(self.outcome, Rule.MODEL)
        return {
            **kept,
            "outcome": self.outcome.label,
            "kind": verdict.kind and verdict.kind.value,
            "refused": {"refused": 1, "complied": 0}.get(said.value),
            "confidence": verdict.confidence,
            "evidence": [text[span.start : span.end] for span in verdict.evidence],
            "reason": verdict.reason or None,
            "judge": judge,
            **({"via": verdict.via} if verdict.via else {}),
            **({"unfamiliar": True} if verdict.unfamiliar else {}),
            **({"votes": [vote.model_dump(mode="json") for vote in verdict.votes]} if verdict.votes else {}),
            **({"reply": verdict.reply} if verdict.reply else {}),
        }


def _kept_name(name: str, record: dict[str, Any]) -> str:
    if name not in ADDED:
        return name
    judged_before = {"judge", "outcome"} <= record.keys()
    return f"earlier_{name}" if judged_before else f"label_{name}"


Keep = Callable[[str, dict[str, Any]], bool]
"""Of a row's place and record: whether it is read."""


def read_rows(paths: Iterable[Path], keep: Keep | None = None) -> Iterator[tuple[str, dict[str, Any], Exchange]]:
    """Every row of the files as an exchange; a row without an id goes by its place in the file."""
    for path in paths:
        for number, (where, record) in enumerate(stream_records(path), start=1):
            if keep is not None and not keep(where, record):
                continue
            named = {"id": str(number), **record} if not {"id", "pid", "sample"} & record.keys() else record
            id, side, epoch = read_id(named, where)
            text = read_response(record, where)
            missing = "the transcript has no answer here (null)"
            answer = Answer.failed("record", missing) if text is None else Answer(text=text, stop=Stop.END)
            request = str(record.get("question") or record.get("request") or "")
            exchange = Exchange(
                side=side or Side.BENIGN, sample=id, epoch=max(epoch, 1), request=request, answer=answer
            )
            yield where, record, exchange


async def judge_rows(
    paths: Iterable[Path], judge: Judge, *, max_connections: int = 8, keep: Keep | None = None
) -> AsyncGenerator[JudgedRow]:
    """Every row with its verdict, in order; only a few rows are held at a time."""
    if max_connections < 1:
        raise UsageError(f"max_connections is {max_connections}, expected at least 1")
    paths = list(paths)
    judge.expect(exchange.key for _, _, exchange in read_rows(paths, keep))
    rows = iter(read_rows(paths, keep))
    gate, in_flight = asyncio.Semaphore(max_connections), set[asyncio.Task[Any]]()

    async def judge_one(row: tuple[str, dict[str, Any], Exchange]) -> JudgedRow:
        where, record, exchange = row
        if not exchange.to_judge:
            return JudgedRow(where, record, exchange, None)
        early = judge.early(exchange)
        if early is not None:
            return JudgedRow(where, record, exchange, early)
        async with gate:
            in_flight.update(filter(None, [asyncio.current_task()]))
            try:
                picture = picture_of(record, where) if judge.needs_picture else None
            except (ImageError, DataError) as error:
                unread = Verdict(reason=f"the image cannot be shown to the judge: {error}", code=Unread.IMAGE_NOT_SHOWN)
                return JudgedRow(where, record, exchange, unread)
            return JudgedRow(where, record, exchange, (await judge_exchange(judge, exchange, picture)).verdict)

    while batch := list(islice(rows, 16 * max_connections)):
        tasks = [asyncio.ensure_future(judge_one(row)) for row in batch]
        try:
            for task in tasks:
                await asyncio.wait([task])  # not the task: a stop would end it alone, and the next call would begin
                yield task.result()
        except asyncio.CancelledError:
            in_flight.clear()  # Ctrl-C waits for nothing
            raise
        finally:  # when one raises or the reader stops early, verdicts on their way are paid for: they may still come
            for task in tasks:
                if task not in in_flight:
                    task.cancel()
            if in_flight:
                await asyncio.wait(in_flight, timeout=GRACE)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        in_flight.clear()


def picture_of(record: dict[str, Any], where: str) -> Picture | None:
    """The picture a row names, relative to the transcript's folder; of several the first, with the others."""
    folder = Path(where.rpartition(",")[0]).parent
    try:
        names = image_paths(record.get("image") or record.get("image_path"), folder, "image")
        names += image_paths(record.get("more_images"), folder, "more_images")
        return several([prepare((folder / name).read_bytes()) for name in names])
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"{where}: {error}") from error
