"""Seats: places for the workers of a Ray cluster. When a worker is lost another takes its seat, but not for ever."""

import asyncio
from collections.abc import Callable
from typing import Any

from mossbench.errors import needing
from mossbench.runs.engines.ray_cluster import names_of_lost_nodes
from mossbench.runs.engines.ray_losses import not_placed, reason_of

with needing("engine 'ray'", "ray"):
    import ray
    from ray.exceptions import RayError, RayTaskError

PLACED = 120.0
"""Seconds for a worker's process to be there; its model may then load for as long as it takes."""
LOST = 6
"""Workers lost in a row without an answer between them; then nobody takes their seat any more."""

Actor = Any
"""Ray's handle of a `Worker`, which has no types."""


class Seat:
    """A place for a worker, which `start` starts."""

    def __init__(self, start: Callable[[], Actor]) -> None:
        self._start = start
        self._start_lock = asyncio.Lock()
        self.actor: Actor | None = None
        self.n_lost = 0
        """How many were lost since the last answer."""
        self.why_empty = "workers were lost one after another"
        """Why there is none now."""
        self.last_loss = ""
        """What Ray said when the last one was lost; empty: none was."""

    @property
    def is_given_up(self) -> bool:
        return self.n_lost >= LOST

    async def worker(self) -> Actor | None:
        """The worker on it, with its model loaded; None: there can be none."""
        async with self._start_lock:
            while self.actor is None and not self.is_given_up:
                await self._seat_another()
            return self.actor

    async def _seat_another(self) -> None:
        """Starts a worker and has it load; one that cannot be had counts as lost."""
        actor = self._start()
        try:
            await asyncio.wait_for(actor.__ray_ready__.remote(), PLACED)
            fault = await actor.load.remote()
            if fault is not None:
                raise fault
            self.actor = actor
        except TimeoutError:
            self.n_lost = LOST
            self.why_empty = not_placed(PLACED, self.last_loss, names_of_lost_nodes())
        except RayTaskError:  # a fault of the program on the worker, not a loss
            raise
        except RayError as loss:
            self._note_loss(loss)
            self.n_lost += 1
        finally:
            if self.actor is None:
                ray.kill(actor)

    def lose(self, actor: Actor, loss: RayError, *, is_counted: bool) -> None:
        """Frees the seat of a worker that was lost, where no other has taken its place already."""
        if actor is not self.actor:
            return
        self._note_loss(loss)
        self.free()
        if is_counted:
            self.n_lost += 1

    def _note_loss(self, loss: RayError) -> None:
        self.last_loss = reason_of(loss)
        self.why_empty = f"workers were lost one after another, the last one with: {self.last_loss}"

    def free(self) -> None:
        if self.actor is not None:
            ray.kill(self.actor)
        self.actor = None
