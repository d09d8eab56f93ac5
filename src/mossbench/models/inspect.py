"""`inspect/<provider>/<model>`: all other models that Inspect AI supports, through its public model API.

Inspect reads replies first and keeps less of them: a reason to stop that it has no word for is "unknown" here, and
which filter blocked a request is known only where Inspect says so.
"""

import math
import os
import re
from collections.abc import Iterator
from typing import Any

from mossbench.errors import UsageError, needing
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.images.preparing import Picture
from mossbench.models.faults import Fault, fault_of, read_fault, read_received
from mossbench.models.hosted import HostedModel, checked_url
from mossbench.models.keys import keys_needed, redacted, secret
from mossbench.models.model import Prompt, Settings
from mossbench.models.replies import FILTER_REASONS, Reply
from mossbench.models.wire import guard, http_client, keep_reply
from mossbench.outcomes import Usage

_RETRYING = ("openai", "openai-api", "anthropic")  # SDKs that retry too unless told; others do as they like
_HOSTS = ("azure", "bedrock", "vertex")  # after a provider's name: its models on another's cloud, with other keys
_ADDRESS = re.compile("_(BASE_URL|API_BASE|ENDPOINT)$")


class InspectModel(HostedModel):
    """One model of Inspect's. Inspect itself omits what a provider does not accept, and says so in its log."""

    limits = DEFAULT_LIMITS

    def __init__(self, model: str, base_url: str | None = None) -> None:
        with needing("inspect/<provider>/<model>", "inspect"):
            from inspect_ai.model import GenerateConfig, get_model
        if "/" not in model:
            raise UsageError(f"inspect/{model} has no provider; expected inspect/<provider>/<model>")
        own_url, key = _own_settings(model)
        super().__init__("inspect", model, base_url or own_url)
        # Retries and the number of connections are the run's business.
        config = GenerateConfig(max_retries=0, max_connections=1000)
        no_retries: dict[str, Any] = {"max_retries": 0} if model.partition("/")[0] in _RETRYING else {}
        problem = None
        try:
            self._inspected = get_model(
                model,
                base_url=self.base_url,
                api_key=key if keys_needed() else key or "none",
                config=config,
                memoize=False,
                **no_retries,
            )
        except Exception as error:  # a provider's constructor raises what it likes: no package, no key, no such name
            problem = redacted(" ".join(str(error).split()))
        if problem is not None:
            raise UsageError(f"Inspect cannot load the model {model!r}: {problem}")
        self.base_url = self.base_url or checked_url(_from_environment(self._inspected.api))
        self._http: Any = None  # ours, for a provider that makes a client for each call
        if hasattr(self._inspected.api, "model_client"):
            self._http = http_client()
            _use_client(self._inspected.api, self._http)

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        return {"asked_of_inspect": super().settings_sent(settings)}

    def parameters(self, prompt: Prompt) -> dict[str, Any]:
        return self.drawn(prompt.settings, "temperature", "seed", "max_tokens")

    def request(self, prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
        """The earlier messages, and a user turn with the text and then the pictures; the system prompt before all."""
        from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

        messages: list[Any] = [] if prompt.system is None else [ChatMessageSystem(content=prompt.system)]
        for turn in prompt.history:
            if turn.role == "assistant":
                messages.append(ChatMessageAssistant(content=turn.text))
            else:
                messages.append(ChatMessageUser(content=_content_of(turn.text, turn.pictures)))
        messages.append(ChatMessageUser(content=_content_of(prompt.request, prompt.pictures)))
        return {"input": messages, "parameters": parameters}

    async def _ask(self, request: dict[str, Any], timeout: float) -> Reply | Fault:
        from inspect_ai.model import GenerateConfig

        config = GenerateConfig(**request["parameters"], attempt_timeout=math.ceil(timeout))
        for client in _http_clients(self._inspected.api):  # each time: Inspect makes new ones as it likes
            guard(client)
        with keep_reply() as last_reply:
            try:
                output = await self._inspected.generate(request["input"], config=config)
            except Exception as error:  # the item boundary: every provider raises its own
                return await self._with_tls_hint(read_fault(error))
            received = last_reply.received()
        self._reached = True
        is_stopped = any(choice.stop_reason in FILTER_REASONS for choice in output.choices)
        if is_stopped and received is not None and received.status >= 400:
            return read_received(received, type="InspectError")  # Inspect takes words in an error for a filter's sign
        return read_output(output)

    async def close(self) -> None:
        await self._inspected.api.aclose()
        if self._http is not None:
            await self._http.aclose()


def _content_of(text: str, pictures: tuple[Picture, ...]) -> list[Any]:
    """A message of the user's: the text and then the pictures."""
    from inspect_ai.model import ContentImage, ContentText

    texts: list[Any] = [ContentText(text=text)] if text or not pictures else []
    return [*texts, *(ContentImage(image=picture.data_url()) for picture in pictures)]


def _own_settings(model: str) -> tuple[str | None, str | None]:
    """The address and the key of a model's provider, from the variables that Inspect reads too, but not from .env.

    None for its models at another host, where Inspect reads other variables: `_from_environment` asks it for them.
    """
    words = model.removeprefix("openai-api/").split("/")
    if len(words) > 2 and words[1] in _HOSTS:
        return None, None
    service = words[0].replace("-", "_").upper()
    base_url = secret(f"{service}_BASE_URL") or secret("INSPECT_EVAL_MODEL_BASE_URL")
    return base_url, secret(f"{service}_API_KEY")


_CLIENT_NAMES = ("client", "_client", "http_client", "_http_client", "async_client")


def _http_clients(holder: Any, depth: int = 3) -> Iterator[Any]:
    """The async clients of the HTTP library that one of Inspect's providers holds, itself or through its SDK."""
    if hasattr(holder, "event_hooks") and hasattr(holder, "aclose"):
        yield holder
    elif depth and holder is not None:
        for name in _CLIENT_NAMES:
            yield from _http_clients(getattr(holder, name, None), depth - 1)


def _use_client(api: Any, http: Any) -> None:
    """Has Inspect's provider of Gemini call through our HTTP client: its own follows redirects with the key."""
    make_client = api.model_client

    def make_guarded_client(http_options: Any = None) -> Any:
        http_options = http_options or api._http_options()
        http_options.httpx_async_client = http
        return make_client(http_options)

    api.model_client = make_guarded_client


def _from_environment(api: Any) -> str | None:
    """The address that Inspect took from a variable, as it is written there; None where it uses the provider's own."""
    addresses: list[str] = []
    for holder in (api, getattr(api, "client", None)):
        addresses += [str(getattr(holder, name, None) or "") for name in ("base_url", "endpoint_url")]
    named = {value.strip().rstrip("/") for name, value in os.environ.items() if _ADDRESS.search(name) and value}
    matching = [value for value in named if any(f"{address}/".startswith(f"{value}/") for address in addresses)]
    return max(matching, key=len, default=None)


_NO_CONTENT = "(no content)"  # Inspect's own words where Google returned nothing


def read_output(output: Any) -> Reply | Fault:
    """The reply in Inspect's ModelOutput, without the words that Inspect puts in place of an answer when calls fail."""
    choice = output.choices[0] if output.choices else None
    if choice is None or choice.message.text == _NO_CONTENT:
        return Fault("EmptyReply", "the reply has no content", status=200)
    if choice.stop_reason == "model_length":  # the text is the error's message
        return fault_of(output.error or choice.message.text, type="ModelLength", status=400)
    return _reply(output, choice)


def _reply(output: Any, choice: Any) -> Reply:
    """The reply in the only choice of a ModelOutput that has an answer."""
    details = getattr(choice, "stop_details", None)
    fallback = getattr(output, "fallback", None)
    parts = [] if isinstance(choice.message.content, str) else choice.message.content
    text, reasons = _text_and_reasons(output, choice, details)
    usage = output.usage
    return Reply(
        text=text,
        finish=choice.stop_reason,
        reasoning="\n\n".join(_thought(part) for part in parts if part.type == "reasoning"),
        refusal="".join(part.text for part in parts if _is_refusal(part)),
        reason=": ".join(dict.fromkeys(filter(None, reasons))),
        other=_beside_text(choice.message, parts),
        usage=usage and _usage(usage),
        model=(fallback.fallback_model if fallback else output.model) or None,
        fallback=fallback is not None,
        category=(details and details.category) or "",
    )


def _usage(usage: Any) -> Usage:
    n_thought = getattr(usage, "reasoning_tokens", None) or 0
    return Usage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, reasoning_tokens=n_thought)


def _text_and_reasons(output: Any, choice: Any, details: Any) -> tuple[str, list[str | None]]:
    """The answer's text and the reasons to stop; where a filter stopped it, Inspect may give a reason as the text."""
    text = choice.message.text
    reasons = [output.error, details and details.category, details and details.explanation]
    is_blocked = choice.stop_reason in FILTER_REASONS
    if is_blocked and (output.error or text in reasons or text.startswith("BLOCKED: ")):
        return "", [*reasons, text]
    return text, reasons


def _is_refusal(part: Any) -> bool:
    return part.type == "text" and bool(getattr(part, "refusal", None))


def _thought(part: Any) -> str:
    text: str = (part.summary or "") if part.redacted else part.reasoning
    return text


def _beside_text(message: Any, parts: list[Any]) -> tuple[str, ...]:
    """What else a message has: calls of tools, and parts that are neither text nor reasoning that can be read."""
    names = ["tool_calls"] if message.tool_calls else []
    for part in parts:
        if part.type != "text" and (part.type != "reasoning" or part.redacted):
            names.append(f"part of type {part.type!r}")
    return tuple(names)
