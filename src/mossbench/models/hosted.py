"""What all hosted models share: one call, its reply or its fault, and parameters that a model turns out not to take."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from mossbench.errors import UsageError, bad_option
from mossbench.models.bodies import at as at  # also for the adapters
from mossbench.models.bodies import decode_json
from mossbench.models.bodies import text_at as text_at
from mossbench.models.faults import Fault, fault_of, read_fault, read_received, settle, tls_fault, with_retry_after
from mossbench.models.keys import keys_needed, redacted, secret
from mossbench.models.model import Model, Prompt, Settings
from mossbench.models.notices import NoticeFact, endpoint_notice
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
    """Parameters that are left out from then on when the model says that it does not take them."""
    renamed: Mapping[str, str] = MappingProxyType({})
    """Those that are sent under another name instead."""
    client: Any
    """The SDK's."""

    def __init__(
        self, provider: str, model: str, base_url: str | None, *, variable: str = "", as_published: bool = False
    ) -> None:
        """`variable` may hold the endpoint where `base_url` is None."""
        base_url = secret(variable) if base_url is None and variable else base_url
        self.name, self._model, self.base_url = f"{provider}/{model}", model, checked_url(base_url)
        self._published = published_decoding(model) if as_published else None
        self._not_taken: dict[str, str] = {}
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

    def drawn(self, settings: Settings, *same: str, **renamed: str) -> dict[str, Any]:
        """How answers are drawn, as far as it is said: fields of Decoding, some of them under the provider's name."""
        how = self.decoding(settings)
        given = {name: getattr(how, field) for field, name in ({one: one for one in same} | renamed).items()}
        return {name: value for name, value in given.items() if value is not None}

    def longest_answer(self, settings: Settings) -> int | None:
        return self.decoding(settings).max_tokens

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        sent = self._taken(self.parameters(Prompt("", settings=settings)))
        return sent | ({"not_taken": dict(self._not_taken)} if self._not_taken else {})

    async def answer(self, prompt: Prompt) -> Answer:
        start = time.perf_counter()
        while True:  # each turn but the last takes one parameter away
            parameters = self._taken(self.parameters(prompt))
            # A little longer than the run's own clock, which counts time-outs and asks again.
            came = await self._ask(self.request(prompt, parameters), prompt.settings.timeout * 1.05 + 0.1)
            if isinstance(came, Fault):
                came = _noting_quotes(came, prompt)
            answer = self.settled(came, parameters, seconds=time.perf_counter() - start)
            if answer is not None:
                return answer

    def settled(self, came: Reply | Fault, sent: dict[str, Any], *, seconds: float | None = None) -> Answer | None:
        """The answer that a reply is; None where the model does not take a parameter, which is left out from now on.

        Raises as `answer` does.
        """
        if isinstance(came, Reply):
            return answer_of(came, seconds=seconds)
        if came.unreachable and self.base_url:
            came = replace(came, message=f"{came.message}; asked at {self.base_url}")
        return None if self._learn(came, sent) else settle(came, self.name, way_out=self.way_out, seconds=seconds)

    def request_of(self, prompt: Prompt) -> dict[str, Any]:
        """The request as the SDK takes it, without what the model is known not to take."""
        return self.request(prompt, self._taken(self.parameters(prompt)))

    async def probe(self) -> Answer | None:
        return await self.answer(_PROBE)

    async def _ask(self, request: dict[str, Any], timeout: float) -> Reply | Fault:
        failure: Exception | None = None
        with keep_reply() as kept:
            try:
                await self.send(request, timeout)
            except Exception as error:  # the item boundary: SDKs raise their own, their HTTP library's, Python's errors
                if isinstance(error, TypeError) and kept.response is None:
                    raise  # the SDK is called wrongly
                failure = error
            received = kept.received()
        if received is not None:
            self._reached = True
            return self._read_received(received, type="APIError" if failure is None else type(failure).__name__)
        if failure is None:
            return fault_of(None, type="EmptyReply", message="the reply was not read to its end", lost=True)
        return await self._explained(read_fault(failure))

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
        came = self.read(body)
        return with_retry_after(came, received.headers) if isinstance(came, Fault) else came

    async def _explained(self, fault: Fault) -> Fault:
        """The fault, or a better one where no reply ever came since the port speaks HTTPS and `base_url` does not."""
        parts = urlsplit(self.base_url or "")
        is_candidate = fault.lost and not fault.unreachable and not self._reached
        if parts.scheme != "http" or not parts.hostname or not is_candidate:
            return fault
        if self._port_speaks_tls is None:
            self._port_speaks_tls = await speaks_tls(parts.hostname, parts.port or 80)
        return tls_fault(PORT_SPEAKS_HTTPS, type=fault.type) if self._port_speaks_tls else fault

    def _taken(self, parameters: dict[str, Any]) -> dict[str, Any]:
        named = {
            self.renamed.get(name, name) if name in self._not_taken else name: value
            for name, value in parameters.items()
            if name not in self._not_taken or name in self.renamed
        }
        return {name: value for name, value in named.items() if name not in self._not_taken}

    def _learn(self, fault: Fault, sent: dict[str, Any]) -> bool:
        """Whether the request can be sent again otherwise, since the model does not take something that was sent."""
        for name in self.optional:
            if name in sent and fault.rejects(name):
                self._not_taken[name] = fault.message
                return True
        return False


def _noting_quotes(fault: Fault, prompt: Prompt) -> Fault:
    """The fault; what stands in the request may be quoted in its message, and is then not said by the provider."""
    sentence = fault.stop_sentence().lower()
    asked = f"{prompt.system or ''} {prompt.request}".lower()
    return replace(fault, quotes_request=bool(sentence) and sentence in " ".join(asked.split()))


def find_key(model: str, *names: str, needed: bool = True) -> str | None:
    """The first of these keys that is set; a UsageError when none is and one is needed."""
    key = next(filter(None, map(secret, names)), None)
    if key is None and needed and keys_needed():
        raise UsageError(f"{model} needs a key: set {' or '.join(names)} in the environment or in .env")
    return key


def checked_url(base_url: str | None) -> str | None:
    """The URL, less a slash at its end; a UsageError when it is none or has a secret: it goes into the run's record."""
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


def usage_at(value: Any, path: str, *, read: Sequence[str], written: Sequence[str]) -> Usage | None:
    """The tokens read and written, each the sum of these counts; None where the reply does not speak of them."""
    usage = at(value, path)
    if not isinstance(usage, dict):
        return None
    counts = {name: n for name, n in usage.items() if isinstance(n, int) and not isinstance(n, bool) and n > 0}
    n_read, n_written = (sum(counts.get(name, 0) for name in names) for names in (read, written))
    return Usage(input_tokens=n_read, output_tokens=n_written)
