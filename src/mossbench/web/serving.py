"""Serves the app on a socket, and makes runs of control models where there are no others to show."""

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
from mossbench.judges import DEFAULT_JUDGE
from mossbench.plumbing.apart import end_with_parent
from mossbench.plumbing.file_names import slug
from mossbench.runs.image_cache import ImageCache
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.web.app import create_app
from mossbench.web.settings import Settings

if TYPE_CHECKING:
    import uvicorn

LONGEST = 60.0
"""Seconds that a request may take to arrive, and an answer to be read."""
DEMO_MODELS = (
    "control/candid",
    "control/jumpy?rate=0.4",
    "control/filtering?rate=0.3",
    "control/literal?rate=0.5",
    "control/learned?safety=7",
)


def start_demo(folder: Path) -> Callable[[], bool] | None:
    """Makes a run of each control model in the background, if the folder has no other runs.

    Returns a function that says whether they are still being made; None where there is nothing to make.
    """
    own_runs = {path.name for path in run_folders(folder)} - {slug(model) for model in DEMO_MODELS}
    if own_runs or not demo_runs_to_make(folder):
        return None
    # In a process of its own, so that pages stay quick.
    process = multiprocessing.get_context("spawn").Process(target=_make_demo, args=(folder,), daemon=True)
    process.start()
    return process.is_alive


def _make_demo(folder: Path) -> None:
    from mossbench.runs.running import run

    end_with_parent()
    images = ImageCache()
    for model, out in demo_runs_to_make(folder).items():
        run(model, "sketches", judge=DEFAULT_JUDGE, out=out, resume=RunFolder(out).info_path.exists(), images=images)


def demo_runs_to_make(folder: Path) -> dict[str, Path]:
    """The control models whose runs are missing or not finished, with their folders; damaged runs are left alone."""
    folders = {}
    for model in DEMO_MODELS:
        out = folder / slug(model)
        with suppress(MossbenchError):
            if not RunFolder(out).info_path.exists() or RunFolder(out).info().ended is None:
                folders[model] = out
    return folders


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a UsageError where the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    user_timeout = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it
    if user_timeout is not None:  # ends connections of clients that send requests and do not read the answers
        listening.setsockopt(socket.IPPROTO_TCP, user_timeout, int(LONGEST * 1000))
    try:
        listening.bind((host, port))
        listening.listen(256)
    except OSError as error:
        listening.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --port or --host"
        ) from error
    return listening


def serve_app(
    settings: Settings, listening: socket.socket, *, is_demo_running: Callable[[], bool] = lambda: False
) -> None:
    asyncio.run(make_server(settings, is_demo_running=is_demo_running).serve(sockets=[listening]))


def make_server(settings: Settings, *, is_demo_running: Callable[[], bool] = lambda: False) -> uvicorn.Server:
    """The app's server. The log has no line for each request: an address may hold a token once."""
    import h11
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Punctual(H11Protocol):
        """Closes connections whose request has not arrived after LONGEST seconds: uvicorn waits for ever."""

        arrival_timeout: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._start_or_stop_timeout()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._start_or_stop_timeout()

        def _start_or_stop_timeout(self) -> None:
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                if self.arrival_timeout is None:
                    self.arrival_timeout = self.loop.call_later(LONGEST, self.transport.abort)
            elif self.arrival_timeout is not None:
                self.arrival_timeout.cancel()
                self.arrival_timeout = None

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        create_app(settings, is_demo_running=is_demo_running),
        http=Punctual,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    return uvicorn.Server(config)
