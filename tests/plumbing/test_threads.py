"""Threads for work that blocks are used again, and nothing of one piece of work is there in the next."""

import asyncio
import gc
import os
import threading
import weakref
from contextvars import ContextVar

import pytest

from mossbench.plumbing import coroutines
from mossbench.plumbing.coroutines import in_thread
from waiting import LONG


async def one_by_one(*functions):
    return [await in_thread(function) for function in functions]


def test_a_thread_that_is_free_is_used_again():
    used = asyncio.run(one_by_one(*[threading.current_thread] * 20))
    assert len(set(used)) == 1
    assert used[0].daemon
    assert used[0] is not threading.current_thread()


def test_work_at_the_same_time_has_a_thread_each():
    together = threading.Barrier(8)

    async def all_at_once():
        return await asyncio.gather(*(in_thread(together.wait, 60) for _ in range(8)))

    assert sorted(asyncio.run(all_at_once())) == list(range(8))


def test_work_that_hangs_keeps_no_other_from_its_end():
    hangs = threading.Event()

    async def beside():
        waiting = asyncio.create_task(in_thread(hangs.wait))
        await asyncio.sleep(0)
        found = await in_thread(str, 7)
        waiting.cancel()
        return found

    assert asyncio.run(beside()) == "7"
    hangs.set()


def test_context_variables_are_unset_in_each_piece_of_work():
    said = ContextVar("said", default="nothing")
    said.set("by whoever asks")
    assert asyncio.run(one_by_one(lambda: said.set("by the first") and said.get(), said.get)) == [
        "by the first",
        "nothing",
    ]


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration(), SystemExit(3)])
def test_an_error_goes_to_whoever_waits_and_the_thread_lives_on(error):
    def fails():
        raise error

    async def after_it():
        with pytest.raises(ValueError if isinstance(error, ValueError) else RuntimeError):
            await in_thread(fails)
        return await in_thread(str, 7)

    assert asyncio.run(after_it()) == "7"


def test_a_thread_that_waits_keeps_nothing_of_its_work_alive():
    class Large:
        def used(self):
            return self

    large = Large()
    gone = threading.Event()
    weakref.finalize(large, gone.set)
    asyncio.run(one_by_one(large.used))
    del large
    gc.collect()
    assert gone.wait(LONG)


def test_threads_leave_when_there_is_nothing_to_do(monkeypatch):
    monkeypatch.setattr(coroutines, "IDLE", 0.01)
    monkeypatch.setattr(coroutines, "_idle", [])
    (thread,) = asyncio.run(one_by_one(threading.current_thread))
    thread.join(LONG)
    assert not thread.is_alive()
    assert asyncio.run(one_by_one(lambda: 7)) == [7]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    asyncio.run(one_by_one(threading.current_thread))
    child = os.fork()
    if child == 0:
        ended = 1
        try:
            ended = 0 if asyncio.run(asyncio.wait_for(in_thread(str, 7), LONG)) == "7" else 2
        finally:
            os._exit(ended)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_turns_keep_no_loop_that_is_closed():
    async def at_once():
        await asyncio.gather(*(coroutines.my_turn() for _ in range(3)))
        return weakref.ref(asyncio.get_running_loop())

    first, last = [asyncio.run(at_once()) for _ in range(2)]
    gc.collect()
    assert first() is None and list(coroutines._turns) == [last()]
