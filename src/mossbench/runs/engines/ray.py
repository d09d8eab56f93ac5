"""The engine `ray`: blocks of rows go to the workers of a Ray cluster; needs the extra [ray].

A worker loads the model by its name once and takes many blocks, a few at a time. It gives back each exchange as it
comes, so one that is lost costs only what it had under way: the rest of its blocks goes to others. This process alone
writes the run's folder. With `storage` a block's exchanges are kept there too, from where the next session takes them
if this one is killed.

`ray_worker` is what runs on the cluster, `ray_seats` the places for workers, `ray_rounds` hands the rows out,
`ray_cluster` joins the cluster, `ray_storage` keeps blocks, `ray_losses` says why there is no worker.
"""

import os
from collections.abc import Iterable, Sequence
from functools import partial

from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, RunError, UsageError, needing
from mossbench.models import load_model
from mossbench.models.connections import Traffic
from mossbench.models.model import Settings
from mossbench.outcomes import Answer
from mossbench.runs.engines import Engine, Job, Learnt, OnExchange
from mossbench.runs.engines.ray_cluster import WorkerNeeds, join_cluster, names_of_lost_nodes
from mossbench.runs.engines.ray_losses import no_room, no_worker_left
from mossbench.runs.engines.ray_rounds import Round, RowsLeft
from mossbench.runs.engines.ray_seats import Actor, Seat
from mossbench.runs.engines.ray_storage import open_storage, remove_storage, storage_of_run, stored_exchanges
from mossbench.runs.engines.ray_worker import Worker
from mossbench.runs.inputs import model_options
from mossbench.runs.row_asking import exchange_of
from mossbench.store.config import RunConfig
from mossbench.store.run_info import RunInfo

with needing("engine 'ray'", "ray"):
    import ray

MAX_CONCURRENCY = 1000
"""Calls that an actor takes at a time; each slot of its seat is one, and they share its connections."""
ROUNDS_IN_BLOCKS = 2
ROUNDS_ALONE = 2
"""Rounds after those, in which each row is asked by itself: one of them may be what ends workers."""


class RayEngine(Engine):
    """The process that hands out blocks and takes exchanges back."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self._systems: tuple[str, ...] = ()
        self._learnt: dict[Actor, Learnt] = {}

    def load(self, systems: Iterable[str]) -> None:
        self._check_model_is_found_by_name()
        options = self.job.options
        if options.storage is not None:
            open_storage(options.storage)  # an address that cannot be is refused before the run has a folder
        self._systems = tuple(systems)
        join_cluster(options.address)

    def _check_model_is_found_by_name(self) -> None:
        name = self.job.model.name
        try:
            load_model(name, **model_options(self.job.config.model_dump()))
        except MossbenchError as error:
            why = f"workers load the model by its name, and {name!r} cannot be loaded: "
            raise UsageError(error.message.after(why)) from error

    def learnt(self, settings: Settings) -> Learnt:
        if not self._learnt:
            return super().learnt(settings)
        of_workers = list(self._learnt.values())
        remarks: dict[str, None] = {}  # each once, in their order
        for learnt in of_workers:
            remarks.update(dict.fromkeys(learnt.remarks))
        traffic = sum((learnt.traffic for learnt in of_workers), Traffic())
        return Learnt(traffic, of_workers[-1].sent, tuple(remarks))

    async def ask(self, rows: Sequence[Row], on_exchange: OnExchange) -> None:
        rows_left = RowsLeft(rows, on_exchange)
        seats: list[Seat] = []
        try:
            info = self.job.folder.info()
            storage = self._storage(info)
            if storage is not None:
                await _take_stored(storage, rows_left)
            if rows_left:
                seats = self._make_seats(len(rows_left), info, storage)
                await self._ask_in_rounds(rows_left, seats)
            if storage is not None and not rows_left:
                remove_storage(storage)
        finally:
            for seat in seats:
                seat.free()

    def _storage(self, info: RunInfo) -> str | None:
        url = self.job.options.storage
        if not url:
            return None
        return storage_of_run(url, info, self.job.folder.path.name)

    async def _ask_in_rounds(self, rows_left: RowsLeft, seats: Sequence[Seat]) -> None:
        """Asks the rows, again where their worker was lost; those that nobody could answer have failed in the end."""
        for number in range(ROUNDS_IN_BLOCKS + ROUNDS_ALONE):
            if not rows_left or self.job.budget.stopped:
                break
            await self._ask_round(rows_left, seats, alone=number >= ROUNDS_IN_BLOCKS)
        if self.job.budget.stopped:
            return
        for row in rows_left.rows():
            failed = Answer.failed("model", "each worker that asked it was lost")
            await rows_left.take(exchange_of(row, (), failed))

    async def _ask_round(self, rows_left: RowsLeft, seats: Sequence[Seat], *, alone: bool) -> None:
        max_connections = self.job.config.max_connections
        await Round(rows_left, seats, self.job.budget, max_connections, self._learnt, alone=alone).hand_out()
        if rows_left and all(seat.is_given_up for seat in seats):
            reasons = [seat.why_empty for seat in seats if seat.last_loss]
            why = reasons[0] if reasons else seats[0].why_empty
            raise RunError(no_worker_left(why, names_of_lost_nodes(), self.job.folder.way_to_resume))

    def _make_seats(self, n_rows: int, info: RunInfo, storage: str | None) -> list[Seat]:
        """As many as were asked for, or as the cluster has room for; they share the run's connections."""
        resources = ray.cluster_resources()
        needs = self._worker_needs(has_gpus=bool(resources.get("GPU")))
        n_wanted = self.job.options.workers or needs.n_workers_in(resources)
        if not n_wanted:
            lost = names_of_lost_nodes()
            raise RunError(no_room(needs.describe(resources), lost, self.job.folder.way_to_resume))
        n_seats = min(n_wanted, n_rows)
        if self.job.model.batch_size is None:
            n_seats = min(n_seats, self.job.config.max_connections)
        info_of_each = info.model_copy(update={"config": _share_of(self.job.config, n_seats)})
        actor_class = ray.remote(Worker).options(
            num_cpus=needs.num_cpus, num_gpus=needs.num_gpus, max_concurrency=MAX_CONCURRENCY
        )
        start = partial(actor_class.remote, info_of_each, self._systems, os.getcwd(), storage)
        return [Seat(start) for _ in range(n_seats)]

    def _worker_needs(self, *, has_gpus: bool) -> WorkerNeeds:
        options = self.job.options
        if options.num_gpus is not None:
            return WorkerNeeds(options.num_cpus, options.num_gpus)
        is_local_model = self.job.model.batch_size is not None
        return WorkerNeeds(options.num_cpus, 1.0 if is_local_model and has_gpus else 0.0)


def _share_of(config: RunConfig, n_workers: int) -> RunConfig:
    """The config of one worker of several, with its share of the connections."""
    share = {
        "max_connections": max(1, config.max_connections // n_workers),
        "start_connections": max(1, config.start_connections // n_workers),
    }
    return config.model_copy(update=share)


async def _take_stored(storage: str, rows_left: RowsLeft) -> None:
    """Takes the answers that a session which was killed has left in storage."""
    for exchange in stored_exchanges(storage):
        if exchange.answer.error is None:
            await rows_left.take(exchange)
