"""What it means that a call went wrong: denied, ask again later, a filter's block, or a failed row.

The SDKs and the gateways behind them say the same thing in many ways: a filter's block comes as 400, 403 or
422, with a code or in words; a wrong key as 401, or as 400 from Google. `read_fault` turns an SDK's exception into
one plain record, and `settle` is the one place that decides what it is, for every provider alike.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from mossbench.models.keys import redacted
from mossbench.models.model import Denied, Overloaded, Trouble
from mossbench.models.replies import SIGNS
from mossbench.models.wire import UnreadableReply
from mossbench.outcomes import Answer, Failure, Stop

_MAX_MESSAGE = 1000  # characters; gateways return whole web pages
_MAX_PAGE = 20_000
_FILTER_CODES, _STOP_CODES = (frozenset[str](SIGNS[what]["codes"]) for what in ("filter", "stop"))
_FILTER_WORDS, _ACCOUNT_WORDS, _UNSUPPORTED = (
    re.compile("|".join(SIGNS[what]["words"]), re.IGNORECASE) for what in ("filter", "stop", "unsupported")
)


@dataclass(frozen=True)
class Fault:
    """A call that gave no answer, in one form for all SDKs."""

    type: str
    """Class of the exception, or what was wrong with the reply."""
    message: str
    status: int | None = None
    """HTTP status; None when no reply came at all or it could not be read."""
    codes: frozenset[str] = frozenset()
    """All that the body has under `code`, `type`, `status` and `reason`, in lower case."""
    retry_after: float | None = None
    lost: bool = False
    """The connection broke, or what came cannot be read: another try may go well."""
    unreachable: bool = False
    """There was not even a connection: nobody listens, no such host, no trust in its certificate."""
    category: str = ""
    """What a filter said that it is about."""

    def rejects(self, parameter: str) -> bool:
        """Whether the model does not take this parameter; a value out of range is not meant."""
        camel = re.sub(r"_(\w)", lambda letter: letter[1].upper(), parameter)  # as Google spells it
        named = re.search(rf"(?<!\w)(?:{parameter}|{camel})(?!\w)", self.message)
        return self.status in (400, 422) and named is not None and _UNSUPPORTED.search(self.message) is not None


# Reading


def read_fault(error: Exception) -> Fault:
    """The fault that an SDK's exception stands for, with every secret redacted.

    Works on what the SDKs have in common: `status_code` or a numeric `code`, `body` or `details`, `response.headers`.
    """
    attempt = getattr(error, "last_attempt", None)  # tenacity's wrapper, which Inspect raises
    if attempt is not None and isinstance(inner := attempt.exception(), Exception):
        error = inner
    if isinstance(error.__cause__, Exception) and _status(error.__cause__) is not None:
        error = error.__cause__  # Inspect's wrapper has the whole request in its message
    if isinstance(error.__cause__, UnreadableReply):
        error = error.__cause__  # the SDKs take it for a lost connection
    status = _status(error)
    body = getattr(error, "body", None) or getattr(error, "details", None)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    kind = type(error).__name__
    unreachable = status is None and _unreachable(error)
    timed_out = status is None and not unreachable and (isinstance(error, TimeoutError) or "timeout" in kind.lower())
    names = " ".join(base.__name__ for base in type(error).__mro__)
    cause = error.__cause__ if status is None else None  # "Connection error." says less
    message = str(error) + (f" ({type(cause).__name__}: {cause})" if cause else "")
    return fault_of(
        body,
        type="TimeoutError" if timed_out else kind,
        message=f"no answer in time: {message}" if timed_out else message,
        status=status,
        headers=headers,
        lost=unreachable or (status is None and not timed_out and _TRANSPORT.search(names) is not None),
        unreachable=unreachable,
    )


_NO_CONNECTION = re.compile(r"ConnectError|ConnectTimeout|ClientConnector|gaierror|SSLError|ConnectionRefused")


def _unreachable(error: BaseException | None) -> bool:
    """Whether an error, or one that it was raised from, says that there was no connection."""
    for _ in range(8):
        if error is None:
            return False
        if any(_NO_CONNECTION.search(base.__name__) for base in type(error).__mro__):
            return True
        error = error.__cause__ or error.__context__
    return False


def _status(error: BaseException) -> int | None:
    """The HTTP status that an SDK's exception has; Google's stands under `code`, as other numbers do elsewhere."""
    status = getattr(error, "status_code", None) or (
        getattr(error, "code", None) if hasattr(error, "details") else None
    )
    return status if isinstance(status, int) else None


# Bases of what HTTP libraries raise: Python's own, httpx, aiohttp, the SDKs' wrappers, and half a body of JSON.
_TRANSPORT = re.compile(r"OSError|ConnectionError|TransportError|ClientError|ProtocolError|JSONDecodeError")


def fault_of(
    body: Any,
    *,
    type: str,
    message: str = "",
    status: int | None = None,
    headers: Any = None,
    lost: bool = False,
    unreachable: bool = False,
) -> Fault:
    """The fault in an error's body; `message` is for a body that has none."""
    said = body if isinstance(body, str) else "; ".join(dict.fromkeys(_values(body, _MESSAGE_KEYS)))
    codes = frozenset(_values(body, _CODE_KEYS, str.lower))
    text = redacted(said or message or type)
    after, about = _retry_after(headers or {}, body), redacted(", ".join(dict.fromkeys(_categories(body))))
    return Fault(type, _short(text), status, codes, after, lost, unreachable, _short(about))


_MESSAGE_KEYS = ("message", "msg", "detail", "error", "loc", "reasons", "raw")  # raw: what a gateway was told
_CODE_KEYS = ("code", "type", "status", "reason", "error_type", "finish_reason")


def _pairs(body: Any) -> Iterator[tuple[str, Any]]:
    """The keys of a JSON value, at any depth, with what stands under them."""
    if isinstance(body, dict):
        for key, value in body.items():
            yield key, value
            yield from _pairs(value)
    elif isinstance(body, list):
        for value in body:
            yield from _pairs(value)


def _values(body: Any, keys: tuple[str, ...], change: Any = str) -> Iterator[str]:
    """The texts that a JSON value has under any of the keys."""
    for value in (value for key, value in _pairs(body) if key in keys):
        if isinstance(value, str | int) and str(value).strip():
            yield change(str(value))
        elif isinstance(value, list) and all(isinstance(item, str | int) for item in value):
            yield change(".".join(map(str, value)))


def _categories(body: Any) -> Iterator[str]:
    """What a filter says of a blocked request: Azure's results, OpenRouter's reasons."""
    for key, value in _pairs(body):
        if key in ("content_filter_result", "content_filter_results"):
            yield from filter_hits(value)
        elif key == "reasons" and isinstance(value, list):
            yield from (reason for reason in value if isinstance(reason, str))


def filter_hits(results: Any) -> list[str]:
    """Azure's categories that stepped in, with their severity."""
    hits = {name: hit for name, hit in results.items() if isinstance(hit, dict)} if isinstance(results, dict) else {}
    return [
        f"{name} ({hit['severity']})" if isinstance(hit.get("severity"), str) else str(name)
        for name, hit in hits.items()
        if hit.get("filtered") is True
    ]


def _retry_after(headers: Any, body: Any) -> float | None:
    """Seconds from `retry-after-ms`, `Retry-After` (seconds or a date) or Google's RetryInfo."""
    milliseconds, after = headers.get("retry-after-ms"), headers.get("retry-after")
    delay = next(_values(body, ("retryDelay",)), "").removesuffix("s")
    for value, scale in ((milliseconds, 0.001), (after, 1.0), (delay, 1.0)):
        try:
            seconds = float(value) * scale
        except (TypeError, ValueError):
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        when = parsedate_to_datetime(after)
    except (TypeError, ValueError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _short(text: str) -> str:
    if re.match(r"\s*<(?:!doctype|html)", text, re.IGNORECASE):  # an error page, of which only the words tell something
        # Only its beginning: the pattern looks for the end of each tag, in vain where somebody left them all open.
        words = re.sub(r"<(style|script)\b.*?</\1>|<[^<>]*>", " ", text[:_MAX_PAGE], flags=re.IGNORECASE | re.DOTALL)
        text = f"the endpoint replied with a web page, not with JSON: {words}"
    text = " ".join(text[:_MAX_PAGE].split())
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + " …"


# Deciding

_BUSY: dict[int, Trouble] = {429: "rate_limit", 503: "overload", 529: "overload"}


def settle(fault: Fault, model: str, *, way_out: str, seconds: float | None = None) -> Answer:
    """The answer that a fault is: blocked, or failed.

    Raises:
        Denied: This call cannot go through, and perhaps none can: key, permission, model name, money, a firewall.
        Overloaded: The same call may go through later.
    """
    if _stops_all(fault):
        raise Denied(f"{model}: {fault.message}", way_out, type=fault.type, sure=True)
    if is_block(fault):
        code = next((code for code in sorted(fault.codes) if code in _FILTER_CODES), None)
        signal = f"{code}: {fault.message}" if code else fault.message
        return Answer(stop=Stop.BLOCKED, signal=signal, seconds=seconds, category=fault.category or None)
    if fault.status in (403, 404):
        raise Denied(f"{model}: {fault.message}", way_out, type=fault.type, sure=False)
    if fault.status in (408, 409, 425, 429) or (fault.status or 0) >= 500:
        kind = _BUSY.get(fault.status or 0, "server_error")
        raise Overloaded(fault.retry_after, kind, fault.message, type=fault.type)
    if fault.lost:
        raise Overloaded(None, "connection", fault.message, type=fault.type, reached=not fault.unreachable)
    return Answer(error=Failure(stage="model", type=fault.type, message=fault.message), seconds=seconds)


def _stops_all(fault: Fault) -> bool:
    if fault.status in (401, 402) or fault.codes & _STOP_CODES:
        return True
    return fault.status in (400, 403) and _ACCOUNT_WORDS.search(fault.message) is not None


def is_block(fault: Fault) -> bool:
    """Whether the provider's filter stopped the call; in 5xx only codes are believed, words may be about the filter."""
    if fault.codes & _FILTER_CODES:
        return True
    return fault.status in (400, 403, 422, 451) and _FILTER_WORDS.search(fault.message) is not None
