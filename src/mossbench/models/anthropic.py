"""`anthropic/<model>`: Claude, through Anthropic's official SDK."""

from typing import Any

from mossbench.errors import needing
from mossbench.images.limits import GIF, JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import Picture
from mossbench.models.faults import Fault, fault_in_reply
from mossbench.models.hosted import HostedModel, at, kind_of, text_at, usage_at
from mossbench.models.keys import find_key, key_names
from mossbench.models.model import Prompt, Settings
from mossbench.models.parameters import HEADERS, split_headers
from mossbench.models.replies import Reply
from mossbench.models.wire import CONNECT_LIMIT, hooks, library_of, trusted_certificates

# The last version of the API that takes a temperature, from the models that do: Claude up to 4.6. Since 2.0 the SDK
# sends 2026-10-21 by default; since 1.0 it has no parameter for the temperature, so it is added to the body.
VERSION_HEADER = {"anthropic-version": "2023-06-01"}
_THOUGHT = ("output_tokens_details", "thinking_tokens")
_ARGUMENTS = ("model", "messages", "max_tokens", "system", HEADERS)
_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicModel(HostedModel):
    """One Claude model. Its API knows no seed, and wants a limit on tokens."""

    # 5 MiB a picture, counted in base64, and 8,000 pixels a side; 32 MB a request.
    limits = Limits(formats=frozenset({PNG, JPEG, WEBP, GIF}), max_base64_bytes=5 * 1024 * 1024, max_side=8000)
    optional = ("temperature", "top_p", "output_config")
    way_out = f"check {' or '.join(key_names('anthropic'))}, the model's name and the address (base_url)"

    def __init__(self, model: str, base_url: str | None = None, *, as_published: bool = False) -> None:
        with needing("anthropic/<model>", "anthropic"):
            import anthropic
        super().__init__("anthropic", model, base_url, variable="ANTHROPIC_BASE_URL", as_published=as_published)
        key = find_key(self.name, *key_names("anthropic"), needed=self.base_url is None)
        self._timeout = anthropic.Timeout
        trusted = trusted_certificates(library_of(anthropic.DefaultAsyncHttpxClient))
        self.client = anthropic.AsyncAnthropic(
            api_key=key or "none",
            base_url=self.base_url,
            max_retries=0,
            default_headers=VERSION_HEADER,
            http_client=anthropic.DefaultAsyncHttpxClient(event_hooks=hooks(), verify=trusted),
        )

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        return {**VERSION_HEADER, **super().settings_sent(settings)}

    def parameters(self, prompt: Prompt) -> dict[str, Any]:
        parameters = self.drawn(prompt.settings, "temperature", "top_p")
        parameters["max_tokens"] = self.decoding(prompt.settings).max_tokens or prompt.settings.max_tokens
        if prompt.schema is not None:
            parameters["output_config"] = {"format": {"type": "json_schema", "schema": prompt.schema}}
        return parameters

    def request(self, prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
        """The earlier messages, and a user turn with the text and then the pictures, as in the published runs; the
        system prompt apart.
        """
        messages = [{"role": turn.role, "content": _content_of(turn.text, turn.pictures)} for turn in prompt.history]
        messages.append({"role": "user", "content": _content_of(prompt.request, prompt.pictures)})
        fields, headers = split_headers(parameters)
        request = {"model": self._model, "messages": messages, **fields}
        if headers:
            request[HEADERS] = headers
        return request if prompt.system is None else {**request, "system": prompt.system}

    async def send(self, request: dict[str, Any], timeout: float) -> None:
        # Beside these everything goes past the SDK's own types, which have no temperature any more.
        arguments = {name: request[name] for name in _ARGUMENTS if name in request}
        body = {name: value for name, value in request.items() if name not in arguments}
        limits = self._timeout(timeout, connect=min(timeout, CONNECT_LIMIT))
        await self.client.messages.with_raw_response.create(**arguments, extra_body=body, timeout=limits)

    def read(self, body: Any) -> Reply | Fault:
        return read_reply(body)

    async def close(self) -> None:
        await self.client.close()


def _content_of(text: str, pictures: tuple[Picture, ...]) -> list[dict[str, Any]]:
    """A message: the text and then the pictures. The API takes no empty text."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text or not pictures else []
    for picture in pictures:
        source = {"type": "base64", "media_type": picture.media_type, "data": picture.base64()}
        content.append({"type": "image", "source": source})
    return content


def read_reply(body: Any) -> Reply | Fault:
    fault = fault_in_reply(body)
    if fault is not None:
        return fault
    content = at(body, "content")
    if not isinstance(content, list):
        return Fault("EmptyReply", f"the reply has no text: content is {kind_of(content)}", status=200)
    category = text_at(body, "stop_details", "category")
    explanation = text_at(body, "stop_details", "explanation")
    fallback_model = _fallback_model(body, content)
    return Reply(
        text="".join(text_at(block, "text") for block in content if at(block, "type") == "text"),
        finish=text_at(body, "stop_reason") or None,
        reasoning="\n\n".join(text_at(block, "thinking") for block in content if at(block, "type") == "thinking"),
        reason=": ".join(filter(None, (category, explanation))),
        other=_blocks_beside_text(content),
        usage=usage_at(body, "usage", read=_READ, written=("output_tokens",), thought=_THOUGHT),
        model=fallback_model or text_at(body, "model") or None,
        fallback=fallback_model is not None,
        category=category or _fallback_category(content),
    )


def _blocks_beside_text(content: list[Any]) -> tuple[str, ...]:
    return tuple(
        f"block of type {at(block, 'type')!r}"
        for block in content
        if at(block, "type") != "text" or not isinstance(at(block, "text"), str)
    )


def _fallback_model(body: Any, content: list[Any]) -> str | None:
    """The model that stood in after a refusal (a beta of Anthropic's), empty where it is not named; None: none did."""
    steps = at(body, "usage", "iterations")
    names = [text_at(step, "model") for step in (steps if isinstance(steps, list) else ()) if _is_fallback(step)]
    names += [text_at(block, "to") or text_at(block, "to", "model") for block in content if _is_fallback(block)]
    return next(filter(None, reversed(names)), "") if names else None


def _fallback_category(content: list[Any]) -> str:
    """What the refusal was about that made another model stand in."""
    for block in content:
        if _is_fallback(block):
            return text_at(block, "trigger", "category")
    return ""


def _is_fallback(part: Any) -> bool:
    return at(part, "type") in ("fallback", "fallback_message")
