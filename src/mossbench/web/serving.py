"""The app behind a socket, and runs to show where there are none."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.errors import MossbenchError, UsageError
from mossbench.plumbing.apart import end_with_parent
from mossbench.plumbing.storage import slug
from mossbench.runs.image_cache import ImageCache
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.web.app import create_app
from mossbench.web.settings import Settings

if TYPE_CHECKING:
    import uvicorn

LONGEST = 60.0
"""Seconds that a request may take to arrive, and an answer to be read."""
DEMO = (
    "control/candid",
    "control/jumpy?rate=0.4",
    "control/filtering?rate=0.3",
    "control/literal?rate=0.5",
    "control/learned?safety=7",
)


def start_demo(folder: Path) -> Callable[[], bool] | None:
    """Makes a run of each control model in the background where the folder holds none but those.

    What comes back tells whether they are still being made; None where there is nothing to make.
    """
    others = {path.name for path in run_folders(folder)} - {slug(model) for model in DEMO}
    if others or not _to_make(folder):
        return None
    # In a process of its own: pages stay quick meanwhile.
    work = multiprocessing.get_context("spawn").Process(target=_make_demo, args=(folder,), daemon=True)
    work.start()
    return work.is_alive


def _make_demo(folder: Path) -> None:
    from mossbench.runs.running import run

    end_with_parent()
    images = ImageCache()
    for model, out in _to_make(folder).items():
        run(model, "sketches", judge="rules", out=out, resume=RunFolder(out).info_path.exists(), images=images)


def _to_make(folder: Path) -> dict[str, Path]:
    """The control models whose runs are not there or not finished; one that is damaged is left alone."""
    found = {}
    for model in DEMO:
        out = folder / slug(model)
        with suppress(MossbenchError):
            if not RunFolder(out).info_path.exists() or RunFolder(out).info().ended is None:
                found[model] = out
    return found


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a UsageError where the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if unread := getattr(socket, "TCP_USER_TIMEOUT", None):  # Linux: ends those who ask and do not read
        found.setsockopt(socket.IPPROTO_TCP, unread, int(LONGEST * 1000))
    try:
        found.bind((host, port))
        found.listen(256)
    except OSError as error:
        found.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --port or --host"
        ) from error
    return found


def serve_app(settings: Settings, listening: socket.socket, *, coming: Callable[[], bool] = lambda: False) -> None:
    asyncio.run(make_server(settings, coming=coming).serve(sockets=[listening]))


def make_server(settings: Settings, *, coming: Callable[[], bool] = lambda: False) -> uvicorn.Server:
    """The app's server. The log has no line for each request: an address may hold a token once."""
    import h11
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Punctual(H11Protocol):
        """Closes connections whose request is not there after LONGEST seconds: uvicorn waits for ever."""

        late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def _watch(self) -> None:
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self.late = self.late or self.loop.call_later(LONGEST, self.transport.abort)
            elif self.late is not None:
                self.late.cancel()
                self.late = None

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        create_app(settings, coming=coming),
        http=Punctual,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    return uvicorn.Server(config)
