"""errors.log: a traceback once, and the rows that it stopped."""

from pathlib import Path

from mossbench.outcomes import Key
from mossbench.samples import Side
from mossbench.store.error_log import ErrorLog

TRACE = "Traceback (most recent call last):\nZeroDivisionError: division by zero\n"


def test_a_traceback_is_written_once_and_the_later_rows_name_the_first():
    log = ErrorLog(Path("errors.log"))
    log.add(Key(Side.BENIGN, "1"), TRACE)
    log.add(Key(Side.BENIGN, "2", epoch=3), TRACE)
    log.add(Key(Side.CONTRAST, "1"), "another\n")
    text = Path("errors.log").read_text()
    assert text.count("ZeroDivisionError") == 1
    assert "benign 1, arm plain, epoch 1: Traceback" in text
    assert "benign 2, arm plain, epoch 3: as for benign 1, arm plain, epoch 1\n" in text
    assert "contrast 1, arm plain, epoch 1: another\n" in text


def test_a_log_is_written_only_for_tracebacks_and_failing_to_costs_nothing():
    ErrorLog(Path("errors.log")).add(Key(Side.BENIGN, "1"), None)
    assert not Path("errors.log").exists()
    ErrorLog(Path("no such folder/errors.log")).add(Key(Side.BENIGN, "1"), TRACE)
