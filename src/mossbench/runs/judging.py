"""Judging the answers of a run, as they come or later, and noting in its folder that a judge has drifted."""

import asyncio
from collections import deque
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import DataError, ImageError, Interrupted, MossbenchError, UsageError, n_of
from mossbench.images.preparing import DEFAULT_LIMITS, Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge, models_asked
from mossbench.judges.drift import Drift, compare, read_baseline, shipped_baseline, to_json
from mossbench.judges.files import AnyJudge, probe_verdicts
from mossbench.judges.judge import Reader, judge_shown
from mossbench.judges.rubric import RubricJudge
from mossbench.models import Prompt
from mossbench.models.batching import Batches, batches_of
from mossbench.models.connections import RETRIES
from mossbench.outcomes import Answer, Exchange, Judgement, Key, Usage, outcome
from mossbench.plumbing.coroutines import closing, finish, together
from mossbench.plumbing.lines import LineWriter, read_places, until_lost
from mossbench.plumbing.places import PlaceLost
from mossbench.plumbing.storage import write_atomically
from mossbench.results.failing import warn_of_failures
from mossbench.results.rows import StoredLines
from mossbench.results.table import Results, load_results
from mossbench.runs.batch_queue import POLL, BatchQueue
from mossbench.runs.budget import Budget, judge_prices
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.progress import OnProgress, Progress
from mossbench.samples import Sample
from mossbench.store.batches import rows_out, rows_out_text
from mossbench.store.config import RunConfig
from mossbench.store.damage import check_answers, planned_rows
from mossbench.store.error_log import ErrorLog
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo


async def judge_all(
    folder: RunFolder,
    judge: Judge,
    dataset: Dataset | None,
    *,
    max_connections: int,
    skip: Container[Key] = (),
    progress: OnProgress | None = None,
    images: ImageCache | None = None,
    budget: Budget | None = None,
    poll: float | None = None,
) -> None:
    """Judges every answer that this judge has no verdict on yet; a judge that looks at pictures needs the dataset.

    With `poll`, its model is asked through a batch API, which is looked at every so many seconds, where it has one.
    """
    folder.check_place()
    info, known = folder.info(), folder.read_judgements(judge.label)
    there = {one.key: (one.verdict.is_final and one.digest, one.verdict.used) for one in known}
    failed, places = dict[Key, bool](), dict[Key, int | None]()  # texts stay in the file until it is their turn
    for place, one in read_places(folder.answers_path, Exchange):
        key, failed[one.key] = one.key, one.answer.error is not None
        judged = not one.to_judge or key in skip or (key in there and there[key][0] == one.digest())
        places[key] = None if judged else place
    rows = planned_rows(folder, info)
    check_answers(folder, info, rows, failed)
    judge.expect(failed)
    todo = [key for key, place in places.items() if place is not None]
    answers = StoredLines(folder.answers_path, Exchange, keep_open=True)

    def answer_to(key: Key) -> Exchange:
        exchange = answers.at(places[key], key)
        assert exchange is not None  # only rows with a place are to be judged
        return exchange

    samples, arms = {row.sample.key: row.sample for row in rows}, {arm.name: arm for arm in info.arms}
    pictures = PictureShelf(dataset, DEFAULT_LIMITS, images) if dataset else None
    money = budget or Budget(None, None, info.judge_prices)
    money.owed = 0.0
    asks = batched_judge(judge) if poll is not None else None
    later = {key for key in todo if asks is not None and judge.early(answer_to(key)) is None}
    n_done, errors = 0, ErrorLog(folder.errors_path)
    queue = iter([key for key in todo if key not in later])
    with LineWriter(folder.verdicts_path(judge.label)) as verdicts:

        async def read(key: Key) -> None:
            nonlocal n_done
            exchange = answer_to(key)
            judgement = await judge_one(judge, exchange, samples[key.side, key.sample], pictures, arms[key.arm])
            money.pay(None, judgement.verdict)
            if key in there:
                judgement = _with_earlier(judgement, there[key][1])
            verdicts.append(judgement)
            errors.add(key, judgement.verdict.trace)
            n_done += 1
            if progress is not None:
                progress(Progress(n_done, len(todo), key, outcome(exchange.answer, judgement.verdict)))

        async def worker() -> None:
            for key in queue:
                async with money.place("verdict") as admitted:
                    if not admitted:
                        return
                    await read(key)

        def stop() -> bool:
            deque(queue, maxlen=0)  # nothing more of it is begun
            return True

        work = together((worker() for _ in range(min(max_connections, len(todo)))), queue)
        await until_lost(work, [verdicts], stop)
        if asks is not None and poll is not None:
            path, (rubric, api) = folder.batches_path, asks
            batches = BatchQueue(api, path, money, retries=RETRIES, poll=poll, judge=judge.label)
            batches.on_wait = getattr(progress, "waits", None)

            async def prompt(key: Key) -> Prompt | None:
                try:
                    shown = await pictures.fetch(samples[key.side, key.sample], arms[key.arm]) if pictures else None
                except (ImageError, DataError):
                    await read(key)  # and says so
                    return None
                return rubric.prompt(answer_to(key), shown)

            async def came(key: Key, answer: Answer, tries: int) -> None:
                rubric.ahead[key] = answer
                await read(key)

            await until_lost(
                batches.ask([key for key in todo if key in later], prompt, came), [verdicts], lambda: False
            )


def poll_for(folder: RunFolder, judge: Judge, poll: float, *, batch: bool) -> float | None:
    """How often `judge_all` looks at batches: with `batch`, or while some are out, not to be paid for twice."""
    is_needed = batch or rows_out(folder.batches_path, judge=judge.label) is not None
    return poll if is_needed else None


def batched_judge(judge: Judge) -> tuple[RubricJudge, Batches] | None:
    """The one judge within a judge that asks a model, and the batch API for it; None where there is none, or two."""
    found = [one for one, _ in models_asked(judge)]
    api = batches_of(found[0].model) if len(found) == 1 else None
    return (found[0], api) if api is not None else None


def _with_earlier(judgement: Judgement, earlier: dict[str, Usage | None]) -> Judgement:
    """With the tokens of the reading that it replaces."""
    new = judgement.verdict.used
    used = earlier | {model: one + earlier.get(model) if one else one for model, one in new.items()}
    return judgement.model_copy(update={"verdict": judgement.verdict.model_copy(update={"used": used})})


async def judge_one(
    judge: Judge, exchange: Exchange, sample: Sample, pictures: PictureShelf | None, arm: Arm = PLAIN
) -> Judgement:
    """The judge's verdict; where it needs a picture that cannot be shown, none."""

    async def shown() -> Picture | None:
        return await pictures.fetch(sample, arm) if pictures is not None else None

    return await judge_shown(judge, exchange, shown)


def judge_run(
    folder: str | Path,
    judge: str | Judge | Reader = DEFAULT_JUDGE,
    *,
    max_connections: int = RunConfig.model_fields["max_connections"].default,
    progress: OnProgress | None = None,
    batch: bool = False,
    poll: float = POLL,
) -> Results:
    """Judges the answers in a run folder that this judge has not judged yet, without any model.

    A judge that looks at pictures needs the run's dataset, where it was. With `batch` its model is asked through its
    provider's batch API, which is looked at every `poll` seconds.
    """
    reader, the_folder = load_judge(judge), RunFolder(Path(folder))
    info = the_folder.info()
    if batch and batched_judge(reader) is None:
        raise UsageError(f"judge {reader.name!r} does not ask one model that has a batch API; leave out `batch`")
    dataset = load_dataset(info.config.data, columns=info.config.columns) if reader.needs_picture else None
    named = judge if isinstance(judge, str) else reader.name
    again = f"`judge_run({str(the_folder.path)!r}, {named!r}{', batch=True' if batch else ''})`"
    with the_folder.held(), saying_what_is_judged(the_folder, reader, again):
        how: dict[str, Any] = {"max_connections": max_connections, "progress": progress}
        work = judge_all(the_folder, reader, dataset, poll=poll_for(the_folder, reader, poll, batch=batch), **how)
        finish(closing(work, reader))
        the_folder.write_info(with_verdicts(the_folder, the_folder.info(), reader))
    results = load_results(the_folder.path, judge=reader.label)
    warn_of_failures(results)
    return results


@contextmanager
def saying_what_is_judged(folder: RunFolder, judge: Judge, again: str) -> Iterator[None]:
    """Adds to what stops a judge how many of its verdicts are saved, and the call that resumes it."""
    try:
        yield
    except PlaceLost as lost:
        lost.add_note(_what_is_lost(lost, folder, judge, again))
        raise
    except (MossbenchError, KeyboardInterrupt, asyncio.CancelledError) as error:
        n_saved = len({one.key for one in folder.read_judgements(judge.label)})
        out = rows_out(folder.batches_path, judge=judge.label)
        pending = "" if out is None else f", {rows_out_text(out)}"
        hint = f"{n_of(n_saved, 'verdict')} of {judge.label} saved{pending}; resume with: {again}"
        if not isinstance(error, MossbenchError):
            raise Interrupted(f"stopped. {hint}") from None
        if n_saved or out is not None:
            error.add_note(hint)
        raise


def _what_is_lost(lost: PlaceLost, folder: RunFolder, judge: Judge, again: str) -> str:
    """What a judge has lost with its file or the run's folder, where the rest is, and how to resume."""
    if lost.folder_now is None:
        return "judging was stopped, and the verdicts are lost with the folder; if you have a copy, judge that one"
    there = RunFolder(lost.folder_now)
    if lost.folder is not None:
        n_saved = len({one.key for one in there.read_judgements(judge.label)})
        moved = again.replace(repr(str(folder.path)), repr(str(there.path)))
        return f"judging was stopped; {n_of(n_saved, 'verdict')} saved in {str(there.path)!r}; resume with: {moved}"
    first = f"move it back to {str(lost.path)!r}, then " if lost.file.now else ""
    return f"judging was stopped; the answers are there: {first}resume with: {again}"


def with_verdicts(folder: RunFolder, info: RunInfo, judge: Judge) -> RunInfo:
    """The info with how many rows the judge has read, now that it is done."""
    n = len({one.key for one in folder.read_judgements(judge.label)})
    known = {**judge_prices(judge, None), **info.judge_prices}
    return info.model_copy(update={"verdicts": {**info.verdicts, judge.label: n}, "judge_prices": known})


def check_drift(
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    baseline: str | Path | None = None,
    save: str | Path | None = None,
    runs: Iterable[str | Path] = (),
) -> Drift:
    """Whether a judge says of the probes what it said before.

    Args:
        judge: The judge.
        baseline: File of `save_baseline` to compare with; by default what ships with the package (offline judges only).
        save: Where to write what it says now.
        runs: Run folders in which to note the finding; their tables then say when the judge has drifted.
    """
    reader = load_judge(judge)
    before = read_baseline(Path(baseline)) if baseline is not None else shipped_baseline(reader.name, reader.version)
    if before is None:
        raise UsageError(
            f"no earlier verdicts to compare those of judge {reader.name!r} with; save some to a file with `save`, "
            "and give that file as `baseline` later"
        )
    current = probe_verdicts(reader)
    if save is not None:
        write_atomically(Path(save), to_json(current))
    drift = compare(current, before, deterministic=not reader.needs_picture)
    for run in runs:
        folder = RunFolder(Path(run))
        folder.info()
        write_atomically(folder.drift_path(reader.label), drift.summary() + "\n" if drift.drifted else "")
    return drift
