"""What a failed call means: access denied, try again later, blocked by a filter, or a failed row.

SDKs and gateways report the same thing in many ways: a filter's block comes as 400, 403 or 422, with a code of its own;
a wrong key as 401, or as 400 from Google. `read_fault` makes a `Fault` of an SDK's exception, and `fault_in_reply` of a
reply with status 200; `answer_or_raise` is the one place that decides what it means, the same way for every provider. A
block needs the provider's own sign (`bodies.block_sign`): the words of a message, an echo of the request or a
firewall's page are a failure.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mossbench.models.bodies import (
    at,
    block_sign,
    decode_json,
    error_bodies,
    error_codes,
    says_nothing,
    spellings,
    status_said,
)
from mossbench.models.keys import redacted
from mossbench.models.model import Denied, Overloaded, Trouble
from mossbench.models.replies import SIGNS
from mossbench.models.retry_after import read_retry_after
from mossbench.models.wire import Received, RedirectRefused, UnreadableReply, received_of
from mossbench.outcomes import Answer, Failure, Stop
from mossbench.plumbing.tls import PORT_SPEAKS_HTTPS, TlsFault, find_tls_fault

_MAX_MESSAGE = 1000
"""Characters of a message that are kept; gateways return whole web pages."""
_MAX_PAGE = 20_000
"""Characters of a web page in which its words are searched for."""
_DEEPEST = 20
"""Levels of a body that are read; what lies deeper was nested to do harm."""
_LONGEST_CHAIN = 8
"""How many errors, each raised from the next, are looked at."""

_MESSAGE_KEYS = ("message", "msg", "detail", "error", "loc", "reasons", "raw")  # raw: what a gateway was told
_ECHO_KEYS = ("request", "messages", "contents", "input", "inputs", "prompt", "body", "params", "flagged_input")
"""Where bodies repeat what they were sent: nothing in it is said by the provider."""
_INNER_ERROR_KEYS = ("innererror", "inner_error", "innerError")

_STOP_CODES = spellings(SIGNS["stop"]["codes"])
_STOP_SENTENCES = re.compile("|".join(SIGNS["stop"]["sentences"]), re.IGNORECASE)
_BLOCK_STATUSES = (*SIGNS["block"]["statuses"], None)  # None: an item of a batch, which may have no status
_BUSY: dict[int, Trouble] = {429: "rate_limit", 503: "overload", 529: "overload"}
_UNSUPPORTED = re.compile("|".join(SIGNS["unsupported"]["words"]), re.IGNORECASE)
_TRANSIENT_WORDS = re.compile("|".join(SIGNS["transient"]["words"]), re.IGNORECASE)
_HTTP_TO_HTTPS_PORT = re.compile("|".join(SIGNS["http_to_https_port"]["words"]), re.IGNORECASE)
_TLS_ALERT = re.compile(r"illegal status line: bytearray\(b'\\x15\\x03")
"""A TLS alert where the first line of a reply was expected: the port speaks HTTPS."""
_NO_CONNECTION = re.compile(r"ConnectError|ConnectTimeout|ClientConnector|gaierror|SSLError|ConnectionRefused")
"""Classes of errors that say that there was no connection."""
_TRANSPORT = re.compile(r"OSError|ConnectionError|TransportError|ClientError|ProtocolError|JSONDecodeError")
"""Bases of what HTTP libraries raise: Python's own, httpx, aiohttp, the SDKs' wrappers, and half a body of JSON."""


@dataclass(frozen=True)
class Fault:
    """A call that gave no answer, in one form for all SDKs."""

    type: str
    """Class of the exception, or what was wrong with the reply."""
    message: str
    status: int | None = None
    """HTTP status; None when no reply came at all or it could not be read."""
    codes: frozenset[str] = frozenset()
    """The codes, types and statuses of the error, in lower case."""
    retry_after: float | None = None
    lost: bool = False
    """The connection broke, or the reply cannot be read: another try may succeed."""
    unreachable: bool = False
    """There was no connection at all: nothing listens there, no such host, a certificate that is not trusted."""
    category: str = ""
    """The category that a filter gave."""
    block: str = ""
    """The provider's own sign that its filter stopped the call; empty where there is none."""
    hopeless: bool = False
    """No call to this address can go through: a redirect that is not followed, a certificate that is not trusted."""
    way_out: str = ""
    """What to do about it, where that is known."""
    quotes_request: bool = False
    """The sentence that would end a run (`stop_sentence`) is in the request, too: the message may quote it."""

    def stop_sentence(self) -> str:
        """The sentence at the beginning of the message that says that no call can go through; empty where none does."""
        match = _STOP_SENTENCES.match(self.message)
        return match[0] if match else ""

    def rejects(self, parameter: str) -> bool:
        """Whether the model does not accept this parameter at all; a value out of range is another matter."""
        camel = re.sub(r"_(\w)", lambda letter: letter[1].upper(), parameter)  # as Google spells it
        named = re.search(rf"(?<!\w)(?:{parameter}|{camel})(?!\w)", self.message)
        return self.status in (400, 422) and named is not None and _UNSUPPORTED.search(self.message) is not None


# Reading an SDK's exception


def read_fault(error: Exception) -> Fault:
    """The fault behind an SDK's exception, with every secret redacted.

    Uses what the SDKs have in common: `status_code` or a numeric `code`, and the `response` of their HTTP library;
    without a response, `body` or `details`.
    """
    error = _unwrapped(error)
    redirect = _cause_of_type(error, RedirectRefused)
    if redirect is not None:
        way_out = "check the address (base_url): if you trust the other one, use that"
        return Fault("RedirectRefused", _short(redacted(str(redirect))), hopeless=True, way_out=way_out)
    status = _status(error)
    if status is not None:
        received = received_of(getattr(error, "response", None))
        if received is not None:
            return read_received(received, type=type(error).__name__)
        body = getattr(error, "body", None) or getattr(error, "details", None)
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return fault_of(body, type=type(error).__name__, message=str(error), status=status, headers=headers)
    messages = " ".join(map(str, _chain(error)))
    tls = PORT_SPEAKS_HTTPS if _TLS_ALERT.search(messages) else find_tls_fault(error)
    if tls is not None:
        return tls_fault(tls, type=type(error).__name__)
    return _fault_without_reply(error)


def tls_fault(tls: TlsFault, *, type: str) -> Fault:
    """The fault of a connection that TLS refused."""
    return Fault(type, _short(redacted(tls.message)), unreachable=True, hopeless=True, way_out=tls.way_out)


def _unwrapped(error: Exception) -> Exception:
    """The error that says most: wrappers hide the status, or have the whole request in their message."""
    attempt = getattr(error, "last_attempt", None)  # tenacity's wrapper, which Inspect raises
    inner = attempt.exception() if attempt is not None else None
    if isinstance(inner, Exception):
        error = inner
    if isinstance(error.__cause__, Exception) and _status(error.__cause__) is not None:
        error = error.__cause__  # Inspect's wrapper
    if isinstance(error.__cause__, UnreadableReply):
        error = error.__cause__  # the SDKs take it for a lost connection
    return error


def _fault_without_reply(error: Exception) -> Fault:
    """The fault where no reply came, or it could not be read."""
    class_name = type(error).__name__
    unreachable = _is_unreachable(error)
    timed_out = not unreachable and (isinstance(error, TimeoutError) or "timeout" in class_name.lower())
    names_of_bases = " ".join(base.__name__ for base in type(error).__mro__)
    cause = error.__cause__  # "Connection error." says less
    message = f"{error} ({type(cause).__name__}: {cause})" if cause else str(error)
    if timed_out:
        return fault_of(None, type="TimeoutError", message=f"no answer in time: {message}")
    is_transport_error = _TRANSPORT.search(names_of_bases) is not None
    return fault_of(
        None, type=class_name, message=message, lost=unreachable or is_transport_error, unreachable=unreachable
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that it was raised from."""
    for _ in range(_LONGEST_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _cause_of_type(error: BaseException, error_type: type[Exception]) -> BaseException | None:
    return next((cause for cause in _chain(error) if isinstance(cause, error_type)), None)


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether an error, or one that it was raised from, says that there was no connection."""
    for cause in _chain(error):
        if any(_NO_CONNECTION.search(base.__name__) for base in type(cause).__mro__):
            return True
    return False


def _status(error: BaseException) -> int | None:
    """The HTTP status that an SDK's exception has; Google's, known by `details`, has it under `code`."""
    status = getattr(error, "status_code", None)
    if not status and hasattr(error, "details"):
        status = getattr(error, "code", None)
    return status if isinstance(status, int) else None


# Reading a reply


def read_received(received: Received, *, type: str) -> Fault:
    """The fault in a reply whose status is an error's."""
    try:
        body = decode_json(received.data)
    except ValueError:
        body = received.data.decode("utf-8", "replace")
    status = received.status
    fault = fault_of(body, type=type, message=f"HTTP {status}", status=status, headers=received.headers)
    if received.not_whole:
        fault = replace(fault, message=_short(f"HTTP {status}, and {received.not_whole}; it begins: {fault.message}"))
    if _HTTP_TO_HTTPS_PORT.search(fault.message) and status in (400, 426, 497):
        return replace(fault, hopeless=True, way_out=PORT_SPEAKS_HTTPS.way_out)
    return fault


def fault_in_reply(body: Any) -> Fault | None:
    """The error in the body of a reply with status 200, as gateways send it; None where there is none.

    A status that the error names is used, so that a transient error is tried again.
    """
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        return None
    has_answer = any(body.get(name) for name in ("choices", "content", "candidates", "promptFeedback"))
    error = _error_in(body, has_answer=has_answer)
    is_error = bool(error) or "error" in (body.get("object"), body.get("type"))
    if has_answer and not is_error:
        return None
    return _fault_in_error(body, error, is_error=is_error)


def _fault_in_error(body: dict[str, Any], error: Any, *, is_error: bool) -> Fault | None:
    """The fault in a body with an error, or without an answer; None where nothing in it says that it is one."""
    status = status_said(body)
    fault = fault_of(body, type="ErrorInReply", message=_as_text(error or body), status=status or 200)
    words = fault.message if is_error else "; ".join(_messages(body))
    if status is None and not fault.block and _TRANSIENT_WORDS.search(words):
        return replace(fault, status=503)
    return fault if is_error or status is not None else None


def _error_in(body: dict[str, Any], *, has_answer: bool) -> Any:
    """The error of a reply, or of its first choice; a list of errors counts only where there is no answer."""
    for error in (body.get("error"), at(body, "choices", 0, "error")):
        if not says_nothing(error):
            return error
    return None if has_answer else body.get("errors")


def with_retry_after(fault: Fault, headers: Mapping[str, str]) -> Fault:
    """The fault in a reply, with the wait that the reply's headers ask for."""
    if fault.retry_after is not None:
        return fault
    return replace(fault, retry_after=read_retry_after(headers))


# Reading the body of an error


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
    text = body if isinstance(body, str) else "; ".join(dict.fromkeys(_messages(body)))
    text = text[: 2 * _MAX_PAGE]  # the message keeps less than that: the rest need not be searched for secrets
    categories = ", ".join(dict.fromkeys(_categories(body)))
    return Fault(
        type,
        message=_short(redacted(text.strip() or message or type)),
        status=status,
        codes=error_codes(body),
        retry_after=read_retry_after(headers or {}, _retry_delay(body)),
        lost=lost,
        unreachable=unreachable,
        category=_short(redacted(categories)),
        block=redacted(block_sign(body)),
    )


def _pairs(body: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The keys of a JSON value with what stands under them; not of what it repeats of the request."""
    if depth > _DEEPEST:
        return
    if isinstance(body, dict):
        for key, value in body.items():
            yield key, value
            if key not in _ECHO_KEYS:
                yield from _pairs(value, depth + 1)
    elif isinstance(body, list):
        for value in body:
            yield from _pairs(value, depth + 1)


def _as_text(value: Any) -> str:
    try:
        return str(value)
    except RecursionError:
        return "an error that is nested too deeply to be shown"


def _messages(body: Any) -> Iterator[str]:
    """What an error's body says in words."""
    for key, value in _pairs(body):
        if key not in _MESSAGE_KEYS:
            continue
        if isinstance(value, bool):  # "error": true
            continue
        if isinstance(value, str | int) and str(value).strip():
            yield str(value)
        elif isinstance(value, list) and all(isinstance(part, str | int) for part in value):
            yield ".".join(map(str, value))


def _categories(body: Any) -> Iterator[str]:
    """The categories that a filter gives for a blocked request: Azure's results, OpenRouter's reasons."""
    for form in error_bodies(body):
        error = form.get("error")
        inner_errors = [at(error, key) for key in _INNER_ERROR_KEYS]
        for place in (error, *inner_errors):
            yield from filter_hits(at(place, "content_filter_result"))
            yield from filter_hits(at(place, "content_filter_results"))
        reasons = at(error, "metadata", "reasons")
        if isinstance(reasons, list):
            yield from (reason for reason in reasons if isinstance(reason, str))


def filter_hits(results: Any) -> list[str]:
    """Azure's categories that blocked something, with their severity."""
    if not isinstance(results, dict):
        return []
    hits: list[str] = []
    for name, result in results.items():
        if isinstance(result, dict) and result.get("filtered") is True:
            severity = result.get("severity")
            hits.append(f"{name} ({severity})" if isinstance(severity, str) else str(name))
    return hits


def _retry_delay(body: Any) -> str | None:
    """Google's RetryInfo: how long to wait, such as `17s`."""
    for key, value in _pairs(body):
        if key == "retryDelay" and isinstance(value, str):
            return value
    return None


def _short(text: str) -> str:
    """A message in one line, cut to a readable length; of a web page its words."""
    if re.match(r"\s*<(?:!doctype|html)", text, re.IGNORECASE):  # an error page: only its words are of use
        # Only its beginning: the pattern looks for the end of each tag, which takes long where no tag is closed.
        words = re.sub(r"<(style|script)\b.*?</\1>|<[^<>]*>", " ", text[:_MAX_PAGE], flags=re.IGNORECASE | re.DOTALL)
        text = f"the endpoint replied with a web page, not with JSON: {words}"
    text = " ".join(text[:_MAX_PAGE].split())
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + " …"


# Deciding


def answer_or_raise(fault: Fault, model: str, *, way_out: str, seconds: float | None = None) -> Answer:
    """The answer of a call that failed: blocked, or a failure.

    Raises:
        Denied: This call cannot go through, and perhaps none can: key, permission, model name, money, a firewall.
        Overloaded: The same call may go through later.
    """
    if fault.hopeless:
        raise Denied(f"{model}: {fault.message}", fault.way_out or way_out, type=fault.type, sure=True)
    if _stops_all(fault):
        raise Denied(f"{model}: {fault.message}", way_out, type=fault.type, sure=True)
    if is_block(fault):
        signal = fault.message if fault.block in fault.message else f"{fault.block}: {fault.message}"
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
    """Whether no call can go through: the key or the account is refused, whatever is asked."""
    if fault.status in (401, 402) or fault.codes & _STOP_CODES:
        return True
    return fault.status in (400, 403) and bool(fault.stop_sentence()) and not fault.quotes_request


def is_block(fault: Fault) -> bool:
    """Whether the provider's filter stopped the call, by the provider's own sign.

    With 429 and 5xx it is not a block: the filter itself may be down, and another try may succeed.
    """
    return bool(fault.block) and fault.status in _BLOCK_STATUSES
