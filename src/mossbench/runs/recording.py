"""Every answer of a run is written down as it comes, before anybody judges it or is told of it."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from mossbench.datasets.arms import Row
from mossbench.datasets.planned_rows import rows_where
from mossbench.errors import StorageError
from mossbench.judges import Judge
from mossbench.outcomes import Exchange, Kind, Verdict, outcome
from mossbench.plumbing.coroutines import my_turn
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.places import PlaceLost
from mossbench.plumbing.until_lost import until_lost
from mossbench.runs.engines import Engine
from mossbench.runs.image_cache import PictureShelf
from mossbench.runs.judging import judge_one
from mossbench.runs.losses import describe_cut, describe_loss
from mossbench.runs.progress import OnProgress, Progress
from mossbench.runs.row_asking import in_asking_order, seed_of
from mossbench.store.error_log import ErrorLog
from mossbench.store.key_set import KeySet


async def ask_all(
    engine: Engine, rows: Sequence[Row], judge: Judge | None, judge_pictures: PictureShelf, progress: OnProgress | None
) -> Sequence[Row]:
    """Has the engine ask every row that has no answer yet; with a judge, judges each answer as it comes.

    Returns:
        The rows that it was to ask.
    """
    folder = engine.job.folder
    folder.check_place()
    with ExitStack() as files:
        answers = files.enter_context(LineWriter(folder.answers_path))
        verdicts = files.enter_context(LineWriter(folder.verdicts_path(judge.label))) if judge else None
        recorder = _Recorder(engine, rows, judge, judge_pictures, progress, answers, verdicts)
        engine.job.connections.on_wait = getattr(progress, "waits", None)
        await recorder.ask()
        return recorder.rows_to_ask


class _Recorder:
    """Takes the exchanges of one session from the engine: writes, judges and counts them."""

    def __init__(
        self,
        engine: Engine,
        rows: Sequence[Row],
        judge: Judge | None,
        judge_pictures: PictureShelf,
        progress: OnProgress | None,
        answers: LineWriter,
        verdicts: LineWriter | None,
    ) -> None:
        self._engine = engine
        self._folder = engine.job.folder
        self._budget = engine.job.budget
        self._judge = judge
        self._judge_pictures = judge_pictures
        self._progress = progress
        self._answers = answers
        self._verdicts = verdicts
        self._errors = ErrorLog(self._folder.errors_path)
        self._turn = asyncio.Lock()
        self._under_way_when_stopped = ""

        failures = self._folder.failure_by_key()  # of rows on record; None for those that have an answer
        self._failed_before = {key: failed for key, failed in failures.items() if failed is not None}
        self._answered = KeySet(key for key, failed in failures.items() if failed is None)
        rows_in_order = in_asking_order(rows, engine.job.config.seed)
        self.rows_to_ask = rows_in_order
        if self._answered:
            self.rows_to_ask = rows_where(rows_in_order, lambda key: key not in self._answered)
        self._n_rows = len(rows)
        self._n_done = self._n_rows - len(self.rows_to_ask)

    async def ask(self) -> None:
        """Asks them; where a file of the run is lost meanwhile, says in a note what is lost with it."""
        files = [self._answers, self._verdicts] if self._verdicts else [self._answers]
        try:
            await until_lost(self._engine.ask(self.rows_to_ask, self._record_or_stop), files, self._stop)
        except PlaceLost as lost:
            lost.add_note(self._describe_loss(lost))
            raise

    def _stop(self) -> bool:
        self._under_way_when_stopped = self._engine.under_way()
        return self._engine.stop()

    def _describe_loss(self, lost: PlaceLost) -> str:
        if lost.file.cut is not None:
            return describe_cut(lost, self._folder, self._answered)
        n_recorded = len(self._answered) + self._answers.n_waiting
        under_way = self._under_way_when_stopped or self._engine.under_way()
        return describe_loss(lost, self._folder, n_recorded, under_way)

    async def _record_or_stop(self, row: Row, exchange: Exchange) -> None:
        try:
            await self._record(row, exchange)
        except StorageError:
            self._engine.stop()  # what cannot be kept is not asked for, and paid
            raise

    async def _record(self, row: Row, exchange: Exchange) -> None:
        """Writes an exchange down, has it judged, and tells of it."""
        exchange = self._with_planted_kind(row, exchange)
        self._budget.pay(exchange, None)
        failed = self._failed_before.get(row.key)
        if failed is not None:
            exchange = exchange.model_copy(update={"before": failed.used})
        self._answers.append(exchange)
        error = exchange.answer.error
        if error is None:
            self._answered.add(row.key)
        else:
            self._errors.add(row.key, error.trace)
        verdict = await self._judge_and_record(row, exchange)
        self._n_done += 1
        if self._progress is not None:
            self._progress(Progress(self._n_done, self._n_rows, row.key, outcome(exchange.answer, verdict)))

    async def _judge_and_record(self, row: Row, exchange: Exchange) -> Verdict | None:
        """The verdict on an answer, written down; None where it is not judged now."""
        if not exchange.to_judge:
            return None
        if self._judge is None or self._verdicts is None:
            self._budget.owe()
            return None
        if self._engine.job.model.sends:
            async with self._turn:  # requests that are due go out in between
                await my_turn()
        judgement = await judge_one(self._judge, exchange, row.sample, self._judge_pictures, row.arm)
        self._verdicts.append(judgement)
        self._budget.pay(None, judgement.verdict)
        self._errors.add(row.key, judgement.verdict.trace)
        return judgement.verdict

    def _with_planted_kind(self, row: Row, exchange: Exchange) -> Exchange:
        """With what a rehearsal was to answer, also where its image could not be read and it was not asked."""
        if exchange.answer.planted is not None:
            return exchange
        job = self._engine.job
        refuses = job.model.is_planted_refusal(row.key, seed_of(job.config, row.key.epoch))
        if refuses is None:
            return exchange
        planted = Kind.REFUSED if refuses else Kind.ANSWERED
        answer = exchange.answer.model_copy(update={"planted": planted})
        return exchange.model_copy(update={"answer": answer})
