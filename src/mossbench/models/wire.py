"""What is let in from a provider's connection, whatever the SDK: one bounded reply to each request.

The SDKs share an HTTP library (httpx, or httpx2 in their later versions), whose hooks see each reply before its body is
read. What they replace there is the body's stream.
"""

import sys
import zlib
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from typing import Any

MAX_REPLY_BYTES = 8 * 2**20
"""Decoded; the longest answers that models give have some hundred thousand."""
MAX_RESULTS_BYTES = 2**30
"""The same for the results of a batch, which are thousands of replies."""
_RESULTS = ("/content", "/results", ":download")
CONNECT_LIMIT = 8.0
"""Seconds until there must be a connection; the answer may take longer."""
_ENCODINGS = ("gzip", "deflate", "identity", "")


class UnreadableReply(Exception):
    """A reply that is too large, or encoded in a way that was not asked for: another try would bring the same."""


def hooks() -> dict[str, list[Any]]:
    """The `event_hooks` of a client of the HTTP library."""
    return {"request": [_ask_for_gzip], "response": [_bound]}


def http_client() -> Any:
    """A client of the library with these hooks, for an SDK that has no class of its own for it."""
    try:
        library = import_module("httpx2")
    except ImportError:
        library = import_module("httpx")
    limits = library.Limits(max_connections=1000, max_keepalive_connections=100)
    return library.AsyncClient(event_hooks=hooks(), limits=limits, follow_redirects=True)


async def _ask_for_gzip(request: Any) -> None:
    request.headers["accept-encoding"] = "gzip, deflate"  # what `_decoded` can stop in the middle of


async def _bound(response: Any) -> None:
    library = sys.modules[type(response).__module__.partition(".")[0]]
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise UnreadableReply(f"the reply is encoded as {encoding[:40]!r}, which was not asked for")
    for name in ("content-encoding", "content-length"):
        if name in response.headers:  # else the library would decode it again, without a bound
            del response.headers[name]
    connection = response.extensions.get("network_stream")
    most = MAX_RESULTS_BYTES if response.request.url.path.endswith(_RESULTS) else MAX_REPLY_BYTES
    response.stream = _stream_class(library)(response.stream, encoding in ("gzip", "deflate"), connection, most)


@cache
def _stream_class(library: Any) -> Any:
    class Bounded(library.AsyncByteStream):  # type: ignore[misc]  # the library insists on its own class
        def __init__(self, inner: Any, encoded: bool, connection: Any, most: int) -> None:
            self._inner, self._encoded, self._connection, self._most = inner, encoded, connection, most

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = self._most
            decoder = zlib.decompressobj(wbits=47) if self._encoded else None  # 47: gzip or zlib, as its header says
            try:
                async for chunk in self._inner:
                    data = _decoded(decoder, chunk, left + 1) if decoder else chunk
                    left -= len(data)
                    if left < 0:
                        raise UnreadableReply(f"the reply has more than {self._most:,} bytes")
                    yield data
            except UnreadableReply:
                await self.aclose()  # not every SDK does
                raise
            if self._connection is not None and _more_came(self._inner):
                await self._connection.aclose()

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


def _decoded(decoder: Any, chunk: bytes, most: int) -> bytes:
    try:
        return bytes(decoder.decompress(chunk, most))
    except zlib.error as error:
        raise UnreadableReply(f"the reply says that it is compressed and cannot be decoded: {error}") from error
