"""`openai/<model>`: OpenAI and every endpoint that speaks its chat format, through the official SDK."""

from types import MappingProxyType
from typing import Any, NamedTuple

from mossbench.errors import needing
from mossbench.images.limits import DEFAULT_LIMITS, GIF, JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import Picture
from mossbench.models.faults import Fault, fault_in_reply, filter_hits
from mossbench.models.hosted import HostedModel, at, kind_of, text_at, usage_at
from mossbench.models.keys import find_key, key_names
from mossbench.models.model import Prompt
from mossbench.models.parameters import HEADERS, split_headers
from mossbench.models.replies import END_REASONS, FILTER_REASONS, LENGTH_REASONS, Reply
from mossbench.models.wire import CONNECT_LIMIT, hooks, library_of, trusted_certificates
from mossbench.outcomes import Usage

_ORDINARY_FIELDS = ("role", "content", "name")  # a message without text but with other fields is no empty answer
_TEXT_PART_TYPES = ("text", "output_text", None)

# The HTTP library checks every connection of a client at every call: with 64 calls in flight, several clients with few
# connections each take a quarter less CPU than one with many.
_CALLS_PER_CLIENT = 8


class OpenAIModel(HostedModel):
    """One model behind an OpenAI-style chat endpoint; OpenAI's own if `base_url` is None."""

    # PNG, JPEG, WEBP and still GIF; 20 MB a picture, 50 MB a request.
    limits = Limits(formats=frozenset({PNG, JPEG, WEBP, GIF}), max_base64_bytes=20_000_000)
    # For unknown servers: limits that also hold where a router relays to another provider (Anthropic: 5 MiB). No WEBP,
    # which llama.cpp cannot read.
    other_limits = Limits(
        formats=frozenset({PNG, JPEG}),
        max_base64_bytes=DEFAULT_LIMITS.max_base64_bytes,
        max_side=DEFAULT_LIMITS.max_side,
    )
    optional = ("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "response_format")
    renamed = MappingProxyType({"max_tokens": "max_completion_tokens"})  # reasoning models know only the second

    def __init__(self, model: str, base_url: str | None = None, *, as_published: bool = False) -> None:
        with needing("openai/<model>", "openai"):
            import openai
        super().__init__("openai", model, base_url, variable="OPENAI_BASE_URL", as_published=as_published)
        names = key_names("openai", self.base_url)
        key = find_key(self.name, *names, needed=self.base_url is None or len(names) > 1)
        self.way_out = f"check {' or '.join(names)}, the model's name and the address (base_url)"
        if self.base_url is not None:
            self.limits = self.other_limits

        # Reading the certificates takes 30 ms: once for all clients.
        trusted = trusted_certificates(library_of(openai.DefaultAsyncHttpxClient))

        def connect() -> openai.AsyncOpenAI:
            # Local servers want no key, the SDK insists on one.
            http = openai.DefaultAsyncHttpxClient(event_hooks=hooks(), verify=trusted)
            return openai.AsyncOpenAI(api_key=key or "none", base_url=self.base_url, max_retries=0, http_client=http)

        self._timeout = openai.Timeout
        self._connect = connect  # a function, since a partial shows its arguments, and so the key
        self._clients = [self._connect()]
        self.client = self._clients[0]
        self._in_flight = [0]

    def parameters(self, prompt: Prompt) -> dict[str, Any]:
        parameters = self.drawn(prompt.settings, "temperature", "top_p", "seed", "max_tokens")
        if prompt.schema is not None:
            schema = {"name": "answer", "schema": prompt.schema, "strict": True}
            parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
        return parameters

    def request(self, prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
        """The earlier messages, and a user turn with the text and then the pictures; the system prompt before all."""
        messages: list[dict[str, Any]] = []
        for turn in prompt.history:
            content = turn.text if turn.role == "assistant" else _content_of(turn.text, turn.pictures)
            messages.append({"role": turn.role, "content": content})
        messages.append({"role": "user", "content": _content_of(prompt.request, prompt.pictures)})
        if prompt.system is not None:
            messages.insert(0, {"role": "system", "content": prompt.system})
        fields, headers = split_headers(parameters)
        request = {"model": self._model, "messages": messages, **fields}
        return {**request, HEADERS: headers} if headers else request

    async def send(self, request: dict[str, Any], timeout: float) -> None:
        """Sends a request. It returns nothing: the HTTP hooks of `wire` capture the reply's body."""
        client_index = min(range(len(self._clients)), key=self._in_flight.__getitem__)
        if self._in_flight[client_index] >= _CALLS_PER_CLIENT:
            client_index = len(self._clients)
            self._clients.append(self._connect())
            self._in_flight.append(0)
        self._in_flight[client_index] += 1
        try:
            # Not chat.completions.create, which walks through the whole request first: a tenth of the CPU of a run.
            options: Any = {"timeout": self._timeout(timeout, connect=min(timeout, CONNECT_LIMIT))}
            body = {name: value for name, value in request.items() if name != HEADERS}
            if HEADERS in request:
                options["headers"] = request[HEADERS]
            await self._clients[client_index].post("/chat/completions", cast_to=str, body=body, options=options)
        finally:
            self._in_flight[client_index] -= 1

    def read(self, body: Any) -> Reply | Fault:
        return read_reply(body)

    async def close(self) -> None:
        for client in self._clients:
            await client.close()


def _content_of(text: str, pictures: tuple[Picture, ...]) -> list[dict[str, Any]]:
    """A message of the user's: the text and then the pictures."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text or not pictures else []
    for picture in pictures:
        content.append({"type": "image_url", "image_url": {"url": picture.data_url()}})
    return content


def read_reply(body: Any) -> Reply | Fault:
    """The reply in the body of a chat completion. Gateways put errors into bodies with status 200, too."""
    choice = at(body, "choices", 0)
    fault = fault_in_reply(body)
    if fault is not None:
        return fault
    message = at(choice, "message")
    if not isinstance(message, dict):
        missing = "choices" if choice is None else "message"
        return Fault("EmptyReply", f"the reply has no {missing}", status=200)
    content = _read_content(message.get("content"))
    filter_categories = filter_hits(at(choice, "content_filter_results"))
    native_reason = text_at(choice, "native_finish_reason")  # OpenRouter: the reason in the provider's own words
    finish_reason = _finish_reason(text_at(choice, "finish_reason") or None, native_reason)
    return Reply(
        text=content.text,
        finish=finish_reason,
        blocked=bool(filter_categories) and not content.text.strip(),
        reasoning=text_at(message, "reasoning_content") or text_at(message, "reasoning") or content.reasoning,
        refusal=text_at(message, "refusal") or content.refusal,
        reason=", ".join(filter(None, (native_reason if native_reason != finish_reason else "", *filter_categories))),
        other=(*content.other, *_unexpected_fields(message, native_reason)),
        usage=_usage(body),
        model=text_at(body, "model") or None,
        host=text_at(body, "provider"),  # OpenRouter
        category=", ".join(filter_categories),
    )


def _usage(body: Any) -> Usage | None:
    """The tokens of a reply. Some servers count the reasoning beside the completion: then the total says so."""
    thought = ("completion_tokens_details", "reasoning_tokens")
    usage = usage_at(body, "usage", read=("prompt_tokens",), written=("completion_tokens",), thought=thought)
    if usage is None or not usage.reasoning_tokens:
        return usage
    total = at(body, "usage", "total_tokens")
    counted_apart = usage.input_tokens + usage.output_tokens + usage.reasoning_tokens
    if total != counted_apart:
        return usage
    return usage.model_copy(update={"output_tokens": usage.output_tokens + usage.reasoning_tokens})


def _finish_reason(finish_reason: str | None, native_reason: str) -> str | None:
    """The finish reason; the provider's native one if the router's word for it hides a filter or a length limit."""
    native_word = native_reason.lower()
    hides_filter = native_word in FILTER_REASONS and (finish_reason or "").lower() not in FILTER_REASONS
    hides_limit = native_word in LENGTH_REASONS and (finish_reason or "stop").lower() in END_REASONS
    return native_reason if hides_filter or hides_limit else finish_reason


def _unexpected_fields(message: dict[str, Any], native_reason: str) -> list[str]:
    """Other fields of a message, such as tool calls, and a native finish reason that is no normal end."""
    names = [name for name, value in message.items() if name not in _ORDINARY_FIELDS and value and str(value).strip()]
    if native_reason and native_reason.lower() not in END_REASONS | LENGTH_REASONS:
        names.append(f"native finish reason {native_reason!r}")
    return names


class _Content(NamedTuple):
    """What is in the content of a message."""

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    other: tuple[str, ...] = ()


def _read_content(content: Any) -> _Content:
    """The content of a message, which is a text or a list of parts."""
    if isinstance(content, str):
        return _Content(text=content)
    if not isinstance(content, list):
        return _Content(other=(f"content is {kind_of(content)}",))
    parts = [part for part in content if isinstance(part, dict)]
    other = [
        f"part of type {at(part, 'type')!r}"
        for part in content
        if at(part, "type") not in _TEXT_PART_TYPES or not isinstance(at(part, "text"), str)
    ]
    return _Content(
        text="".join(text_at(part, "text") for part in parts),
        reasoning=_reasoning_in_parts(parts),
        refusal="".join(text_at(part, "refusal") for part in parts),
        other=tuple(other),
    )


def _reasoning_in_parts(parts: list[dict[str, Any]]) -> str:
    """The reasoning in parts: those that have a text first, then those that have a list of texts."""
    values = [part.get("thinking") for part in parts]
    texts = [value for value in values if isinstance(value, str)]
    for value in values:
        if isinstance(value, list):
            texts += [text_at(part, "text") for part in value]
    return "".join(texts)
