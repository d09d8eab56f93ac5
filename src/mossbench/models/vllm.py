"""`vllm/<checkpoint>`: an open model behind a vLLM server that is started for the run and stopped after it.

For models that are too big for one device, or for many questions: `vllm serve` is a process of its own, called through
its OpenAI-style endpoint. For a server that is already running, use `openai/<model>` with its `base_url`.
"""

import asyncio
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from typing import IO, Any

from mossbench.errors import ModelError, MossbenchError, UsageError
from mossbench.models.keys import redacted, secret
from mossbench.models.model import Model, Prompt, Settings
from mossbench.models.openai import OpenAIModel
from mossbench.outcomes import Answer
from mossbench.ways_out import ask_at_address

START_LIMIT = 3600.0  # seconds; fetching and loading a big model takes long, and a server that died is noticed at once
_STOP_LIMIT = 30.0  # seconds to end by itself
_PAUSE = 0.2  # seconds between two looks


class VllmModel(Model):
    """One checkpoint; its server starts when it is opened, with the further arguments of MOSSBENCH_VLLM_ARGS."""

    limits = OpenAIModel.other_limits

    def __init__(self, checkpoint: str, *, trust_remote_code: bool = False) -> None:
        self.name = f"vllm/{checkpoint}"
        self._checkpoint = checkpoint
        program = shutil.which("vllm")
        if program is None:
            elsewhere = "install it, or ask a server that runs elsewhere"
            raise UsageError(
                f"{self.name} needs the program vllm on the PATH",
                way_out=ask_at_address(f"openai/{checkpoint}", "http://HOST:8000/v1", to=elsewhere),
            )
        self._arguments = [
            *shlex.split(secret("MOSSBENCH_VLLM_ARGS") or ""),
            *(["--trust-remote-code"] if trust_remote_code else []),
        ]
        self._program = program
        self._server: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._client = OpenAIModel(checkpoint, "http://127.0.0.1:8000/v1")  # says now if the extra [openai] is missing
        self._starting = asyncio.Lock()

    def settings_sent(self, settings: Settings) -> dict[str, Any]:
        return {**self._client.settings_sent(settings), "vllm_args": redacted(self._arguments)}

    async def open(self) -> None:
        async with self._starting:
            if self._server is None:
                await self._client.close()
                self._client = OpenAIModel(self._checkpoint, await self._start())

    async def answer(self, prompt: Prompt) -> Answer:
        await self.open()
        if self._server is not None and self._server.poll() is not None:
            raise MossbenchError(f"vllm stopped during the run: {self._last_words()}")
        return await self._client.answer(prompt)

    async def close(self) -> None:
        await self._client.close()
        if self._server is not None and self._server.poll() is None:
            self._server.terminate()
            try:
                await asyncio.to_thread(self._server.wait, _STOP_LIMIT)
            except subprocess.TimeoutExpired:
                self._server.kill()
                await asyncio.to_thread(self._server.wait)
        if self._log is not None:
            self._log.close()
        self._server = None
        self._log = None

    async def _start(self) -> str:
        """The server's address, once it is ready."""
        with socket.socket() as probe:  # a port that is free
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        command = [
            self._program,
            "serve",
            self._checkpoint,
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            *self._arguments,
        ]
        self._log = tempfile.TemporaryFile()
        self._server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        ends = time.monotonic() + START_LIMIT
        while not await asyncio.to_thread(is_ready, f"http://127.0.0.1:{port}/health"):
            if self._server.poll() is not None:
                raise ModelError(f"{self.name} cannot be started: {self._last_words()}")
            if time.monotonic() > ends:
                raise ModelError(f"{self.name} was not ready within {START_LIMIT:g} s: {self._last_words()}")
            await asyncio.sleep(_PAUSE)
        return f"http://127.0.0.1:{port}/v1"

    def _last_words(self) -> str:
        assert self._log is not None and self._server is not None
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        code = self._server.poll()
        ended = "it is still running" if code is None else f"it exited with code {code}"
        return f"{ended}; the end of its log: {redacted(' | '.join(lines[-3:]))[-600:] or 'empty'}"


def is_ready(url: str) -> bool:
    """Whether a server answers at an address."""
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except urllib.error.HTTPError as error:
        error.close()  # it holds the connection
        return False
    except OSError:
        return False
