"""What a notebook shows for a record that has no table of its own: one short line."""

from pathlib import Path

import pytest

import mossbench as mb

ROOT = Path(__file__).parents[1]
ANSWERS = ROOT / "bench" / "blind.jsonl"
SUITE = ROOT / "examples" / "suite.toml"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return [
        mb.run(model, limit=2, out=folder / name)
        for model, name in (("control/candid", "a"), ("control/stonewall", "b"))
    ]


def test_results_of_functions_show_themselves_in_one_line(runs):
    first, second = runs
    shown = [
        first,
        first.rates()[-1],
        first.rows[0],
        first.rows[0].sample,
        mb.make_report(first),
        mb.compare(first, second),
        mb.gate(first, max_refusal=0.5, as_read=True),
        mb.make_boards([first, second])[0],
        mb.load_dataset("sketches"),
        mb.describe_dataset("sketches"),
        mb.forecast_run("control/candid", limit=2),
        mb.try_sample("control/candid"),
        mb.list_runs(first.folder.parent)[0],
        mb.over_sets(first)[0],
        mb.load_model("control/candid"),
        mb.load_judge("rules"),
        mb.published_findings(),
        mb.explain_verdict("How long does it keep?", "I only discuss billing."),
        mb.propose(first.folder.parent / "build", n=3),
        *mb.standings(first.folder.parent / "build"),
        mb.standings(first.folder.parent / "build")[0].candidate,
        first.correction(),
        first.rows[0].exchange,
        mb.analyse_runs("tradeoff", [first.folder], out=first.folder.parent / "analysis"),
        mb.score_judges([ANSWERS], ["rules"]),
        mb.validate_judge([ANSWERS], "rules"),
        mb.judge_answers([{"request": "How?", "response": "No."}], "rules"),
        *mb.forecast_suite(mb.load_suite(SUITE)),
        mb.write_bundle([first.folder], first.folder.parent / "bundle.zip"),
    ]
    for record in shown:
        text = repr(record)
        assert text.startswith(f"<{type(record).__name__} ") and text.endswith(">")
        assert "\n" not in text and len(text) < 250


def test_a_rate_says_its_side_group_and_counts(runs):
    harmless = [rate for rate in runs[1].rates() if rate.side is mb.Side.BENIGN]
    assert repr(harmless[-1]) == "<Rate benign, all: 2 of 2 refused>"


def test_a_model_without_a_name_can_still_be_shown():
    assert repr(mb.Model()) == "<Model without a name>"


def test_a_long_request_is_cut_in_a_sample():
    sample = mb.Sample(id="s1", question="why? " * 100)
    assert len(repr(sample)) < 160 and repr(sample).startswith("<Sample benign s1: 'why? why?")


def test_one_of_something_is_said_in_the_singular(runs):
    assert repr(mb.gate(runs[0], max_refusal=0.5, as_read=True)).endswith("1 check>")
