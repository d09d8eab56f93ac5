"""Waiting for what must come. The limit is far beyond what a busy machine needs: it ends a test that would hang."""

import time

LONG = 300  # seconds


def until(come, every=0.01):
    """What `come()` returns, once that is true."""
    ends = time.monotonic() + LONG
    while not (found := come()):
        assert time.monotonic() < ends, f"waited {LONG} s in vain"
        time.sleep(every)
    return found
