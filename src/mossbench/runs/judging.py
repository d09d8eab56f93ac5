"""Judging a run in three steps: plan which answers to judge, judge them, finish the record.

`judge_run` judges the answers in a folder; a run that has just asked its model judges them with `judge_all`. Each
verdict is written at once, so stopping at any moment loses only the verdicts in flight.
"""

from collections.abc import Container, Mapping
from functools import partial
from pathlib import Path

from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import DataError, ImageError, UsageError
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.judge import AnyJudge, judge_shown
from mossbench.judges.rubric import RubricJudge
from mossbench.models import Prompt
from mossbench.models.connections import RETRIES
from mossbench.outcomes import Answer, Exchange, Judgement, Key, Usage, outcome
from mossbench.plumbing.coroutines import closing
from mossbench.plumbing.coroutines import finish as run_until_done
from mossbench.plumbing.coroutines import together as run_together
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.until_lost import cancel_at_once, until_lost
from mossbench.results.failing import warn_of_failures
from mossbench.results.table import Results, load_results
from mossbench.runs.batches.queue import POLL, BatchQueue
from mossbench.runs.budget import Budget, judge_prices
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.judging_plan import (
    BatchPlan,
    JudgingPlan,
    batched_judge,
    count_judged_rows,
    plan_judging,
    poll_for,
)
from mossbench.runs.judging_stops import explaining_stops
from mossbench.runs.progress import OnProgress, Progress
from mossbench.samples import Sample
from mossbench.store.config import RunConfig
from mossbench.store.error_log import ErrorLog
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import JudgeRun, OmitOption


def judge_run(
    folder: str | Path,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    max_connections: int = RunConfig.model_fields["max_connections"].default,
    progress: OnProgress | None = None,
    batch: bool = False,
    poll: float = POLL,
) -> Results:
    """Judges the answers in a run folder that this judge has not judged yet; the run's own model is not asked.

    A judge that looks at pictures needs the run's dataset in its original place. With `batch` the judging model is
    asked through its provider's batch API, which is checked every `poll` seconds.
    """
    loaded_judge = load_judge(judge)
    run_folder = RunFolder(Path(folder))
    info = run_folder.info()
    if batch and batched_judge(loaded_judge) is None:
        message = f"judge {loaded_judge.name!r} cannot use a batch API: it does not ask exactly one model that has one"
        raise UsageError(message, way_out=OmitOption("batch"))
    dataset = load_dataset(info.config.data, columns=info.config.columns) if loaded_judge.needs_picture else None
    name_of_judge = judge if isinstance(judge, str) else loaded_judge.name
    resume = JudgeRun(run_folder.path, name_of_judge, batch, to="resume it")
    with run_folder.held(), explaining_stops(run_folder, loaded_judge, resume):
        work = judge_all(
            run_folder,
            loaded_judge,
            dataset,
            max_connections=max_connections,
            progress=progress,
            poll=poll_for(run_folder, loaded_judge, poll, batch=batch),
        )
        run_until_done(closing(work, loaded_judge))
        finish_judging(run_folder, loaded_judge)
    results = load_results(run_folder.path, judge=loaded_judge.label)
    warn_of_failures(results)
    return results


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
    """Judges every answer without a verdict of this judge; `plan_judging` explains the arguments."""
    plan = plan_judging(
        folder,
        judge,
        dataset,
        max_connections=max_connections,
        skip=skip,
        images=images,
        budget=budget,
        poll=poll,
    )
    await execute_judging(plan, progress)


async def execute_judging(plan: JudgingPlan, progress: OnProgress | None = None) -> None:
    """Judges every answer of the plan, and writes each verdict at once."""
    plan.budget.n_owed = 0  # from now on the budget reserves money for each verdict when it begins
    with LineWriter(plan.folder.verdicts_path(plan.judge.label)) as verdicts:
        judging = _Judging(plan, verdicts, progress)
        await until_lost(judging.ask_directly(), [verdicts], stop=judging.stop)
        if plan.batch is not None:
            await until_lost(judging.ask_in_batches(plan.batch), [verdicts], stop=cancel_at_once)


def finish_judging(folder: RunFolder, judge: Judge) -> None:
    """Writes into run.json how many rows the judge has judged, and the prices of its models."""
    folder.write_info(with_verdicts(folder, folder.info(), judge))


def with_verdicts(folder: RunFolder, info: RunInfo, judge: Judge) -> RunInfo:
    """The info of a run that the judge has finished, with the number of judged rows and the prices of its models."""
    n_rows = count_judged_rows(folder, judge)
    prices = {**judge_prices(judge, None), **info.judge_prices}
    return info.model_copy(update={"verdicts": {**info.verdicts, judge.label: n_rows}, "judge_prices": prices})


class _Judging:
    """The state of one judging: the rows left, and the files that it writes."""

    def __init__(self, plan: JudgingPlan, verdicts: LineWriter, progress: OnProgress | None) -> None:
        self._plan = plan
        self._verdicts = verdicts
        self._progress = progress
        self._errors = ErrorLog(plan.folder.errors_path)
        self._rows_left = iter(plan.rows_asked_directly)
        self._n_done = 0

    async def ask_directly(self) -> None:
        """Judges the rows that do not go through a batch API, several at a time."""
        n_workers = min(self._plan.max_connections, self._plan.n_rows)
        workers = [self._judge_rows() for _ in range(n_workers)]
        await run_together(workers, self._rows_left)

    def stop(self) -> bool:
        """Starts no further row. Returns: True, the rows in flight may end."""
        for _ in self._rows_left:
            pass
        return True

    async def _judge_rows(self) -> None:
        for key in self._rows_left:
            async with self._plan.budget.room_for("verdict") as is_admitted:
                if not is_admitted:
                    return
                await self._judge_row(key)

    async def ask_in_batches(self, batch: BatchPlan) -> None:
        """Judges the rows of a batch API as their replies arrive."""
        rubric = batch.judge.rubric
        queue = BatchQueue(
            batch.judge.api,
            self._plan.folder.batches_path,
            self._plan.budget,
            retries=RETRIES,
            poll=batch.poll,
            judge=self._plan.judge.label,
        )
        queue.on_wait = getattr(self._progress, "waits", None)
        await queue.ask(batch.rows, partial(self._make_prompt, rubric), partial(self._take_reply, rubric))

    async def _make_prompt(self, rubric: RubricJudge, key: Key) -> Prompt | None:
        """The prompt that asks the judging model about a row.

        Returns:
            None if the row's picture cannot be shown; its verdict, which says so, is then written already.
        """
        try:
            picture = await self._fetch_picture(key)
        except (ImageError, DataError):
            await self._judge_row(key)
            return None
        return rubric.prompt(self._plan.exchange(key), picture)

    async def _fetch_picture(self, key: Key) -> Picture | None:
        if self._plan.pictures is None:
            return None
        return await self._plan.pictures.fetch(self._plan.sample(key), self._plan.arm(key))

    async def _take_reply(self, rubric: RubricJudge, key: Key, reply: Answer, tries: int) -> None:
        """Judges a row by the judging model's reply from a batch."""
        rubric.ahead[key] = reply  # `judge_one` finds the reply there and sends no request
        await self._judge_row(key)

    async def _judge_row(self, key: Key) -> None:
        plan = self._plan
        exchange = plan.exchange(key)
        sample = None if plan.pictures is None else plan.sample(key)
        judgement = await judge_one(plan.judge, exchange, sample, plan.pictures, plan.arm(key))
        plan.budget.pay(None, judgement.verdict)
        if key in plan.earlier_usage:
            judgement = _with_earlier_usage(judgement, plan.earlier_usage[key])
        self._verdicts.append(judgement)
        self._errors.add(key, judgement.verdict.trace)
        self._n_done += 1
        if self._progress is not None:
            row_outcome = outcome(exchange.answer, judgement.verdict)
            self._progress(Progress(self._n_done, plan.n_rows, key, row_outcome))


def _with_earlier_usage(judgement: Judgement, earlier: Mapping[str, Usage | None]) -> Judgement:
    """The judgement, with the tokens of the judgement that it replaces added: both were paid for."""
    total = dict(earlier)
    for model, usage in judgement.verdict.used.items():
        total[model] = None if usage is None else usage + earlier.get(model)
    verdict = judgement.verdict.model_copy(update={"used": total})
    return judgement.model_copy(update={"verdict": verdict})


async def judge_one(
    judge: Judge, exchange: Exchange, sample: Sample | None, pictures: PictureShelf | None, arm: Arm = PLAIN
) -> Judgement:
    """The judge's verdict on one answer; it names the fault if the judge needs a picture that cannot be shown."""

    async def fetch_picture() -> Picture | None:
        return None if pictures is None or sample is None else await pictures.fetch(sample, arm)

    return await judge_shown(judge, exchange, fetch_picture)
