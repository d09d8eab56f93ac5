"""Engines: how rows are turned into exchanges. All else of a run is the same for each of them (`runs.asking`).

local   this process asks them
batch   the provider's batch API has them, for up to a day and at a lower price
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic import Field

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row
from mossbench.errors import UsageError, unknown_name
from mossbench.models import Model
from mossbench.models.connections import Connections
from mossbench.outcomes import Exchange
from mossbench.runs.batch_queue import POLL
from mossbench.runs.batches import said_out
from mossbench.runs.budget import Budget
from mossbench.runs.config import RunConfig
from mossbench.runs.folder import RunFolder
from mossbench.runs.image_cache import PictureShelf
from mossbench.samples import Record

ENGINES = {"local": "local:LocalEngine", "batch": "batch:BatchEngine"}
"""Engines by name: their modules in this folder and their classes."""
Done = Callable[[Row, Exchange], Awaitable[None]]
"""Told of each exchange once: writes it down, has it judged, counts it."""


class EngineOptions(Record):
    """Which engine asks, and how; moves no answer, so a run may go on with others."""

    name: str = ""
    """Empty: `batch` as long as rows of the run are out in batches, else `local`."""
    poll: float = Field(default=POLL, ge=0, allow_inf_nan=False)
    """Of `batch`: seconds between two looks at a batch; 0: one look, and what is not done stays out."""


@dataclass(frozen=True)
class Job:
    """What an engine is made from."""

    model: Model
    config: RunConfig
    data: Dataset
    """Both sides, all samples."""
    connections: Connections
    pictures: PictureShelf
    folder: RunFolder
    budget: Budget
    options: EngineOptions


class Engine:
    """Base of all engines: give it an `ask`."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def load(self, systems: Iterable[str]) -> None:
        """Makes ready to ask under these system prompts, before the run has a folder; raises where it cannot."""
        self.job.model.load(systems)

    async def ask(self, rows: Sequence[Row], done: Done) -> None:
        """Asks the rows, in this order as far as it has one. A row that the budget does not admit is left out."""
        raise NotImplementedError


def engine_options(engine: str | EngineOptions) -> EngineOptions:
    """The options of an engine by its name, or as they are; a UsageError where there is no such engine."""
    options = EngineOptions(name=engine) if isinstance(engine, str) else engine
    if options.name and options.name not in ENGINES:
        raise unknown_name("engine", options.name, ENGINES, f"engines are {', '.join(ENGINES)}")
    return options


def engine_for(options: EngineOptions, folder: RunFolder) -> EngineOptions:
    """The same, with a name that fits the run in the folder: what is out in batches is paid for and asked once."""
    out = said_out(folder.batches_path, judged=False)
    if out and options.name not in ("", "batch"):
        raise UsageError(
            f"{out} of the run in {str(folder.path)!r}, and would be paid for twice: collect them first with "
            "`engine='batch'`"
        )
    return options.model_copy(update={"name": options.name or ("batch" if out else "local")})


def make_engine(job: Job) -> Engine:
    module, _, name = ENGINES[job.options.name].partition(":")
    made: Any = getattr(import_module(f"{__name__}.{module}"), name)
    return made(job)  # type: ignore[no-any-return]
