"""What failed requests mean for the whole run: when no further row can be answered, the run ends.

Three signs end a run: no row reached the provider since the first try; a row was denied, and so is the probe; many rows
in a row gave up, and the probe gets no answer. The probe is a harmless question of the model's own: a firewall may
block single rows, so that a few denied rows say nothing about the key, the model's name or an outage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum

from mossbench.errors import RunError
from mossbench.models.connection_queue import ConnectionQueue
from mossbench.models.model import Denied
from mossbench.outcomes import Answer

ROWS_TO_GIVE_UP = 20
"""When so many rows in a row give up, the provider may be down."""

_UNREACHED_LIMIT = 5.0  # seconds; an address that no row could reach until then is wrong
_SURE_DENIAL_WEIGHT = 10  # a denial that names the key, the account or the model counts for so many others
_PROBE_LIMIT = 30.0  # seconds

Probe = Callable[[], Awaitable[Answer | None]]
"""Asks the model's harmless question; None if the model has no such question."""


class ProbeResult(Enum):
    ANSWERED = "answered"
    DENIED = "denied"
    FAILED = "failed"
    NO_PROBE = "no probe"


class RunFailures:
    """Counts the failures of a run's rows, and raises the error that ends the run."""

    def __init__(self, queue: ConnectionQueue, probe: Probe) -> None:
        self._queue = queue
        self._probe = probe
        self._probe_task: asyncio.Task[ProbeResult] | None = None
        self._first_try_at: float | None = None  # on the event loop's clock
        self._was_reached = False
        self._denials_before_probe = 0  # so many more may be of single rows
        self._n_given_up = 0  # rows in a row

    def note_row(self, now: float) -> None:
        """A row begins."""
        if self._first_try_at is None:
            self._first_try_at = now

    def note_answer(self) -> None:
        """A row was answered: the provider works, and a few later rows may be denied without a probe."""
        self._was_reached = True
        self._reset_counts()

    def check_reached(self, *, was_reached: bool, message: str, now: float, may_pass: bool) -> None:
        """Raises a RunError if no row has reached the provider for too long since the first try.

        Not where the failure `may_pass`, as that of a row's first try: on a machine that is busy, or slept for some
        seconds, the time limit of a first connection is over before anybody looks at it.
        """
        if was_reached:
            self._was_reached = True
        if self._was_reached or self._first_try_at is None or may_pass:
            return
        if now - self._first_try_at >= _UNREACHED_LIMIT:
            raise RunError(
                f"the provider cannot be reached: {message}; check the address (base_url), the network and proxies"
            )

    async def check_denial(self, denied: Denied) -> None:
        """Raises the denial of a row if the probe is denied too, or if the model has no probe."""
        self._denials_before_probe -= _SURE_DENIAL_WEIGHT if denied.sure else 1
        if self._denials_before_probe >= 0:
            return
        result = await self._probe_result()
        if result in (ProbeResult.DENIED, ProbeResult.NO_PROBE):
            raise denied

    async def check_given_up(self, message: str) -> None:
        """Raises a RunError if many rows in a row have given up, this one the last, and the probe gets no answer."""
        self._n_given_up += 1
        n_given_up = self._n_given_up  # at this row: more rows may give up while the probe is out
        if n_given_up < ROWS_TO_GIVE_UP:
            return
        if await self._probe_result() is not ProbeResult.ANSWERED:
            raise RunError(f"{n_given_up} requests in a row got no answer; the last error: {message}")

    def _reset_counts(self) -> None:
        self._n_given_up = 0
        self._denials_before_probe = ROWS_TO_GIVE_UP

    async def _probe_result(self) -> ProbeResult:
        """The result of a probe. Rows that need one at the same time share it; a denied probe is not sent again."""
        self._queue.check_running()
        task = self._probe_task
        if task is None or (task.done() and task.result() is not ProbeResult.DENIED):
            self._queue.is_paused = True  # the probe may show that no row can be answered
            task = asyncio.create_task(self._send_probe())
            self._probe_task = task
        result = await asyncio.shield(task)
        if result is not ProbeResult.DENIED:
            self._queue.give_out()
        return result

    async def _send_probe(self) -> ProbeResult:
        try:
            async with asyncio.timeout(_PROBE_LIMIT):
                answer = await self._probe()
        except Denied:
            return ProbeResult.DENIED
        except Exception:  # whatever the error is, the probe got no answer
            return ProbeResult.FAILED
        finally:
            self._queue.is_paused = False
        if answer is None:
            return ProbeResult.NO_PROBE
        self._reset_counts()
        return ProbeResult.ANSWERED
