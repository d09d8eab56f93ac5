"""The engine `batch`: rows go out in chunks through the provider's batch API, and their answers are collected."""

from collections.abc import Sequence

from mossbench.datasets.arms import Row
from mossbench.models import Prompt
from mossbench.models.batching import batch_api_for
from mossbench.models.parameters import check_for_batches
from mossbench.outcomes import Answer, Key, SentPicture
from mossbench.runs.batches.queue import BatchQueue
from mossbench.runs.engines import Engine, Job, OnExchange
from mossbench.runs.row_asking import exchange_of, prompt_of


class BatchEngine(Engine):
    """Hands the rows over and waits for their answers; what is out from earlier sessions is collected too."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        check_for_batches(job.config.params)
        self._queue = BatchQueue(
            batch_api_for(job.model),
            job.folder.batches_path,
            job.budget,
            retries=job.config.retries,
            poll=job.options.poll,
        )

    def under_way(self) -> str:
        return self._queue.under_way()

    async def ask(self, rows: Sequence[Row], on_exchange: OnExchange) -> None:
        batch_rows = _BatchRows(self.job, rows, on_exchange)
        self._queue.on_wait = self.job.connections.on_wait
        await self._queue.ask(batch_rows.by_key, batch_rows.make_prompt, batch_rows.take_answer)


class _BatchRows:
    """The rows of a session by key, with the pictures that went out with each."""

    def __init__(self, job: Job, rows: Sequence[Row], on_exchange: OnExchange) -> None:
        self._job = job
        self._on_exchange = on_exchange
        self.by_key: dict[Key, Row] = {row.key: row for row in rows}
        self._sent_pictures: dict[Key, tuple[SentPicture, ...]] = {}

    async def make_prompt(self, key: Key) -> Prompt | None:
        """What goes out for a row; None where its picture cannot be shown, so that it has failed."""
        row = self.by_key[key]
        prompt, self._sent_pictures[key] = await prompt_of(row, self._job.pictures, self._job.config)
        if isinstance(prompt, Prompt):
            return prompt
        failed = prompt
        await self._on_exchange(row, exchange_of(row, (), failed))
        return None

    async def take_answer(self, key: Key, answer: Answer, tries: int) -> None:
        row = self.by_key[key]
        if key not in self._sent_pictures:  # handed over by an earlier session, with the same data
            _, self._sent_pictures[key] = await prompt_of(row, self._job.pictures, self._job.config)
        await self._on_exchange(row, exchange_of(row, self._sent_pictures.pop(key), answer, tries))
