"""`openai/<model>`: OpenAI and every endpoint that speaks its chat format, through the official SDK.

What is a block, a refusal or a failure is decided here, where it happens: a filter's stop is
BLOCKED, the model's own refusal field is its answer, and a call that failed is FAILED.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mossbench.errors import MissingExtra, RunError, UsageError
from mossbench.models.keys import blot, secret
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Stop, Usage
from mossbench.samples import Sample

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

_KEY = "OPENAI_API_KEY"
_FILTER_CODES = {"content_filter", "content_policy_violation", "moderation_blocked"}


class OpenAIModel(Model):
    """One model behind an OpenAI-style chat endpoint; `base_url` None is OpenAI's own."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingExtra("openai/<model>", "openai") from error
        self.name, self._model = f"openai/{model}", model
        self._base_url = checked_url(base_url or os.environ.get("OPENAI_BASE_URL"))
        self._key = secret(_KEY)
        if self._key is None and self._base_url is None:
            raise UsageError(f"openai/{model} needs a key: set {_KEY} in the environment or in .env")
        # Local servers want no key, the SDK insists on one.
        self._client = openai.AsyncOpenAI(api_key=self._key or "none", base_url=self._base_url, max_retries=4)

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        return () if self._base_url is None else (f"answers come from {self._base_url}",)

    async def answer(self, prompt: Prompt) -> Answer:
        import openai

        start = time.perf_counter()
        try:
            reply = await self._client.chat.completions.create(
                **request_body(self._model, prompt), timeout=prompt.settings.timeout
            )
        except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
            raise RunError(
                f"{self.name}: {self._clean(error)}; check {_KEY}, the model's name and --base-url"
            ) from None
        except openai.BadRequestError as error:
            if prompt.schema is not None and "response_format" in str(error):  # a server that knows no schemas
                return await self.answer(replace(prompt, schema=None))
            if error.code in _FILTER_CODES:
                return Answer(stop=Stop.BLOCKED, signal=self._clean(error), seconds=time.perf_counter() - start)
            return self._failed(error, start)
        except openai.OpenAIError as error:  # after the SDK's own retries
            return self._failed(error, start)
        except ValueError as error:  # a body that is not JSON
            return self._failed(error, start)
        return parse_reply(reply, seconds=time.perf_counter() - start)

    def _failed(self, error: Exception, start: float) -> Answer:
        answer = Answer.failed("model", self._clean(error), seconds=time.perf_counter() - start)
        assert answer.error is not None
        return answer.model_copy(update={"error": answer.error.model_copy(update={"type": type(error).__name__})})

    def _clean(self, error: Exception) -> str:
        return blot(str(error))

    async def close(self) -> None:
        await self._client.close()


def checked_url(url: str | None) -> str | None:
    """A base URL that may be written down; one with a password or a key in it may not."""
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--base-url is {blot(url)!r}, expected an address such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query:
        raise UsageError(f"--base-url must carry no password and no key: run.json would hold it; set {_KEY} instead")
    return url


def request_body(model: str, prompt: Prompt) -> dict[str, Any]:
    """The request as sent: one user turn with the text and then the picture, the system prompt before it."""
    content: list[dict[str, Any]] = [{"type": "text", "text": prompt.request}]
    if prompt.picture is not None:
        content.append({"type": "image_url", "image_url": {"url": prompt.picture.data_url()}})
    messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
    if prompt.system is not None:
        messages.insert(0, {"role": "system", "content": prompt.system})
    settings = prompt.settings
    body = {"model": model, "messages": messages, "max_tokens": settings.max_tokens, "seed": settings.seed}
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if prompt.schema is not None:
        schema = {"name": "answer", "schema": prompt.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def parse_reply(reply: ChatCompletion, *, seconds: float | None = None) -> Answer:
    """The answer in a reply; one that has no choice or no message is a failure."""
    if not getattr(reply, "choices", None):
        return Answer.failed("model", "the reply has no choices", seconds=seconds)
    choice = reply.choices[0]
    if choice.message is None:
        return Answer.failed("model", "the reply's choice has no message", seconds=seconds)
    usage = reply.usage
    tokens = usage and Usage(input_tokens=usage.prompt_tokens or 0, output_tokens=usage.completion_tokens or 0)
    common: dict[str, Any] = {"usage": tokens, "seconds": seconds, "model": reply.model}
    if choice.finish_reason == "content_filter":
        return Answer(text=choice.message.content or None, stop=Stop.BLOCKED, signal="content_filter", **common)
    if choice.message.refusal:  # the model's own refusal, in a field of its own
        return Answer(text=choice.message.refusal, stop=Stop.END, signal="refusal", **common)
    stop = Stop.LENGTH if choice.finish_reason == "length" else Stop.END
    return Answer(text=choice.message.content or "", stop=stop, signal=choice.finish_reason, **common)
