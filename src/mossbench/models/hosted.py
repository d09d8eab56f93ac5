"""What all hosted models share: one call, its reply or its fault, and parameters that a model does not accept."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from mossbench.errors import bad_option
from mossbench.models.bodies import at as at  # also for the adapters
from mossbench.models.bodies import decode_json
from mossbench.models.bodies import text_at as text_at
from mossbench.models.faults import (
    Fault,
    answer_or_raise,
    fault_of,
    read_fault,
    read_received,
    tls_fault,
    with_retry_after,
)
from mossbench.models.keys import redacted, secret
from mossbench.models.model import Model, Prompt, Settings
from mossbench.models.notices import NoticeFact, endpoint_notice
from mossbench.models.parameters import wire_parameters
from mossbench.models.presets import Decoding, published_decoding, retirement
from mossbench.models.replies import Reply, answer_of
from mossbench.models.wire import Received, keep_reply
from mossbench.outcomes import Answer, Usage
from mossbench.plumbing.tls import PORT_SPEAKS_HTTPS, speaks_tls
from mossbench.samples import Sample

_PROBE = Prompt("How much is two plus two?", settings=Settings(max_tokens=16, timeout=30.0))


class HostedModel(Model):
    """A model behind an API. An adapter says what is sent, sends it, and reads what comes back.

    No SDK retries and nothing here waits: see `Overloaded`.
    """

    sends = True
    way_out = "check the key, the model's name and the address (base_url)"
    optional: tuple[str, ...] = ()
    """Parameters that are omitted from then on once the model says that it does not accept them."""
    renamed: Mapping[str, str] = MappingProxyType({})
    """Those that are sent under another name instead of being omitted."""
    client: Any
    """The SDK's."""

    def __init__(
        self, provider: str, model: str, base_url: str | None, *, variable: str = "", as_published: bool = False
    ) -> None:
        """`variable` may hold the endpoint where `base_url` is None."""
        base_url = secret(variable) if base_url is None and variable else base_url
        self.name = f"{provider}/{model}"
        self._provider = provider
        self._model = model
        self.base_url = checked_url(base_url)
        self._published = published_decoding(model) if as_published else None
        self._not_taken: dict[str, str] = {}
        self._asked_for: dict[str, Any] = {}
        self._reached = False  # whether a reply ever came
        self._port_speaks_tls: bool | None = None  # None: not looked yet

    # What an adapter adds

    def parameters(self, prompt: Prompt) -> dict[str, Any]:
        """All that is sent beside model, question and picture, under the provider's names."""
        raise NotImplementedError

    def request(self, prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    async def send(self, request: dict[str, Any], timeout: float) -> None:
        """Sends it through a client with the hooks of `wire`, which keep the reply as it came."""
        raise NotImplementedError

    def read(self, body: Any) -> Reply | Fault:
        """The reply in a body, parsed from JSON; never raises, whatever it is."""
        raise NotImplementedError

    # What all share

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        if self.base_url is not None:
            return (endpoint_notice(self.base_url).text,)
        return tuple(filter(None, [retirement(self.name)]))

    def notice_facts(self) -> tuple[NoticeFact, ...]:
        return () if self.base_url is None else (endpoint_notice(self.base_url),)

    def decoding(self, settings: Settings) -> Decoding:
        """The run's settings, or the published ones; of those, the seed still goes with the epoch."""
        if self._published is None:
            return Decoding(settings.temperature, seed=settings.seed, max_tokens=settings.max_tokens)
        return replace(self._published, seed=settings.seed if self._published.seed is not None else None)

    def drawn(self, settings: Settings, *fields: str, **renamed: str) -> dict[str, Any]:
        """The decoding parameters that are set: fields of Decoding, the renamed ones under the provider's name."""
        decoding = self.decoding(settings)
        names = {field: field for field in fields} | renamed
        values = {name: getattr(decoding, field) for field, name in names.items()}
        return {name: value for name, value in values.items() if value is not None}

    def all_parameters(self, prompt: Prompt) -> dict[str, Any]:
        """Those of `parameters` that the model is not known to reject, and those that the user asked for, which win."""
        self._asked_for = wire_parameters(self._provider, prompt.settings.effort, prompt.settings.params)
        return {**self._accepted(self.parameters(prompt)), **self._asked_for}

    def longest_answer(self, settings: Settings) -> int | None:
        return self.decoding(settings).max_tokens

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        sent = self.all_parameters(Prompt("", settings=settings))
        return sent | ({"not_taken": dict(self._not_taken)} if self._not_taken else {})

    async def answer(self, prompt: Prompt) -> Answer:
        start = time.perf_counter()
        while True:  # each turn but the last takes one parameter away
            parameters = self.all_parameters(prompt)
            # A little longer than the run's own clock, which counts time-outs and asks again.
            reply = await self._ask(self.request(prompt, parameters), prompt.settings.timeout * 1.05 + 0.1)
            if isinstance(reply, Fault):
                reply = _noting_quotes(reply, prompt)
            answer = self.settled(reply, parameters, seconds=time.perf_counter() - start)
            if answer is not None:
                return answer

    def settled(self, reply: Reply | Fault, sent: dict[str, Any], *, seconds: float | None = None) -> Answer | None:
        """The answer that a reply is; None where the model does not accept a parameter, which is omitted from now on.

        Raises as `answer` does.
        """
        if isinstance(reply, Reply):
            return answer_of(reply, seconds=seconds)
        fault = reply
        if fault.unreachable and self.base_url:
            fault = replace(fault, message=f"{fault.message}; asked at {self.base_url}")
        if self._learn(fault, sent):
            return None
        return answer_or_raise(fault, self.name, way_out=self.way_out, seconds=seconds)

    def request_of(self, prompt: Prompt) -> dict[str, Any]:
        """The request as the SDK takes it, without parameters that the model is known not to accept."""
        return self.request(prompt, self.all_parameters(prompt))

    async def probe(self) -> Answer | None:
        return await self.answer(_PROBE)

    async def _ask(self, request: dict[str, Any], timeout: float) -> Reply | Fault:
        failure: Exception | None = None
        with keep_reply() as last_reply:
            try:
                await self.send(request, timeout)
            except Exception as error:  # the item boundary: SDKs raise their own, their HTTP library's, Python's errors
                if isinstance(error, TypeError) and last_reply.response is None:
                    raise  # the SDK is called wrongly
                failure = error
            received = last_reply.received()
        if received is not None:
            self._reached = True
            return self._read_received(received, type="APIError" if failure is None else type(failure).__name__)
        if failure is None:
            return fault_of(None, type="EmptyReply", message="the reply was not read to its end", lost=True)
        return await self._with_tls_hint(read_fault(failure))

    def _read_received(self, received: Received, *, type: str) -> Reply | Fault:
        """What a reply is; the SDKs differ in how they decode it and in which statuses they take for errors."""
        if received.status >= 300:
            return read_received(received, type=type)
        try:
            body = decode_json(received.data)
        except ValueError:
            text = received.data.decode("utf-8", "replace")
            opening = redacted(text)[:80]  # redacted first: half a key would not be found
            message = f"the reply (HTTP {received.status}) is not JSON: {opening!r}"
            return fault_of(None, type="InvalidJSON", message=message, lost=True)
        reply = self.read(body)
        return with_retry_after(reply, received.headers) if isinstance(reply, Fault) else reply

    async def _with_tls_hint(self, fault: Fault) -> Fault:
        """The fault, or a clearer one where no reply ever came because the port expects HTTPS, not HTTP."""
        parts = urlsplit(self.base_url or "")
        is_candidate = fault.lost and not fault.unreachable and not self._reached
        if parts.scheme != "http" or not parts.hostname or not is_candidate:
            return fault
        if self._port_speaks_tls is None:
            self._port_speaks_tls = await speaks_tls(parts.hostname, parts.port or 80)
        return tls_fault(PORT_SPEAKS_HTTPS, type=fault.type) if self._port_speaks_tls else fault

    def _accepted(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters that the model accepts, some of them under another name."""
        accepted = {}
        for name, value in parameters.items():
            if name in self._not_taken:
                name = self.renamed.get(name, name)
            if name not in self._not_taken:
                accepted[name] = value
        return accepted

    def _learn(self, fault: Fault, sent: dict[str, Any]) -> bool:
        """Notes a parameter that the model does not accept; True if there was one: then the request is sent again."""
        for name in self.optional:
            is_asked_for = name in self._asked_for  # what a user names is never omitted behind their back
            if name in sent and not is_asked_for and fault.rejects(name):
                self._not_taken[name] = fault.message
                return True
        return False


def _noting_quotes(fault: Fault, prompt: Prompt) -> Fault:
    """The fault, with a note where its message may only quote the request: then the provider does not say it itself."""
    sentence = fault.stop_sentence().lower()
    question = f"{prompt.system or ''} {prompt.request}".lower()
    return replace(fault, quotes_request=bool(sentence) and sentence in " ".join(question.split()))


def checked_url(base_url: str | None) -> str | None:
    """The URL without a slash at its end; a UsageError for a bad one or one with a secret, since run.json has it."""
    if base_url is None:
        return None
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise bad_option("base_url", f"{base_url!r} is not a URL; expected one like http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query or redacted(base_url) != base_url:
        problem = "may not have a user, a password, a query or a key in it; put the key into the environment"
        raise bad_option("base_url", problem)
    return base_url.rstrip("/")


# Reading JSON that anything may have written


_KINDS = {"dict": "an object", "list": "a list", "str": "a text", "NoneType": "null", "bool": "true or false"}


def kind_of(value: Any) -> str:
    """What kind of JSON value this is, in words."""
    return _KINDS.get(type(value).__name__, "a number")


def usage_at(
    value: Any, path: str, *, read: Sequence[str], written: Sequence[str], thought: Sequence[str] = ()
) -> Usage | None:
    """The tokens read and written, each the sum of these counts; None where the reply has no usage.

    `thought` is the path to the count of those that the model wrote before its answer.
    """
    usage = at(value, path)
    if not isinstance(usage, dict):
        return None
    counts = {name: n for name, n in usage.items() if _is_count(n)}
    n_read = sum(counts.get(name, 0) for name in read)
    n_written = sum(counts.get(name, 0) for name in written)
    n_thought = at(usage, *thought) if thought else 0
    return Usage(
        input_tokens=n_read, output_tokens=n_written, reasoning_tokens=n_thought if _is_count(n_thought) else 0
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
