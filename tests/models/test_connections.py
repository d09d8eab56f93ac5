"""The pool of connections, on a clock of its own."""

import asyncio
import random
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mossbench as mb
from mossbench.errors import RunError
from mossbench.models import Denied, Model, Overloaded
from mossbench.models.connections import RETRIES, Connections, Traffic
from mossbench.models.retry_after import MAX_RETRY_AFTER
from mossbench.models.run_failures import ROWS_TO_GIVE_UP
from mossbench.outcomes import Answer, Layer
from mossbench.store.run_folder import RunFolder
from virtual_time import run_in_virtual_time

FINE = Answer(text="fine")


class Provider:
    """Answers after `latency` seconds; above `bears` at a time it limits, and in between it does what it is told."""

    def __init__(self, bears=10**9, latency=1.0, retry_after=None, faults=()):
        self.bears, self.latency, self.retry_after, self.faults = bears, latency, retry_after, list(faults)
        self.now = self.most = self.calls = 0
        self.at = []

    async def __call__(self):
        self.calls += 1
        self.at.append(asyncio.get_running_loop().time())
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            await asyncio.sleep(0)  # others are on their way already
            raise fault
        if self.now >= self.bears:
            raise Overloaded(self.retry_after, "rate_limit", "slow down")
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.now -= 1
        return FINE


def pool(most=64, start=4, **more):
    return Connections(most, start, rng=random.Random(1), **more)


def ask_many(connections, provider, n, timeout=100.0, workers=None, early=0.0):
    async def work():
        queue, found = iter(range(n)), []

        async def worker():
            for _ in queue:
                found.append(await connections.ask(provider, timeout))

        await asyncio.gather(*(worker() for _ in range(workers or connections.max_connections)))
        return found

    return run_in_virtual_time(work(), early)


def overload(retry_after=None, kind="overload"):
    return Overloaded(retry_after, kind, "busy", type="InternalServerError")


def test_it_starts_modest_doubles_while_answers_come_and_stops_at_the_cap():
    provider = Provider()
    found, seconds = ask_many(pool(most=32, start=4), provider, 4 + 8 + 16 + 32 + 32)
    assert provider.at.count(0.0) == 4
    assert [provider.at.count(float(second)) for second in range(5)] == [4, 8, 16, 32, 32]
    assert seconds == 5 and provider.most == 32 and len(found) == 92


@pytest.mark.parametrize("bears", [1, 5, 20])
def test_it_settles_near_what_a_provider_bears_without_one_failure(bears):
    provider, connections = Provider(bears=bears), pool(most=64)
    found, seconds = ask_many(connections, provider, 600)
    assert len(found) == 600 and all(tried.answer is FINE for tried in found)
    assert bears / 2 <= connections.limit <= bears + 2
    # At the best 600 / bears seconds; a sawtooth between a half and the whole takes four thirds of that.
    assert seconds <= 1.6 * 600 / bears
    assert connections.traffic.rate_limits == provider.calls - 600 == connections.traffic.retries
    assert connections.traffic.rate_limits <= 0.2 * 600
    assert connections.traffic.overloads == 0


def test_a_request_is_on_its_way_before_many_others_are_made():
    seen = []

    async def call():
        number = len(seen)
        seen.append(("made", number))
        await asyncio.sleep(0)  # whatever else is due has its turn, as when a connection opens
        seen.append(("sent", number))
        return FINE

    ask_many(pool(64, 64), call, 64)
    assert len(seen) == 128
    assert seen.index(("sent", 0)) < 4


def test_questions_that_were_in_flight_together_halve_it_once():
    provider, connections = Provider(faults=[overload()] * 8), pool(start=8)
    ask_many(connections, provider, 8)
    assert connections.traffic.overloads == 8
    assert 4 <= connections.limit < 6


def test_one_row_that_is_to_wait_does_not_hold_back_the_others():
    provider = Provider(faults=[None, overload(250.0, "rate_limit")])
    found, seconds = ask_many(pool(), provider, 60)
    assert all(tried.answer is FINE for tried in found) and 250 < seconds < 280
    assert len([at for at in provider.at if at < 20]) == 60 and len(provider.at) == 61


class Sporadic(Provider):
    """Fails a share of its calls at random, whatever the load."""

    def __init__(self, share, kind, seed, **more):
        super().__init__(**more)
        self.share, self.kind, self.rng = share, kind, random.Random(seed)

    async def __call__(self):
        if self.rng.random() < self.share:
            raise overload(kind=self.kind)
        return await super().__call__()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["server_error", "overload", "rate_limit", "connection"])
@pytest.mark.parametrize(("share", "bar"), [(0.01, 1.3), (0.03, 1.6)])
def test_sporadic_faults_do_not_slow_a_run_down(kind, share, bar):
    _, clean = ask_many(pool(), Provider(latency=0.6), 1500, workers=128)
    for seed in (1, 7):
        found, seconds = ask_many(pool(), Sporadic(share, kind, seed, latency=0.6), 1500, workers=128)
        assert all(tried.answer is FINE for tried in found) and seconds <= bar * clean


def test_an_overloaded_server_gets_fewer_requests_and_later_full_speed_again():
    provider, connections = Provider(bears=8), pool()
    ask_many(connections, provider, 400, workers=128)
    assert connections.limit <= 10 and provider.calls <= 1.4 * 400
    provider.bears, calls = 1000, provider.calls
    _, seconds = ask_many(connections, provider, 1000, workers=128)
    assert connections.limit == 64 and provider.calls == calls + 1000
    assert seconds <= 1000 / 64 + 20  # slowly for 256 answers, then it doubles


def test_timeouts_halve_it_in_a_cluster_and_not_alone():
    class Hangs(Provider):
        async def __call__(self):
            self.latency = 1000.0 if self.share > random.Random(self.calls).random() else 1.0
            return await super().__call__()

    limits = []
    for share in (0.05, 0.6):
        provider, connections = Hangs(), pool(start=64, probe=Provider())
        provider.share = share
        ask_many(connections, provider, 200, timeout=10.0)
        limits.append(connections.limit)
    assert limits[0] == 64 and limits[1] < 32


def test_rows_that_are_limited_one_after_the_other_hold_back_all():
    provider = Provider(faults=[overload(30.0, "rate_limit")] * 4)
    ask_many(pool(), provider, 12)
    assert [at for at in provider.at if 1 < at < 30] == []
    assert len([at for at in provider.at if 30 <= at]) >= 8


def test_a_wait_of_an_hour_fails_its_row_at_once_and_on_all_rows_ends_the_run():
    found, seconds = ask_many(pool(), Provider(faults=[None, overload(3600.0, "rate_limit")]), 60)
    (failed,) = [tried for tried in found if tried.answer.error]
    assert failed.answer.error.message == "busy (the provider asks to wait 3600 s; a row waits 300 s in all)"
    assert seconds < 20
    with pytest.raises(RunError, match="20 requests in a row got no answer.* asks to wait 3600 s"):
        ask_many(pool(), provider := Provider(faults=[overload(3600.0, "rate_limit")] * 1000), 60)
    assert provider.calls < 100


def test_the_waits_of_one_row_end_when_they_add_up_to_the_limit():
    (tried,), seconds = ask_many(pool(), provider := Provider(faults=[overload(90.0, "rate_limit")] * 100), 1)
    assert "asks to wait 90 s" in tried.answer.error.message and provider.calls == 4
    assert seconds <= MAX_RETRY_AFTER


def test_who_waits_for_what_is_told_when_it_begins():
    connections, told = pool(probe=Provider()), []
    connections.on_wait = told.append

    async def work():
        faults = Provider(faults=[overload(40.0, "rate_limit"), overload(90.0, "rate_limit"), overload(0.5)])
        await asyncio.gather(*(connections.ask(faults, 10.0, name=f"row {i}") for i in range(3)))

    before = datetime.now().astimezone()
    run_in_virtual_time(work())
    assert [waits.rows for waits in told] == [("row 0",), ("row 0", "row 1")]
    assert told[1].reason == "busy" and 85 < (told[1].until - before).total_seconds() < 200


def test_a_loop_that_wakes_a_tick_early_leaves_nobody_waiting():
    found, _ = ask_many(pool(), Provider(faults=[overload(30.0, "rate_limit")] * 2), 12, early=0.015)
    assert len(found) == 12


def test_waits_double_and_a_row_that_never_comes_through_fails_with_its_reason():
    provider = Provider(faults=[overload()] * 100)
    (tried,), seconds = ask_many(pool(), provider, 1)
    assert tried.answer.error.model_dump() == {
        "stage": "model",
        "type": "InternalServerError",
        "message": "busy",
    }
    assert tried.tries == provider.calls == RETRIES + 1
    waits = [later - earlier for earlier, later in zip(provider.at, provider.at[1:], strict=False)]
    assert all(0.75 * 2**i <= wait <= 1.25 * 2**i for i, wait in enumerate(waits))
    assert tried.waited == pytest.approx(sum(waits), abs=0.01) and seconds == pytest.approx(sum(waits))


def test_a_provider_that_asks_for_hours_is_not_waited_for():
    (tried,), seconds = ask_many(pool(), Provider(faults=[overload(3600.0, "rate_limit")]), 1)
    assert tried.answer.error is not None and tried.tries == 1 and seconds <= MAX_RETRY_AFTER


def test_a_hanging_call_is_tried_once_more_and_then_fails():
    (tried,), seconds = ask_many(pool(), Provider(latency=1000.0), 1, timeout=10.0)
    assert (tried.tries, tried.answer.error.type) == (2, "TimeoutError")
    assert "no answer within 10 s" in tried.answer.error.message
    assert 20 < seconds < 22


def test_a_timeout_that_a_call_raises_itself_keeps_its_own_message():
    provider = Provider(faults=[TimeoutError("the handshake timed out"), TimeoutError("the handshake timed out")])
    (tried,), seconds = ask_many(pool(), provider, 1, timeout=600.0)
    assert (tried.tries, tried.answer.error.type) == (2, "TimeoutError")
    assert tried.answer.error.message == "the handshake timed out" and seconds < 10


@pytest.mark.parametrize(("retries", "n_tries"), [(0, 1), (1, 2), (5, 2)])
def test_a_timeout_is_retried_once_at_most_and_never_without_retries(retries, n_tries):
    (tried,), _ = ask_many(pool(retries=retries), Provider(latency=1000.0), 1, timeout=10.0)
    assert tried.tries == n_tries and tried.answer.error.message == "no answer within 10 s"


class OneRow(Provider):
    """Meets these faults on one row, "timeout" for a call that hangs; all other calls are answered."""

    def __init__(self, *faults):
        super().__init__()
        self.of_row = list(faults)
        self.n_of_row = 0

    async def row(self):
        self.n_of_row += 1
        fault = self.of_row.pop(0) if self.of_row else None
        if fault is None:
            return FINE
        await asyncio.sleep(1000.0 if fault == "timeout" else 2.0)  # others are answered meanwhile
        raise fault

    def ask(self, **more):
        """What comes of the row, beside a hundred others."""
        connections = pool(probe=self, **more)

        async def others():
            for _ in range(100):
                await connections.ask(self, 10.0)

        async def work():
            tried, _ = await asyncio.gather(connections.ask(self.row, 10.0), others())
            return tried

        return run_in_virtual_time(work())[0]


def rate_limit():
    return overload(1.0, "rate_limit")


def test_a_rate_limit_in_between_gives_back_no_retries_of_other_failures():
    timeouts = OneRow("timeout", rate_limit(), "timeout", rate_limit(), "timeout").ask()
    assert timeouts.tries == 3 and timeouts.answer.error.type == "TimeoutError"
    overloads = OneRow(*[overload(), rate_limit()] * 10).ask(retries=2)
    assert overloads.tries == 5 and overloads.answer.error.message == "busy"


def test_a_timeout_or_a_denial_is_retried_once_whatever_came_before():
    assert OneRow(overload(), overload(), "timeout").ask().answer == FINE
    assert OneRow(overload(), overload(), denied()).ask().answer == FINE


def test_a_denial_after_another_failure_ends_a_run_whose_key_is_refused():
    async def call():
        if first_tries.pop():
            raise overload()
        raise denied(sure=True)

    async def probe():
        raise denied(sure=True)

    first_tries = [False] * 4 + [True] * 2
    with pytest.raises(RunError, match="you shall not pass"):
        run_in_virtual_time(ask_all(pool(probe=probe), call, 2))


async def ask_all(connections, call, n):
    return await asyncio.gather(*(connections.ask(call, 10.0) for _ in range(n)))


def test_a_row_cancelled_as_it_gets_a_connection_passes_it_on():
    async def work():
        connections = pool(most=1, start=1)
        first_may_end = asyncio.Event()

        async def first_call():
            await first_may_end.wait()
            cancelled_row.get_loop().call_soon(cancelled_row.cancel)
            return FINE

        first_row = asyncio.create_task(connections.ask(first_call, None))
        await asyncio.sleep(1)
        cancelled_row = asyncio.create_task(connections.ask(Provider(), None))
        last_row = asyncio.create_task(connections.ask(Provider(), None))
        await asyncio.sleep(1)
        first_may_end.set()
        async with asyncio.timeout(100):
            await asyncio.wait([first_row, cancelled_row, last_row])
        return first_row, cancelled_row, last_row, connections.in_flight

    (first_row, cancelled_row, last_row, n_in_flight), _ = run_in_virtual_time(work())
    assert cancelled_row.cancelled() and n_in_flight == 0
    assert first_row.result().answer == last_row.result().answer == FINE


class Paced(Provider):
    """Takes one call in twenty seconds and says nothing about when the next may come."""

    async def __call__(self):
        now = asyncio.get_running_loop().time()
        if self.at and now < self.at[-1] + 20:
            raise Overloaded(None, "rate_limit", "slow down")
        return await super().__call__()


@pytest.mark.slow
def test_a_slow_rate_limit_costs_no_row_its_tries_while_others_are_answered():
    found, seconds = ask_many(pool(), Paced(), 100)
    assert all(tried.answer is FINE for tried in found)
    assert max(tried.tries for tried in found) > RETRIES + 1
    assert 20 * 99 < seconds < 1.5 * 20 * 99


def test_a_provider_that_is_down_stops_the_run_and_does_not_fail_every_row():
    provider = Provider(faults=[overload()] * 100_000)
    with pytest.raises(RunError, match=f"{ROWS_TO_GIVE_UP} requests in a row got no answer.* busy"):
        ask_many(pool(most=4), provider, 1000)
    assert provider.calls <= (ROWS_TO_GIVE_UP + 4) * (RETRIES + 1)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    faults=st.lists(
        st.one_of(
            st.none(),
            st.builds(
                overload,
                st.one_of(st.none(), st.floats(0, 400)),
                st.sampled_from(["rate_limit", "overload", "server_error", "connection"]),
            ),
        ),
        max_size=120,
    ),
    most=st.integers(1, 40),
    start=st.integers(1, 40),
    bears=st.integers(1, 40),
    n=st.integers(1, 60),
)
def test_whatever_a_provider_does_every_row_ends_and_the_cap_holds(faults, most, start, bears, n):
    provider, connections = Provider(bears=bears, faults=faults), pool(most=most, start=start)
    try:
        found, _ = ask_many(connections, provider, n)
    except RunError:
        return
    assert len(found) == n and sum(tried.tries for tried in found) == provider.calls
    assert provider.most <= min(most, bears) and 1 <= connections.limit <= most
    assert connections.traffic.most_connections <= most


def test_traffic_of_sessions_adds_up():
    first, second = Traffic(rate_limits=2, most_connections=8), Traffic(rate_limits=1, retries=3, most_connections=5)
    assert first + second == Traffic(rate_limits=3, retries=3, most_connections=8)


class Limited(Model):
    """Bears three at a time, and fails one sample for good."""

    name = "limited"

    def __init__(self):
        self.now, self.asked, self.limited = 0, [], asyncio.Event()

    async def answer(self, prompt):
        self.asked.append(prompt.key)
        if prompt.key.sample == "6":
            raise Overloaded(0.001, "overload", "the server has trouble", type="InternalServerError")
        if self.now >= 3:
            self.limited.set()
            raise Overloaded(0.002, "rate_limit", "too many requests")
        self.now += 1
        await self.limited.wait()  # the first three, until there is one more than it bears
        await asyncio.sleep(0.01)
        self.now -= 1
        return Answer(text="Fold it into a boat.")


@pytest.mark.slow
def test_a_run_records_tries_and_waits_on_the_row_and_in_run_json(small):
    model = Limited()
    results = mb.run(model, small, out="r", epochs=5, max_connections=16, start_connections=8)
    assert results.layers()[Layer.FAILED] == 10 and results.layers()[Layer.JUDGED] == 50
    for row in results.rows:
        assert row.exchange.tries == model.asked.count(row.key)
        assert row.exchange.waited > 0 or row.exchange.tries == 1
        if row.key.sample == "6":
            assert row.exchange.tries == RETRIES + 1
            assert row.exchange.answer.error.type == "InternalServerError"
    traffic = RunFolder(results.folder).info().traffic
    assert traffic.retries == len(model.asked) - 60 and traffic.overloads == 10 * (RETRIES + 1)
    assert traffic.rate_limits > 0 and traffic.seconds_waited > 0


def test_no_answer_on_record_is_asked_for_again_after_retries(small):
    model = Limited()
    mb.run(model, small, out="r")
    model.asked.clear()
    mb.run(model, small, out="r", resume=True, retries=0)
    assert {key.sample for key in model.asked} == {"6"} and len(model.asked) == 2


def denied(sure=False):
    return Denied("m: you shall not pass", "check the key", type="PermissionDeniedError", sure=sure)


class Firewall(Provider):
    """Denies some rows always, all others are answered; `probe` says what a harmless question meets."""

    def __init__(self, minds, sure=False, probe=None, **more):
        super().__init__(**more)
        self.minds, self.sure, self.probes, self._probe = set(minds), sure, 0, probe

    def row(self, number):
        async def call():
            if number in self.minds:
                self.calls += 1
                raise denied(self.sure)
            return await self()

        return call

    async def probe(self):
        self.probes += 1
        if self._probe is not None:
            raise self._probe
        return FINE


def ask_rows(provider, n, most=8, **more):
    connections = pool(most=most, probe=provider.probe, **more)

    async def work():
        return await asyncio.gather(*(connections.ask(provider.row(i), 100.0) for i in range(n)))

    return run_in_virtual_time(work())


@pytest.mark.parametrize("sure", [False, True])
@pytest.mark.parametrize("minds", [{0}, {99}, {*range(30, 75)}, {*range(0, 100, 3)}, {*range(100)}])
def test_rows_that_a_firewall_minds_fail_alone_and_the_others_are_answered(minds, sure):
    firewall = Firewall(minds, sure)
    found, _ = ask_rows(firewall, 100)
    assert {i for i, tried in enumerate(found) if tried.answer.error} == minds
    assert all(found[i].answer.error.message == "m: you shall not pass" and found[i].tries == 2 for i in minds)
    assert firewall.probes <= 1 + len(minds) / 2  # ... and mostly far fewer


@pytest.mark.parametrize("sure", [False, True])
def test_a_key_that_nobody_takes_stops_the_run_after_a_few_requests(sure):
    firewall = Firewall(range(100), sure, probe=denied(sure))
    with pytest.raises(RunError, match="you shall not pass; check the key"):
        ask_rows(firewall, 100)
    assert firewall.calls <= 8 and firewall.probes == 1


def test_a_key_that_is_revoked_on_the_way_stops_the_run_too():
    firewall = Firewall(range(50, 1000), sure=True, probe=denied(True))
    with pytest.raises(RunError, match="you shall not pass"):
        ask_rows(firewall, 1000)
    assert firewall.calls < 50 + 30


def test_rows_that_break_the_server_do_not_stop_a_run_while_the_probe_is_answered():
    class Poison(Firewall):
        def row(self, number):
            async def call():
                raise overload()

            return call if number < 30 else self

    provider = Poison(())
    found, _ = ask_rows(provider, 60, most=1, retries=0)
    assert [tried.answer.error is not None for tried in found] == [True] * 30 + [False] * 30
    assert provider.probes == 1


def test_without_a_probe_a_denial_before_any_answer_stops_the_run():
    async def call():
        raise denied()

    with pytest.raises(RunError, match="you shall not pass"):
        run_in_virtual_time(pool().ask(call, 10.0))


def unreachable():
    return Overloaded(None, "connection", "refused", type="ConnectError", reached=False)


def test_an_address_where_nobody_is_found_is_said_within_ten_seconds():
    began = []

    async def work(connections):
        began.append(asyncio.get_running_loop())
        await connections.ask(Provider(faults=[unreachable()] * 99), 100.0)

    for seed in range(20):
        connections = Connections(16, 4, rng=random.Random(seed))
        with pytest.raises(RunError, match="the provider cannot be reached: refused; check the address"):
            run_in_virtual_time(work(connections))
        assert began[-1].time() < 10


class Asleep(Provider):
    """The machine sleeps for nine seconds while the first requests connect: their time limit is over when it wakes."""

    async def __call__(self):
        if asyncio.get_running_loop().time() < 9:
            self.calls += 1
            await asyncio.sleep(9)
            raise unreachable()
        return await super().__call__()


def test_a_machine_that_slept_while_it_connected_stops_no_run():
    tries, _ = ask_many(pool(), Asleep(), 20)
    assert [tried.answer for tried in tries] == [FINE] * 20
    with pytest.raises(RunError, match="the provider cannot be reached"):
        ask_many(pool(retries=0), Asleep(), 20)


def test_a_network_that_fails_for_half_a_minute_on_the_way_costs_no_row():
    found, seconds = ask_many(pool(), Provider(faults=[None] * 20 + [unreachable()] * 40), 60)
    assert all(tried.answer is FINE for tried in found) and seconds > 3
