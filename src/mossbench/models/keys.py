"""Providers' keys and other secrets: which variable holds them, how they are read, and how they are kept out of sight.

Everything on the subject is here. `key_names` says which variable has the key of a provider or service, `find_key` and
`secret` read it from the environment or a `.env` file, `redacted` removes it from whatever a provider sends back, also
where only a part of it is shown. Secrets are never written or logged. That a request, with the key in it, goes to no
other origin than the one it was made for is up to `wire`.
"""

import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from html import escape
from itertools import chain
from os.path import commonprefix
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from mossbench.errors import UsageError
from mossbench.plumbing.untrusted_files import state_of
from mossbench.samples import Record

REDACTED = "[redacted]"
_T = TypeVar("_T")

_KEY_NAMES = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
_KEY_NAMES_BY_HOST = {  # services that speak OpenAI's format, by the end of the host's name
    "openrouter.ai": "OPENROUTER_API_KEY",
    "together.xyz": "TOGETHER_API_KEY",
    "reka.ai": "REKA_API_KEY",
    "azure.com": "AZURE_OPENAI_API_KEY",
}

_SECRET_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_SHORTEST_SECRET = 8  # characters; shorter values are parts of words
_NOT_IN_A_HEADER = re.compile(r"[^\x20-\x7e]")
# NAME=value, with `export` before it, quotes around the value or a comment behind it, as shells read it
_DOTENV_LINE = re.compile(r"\s*(?:export\s+)?([\w.]+)\s*=\s*(?:\"(.*?)\"|'(.*?)'|(.*?))\s*(?:(?<=\s)#.*)?")


def key_names(provider: str, base_url: str | None = None) -> tuple[str, ...]:
    """The variables that may hold the key for a provider, or for the service at an address, whose own comes first.

    The service is told by its host, so that the key of one is not sent to another.
    """
    names = _KEY_NAMES[provider]
    if provider != "openai":
        return names
    host = urlsplit(base_url or "").hostname or ""
    own = [name for end, name in _KEY_NAMES_BY_HOST.items() if host == end or host.endswith("." + end)]
    return (*own, *names)


def find_key(model: str, *names: str, needed: bool = True) -> str | None:
    """The first of these keys that is set; a UsageError when none is and one is needed."""
    key = next(filter(None, map(secret, names)), None)
    if key is None and needed and keys_needed():
        raise UsageError(f"{model} needs a key: set {' or '.join(names)} in the environment or in .env")
    return key


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder.

    A UsageError where it has a character that cannot be sent; the message does not show the value.
    """
    value = (os.environ.get(name) or dict(_dotenv()).get(name) or "").strip()
    match = _NOT_IN_A_HEADER.search(value)
    if match:
        raise UsageError(
            f"{name} has {match[0]!a} at character {match.start() + 1} of {len(value)}, which cannot be sent; "
            "expected letters, digits and signs in one line: set it again"
        )
    return value or None


_needed = ContextVar("keys_needed", default=True)


@contextmanager
def without_keys() -> Iterator[None]:
    """Within it models load without a key: for a dry run, which only counts what would be sent."""
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


@lru_cache(maxsize=2)  # `redacted` reads it for every answer; `state` changes with the file
def _dotenv_lines(errors: str, state: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    try:
        lines = Path(".env").read_text(encoding="utf-8-sig", errors=errors).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f".env cannot be read ({error}); expected lines NAME=value in UTF-8") from error
    variables = []
    for match in filter(None, map(_DOTENV_LINE.fullmatch, lines)):
        name, *values = match.groups()  # quoted one way, the other way, or not at all
        variables.append((name, next((value for value in values if value is not None), "")))
    return tuple(variables)


def redacted(value: _T, secrets: tuple[str, ...] | None = None) -> _T:
    """`value` with every secret in it redacted, by default all known ones.

    For everything that comes from outside, since providers and libraries may echo keys in any field. Takes a text, or
    records, lists and dicts with texts at any depth; anything else is returned as it is.
    """
    secrets = known_secrets() if secrets is None else secrets
    return _redacted(value, secrets) if secrets else value


def _redacted(value: Any, secrets: tuple[str, ...]) -> Any:
    if type(value) is str:  # not a StrEnum: those are words of our own
        for form in chain.from_iterable(map(_forms, secrets)):
            value = value.replace(form, REDACTED)
        return _without_parts(value, secrets)
    if isinstance(value, Record):
        fields = {name: getattr(value, name) for name in type(value).model_fields}
        clean = {name: _redacted(field, secrets) for name, field in fields.items()}
        return value if clean == fields else value.model_copy(update=clean)
    if isinstance(value, dict):
        return {_redacted(key, secrets): _redacted(field, secrets) for key, field in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_redacted(element, secrets) for element in value)
    return value


@lru_cache(maxsize=256)
def _forms(secret: str) -> tuple[str, ...]:
    """A secret as it stands in texts, web pages, reprs, JSON, URLs and base64."""
    quoted = (escape(secret), repr(secret)[1:-1], json.dumps(secret)[1:-1], quote(secret), quote(secret, safe=""))
    encoded = (encode(secret.encode()).decode().rstrip("=") for encode in (b64encode, urlsafe_b64encode))
    return tuple(dict.fromkeys((secret, *quoted, *encoded)))


# Providers show a key with a part of it masked: `sk-abc***wxyz`, `...wxyz`, `sk-abcdefgh****`. What they show is
# redacted with the mask, and so is half a key and more that stands alone.

_MASK = re.compile(r"(?:[*•●∗█▒░×#?]+|…+|\.{2,}|[xX]{3,}|\[[^\[\]\s]{0,20}\]|<[^<>\s]{0,20}>)+")
_SURE_MASK = re.compile(r"[*•●∗█▒░×#]{4,}")
_ENDING_WITH = re.compile(
    r"\b(?:end(?:s|ing)?|last \w{1,5} (?:characters|chars|digits|letters))\W{0,3}(?:in|with|are|is)?[\s:=\"'`(]{1,4}",
    re.IGNORECASE,
)
_SHORTEST_HEAD = 3  # characters before a mask; fewer are the beginning of any word
_SHORTEST_TAIL = 4  # behind a mask; four are what providers show
_TAIL_BEHIND_SURE_MASK = 2
_SHORTEST_PART = 10  # of a key without a mask


def _without_parts(text: str, secrets: tuple[str, ...]) -> str:
    """A text without the parts of secrets that are shown beside a mask, or alone where they are long."""
    spans: list[tuple[int, int]] = []
    for match in _MASK.finditer(text):
        spans += _masked_spans(text, match, secrets)
    for match in _ENDING_WITH.finditer(text):
        spans += _named_tails(text, match.end(), secrets)
    for secret in secrets:
        spans += _long_parts(text, secret)
    return _redact_spans(text, spans)


def _long_parts(text: str, secret: str) -> Iterator[tuple[int, int]]:
    """Where the first or the last half of a secret stands, with as much of the other half as follows."""
    n_needed = max(_SHORTEST_PART, (len(secret) + 1) // 2)
    if len(secret) <= n_needed:
        return
    start = text.find(secret[:n_needed])
    while start >= 0:
        end = start + len(commonprefix([secret, text[start : start + len(secret)]]))
        yield start, end
        start = text.find(secret[:n_needed], end)
    backwards = secret[::-1]
    start = text.find(secret[-n_needed:])
    while start >= 0:
        end = start + n_needed
        before = text[max(0, end - len(secret)) : end]
        yield end - len(commonprefix([backwards, before[::-1]])), end
        start = text.find(secret[-n_needed:], end)


@lru_cache(maxsize=256)
def _heads(secret: str) -> tuple[str, ...]:
    """The beginnings of a secret, longest first."""
    return tuple(secret[:n] for n in range(len(secret) - 1, _SHORTEST_HEAD - 1, -1))


@lru_cache(maxsize=256)
def _tails(secret: str) -> tuple[str, ...]:
    """The ends of a secret, longest first."""
    return tuple(secret[-n:] for n in range(len(secret) - 1, 0, -1))


def _masked_spans(text: str, mask: re.Match[str], secrets: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where a mask stands with what is shown of a secret before and behind it."""
    for secret in secrets:
        head = _head_before(text, mask.start(), secret)
        tail = _tail_behind(text, mask.end(), secret)
        is_sure = _SURE_MASK.search(mask[0]) is not None
        if head:
            is_shown = is_sure or bool(tail) or len(head) > _SHORTEST_HEAD
        else:
            shortest = _TAIL_BEHIND_SURE_MASK if is_sure else _SHORTEST_TAIL
            is_shown = len(tail) >= shortest and "x" not in mask[0].lower()
        if is_shown:
            yield mask.start() - len(head), mask.end() + len(tail)


def _head_before(text: str, end: int, secret: str) -> str:
    before = text[max(0, end - len(secret)) : end]
    if not before.endswith(_heads(secret)):
        return ""
    head = next(head for head in _heads(secret) if before.endswith(head))
    is_whole_word = not text[max(0, end - len(head) - 1) : end - len(head)].isalnum()
    return head if is_whole_word else ""


def _tail_behind(text: str, start: int, secret: str) -> str:
    behind = text[start : start + len(secret)]
    if not behind.startswith(_tails(secret)):
        return ""
    tail = next(tail for tail in _tails(secret) if behind.startswith(tail))
    is_whole_word = not text[start + len(tail) : start + len(tail) + 1].isalnum()
    return tail if is_whole_word else ""


def _named_tails(text: str, start: int, secrets: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The end of a secret after words such as "your key ending in"."""
    for secret in secrets:
        tail = _tail_behind(text, start, secret)
        if len(tail) >= _SHORTEST_TAIL:
            yield start, start + len(tail)


def _redact_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with each span redacted; spans that overlap are one."""
    parts: list[str] = []
    last_end = 0
    for start, end in sorted(spans):
        if start >= last_end:
            parts += [text[last_end:start], REDACTED]
        last_end = max(last_end, end)
    return "".join([*parts, text[last_end:]])
