import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mossbench.models.retry_after import (
    FIRST_WAIT,
    LONGEST_WAIT,
    MAX_RETRY_AFTER,
    is_too_long,
    read_retry_after,
    wait_before_next_try,
)


@pytest.mark.parametrize(
    ("headers", "retry_delay", "seconds"),
    [
        ({}, None, None),
        ({"retry-after": "7"}, None, 7.0),
        ({"retry-after": "0"}, None, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, None, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "7"}, None, 7.0),
        ({}, "17s", 17.0),
        ({"retry-after": "3"}, "17s", 3.0),
        ({"retry-after": "-1"}, None, None),
        ({"retry-after": "inf"}, None, None),
        ({"retry-after": "nan"}, "", None),
        ({"retry-after": "tomorrow"}, None, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None, 0.0),
        ({"retry-after": "Wed, 21 Oct 99999999999999999999 07:28:00 GMT"}, None, None),
    ],
)
def test_the_wait_is_read_from_whichever_form_a_provider_uses(headers, retry_delay, seconds):
    assert read_retry_after(headers, retry_delay) == seconds


def test_a_date_is_the_seconds_until_then():
    in_a_minute = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 50 < read_retry_after({"retry-after": in_a_minute}) <= 60


def test_a_wait_of_ours_doubles_up_to_the_longest():
    waits = [wait_before_next_try(n_failed, None, random.Random(1)) for n_failed in (0, 1, 2, 3, 20, 10_000)]
    factor = waits[0] / FIRST_WAIT
    assert 0.75 <= factor <= 1.25
    assert [wait / factor for wait in waits] == pytest.approx([1, 1, 2, 4, LONGEST_WAIT, LONGEST_WAIT])


def test_a_provider_that_asks_for_no_seconds_is_not_asked_again_at_once():
    rng = random.Random(1)
    assert [wait_before_next_try(n_failed, 0.0, rng) >= 0.75 * 2 ** (n_failed - 1) for n_failed in (1, 2, 3)] == [
        True
    ] * 3


def test_a_wait_that_the_provider_names_is_never_shortened():
    waits = [wait_before_next_try(5, 30.0, random.Random(seed)) for seed in range(100)]
    assert 30 <= min(waits) < max(waits) <= 33


def test_a_row_waits_five_minutes_in_all():
    assert not is_too_long(MAX_RETRY_AFTER)
    assert is_too_long(MAX_RETRY_AFTER + 0.1)
