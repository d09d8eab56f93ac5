"""Work in a process of its own: its memory is given back when it ends, and it holds up no other thread."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, TypeVar

Value = TypeVar("Value")
_AT_WORK: set[BaseProcess] = set()


def apart(work: Callable[..., Value], *args: Any) -> Value:
    """What `work`, a function of a module, returns or raises; the process ends with this one, however that ends."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(sender, work, args), daemon=True)
    process.start()
    _AT_WORK.add(process)
    sender.close()
    try:
        found, error = receiver.recv()
    except EOFError:
        raise RuntimeError("work in another process was stopped") from None
    finally:
        process.join()
        _AT_WORK.discard(process)
    if error is not None:
        raise error
    value: Value = found
    return value


def stop_apart() -> None:
    """Stops all such work; who waits for it gets a RuntimeError."""
    for process in tuple(_AT_WORK):
        process.kill()


def end_with_parent() -> None:
    """Makes this process end when the one that started it does; Ctrl-C is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)


def _do(sender: Connection, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    end_with_parent()
    try:
        sender.send((work(*args), None))
    except Exception as error:
        sender.send((None, error))
