"""What Ctrl-C does before a command has begun, while it works, and once it has said all.

Nothing is imported here that takes time.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def stop_at_once_on_ctrl_c() -> None:
    """From here on Ctrl-C says that nothing was begun, and ends the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop_at_once)


def stop_at_once(number: int, _frame: FrameType | None) -> None:
    """Ends the process where it stands, with one line and the shell's exit code for the signal."""
    try:
        os.write(2, b"stopped before anything was begun; run the same command again\n")
    except OSError:
        pass  # nobody hears it
    os._exit(128 + number)


def leave_at_once(number: int, _frame: FrameType | None) -> None:
    """Ends a process that has said all that it had to say."""
    os._exit(128 + number)


def heed_ctrl_c() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt, as usual: whoever is interrupted says what is kept."""
    if signal.getsignal(signal.SIGINT) is stop_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def nothing_left_to_stop() -> None:
    """From here on Ctrl-C ends the process without a word, and without a traceback of what Python does at its end."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody has had it ignored
        signal.signal(signal.SIGINT, leave_at_once)
