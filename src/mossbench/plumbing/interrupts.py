"""What Ctrl-C does before a command has begun, while it runs, and when it is done.

Imports nothing that takes time to load.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def stop_at_once_on_ctrl_c() -> None:
    """From now on Ctrl-C ends the process with the message that nothing was begun."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop_at_once)


def stop_at_once(number: int, _frame: FrameType | None) -> None:
    """Ends the process immediately, with one line and the shell's exit code for the signal."""
    try:
        os.write(2, b"stopped before anything was begun; run the same command again\n")
    except OSError:
        pass  # nobody reads it
    os._exit(128 + number)


def leave_at_once(number: int, _frame: FrameType | None) -> None:
    """Ends a process that is done, without a message."""
    os._exit(128 + number)


def heed_ctrl_c() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, as usual: the interrupted code says what was saved."""
    if signal.getsignal(signal.SIGINT) is stop_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def nothing_left_to_stop() -> None:
    """From now on Ctrl-C ends the process without a message, and without a traceback from Python's shutdown."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the signal is ignored on purpose
        signal.signal(signal.SIGINT, leave_at_once)
