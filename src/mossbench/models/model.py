"""The base class of models, and what they take and raise.

A model never raises for one bad item: what went wrong is an `Answer` with an error, so that it is counted. It raises a
`MossbenchError` only for what stops every call, such as a missing key, `Denied` for what may stop every call or only
this one, and `Overloaded` when the same call may succeed later: the caller waits, and tries again or gives up.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from mossbench.errors import MossbenchError, RunError
from mossbench.images.limits import DEFAULT_LIMITS, Limits
from mossbench.images.preparing import Picture
from mossbench.models.notices import NoticeFact
from mossbench.outcomes import Answer, Failure, Key, Stop
from mossbench.plumbing.coroutines import in_thread
from mossbench.plumbing.own_code import OwnCode, own_traceback
from mossbench.samples import Record, Sample


class Settings(Record):
    """How answers are drawn; deterministic by default, as far as the provider allows."""

    temperature: float | None = 0.0
    """None leaves it to the provider."""
    max_tokens: int = 1024
    seed: int = 42
    """Epoch k is asked with seed + k - 1."""
    timeout: float = 120.0
    """Seconds for one try."""
    effort: str | None = None
    """How much a model should think before it answers; None leaves it to the provider."""
    params: dict[str, Any] = {}
    """Further parameters, in the provider's own names."""


@dataclass(frozen=True)
class Turn:
    """An earlier message, of the user's or of the assistant's."""

    role: Literal["user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """One question as it is put to a model, after the arm and the picture limits have been applied."""

    request: str
    system: str | None = None
    picture: Picture | None = None
    settings: Settings = field(default_factory=Settings)
    schema: dict[str, Any] | None = None
    """JSON schema for the answer, for providers that support one; used in a judge's prompts."""
    key: Key | None = None
    """Which row this is. For models that look answers up (`replay`) or refuse by a hash of it (`control/NAME?on=id`);
    all others must answer without it."""
    more_pictures: tuple[Picture, ...] = ()
    """Pictures after the first, in their order."""
    history: tuple[Turn, ...] = ()
    """The messages before the request, the first one first."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in the order in which they are sent; empty for a question without any."""
        return (self.picture, *self.more_pictures) if self.picture is not None else ()


Trouble = Literal["rate_limit", "overload", "server_error", "connection"]


class Overloaded(Exception):
    """The call may go through later: too many requests, a server in trouble, a lost connection.

    Not a `MossbenchError`: there is nothing to fix. Models never wait themselves, so that the caller can slow down all
    of its calls together.
    """

    def __init__(
        self,
        retry_after: float | None,
        kind: Trouble,
        message: str,
        *,
        type: str = "Overloaded",
        reached: bool = True,
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds that the provider asks to wait; None when it does not say."""
        self.kind = kind
        """`rate_limit`: we send too much; `overload`: everybody does; `server_error`: something broke there;
        `connection`: the reply was lost. The first two slow down all calls."""
        self.message = message
        self.type = type
        self.reached = reached
        """Whether there was a connection at all."""

    def answer(self, *, seconds: float | None = None) -> Answer:
        """The failure to record once no more tries are left."""
        return Answer(error=Failure(stage="model", type=self.type, message=self.message), seconds=seconds)


class Denied(RunError):
    """The provider rejects the call: a wrong key, an unknown model, or a firewall that blocks only this row.

    For a single question it is final. With many (`Connections`) a probe finds out first whether it affects them all.
    """

    def __init__(self, message: str, way_out: str, *, type: str, sure: bool) -> None:
        super().__init__(f"{message}; {way_out}")
        self.sure = sure
        """Whether the provider speaks of the key, the account or the model, not just of something forbidden."""
        self._failure = Failure(stage="model", type=type, message=message)

    def answer(self) -> Answer:
        """The failure to record where it is the row's alone."""
        return Answer(error=self._failure)


class Model:
    """Base of all models: give it a name and an `answer`."""

    name: str
    version: str | None = None
    """What moves its answers and is not in its name, such as the hash of a file; compared on resume."""
    limits: Limits | None = DEFAULT_LIMITS
    """What pictures it takes; None: pictures are not even opened."""
    base_url: str | None = None
    """Endpoint that is asked instead of the provider's own, whose prices are not known."""
    options: Mapping[str, Any] = MappingProxyType({})
    """What `load_model` was told beside the name, such as as_published."""
    sends: bool = False
    """Whether each question is a call to somebody's server, which may cost money."""
    batch_size: int | None = None
    """How many questions it answers together, at its own pace: a run keeps two batches of them in flight from the start
    and sets no time for a try. None: each question is a call of its own."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'name', 'without a name')}>"

    def read_data(self, samples: Sequence[Sample], columns: Mapping[str, str]) -> None:
        """Shown all samples of the data, before those to ask are chosen; raises UsageError when it cannot be asked.

        `columns` says which column of one's own table holds a field of the samples, where somebody named it.
        """

    def is_planted_refusal(self, key: Key, seed: int) -> bool | None:
        """Whether it is known beforehand that it refuses this row under this seed; None: nothing is known."""
        return None

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        """Notices for the user before the run starts; raises UsageError when it cannot start."""
        return ()

    def notice_facts(self) -> tuple[NoticeFact, ...]:
        """Those notices of `check` with which something is done later, and what each is about."""
        return ()

    def load(self, systems: Iterable[str]) -> None:
        """Makes ready to answer under these system prompts; called after `check`, before a run has a folder.

        Raises:
            MossbenchError: It cannot, or has no place for one of them.
        """

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        """What is sent with every request beside the question, in the provider's own names, for the record.

        Complete only once some answers have come: a model learns from the first replies what a server does not take.
        """
        return {}

    def longest_answer(self, settings: Settings) -> int | None:
        """The most tokens that an answer may have; None where no limit is sent."""
        return settings.max_tokens

    async def open(self) -> None:
        """Called once before the first question of a run, for slow preparations."""

    async def answer(self, prompt: Prompt) -> Answer:
        """The answer, or what went wrong with it.

        Raises:
            Denied: This call cannot go through, and perhaps none can.
            MossbenchError: No call can go through; the run ends.
            Overloaded: This call may go through later.
        """
        raise NotImplementedError

    async def probe(self) -> Answer | None:
        """The answer to a question that no filter blocks; raises as `answer` does; None where it would tell nothing.

        Asked when rows are denied, or fail, one after the other: it tells a fault of those rows from one of all rows.
        """
        return None

    def remarks(self) -> tuple[str, ...]:
        """Notices for the user that depend on the answers; called at the end of a run."""
        return ()

    async def close(self) -> None:
        """Called once at the end of a run."""


Answerer = Callable[[Prompt], "str | Answer | None | Awaitable[str | Answer | None]"]
AnyModel = str | Model | Answerer
"""A model as users name it: `control/candid`, `openai/…`, `replay/FILE`, `file.py:function`, a Model, or a function."""


async def called(function: Callable[[Any], Any], argument: Any) -> Any:
    """What a user's function returns: an async one runs in the loop, a plain one in a thread.

    A slow function must not hold up the answers that are in flight.
    """
    reply = function(argument) if inspect.iscoroutinefunction(function) else await in_thread(function, argument)
    return await reply if inspect.isawaitable(reply) else reply


class FunctionModel(Model):
    def __init__(self, function: Answerer, name: str, version: str | None = None) -> None:
        self.name = name
        self.version = version
        self._function = function

    async def answer(self, prompt: Prompt) -> Answer:
        try:
            reply = await called(self._function, prompt)
        except (MossbenchError, Overloaded):
            raise  # the function says itself that the run should end, or that it should wait
        except Exception as error:  # the item boundary: any fault of the user's code is this row's failure
            return Answer.failed("model", error, trace=own_traceback(error))
        if isinstance(reply, Answer):
            return reply
        if isinstance(reply, str):
            return Answer(text=reply, stop=Stop.END)
        return Answer.failed("model", f"{self.name} returned {type(reply).__name__}, expected str or Answer")


def own_model(own: OwnCode) -> Model:
    """A model from a user's file; a Model stays as it is, except for its name and version."""
    wrapped = FunctionModel(own.value.answer if isinstance(own.value, Model) else own.value, own.name, own.version)
    if not isinstance(own.value, Model):
        return wrapped
    vars(own.value).update(name=own.name, version=own.version, answer=wrapped.answer)
    return own.value
