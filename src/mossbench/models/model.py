"""What a model is to us: something that answers prompts.

A model never raises for one bad item: what went wrong is an `Answer` with an error, so that it is
counted. It raises a `MossbenchError` only for what stops every call alike, such as a missing key.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mossbench.coroutines import in_thread
from mossbench.errors import MossbenchError
from mossbench.images import DEFAULT_LIMITS, Limits, Picture
from mossbench.outcomes import Answer, Key, Stop
from mossbench.samples import Record, Sample


class Settings(Record):
    """How answers are drawn; deterministic by default, as far as the provider allows."""

    temperature: float | None = 0.0
    """None leaves it to the provider."""
    max_tokens: int = 1024
    seed: int = 42
    """Epoch k is asked with seed + k - 1."""
    timeout: float = 120.0
    """Seconds for one answer, retries included."""


@dataclass(frozen=True)
class Prompt:
    """One question as it is put to a model, after the arm and the picture limits have been applied."""

    request: str
    system: str | None = None
    picture: Picture | None = None
    settings: Settings = field(default_factory=Settings)
    schema: dict[str, Any] | None = None
    """JSON schema for the answer, for providers that can be held to one; a judge's prompts have it."""
    key: Key | None = None
    """Which row this is. For models that look answers up (`replay`); all others must answer without it."""


class Model:
    """Base of all models: give it a name and an `answer`."""

    name: str
    version: str | None = None
    """What moves its answers and is not in its name, such as the hash of a file; compared on resume."""
    limits: Limits | None = DEFAULT_LIMITS
    """What pictures it takes; None: pictures are not even opened."""

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        """Notices for the user before the run starts; raises UsageError when it cannot start."""
        return ()

    async def answer(self, prompt: Prompt) -> Answer:
        raise NotImplementedError

    async def close(self) -> None:
        """Called once at the end of a run."""


Answerer = Callable[[Prompt], "str | Answer | None | Awaitable[str | Answer | None]"]


class FunctionModel(Model):
    """A function of the user's as a model. Plain functions run in threads, async ones in the loop."""

    def __init__(self, function: Answerer, name: str, version: str | None = None) -> None:
        self.name, self.version, self._function = name, version, function

    async def answer(self, prompt: Prompt) -> Answer:
        try:
            if inspect.iscoroutinefunction(self._function):
                reply = await self._function(prompt)
            else:
                reply = await in_thread(self._function, prompt)
                reply = await reply if inspect.isawaitable(reply) else reply
        except MossbenchError:
            raise  # the function says itself that going on is of no use
        except Exception as error:  # the item boundary: any fault of the user's code is this row's failure
            return Answer.failed("model", error)
        if isinstance(reply, Answer):
            return reply
        if isinstance(reply, str):
            return Answer(text=reply, stop=Stop.END)
        return Answer.failed("model", f"{self.name} returned {type(reply).__name__}, expected str or Answer")
