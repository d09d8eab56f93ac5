"""A rate is unknown where the judge does not know the manner of too many answers: the same everywhere."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli
from mossbench.leaderboard.both_sides import all_standings
from mossbench.outcomes import Verdict
from mossbench.published.hub_results import eval_results
from mossbench.reports.tables import percent
from mossbench.reports.words.comparisons import findings
from mossbench.reports.words.standing import heading
from mossbench.reports.writing import report_bytes
from mossbench.results.changes import changes
from mossbench.results.listing import line_of

N_SAMPLES = 100


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("data"), N_SAMPLES, sides=("benign",))


@pytest.fixture(scope="module")
def familiar(data, tmp_path_factory):
    return answered(data, tmp_path_factory.mktemp("runs") / "familiar", refused=range(1, 11))


@pytest.fixture(scope="module")
def unfamiliar(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "unfamiliar"
    answered(data, folder)
    return with_unfamiliar(folder, 28)


def with_unfamiliar(folder, n):
    """The run, of whose verdicts the first `n` are now marked as unfamiliar."""
    (verdicts,) = folder.glob("verdicts.*.jsonl")
    lines = [json.loads(line) for line in verdicts.read_text().splitlines()]
    for line in lines[:n]:
        line["verdict"]["unfamiliar"] = True
    verdicts.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return mb.load_results(folder)


def test_the_report_names_no_rate(unfamiliar):
    headline = mb.make_report(unfamiliar).headline
    assert headline.startswith("It is not known how often ")


def test_the_gate_is_undecided(unfamiliar):
    assert mb.gate(unfamiliar, max_refusal=0.5).state == "undecided"


def test_home_ranks_no_model_and_says_why(unfamiliar):
    (standing,) = all_standings([unfamiliar])
    assert standing.places == ()
    assert "28 of 100 answers are unfamiliar to " in " ".join(standing.board.notes)


def test_home_ranks_the_other_models(familiar, unfamiliar):
    (standing,) = all_standings([familiar, unfamiliar])
    assert [place.run for place in standing.places] == ["familiar"]
    assert "10\u202f%" in heading(standing)


def test_a_board_gives_the_model_no_rank(familiar, unfamiliar):
    (board,) = mb.make_boards([familiar, unfamiliar])
    (row,) = [row for row in board.rows if row.source == "unfamiliar"]
    assert row.place is None and "unfamiliar" in row.not_ranked


def test_a_comparison_is_inconclusive(familiar, unfamiliar):
    comparison = mb.compare(familiar, unfamiliar)
    overall = comparison.differences[-1]
    assert overall.p <= 0.05  # as read the difference would be significant
    assert overall.is_inconclusive and not overall.is_significant
    (sentence,) = [text for text in findings(comparison) if "inconclusive" in text]
    assert "28 of 100 answers are unfamiliar to " in sentence
    assert comparison.to_dict()["differences"][-1]["unfamiliar"][0]["n_unfamiliar"] == 28


def test_a_rise_over_a_baseline_is_undecided(familiar, unfamiliar):
    for run, baseline in ((familiar, unfamiliar), (unfamiliar, familiar)):
        (check,) = mb.gate(run, baseline=baseline, max_increase=0.9).checks
        assert check.state == "undecided" and "28 of 100 answers are unfamiliar to " in str(check.reason)


def test_a_change_since_the_last_run_is_inconclusive(data, tmp_path):
    options = {"model_name": "m"}
    answered(data, tmp_path / "before", refused=range(1, 11), **options)
    answered(data, tmp_path / "after", **options)
    runs = [mb.load_results(tmp_path / "before"), with_unfamiliar(tmp_path / "after", 28)]
    (change,) = changes(runs)
    assert all(difference.is_inconclusive for difference in change.differences)


def test_lists_and_json_name_no_rate(familiar, unfamiliar):
    (rate,) = line_of(unfamiliar.folder).summary.rates.values()
    assert (rate.value, rate.low, rate.high, rate.is_known) == (None, None, None, False)
    (known,) = line_of(familiar.folder).summary.rates.values()
    assert known.value == 0.1 and known.is_known
    assert [rate["is_known"] for rate in unfamiliar.to_dict(by=None)["rates"]] == [False]
    assert [rate["is_known"] for rate in familiar.to_dict(by=None)["rates"]] == [True]


def test_tables_name_no_rate(unfamiliar):
    (rate,) = unfamiliar.rates(by=None)
    assert percent(rate) == "not known"
    listed = CliRunner().invoke(cli, ["runs", "list", "--runs", str(unfamiliar.folder.parent)])
    assert "not known" in listed.stdout and "0.0 %" not in listed.stdout


def test_a_report_of_several_runs_names_those_whose_rate_is_not_known(familiar, unfamiliar):
    runs = [familiar, unfamiliar]
    reports = [mb.make_report(run) for run in runs]
    about_unknown = "Rate not known: unfamiliar (28 of 100), since more than 10 % of the answers are unfamiliar to "
    text = report_bytes(runs, reports, "md").decode()
    together, _, _ = text.partition("\n## ")
    assert "| unfamiliar | not known | – | 100 | 0 |" in together and about_unknown in together
    assert "the rates lie between: familiar " in together
    page = report_bytes(runs, reports, "html").decode()
    assert about_unknown in page and "unfamiliar: not known. " in page
    assert "0.0\u202f% (0.0 to 3.7)" not in page.partition('id="compared"')[2].partition("</article>")[0]


def test_commands_name_the_runs_whose_rate_is_not_known(familiar, unfamiliar):
    folders = [str(familiar.folder), str(unfamiliar.folder)]
    shown = " ".join(CliRunner().invoke(cli, ["results", "show", *folders]).stdout.split())
    assert "unfamiliar.jsonl: not known: 28 of 100 harmless answers are unfamiliar to " in shown
    assert "familiar.jsonl: harmless" in shown
    reported = " ".join(CliRunner().invoke(cli, ["report", *folders, "--out", "report.md"]).stdout.split())
    assert "Rate not known: unfamiliar (28 of 100)" in reported


def test_no_results_file_for_others_has_the_rate(unfamiliar, tmp_path):
    with pytest.raises(mb.UsageError, match="28 of 100 answers are unfamiliar"):
        mb.write_every_eval_ever(unfamiliar, tmp_path / "out", organization="o")
    with pytest.raises(mb.UsageError, match="28 of 100 answers are unfamiliar"):
        eval_results(unfamiliar, hub_dataset="org/name")


@pytest.mark.parametrize(("n_unfamiliar", "is_known"), [(10, True), (11, False)])
def test_a_rate_is_unknown_above_a_tenth(data, tmp_path, n_unfamiliar, is_known):
    answered(data, tmp_path / "run", refused=[1])
    results = with_unfamiliar(tmp_path / "run", n_unfamiliar)
    assert [rate.is_known for rate in results.rates(by=None)] == [is_known]
    assert len(all_standings([results])[0].places) == is_known
    assert (mb.gate(results, max_refusal=0.9).state == "pass") == is_known


def test_a_rate_that_labels_correct_is_known(data, tmp_path):
    answered(data, tmp_path / "run", refused=[1])
    results = with_unfamiliar(tmp_path / "run", 28)
    labels = "".join(f"{i},random,{int(i <= 8)}\n" for i in range(1, N_SAMPLES + 1))
    (tmp_path / "labels.csv").write_text(f"id,draw,refused\n{labels}")
    mb.judge_run(tmp_path / "run", f"human/{tmp_path}/labels.csv")
    labelled = mb.load_results(tmp_path / "run", judge=results.judge)
    assert [rate.is_known for rate in labelled.rates(by=None)] == [True]
    (standing,) = all_standings([labelled])
    assert heading(standing) == "run refuses 8\u202f% of harmless requests, corrected by labels."
    assert mb.make_report(labelled).headline == heading(standing)


def test_few_answers_in_an_unfamiliar_manner_have_no_count_in_the_headline(data, tmp_path):
    answered(data, tmp_path / "run", limit=8)
    results = mb.load_results(tmp_path / "run")
    rows = [replace(row, verdict=Verdict(kind="answered", unfamiliar=True)) for row in results.rows]
    report = mb.make_report(replace(results, rows=tuple(rows)))
    assert report.headline.startswith("It is not known how often ")
