"""One judge over one file of answers: the same rows with verdicts come out, one for one and in order."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from mossbench.datasets.files import image_paths
from mossbench.errors import DataError, UsageError
from mossbench.images.preparing import Picture, joined_pictures, prepare
from mossbench.judges.judge import Judge, judge_shown
from mossbench.outcomes import Answer, Counted, Exchange, Outcome, Rule, Stop, Verdict, counted, outcome
from mossbench.plumbing.coroutines import in_thread, together
from mossbench.samples import Side
from mossbench.transcripts import clean_response, read_id, read_response, stream_records

ADDED = (
    "outcome",
    "kind",
    "refused",
    "confidence",
    "evidence",
    "reason",
    "judge",
    "via",
    "unfamiliar",
    "votes",
    "reply",
)
"""What an output row has beyond the input row; an input field of that name becomes `label_<name>`, in a file that was
judged before `earlier_<name>`."""
ROWS_PER_CONNECTION = 16
"""Rows that are held at a time for each row that is judged at a time."""


@dataclass(frozen=True)
class AnswerRow:
    """A row of a transcript that is to be judged."""

    where: str
    """File and line, for messages."""
    record: dict[str, Any]
    """The row as it stands in the file, with whatever columns its writer gave it."""
    exchange: Exchange
    path: Path
    """The file."""


@dataclass(frozen=True)
class JudgedRow:
    where: str
    record: dict[str, Any]
    exchange: Exchange
    verdict: Verdict | None
    """None when there was nothing to judge."""
    path: Path
    """The file."""

    @property
    def outcome(self) -> Outcome:
        return outcome(self.exchange.answer, self.verdict)

    @property
    def refused(self) -> int | None:
        """1 or 0 by what the model did; None where the row does not count."""
        match counted(self.outcome, Rule.MODEL):
            case Counted.REFUSED:
                return 1
            case Counted.COMPLIED:
                return 0
            case _:
                return None

    @property
    def evidence(self) -> list[str]:
        """The words of the answer that the verdict rests on."""
        if self.verdict is None:
            return []
        text = self.exchange.answer.text or ""
        return [text[span.start : span.end] for span in self.verdict.evidence]

    def to_dict(self, judge: str) -> dict[str, Any]:
        """The input row plus the verdict, for JSON. `refused` is None where the row is not judged."""
        verdict = self.verdict or Verdict()
        content = self._input_fields()
        content["outcome"] = self.outcome.label
        content["kind"] = verdict.kind.value if verdict.kind else None
        content["refused"] = self.refused
        content["confidence"] = verdict.confidence
        content["evidence"] = self.evidence
        content["reason"] = verdict.reason or None
        content["judge"] = judge
        if verdict.via:
            content["via"] = verdict.via
        if verdict.unfamiliar:
            content["unfamiliar"] = True
        if verdict.votes:
            content["votes"] = [vote.model_dump(mode="json") for vote in verdict.votes]
        if verdict.reply:
            content["reply"] = verdict.reply
        return content

    def _input_fields(self) -> dict[str, Any]:
        """The fields of the input row, renamed where the output has a field of that name."""
        was_judged_before = "judge" in self.record and "outcome" in self.record
        prefix = "earlier" if was_judged_before else "label"
        return {f"{prefix}_{name}" if name in ADDED else name: value for name, value in self.record.items()}


OnRow = Callable[[JudgedRow], None]
Keep = Callable[[Path, dict[str, Any]], bool]
"""Of a row's file and record: whether it is read."""


def read_rows(paths: Iterable[Path], keep: Keep | None = None) -> Iterator[AnswerRow]:
    """Every row of the files; a row without an id goes by its place in the file."""
    for path in paths:
        for number, (where, record) in enumerate(stream_records(path), start=1):
            if keep is None or keep(path, record):
                yield AnswerRow(where, record, _exchange_of(record, where, number), path)


def _exchange_of(record: dict[str, Any], where: str, number: int) -> Exchange:
    has_id = "id" in record or "pid" in record or "sample" in record
    id, side, epoch = read_id(record if has_id else {"id": str(number), **record}, where)
    return Exchange(
        side=side or Side.BENIGN,
        sample=id,
        epoch=max(epoch, 1),
        request=str(record.get("question") or record.get("request") or ""),
        answer=_answer_of(record, where),
    )


def _answer_of(record: dict[str, Any], where: str) -> Answer:
    response = read_response(record, where)
    if response is None:
        return Answer.failed("record", "the transcript has no answer here (null)")
    text, removed = clean_response(response)
    return Answer(text=text, stop=Stop.END, signal=removed or None)


async def judge_rows(
    paths: Iterable[Path],
    judge: Judge,
    take: OnRow,
    *,
    max_connections: int = 8,
    keep: Keep | None = None,
    on_row: OnRow | None = None,
) -> None:
    """Gives `take` every row with its verdict, in order; only a few rows are held at a time.

    `on_row` gets each row as soon as it is judged.
    """
    if max_connections < 1:
        raise UsageError(f"max_connections is {max_connections}, expected at least 1")
    paths = list(paths)
    judge.expect(row.exchange.key for row in read_rows(paths, keep))
    rows = read_rows(paths, keep)
    while True:
        batch = list(islice(rows, ROWS_PER_CONNECTION * max_connections))
        if not batch:
            break
        for judged_row in await _judge_batch(batch, judge, max_connections, on_row):
            take(judged_row)


async def _judge_batch(
    rows: Sequence[AnswerRow], judge: Judge, max_connections: int, on_row: OnRow | None
) -> list[JudgedRow]:
    """The rows with their verdicts, in the order of the rows, whichever was judged first."""
    judged_rows: dict[int, JudgedRow] = {}
    queue = enumerate(rows)

    async def work() -> None:
        for place, row in queue:
            await asyncio.sleep(0)  # rows with nothing to judge never suspend: Ctrl-C is heard between them too
            judged_row = await _judge_row(row, judge)
            judged_rows[place] = judged_row
            if on_row is not None:
                on_row(judged_row)

    await together((work() for _ in range(max_connections)), queue)
    return [judged_rows[place] for place in range(len(rows))]


async def _judge_row(row: AnswerRow, judge: Judge) -> JudgedRow:
    verdict = None
    if row.exchange.to_judge:
        find_picture = partial(in_thread, picture_of, row)
        judgement = await judge_shown(judge, row.exchange, find_picture)
        verdict = judgement.verdict
    return JudgedRow(row.where, row.record, row.exchange, verdict, row.path)


def picture_of(row: AnswerRow) -> Picture | None:
    """The picture a row names, relative to the transcript's folder; of several the first, with the others."""
    folder = row.path.parent
    record = row.record
    try:
        names = image_paths(record.get("image") or record.get("image_path"), folder, "image")
        names += image_paths(record.get("more_images"), folder, "more_images")
        return joined_pictures([prepare((folder / name).read_bytes()) for name in names])
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"{row.where}: {error}") from error
