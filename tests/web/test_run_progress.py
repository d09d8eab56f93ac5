"""How far a run is: the facts by which pages decide, and what they say of them."""

import pytest

from mossbench.web.run_progress import RunProgress


@pytest.mark.parametrize(
    ("progress", "state", "is_finished", "has_rates"),
    [
        (RunProgress("ended", 60, 60), "finished", True, True),
        (RunProgress("ended", 1060, 1060, n_failed=1000), "1,000 failed", False, True),
        (RunProgress("ended", 60, 60, n_failed=2, n_unjudged=3), "2 failed, 3 unjudged", False, True),
        (RunProgress("ended", 58, 60, n_missing=2), "2 missing", False, False),
        (RunProgress("not finished", 30, 60), "not finished", False, True),
        (RunProgress("in progress", 30, 60), "in progress", False, False),
        (RunProgress("being read", 0, 60), "being read", False, False),
        (RunProgress("cannot be read"), "cannot be read", False, False),
        (RunProgress("not finished", 30, 60, in_batches="9 in a batch"), "not finished, 9 in a batch", False, False),
        (RunProgress("ended", 60, 60, in_batches="9 in a batch"), "finished, 9 in a batch", False, False),
    ],
)
def test_pages_decide_by_facts_and_say_a_state(progress, state, is_finished, has_rates):
    assert (progress.state, progress.is_finished, progress.has_rates) == (state, is_finished, has_rates)
    told = {"n": progress.n_answers, "of": progress.n_rows, "going": progress.phase == "in progress", "state": state}
    assert progress.to_dict() == told


def test_a_list_of_runs_has_four_groups():
    def listed(progress, *, is_readable=True, is_judged=True):
        return progress.listed_under(is_readable=is_readable, is_judged=is_judged)

    whole = RunProgress("ended", 60, 60)
    assert listed(whole) == "finished"
    assert listed(whole, is_judged=False) == listed(whole, is_readable=False) == "attention"
    assert listed(RunProgress("ended", 60, 60, n_failed=1)) == listed(RunProgress("not finished")) == "attention"
    assert listed(RunProgress("in progress"), is_judged=False) == "going"
    assert listed(RunProgress("being read"), is_judged=False) == "reading"
