"""`google/<model>`: Gemini, through Google's official SDK."""

from typing import Any

from mossbench.errors import needing, unknown_name
from mossbench.images.preparing import JPEG, PNG, WEBP, Limits
from mossbench.models.faults import Fault, fault_in_reply
from mossbench.models.hosted import HostedModel, at, find_key, kind_of, text_at, usage_at
from mossbench.models.model import Prompt
from mossbench.models.replies import FILTER_REASONS, Reply
from mossbench.models.wire import http_client

KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
THRESHOLDS = ("BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF")
_READ, _WRITTEN = ("promptTokenCount",), ("candidatesTokenCount", "thoughtsTokenCount")
_CATEGORIES = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")


class GoogleModel(HostedModel):
    """One Gemini model. `safety` is the threshold of its four adjustable filters; None leaves it to Google."""

    # No GIF. A request with pictures in it may have 20 MB; one picture 7 MB where Google Cloud serves it.
    limits = Limits(formats=frozenset({PNG, JPEG, WEBP}), max_bytes=7_000_000)
    optional = ("temperature", "top_p", "seed", "max_output_tokens", "response_json_schema", "response_mime_type")
    way_out = f"check {' or '.join(KEYS)}, the model's name and the address (base_url)"

    def __init__(
        self, model: str, base_url: str | None = None, *, as_published: bool = False, safety: str | None = None
    ) -> None:
        with needing("google/<model>", "google"):
            from google import genai
        super().__init__("google", model, base_url, variable="GOOGLE_GEMINI_BASE_URL", as_published=as_published)
        if safety is not None and safety not in THRESHOLDS:
            raise unknown_name("safety threshold", safety, THRESHOLDS, f"known: {', '.join(THRESHOLDS)}")
        self._safety = safety or (self._published and self._published.safety)
        key = find_key(self.name, *KEYS, needed=self.base_url is None)
        # One attempt: without these options the SDK sleeps up to 10 s after a lost connection and asks again.
        once = genai.types.HttpRetryOptions(attempts=1)
        self._http = http_client()  # else the SDK takes aiohttp where that is installed
        http = genai.types.HttpOptions(base_url=self.base_url, retry_options=once, httpx_async_client=self._http)
        self.client = genai.Client(api_key=key or "none", vertexai=False, http_options=http)

    def parameters(self, prompt: Prompt) -> dict[str, Any]:
        parameters = self.drawn(prompt.settings, "temperature", "top_p", "seed", max_tokens="max_output_tokens")
        if self._safety is not None:
            parameters["safety_settings"] = [
                {"category": f"HARM_CATEGORY_{category}", "threshold": self._safety} for category in _CATEGORIES
            ]
        if prompt.schema is not None:
            parameters |= {"response_mime_type": "application/json", "response_json_schema": prompt.schema}
        return parameters

    def request(self, prompt: Prompt, parameters: dict[str, Any]) -> dict[str, Any]:
        """One user turn, pictures before the text: Google's advice, and the published order for Gemini 1.5."""
        shown = [{"inline_data": {"mime_type": one.media_type, "data": one.data}} for one in prompt.pictures]
        parts: list[dict[str, Any]] = [*shown, {"text": prompt.request}]
        config = dict(parameters)
        if prompt.system is not None:
            config["system_instruction"] = prompt.system
        return {"model": self._model, "contents": [{"role": "user", "parts": parts}], "config": config}

    async def send(self, request: dict[str, Any], timeout: float) -> None:
        # The raw reply: the SDK's own reading warns about every reason to stop that it does not know yet.
        config = {
            **request["config"],
            "should_return_http_response": True,
            "http_options": {"timeout": max(1, int(timeout * 1000)), "retry_options": {"attempts": 1}},
        }
        await self.client.aio.models.generate_content(**{**request, "config": config})

    def read(self, body: Any) -> Reply | Fault:
        return read_reply(body)

    async def close(self) -> None:
        await self.client.aio.aclose()
        await self._http.aclose()
        self.client.close()


def read_reply(body: Any) -> Reply | Fault:
    fault = fault_in_reply(body)
    if fault is not None:
        return fault
    usage = usage_at(body, "usageMetadata", read=_READ, written=_WRITTEN)
    model = text_at(body, "modelVersion") or None
    feedback, candidate = at(body, "promptFeedback"), at(body, "candidates", 0)
    reason = text_at(feedback, "blockReason")
    if reason and not (reason == "BLOCK_REASON_UNSPECIFIED" and isinstance(candidate, dict)):
        said = [text_at(feedback, "blockReasonMessage"), *_hits(feedback)]
        about = ", ".join(_hits(feedback)) or reason
        why = ", ".join(filter(None, said))
        return Reply(finish=reason, blocked=True, reason=why, usage=usage, model=model, category=about)
    if not isinstance(candidate, dict):
        return Fault("EmptyReply", "the reply has no candidates", status=200)
    content = candidate.get("content")
    found = content.get("parts", []) if isinstance(content, dict) else []  # Google leaves out a list that is empty
    parts = found if isinstance(found, list) else []
    other = [f"content is {kind_of(content)}"] if not isinstance(content, dict) else []
    other += [f"parts is {kind_of(found)}"] if not isinstance(found, list) else []
    said = [text_at(candidate, "finishMessage"), *_hits(candidate)]
    finish = text_at(candidate, "finishReason")
    about = finish if finish.lower() in FILTER_REASONS else ""
    return Reply(
        text="".join(text_at(part, "text") for part in parts if not at(part, "thought")),
        finish=finish or None,
        reasoning="".join(text_at(part, "text") for part in parts if at(part, "thought")),
        reason=", ".join(filter(None, said)),
        other=(*other, *_beside_text(parts)),
        usage=usage,
        model=model,
        category=", ".join(_hits(candidate)) or about,
    )


def _beside_text(parts: list[Any]) -> list[str]:
    """The parts that are neither text nor thought: calls of functions come with the finish reason STOP."""
    plain = {"text", "thought", "thoughtSignature", "partMetadata"}
    names = [", ".join(sorted(set(part) - plain)) if isinstance(part, dict) else kind_of(part) for part in parts]
    texts = [part["text"] for part in parts if isinstance(part, dict) and "text" in part]
    odd = [f"text is {kind_of(text)}" for text in texts if not isinstance(text, str)]
    return [*(f"part with {name}" for name in names if name), *odd]


def _hits(place: Any) -> list[str]:
    """The filters that stepped in, with how sure they were."""
    ratings = at(place, "safetyRatings")
    return [
        f"{text_at(rating, 'category').removeprefix('HARM_CATEGORY_')} ({text_at(rating, 'probability')})"
        for rating in (ratings if isinstance(ratings, list) else [])
        if at(rating, "blocked") is True
    ]
