"""Slow work of the shelf: a failure is shown once, however long the work took, and then tried again."""

import shutil
from threading import Event

import pytest

from answered import stop
from mossbench.errors import MossbenchError
from mossbench.web.settings import Settings
from mossbench.web.shelf import Shelf, StillReading, wait_until_read
from waiting import LONG


@pytest.fixture
def shelf(tmp_path):
    shelf = Shelf(Settings(tmp_path))
    yield shelf
    shelf.close()


def wait_for_background_work(shelf):
    """Until work that was submitted before has ended."""
    for _ in range(100):
        try:
            return shelf.compute_once("barrier", lambda: None, "Waiting")
        except StillReading:
            continue
    raise AssertionError("background work did not end")


class SlowWork:
    """Fails or returns only when the test lets it go on."""

    def __init__(self, error=None):
        self.error = error
        self.may_end = Event()
        self.n_calls = 0

    def __call__(self):
        self.n_calls += 1
        assert self.may_end.wait(LONG)
        if self.error is not None:
            raise self.error
        return "done"


def test_work_that_fails_after_the_page_gave_up_waiting_shows_its_error(shelf):
    work = SlowWork(MossbenchError("the file is damaged"))
    with pytest.raises(StillReading, match="Counting"):
        shelf.compute_once("work", work, "Counting")
    work.may_end.set()
    wait_for_background_work(shelf)
    work.may_end.clear()  # were the work done again, it would be slow again
    with pytest.raises(MossbenchError, match="the file is damaged"):
        shelf.compute_once("work", work, "Counting")
    assert work.n_calls == 1


def test_work_that_failed_is_tried_again_after_its_error_was_shown(shelf):
    work = SlowWork(MossbenchError("the file is damaged"))
    work.may_end.set()
    for n_calls in (1, 2):
        with pytest.raises(MossbenchError, match="the file is damaged"):
            shelf.compute_once("work", work, "Counting")
        assert work.n_calls == n_calls
    work.error = None
    assert shelf.compute_once("work", work, "Counting") == "done"
    assert shelf.compute_once("work", work, "Counting") == "done"
    assert work.n_calls == 3


def test_a_timeout_within_the_work_is_an_error_and_not_progress(shelf):
    work = SlowWork(TimeoutError("the disk does not answer"))
    work.may_end.set()
    with pytest.raises(TimeoutError, match="the disk does not answer"):
        shelf.compute_once("work", work, "Counting")


def test_runs_that_another_page_has_read_again_make_what_was_shown_old(runs):
    shelf = Shelf(Settings(runs))
    try:
        shown = wait_until_read(shelf.runs)
        assert not shelf.has_newer(shown)
        stop(runs / "some", 20)
        assert shelf.has_newer(shown)
        shelf.runs()
        while shelf.is_reading:  # for another page, after which none is being read
            shelf.runs()
        assert shelf.has_newer(shown) and not shelf.has_newer(shelf.runs())
        shown = shelf.runs()
        shutil.rmtree(runs / "some")
        assert shelf.has_newer(shown) and not shelf.has_newer(shelf.runs())
    finally:
        shelf.close()
