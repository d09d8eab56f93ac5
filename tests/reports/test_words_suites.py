from pathlib import Path
from types import SimpleNamespace

from mossbench.messages import Message
from mossbench.reports.words.suites import suite_cases, suite_notices
from mossbench.ways_out import Resume


def cell(label, *, data="sketches", error="", notices=(), judged_before=()):
    """A cell without gates: what became of its run."""
    results = SimpleNamespace(info=SimpleNamespace(notices=notices), rows=(), judge="reader/2")
    return SimpleNamespace(
        cell=SimpleNamespace(names=SimpleNamespace(label=label, data=data)),
        gates=(),
        results=(results,),
        seconds=0.0,
        trouble=lambda max_failed: error,
        judged_before=judged_before,
    )


def suite(*cells):
    return SimpleNamespace(cells=cells, suite=SimpleNamespace(max_failed=0.1), comparison=None)


def test_a_run_without_gates_that_failed_cannot_be_decided():
    error = Message("no answers", (Resume(Path("x")),))
    (case,) = suite_cases(suite(cell("mini", error=error)))
    assert (case.where, case.name, case.state) == ("mini", "run", "undecided")
    assert case.text.startswith("mini: no answers; resume it with: mossbench run --resume x")


def test_what_runs_say_is_said_once_and_names_the_data_where_there_are_several():
    twice = suite(cell("a", notices=("images changed",)), cell("b", notices=("images changed",)))
    assert suite_notices(twice) == ["images changed"]
    several = suite(cell("a", notices=("images changed",)), cell("b", data="peer", notices=("images changed",)))
    assert suite_notices(several) == ["sketches: images changed", "peer: images changed"]


def test_cells_whose_answers_another_judge_had_read_are_named():
    (line,) = suite_notices(suite(cell("mini", judged_before=("rules/4",)), cell("other")))
    assert line == (
        "mini: the recorded answers were judged again by reader/2 (before: rules/4) and not requested again"
    )
