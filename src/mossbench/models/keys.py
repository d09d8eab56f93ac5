"""Secrets: read from the environment or a `.env` file, never written, logged or shown."""

import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from mossbench.errors import UsageError
from mossbench.plumbing.reading import state_of
from mossbench.samples import Record

REDACTED = "[redacted]"
_T = TypeVar("_T")

_SECRET_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_SHORTEST_SECRET = 8  # characters; shorter values are parts of words
_NOT_IN_A_HEADER = re.compile(r"[^\x20-\x7e]")
# NAME=value, with `export` before it, quotes around the value or a comment behind it, as shells read it
_DOTENV_LINE = re.compile(r"\s*(?:export\s+)?([\w.]+)\s*=\s*(?:\"(.*?)\"|'(.*?)'|(.*?))\s*(?:(?<=\s)#.*)?")


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder.

    A UsageError where it has a character that cannot be sent; what the value is stays unsaid.
    """
    value = (os.environ.get(name) or dict(_dotenv()).get(name) or "").strip()
    if odd := _NOT_IN_A_HEADER.search(value):
        raise UsageError(
            f"{name} has {odd[0]!a} at character {odd.start() + 1} of {len(value)}, which cannot be sent; "
            "expected letters, digits and signs in one line: set it again"
        )
    return value or None


_needed = ContextVar("keys_needed", default=True)


@contextmanager
def without_keys() -> Iterator[None]:
    """Within it models load without a key: for whoever only counts what would be sent."""
    before = _needed.set(False)
    try:
        yield
    finally:
        _needed.reset(before)


def keys_needed() -> bool:
    return _needed.get()


def known_secrets() -> tuple[str, ...]:
    """All values that the environment and `.env` have under names of secrets, longest first."""
    named = [os.environ.get(name, "") for name in os.environ if name.upper().endswith(_SECRET_NAMES)]
    named += [value for name, value in _dotenv(errors="replace") if name.upper().endswith(_SECRET_NAMES)]
    values = {value.strip() for value in named if len(value.strip()) >= _SHORTEST_SECRET}
    return tuple(sorted(values, key=len, reverse=True))


def _dotenv(errors: str = "strict") -> tuple[tuple[str, str], ...]:
    try:
        return _dotenv_lines(errors, state_of(".env")) if os.path.isfile(".env") else ()
    except OSError:
        return ()


@lru_cache(maxsize=2)  # as it is in this state, read in each of two ways: redacting asks at every answer
def _dotenv_lines(errors: str, state: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    try:
        lines = Path(".env").read_text(encoding="utf-8-sig", errors=errors).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f".env cannot be read ({error}); expected lines NAME=value in UTF-8") from error
    found = [match for line in lines if (match := _DOTENV_LINE.fullmatch(line))]
    return tuple((one[1], next((value for value in one.groups()[1:] if value is not None), "")) for one in found)


def redacted(value: _T, secrets: tuple[str, ...] | None = None) -> _T:
    """`value` with every secret in it redacted, by default all that are known.

    For whatever came from outside, as providers and libraries echo keys in any field. A text, or records, lists and
    dicts with texts at any depth; what is none of these stays as it is.
    """
    secrets = known_secrets() if secrets is None else secrets
    return _redacted(value, secrets) if secrets else value


def _redacted(value: Any, secrets: tuple[str, ...]) -> Any:
    if type(value) is str:  # not a StrEnum: those are words of our own
        for form in (form for one in secrets for form in _forms(one)):
            value = value.replace(form, REDACTED)
        return value
    if isinstance(value, Record):
        there = {name: getattr(value, name) for name in type(value).model_fields}
        clean = {name: _redacted(one, secrets) for name, one in there.items()}
        return value if clean == there else value.model_copy(update=clean)
    if isinstance(value, dict):
        return {_redacted(name, secrets): _redacted(one, secrets) for name, one in value.items()}
    return type(value)(_redacted(one, secrets) for one in value) if type(value) in (list, tuple) else value


@lru_cache(maxsize=256)
def _forms(secret: str) -> tuple[str, ...]:
    """A secret as it stands in texts, web pages, reprs, JSON, URLs and base64."""
    quoted = (escape(secret), repr(secret)[1:-1], json.dumps(secret)[1:-1], quote(secret), quote(secret, safe=""))
    encoded = (encode(secret.encode()).decode().rstrip("=") for encode in (b64encode, urlsafe_b64encode))
    return tuple(dict.fromkeys((secret, *quoted, *encoded)))
