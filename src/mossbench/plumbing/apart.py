"""Runs a function in its own process: its memory is freed at the end, and it blocks no other thread."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import TypeVar

Value = TypeVar("Value")
_running: set[BaseProcess] = set()


def apart(work: Callable[..., Value], *args: object) -> Value:
    """What `work`, a function of a module, returns or raises; its process ends when this one does, in any case."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work_and_send, args=(sender, work, args), daemon=True)
    process.start()
    _running.add(process)
    sender.close()
    try:
        result, error = receiver.recv()
    except EOFError:
        raise RuntimeError("work in another process was stopped") from None
    finally:
        process.join()
        _running.discard(process)
    if error is not None:
        raise error
    value: Value = result
    return value


def stop_apart() -> None:
    """Stops all such work; whoever waits for it gets a RuntimeError."""
    for process in tuple(_running):
        process.kill()


def end_with_parent() -> None:
    """Makes this process end when the one that started it does, and leaves Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)


def _work_and_send(sender: Connection, work: Callable[..., object], args: tuple[object, ...]) -> None:
    end_with_parent()
    try:
        sender.send((work(*args), None))
    except Exception as error:
        sender.send((None, error))
