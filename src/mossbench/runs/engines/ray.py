"""The engine `ray`: blocks of rows go to the workers of a Ray cluster; needs the extra [ray].

A worker loads the model by its name once and takes many blocks, a few at a time. It gives back each exchange as it
comes, so one that is lost costs only what it had under way: the rest of its blocks goes to others. This process alone
writes the run's folder. Workers find the model and the data where this process does, and ask only where version and
hashes are the same. With `storage` a block's exchanges are kept there too, as a file of lines, from where the next
session takes them if this one is killed.
"""

from __future__ import annotations

import asyncio
import math
import os
import platform
import uuid
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, cast

import mossbench
from mossbench.datasets import as_dataset
from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, RunError, UsageError, needing
from mossbench.models import load_model
from mossbench.models.connections import Traffic
from mossbench.models.model import Settings
from mossbench.outcomes import Answer, Exchange, Key
from mossbench.plumbing.coroutines import together
from mossbench.plumbing.storage import to_json
from mossbench.protocols import digest
from mossbench.runs.asking import ask, connections_of, exchange_of, settings_of
from mossbench.runs.engines import Done, Engine, Job, Learnt
from mossbench.runs.engines.ray_losses import lost_nodes, no_room, no_worker_left, not_placed, reason_of
from mossbench.runs.image_cache import PictureShelf
from mossbench.runs.inputs import model_options
from mossbench.runs.selection import select_samples
from mossbench.store.config import OPERATIONAL
from mossbench.store.run_info import RunInfo

with needing("engine 'ray'", "ray"):
    import fsspec
    import ray
    from ray.exceptions import RayError, RayTaskError

BLOCK = 64  # rows: two batches on a GPU
PLACED = 120.0  # seconds for a process to be there; a model may then load for as long as it takes
_ours: list[tuple[str | None, dict[str, str]]] = []  # the address that was joined, None: begun here; workers' variables
First = Callable[[Exchange], Awaitable[None]]  # told of each exchange; only the first of a row counts
LOST = 6  # workers in a row without an answer between them, and there is none in their place


class Worker:
    """The actor: one model, asked many blocks of the run in `info`."""

    def __init__(self, info: RunInfo, systems: tuple[str, ...], here: str, storage: str | None) -> None:
        self._info, self._systems, self._here, self._storage = info, systems, here, storage

    async def load(self) -> RunError | None:
        """Makes ready to ask; says why it cannot."""
        info, config = self._info, self._info.config
        if os.path.isdir(self._here):  # paths are relative to the folder of the process that writes the run
            os.chdir(self._here)
        try:
            if mossbench.__version__ != info.mossbench:
                raise RunError(f"it has mossbench {mossbench.__version__}, not {info.mossbench}; install the same")
            self._model = load_model(config.model, **model_options(config.model_dump()))
            data = as_dataset(config.data, columns=config.columns)
            if (self._model.version, data.select(config.side).hashes) != (info.model_version, info.dataset.hashes):
                raise RunError(f"its {config.model} or its {config.data} is another one: version or hashes differ")
            self._model.read_data(data.samples, data.columns)
            self._model.check(select_samples(data, config).samples)
            self._model.load(self._systems)
            self._pictures = PictureShelf(data, self._model.limits, alike=info.one_format)
            self._connections = connections_of(config, self._model)
            await self._model.open()
        except (MossbenchError, OSError) as error:
            return RunError(f"a worker on {platform.node()} cannot ask: {error}")
        return None

    async def ask(self, rows: Sequence[Row]) -> AsyncIterator[Exchange | Learnt | RunError]:
        """The exchanges as they come; at the end what was learnt."""
        came = list[Exchange]()
        for task in asyncio.as_completed([self._one(row) for row in rows]):
            if (found := await task) is not None:
                yield found
            if isinstance(found, Exchange):
                came.append(found)
        try:
            if self._storage is not None and came:
                _store(self._storage, came)
        except Exception as error:  # whatever a file system raises
            yield RunError(f"{self._storage} cannot be written: {error!r}")
        sent = self._model.settings_sent(settings_of(self._info.config))
        yield Learnt(self._connections.traffic, sent, self._model.remarks())

    async def _one(self, row: Row) -> Exchange | RunError | None:
        try:
            return await ask(row, self._model, self._pictures, self._info.config, self._connections)
        except MossbenchError as error:
            return RunError(str(error))
        except asyncio.CancelledError:  # another row has found out that no row can be asked
            return None


class Seat:
    """A place for a worker; when one is lost, another takes it, but not for ever."""

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start, self._lock, self.actor = start, asyncio.Lock(), cast(Any, None)
        self.n_lost, self.why = 0, "they were lost one after another"
        """How many were lost since the last answer, and why there is none now."""
        self.last_loss = ""
        """What Ray said when the last one was lost; empty: none was."""

    async def taken(self) -> Any:
        """The worker on it, with its model loaded; None: there can be none."""
        async with self._lock:
            while self.actor is None and self.n_lost < LOST:
                actor = self._start()
                try:
                    await asyncio.wait_for(actor.__ray_ready__.remote(), PLACED)
                    if error := await actor.load.remote():
                        raise error
                    self.actor = actor
                except TimeoutError:
                    self.n_lost = LOST
                    self.why = not_placed(PLACED, self.last_loss, _lost_nodes())
                except RayTaskError:
                    raise
                except RayError as lost:
                    self.note_loss(lost)
                    self.n_lost += 1
                finally:
                    if self.actor is None:
                        ray.kill(actor)
            return self.actor

    def note_loss(self, lost: RayError) -> None:
        self.last_loss = reason_of(lost)
        self.why = f"they were lost one after another, the last one so: {self.last_loss}"

    def free(self) -> None:
        if self.actor is not None:
            ray.kill(self.actor)
        self.actor = None


class RayEngine(Engine):
    """The process that hands out blocks and takes exchanges back."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self._systems, self._learnt = tuple[str, ...](), dict[Any, Learnt]()

    def load(self, systems: Iterable[str]) -> None:
        model, options = self.job.model, self.job.options
        try:
            load_model(model.name, **model_options(self.job.config.model_dump()))
        except MossbenchError as error:
            said = f"workers load the model by its name, and {model.name!r} cannot be loaded: {error}"
            raise UsageError(said) from error
        if options.storage is not None:
            _files(options.storage)
        self._systems = tuple(systems)
        if ray.is_initialized() and _ours and (options.address, dict(os.environ)) not in _ours:
            ray.shutdown()
        if not ray.is_initialized():
            local: Any = {} if options.address else {"include_dashboard": False}
            try:
                ray.init(options.address, log_to_driver=False, logging_level="error", **local)
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                where = options.address or os.environ.get("RAY_ADDRESS", "this machine")
                raise RunError(f"no Ray cluster at {where}: {error}") from error
            _ours[:] = [(options.address, dict(os.environ))]  # a key that is set later is not among them

    def learnt(self, settings: Settings) -> Learnt:
        if not self._learnt:
            return super().learnt(settings)
        *_, last = told = list(self._learnt.values())
        remarks = dict.fromkeys(text for one in told for text in one.remarks)
        return Learnt(sum((one.traffic for one in told), Traffic()), last.sent, tuple(remarks))

    async def ask(self, rows: Sequence[Row], done: Done) -> None:
        left = {row.key: row for row in rows}

        async def first(exchange: Exchange) -> None:  # whoever else has it comes too late
            if row := left.pop(exchange.key, None):
                await done(row, exchange)

        seats: list[Seat] = []
        try:
            info, url = self.job.folder.info(), self.job.options.storage
            storage = _storage_of(url, info, self.job.folder.path.name) if url else None
            for exchange in _stored(storage) if storage else ():
                if exchange.answer.error is None:  # of a session that was killed
                    await first(exchange)
            seats += self._seats(len(left), info, storage) if left else []
            for alone in (False, False, True, True):
                if left and not self.job.budget.stopped:
                    await self._hand_out(seats, left, first, alone)
            for row in () if self.job.budget.stopped else list(left.values()):
                failed = Answer.failed("model", "each worker that asked it was lost")
                await first(exchange_of(row, (), failed))
            if storage and not left:
                files, path = _files(storage)
                if files.exists(path):
                    files.rm(path, recursive=True)
        finally:
            for seat in seats:
                seat.free()

    def _seats(self, n_rows: int, info: RunInfo, storage: str | None) -> list[Seat]:
        """As many as were asked for, or as the cluster has room for; they share the run's connections."""
        config, model, options, there = self.job.config, self.job.model, self.job.options, ray.cluster_resources()
        on_gpu = 1.0 if model.batch_size is not None and there.get("GPU") else 0.0
        gpus = on_gpu if options.num_gpus is None else options.num_gpus
        needed = {"CPU": options.num_cpus, "GPU": gpus}
        room = min((int(there.get(kind, 0) // n) for kind, n in needed.items() if n), default=int(there.get("CPU", 1)))
        if not (n := options.workers or room):
            said = ", ".join(f"{n:g} {kind} of {there.get(kind, 0):g}" for kind, n in needed.items() if n)
            raise RunError(no_room(said, _lost_nodes(), self.job.folder.resume_call))
        most = config.max_connections
        n = min(n, n_rows, most) if model.batch_size is None else min(n, n_rows)
        each = {"max_connections": max(1, most // n), "start_connections": max(1, config.start_connections // n)}
        info = info.model_copy(update={"config": config.model_copy(update=each)})
        actor_class = ray.remote(Worker).options(num_cpus=options.num_cpus, num_gpus=gpus, max_concurrency=1000)
        return [Seat(partial(actor_class.remote, info, self._systems, os.getcwd(), storage)) for _ in range(n)]

    async def _hand_out(self, seats: list[Seat], left: dict[Key, Row], first: First, alone: bool) -> None:
        """Gives each seat two blocks at a time; `alone`: one row, to find out which one it is that ends workers."""
        size, n_slots, budget = min(BLOCK, -(-len(left) // (2 * len(seats)))), 2, self.job.budget
        if budget.limit < math.inf:  # each row is admitted for itself
            size, n_slots = 1, max(2, 2 * self.job.config.max_connections // len(seats))
        size, n_slots = (1, 1) if alone else (size, n_slots)
        rows = list(left.values())
        blocks = deque(rows[i : i + size] for i in range(0, len(rows), size))
        waiting = set[Any]()

        async def slot(seat: Seat) -> None:
            while blocks and not budget.stopped:
                waiting.add(task := asyncio.current_task())
                if (actor := await seat.taken()) is None:
                    return
                waiting.discard(task)
                async with budget.place("row") as admitted:
                    if admitted and blocks:  # shared by all: each takes the next one when it is free
                        try:
                            await self._through(seat, actor, blocks.popleft(), first)
                        except RayTaskError:
                            raise
                        except RayError as lost:
                            if actor is seat.actor:  # else another has taken its place already
                                seat.note_loss(lost)
                                seat.free()
                                seat.n_lost += not alone
            for task in waiting:  # for a worker that has no room yet, or loads: nothing is left for it
                task.cancel()

        rest = iter(lambda: blocks.popleft() if blocks else None, None)
        await together((slot(seat) for _ in range(n_slots) for seat in seats), rest)
        if left and all(seat.n_lost >= LOST for seat in seats):
            why = next((seat.why for seat in seats if seat.last_loss), seats[0].why)
            raise RunError(no_worker_left(why, _lost_nodes(), self.job.folder.resume_call))

    async def _through(self, seat: Seat, actor: Any, block: list[Row], first: First) -> None:
        """Takes back what comes of a block; what has come is written down, whatever happens then."""
        error, writing = cast(RunError | None, None), list[asyncio.Future[None]]()
        try:
            async for ref in actor.ask.options(num_returns="streaming").remote(block):
                found = await ref
                if isinstance(found, RunError):
                    error = found  # the others in flight still come
                elif isinstance(found, Learnt):
                    self._learnt[actor] = found
                else:
                    seat.n_lost = 0
                    writing.append(asyncio.ensure_future(first(found)))
        finally:
            for one in await asyncio.gather(*writing, return_exceptions=True):
                if one is not None:
                    raise one
        if error is not None:
            raise error


def _lost_nodes() -> list[str]:
    """Names of the cluster's nodes that are gone; none where the cluster itself no longer answers."""
    try:
        return lost_nodes(ray.nodes())
    except Exception:  # whatever Ray raises: the worker's own loss is told all the same
        return []


def _files(url: str) -> tuple[Any, str]:
    try:
        return fsspec.core.url_to_fs(url)  # type: ignore[no-any-return]
    except (ValueError, ImportError) as error:
        raise UsageError(f"`storage` is {url!r}, which cannot be written to: {error}") from error


def _storage_of(url: str, info: RunInfo, folder: str) -> str:
    """Where the blocks of this run go, in whichever session they are asked."""
    asked = info.config.model_dump(mode="json", exclude=OPERATIONAL)
    return f"{url.rstrip('/')}/{digest(to_json([folder, info.started, info.dataset.hashes, asked]))}"


def _store(storage: str, exchanges: Sequence[Exchange]) -> None:
    files, path = _files(storage)
    files.makedirs(path, exist_ok=True)
    lines = b"".join(exchange.model_dump_json().encode() + b"\n" for exchange in exchanges)
    files.pipe_file(f"{path}/{uuid.uuid4().hex}.jsonl", lines)


def _stored(storage: str) -> list[Exchange]:
    """The exchanges in all files there; a line that was torn is none."""
    files, path = _files(storage)
    lines = (line for name in files.glob(f"{path}/*.jsonl") for line in files.cat_file(name).splitlines(keepends=True))
    return [Exchange.model_validate_json(line) for line in lines if line.endswith(b"\n")]
