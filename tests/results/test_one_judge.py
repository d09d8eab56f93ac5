"""Runs that different judges have read are read by one before they are compared, and nothing is written for that."""

import json
import os
from dataclasses import replace
from pkgutil import resolve_name

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import NO, answered, samples
from earlier_judge import files_of, judged_by
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.judges import JUDGES, SUCCESSION, newest_offline_judge
from mossbench.messages import on_command_line
from mossbench.outcomes import Verdict
from mossbench.results import one_judge
from mossbench.results.changes import changes, needs_judging
from mossbench.results.comparisons import compare
from mossbench.results.gates import decide
from mossbench.results.one_judge import load_read_by, with_one_judge, with_one_judge_each
from mossbench.results.table import load_results
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import GateLimits

N = 12
RUBRIC = "rubric/kinds?model=openai/x/01234567"


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture
def runs(tmp_path):
    """`old` refuses two samples and `new` three; an earlier version of the judge read all of `old` the wrong way."""
    data = samples(tmp_path / "data", N, sides=("benign",))
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "old", refused=[1, 2], judge="rules")
    answered(data, tmp_path / "runs" / "new", refused=[1, 2, 3], judge="rules")
    judged_by(tmp_path / "runs" / "old", "rules/3", invert=True)
    return tmp_path / "runs"


def difference(comparison):
    return next(line for line in comparison.differences if line.group == "all").estimate.value


def test_every_offline_judge_has_its_place_in_the_succession():
    classes = {name: resolve_name(f"mossbench.judges.{kind.made_by}") for name, kind in JUDGES.items()}
    assert {name for name, made_by in classes.items() if made_by.versions()} == set(SUCCESSION)


@pytest.mark.parametrize(
    ("labels", "newest"),
    [
        (("rules/3", "rules/4"), "rules/4"),
        (("rules/4", "tandem/1"), "tandem/1"),
        (("keywords/2", "rules/3"), "rules/3"),
        (("rules/1", "rules/2"), "rules/4"),  # neither is installed
        (("rules/4", "rubric/kinds?model=openai/x/ab12"), None),
        (("rules/4", "human/labels.jsonl/1f0c"), None),
    ],
)
def test_the_newest_of_offline_judges_is_by_succession_then_by_version(labels, newest):
    found = newest_offline_judge(labels)
    assert (found and found.label) == newest
    in_reverse = newest_offline_judge(labels[::-1])
    assert (in_reverse and in_reverse.label) == newest


def test_an_earlier_version_s_run_is_judged_again_and_its_files_stay(runs):
    before = files_of(runs / "old")
    comparison = compare(runs / "old", runs / "new")
    assert comparison.judge == "rules/4" and difference(comparison) == pytest.approx(1 / N)
    (note,) = [note for note in comparison.remarks if note.kind == "read_by_another"]
    assert (note.own_judge, note.judge, note.n_judged_now) == ("rules/3", "rules/4", N)
    assert files_of(runs / "old") == before


def test_by_its_own_verdicts_the_difference_would_be_another(runs):
    first, second = load_results(runs / "old"), load_results(runs / "new")
    assert first.judge == "rules/3"
    refused = [run.rates(by=None)[0].refused for run in (first, second)]
    assert refused == [N - 2, 3]


def test_the_terminal_json_and_markdown_say_who_was_judged_again(runs):
    done = mossbench("compare", runs / "old", runs / "new")
    said = "replay/old.jsonl was judged by rules/3; here rules/4 has judged its 12 answers again"
    assert done.exit_code == 0 and done.stderr.count(said) == 1
    assert f"mossbench judge apply {runs / 'old'} --judge rules" in done.stderr
    content = json.loads(mossbench("compare", runs / "old", runs / "new", "--json").stdout)
    assert content["judge"] == "rules/4" and any(said in note for note in content["notes"])
    assert content["remarks"][0]["own_judge"] == "rules/3"


def test_two_judges_are_compared_by_the_one_that_succeeds_the_other(runs):
    judged_by(runs / "new", "tandem/1", invert=True)
    comparison = compare(runs / "old", runs / "new")
    assert comparison.judge == "tandem/1"
    (note,) = [note for note in comparison.remarks if note.kind == "read_by_another"]
    assert note.own_judge == "rules/3"


def test_verdicts_that_a_folder_has_already_count_and_nothing_is_judged(runs, monkeypatch):
    mb.judge_run(runs / "old", "rules")
    monkeypatch.setattr(one_judge, "_judge_rows", lambda judge, rows: pytest.fail("judged again") if rows else {})
    assert load_results(runs / "old", judge="rules/3").judge == "rules/3"
    comparison = compare(load_results(runs / "old", judge="rules/3"), runs / "new")
    (note,) = [note for note in comparison.remarks if note.kind == "read_by_another"]
    assert note.n_judged_now == 0 and "which its folder has too" in comparison.notes[0]


def test_an_answer_that_came_after_the_verdict_is_judged_by_its_own_text(runs):
    mb.judge_run(runs / "old", "rules")
    answers = runs / "old" / "answers.jsonl"
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    lines[-1]["answer"]["text"] = NO
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = one_judge.read_by(load_results(runs / "old", judge="rules/3"), "rules/4")
    assert run.rates(by=None)[0].refused == 3 and run.reread.n_judged_now == 1


def test_a_named_judge_reads_both(runs):
    comparison = compare(runs / "old", runs / "new", judge="tandem/2")
    assert comparison.judge == "tandem/2" and difference(comparison) == pytest.approx(1 / N)
    assert len([note for note in comparison.remarks if note.kind == "read_by_another"]) == 2


def paid(run, label=RUBRIC):
    """The run as a judging model has read it."""
    folder = run.folder
    lines = (folder / "verdicts.rules-4.jsonl").read_text().splitlines()
    judgements = [json.loads(line) | {"judge": label} for line in lines]
    RunFolder(folder).verdicts_path(label).write_text("".join(json.dumps(line) + "\n" for line in judgements))
    return label


def test_verdicts_of_a_judging_model_are_never_bought_here(runs):
    new = load_results(runs / "new")
    rubric = replace(load_results(runs / "old"), judge=RUBRIC)
    with pytest.raises(UsageError) as caught:
        compare(rubric, new)
    message = on_command_line(caught.value.message)
    assert f"mossbench judge apply {runs / 'new'} --judge 'rubric/kinds?model=openai/x'" in message
    assert "--judge reader" in message
    free = compare(rubric.folder, new.folder, judge="rules")
    assert free.judge == "rules/4"


def test_a_judging_model_s_verdicts_count_where_both_folders_have_them(runs):
    new = load_results(runs / "new")
    mb.judge_run(runs / "old", "rules")
    label = paid(new)
    paid(load_results(runs / "old"))
    read = with_one_judge([load_results(runs / "old", judge="rules/3"), replace(new, judge=label)])
    assert [run.judge for run in read] == [label, label]
    assert sum(row.verdict is not None for row in read[0].rows) == N


def test_verdicts_on_other_arms_of_the_run_are_not_taken_for_lost(tmp_path):
    """An analysis has added arms to the run, and a paid judge has read the answers under all of them."""
    data = samples(tmp_path / "data", 3, sides=("benign",))
    run = mb.run("control/candid", data, out=tmp_path / "run", judge="rules")
    mb.analyse("prompts", "control/candid", data, out=tmp_path / "run", resume=True, judge="rules")
    info_path = tmp_path / "run" / "run.json"
    info = json.loads(info_path.read_text())
    info["verdicts"][paid(run)] = info["verdicts"]["rules/4"]
    info_path.write_text(json.dumps(info))
    results = load_results(tmp_path / "run", judge="rules")
    assert results.other_arms
    read = one_judge.read_by(results, RUBRIC)
    assert read.judge == RUBRIC and [row.outcome for row in read.rows] == [row.outcome for row in results.rows]


def test_a_verdict_on_an_earlier_answer_does_not_count_and_is_not_taken_for_lost(runs):
    label = paid(load_results(runs / "new"))
    info_path = runs / "new" / "run.json"
    info = json.loads(info_path.read_text())
    info["verdicts"][label] = N
    info_path.write_text(json.dumps(info))
    answers = runs / "new" / "answers.jsonl"
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    lines[-1]["answer"]["text"] = NO
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    read = one_judge.read_by(load_results(runs / "new"), label)
    assert sum(row.verdict is None for row in read.rows) == 1


def test_of_three_runs_those_of_offline_judges_are_read_by_one(runs):
    old, new = load_results(runs / "old"), load_results(runs / "new")
    rubric = replace(new, judge=RUBRIC)
    assert [run.judge for run in with_one_judge_each([old, rubric, new])] == ["rules/4", rubric.judge, "rules/4"]


def test_a_large_run_is_judged_again_without_its_texts_in_memory(runs):
    stored = load_results(runs / "old", stored=True)
    read = one_judge.read_by(stored, "rules/4")
    whole = one_judge.read_by(load_results(runs / "old"), "rules/4")
    assert [row.outcome for row in read.rows] == [row.outcome for row in whole.rows]
    assert [row.verdict for row in read.rows] == [row.verdict for row in whole.rows]
    assert [row.judged for row in read.rows] == [row.judged for row in whole.rows]
    assert read.rows[0].counted_as(read.rows[1].outcome).verdict == read.rows[0].verdict


def test_verdicts_are_kept_so_that_nothing_is_judged_twice(runs, monkeypatch):
    one_judge.read_by(load_results(runs / "old"), "rules/4")
    monkeypatch.setattr(one_judge, "judge_exchange", lambda *args: pytest.fail("judged twice"))
    assert one_judge.read_by(load_results(runs / "old"), "rules/4").reread.n_judged_now == N
    kept = one_judge._KeptVerdicts()
    monkeypatch.setattr(one_judge, "MAX_KEPT", 2)
    for digest in "abc":
        kept.keep("rules/4", digest, Verdict(refused=True))
    assert kept.find("rules/4", "a") is None and kept.find("rules/4", "c")


# Gates


def test_a_gate_reads_the_baseline_by_the_judge_of_the_run(runs):
    decision = mb.gate(load_results(runs / "new"), baseline=load_results(runs / "old"), max_increase=0.9)
    (check,) = decision.checks
    assert check.estimate.value == pytest.approx(1 / N) and decision.judge == "rules/4"
    command = ("gate", runs / "new", "--baseline", runs / "old", "--max-increase", 0.9)
    done = mossbench(*command)
    said = "the baseline old was judged by rules/3; here rules/4 has judged its 12 answers again"
    assert done.exit_code == 0 and done.stdout.count(said) == 1
    content = json.loads(
        mossbench("gate", runs / "new", "--baseline", runs / "old", "--max-increase", 0.9, "--json").stdout
    )
    assert content["reread"][0]["own_judge"] == "rules/3"


def test_a_baseline_of_a_newer_version_reads_the_run_too(runs):
    decision = mb.gate(
        load_results(runs / "old"), baseline=load_results(runs / "new"), max_increase=0.9, max_refusal=0.9
    )
    assert decision.judge == "rules/4" and decision.reread[0].run == "old"
    assert decision.checks[0].estimate.value == pytest.approx(2 / N)  # by the same judge as the rise
    assert decision.checks[1].estimate.value == pytest.approx(-1 / N)


def test_a_saved_gate_reads_an_older_baseline_and_the_judge_that_it_names(runs):
    limits = GateLimits(name="rise", baseline="old", max_increase=0.9)
    decision = decide(load_results(runs / "new"), limits)
    assert decision.checks[0].estimate.value == pytest.approx(1 / N) and decision.reread
    by_name = decide(load_results(runs / "old"), GateLimits(name="all", max_refusal=0.9, judge="rules"))
    assert by_name.judge == "rules/4" and by_name.checks[0].estimate.value == pytest.approx(2 / N)


# Changes since the last run


def nights(runs):
    """The two runs as two nights of one model."""
    for name, started in (("old", "2026-11-01T00:00:00+00:00"), ("new", "2026-11-02T00:00:00+00:00")):
        path = runs / name / "run.json"
        info = json.loads(path.read_text())
        info["started"] = started
        info["config"]["model_name"] = "ours"
        path.write_text(json.dumps(info))
    return [load_results(runs / name) for name in ("old", "new")]


def test_the_last_night_by_an_earlier_version_is_judged_again(runs):
    both = nights(runs)
    assert needs_judging(both) and changes(both, judges_again=False) == ()
    (change,) = changes(both)
    assert change.differences[0].estimate.value == pytest.approx(1 / N)
    assert change.reread[0].own_judge == "rules/3"
    assert "judge" not in [setting.topic for setting in change.settings]


def test_nights_of_one_version_need_no_judging(runs):
    judged_by(runs / "new", "rules/3", invert=True)
    both = nights(runs)
    assert not needs_judging(both)
    (change,) = changes(both)
    assert change.reread == () and change.differences[0].estimate.value == pytest.approx(-1 / N)


def test_an_analysis_of_several_runs_has_one_judge_and_says_so(runs):
    analysed = mb.analyse_runs("tradeoff", [runs / "old", runs / "new"], out=runs / "page")
    assert [run.judge for run in analysed.runs] == ["rules/4", "rules/4"]
    assert any("was judged by rules/3; here rules/4" in str(notice) for notice in analysed.notices)


# Tables of several runs, and which version is a run's own


def test_rates_by_different_judges_stand_in_tables_of_their_own(runs):
    shown = mossbench("results", "show", runs / "old", runs / "new").stdout
    assert shown.index("Judge rules/3") < shown.index("Judge rules/4")
    sets = mossbench("results", "sets", runs / "old", runs / "new").stdout
    assert "Judge rules/3" in sets and "Judge rules/4" in sets
    assert "Judge rules/4" not in mossbench("results", "show", runs / "new").stdout


def test_each_version_has_a_board_of_its_own(runs):
    shown = mossbench("leaderboard", "show", runs / "old", runs / "new").stdout
    assert shown.count("judge rules/3 · rule system") == shown.count("judge rules/4 · rule system") == 1
    first_board = shown[: shown.index("judge rules/4")]
    assert "old.jsonl" in first_board and "new.jsonl" not in first_board


def test_several_runs_on_one_page_are_not_ranked_across_versions(runs):
    page = mossbench("report", runs / "old", runs / "new", "--format", "md", "--out", "-").stdout
    assert "The runs differ in judge, so their rates cannot be compared." in page


def test_a_run_s_own_version_is_the_newest_whichever_file_was_copied_last(runs):
    mb.judge_run(runs / "old", "rules")
    os.utime(runs / "old" / "verdicts.rules-4.jsonl", (1, 1))
    assert load_results(runs / "old").judge == "rules/4"
    assert load_results(runs / "old", judge="rules/3").judge == "rules/3"


def test_an_unjudged_run_is_read_by_a_judge_that_is_named(tmp_path):
    data = samples(tmp_path / "data", N, sides=("benign",))
    answered(data, tmp_path / "unread", refused=[1], judge=None)
    run = load_read_by(tmp_path / "unread", "rules")
    assert run.rates(by=None)[0].refused == 1 and run.reread.own_judge is None
    with pytest.raises(UsageError, match="no verdicts of judge"):
        load_read_by(tmp_path / "unread", "rubric/kinds")
