"""The engine `batch`: rows go out in chunks through the provider's batch API, and their answers are collected."""

from collections.abc import Sequence

from mossbench.datasets.arms import Row
from mossbench.models import Prompt
from mossbench.models.batching import batches_for
from mossbench.outcomes import Answer, Key, SentPicture
from mossbench.runs.asking import exchange_of, prompt_of
from mossbench.runs.batches.queue import BatchQueue
from mossbench.runs.engines import Done, Engine, Job


class BatchEngine(Engine):
    """Hands the rows over and waits for their answers; what is out from earlier sessions is collected too."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        api, path, retries = batches_for(job.model), job.folder.batches_path, job.config.retries
        self._queue = BatchQueue(api, path, job.budget, retries=retries, poll=job.options.poll)

    def under_way(self) -> str:
        return self._queue.under_way()

    async def ask(self, rows: Sequence[Row], done: Done) -> None:
        job, by_key, sent = self.job, {row.key: row for row in rows}, dict[Key, tuple[SentPicture, ...]]()

        async def prompt(key: Key) -> Prompt | None:
            made, sent[key] = await prompt_of(by_key[key], job.pictures, job.config)
            if isinstance(made, Prompt):
                return made
            await done(by_key[key], exchange_of(by_key[key], (), made))
            return None

        async def came(key: Key, answer: Answer, tries: int) -> None:
            if key not in sent:  # handed over by an earlier session, with the same data
                _, sent[key] = await prompt_of(by_key[key], job.pictures, job.config)
            await done(by_key[key], exchange_of(by_key[key], sent.pop(key), answer, tries))

        self._queue.on_wait = job.connections.on_wait
        await self._queue.ask(by_key, prompt, came)
