"""The gate: exit 0 pass, 1 fail, 2 cannot be decided; never a pass for lack of data."""

import json
import shutil
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from answered import JUDGE, answered, samples, stop
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.judges.measured import worst_errors
from mossbench.messages import Message
from mossbench.reports.words.gates import gate_line
from mossbench.results.gate_checks import n_to_pass
from mossbench.results.gates import Gate, decide, read_gates
from mossbench.statistics import wilson, wilson_interval
from mossbench.store.suite_record import GateLimits


def gate(*args):
    done = CliRunner().invoke(cli, ["gate", *map(str, args)], catch_exceptions=False)
    assert len(done.stdout.splitlines()) <= 1 and "Traceback" not in done.output
    return done


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Sixty samples: `few` turns down 2 (interval 0.9 to 11.4 %), `some` 9, `holed` has 10 without an answer."""
    folder = tmp_path_factory.mktemp("runs")
    data = samples(folder / "data", 60)
    answered(data, folder / "few", refused=[1, 2])
    answered(data, folder / "some", refused=range(1, 10))
    answered(data, folder / "holed", refused=[1, 2], failed=range(11, 21))
    answered(data, folder / "harmless", refused=[1, 2], side="benign")
    answered(data, folder / "unread", judge=None)
    answered(data, folder / "nothing", failed=range(1, 61))
    return folder


@pytest.mark.parametrize(
    ("run", "flags", "code", "words"),
    [
        ("few", ["--max-refusal", 0.12, "--as-read"], 0, "PASS"),
        ("few", ["--max-refusal", 0.12], 1, "labelled answers of this run, drawn at random, would show it"),
        ("few", ["--max-refusal", 0.18], 0, "interval used [0.0 to 17.1] for a judge that misses up to"),
        ("few", ["--max-refusal", 0.10, "--as-read"], 1, "not shown to be at most 10 %: "),
        ("few", ["--max-refusal", 0.10, "--mode", "lenient"], 0, "PASS"),
        ("few", ["--max-refusal", 0.005, "--mode", "lenient", "--as-read"], 1, "above the limit of 0.5 %"),
        ("few", ["--max-refusal", 0.005, "--mode", "lenient"], 0, "PASS"),
        ("some", ["--max-refusal", 0.10], 1, "not shown to be at most 10 %"),
        ("some", ["--max-refusal", 0.05, "--as-read"], 1, "above the limit of 5 %: "),
        ("few", ["--max-refusal", 0.5, "--min-safety", 0.9], 1, "harmful refused below the limit of 90 %: 3.3 %"),
        ("some", ["--min-safety", 0.05, "--as-read"], 0, "harmful refused at least 5 %: "),
        (
            "few",
            ["--baseline", "some", "--max-increase", 0.02],
            0,
            "increase over the baseline at most 2 points: -11.7",
        ),
        (
            "some",
            ["--baseline", "few", "--max-increase", 0.02],
            1,
            "increase over the baseline above the limit of 2 points: ",
        ),
        ("holed", ["--max-refusal", 0.9], 2, "10 of 60 rows failed or have no verdict"),
        ("holed", ["--max-refusal", 0.9, "--max-failed", 0.2], 0, "n = 50, 10 left out"),
        ("few", ["--baseline", "holed", "--max-increase", 0.5], 2, "the baseline: 10 of 60 rows failed"),
        ("harmless", ["--min-safety", 0.1], 2, "the run has no harmful rows"),
        ("unread", ["--max-refusal", 0.9], 2, "60 of 60 rows failed or have no verdict"),
        ("unread", ["--max-refusal", 0.9, "--max-failed", 1], 2, "no row counts"),
        ("nothing", ["--max-refusal", 0.9, "--max-failed", 1], 2, "UNDECIDED"),
        ("nothing", ["--max-refusal", 1, "--mode", "lenient", "--max-failed", 1], 2, "UNDECIDED"),
    ],
)
def test_the_decision_and_its_one_line(runs, run, flags, code, words):
    flags = [runs / flag if flag in ("few", "some", "holed") else flag for flag in flags]
    done = gate(runs / run, *flags)
    assert done.exit_code == code and words in done.stdout, done.output


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "nothing to decide"),
        (["--max-refusal", "nan"], "expected a share from 0 to 1"),
        (["--max-refusal", 10], "expected a share from 0 to 1"),
        (["--max-increase", 0.1], "needs a baseline"),
        (
            ["--max-refusal", 0.1, "--max-failed", -1],
            "'--max-failed': expected a share from 0 to 1, such as 0.05, got '-1'",
        ),
    ],
)
def test_a_wrong_call_is_exit_two(runs, flags, words):
    done = gate(runs / "few", *flags)
    assert done.exit_code == 2 and words in done.stderr and not done.stdout


def test_a_run_is_not_its_own_baseline(runs):
    done = gate(runs / "few", "--baseline", runs / "few", "--max-increase", 0.5)
    assert done.exit_code == 2 and "is its own baseline" in done.stderr


def test_the_line_names_data_and_judge(runs):
    hashes = mb.load_results(runs / "few").info.dataset.hashes
    data = f"data benign@{hashes['benign'][:12]} contrast@{hashes['contrast'][:12]}"
    assert f"data {data}, judge {JUDGE})" in gate(runs / "few", "--max-refusal", 0.5).stdout


def test_a_damaged_run_is_exit_two_and_not_a_failure_of_the_model(runs, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "run.json").write_text("{}")
    assert gate(tmp_path / "bad", "--max-refusal", 0.5).exit_code == 2
    assert gate(tmp_path / "none", "--max-refusal", 0.5).exit_code == 2


def test_a_report_for_ci_that_cannot_be_written_is_exit_two(runs, tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    done = gate(runs / "few", "--max-refusal", 1, "--junit", in_the_way / "junit.xml")
    assert done.exit_code == 2 and "cannot write" in done.stderr


def test_an_unfinished_run_never_passes(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "run")
    stop(tmp_path / "run", 59)
    done = gate(tmp_path / "run", "--max-refusal", 1)
    assert (
        done.exit_code == 2 and "1 of 60 rows were not asked yet; resume it with: mossbench run --resume" in done.stdout
    )


def test_a_part_of_the_data_is_said_to_be_one_and_a_shard_decides_nothing(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "part", limit=20)
    assert "(only 20 of its ids), judge" in gate(tmp_path / "part", "--max-refusal", 1).stdout
    answered(data, tmp_path / "shard", shard="1/2")
    done = gate(tmp_path / "shard", "--max-refusal", 1)
    assert done.exit_code == 2 and "the run is only shard 1/2; merge all shards first with" in done.stdout


def test_a_baseline_on_other_samples_decides_nothing(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "before", limit=20)
    answered(data, tmp_path / "after")
    done = gate(tmp_path / "after", "--baseline", tmp_path / "before", "--max-increase", 1)
    assert done.exit_code == 2 and "harmless samples: 20 chosen" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [({"temperature": 1.0}, "temperature: 1 and 0"), ({"system": "Be kind."}, "and none"), ({"max_tokens": 10}, "10")],
)
def test_a_baseline_that_was_asked_differently_is_refused(runs, tmp_path, options, words):
    data = samples(tmp_path / "data", 6)
    answered(data, tmp_path / "before", **options)
    answered(data, tmp_path / "after", seed=7)
    args = (tmp_path / "after", "--baseline", tmp_path / "before", "--max-increase", 1, "--mode", "lenient")
    done = gate(*args)
    assert done.exit_code == 2 and "were asked differently" in done.stderr and words in done.stderr
    answered(data, tmp_path / "seeded")
    assert gate(*args[:2], tmp_path / "seeded", *args[3:]).exit_code == 0


def test_a_baseline_of_another_making_is_refused(runs, tmp_path):
    answered(samples(tmp_path / "other", 60, word="item"), tmp_path / "run")
    done = gate(runs / "few", "--baseline", tmp_path / "run", "--max-increase", 0.5)
    assert done.exit_code == 2 and "different harmless samples" in done.stderr


def test_json_has_the_state_and_the_numbers(runs):
    content = json.loads(
        CliRunner().invoke(cli, ["gate", str(runs / "few"), "--max-refusal", "0.1", "--as-read", "--json"]).stdout
    )
    (check,) = content["checks"]
    assert content["state"] == "fail" and check["n_needed"] > 60 and check["estimate"]["n"] == 60


def test_one_scene_decides_nothing(tmp_path):
    data = samples(tmp_path / "data", 9, sides=("benign",), scene=lambda i: "all")
    decision = mb.gate(answered(data, tmp_path / "run"), max_refusal=1.0)
    assert decision.state == "undecided" and "one scene" in str(decision.checks[0].reason)


@given(st.integers(1, 400), st.floats(0, 1), st.floats(0.01, 0.99))
def test_the_samples_it_names_are_enough_and_no_more(n, share, limit):
    yes = round(share * n)
    estimate = wilson(yes, n)
    needed = n_to_pass(estimate, limit, at_most=True)
    if yes / n >= limit:
        assert needed is None
    elif needed is not None and estimate.high < 1:
        assert wilson_interval(yes / n, needed)[1] <= limit + 1e-9
        assert needed == 1 or wilson_interval(yes / n, (needed - 1) * 0.999)[1] > limit


@pytest.mark.parametrize(("setting", "code"), [("temperature", 2), ("seed", 0)])
def test_a_setting_that_only_one_of_run_and_baseline_was_given_is_other_sampling(runs, tmp_path, setting, code):
    shutil.copytree(runs / "few", tmp_path / "picky")
    about = json.loads((tmp_path / "picky" / "run.json").read_text())
    about["sent"] = {"not_taken": {setting: "no"}}
    (tmp_path / "picky" / "run.json").write_text(json.dumps(about))
    done = gate(tmp_path / "picky", "--baseline", runs / "few", "--max-increase", 0.5)
    assert done.exit_code == code and ("settings not taken: none and temperature" in done.stderr) == (code == 2), (
        done.output
    )
    shown = CliRunner().invoke(cli, ["results", "show", str(tmp_path / "picky")]).stderr
    assert f"not sent, because the provider does not accept it: {setting}" in shown


def test_without_labels_a_gate_decides_on_what_the_judge_s_errors_leave(runs):
    results = mb.load_results(runs / "few")
    (check,) = mb.gate(results, max_refusal=0.12).checks
    worst = worst_errors(results.judge)
    assert check.decided_on == "judge range" and check.high == pytest.approx(check.estimate.high / (1 - worst.misses))
    assert check.state == "fail" and check.n_labels >= 50 and check.n_needed is None
    (read,) = mb.gate(results, max_refusal=0.12, as_read=True).checks
    assert read.state == "pass" and read.decided_on == "as read" and read.high == read.estimate.high


def test_labels_of_the_run_decide_where_they_are(tmp_path):
    data = samples(tmp_path / "data", 120, sides=("benign",))
    results = answered(data, tmp_path / "run", refused=[1, 2])
    labels = "".join(f"{i},random,{int(i <= 2)}\n" for i in range(1, 121))
    (tmp_path / "labels.csv").write_text(f"id,draw,refused\n{labels}")
    assert not mb.gate(results, max_refusal=0.07)
    mb.judge_run(tmp_path / "run", f"human/{tmp_path}/labels.csv")
    decision = mb.gate(mb.load_results(tmp_path / "run", judge=results.judge), max_refusal=0.07)
    assert decision and decision.checks[0].decided_on == "labels"


def test_a_judge_that_nobody_measured_decides_only_as_read(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    results = answered(data, tmp_path / "run", judge=lambda exchange: False)
    decision = mb.gate(results, max_refusal=0.5)
    assert decision.state == "undecided" and "were not measured on any answers" in str(decision.checks[0].reason)
    assert mb.gate(results, max_refusal=0.5, as_read=True)


@pytest.mark.parametrize("as_read", [True, False])
def test_answers_in_a_manner_that_the_judge_does_not_know_leave_a_gate_undecided(runs, as_read):
    results = mb.load_results(runs / "few")
    rows = [
        replace(row, verdict=row.verdict.model_copy(update={"unfamiliar": row.key.side == "benign" and i % 8 == 0}))
        for i, row in enumerate(results.rows)
    ]
    decision = mb.gate(replace(results, rows=tuple(rows)), max_refusal=0.9, as_read=as_read)
    assert decision.state == "undecided" and f"are unfamiliar to {JUDGE}, more than 10 %" in str(
        decision.checks[0].reason
    )
    assert mb.gate(replace(results, rows=tuple(rows)), min_safety=0.0, as_read=as_read)


def test_missing_pairs_widen_the_rise_over_a_baseline(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    base = answered(data, tmp_path / "base")
    whole = answered(data, tmp_path / "whole")
    holed = answered(data, tmp_path / "holed", failed=[1, 2, 3])
    highs = [mb.gate(run, baseline=base, max_increase=0.1).checks[0].estimate.high for run in (whole, holed)]
    assert highs[1] == mb.compare(base, holed).differences[-1].estimate.high
    assert highs[1] > highs[0] + 3 / 60 / 2


def test_an_increase_that_cannot_be_decided_says_which_of_the_two_runs_it_lies_in(tmp_path):
    data = samples(tmp_path / "data", 12)
    whole = answered(data, tmp_path / "whole")
    holes = answered(data, tmp_path / "holes", failed=range(1, 7))
    for run, baseline, begins in ((whole, holes, "the baseline: 6 of 12 rows"), (holes, whole, "6 of 12 rows")):
        (check,) = mb.gate(run, baseline=baseline, max_increase=0.5).checks
        assert check.state == "undecided" and str(check.reason).startswith(begins)


def test_a_gate_without_a_limit_in_a_record_is_no_pass(runs):
    limits = GateLimits(name="empty")
    for decision in (
        decide(mb.load_results(runs / "few"), limits),
        Gate.undecided(limits, "few", "m", Message("it cannot be read")),
    ):
        assert decision.state == "undecided" and not decision and not decision.checks
        assert "UNDECIDED empty" in gate_line(decision) and "no limit, so nothing is decided" in gate_line(decision)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[gates]\n", "[gates.a]\nmode = 'lenient'\n"])
def test_a_file_of_gates_without_a_limit_is_an_error(text, tmp_path):
    assert read_gates(tmp_path / "gates.toml") == ()
    (tmp_path / "gates.toml").write_text(text)
    with pytest.raises(UsageError, match="gates.toml has no gate, or one without a limit: expected"):
        read_gates(tmp_path / "gates.toml")


def test_junit_and_annotations_say_why_rows_have_no_verdict(tmp_path, monkeypatch):
    judge = tmp_path / "mine.py"
    judge.write_text("def judge(exchange):\n    raise ValueError('no credit left')\n")
    with pytest.warns(mb.errors.RunWarning):
        mb.run("control/candid", limit=4, judge=f"{judge}:judge", out=tmp_path / "run")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = gate(tmp_path / "run", "--max-refusal", 0.5, "--junit", tmp_path / "ci.xml")
    assert done.exit_code == 2
    assert "8 of 8 rows are missing: 8 have no verdict; most often: " in (tmp_path / "ci.xml").read_text()
    assert "no credit left" in (tmp_path / "ci.xml").read_text()
    assert "no credit left" in next(line for line in done.stderr.splitlines() if line.startswith("::warning"))
