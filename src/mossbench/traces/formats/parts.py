"""Content of messages, in the ways of all providers: a text, or parts with texts and images."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from mossbench.plumbing.untrusted_files import parse_json
from mossbench.traces.raw import RawImage, RawTurn, Unreadable, first_text

_ROLES = {
    **dict.fromkeys(("user", "human", "customer", "client", "visitor", "prompter", "question", "q"), "user"),
    **dict.fromkeys(("kunde", "nutzer", "benutzer", "usuario", "cliente", "utilisateur"), "user"),
    **dict.fromkeys(("assistant", "model", "ai", "bot", "chatbot", "gpt", "agent", "llm", "answer", "a"), "assistant"),
    **dict.fromkeys(("assistent", "asistente", "assistente"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function"), "tool"),
}
FINISH_NAMES = ("finish_reason", "finishReason", "stop_reason")
"""Fields that say why an answer ended."""
_ROLE_NAMES = ("role", "from", "speaker", "sender", "author", "type")
_CONTENT_NAMES = ("content", "parts", "text", "value", "message", "body")
"""Fields of a message that say who speaks, and what: the first one that it has."""
_TOOL_CALLS = ("tool_call", "tool_use", "function_call", "server_tool_call", "server_tool_use")
_TOOL_RESULTS = ("tool_result", "tool_call_response", "server_tool_call_response", "function_call_output")
_WHEN = r"(?:[\[(]?\d[\d:., /TZ+-]{2,30}[\])]?[ \t]*[-–|]?[ \t]*)?"
_SPEAKER = re.compile(
    rf"^[ \t]*{_WHEN}[\[(*]{{0,3}}(\w{{1,20}})[\])*]{{0,3}}[ \t]?[:：][\])*]{{0,3}}[ \t]*", re.MULTILINE
)
"""Who speaks, at the beginning of a line of a text; before it may stand when."""
_INLINE = re.compile(r"data:image/[\w.+-]{1,40};base64,([A-Za-z0-9+/=_-]{16,})")
_LANGFUSE_MEDIA = re.compile(r"@@@langfuseMedia:type=image/[^|@]{1,60}\|id=([^|@]{1,120})\|source=[^@|]{0,60}@@@")


class Content:
    """Texts and images of a message, collected part by part."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.images: list[RawImage] = []
        self.calls_tool = False
        self.is_tool_result = False
        self.is_refusal = False

    def add(self, content: Any) -> None:
        """Adds a text, a part, or a list of parts; what is none of these is ignored."""
        if isinstance(content, str):
            self._add_text(content)
        elif isinstance(content, Mapping):
            self._add_part(content)
        elif isinstance(content, Sequence):
            for part in content:
                if isinstance(part, str):
                    self._add_text(part)
                elif isinstance(part, Mapping):
                    self._add_part(part)

    def _add_text(self, text: str) -> None:
        if "data:image/" in text:
            self.images += [RawImage(data=match[1]) for match in _INLINE.finditer(text)]
            text = _INLINE.sub("", text)
        if "@@@langfuseMedia" in text:
            self.images += [RawImage(address=f"langfuse-media:{match[1]}") for match in _LANGFUSE_MEDIA.finditer(text)]
            text = _LANGFUSE_MEDIA.sub("", text)
        self.texts.append(text)

    def _add_part(self, part: Mapping[str, Any]) -> None:
        kind = part.get("type")
        if kind in _TOOL_CALLS or "functionCall" in part:
            self.calls_tool = True
            return
        if kind in _TOOL_RESULTS or "functionResponse" in part:
            self.is_tool_result = True
            return
        if kind in ("reasoning", "thinking", "redacted_thinking") or part.get("thought"):
            return
        image = _image_of(part)
        if image is not None:
            self.images.append(image)
            return
        text = part.get("text", part.get("content"))
        if text is None and isinstance(part.get("refusal"), str):
            self.is_refusal = True
            text = part["refusal"]
        if isinstance(text, str):
            self._add_text(text)

    @property
    def text(self) -> str:
        return "\n".join(text for text in self.texts if text)


def _image_of(part: Mapping[str, Any]) -> RawImage | None:
    """The image of a part; None for other parts."""
    url = part.get("image_url")
    if isinstance(url, Mapping):
        url = url.get("url")
    if isinstance(url, str):
        return image_at(url)
    inline = part.get("inlineData", part.get("inline_data"))
    if isinstance(inline, Mapping):
        return RawImage(data=str(inline.get("data", "")))
    file = part.get("fileData", part.get("file_data"))
    if isinstance(file, Mapping):
        return RawImage(address=str(file.get("fileUri", file.get("file_uri", ""))))
    source = part.get("source")
    if part.get("type") == "image" and isinstance(source, Mapping):
        return _image_of_source(source)
    if part.get("modality") == "image" or part.get("type") in ("image", "input_image"):
        return _image_of_modality(part)
    return None


def _image_of_source(source: Mapping[str, Any]) -> RawImage:
    if source.get("type") == "base64":
        return RawImage(data=str(source.get("data", "")))
    return RawImage(address=str(source.get("url", source.get("file_id", ""))))


def _image_of_modality(part: Mapping[str, Any]) -> RawImage | None:
    if part.get("type") == "blob":
        return RawImage(data=str(part.get("content", "")))
    address = next((part[name] for name in ("uri", "file_id", "image", "url", "path") if part.get(name)), None)
    return image_at(address) if isinstance(address, str) else None


def image_at(url: str) -> RawImage:
    """The image at an address, which may be a data URI."""
    if url.startswith("data:"):
        return RawImage(data=url.partition(",")[2])
    return RawImage(address=url.removeprefix("file://").removeprefix("file:"))


def turn_of(message: Any) -> RawTurn:
    """A message of any provider as a turn; an Unreadable where it is none."""
    if not isinstance(message, Mapping):
        raise Unreadable(f"a message is {type(message).__name__}, expected an object with role and content")
    role = role_of(first_text(message, *_ROLE_NAMES))
    content = Content()
    content.add(next((message[name] for name in _CONTENT_NAMES if message.get(name) is not None), None))
    if role == "assistant" and not content.text and isinstance(message.get("refusal"), str):
        content.add(message["refusal"])
        content.is_refusal = True
    if role == "user" and content.is_tool_result and not content.text:
        role = "tool"  # Anthropic's way: what a tool gave comes under the user's name
    calls_tool = content.calls_tool or bool(message.get("tool_calls") or message.get("function_call"))
    finish = first_text(message, *FINISH_NAMES)
    return RawTurn(role, content.text, tuple(content.images), calls_tool, finish, content.is_refusal)


def role_of(word: str) -> str:
    """The role that a word of a log names; `other` for a word that is not known."""
    return _ROLES.get(word.strip().lower(), "other")


def turns_of(messages: Any) -> list[RawTurn]:
    """The turns of a list of messages, of one message, or of a text; JSON in a text is read."""
    messages = decoded(messages)
    if isinstance(messages, Mapping):
        inner = messages.get("messages")
        return turns_of(inner) if inner is not None else [turn_of(messages)]
    if isinstance(messages, str):
        return [turn_of({"role": "user", "content": messages})]
    if not isinstance(messages, Sequence) or not messages:
        raise Unreadable("there are no messages")
    if all(isinstance(message, str) for message in messages):
        return [RawTurn("user", "\n".join(messages))]
    return [turn_of(message) for message in messages]


def turns_of_transcript(value: Any) -> list[RawTurn]:
    """The turns of messages, or of a text whose lines begin with who speaks: `User: …`; an Unreadable for others."""
    value = decoded(value)
    if not isinstance(value, str):
        return turns_of(value)
    speakers = [match for match in _SPEAKER.finditer(value) if role_of(match[1]) != "other"]
    if not speakers or value[: speakers[0].start()].strip():
        raise Unreadable("no line at its beginning says who speaks, such as 'User: …' and 'Assistant: …'")
    ends = [*(match.start() for match in speakers[1:]), len(value)]
    return [
        turn_of({"role": match[1], "content": value[match.end() : end].strip()})
        for match, end in zip(speakers, ends, strict=True)
    ]


def decoded(value: Any) -> Any:
    """The value of a text that is JSON with an object or a list; any other value as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    with suppress(ValueError):
        return parse_json(value)
    if '""' in value:  # Helicone's CSV doubles its quotes twice
        with suppress(ValueError):
            return parse_json(value.replace('""', '"'))
    return value
