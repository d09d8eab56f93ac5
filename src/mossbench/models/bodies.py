"""The body of a reply: decoded, and where providers put errors and the signs of their filters in it.

A sign counts only at the place where its provider puts it (`signs.toml` has the places). Bodies also echo requests,
messages quote them, and a parameter may be called as a filter's code is: none of this is a sign.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mossbench.models.replies import SIGNS
from mossbench.plumbing.reading import parse_json

_CODE_KEYS = ("code", "type", "status", "error_type")
_STATUS_KEYS = ("status_code", "statusCode", "http_status")
_INNER_KEYS = ("innererror", "inner_error", "innerError")
_REQUEST_KEYS = ("messages", "contents", "prompt")  # a body with one of these is what we sent, come back
_BLOCKS: Mapping[str, Mapping[str, list[str]]] = SIGNS["blocks"]
_MODERATION_PLACES: list[str] = SIGNS["moderation"]["places"]
_STATUS_WORDS: Mapping[str, int] = SIGNS["status"]


def decode_json(data: bytes) -> Any:
    """The JSON value in a body, whatever its byte-order mark; a ValueError where there is none.

    A byte that is not UTF-8 costs its own character, not the answer that was paid for.
    """
    text = data.decode(json.detect_encoding(data), "replace")
    return parse_json(text.removeprefix("\ufeff"))


def at(value: Any, *path: str | int) -> Any:
    """The value at a path of keys and indices; None when there is nothing."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def text_at(value: Any, *path: str | int) -> str:
    """The text at a path; empty when there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def error_bodies(body: Any) -> list[dict[str, Any]]:
    """The body, and other forms of it, so that an error's fields always stand under `error` in one of them.

    SDKs hand on the error without what is around it; routers put it into a choice, or quote what they were told
    themselves under `metadata.raw`; Google puts it into a list.
    """
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        return []
    bodies = [body]
    if not isinstance(body.get("error"), dict) and not any(key in body for key in _REQUEST_KEYS):
        bodies.append({"error": body})
    in_choice = at(body, "choices", 0, "error")
    if isinstance(in_choice, dict):
        bodies.append({"error": in_choice})
    relayed = _relayed_body(bodies)
    if relayed is not None:
        bodies.append(relayed)
        if not isinstance(relayed.get("error"), dict):
            bodies.append({"error": relayed})
    return bodies


def _relayed_body(bodies: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What a router's own provider replied, where it is JSON and not just words."""
    for body in bodies:
        raw = at(body, "error", "metadata", "raw")
        if isinstance(raw, str):
            try:
                raw = parse_json(raw)
            except ValueError:
                continue
        if isinstance(raw, dict):
            return raw
    return None


def _normal(value: Any) -> str:
    """A code as the lists have it: in lower case, with underscores; empty where it is no code."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip().lower().replace("-", "_")


def error_codes(body: Any) -> frozenset[str]:
    """All codes that an error's body has, where codes stand."""
    codes: set[str] = set()
    for form in error_bodies(body):
        for place in _code_places(form["error"] if isinstance(form.get("error"), dict) else form):
            codes.update(_normal(place.get(key)) for key in _CODE_KEYS)
            codes.update(_google_reasons(place))
    codes.discard("")
    return frozenset(codes)


def _code_places(error: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An error, the one within it, and those of a list of errors (OpenAI's batches)."""
    yield error
    for key in _INNER_KEYS:
        if isinstance(error.get(key), dict):
            yield error[key]
    listed = error.get("data")
    if isinstance(listed, list):
        yield from (one for one in listed if isinstance(one, dict))


def _google_reasons(error: dict[str, Any]) -> Iterator[str]:
    """The reasons in the details of Google's errors."""
    details = error.get("details")
    for detail in details if isinstance(details, list) else []:
        if str(at(detail, "@type")).endswith("google.rpc.ErrorInfo"):
            yield _normal(at(detail, "reason"))


def block_sign(body: Any) -> str:
    """The provider's own sign that its filter stopped the request, as it wrote it; empty where there is none."""
    for form in error_bodies(body):
        for places in _BLOCKS.values():
            for place, signs in places.items():
                value = at(form, *_steps(place))
                if _normal(value) in signs:
                    return str(value).strip()
        is_forbidden = _normal(at(form, "error", "code")) == "403"
        if is_forbidden and any(_has_texts(at(form, *_steps(place))) for place in _MODERATION_PLACES):
            return "moderation"
    return ""


def _steps(place: str) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in place.split(".")]


def _has_texts(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, str) and item.strip() for item in value)


def status_said(body: Any) -> int | None:
    """The HTTP status that an error in a body stands for, by its number or by its word; None: it says neither."""
    words: list[str] = []
    for form in error_bodies(body):
        for place in _code_places(form["error"] if isinstance(form.get("error"), dict) else form):
            for key in (*_CODE_KEYS, *_STATUS_KEYS):
                word = _normal(place.get(key))
                if word.isdecimal() and len(word) == 3 and 400 <= int(word) < 600:
                    return int(word)
                words.append(word)
    return next((_STATUS_WORDS[word] for word in words if word in _STATUS_WORDS), None)
