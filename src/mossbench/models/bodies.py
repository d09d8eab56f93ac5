"""The body of a reply: decoded, and where providers put errors and the signs of their filters in it.

A sign counts only at the place where its provider puts it (`signs.toml` has the places). Bodies also echo requests,
messages quote them, and a parameter may be called as a filter's code is: none of this is a sign.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mossbench.models.replies import SIGNS
from mossbench.plumbing.untrusted_files import parse_json

_CODE_KEYS = ("code", "type", "status", "error_type", "__type")  # the last is AWS's
_STATUS_KEYS = ("status_code", "statusCode", "http_status", "error_code", "errorCode", "error")
_INNER_KEYS = ("innererror", "inner_error", "innerError")
_REQUEST_KEYS = ("messages", "contents", "prompt", "input", "inputs")  # what has one of these is what we sent
_MODERATION_PLACES: list[str] = SIGNS["moderation"]["places"]
_STATUS_WORDS: Mapping[str, int] = SIGNS["status"]
_NOTHING = ("", "0", "200", "ok", "success", "none", "null")  # what an error says where nothing is wrong
_DEEPEST = 20  # levels; what lies deeper was nested to do harm


def spellings(codes: Iterable[str]) -> frozenset[str]:
    """Codes of `signs.toml`, with and without underscores."""
    listed = frozenset(codes)
    return listed | {code.replace("_", "") for code in listed}


def _block_places() -> list[tuple[list[str | int], frozenset[str]]]:
    """The places where filters' codes stand, each with the codes that count there."""
    places = list[tuple[list[str | int], frozenset[str]]]()
    for provider in SIGNS["blocks"].values():
        for place, codes in provider.items():
            places.append((_steps(place), spellings(codes)))
    return places


def _statuses() -> dict[str, int]:
    """HTTP statuses by the words for them, in each spelling."""
    statuses: dict[str, int] = {}
    for code, status in _STATUS_WORDS.items():
        statuses |= dict.fromkeys(spellings([code]), status)
    return statuses


def _steps(place: str) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in place.split(".")]


_BLOCKS = _block_places()
_STATUSES = _statuses()


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
    text = at(value, *path)
    return text if isinstance(text, str) else ""


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
    if not isinstance(body.get("error"), dict):
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


def _is_echo(value: Any) -> bool:
    """Whether this is the request, come back: nothing in it is said by the provider."""
    return isinstance(value, dict) and any(key in value for key in _REQUEST_KEYS)


def says_nothing(error: Any, depth: int = 0) -> bool:
    """Whether what stands in the place of an error says that there is none: null, code 0, "success", no message."""
    if depth > _DEEPEST:
        return False
    if isinstance(error, dict):
        return all(says_nothing(value, depth + 1) for value in error.values())
    if isinstance(error, list):
        return all(says_nothing(value, depth + 1) for value in error)
    return not error or str(error).strip().lower() in _NOTHING


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


_WORD_START = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _normal(value: Any) -> str:
    """A code as the lists have it: in lower case, with underscores; empty where it is no code."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    code = _WORD_START.sub("_", str(value).strip())
    return code.lower().replace("-", "_").replace(" ", "_")


def error_codes(body: Any) -> frozenset[str]:
    """All codes that an error's body has, where codes stand."""
    codes: set[str] = set()
    for place in _code_places(body):
        codes.update(_normal(place.get(key)) for key in _CODE_KEYS)
        codes.update(_google_reasons(place))
    codes.discard("")
    return frozenset(codes)


def _code_places(body: Any) -> Iterator[dict[str, Any]]:
    """The errors in a body, those within them, and those of a list of errors; not an echo of the request."""
    for form in error_bodies(body):
        error = form["error"] if isinstance(form.get("error"), dict) else form
        if _is_echo(error):
            continue
        yield error
        inner = [error.get(key) for key in _INNER_KEYS]
        for key in ("data", "errors"):  # OpenAI's batches; gateways
            listed = error.get(key)
            if isinstance(listed, list):
                inner.extend(listed)
        yield from (place for place in inner if isinstance(place, dict) and not _is_echo(place))


def _google_reasons(error: dict[str, Any]) -> Iterator[str]:
    """The reasons in the details of Google's errors."""
    details = error.get("details")
    for detail in details if isinstance(details, list) else []:
        if str(at(detail, "@type")).endswith("google.rpc.ErrorInfo"):
            yield _normal(at(detail, "reason"))


def block_sign(body: Any) -> str:
    """The provider's own sign that its filter stopped the request, as it wrote it; empty where there is none."""
    for form in error_bodies(body):
        for steps, codes in _BLOCKS:
            value = _value_outside_echoes(form, steps)
            if _normal(value) in codes:
                return str(value).strip()
        is_forbidden = _normal(_value_outside_echoes(form, ["error", "code"])) == "403"
        if is_forbidden and any(_has_texts(_value_outside_echoes(form, _steps(place))) for place in _MODERATION_PLACES):
            return "moderation"
    return ""


def _value_outside_echoes(form: dict[str, Any], steps: list[str | int]) -> Any:
    """The value at a place of an error's body; None where the way there leads through an echo of the request."""
    value: Any = form
    for step in steps:
        value = at(value, step)
        if _is_echo(value):
            return None
    return value


def _has_texts(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(text, str) and text.strip() for text in value)


def status_said(body: Any) -> int | None:
    """The HTTP status that an error in a body stands for, by its number or by its word; None: it says neither."""
    words: list[str] = []
    for place in _code_places(body):
        for key in (*_CODE_KEYS, *_STATUS_KEYS):
            word = _normal(place.get(key))
            if word.isdecimal() and len(word) == 3 and 400 <= int(word) < 600:
                return int(word)
            words.append(word)
    return next(filter(None, map(_status_of, words)), None)


def _status_of(code: str) -> int | None:
    """The status that a code stands for: `ThrottlingException` and `throttling_error` are `throttling`."""
    if code in _STATUSES:
        return _STATUSES[code]
    stem = re.sub("_?(?:error|exception)$", "", code)
    return _STATUSES.get(stem)
