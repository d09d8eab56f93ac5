"""Engines: how rows are turned into exchanges. All else of a run is the same for each of them (`runs.recording`).

local   this process asks them
batch   the provider's batch API has them, for up to a day and at a lower price
ray     the workers of a Ray cluster ask them
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from pydantic import Field

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row
from mossbench.errors import UsageError, bad_option, n_of, unknown_name
from mossbench.models import Model
from mossbench.models.connections import Connections, Traffic
from mossbench.models.model import Settings
from mossbench.outcomes import Exchange
from mossbench.runs.batches.queue import POLL
from mossbench.runs.budget import Budget
from mossbench.runs.image_cache import PictureShelf
from mossbench.samples import Record
from mossbench.store.batch_log import pending_rows, pending_rows_text
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import OmitOption, SetOption


@dataclass(frozen=True)
class EngineEntry:
    """Where an engine is, and what is its own."""

    location: str
    """Its module in this folder, and its class. It is imported when it is used: some need an extra."""
    options: frozenset[str] = frozenset()
    """Fields of `EngineOptions` that only it has."""


ENGINES = {
    "local": EngineEntry("local:LocalEngine"),
    "batch": EngineEntry("batch:BatchEngine", frozenset({"poll"})),
    "ray": EngineEntry("ray:RayEngine", frozenset({"address", "workers", "num_cpus", "num_gpus", "storage"})),
}
OnExchange = Callable[[Row, Exchange], Awaitable[None]]
"""Called once with each exchange: writes it down, has it judged, counts it."""


class EngineOptions(Record):
    """Which engine asks, and how; moves no answer, so a run may go on with others."""

    name: str = ""
    """Empty: `batch` as long as rows of the run are pending in batches, else `local`."""
    poll: float = Field(default=POLL, ge=0, allow_inf_nan=False)
    """Of `batch`: seconds between two looks at a batch; 0: one look, and what is not done stays pending."""
    address: str | None = None
    """Of a Ray cluster; None: that of RAY_ADDRESS, else one is started on this machine."""
    workers: int | None = Field(default=None, ge=1)
    """How many; None: as many as the cluster has room for."""
    num_cpus: float = Field(default=1.0, ge=0)
    """Of each worker."""
    num_gpus: float | None = Field(default=None, ge=0)
    """Of each worker; None: one for a local model where the cluster has any, else none."""
    storage: str | None = None
    """Folder or address (fsspec) where workers keep the exchanges too; None: nowhere."""


@dataclass(frozen=True)
class Learnt:
    """What came to light while rows were asked."""

    traffic: Traffic
    sent: dict[str, Any]
    """The settings that really went over the wire."""
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """What an engine needs to ask the rows of one run."""

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

    def learnt(self, settings: Settings) -> Learnt:
        """What came to light so far, of a run whose answers are drawn so."""
        model = self.job.model
        return Learnt(self.job.connections.traffic, model.settings_sent(settings), model.remarks())

    def stop(self) -> bool:
        """Sends no further requests. True: those in flight may end; False: the asking is cancelled."""
        self.job.connections.stop()
        return False

    def under_way(self) -> str:
        """The requests that have no answer yet, for a message about their loss; empty where there are none."""
        n_in_flight = self.job.connections.in_flight
        if not n_in_flight:
            return ""
        return f"{n_of(n_in_flight, 'request')} in flight"

    async def ask(self, rows: Sequence[Row], on_exchange: OnExchange) -> None:
        """Asks the rows, in this order as far as it has one. A row that the budget does not admit is left out."""
        raise NotImplementedError


def engine_options(engine: str | EngineOptions) -> EngineOptions:
    """The options of an engine by its name, or as they are.

    Raises:
        UsageError: There is no such engine, or an option is of another one.
    """
    options = EngineOptions(name=engine) if isinstance(engine, str) else engine
    if options.name and options.name not in ENGINES:
        raise unknown_name("engine", options.name, ENGINES, f"engines are {', '.join(ENGINES)}")
    own_options = ENGINES[options.name or "batch"].options  # without a name it may become `batch`
    chosen_options = options.model_dump(exclude_defaults=True, exclude={"name"})
    for option in sorted(chosen_options):
        if option not in own_options:
            problem = f"is an option of engine {_owner_of(option)!r}, which is not in use"
            raise bad_option(option, problem, OmitOption(option))
    return options


def _owner_of(option: str) -> str:
    """The name of the engine that has this option."""
    return next(name for name, entry in ENGINES.items() if option in entry.options)


def engine_for(options: EngineOptions, folder: RunFolder) -> EngineOptions:
    """The options with a name that fits the run in the folder: rows pending in batches are not asked again."""
    pending = pending_rows(folder.batches_path, judge="")
    if pending is None:
        return options.model_copy(update={"name": options.name or "local"})
    if options.name not in ("", "batch"):
        raise UsageError(
            f"{pending_rows_text(pending)} of the run in {str(folder.path)!r}, and would be paid for twice",
            way_out=SetOption("engine", "batch", to="collect them first"),
        )
    return options.model_copy(update={"name": "batch"})


def make_engine(job: Job) -> Engine:
    """The engine that the job's options name."""
    location = ENGINES[job.options.name].location
    engine_class: type[Engine] = resolve_name(f"{__name__}.{location}")
    return engine_class(job)
