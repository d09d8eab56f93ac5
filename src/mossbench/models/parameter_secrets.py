"""Where a parameter has a secret in it: by the words of its name, in any style of writing, or by how a value looks.

A name is split into its words (`clientSecret`, `X-Gateway-Pass`, `db_pwd`), since `max_tokens` and `top_k` are none.
"""

import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from mossbench.models.keys import redacted

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_WORDS = frozenset(
    {
        "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "passcode", "passphrase",
        "passwd", "password", "passwords", "pwd", "secret", "secrets",
    }
)  # fmt: skip
_ENDS_OF_WORDS = ("apikey", "accesskey", "privatekey", "secretkey", "password", "passwd", "secret", "token")
"""Of words that are written together, such as `accesstoken`."""
_KEYS_OF = frozenset({"access", "account", "api", "auth", "encryption", "private", "secret", "signing", "subscription"})
"""Words before `key` and `keys`, wherever in a name."""
_OTHER_KEYS = frozenset(
    {
        "cache", "dedup", "dedupe", "dict", "foreign", "group", "hash", "idempotency", "json", "lookup", "object",
        "partition", "primary", "public", "routing", "row", "shard", "sort",
    }
)  # fmt: skip
"""Words before a last `key` that opens nothing."""
_TOKENS_OF_MODELS = frozenset(
    {
        "allowed", "audio", "bad", "bias", "bos", "budget", "cls", "completion", "count", "decoder", "eos", "forced",
        "image", "input", "length", "limit", "mask", "max", "min", "n", "num", "output", "pad", "penalty", "per",
        "prompt", "reasoning", "sep", "special", "stop", "suppress", "thinking", "unk", "video", "vision",
    }
)  # fmt: skip
"""Words that go with the tokens of a text."""
_OTHER_PASSES = frozenset({"band", "by", "first", "high", "low", "multi", "n", "one", "second", "single", "two"})
_SECRET_VALUE = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|ghp|glpat|github_pat|xox[abpr])[-_][A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|\bAKIA[0-9A-Z]{16}|\beyJ[\w-]{8,}\.[\w-]{8,}\.|\bbearer\s+\S{8,}",
    re.IGNORECASE,
)
_BASIC = re.compile(r"\bbasic\s+([A-Za-z0-9+/_-]{4,}={0,2})", re.IGNORECASE)
_SCHEME = re.compile(r"(?:basic|bearer|digest|token|apikey)\s+\S+", re.IGNORECASE)
"""How the value of a header begins that is a credential."""
_PASSWORD_IN_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@", re.IGNORECASE)
_NAMED_IN_TEXT = re.compile(r"(?:^|[\s;&?,])([A-Za-z][\w-]*)=[^\s;&,]")
"""`password=…` in an address or in a text that says how to connect."""
_TYPES_OF_FIELDS = ("array", "boolean", "integer", "null", "number", "object", "string")


def secret_in(name: str, value: Any, *, is_header: bool = False) -> str:
    """Where a secret stands in a parameter; empty where there is none."""
    if _has_secret_name(name, value):
        return f"the header {name} carries a secret" if is_header else f"{name} is the name of a secret"
    if isinstance(value, Mapping):
        are_headers = name == "extra_headers"
        parts = (secret_in(str(key), part, is_header=are_headers) for key, part in value.items())
        return next(filter(None, parts), "")
    if isinstance(value, (list, tuple)):
        return next(filter(None, (secret_in(name, part) for part in value)), "")
    if isinstance(value, str) and _is_secret(value, is_header=is_header):
        return f"{name} has a key or a password in it"
    return ""


def is_secret_name(name: str) -> bool:
    """Whether its words say that a secret is behind it: `api_key`, `clientSecret`; not `max_tokens`, `cache_key`."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if any(word in _SECRET_WORDS or word.endswith(_ENDS_OF_WORDS) and word != "token" for word in words):
        return True
    return _is_token(words) or _is_key(words) or _is_pass(words)


def _is_token(words: Sequence[str]) -> bool:
    """`token`, but not `eos_token` or `stop_token_ids`, which are of a text."""
    if "token" not in words or not _TOKENS_OF_MODELS.isdisjoint(words):
        return False
    following = words[words.index("token") + 1 :]
    return following[:1] not in (["id"], ["ids"])


def _is_key(words: Sequence[str]) -> bool:
    for before, word in zip(words, words[1:], strict=False):
        if word in ("key", "keys") and before in _KEYS_OF:
            return True
    return words[-1:] == ["key"] and _OTHER_KEYS.isdisjoint(words[-2:-1])


def _is_pass(words: Sequence[str]) -> bool:
    """A last `pass` or `auth`: not `pass_images`, `auth_type` or `first_pass`."""
    if words[-1:] in (["auth"], ["oauth"]):
        return True
    return words[-1:] == ["pass"] and _OTHER_PASSES.isdisjoint(words[-2:-1])


def _has_secret_name(name: str, value: Any) -> bool:
    """Not where the value is a yes or no, or says of which type a field of that name is."""
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, Mapping) and value.get("type") in _TYPES_OF_FIELDS:
        return False
    return is_secret_name(name)


def _is_secret(text: str, *, is_header: bool) -> bool:
    if redacted(text) != text or _SECRET_VALUE.search(text) or _PASSWORD_IN_URL.search(text):
        return True
    if is_header and _SCHEME.fullmatch(text.strip()):
        return True
    if any(is_secret_name(name) for name in _NAMED_IN_TEXT.findall(text)):
        return True
    return any(_is_user_and_password(code) for code in _BASIC.findall(text))


def _is_user_and_password(code: str) -> bool:
    """Whether base64 holds `user:password`; `Basic arithmetic` does not."""
    try:
        decoded = b64decode(code + "=" * (-len(code) % 4), altchars=b"-_" if set("-_") & set(code) else None)
    except ValueError:
        return False
    return b":" in decoded and decoded.isascii()
