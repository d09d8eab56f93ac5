"""The loops of a run: asking and judging, a bounded number of rows at a time, each written down at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Container, Coroutine, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

from mossbench.arms import PLAIN, Arm, Row, Shown
from mossbench.connections import Connections
from mossbench.datasets import Dataset
from mossbench.errors import DataError, ImageError, MossbenchError
from mossbench.images import DEFAULT_LIMITS, Limits, Picture, prepare
from mossbench.judges import Judge, judge_exchange
from mossbench.judges.judge import judgement_of
from mossbench.models import Model, Prompt, Settings
from mossbench.models.keys import redacted
from mossbench.outcomes import Answer, Exchange, Judgement, Key, Outcome, SentPicture, Stop, Verdict, outcome
from mossbench.runfolder import LineWriter, RunConfig, RunFolder
from mossbench.samples import Sample, Side


@dataclass(frozen=True)
class Progress:
    """One more row is done."""

    done: int
    total: int
    key: Key
    outcome: Outcome


GRACE = 10.0  # seconds

OnProgress = Callable[[Progress], None]


async def ask_all(
    folder: RunFolder,
    rows: list[Row],
    model: Model,
    dataset: Dataset,
    config: RunConfig,
    judge: Judge | None,
    connections: Connections,
    progress: OnProgress | None,
) -> set[Key]:
    """Asks every row that has no answer yet; with a judge, judges each answer as it comes. The rows it asked."""
    with ExitStack() as stack:
        answers = stack.enter_context(LineWriter(folder.answers_path))
        verdicts = stack.enter_context(LineWriter(folder.verdicts_path(judge.label))) if judge else None
        done = answered(folder)
        todo = [row for row in rows if row.key not in done]
        pictures, judge_pictures = PictureShelf(dataset, model.limits), PictureShelf(dataset, DEFAULT_LIMITS)
        n_done = len(rows) - len(todo)
        queue = iter(todo)
        if todo:
            await model.open()

        async def worker() -> None:
            nonlocal n_done
            for row in queue:  # shared by all workers: each takes the next row when it is free
                exchange = await ask(row, model, pictures, config, connections)
                answers.append(exchange)
                verdict = None
                if judge is not None and verdicts is not None and exchange.to_judge:
                    judgement = await judge_one(judge, exchange, row.sample, judge_pictures, row.arm)
                    verdicts.append(judgement)
                    verdict = judgement.verdict
                n_done += 1
                if progress is not None:
                    progress(Progress(n_done, len(rows), row.key, outcome(exchange.answer, verdict)))

        # Twice as many as may ask at once: the others prepare the next pictures and judge the last answers meanwhile.
        await _together((worker() for _ in range(min(2 * connections.most, len(todo)))), queue)
        return {row.key for row in todo}


def answered(folder: RunFolder) -> set[Key]:
    """The rows that need not be asked again; none where there is no run yet."""
    return {key for key, exchange in folder.exchanges().items() if exchange.answer.error is None}


async def judge_all(
    folder: RunFolder,
    judge: Judge,
    dataset: Dataset | None,
    *,
    max_connections: int,
    skip: Container[Key] = (),
    progress: OnProgress | None = None,
) -> None:
    """Judges every answer that this judge has no verdict on yet; a judge that looks at pictures needs the dataset."""
    exchanges, there = folder.exchanges(), folder.judgements(judge.label)
    judge.expect(exchanges)

    def judged(exchange: Exchange) -> bool:
        row = there.get(exchange.key)
        if exchange.key in skip:
            return True
        return row is not None and row.digest == exchange.digest() and not row.verdict.is_none

    todo = [exchange for exchange in exchanges.values() if exchange.to_judge and not judged(exchange)]
    samples, arms = {sample.key: sample for sample in folder.samples()}, {arm.name: arm for arm in folder.info().arms}
    pictures = PictureShelf(dataset, DEFAULT_LIMITS) if dataset else None
    n_done, queue = 0, iter(todo)
    with LineWriter(folder.verdicts_path(judge.label)) as verdicts:

        async def worker() -> None:
            nonlocal n_done
            for exchange in queue:
                sample, arm = samples[exchange.side, exchange.sample], arms[exchange.arm]
                judgement = await judge_one(judge, exchange, sample, pictures, arm)
                verdicts.append(judgement)
                n_done += 1
                if progress is not None:
                    row = outcome(exchange.answer, judgement.verdict)
                    progress(Progress(n_done, len(todo), exchange.key, row))

        await _together((worker() for _ in range(min(max_connections, len(todo)))), queue)


async def judge_one(
    judge: Judge, exchange: Exchange, sample: Sample, pictures: PictureShelf | None, arm: Arm = PLAIN
) -> Judgement:
    """The judge's verdict; where it needs a picture that cannot be shown, none."""
    early = judge.early(exchange)
    if early is not None:
        return judgement_of(judge, exchange, early)
    picture = None
    if judge.needs_picture and pictures is not None:
        try:
            picture = await pictures.fetch(sample, arm)
        except (ImageError, DataError) as error:
            return judgement_of(judge, exchange, Verdict(reason=f"the picture cannot be shown to the judge: {error}"))
    return await judge_exchange(judge, exchange, picture)


async def ask(row: Row, model: Model, pictures: PictureShelf, config: RunConfig, connections: Connections) -> Exchange:
    """One row's exchange; whatever goes wrong is on it."""
    sent, request, tried = None, row.arm.request(row.sample) or "", None
    try:
        picture = await pictures.fetch(row.sample, row.arm)
    except (ImageError, DataError) as error:
        answer = Answer.failed("picture", error)
    else:
        if picture is not None:
            sent = sent_picture(pictures.shown(row.sample, row.arm).image, picture)
        prompt = Prompt(request, row.arm.system, picture, settings_of(config, row.key.epoch), key=row.key)
        timeout = config.timeout if model.batch_size is None else None
        tried = await connections.ask(lambda: model.answer(prompt), timeout)
        answer = as_recorded(tried.answer)
    side, sample, arm, epoch = row.key
    return Exchange(
        side=side,
        sample=sample,
        arm=arm,
        epoch=epoch,
        request=request,
        system=row.arm.system,
        picture=sent,
        answer=answer,
        tries=tried.tries if tried else 1,
        waited=tried.waited if tried else 0.0,
    )


def sent_picture(ref: str | None, picture: Picture) -> SentPicture:
    """The record of a picture that goes out; drawn ones have no `ref`."""
    return SentPicture(
        ref=ref or "",
        sha256=picture.sha256,
        n_bytes=len(picture.data),
        width=picture.width,
        height=picture.height,
        media_type=picture.media_type,
    )


def as_recorded(answer: Answer) -> Answer:
    """The answer as it is written down: no key that a provider echoed, and no text cut off before it began."""
    if answer.stop is Stop.LENGTH and not (answer.text or "").strip():
        return Answer.failed("model", "cut off by the limit on tokens before any text; raise --max-tokens")
    return redacted(answer)


def settings_of(config: RunConfig, epoch: int = 1) -> Settings:
    """How the answers of an epoch are drawn."""
    return Settings(
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=config.seed + epoch - 1,
        timeout=config.timeout,
    )


def connections_of(config: RunConfig, model: Model) -> Connections:
    """The run's connections; a model that answers in batches gets two of them from the start."""
    if model.batch_size is not None:
        return Connections(2 * model.batch_size, 2 * model.batch_size, retries=config.retries)
    return Connections(config.max_connections, config.start_connections, retries=config.retries)


class PictureShelf:
    """Pictures made ready within limits; twins, arms, epochs and runs that share a file share the work."""

    ROOM = 128 * 2**20  # bytes of pictures kept; the text of each, once it was sent, takes four thirds more
    _kept: ClassVar[
        dict[tuple[Path | None, int, Shown, Limits], Picture]
    ] = {}  # the number: when the file last changed
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, dataset: Dataset, limits: Limits | None) -> None:
        self._limits, self._dataset = limits, dataset
        self._found: dict[tuple[tuple[Side, str], str], Shown] = {}

    def shown(self, sample: Sample, arm: Arm) -> Shown:
        """What the arm shows for the sample; found once."""
        key = (sample.key, arm.picture)
        if key not in self._found:
            self._found[key] = arm.shown(sample, self._dataset)
        return self._found[key]

    async def fetch(self, sample: Sample, arm: Arm = PLAIN) -> Picture | None:
        """The picture to send; None when there is none under this arm, or none is taken (no limits)."""
        limits = self._limits
        if limits is None or (shown := self.shown(sample, arm)) == Shown(None):
            return None
        path = await asyncio.to_thread(shown.path, sample, self._dataset)  # some are composed from patches first
        key = (path, path.stat().st_mtime_ns if path and path.exists() else 0, shown, limits)
        picture = self._kept.get(key)
        if picture is None:
            picture = await asyncio.to_thread(lambda: prepare(shown.read(path), limits))
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = picture  # at the end: the one used last goes last
            while sum(len(one.data) for one in self._kept.values()) > self.ROOM:
                del self._kept[next(iter(self._kept))]
        return picture


async def _together(workers: Iterable[Coroutine[Any, Any, None]], queue: Iterator[Any]) -> None:
    """Runs all to the end; the first error of one is raised, after what was in flight has had `GRACE` seconds to end.

    Nothing more of the queue is begun then.
    Answers on their way are paid for: without the grace they would be asked for, and paid, again.
    """
    tasks = [asyncio.create_task(worker) for worker in workers]
    try:
        done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION) if tasks else (set(), set())
        if others:
            deque(queue, maxlen=0)
            await asyncio.wait(others, timeout=GRACE)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    errors = [error for task in tasks if not task.cancelled() and (error := task.exception())]
    if errors:
        raise next((error for error in errors if not isinstance(error, MossbenchError)), errors[0])
