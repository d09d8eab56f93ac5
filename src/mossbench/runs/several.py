"""Runs of several models, and runs beside other async work."""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import mossbench
from mossbench.datasets import Dataset
from mossbench.errors import Interrupted, UsageError
from mossbench.plumbing.coroutines import in_thread
from mossbench.plumbing.storage import slug
from mossbench.runs.progress import OnProgress
from mossbench.store.config import RunConfig


def folders_of(models: Sequence[str], out: str | Path | None) -> list[Path | None]:
    """Where the runs of several models go: each into a folder of its own in `out`, or a new one under `runs/`."""
    if out is None or len(models) == 1:
        return [Path(out) if out is not None else None] * len(models)
    found = [Path(out) / slug(model) for model in models]
    if len(set(found)) < len(found):
        raise UsageError(f"two of {', '.join(models)} would be written into one folder of {out}; run them apart")
    return list(found)


async def arun(
    model: Any,
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    progress: OnProgress | None = None,
    **options: Any,
) -> Any:
    """As `run`, awaited: the caller's own loop goes on meanwhile. Cancelling it stops the run; answers are kept."""
    stopped = threading.Event()

    def step(what: Any, hears: Any = progress) -> None:
        if stopped.is_set():
            raise Interrupted("stopped")
        if hears is not None:
            hears(what)

    # A batch may go on for a day without a row: who is told that it is waited for can stop the run too.
    step.waits = partial(step, hears=getattr(progress, "waits", None))  # type: ignore[attr-defined]
    work = asyncio.ensure_future(in_thread(partial(mossbench.run, model, data, progress=step, **options)))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stopped.set()
        with suppress(Interrupted):
            await work
        raise
