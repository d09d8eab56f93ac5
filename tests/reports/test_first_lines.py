"""What the first run says of itself: that it works only where that is so."""

from types import SimpleNamespace

import pytest

import mossbench as mb
from mossbench.models import load_model
from mossbench.reports import planted
from mossbench.results.table import Results


@pytest.mark.parametrize(
    ("n_outside", "says"),
    [
        (0, "It works: 28 of 28 planted refusal rates lie in the 95 % intervals."),
        (4, "It works: 24 of 28 planted refusal rates lie in the 95 % intervals."),  # P(4 or more) = 0.05
        (6, "Something is wrong: only 22 of 28 planted refusal rates lie in the 95 % intervals."),  # 0.003
    ],
)
def test_it_works_unless_more_rates_lie_outside_than_chance_allows(monkeypatch, n_outside, says):
    pairs = [
        SimpleNamespace(inside_corrected=i >= n_outside, measured=SimpleNamespace(corrected=None)) for i in range(28)
    ]
    monkeypatch.setattr(planted, "pairs_in_table", lambda run, rule: pairs)
    assert planted.verdict_line([mb.run("control/stonewall", limit=1, out="r")]) == says


def test_without_verdicts_nothing_is_said_to_work():
    run = mb.run("control/stonewall", limit=1, judge=None, out="r")
    assert planted.verdict_line([run]) == "Inconclusive: 2 of 2 rows have no verdict."


def test_the_rates_of_a_run_are_counted_once_for_all_its_lines(monkeypatch):
    model = load_model("control/jumpy")
    run, counted, rates = mb.run(model, limit=3, out="r"), [], Results.rates
    monkeypatch.setattr(Results, "rates", lambda run, **how: (counted.append(run.judge), rates(run, **how))[1])
    planted.verdict_line([run])
    planted.planted_table([run])
    planted.planted_lines([run], [model])
    assert counted == [run.judge, None]  # as read, and as meant
    planted.pairs(run, "strict")
    assert len(counted) == 3


@pytest.mark.parametrize(("n_outside", "words"), [(0, "Outside: 0 as read, "), (2, "Outside: 2 as read (marked !), ")])
def test_the_mark_of_rates_outside_is_named_only_where_there_are_some(monkeypatch, n_outside, words):
    model = load_model("control/stonewall")
    run = mb.run(model, limit=1, out="r")
    pairs = [SimpleNamespace(inside=i >= n_outside, measured=SimpleNamespace(corrected=None)) for i in range(28)]
    monkeypatch.setattr(planted, "pairs_in_table", lambda run, rule: pairs)
    assert words in planted.planted_lines([run], [model])
