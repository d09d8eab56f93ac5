"""The app behind a socket, and runs to show where there are none."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path

from mossbench.errors import UsageError
from mossbench.runs import run
from mossbench.web.app import create_app
from mossbench.web.settings import Settings
from mossbench.web.shelf import run_folders

DEMO = ("control/candid", "control/stonewall")


def make_demo(folder: Path) -> bool:
    """Makes a run of each control model where the folder holds no run; whether it did."""
    if run_folders(folder):
        return False
    for model in DEMO:
        run(model, "sketches", judge="rules", out=folder / model.replace("/", "-"))
    return True


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a UsageError where the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(256)
    except OSError as error:
        found.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --port or --host"
        ) from error
    return found


def serve_app(settings: Settings, listening: socket.socket) -> None:
    """Serves until it is stopped. The log has no line for each request: an address may hold a token once."""
    import uvicorn

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    app = create_app(settings)
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=3
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
