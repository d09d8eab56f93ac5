"""What is read out of the result files of a batch, and what is missing in them by the provider's own word."""

from pathlib import Path

import pytest

from mossbench.models.batch_api import DamagedLine, EndedBatch, ResultCounts, ResultFile
from mossbench.models.faults import Fault
from mossbench.models.replies import Reply
from mossbench.outcomes import Key
from mossbench.runs.batches.results import Delivered, Gap, find_gap, why_no_result
from mossbench.samples import Side
from mossbench.store.batch_log import Chunk

CHUNK = Chunk(name="c", state="out", batch="b1", rows=tuple(Key(Side.BENIGN, str(i)) for i in range(4)))
WHY = Fault("BatchError", "it was not come to", lost=True)
ANSWER = Reply(text="Yes.")
ERROR = Fault("BatchError", "overloaded", status=529)


def delivered(results=(), *, damaged=(), is_cut=False, counts=None, succeeded=False, is_gone=False):
    ended = EndedBatch("completed", ("file",), WHY, succeeded=succeeded, counts=counts, is_gone=is_gone)
    delivery = Delivered(CHUNK, ended)
    delivery.add(ResultFile(tuple(results), tuple(damaged), is_cut))
    return delivery


def answers(n):
    return [(f"c-{i}", ANSWER) for i in range(n)]


def test_lines_are_counted_by_whose_they_are():
    damaged = [DamagedLine(("c-2",), "no JSON"), DamagedLine((), "no JSON")]
    delivery = delivered([*answers(2), ("c-0", ANSWER), ("x-1", ANSWER), ("c-3", ERROR)], damaged=damaged)
    assert delivery.ids == {"c-0", "c-1", "c-3"} and delivery.n_of_others == 1 and delivery.n_failures == 1
    assert delivery.damaged == {"c-2": "no JSON"} and delivery.n_nameless == 1 and delivery.has_damage
    assert delivery.n_lines == 5


def test_results_the_provider_counts_are_missing_unless_counts_contradict_files():
    assert delivered(answers(3), counts=ResultCounts(4, 0)).n_missing == 1
    assert delivered([*answers(2), ("c-2", ERROR)], counts=ResultCounts(4, 0)).n_missing == 0
    assert delivered([*answers(2), ("c-2", ERROR)], counts=ResultCounts(3, 1)).n_missing == 1
    assert delivered(answers(3)).n_missing == 0


@pytest.mark.parametrize(
    ("delivery", "reason", "stays_pending"),
    [
        (delivered(counts=ResultCounts(4, 0)), "no results yet: batch b1 ended as 'completed' with 4 answers", True),
        (delivered(succeeded=True), "no results yet: batch b1 ended as 'completed'", True),
        (delivered(answers(2), is_cut=True), "results are cut off: batch b1 ended as 'completed'", True),
        (delivered(answers(4), is_cut=True), "results are cut off: batch b1 ended as 'completed'", False),
        (delivered(answers(2), counts=ResultCounts(4, 0)), "2 results missing: batch b1 ended as 'completed'", False),
        (delivered(answers(3), succeeded=True), "1 result missing: batch b1 ended as 'completed'", False),
        (delivered(), "results are not counted: batch b1 ended as 'completed'", False),
    ],
)
def test_a_gap_says_what_is_missing_and_whether_it_may_be_all(delivery, reason, stays_pending):
    gap = find_gap(delivery)
    assert (gap.reason, gap.stays_pending) == (reason, stays_pending)


def test_nothing_is_missing_where_all_is_there_or_gone_for_good():
    assert find_gap(delivered(answers(4), counts=ResultCounts(4, 0), succeeded=True)) is None
    assert find_gap(delivered(answers(1), counts=ResultCounts(1, 0))) is None
    assert find_gap(delivered(counts=ResultCounts(4, 0), is_gone=True)) is None


def test_only_what_is_surely_not_paid_for_may_be_asked_again():
    assert why_no_result(delivered(answers(3))) == WHY
    assert why_no_result(delivered(answers(3), counts=ResultCounts(4, 0))).type == "ResultLost"
    assert why_no_result(delivered(is_gone=True)).type == "ResultLost"
    assert why_no_result(delivered([("x-1", ANSWER)])).type == "DamagedResult"
    assert why_no_result(delivered(damaged=[DamagedLine((), "no JSON")])).type == "DamagedResult"


def test_a_batch_that_stays_pending_says_what_a_user_can_do():
    gap = Gap("no results yet", 60, stays_pending=True)
    give_up = "if they are gone for good, delete b.jsonl: its rows are sent, and paid for, again"
    assert gap.explain(60, Path("b.jsonl"), 1.0) == (
        f"no results yet after 60 checks; nothing is sent again; {give_up}"
    )
    assert gap.explain(1, Path("b.jsonl"), 0) == (
        f"no results yet; nothing is sent again; to wait for them, resume with poll above 0; {give_up}"
    )
