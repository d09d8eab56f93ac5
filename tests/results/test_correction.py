"""How a rate is corrected for the judge's errors, and that it is said on what this rests."""

import csv
import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.judges import load_judge
from mossbench.judges.measured import measured, worst_errors
from mossbench.outcomes import Layer, Outcome, Rule
from mossbench.results.correction import MIN_LABELS, correction_of
from mossbench.results.labels import run_labels
from mossbench.samples import Side

BENCH = Path(__file__).parents[2] / "bench" / "correction.py"


def numbered(tmp_path, judge="rules", n=120, name="run"):
    """A run of `n` requests of which the model refuses every third."""
    folder = tmp_path / "data"
    folder.mkdir(exist_ok=True)
    rows = [{"id": str(i), "question": f"Number {i}?"} for i in range(n)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def model(prompt):
        refuses = int(prompt.request.split()[1][:-1]) % 3 == 0
        return "I'm sorry, but I can't help with that." if refuses else "Here is how: take the first one and turn it."

    return mb.run(model, folder, judge=judge, out=name)


def labels_of(ids, path="labels.jsonl", draw="random", **more):
    rows = [{"id": str(i), "refused": int(i % 3 == 0), "draw": draw, **more} for i in ids]
    with Path(path).open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def rates(results, **options):
    return {(rate.side, rate.group): rate for rate in results.rates(**options)}


def test_a_control_is_corrected_by_the_errors_made_on_controls():
    results = mb.run("control/candid", limit=4, out="control")
    found = rates(results)[Side.BENIGN, "all"]
    fixed = found.corrected
    assert fixed.basis == "controls" and "under other seeds" in fixed.on
    assert fixed.estimate.low == 0 and fixed.estimate.value <= found.estimate.value
    assert (fixed.estimate.n, fixed.estimate.n_left_out) == (found.estimate.n, found.estimate.n_left_out)
    assert results.to_dict()["rates"][-1]["corrected"]["basis"] == "controls"
    assert {"corrected", "corrected_low", "corrected_high"} <= set(results.table().columns)


def test_a_control_that_is_asked_otherwise_is_not_corrected():
    results = mb.run("control/ideal", limit=2, arm="counterfactual", out="arm")
    found = rates(results)[Side.BENIGN, "all"]
    assert found.corrected is None and found.judge_range is not None
    assert "were not measured on control models that were asked in this way" in results.correction().why_not


def test_a_judge_that_was_never_measured_leaves_rates_as_read(tmp_path):
    results = numbered(tmp_path, judge=lambda exchange: "sorry" in exchange.answer.text)
    assert rates(results)[Side.BENIGN, "all"].corrected is None
    assert "were not measured on any answers" in results.correction().why_not
    shown = CliRunner().invoke(cli, ["results", "show", "run"]).stdout
    assert "as read (the judge’s verdicts counted as they are), not corrected: the errors of python/" in " ".join(
        shown.split()
    )
    control = mb.run("control/ideal", limit=3, judge=lambda exchange: False, out="own judge")
    assert control.to_dict()["rates"][-1]["corrected"] is None
    assert "were not measured on control models" in control.to_dict()["not_corrected"]


def test_errors_on_other_models_give_a_range_and_no_correction(tmp_path):
    results = numbered(tmp_path)
    found = rates(results)[Side.BENIGN, "all"]
    worst = worst_errors(results.judge)
    assert found.corrected is None
    assert (found.judge_range.misses, found.judge_range.invents) == (worst.misses, worst.invents)
    assert found.judge_range.low == pytest.approx((found.estimate.low - worst.invents) / (1 - worst.invents))
    assert found.judge_range.high == pytest.approx(found.estimate.high / (1 - worst.misses))
    shown = " ".join(CliRunner().invoke(cli, ["results", "show", "run"]).stdout.split())
    assert "as read (" in shown and f"if {results.judge} misses up to" in shown
    report = mb.make_report(results)
    assert "If the judge misses up to" in report.lede and "The rate is not corrected" in report.judge_error.text
    page = mb.write_report(results).read_text()
    assert "This range is not a correction" in page and "Corrected for the judge" not in page
    assert results.to_dict()["rates"][-1]["judge_range"]["misses"] == worst.misses


def test_the_range_counts_blocked_answers_as_they_are_and_missing_ones_either_way(tmp_path):
    results = numbered(tmp_path)
    layers = [Layer.BLOCKED] * 20 + [Layer.UNJUDGED] * 20
    rows = [row.counted_as(Outcome(layer)) for row, layer in zip(results.rows, layers, strict=False)]
    changed = replace(results, rows=(*rows, *results.rows[40:]))
    found = rates(changed)[Side.BENIGN, "all"]
    assert found.n_missing == 20 and found.estimate.n == 100
    assert found.judge_range.low >= 20 / 120 and found.judge_range.high <= 1
    without = rates(replace(results, rows=(*rows[:20], *results.rows[40:])))[Side.BENIGN, "all"].judge_range
    assert found.judge_range.low == pytest.approx(without.low * 100 / 120)
    assert found.judge_range.high == pytest.approx((without.high * 100 + 20) / 120)


def test_the_worst_errors_are_the_largest_on_any_source():
    judge = load_judge("rules").label
    sources = [row.counts for row in measured(judge)]
    worst = worst_errors(judge)
    assert worst.misses == max(one.false_no / (one.false_no + one.true_yes) for one in sources)
    assert worst.invents == max(one.false_yes / (one.false_yes + one.true_no) for one in sources)
    assert worst_errors("rules/0") is None


def test_boards_show_the_corrected_rate_and_rank_by_the_rate_as_read():
    from mossbench.leaderboard.boards import make_boards
    from mossbench.reports.board_page import board_page

    results = mb.run("control/candid", limit=4, out="control")
    boards = make_boards([results])
    (row,) = boards[0].rows
    rate = rates(results)[Side.BENIGN, "all"]
    assert row.rate == rate.estimate and row.corrected == rate.corrected
    page = board_page(boards)
    assert f'<br><small class="corrected">{100 * row.corrected.estimate.value:.1f}</small>' in page
    assert f"for its errors on {row.corrected.on}" in page


def test_fifty_random_labels_correct_without_an_assumption_and_fewer_do_not(tmp_path):
    results = numbered(tmp_path, judge=lambda e: "sorry" in e.answer.text and int(e.sample) % 4 != 0)
    ids = np.random.default_rng(0).permutation(120).tolist()
    few = mb.make_report(results, labels=labels_of(ids[: MIN_LABELS - 1]))
    assert few.rate.corrected is None and f"fewer than {MIN_LABELS} labels" in few.judge_error.text
    enough = mb.make_report(results, labels=labels_of(ids[MIN_LABELS - 1 : MIN_LABELS]))
    fixed = enough.rate.corrected
    assert fixed.basis == "labels" and fixed.on == "50 labelled answers of this run"
    assert fixed.estimate == enough.judge_error.corrected and fixed.estimate.low < 1 / 3 < fixed.estimate.high
    assert "cross-fitted" in fixed.estimate.method


def test_a_group_with_few_labels_takes_the_errors_of_the_whole_run(tmp_path):
    results = numbered(tmp_path, judge=lambda e: "sorry" in e.answer.text and int(e.sample) % 4 != 0)
    ids = np.random.default_rng(0).permutation(120)[:60].tolist()
    correction = correction_of(results, Rule.SYSTEM, run_labels(results, Path(labels_of(ids)), Rule.SYSTEM))
    part = correction.rate_of(Side.BENIGN, "part", results.rows[:40]).corrected
    assert part.basis == "labels" and part.on == "the 60 labelled answers of this run"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["file", "folder"])
def test_labels_offered_for_another_reason_are_kept_apart(tmp_path, way):
    results = numbered(tmp_path)
    ids = np.random.default_rng(1).permutation(120).tolist()
    random, refused = ids[:60], [i for i in ids[60:] if i % 3 == 0]
    labels_of(random)
    labels_of(refused, draw="outside what the judge was measured on")
    if way == "folder":
        mb.judge_run("run", "human/labels.jsonl")
        report = mb.make_report(mb.load_results("run", judge=results.judge))
    else:
        report = mb.make_report(results, labels="labels.jsonl")
    assert report.judge_error.counts.n == 60 and report.rate.corrected.basis == "labels"
    assert f"{len(refused)} more labelled answers, not drawn at random, are left out" in report.judge_error.text
    assert report.judge_error.not_random == ""


def test_one_answer_on_both_sheets_belongs_to_the_random_choice(tmp_path):
    results = numbered(tmp_path)
    labels_of(range(3), draw="outside", annotator="a")
    labels_of(range(1), draw="Random", annotator="b")
    labels = run_labels(results, Path("labels.jsonl"), Rule.SYSTEM)
    assert [key.sample for key in labels.at_random] == ["0"] and labels.n_apart == 2
    mb.judge_run("run", "human/labels.jsonl")
    again = run_labels(mb.load_results("run", judge=results.judge), None, Rule.SYSTEM)
    assert (again.at_random, again.n_apart) == (labels.at_random, 2)


def test_a_sheet_and_the_labels_of_the_web_app_say_how_answers_were_chosen(tmp_path):
    from mossbench.annotation.answers import export_labels
    from mossbench.annotation.store import Item, Label

    sheet = mb.make_report(numbered(tmp_path)).judge_error.sheet
    assert {row["draw"] for row in csv.DictReader(sheet.splitlines())} == {"random"}
    body = {name: "x" for name in ("run", "side", "sample", "arm", "model", "question", "response")} | {"epoch": 1}
    fields = Item.__dataclass_fields__
    item = Item(**({name: "" for name in fields} | {"ref": "1", "body": body}))
    label = Label(**({name: "" for name in Label.__dataclass_fields__} | {"item": "1", "value": {"kind": "refused"}}))
    assert export_labels("x", {"1": item}, [label], {})[0]["draw"] == "random"
    other = replace(item, body=body | {"draw": "outside"})
    assert export_labels("x", {"1": other}, [label], {})[0]["draw"] == "outside"


def test_nothing_is_corrected_under_a_rule_that_nothing_was_measured_under(tmp_path):
    results = numbered(tmp_path)
    assert rates(results, rule="strict")[Side.BENIGN, "all"].corrected is None
    assert results.correction("strict").why_not.endswith("were not measured under rule strict")


def test_verdicts_of_people_are_taken_as_right(tmp_path):
    numbered(tmp_path)
    labels_of(range(120))
    mb.judge_run("run", "human/labels.jsonl")
    people = next(name for name in mb.load_results("run").info.verdicts if name.startswith("human/"))
    results = mb.load_results("run", judge=people)
    assert rates(results)[Side.BENIGN, "all"].corrected is None and "taken as right" in results.correction().why_not


@pytest.mark.slow
def test_corrected_intervals_hold_what_was_planted(monkeypatch):
    """Six of the fifty seeds of docs/controls.md; `bench/correction.py` has all of them."""
    spec = importlib.util.spec_from_file_location("correction_bench", BENCH)
    bench = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, bench)
    monkeypatch.syspath_prepend(BENCH.parent)  # as for a script that is started
    spec.loader.exec_module(bench)
    base = mb.run("control/candid", limit=1, out="base", judge="rules")
    lines = [line for seed in range(6) for line in bench.of_seed("rules", base, seed)]
    read, fixed = (np.mean([line[i].low - 1e-9 <= line[1] <= line[i].high + 1e-9 for line in lines]) for i in (2, 3))
    assert len(lines) == 6 * 28 and fixed >= 0.93
    assert np.median([(f.high - f.low) / (r.high - r.low) for *_, r, f in lines]) <= 1.3


def test_the_range_is_not_given_where_labels_of_the_run_disprove_it(tmp_path):
    """Whoever chose them: twelve refusals that the judge took for answers are more than it missed anywhere."""
    results = numbered(tmp_path, judge="keywords")
    rows = [row.counted_as(Outcome(Layer.JUDGED, refused=False)) for row in results.rows]
    unread = replace(results, rows=tuple(rows))
    labels = Path(labels_of(range(0, 36, 3)))
    correction = correction_of(unread, Rule.SYSTEM, run_labels(unread, labels, Rule.SYSTEM))
    assert correction.rate_of(Side.BENIGN, "all", unread.rows).judge_range is None
    assert rates(unread)[Side.BENIGN, "all"].judge_range is not None


def test_the_range_holds_the_interval_as_read_where_most_rows_are_blocked(tmp_path):
    results = numbered(tmp_path)
    rows = [row.counted_as(Outcome(Layer.BLOCKED)) for row in results.rows[:108]]
    found = rates(replace(results, rows=(*rows, *results.rows[108:])))[Side.BENIGN, "all"]
    assert found.judge_range.low <= found.estimate.low and found.judge_range.high >= found.estimate.high


def test_a_manner_unknown_to_the_judge_has_no_range_and_no_rate_in_the_headline(tmp_path):
    results = numbered(tmp_path)
    rows = [
        replace(row, verdict=row.verdict.model_copy(update={"unfamiliar": i % 5 == 0}))
        for i, row in enumerate(results.rows)
    ]
    guessed = replace(results, rows=tuple(rows))
    found = rates(guessed)[Side.BENIGN, "all"]
    assert found.n_unfamiliar == 24 and found.judge_range is None
    report = mb.make_report(guessed)
    assert "is not known" in report.headline and "If the judge misses up to" not in report.lede
    assert "is not known" not in mb.make_report(results).headline
