"""What is out in batches, as batches.jsonl tells it: nothing that was handed over is lost or paid for twice."""

from pathlib import Path

import pytest

from mossbench.outcomes import Key
from mossbench.plumbing.line_writer import LineWriter
from mossbench.samples import Side
from mossbench.store.batch_log import Chunk, PendingRows, chunks_out, pending_rows, pending_rows_text

PATH = Path("batches.jsonl")
ROWS = tuple(Key(Side.BENIGN, str(i)) for i in (1, 2, 3))


def write(*chunks):
    with LineWriter(PATH) as file:
        for chunk in chunks:
            file.append(chunk)


def sending(name, rows=ROWS, judge=""):
    return Chunk(name=name, state="sending", rows=rows, judge=judge)


def out(name, batch, judge=""):
    return Chunk(name=name, state="out", batch=batch, judge=judge)


def ended(name, batch, judge=""):
    return Chunk(name=name, state="ended", batch=batch, judge=judge)


def test_nothing_is_out_where_there_is_no_file_or_all_has_ended():
    assert pending_rows(PATH) is None and pending_rows(Path("notes.txt/batches.jsonl")) is None
    write(sending("a"), out("a", "batch-1"), ended("a", "batch-1"))
    assert pending_rows(PATH) is None
    assert chunks_out(PATH).out == {} and chunks_out(PATH).batch_ids == {"batch-1"}


def test_a_chunk_keeps_its_rows_and_gets_the_id_that_the_provider_gave_it():
    write(sending("a"), out("a", "batch-1"))
    (chunk,) = chunks_out(PATH).out.values()
    assert (chunk.rows, chunk.state, chunk.batch) == (ROWS, "out", "batch-1")
    assert chunk.ids() == {"a-0": ROWS[0], "a-1": ROWS[1], "a-2": ROWS[2]}


def test_what_was_being_sent_when_a_process_was_killed_may_have_arrived_and_is_out():
    write(sending("a"))
    (chunk,) = chunks_out(PATH).out.values()
    assert chunk.state == "sending" and chunk.batch is None
    assert pending_rows(PATH) == PendingRows(n_rows=3, n_batches=1)


def test_a_torn_last_line_is_not_there():
    write(sending("a"), out("a", "batch-1"), ended("a", "batch-1"))
    PATH.write_bytes(PATH.read_bytes()[:-5])
    assert pending_rows(PATH) == PendingRows(n_rows=3, n_batches=1)


def test_rows_of_the_run_and_of_each_judge_are_counted_apart_and_together():
    write(sending("a"), sending("b", ROWS[:1], judge="rubric/1"), sending("c", ROWS[:2], judge="rubric/1"))
    assert pending_rows(PATH) == PendingRows(6, 3)
    assert pending_rows(PATH, judge="") == PendingRows(3, 1)
    assert pending_rows(PATH, judge="rubric/1") == PendingRows(3, 2)
    assert pending_rows(PATH, judge="rules/4") is None


def test_what_was_written_since_is_counted():
    write(sending("a"))
    assert pending_rows(PATH) == PendingRows(3, 1)
    write(sending("b"))
    assert pending_rows(PATH) == PendingRows(6, 2)
    write(ended("a", "batch-1"), ended("b", "batch-2"))
    assert pending_rows(PATH) is None


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (None, ""),
        (PendingRows(1, 1), "1 row is pending in 1 batch"),
        (PendingRows(12, 1), "12 rows are pending in 1 batch"),
        (PendingRows(12, 2), "12 rows are pending in 2 batches"),
    ],
)
def test_rows_out_in_words(rows, text):
    assert pending_rows_text(rows) == text
