"""`local/<checkpoint>`: gathers the questions that wait, answers them in batches, and halves what does not fit.

The run keeps two batches of questions in flight (`Model.batch_size`), so that the next one waits while one is answered.
A batch that runs out of memory is halved until it fits, and later ones are not larger than what did; after any other
fault a batch is halved until the row at fault is alone. No row fails because of its neighbours.
"""

import asyncio
import gc
import math
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from mossbench.errors import MossbenchError, UsageError
from mossbench.models.local.checkpoint import (
    best_dtype,
    check_room,
    find_checkpoint,
    find_device,
    import_torch,
    is_out_of_memory,
    with_config,
)
from mossbench.models.local.engine import Engine, find_config, load_engine
from mossbench.models.local.grouping import cost, next_batch
from mossbench.models.model import Model, Prompt, Settings
from mossbench.models.presets import PUBLISHED_LOCAL
from mossbench.models.replies import answer_of
from mossbench.outcomes import Answer, Failure
from mossbench.plumbing.coroutines import in_thread
from mossbench.samples import Sample
from mossbench.ways_out import SetOption

BATCH_ON_GPU = 32
BATCH_ON_CPU = 4
_PAUSE = 0.05  # seconds without a new question after which a batch that is not full goes


_Waiting = tuple[Prompt, asyncio.Future[Answer]]
"""A question that waits, and where its answer goes."""


class LocalModel(Model):
    """One open model on this machine. Its weights are loaded before a run starts and freed at the end."""

    batch_size: int

    def __init__(
        self,
        checkpoint: str,
        *,
        as_published: bool = False,
        batch_size: int | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        self._checkpoint = find_checkpoint(checkpoint)
        self.name = f"local/{self._checkpoint.name}"
        self.version = self._checkpoint.version
        self._as_published = as_published
        self._trusted = trust_remote_code
        self._asked_batch = batch_size
        self.set_up(batch_size or BATCH_ON_CPU)

    def set_up(self, batch_size: int) -> None:
        """Nothing loaded, nothing waiting."""
        self.batch_size = batch_size
        self._engine: Engine | None = None
        self._facts: dict[str, Any] = {}
        self._room = math.inf
        self._n_halved = 0
        self._smallest = self.batch_size
        self._waiting: list[_Waiting] = []
        self._worker: asyncio.Task[None] | None = None

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        from mossbench.models.local.chats import has_chat

        if any(sample.history for sample in samples):
            raise UsageError(
                f"{self.name} is asked without earlier messages, and some samples have a history",
                way_out=SetOption("arm", "without-history", to="ask those samples without it"),
            )
        device = find_device()
        self._checkpoint = with_config(self._checkpoint)
        if has_chat(self._checkpoint, trust_remote_code=self._trusted):
            self.set_up(1)
        else:
            find_config(self._checkpoint)
            self.set_up(self._asked_batch or (BATCH_ON_CPU if device.type == "cpu" else BATCH_ON_GPU))
        check_room(self._checkpoint, device, best_dtype(device))
        if device.type != "cpu":
            return ()
        return ("the model runs on the CPU, which is slow for all but small models",)

    def load(self, systems: Iterable[str]) -> None:
        engine = self._loaded()
        for system in systems:
            engine.check_system(system)

    def _loaded(self) -> Engine:
        if self._engine is None:
            self._engine = load_engine(self._checkpoint, trust_remote_code=self._trusted)
            self._facts = self._engine.facts
        return self._engine

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        halved = {"out_of_memory": self._n_halved, "smallest_batch": self._smallest} if self._n_halved else {}
        return {**self.generation(settings), "batch_size": self.batch_size, **halved, **self._facts}

    def generation(self, settings: Settings) -> dict[str, Any]:
        """How answers are drawn, in the names of transformers; temperature 0 is greedy."""
        if self._as_published:  # the published runs left Qwen-VL-Chat to the defaults of its chat
            by_default = "QWenLMHeadModel" in self._checkpoint.config.get("architectures", ())
            return {} if by_default else dict(PUBLISHED_LOCAL)
        length = {"max_new_tokens": settings.max_tokens, **settings.params}
        if settings.temperature is None:
            return length
        if settings.temperature == 0:
            return {**length, "do_sample": False, "num_beams": 1}
        return {**length, "do_sample": True, "num_beams": 1, "temperature": settings.temperature}

    def longest_answer(self, settings: Settings) -> int | None:
        return int(PUBLISHED_LOCAL["max_length"]) if self._as_published else settings.max_tokens

    async def answer(self, prompt: Prompt) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((prompt, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await future

    async def close(self) -> None:
        if self._engine is not None:
            self._engine.stop()
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        self._engine = None
        if self._facts:
            free_memory()

    # Gathering

    async def _work(self) -> None:
        while self._waiting:
            await self._gather()
            self._waiting = [(prompt, future) for prompt, future in self._waiting if not future.done()]
            if not self._waiting:
                return
            batch = self._take_batch()
            try:
                answers = await in_thread(self._answers, [prompt for prompt, _ in batch])
            except Exception as error:  # no call can go through, or we are wrong: whoever asked must hear of it
                self._fail(batch, error)
                return
            for (_, future), answer in zip(batch, answers, strict=True):
                if not future.done():  # whoever asked has been stopped meanwhile
                    future.set_result(answer)

    def _take_batch(self) -> list[_Waiting]:
        """Takes the questions to answer next out of those that wait."""
        places = next_batch([prompt for prompt, _ in self._waiting], self.batch_size, self._room)
        batch = [self._waiting[place] for place in places]
        self._waiting = [question for place, question in enumerate(self._waiting) if place not in places]
        return batch

    def _fail(self, batch: list[_Waiting], error: Exception) -> None:
        """Raises the error for everybody who waits."""
        for _, future in batch + self._waiting:
            if not future.done():
                future.set_exception(error)
        self._waiting = []

    async def _gather(self) -> None:
        n = 0
        while n < len(self._waiting) < self.batch_size:
            n = len(self._waiting)
            await asyncio.sleep(_PAUSE)

    # Answering, in a thread

    def _answers(self, prompts: list[Prompt]) -> list[Answer]:
        engine = self._loaded()
        start = time.perf_counter()
        answers = self._drawn(engine, prompts)
        seconds = time.perf_counter() - start
        return [answer.model_copy(update={"seconds": seconds}) for answer in answers]

    def _drawn(self, engine: Engine, prompts: list[Prompt]) -> list[Answer]:
        try:
            return [*map(answer_of, engine.draw(prompts, self.generation(prompts[0].settings)))]
        except MossbenchError:
            raise
        except Exception as error:  # the item boundary: the row that it belongs to is found by halving
            is_full = is_out_of_memory(error)
            fault = Failure(stage="model", type=type(error).__name__, message=str(error)[:1000] or "no message")
        # Past the except: until then the error holds on to the tensors of the batch.
        if is_full:
            self._halve(prompts)
        if len(prompts) == 1:
            if is_full:
                message = f"one request alone does not fit into memory: {fault.message}"
                fault = fault.model_copy(update={"type": "OutOfMemory", "message": message[:1000]})
            return [Answer(error=fault)]
        half = len(prompts) // 2
        return self._drawn(engine, prompts[:half]) + self._drawn(engine, prompts[half:])

    def _halve(self, prompts: list[Prompt]) -> None:
        free_memory()
        self._n_halved += 1
        self._smallest = min(self._smallest, max(1, len(prompts) // 2))
        self._room = min(self._room, cost(prompts) / 2)


def free_memory() -> None:
    torch, _ = import_torch()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
