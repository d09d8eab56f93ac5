"""Judging transcripts: any file of answers in, the same rows with verdicts out, one for one and in order."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from mossbench.datasets.files import image_paths
from mossbench.errors import DataError, UsageError
from mossbench.images.preparing import Picture, prepare, several
from mossbench.judges.judge import Judge, judge_shown
from mossbench.outcomes import Answer, Exchange, Outcome, Rule, Stop, Verdict, counted, outcome
from mossbench.plumbing.coroutines import in_thread, together
from mossbench.samples import Side
from mossbench.transcripts import clean_response, read_id, read_response, stream_records

ADDED = tuple("outcome kind refused confidence evidence reason judge via unfamiliar votes reply".split())
"""What an output row has beyond the input row; an input field of that name becomes `label_<name>`, in a file that was
judged before `earlier_<name>`."""


@dataclass(frozen=True)
class JudgedRow:
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
        before = "earlier" if {"judge", "outcome"} <= self.record.keys() else "label"
        kept = {f"{before}_{name}" if name in ADDED else name: value for name, value in self.record.items()}
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


OnRow = Callable[[JudgedRow], None]
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
            if text is None:
                answer = Answer.failed("record", "the transcript has no answer here (null)")
            else:
                text, removed = clean_response(text)
                answer = Answer(text=text, stop=Stop.END, signal=removed or None)
            request = str(record.get("question") or record.get("request") or "")
            exchange = Exchange(
                side=side or Side.BENIGN, sample=id, epoch=max(epoch, 1), request=request, answer=answer
            )
            yield where, record, exchange


async def judge_rows(
    paths: Iterable[Path],
    judge: Judge,
    take: OnRow,
    *,
    max_connections: int = 8,
    keep: Keep | None = None,
    on_row: OnRow | None = None,
) -> None:
    """Has `take` told of every row with its verdict, in order; only a few rows are held at a time.

    `on_row` is told of them as they come.
    """
    if max_connections < 1:
        raise UsageError(f"max_connections is {max_connections}, expected at least 1")
    paths = list(paths)
    judge.expect(exchange.key for _, _, exchange in read_rows(paths, keep))
    rows, done = read_rows(paths, keep), dict[int, JudgedRow]()

    async def worker(queue: Iterator[tuple[int, tuple[str, dict[str, Any], Exchange]]]) -> None:
        for place, (where, record, exchange) in queue:
            await asyncio.sleep(0)  # rows with nothing to judge never suspend: Ctrl-C is heard between them too
            shown = partial(in_thread, picture_of, record, where)
            verdict = (await judge_shown(judge, exchange, shown)).verdict if exchange.to_judge else None
            done[place] = JudgedRow(where, record, exchange, verdict)
            if on_row is not None:
                on_row(done[place])

    while batch := list(islice(rows, 16 * max_connections)):
        queue = iter(list(enumerate(batch)))
        await together((worker(queue) for _ in range(max_connections)), queue)
        for place in range(len(batch)):
            take(done.pop(place))


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
