"""`google/<model>`: Gemini, through Google's official SDK."""

from typing import Any

from mossbench.errors import needing, unknown_name
from mossbench.images.limits import JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import Picture
from mossbench.models.faults import Fault, fault_in_reply
from mossbench.models.hosted import HostedModel, at, kind_of, text_at, usage_at
from mossbench.models.keys import find_key, key_names
from mossbench.models.model import Prompt
from mossbench.models.parameters import BODY, HEADERS
from mossbench.models.replies import FILTER_REASONS, Reply
from mossbench.models.wire import http_client
from mossbench.outcomes import Usage

THRESHOLDS = ("BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF")

_CATEGORIES = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")


class GoogleModel(HostedModel):
    """One Gemini model. `safety` is the threshold of its four adjustable filters; None leaves it to Google."""

    # No GIF. A request with pictures in it may have 20 MB; one picture 7 MB where Google Cloud serves it.
    limits = Limits(formats=frozenset({PNG, JPEG, WEBP}), max_bytes=7_000_000)
    optional = ("temperature", "top_p", "seed", "max_output_tokens", "response_json_schema", "response_mime_type")
    way_out = f"check {' or '.join(key_names('google'))}, the model's name and the address (base_url)"

    def __init__(
        self, model: str, base_url: str | None = None, *, as_published: bool = False, safety: str | None = None
    ) -> None:
        with needing("google/<model>", "google"):
            from google import genai
        super().__init__("google", model, base_url, variable="GOOGLE_GEMINI_BASE_URL", as_published=as_published)
        if safety is not None and safety not in THRESHOLDS:
            raise unknown_name("safety threshold", safety, THRESHOLDS, f"known: {', '.join(THRESHOLDS)}")
        self._safety = safety or (self._published and self._published.safety)
        key = find_key(self.name, *key_names("google"), needed=self.base_url is None)
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
        """The earlier messages, and a user turn, pictures before the text: Google's advice, and the published order for
        Gemini 1.5.
        """
        contents = [
            {"role": "model" if turn.role == "assistant" else "user", "parts": _parts(turn.text, turn.pictures)}
            for turn in prompt.history
        ]
        contents.append({"role": "user", "parts": _parts(prompt.request, prompt.pictures)})
        config = dict(parameters)
        if prompt.system is not None:
            config["system_instruction"] = prompt.system
        return {"model": self._model, "contents": contents, "config": config}

    async def send(self, request: dict[str, Any], timeout: float) -> None:
        # The raw reply: the SDK's own reading warns about every reason to stop that it does not know yet.
        options: dict[str, Any] = {"timeout": max(1, int(timeout * 1000)), "retry_options": {"attempts": 1}}
        config = dict(request["config"])
        if HEADERS in config:
            options["headers"] = config.pop(HEADERS)
        if BODY in config:
            options["extra_body"] = config.pop(BODY)
        config |= {"should_return_http_response": True, "http_options": options}
        await self.client.aio.models.generate_content(**{**request, "config": config})

    def read(self, body: Any) -> Reply | Fault:
        return read_reply(body)

    async def close(self) -> None:
        await self.client.aio.aclose()
        await self._http.aclose()
        self.client.close()


def _parts(text: str, pictures: tuple[Picture, ...]) -> list[dict[str, Any]]:
    """A message: the pictures, and then the text."""
    parts: list[dict[str, Any]] = []
    for picture in pictures:
        parts.append({"inline_data": {"mime_type": picture.media_type, "data": picture.data}})
    if text or not pictures:
        parts.append({"text": text})
    return parts


def read_reply(body: Any) -> Reply | Fault:
    fault = fault_in_reply(body)
    if fault is not None:
        return fault
    candidate = at(body, "candidates", 0)
    block_reason = text_at(body, "promptFeedback", "blockReason")
    if block_reason and not (block_reason == "BLOCK_REASON_UNSPECIFIED" and isinstance(candidate, dict)):
        return _blocked_prompt(body, block_reason)
    if not isinstance(candidate, dict):
        return Fault("EmptyReply", "the reply has no candidates", status=200)
    parts, problems = _parts_of(candidate)
    hits = _hits(candidate)
    finish = text_at(candidate, "finishReason")
    filter_reason = finish if finish.lower() in FILTER_REASONS else ""
    return Reply(
        text="".join(text_at(part, "text") for part in parts if not at(part, "thought")),
        finish=finish or None,
        reasoning="".join(text_at(part, "text") for part in parts if at(part, "thought")),
        reason=", ".join(filter(None, [text_at(candidate, "finishMessage"), *hits])),
        other=(*problems, *_beside_text(parts)),
        usage=_usage(body),
        model=text_at(body, "modelVersion") or None,
        category=", ".join(hits) or filter_reason,
    )


def _blocked_prompt(body: Any, block_reason: str) -> Reply:
    """The reply to a prompt that a filter stopped before the model saw it."""
    feedback = at(body, "promptFeedback")
    hits = _hits(feedback)
    return Reply(
        finish=block_reason,
        blocked=True,
        reason=", ".join(filter(None, [text_at(feedback, "blockReasonMessage"), *hits])),
        usage=_usage(body),
        model=text_at(body, "modelVersion") or None,
        category=", ".join(hits) or block_reason,
    )


def _parts_of(candidate: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """The parts of an answer, and what is wrong with them."""
    content = candidate.get("content")
    if not isinstance(content, dict):
        return [], [f"content is {kind_of(content)}"]
    parts = content.get("parts", [])  # Google omits a list that is empty
    if not isinstance(parts, list):
        return [], [f"parts is {kind_of(parts)}"]
    return parts, []


def _usage(body: Any) -> Usage | None:
    written = ("candidatesTokenCount", "thoughtsTokenCount")
    return usage_at(body, "usageMetadata", read=("promptTokenCount",), written=written, thought=("thoughtsTokenCount",))


def _beside_text(parts: list[Any]) -> list[str]:
    """The parts that are neither text nor thought: calls of functions come with the finish reason STOP."""
    plain = {"text", "thought", "thoughtSignature", "partMetadata"}
    odd_parts: list[str] = []
    odd_texts: list[str] = []
    for part in parts:
        names = ", ".join(sorted(set(part) - plain)) if isinstance(part, dict) else kind_of(part)
        if names:
            odd_parts.append(f"part with {names}")
        if isinstance(part, dict) and "text" in part and not isinstance(part["text"], str):
            odd_texts.append(f"text is {kind_of(part['text'])}")
    return [*odd_parts, *odd_texts]


def _hits(place: Any) -> list[str]:
    """The filters that stepped in, with how sure they were."""
    ratings = at(place, "safetyRatings")
    return [
        f"{text_at(rating, 'category').removeprefix('HARM_CATEGORY_')} ({text_at(rating, 'probability')})"
        for rating in (ratings if isinstance(ratings, list) else [])
        if at(rating, "blocked") is True
    ]
