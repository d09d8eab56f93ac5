"""Sends rows to a provider: as many at a time as its pace allows, each with retries until it has an answer or gives up.

A request that failed is sent again after a wait that doubles each time, or after the provider's `Retry-After`
(`retry_after`). Other rows continue meanwhile. Only when rows are limited one after the other, without an answer in
between, all of them wait, for a minute at most. `--timeout` is for one try, without waits.

A row gives up
- after `retries` retries;
- after one retry of a timeout or of a denial, whatever else it met in between (none if `retries` is 0);
- when it would have to wait for more than `MAX_RETRY_AFTER` seconds in all.

A rate limit that lets other rows through does not count as a retry: it is the pool's pace, not the row's fault. Since
each such wait sees another row answered, it ends.

`connection_queue` says when a request may go out, `run_failures` when failures end the whole run.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from mossbench.errors import MossbenchError
from mossbench.models.connection_queue import ConnectionQueue
from mossbench.models.keys import redacted
from mossbench.models.model import Denied, Overloaded
from mossbench.models.retry_after import LONGEST_WAIT, MAX_RETRY_AFTER, is_too_long, wait_before_next_try
from mossbench.models.run_failures import Probe, RunFailures
from mossbench.outcomes import Answer
from mossbench.plumbing.coroutines import my_turn
from mossbench.samples import Record

RETRIES = 6
"""With the waits of `retry_after` about a minute, the window of most rate limits."""
_SHORTEST_WAIT_TO_REPORT = 2.0
"""Seconds; shorter waits are over before anyone reads about them."""


class Traffic(Record):
    """What slowed a run down, over all its sessions."""

    rate_limits: int = 0
    overloads: int = 0
    server_errors: int = 0
    """Other than overloads: 500, 502, 504 and the like."""
    lost_connections: int = 0
    timeouts: int = 0
    retries: int = 0
    seconds_waited: float = 0.0
    """Sum over rows; rows wait at the same time."""
    most_connections: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        totals = {name: getattr(self, name) + getattr(other, name) for name in Traffic.model_fields}
        totals["most_connections"] = max(self.most_connections, other.most_connections)
        return Traffic(**totals)


_COUNTED_AS = {
    "rate_limit": "rate_limits",
    "overload": "overloads",
    "server_error": "server_errors",
    "connection": "lost_connections",
    "timeout": "timeouts",
}
"""Kinds of failed tries -> the fields of `Traffic` that count them."""


@dataclass(frozen=True)
class FinalAnswer:
    """A row's answer, or its last failure as an answer, with what it took to get it."""

    answer: Answer
    tries: int
    waited: float
    """Seconds between its tries, in all."""


@dataclass(frozen=True)
class Waits:
    """The rows that wait for their next try, at the moment when one more row begins to wait."""

    rows: tuple[str, ...]
    """Names of the rows; the row with the latest next try is the last."""
    until: datetime
    """Time of the last row's next try."""
    reason: str
    """The provider's message to the last row."""


class _WaitingRow(NamedTuple):
    """A row that waits for its next try; rows sort by the time of that try."""

    until: float
    """On the event loop's clock."""
    name: str
    reason: str


@dataclass(frozen=True)
class _FailedTry:
    """A try that failed in a way that may pass."""

    kind: str
    """`denied`, or one of `_COUNTED_AS`."""
    failure: Answer
    """The answer of the row if it gives up now."""
    retry_after: float | None = None
    """Seconds that the provider asks to wait."""
    denied: Denied | None = None
    reached_provider: bool = True

    @property
    def message(self) -> str:
        return _message(self.failure)


@dataclass
class _History:
    """The tries of one row so far, and its next wait."""

    n_tries: int = 0
    n_failed: Counter[str] = field(default_factory=Counter)
    """Tries that count against `retries`, by kind."""
    waited: float = 0.0
    """Seconds."""
    asked_to_wait: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds that the provider asked for, in tries that count, by kind."""
    next_wait: float = 0.0
    """Seconds."""
    reason: str = ""
    """Reason of the next wait."""

    def add_failure(self, failed_try: _FailedTry, *, others_got_through: bool) -> None:
        """Counts a failed try; a rate limit that let other rows through does not count, nor do those before it."""
        kind = failed_try.kind
        if others_got_through:
            self.n_failed[kind] = 0
            self.asked_to_wait[kind] = 0.0
        else:
            self.n_failed[kind] += 1
            self.asked_to_wait[kind] += failed_try.retry_after or 0.0
        self.reason = failed_try.message


async def _no_probe() -> None:
    return None


def _do_nothing() -> None:
    return None


class Connections:
    """A pool of at most `max_connections` connections, of which it uses as many as the provider allows.

    `probe` asks the model a harmless question, to tell a failure of some rows from a failure of all rows.
    """

    def __init__(
        self,
        max_connections: int,
        start_connections: int,
        *,
        retries: int = RETRIES,
        probe: Probe = _no_probe,
        rng: random.Random | None = None,
    ) -> None:
        self.max_connections = max_connections
        self._queue = ConnectionQueue(max_connections, start_connections)
        self._run_failures = RunFailures(self._queue, probe)
        self._retries = retries
        self._rng = rng or random.Random()
        self._waiting_rows = dict[object, _WaitingRow]()
        self._rate_limits_in_a_row = 0
        self._n_answers = 0
        self._counts = dict.fromkeys((*_COUNTED_AS.values(), "retries"), 0)
        self._seconds_waited = 0.0
        self.on_wait: Callable[[Waits], None] | None = None
        """Called when a row begins to wait."""

    @property
    def limit(self) -> float:
        """How many connections may be in use now."""
        return self._queue.pace.limit

    @property
    def in_flight(self) -> int:
        """How many requests are out now."""
        return self._queue.n_in_flight

    def stop(self) -> None:
        """Sends no further request; the requests in flight may end."""
        self._queue.stop()

    @property
    def traffic(self) -> Traffic:
        """What slowed down these connections so far."""
        return Traffic(
            **self._counts,
            seconds_waited=round(self._seconds_waited, 3),
            most_connections=self._queue.most_in_flight,
        )

    async def ask(
        self,
        call: Callable[[], Awaitable[Answer]],
        timeout: float | None,
        *,
        name: str = "a row",
        before_retry: Callable[[], None] = _do_nothing,
    ) -> FinalAnswer:
        """The answer of `call`, which is retried after failures that may pass; the last failure if none succeeds.

        Once a call raises an error that ends the run, the calls in flight may finish and no other call starts.

        Args:
            call: Sends one request.
            timeout: Seconds for each try; no limit if None.
            name: Names the row in messages about waits.
            before_retry: Called when this row begins to wait for a retry, so that another row can begin.

        Raises:
            RunError: No row can be answered: the provider was never reached, or many rows in a row got no answer.
            Denied: The probe was denied too.
        """
        try:
            return await self._ask(call, timeout, name, before_retry)
        except MossbenchError:
            self.stop()
            raise

    async def _ask(
        self,
        call: Callable[[], Awaitable[Answer]],
        timeout: float | None,
        name: str,
        before_retry: Callable[[], None],
    ) -> FinalAnswer:
        history = _History()
        self._run_failures.note_row(_now())
        while True:
            n_answers_before = self._n_answers
            history.n_tries += 1
            reply = await self._try_in_turn(call, timeout, name, before_retry, history)
            if isinstance(reply, Answer):
                self._run_failures.note_answer()
                return self._final_answer(reply, history)
            others_got_through = reply.kind == "rate_limit" and self._n_answers > n_answers_before
            history.add_failure(reply, others_got_through=others_got_through)
            await self._check_run_can_continue(reply, history)
            failure = self._reason_to_give_up(reply, history)
            if failure is not None:
                await self._run_failures.check_given_up(redacted(_message(failure)))
                return self._final_answer(failure, history)
            history.next_wait = wait_before_next_try(history.n_failed.total(), reply.retry_after, self._rng)

    async def _try_in_turn(
        self,
        call: Callable[[], Awaitable[Answer]],
        timeout: float | None,
        name: str,
        before_retry: Callable[[], None],
        history: _History,
    ) -> Answer | _FailedTry:
        """One try: after its wait if it is not the first, and when the queue has a connection for it."""
        is_retry = history.n_tries > 1
        began_to_wait = _now()
        if is_retry:
            before_retry()
            await self._wait_for_retry(history.next_wait, name, history.reason)
        async with self._queue.connection() as pace_round:
            if is_retry:
                history.waited += _now() - began_to_wait
            return await self._try(call, timeout, pace_round)

    async def _check_run_can_continue(self, failed_try: _FailedTry, history: _History) -> None:
        """Raises an error if no row can be answered.

        Raises:
            RunError: The failure ends the run.
            Denied: The denial ends the run.
        """
        self._run_failures.check_reached(
            was_reached=failed_try.reached_provider,
            message=redacted(failed_try.message),
            now=_now(),
            may_pass=history.n_tries == 1 and self._retries > 0,
        )
        if failed_try.denied is not None and history.n_failed["denied"] == 1:
            await self._run_failures.check_denial(failed_try.denied)

    def _reason_to_give_up(self, failed_try: _FailedTry, history: _History) -> Answer | None:
        """The failure with which the row gives up; None if it is retried."""
        if is_too_long(max(sum(history.asked_to_wait.values()), failed_try.retry_after or 0.0)):
            return _waits_too_long(failed_try)
        is_retried_once = failed_try.kind in ("timeout", "denied")
        has_had_its_retry = is_retried_once and history.n_failed[failed_try.kind] > 1
        has_no_retries_left = history.n_failed.total() > self._retries
        return failed_try.failure if has_had_its_retry or has_no_retries_left else None

    async def _try(
        self, call: Callable[[], Awaitable[Answer]], timeout: float | None, pace_round: int
    ) -> Answer | _FailedTry:
        """Sends one request; the answer or a failure for good, or a failed try that may be repeated."""
        time_limit = asyncio.timeout(timeout)
        try:
            await my_turn()  # requests that were made before are on the wire first
            self._queue.check_running()
            async with time_limit:
                answer = await call()
            self._note_success()
            return answer
        except Overloaded as overloaded:
            failed_try = _FailedTry(
                overloaded.kind,
                overloaded.answer(),
                overloaded.retry_after,
                reached_provider=overloaded.reached,
            )
            self._slow_down(failed_try, pace_round)
            return failed_try
        except Denied as denied:
            return _FailedTry("denied", denied.answer(), denied=denied)
        except MossbenchError:
            raise  # such an error ends the run
        except TimeoutError as timeout_error:
            if timeout is None:  # `call` has raised it itself
                return Answer.failed("model", timeout_error)
            if time_limit.expired():
                error = TimeoutError(f"no answer within {timeout:g} s")
                failure = Answer.failed("model", error, seconds=timeout)
            else:  # `call` has raised it itself, earlier
                failure = Answer.failed("model", timeout_error)
            failed_try = _FailedTry("timeout", failure)
            self._slow_down(failed_try, pace_round)
            return failed_try
        except Exception as error:  # the item boundary: one odd reply must not cost the other rows
            return Answer.failed("model", error)

    def _final_answer(self, answer: Answer, history: _History) -> FinalAnswer:
        self._counts["retries"] += history.n_tries - 1
        self._seconds_waited += history.waited
        safe_answer = redacted(answer)  # the answers of all models pass here
        return FinalAnswer(safe_answer, history.n_tries, round(history.waited, 3))

    def _note_success(self) -> None:
        self._n_answers += 1
        self._rate_limits_in_a_row = 0
        are_all_in_use = self._queue.n_in_flight >= int(self.limit)
        self._queue.pace.answered(busy=are_all_in_use)

    def _slow_down(self, failed_try: _FailedTry, pace_round: int) -> None:
        """Tells the pace about a failed try; after several rate limits in a row all rows wait."""
        self._counts[_COUNTED_AS[failed_try.kind]] += 1
        self._queue.pace.troubled(failed_try.kind, pace_round)
        retry_after = failed_try.retry_after or 0.0
        if failed_try.kind == "rate_limit" and 0 < retry_after <= MAX_RETRY_AFTER:
            self._rate_limits_in_a_row += 1
            if self._rate_limits_in_a_row > 1:  # a single one may be meant for its row alone
                self._queue.hold(min(retry_after, LONGEST_WAIT))

    async def _wait_for_retry(self, seconds: float, name: str, reason: str) -> None:
        """Waits before a row is tried again, and reports a wait that is not short."""
        ticket = object()
        now = _now()
        self._waiting_rows[ticket] = _WaitingRow(now + seconds, name, reason)
        if self.on_wait is not None and seconds >= _SHORTEST_WAIT_TO_REPORT:
            rows = sorted(self._waiting_rows.values())
            last_row = rows[-1]
            until = datetime.now().astimezone() + timedelta(seconds=last_row.until - now)
            self.on_wait(Waits(tuple(row.name for row in rows), until, redacted(last_row.reason)))
        try:
            await asyncio.sleep(seconds)
        finally:
            del self._waiting_rows[ticket]


def _now() -> float:
    """Seconds on the event loop's clock."""
    return asyncio.get_running_loop().time()


def _message(failure: Answer) -> str:
    return failure.error.message if failure.error else ""


def _waits_too_long(failed_try: _FailedTry) -> Answer:
    """The failure, with the wait that the provider asked for in its message."""
    error = failed_try.failure.error
    assert error is not None
    limit_message = (
        f"the provider asks to wait {failed_try.retry_after:.0f} s; a row waits {MAX_RETRY_AFTER:.0f} s in all"
    )
    error = error.model_copy(update={"message": f"{error.message} ({limit_message})"})
    return failed_try.failure.model_copy(update={"error": error})
