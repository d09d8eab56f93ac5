"""Sends rows to a provider: as many at a time as its pace allows (`pace`), with retries, until they are given up.

A request that failed is sent again after a wait that doubles each time, or after the provider's `Retry-After`
(`retry_after`). Other rows continue meanwhile: only when rows are limited one after the other, without an answer in
between, all of them wait, for a minute at most. A row gives up after `retries` retries, after one retry of a timeout
(no retry if `retries` is 0), and when it would have to wait for more than `MAX_RETRY_AFTER` seconds in all. A rate
limit that lets other rows through does not count as a retry: it is the pool's pace, not the row's fault, and since each
such wait sees another row answered, it ends. `--timeout` is for one try, without waits.

A row that is denied is tried once more and fails. Whether the key, the model's name or an outage affects every row is
not concluded from a few rows, which a firewall may have blocked: the model's probe decides.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from mossbench.errors import MossbenchError, RunError
from mossbench.models.keys import redacted
from mossbench.models.model import Denied, Overloaded
from mossbench.models.pace import Pace
from mossbench.models.retry_after import LONGEST_WAIT, MAX_RETRY_AFTER, is_too_long, wait_before_next_try
from mossbench.outcomes import Answer
from mossbench.plumbing.coroutines import my_turn
from mossbench.samples import Record

RETRIES = 6  # with the waits of `retry_after` about a minute, the window of most rate limits
_START_LIMIT = 5.0  # seconds; who could not be reached until then by any row has an address that is wrong
_SAID_FROM = 2.0  # seconds; shorter waits are over before they are read
_EARLY = 0.02  # seconds; a loop wakes us up to one tick of its clock before the time, and will not do so again
ROWS_TO_GIVE_UP = 20  # so many rows in a row, without one answer, and the provider may be down
_SURE_SIGN = 10  # rows that one counts for which is denied for the key, the account or the model
_PROBE_LIMIT = 30.0  # seconds


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
        sums = {name: getattr(self, name) + getattr(other, name) for name in Traffic.model_fields}
        return Traffic(**{**sums, "most_connections": max(self.most_connections, other.most_connections)})


_COUNTED_AS = {
    "rate_limit": "rate_limits",
    "overload": "overloads",
    "server_error": "server_errors",
    "connection": "lost_connections",
    "timeout": "timeouts",
}


@dataclass(frozen=True)
class Tried:
    """An answer with what it took to get it."""

    answer: Answer
    tries: int
    waited: float
    """Seconds between the end of the first try and the start of the last."""


@dataclass(frozen=True)
class Waits:
    """Rows that wait to be asked again, at the moment when one more begins to."""

    rows: tuple[str, ...]
    """Their names, the one that waits longest at the end."""
    until: datetime
    """When that one is asked again."""
    reason: str
    """What its provider said."""


@dataclass(frozen=True)
class _Trouble:
    kind: str
    retry_after: float | None
    failure: Answer
    denied: Denied | None = None
    reached: bool = True


@dataclass
class _History:
    """What one row has been through, and what comes next."""

    n_tries: int = 0
    n_failed: int = 0
    """Tries that count against `retries`."""
    waited: float = 0.0
    """Seconds."""
    asked_to_wait: float = 0.0
    """Seconds that the provider asked for, in tries that count."""
    next_wait: float = 0.0
    reason: str = ""
    """Of the next wait."""

    def add_failure(self, trouble: _Trouble, *, others_got_through: bool) -> None:
        """One more try that gave no answer; a rate limit that lets other rows through is not this row's fault."""
        if others_got_through:
            self.n_failed = 0
            self.asked_to_wait = 0.0
        else:
            self.n_failed += 1
            self.asked_to_wait += trouble.retry_after or 0.0
        self.reason = _message(trouble.failure)


Probe = Callable[[], Awaitable[Answer | None]]


async def _no_probe() -> None:
    return None


class Connections:
    """A pool of at most `most` connections, of which it uses as many as the provider allows.

    `probe` is the model's: a question that tells a fault of some rows from one of all rows.
    """

    def __init__(
        self,
        most: int,
        start: int,
        *,
        retries: int = RETRIES,
        probe: Probe = _no_probe,
        rng: random.Random | None = None,
    ) -> None:
        self.most = most
        self._pace = Pace(most, start)
        self._retries = retries
        self._rng = rng or random.Random()
        self._in_flight = 0
        self._waiting = deque[asyncio.Future[int]]()  # for a connection
        self._waits = dict[object, tuple[float, str, str]]()  # before another try: until when, who, why
        self._held_until = 0.0  # no request goes out before
        self._rate_limits_in_a_row = 0
        self._n_answers = 0
        self._n_given_up = 0  # rows in a row
        self._probe = probe
        self._probing: asyncio.Task[Answer | Exception | None] | None = None
        self._trust = 0  # denials that may be of single rows
        self._barred = False  # the probe itself was denied
        self._stopped = False
        self._unreached_since: float | None = math.inf  # until the first try begins; None: somebody was reached
        self._counts = dict.fromkeys((*_COUNTED_AS.values(), "retries"), 0)
        self._waited = 0.0
        self._peak = 0
        self.on_wait: Callable[[Waits], None] | None = None
        """Told when a row begins to wait."""

    @property
    def limit(self) -> float:
        """How many connections may be in use now."""
        return self._pace.limit

    @property
    def in_flight(self) -> int:
        """How many requests are out now."""
        return self._in_flight

    def stop(self) -> None:
        """No further request goes out; those that are out may end."""
        self._stop()

    @property
    def traffic(self) -> Traffic:
        return Traffic(**self._counts, seconds_waited=round(self._waited, 3), most_connections=self._peak)

    async def ask(
        self,
        call: Callable[[], Awaitable[Answer]],
        timeout: float | None,
        *,
        name: str = "a row",
        aside: Callable[[], None] = lambda: None,
    ) -> Tried:
        """The answer of `call`, tried again where that may help; in the end the failure, as an answer.

        `timeout` is in seconds; None: no limit. `name` is the row's name in messages about waits, and `aside` is called
        when this row waits, so that another can begin. Once a call raises an error that ends the run, those in flight
        may finish and no other starts.

        Raises:
            RunError: No row can be answered: the probe was denied too, or many rows in a row got no answer.
        """
        try:
            return await self._ask(call, timeout, name, aside)
        except MossbenchError:
            self._stop()
            raise

    async def _ask(
        self, call: Callable[[], Awaitable[Answer]], timeout: float | None, name: str, aside: Callable[[], None]
    ) -> Tried:
        history = _History()
        now = asyncio.get_running_loop().time
        if self._unreached_since == math.inf:
            self._unreached_since = now()
        while True:
            n_answers_before = self._n_answers
            began_in = await self._wait_for_turn(history, name, aside)
            reply = await self._try(call, timeout, began_in)
            if isinstance(reply, Answer):
                self._unreached_since = None
                self._n_given_up = 0
                self._trust = ROWS_TO_GIVE_UP
                return self._done(reply, history)
            others_got_through = reply.kind == "rate_limit" and self._n_answers > n_answers_before
            history.add_failure(reply, others_got_through=others_got_through)
            self._check_start(reply, now())
            history.next_wait = wait_before_next_try(history.n_failed, reply.retry_after, self._rng)
            if reply.denied is not None and history.n_tries == 1:
                await self._check_denial(reply.denied)
            failure = self._final_failure(reply, history)
            if failure is not None:
                await self._give_up(failure)
                return self._done(failure, history)

    async def _wait_for_turn(self, history: _History, name: str, aside: Callable[[], None]) -> int:
        """Waits before another try, then for a connection; the round of the pace in which it got one."""
        now = asyncio.get_running_loop().time
        history.n_tries += 1
        if history.n_tries == 1:
            return await self._enter()
        began_to_wait = now()
        aside()
        await self._sleep(history.next_wait, name, history.reason)
        began_in = await self._enter()
        history.waited += now() - began_to_wait
        return began_in

    def _final_failure(self, trouble: _Trouble, history: _History) -> Answer | None:
        """The failure with which a row gives up; None: it is tried again."""
        if is_too_long(max(history.asked_to_wait, trouble.retry_after or 0.0)):
            return _waits_too_long(trouble)
        most_retries = min(1, self._retries) if trouble.kind in ("timeout", "denied") else self._retries
        return trouble.failure if history.n_failed > most_retries else None

    async def _try(
        self, call: Callable[[], Awaitable[Answer]], timeout: float | None, began_in: int
    ) -> Answer | _Trouble:
        try:
            await my_turn()  # requests that were made before are on the wire first
            if self._stopped:
                raise asyncio.CancelledError
            async with asyncio.timeout(timeout):
                answer = await call()
            self._grow()
            return answer
        except Overloaded as sign:
            return self._shrink(_Trouble(sign.kind, sign.retry_after, sign.answer(), reached=sign.reached), began_in)
        except Denied as denied:
            return _Trouble("denied", None, denied.answer(), denied)
        except MossbenchError:
            raise  # it says itself that going on is of no use
        except TimeoutError as late:
            if timeout is None:  # the call's own
                return Answer.failed("model", late)
            error = TimeoutError(f"no answer within {timeout:g} s")
            return self._shrink(_Trouble("timeout", None, Answer.failed("model", error, seconds=timeout)), began_in)
        except Exception as error:  # the item boundary: one odd reply must not cost the other rows
            return Answer.failed("model", error)
        finally:
            self._in_flight -= 1
            self._wake()

    def _done(self, answer: Answer, history: _History) -> Tried:
        self._counts["retries"] += history.n_tries - 1
        self._waited += history.waited
        return Tried(
            redacted(answer), history.n_tries, round(history.waited, 3)
        )  # here all answers of all models come in

    def _check_start(self, trouble: _Trouble, now: float) -> None:
        """Raises a RunError if no row has reached the provider since the first try."""
        if trouble.reached:
            self._unreached_since = None
        elif self._unreached_since is not None and now - self._unreached_since >= _START_LIMIT:
            why = redacted(_message(trouble.failure))
            raise RunError(
                f"the provider cannot be reached: {why}; check the address (base_url), the network and proxies"
            )

    async def _check_denial(self, denied: Denied) -> None:
        """Raises the denial where the probe is denied as well; after an answer some rows may be denied again."""
        self._trust -= _SURE_SIGN if denied.sure else 1
        if self._trust < 0 and isinstance(await self._probed(), Denied | None):
            raise denied

    async def _give_up(self, failure: Answer) -> None:
        self._n_given_up += 1
        n_given_up = self._n_given_up  # of this row: others are given up while the probe is out
        if n_given_up >= ROWS_TO_GIVE_UP and not isinstance(await self._probed(), Answer):
            last = redacted(_message(failure))
            raise RunError(f"{n_given_up} requests in a row got no answer; the last error: {last}")

    async def _probed(self) -> Answer | Exception | None:
        """What came of the probe; rows that want one at the same time share it."""
        if self._stopped:
            raise asyncio.CancelledError
        if self._probing is None or (self._probing.done() and not self._barred):  # a denial is final: the run ends
            self._probing = asyncio.create_task(self._ask_probe())
        reply = await asyncio.shield(self._probing)
        if not isinstance(reply, Denied):
            self._wake()
        return reply

    async def _ask_probe(self) -> Answer | Exception | None:
        try:
            async with asyncio.timeout(_PROBE_LIMIT):
                reply = await self._probe()
            if reply is not None:
                self._n_given_up = 0
                self._trust = ROWS_TO_GIVE_UP
            return reply
        except Exception as error:  # whatever it is, the probe did not go through
            self._barred = isinstance(error, Denied)
            return error

    def _grow(self) -> None:
        self._n_answers += 1
        self._rate_limits_in_a_row = 0
        self._pace.answered(busy=self._in_flight >= int(self.limit))

    def _shrink(self, trouble: _Trouble, began_in: int) -> _Trouble:
        self._counts[_COUNTED_AS[trouble.kind]] += 1
        self._pace.troubled(trouble.kind, began_in)
        if trouble.kind == "rate_limit" and 0 < (trouble.retry_after or 0.0) <= MAX_RETRY_AFTER:
            self._rate_limits_in_a_row += 1
            if self._rate_limits_in_a_row > 1:  # of one row alone nobody can tell whether it is meant for all
                self._hold(min(trouble.retry_after or 0.0, LONGEST_WAIT))
        return trouble

    async def _sleep(self, seconds: float, name: str, reason: str) -> None:
        """Waits before a row is asked again, and says so."""
        row = object()
        now = asyncio.get_running_loop().time()
        self._waits[row] = (now + seconds, name, reason)
        if self.on_wait is not None and seconds >= _SAID_FROM:
            rows = sorted(self._waits.values())
            until = datetime.now().astimezone() + timedelta(seconds=rows[-1][0] - now)
            self.on_wait(Waits(tuple(row[1] for row in rows), until, redacted(rows[-1][2])))
        try:
            await asyncio.sleep(seconds)
        finally:
            del self._waits[row]

    async def _enter(self) -> int:
        """Waits for a connection; the round of the pace in which it got one."""
        if self._stopped:
            raise asyncio.CancelledError
        if self._waiting or not self._free():
            place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            return await place
        return self._take()

    def _stop(self) -> None:
        self._stopped = True
        for place in self._waiting:
            place.cancel()

    def _free(self) -> bool:
        if self._probing is not None and not self._probing.done():
            return False  # what comes of it may be that no row is to be asked
        return self._in_flight < int(self.limit) and asyncio.get_running_loop().time() >= self._held_until - _EARLY

    def _take(self) -> int:
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)
        return self._pace.round

    def _wake(self) -> None:
        while self._waiting and self._free():
            place = self._waiting.popleft()
            if not place.done():  # its row was stopped
                place.set_result(self._take())

    def _hold(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._held_until = max(self._held_until, loop.time() + seconds)
        loop.call_at(self._held_until, self._wake)


def _message(failure: Answer) -> str:
    return failure.error.message if failure.error else ""


def _waits_too_long(trouble: _Trouble) -> Answer:
    assert trouble.failure.error is not None
    limit_message = f"the provider asks to wait {trouble.retry_after:.0f} s; a row waits {MAX_RETRY_AFTER:.0f} s in all"
    error = trouble.failure.error.model_copy(update={"message": f"{trouble.failure.error.message} ({limit_message})"})
    return trouble.failure.model_copy(update={"error": error})
