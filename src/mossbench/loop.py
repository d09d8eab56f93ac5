"""The loops of a run: asking and judging, a bounded number of rows at a time, each written down at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Coroutine, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mossbench.arms import Arm
from mossbench.datasets import Dataset
from mossbench.errors import DataError, ImageError, MossbenchError
from mossbench.images import DEFAULT_LIMITS, Limits, Picture, prepare
from mossbench.judges import Judge, judge_exchange
from mossbench.judges.judge import judgement_of
from mossbench.models import Model, Prompt, Settings
from mossbench.models.keys import blot
from mossbench.outcomes import Answer, Exchange, Judgement, Key, Outcome, SentPicture, Stop, Verdict, outcome
from mossbench.runfolder import LineWriter, RunConfig, RunFolder
from mossbench.samples import Sample


@dataclass(frozen=True)
class Progress:
    """One more row is done."""

    done: int
    total: int
    key: Key
    outcome: Outcome


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class Row:
    """One row of the plan."""

    key: Key
    sample: Sample
    arm: Arm


async def ask_all(
    folder: RunFolder,
    rows: list[Row],
    model: Model,
    dataset: Dataset,
    config: RunConfig,
    judge: Judge | None,
    progress: OnProgress | None,
) -> set[Key]:
    """Asks every row that has no answer yet; with a judge, judges each answer as it comes. The rows it asked."""
    with ExitStack() as stack:
        answers = stack.enter_context(LineWriter(folder.answers_path))
        verdicts = stack.enter_context(LineWriter(folder.verdicts_path(judge.label))) if judge else None
        done = {key for key, exchange in folder.exchanges().items() if exchange.answer.error is None}
        todo = [row for row in rows if row.key not in done]
        pictures, judge_pictures = PictureShelf(dataset, model.limits), PictureShelf(dataset, DEFAULT_LIMITS)
        n_done = len(rows) - len(todo)
        queue = iter(todo)

        async def worker() -> None:
            nonlocal n_done
            for row in queue:  # shared by all workers: each takes the next row when it is free
                exchange = await _ask(row, model, pictures, config)
                answers.append(exchange)
                verdict = None
                if judge is not None and verdicts is not None and exchange.to_judge:
                    judgement = await _judge(judge, exchange, row.sample, judge_pictures)
                    verdicts.append(judgement)
                    verdict = judgement.verdict
                n_done += 1
                if progress is not None:
                    progress(Progress(n_done, len(rows), row.key, outcome(exchange.answer, verdict)))

        await _together(worker() for _ in range(min(config.max_connections, len(todo))))
        return {row.key for row in todo}


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
    there = folder.judgements(judge.label)

    def judged(exchange: Exchange) -> bool:
        row = there.get(exchange.key)
        if exchange.key in skip:
            return True
        return row is not None and row.digest == exchange.digest() and not row.verdict.is_none

    todo = [exchange for exchange in folder.exchanges().values() if exchange.to_judge and not judged(exchange)]
    samples = {sample.key: sample for sample in folder.samples()}
    pictures = PictureShelf(dataset, DEFAULT_LIMITS) if dataset else None
    n_done, queue = 0, iter(todo)
    with LineWriter(folder.verdicts_path(judge.label)) as verdicts:

        async def worker() -> None:
            nonlocal n_done
            for exchange in queue:
                judgement = await _judge(judge, exchange, samples[exchange.side, exchange.sample], pictures)
                verdicts.append(judgement)
                n_done += 1
                if progress is not None:
                    row = outcome(exchange.answer, judgement.verdict)
                    progress(Progress(n_done, len(todo), exchange.key, row))

        await _together(worker() for _ in range(min(max_connections, len(todo))))


async def _judge(judge: Judge, exchange: Exchange, sample: Sample, pictures: PictureShelf | None) -> Judgement:
    picture = None
    if judge.needs_picture and pictures is not None:
        try:
            picture = await pictures.fetch(sample)
        except (ImageError, DataError) as error:
            return judgement_of(judge, exchange, Verdict(reason=f"the picture cannot be shown to the judge: {error}"))
    return await judge_exchange(judge, exchange, picture)


async def _ask(row: Row, model: Model, pictures: PictureShelf, config: RunConfig) -> Exchange:
    """One row's exchange; whatever goes wrong is on it."""
    settings = Settings(
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=config.seed + row.key.epoch - 1,
        timeout=config.timeout,
    )
    sent, request = None, row.arm.request(row.sample)
    try:
        picture = await pictures.fetch(row.sample)
    except (ImageError, DataError) as error:
        answer = Answer.failed("picture", error)
    else:
        if picture is not None:
            sent = SentPicture(
                ref=row.sample.image or "",
                sha256=picture.sha256,
                n_bytes=len(picture.data),
                width=picture.width,
                height=picture.height,
                media_type=picture.media_type,
            )
        prompt = Prompt(request, row.arm.system, picture, settings, key=row.key)
        answer = await _answer_in_time(model, prompt)
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
    )


async def _answer_in_time(model: Model, prompt: Prompt) -> Answer:
    try:
        async with asyncio.timeout(prompt.settings.timeout):
            answer = await model.answer(prompt)
    except TimeoutError:
        return Answer.failed("model", TimeoutError(f"no answer within {prompt.settings.timeout:g} s"))
    except MossbenchError:
        raise  # it says itself that going on is of no use
    except Exception as error:  # the item boundary: one odd reply must not cost the other rows
        return _without_keys(Answer.failed("model", error))
    if answer.stop is Stop.LENGTH and not (answer.text or "").strip():
        return Answer.failed("model", "cut off by the limit on tokens before any text; raise --max-tokens")
    return _without_keys(answer)


def _without_keys(answer: Answer) -> Answer:
    """The answer without any key that a provider echoed into it."""
    text, signal, error = answer.text, answer.signal, answer.error
    return answer.model_copy(
        update={
            "text": text and blot(text),
            "signal": signal and blot(signal),
            "error": error and error.model_copy(update={"message": blot(error.message)}),
        }
    )


class PictureShelf:
    """Pictures made ready within limits; twins, arms and epochs that share a file share the work."""

    def __init__(self, dataset: Dataset, limits: Limits | None) -> None:
        self._limits, self._dataset = limits, dataset
        self._prepare = lru_cache(maxsize=128)(self._prepare_path)

    async def fetch(self, sample: Sample) -> Picture | None:
        """The picture to send; None when the sample has none, or none is taken (no limits)."""
        if self._limits is None or sample.image is None:
            return None
        return await asyncio.to_thread(self._prepare, self._dataset.picture_path(sample))

    def _prepare_path(self, path: Path) -> Picture:
        assert self._limits is not None
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DataError(f"picture {path.name!r} cannot be read: {error.strerror}") from error
        return prepare(data, self._limits)


async def _together(workers: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Runs all to the end; the first MossbenchError of one stops all and is raised as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker)
    except BaseExceptionGroup as group_error:
        known, other = group_error.split(MossbenchError)
        if known is None or other is not None:
            raise
        first: BaseException = known
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
