"""How long a request waits before it is sent again: the provider's `Retry-After`, or a wait of ours that doubles.

Everything on the subject is here: reading the header (`read_retry_after`), the wait itself (`wait_before_next_try`),
and when a provider asks for too long a wait (`is_too_long`). `connections` waits; `pace` decides how many requests are
in flight.
"""

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT = 1.0
"""Seconds before the second try, where the provider names no time; doubled with each further one."""
LONGEST_WAIT = 60.0
"""Seconds that a wait of ours doubles up to, and that all rows are held back at most."""
MAX_RETRY_AFTER = 300.0
"""Seconds that one row waits in all; a provider that asks for more means a daily quota: resume later."""

_MOST_DOUBLINGS = 30  # beyond it, 2.0 ** n is far above LONGEST_WAIT anyway


def read_retry_after(headers: Mapping[str, str], retry_delay: str | None = None) -> float | None:
    """Seconds that a provider asks to wait; None where it does not say.

    Args:
        headers: Of the reply: `retry-after-ms`, or `Retry-After` in seconds or as a date.
        retry_delay: Google's RetryInfo in the body, such as `17s`.
    """
    after = headers.get("retry-after")
    delay = None if retry_delay is None else retry_delay.removesuffix("s")
    for value, seconds_per_unit in ((headers.get("retry-after-ms"), 0.001), (after, 1.0), (delay, 1.0)):
        seconds = _number(value)
        if seconds is not None:
            return seconds * seconds_per_unit
    return _seconds_until(after)


def _number(value: str | None) -> float | None:
    """A time of zero or more; None for what is missing, negative, infinite or no number."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):  # a header may be a date, a body may hold anything
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _seconds_until(date: str | None) -> float | None:
    if date is None:
        return None
    try:
        moment = parsedate_to_datetime(date)
    except (TypeError, ValueError, OverflowError):  # OverflowError: a year with twenty digits
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def wait_before_next_try(n_failed: int, retry_after: float | None, rng: random.Random) -> float:
    """Seconds to wait after so many failed tries; a little at random, so that not all rows come back at one moment.

    A provider that asks for no seconds, or for a date that is past, names no time: at once all retries would be gone.
    """
    if retry_after:
        return retry_after * rng.uniform(1.0, 1.1)
    doublings = min(max(n_failed - 1, 0), _MOST_DOUBLINGS)
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0**doublings) * rng.uniform(0.75, 1.25)


def is_too_long(seconds: float) -> bool:
    """Whether this is longer than a row waits in all."""
    return seconds > MAX_RETRY_AFTER
