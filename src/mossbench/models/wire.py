"""What goes out to a provider's address and is let in from it, whatever the SDK: one bounded reply to each request.

The SDKs share an HTTP library (httpx, or httpx2 in their later versions), whose hooks see each request before it is
sent, and each reply before its body is read. What they replace there is the body's stream.

A request carries a key and a question. It stays with the origin (scheme, host, port) that it was made for, and it stays
what it is: no redirect leads it elsewhere, and none turns it into a GET without a question.
"""

import os
import ssl
import sys
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from mossbench.errors import UsageError

MAX_REPLY_BYTES = 8 * 2**20
"""Decoded; the longest answers that models give have some hundred thousand."""
MAX_RESULTS_BYTES = 2**30
"""The same for the results of a batch, which are thousands of replies."""
_RESULTS = ("/content", "/results", ":download")
CONNECT_LIMIT = 8.0
"""Seconds until there must be a connection; the answer may take longer."""
_ENCODINGS = ("gzip", "deflate", "identity", "")
_GZIP_MAGIC = b"\x1f\x8b"
_MOST_MEMBERS = 100_000  # of one gzip: each may be empty, so that no bound on bytes would end them
_UPLOAD_URL = "x-goog-upload-url"  # where Google wants the content of a file
_MOST_REDIRECTS = 5
_DEFAULT_PORTS = {"http": 80, "https": 443}
_FIRST_REQUEST = "mossbench_first_request"
_NOT_WHOLE = "mossbench_not_whole"


class UnreadableReply(Exception):
    """A reply that is too large, or encoded in a way that was not asked for: another try would bring the same."""


class RedirectRefused(Exception):
    """The endpoint redirects a request to where it may not go; another try would bring the same."""


def hooks() -> dict[str, list[Any]]:
    """The `event_hooks` of an async client of the HTTP library."""
    return {"request": [_prepare], "response": [_bound]}


def blocking_hooks() -> dict[str, list[Any]]:
    """The `event_hooks` of a client that is not async: redirects are held back, replies are not bounded."""
    return {"request": [_hold_back], "response": []}


def guard(client: Any) -> None:
    """Adds the hooks, once, to an async client of the HTTP library that somebody else made."""
    if _prepare in client.event_hooks["request"]:
        return
    ours = hooks()
    client.event_hooks = {name: [*ours[name], *client.event_hooks[name]] for name in ours}


def http_client() -> Any:
    """A client of the library with these hooks, for an SDK that has no class of its own for it."""
    try:
        library = import_module("httpx2")
    except ImportError:
        library = import_module("httpx")
    limits = library.Limits(max_connections=1000, max_keepalive_connections=100)
    trusted = trusted_certificates(library)
    return library.AsyncClient(event_hooks=hooks(), limits=limits, follow_redirects=True, verify=trusted)


def library_of(client_class: Any) -> Any:
    """The HTTP library that an SDK's client class is made with."""
    return sys.modules[client_class.__base__.__module__.partition(".")[0]]


def trusted_certificates(library: Any) -> Any:
    """The certificates to trust, as the library finds them; a UsageError where those that the user names are no use."""
    try:
        return library.create_ssl_context()
    except (OSError, ssl.SSLError) as error:
        named = [
            f"{name} is {os.environ[name]!r}" for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)
        ]
        if not named:
            raise
        problem = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{', '.join(named)}, which cannot be used: {problem}; expected a file of certificates in PEM format"
        ) from error


# Requests


@dataclass
class _FirstRequest:
    """What was asked for, before any redirect."""

    method: str
    origin: str
    n_redirects: int = 0


def _hold_back(request: Any) -> None:
    """Called before each request, also those that the library makes of a redirect."""
    origin = _origin(request.url)
    first = request.extensions.get(_FIRST_REQUEST)
    if first is None:
        request.extensions = {**request.extensions, _FIRST_REQUEST: _FirstRequest(request.method, origin)}
        return
    first.n_redirects += 1
    if origin != first.origin:
        raise RedirectRefused(
            f"{first.origin} redirects to {origin}, another origin: neither the request nor its key was sent there"
        )
    if request.method != first.method:
        raise RedirectRefused(
            f"{first.origin} replied to a {first.method} with a redirect that makes it a {request.method}, without "
            "what was asked: it was not followed"
        )
    if first.n_redirects > _MOST_REDIRECTS:
        raise RedirectRefused(f"{first.origin} redirects more than {_MOST_REDIRECTS} times")


def _origin(url: Any) -> str:
    scheme = str(url.scheme).lower()
    host = str(url.host).lower()
    port = url.port or _DEFAULT_PORTS.get(scheme)
    host_text = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host_text}" if port == _DEFAULT_PORTS.get(scheme) else f"{scheme}://{host_text}:{port}"


async def _prepare(request: Any) -> None:
    request.headers["accept-encoding"] = "gzip, deflate"  # what `_Decompressor` can stop in the middle of
    last_reply = _last_reply.get()
    if last_reply is not None:
        last_reply.response = None  # that of the request before, such as a redirect
    _hold_back(request)


# Replies


@dataclass(frozen=True)
class Received:
    """A reply as it came over the wire."""

    status: int
    headers: Mapping[str, str]
    data: bytes
    not_whole: str = ""
    """Why `data` is not all of it."""


class KeptReply:
    """The last reply to a call, before an SDK makes something of it: each SDK makes something else."""

    def __init__(self) -> None:
        self.response: Any = None

    def received(self) -> Received | None:
        """None where no reply came, or not to its end."""
        return None if self.response is None else received_of(self.response)


def received_of(response: Any) -> Received | None:
    """The reply in a response of the HTTP library; None where it was not read to its end."""
    try:
        data = bytes(response.content)
        not_whole = response.extensions.get(_NOT_WHOLE, "")
        return Received(int(response.status_code), response.headers, data, not_whole)
    except (AttributeError, TypeError, RuntimeError):  # no such object, or one that was not read
        return None


_last_reply: ContextVar[KeptReply | None] = ContextVar("kept_reply", default=None)


@contextmanager
def keep_reply() -> Iterator[KeptReply]:
    """Within it the last reply of every client with our hooks is kept."""
    last_reply = KeptReply()
    token = _last_reply.set(last_reply)
    try:
        yield last_reply
    finally:
        _last_reply.reset(token)


async def _bound(response: Any) -> None:
    library = sys.modules[type(response).__module__.partition(".")[0]]
    last_reply = _last_reply.get()
    if last_reply is not None and not response.request.url.path.endswith(
        "/count_tokens"
    ):  # which only Inspect asks for
        last_reply.response = response
    _check_location(response, library)
    _check_upload_url(response)
    encoding = response.headers.get("content-encoding", "").strip().lower().removeprefix("x-")
    reply_fails = response.status_code >= 300
    if encoding not in _ENCODINGS and not reply_fails:
        raise UnreadableReply(f"the reply is encoded as {encoding[:40]!r}, which was not asked for")
    for name in ("content-encoding", "content-length"):
        if name in response.headers:  # else the library would decode it again, without a bound
            del response.headers[name]
    max_bytes = MAX_RESULTS_BYTES if response.request.url.path.endswith(_RESULTS) else MAX_REPLY_BYTES
    response.stream = _stream_class(library)(response, encoding, max_bytes)


def _check_location(response: Any, library: Any) -> None:
    if response.has_redirect_location:
        try:
            library.URL(response.headers["location"])
        except Exception as error:  # the library's own, which differ
            origin = _origin(response.request.url)
            raise RedirectRefused(f"{origin} redirects to an address that cannot be read: {error}") from error


def _check_upload_url(response: Any) -> None:
    """The requests of a batch go where a reply says, without a redirect: no other origin is taken for it, either."""
    named = response.headers.get(_UPLOAD_URL)
    if named is None:
        return
    own_origin = _origin(response.request.url)
    try:
        origin = _origin(response.request.url.join(named))
    except Exception as error:  # the library's own, which differ
        raise RedirectRefused(f"{own_origin} names an address for the upload that cannot be read: {error}") from error
    if origin != own_origin:
        raise RedirectRefused(f"{own_origin} wants the upload at {origin}, another origin: nothing was sent there")


@cache
def _stream_class(library: Any) -> Any:
    class Bounded(library.AsyncByteStream):  # type: ignore[misc]  # the library insists on its own class
        """The body of a reply. That of a failure is cut where it cannot be read on: its status says enough."""

        def __init__(self, response: Any, encoding: str, most: int) -> None:
            self._response = response
            self._inner = response.stream
            self._encoding = encoding
            self._connection = response.extensions.get("network_stream")
            self._most = most

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for data in self._read():
                    yield data
            except UnreadableReply as error:
                await self.aclose()  # not every SDK does
                if self._response.status_code < 300:
                    raise
                self._response.extensions = {**self._response.extensions, _NOT_WHOLE: str(error)}
                return
            if self._connection is not None and _more_came(self._inner):
                await self._connection.aclose()

        async def _read(self) -> AsyncIterator[bytes]:
            if self._encoding not in _ENCODINGS:
                raise UnreadableReply(f"the reply is encoded as {self._encoding[:40]!r}, which was not asked for")
            n_left = self._most
            decoder = _Decompressor() if self._encoding in ("gzip", "deflate") else None
            async for chunk in self._inner:
                data = decoder.decode(chunk, n_left + 1) if decoder else chunk
                if len(data) > n_left:
                    yield data[:n_left]
                    raise UnreadableReply(f"the reply has more than {self._most:,} bytes")
                n_left -= len(data)
                yield data

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Bounded


def _more_came(stream: Any) -> bool:
    """Whether bytes came after the end of a reply, which the library would take for the reply to the next request.

    They lie in its parser, to which no public way leads; where that is not found, the answer is yes. What comes later,
    the library notices itself when it takes the connection again; not what comes just then.
    """
    inner = ("_h11_state", "_connection", "_httpcore_stream", "_stream")
    for _ in range(8):
        if hasattr(stream, "trailing_data"):
            return bool(stream.trailing_data[0])
        stream = next((getattr(stream, name) for name in inner if hasattr(stream, name)), None)
    return True


class _Decompressor:
    """Decodes gzip, of any number of members, and deflate, with zlib's header or without."""

    def __init__(self) -> None:
        self._decoder: Any = None
        self._n_members = 0
        self._held_back = b""  # too little to tell what begins with it

    def decode(self, chunk: bytes, most: int) -> bytes:
        """What comes of the next chunk, up to so many bytes.

        Raises:
            UnreadableReply: It is not compressed as it should be.
        """
        data = self._held_back + chunk
        self._held_back = b""
        decoded = bytearray()
        try:
            while data and len(decoded) < most:
                if self._decoder is None or self._decoder.eof:
                    data = self._begin_member(data)
                    if not data:
                        break
                decoded += self._decoder.decompress(data, most - len(decoded))
                data = self._decoder.unused_data
        except zlib.error as error:
            raise UnreadableReply(f"the reply says that it is compressed and cannot be decoded: {error}") from error
        return bytes(decoded)

    def _begin_member(self, data: bytes) -> bytes:
        """Makes a decoder for what begins here; the data for it, empty where none begins (yet)."""
        is_first = self._decoder is None
        if not is_first:
            data = data.lstrip(b"\0")  # padding
        if len(data) < len(_GZIP_MAGIC):
            self._held_back = data
            return b""
        if not is_first and not data.startswith(_GZIP_MAGIC):
            return b""  # junk behind the end
        self._n_members += 1
        if self._n_members > _MOST_MEMBERS:
            raise UnreadableReply(f"the reply is compressed in more than {_MOST_MEMBERS:,} parts")
        # 47: gzip or zlib, as the header says; -15: neither.
        self._decoder = zlib.decompressobj(wbits=47 if _has_header(data) else -15)
        return data


def _has_header(data: bytes) -> bool:
    """Whether compressed data begin with the header of gzip or of zlib."""
    is_zlib = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    return is_zlib or data.startswith(_GZIP_MAGIC)
