"""Every run compared with each other: in Python, on the command line and in a paper."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli
from mossbench.reports import paper
from mossbench.reports.words.comparisons import comparison_method, headline
from mossbench.samples import Side


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    data = samples(folder / "data", 40)
    refused = {"one": range(1, 3), "two": range(1, 4), "three": range(1, 31)}
    return [answered(data, folder / name, refused=numbers) for name, numbers in refused.items()]


def totals(comparison, side=Side.BENIGN):
    return [row for row in comparison.differences if row.group == "all" and row.side is side]


def test_every_pair_of_runs_is_compared_once(runs):
    compared = mb.compare(*runs, every_pair=True)
    one, two, three = compared.runs
    assert compared.pairs == ((one, two), (one, three), (two, three))
    assert [(row.first, row.second) for row in totals(compared)] == list(compared.pairs)
    with_first = mb.compare(*runs)
    assert with_first.pairs == ((one, two), (one, three)) and not with_first.every_pair


def test_p_is_adjusted_over_all_pairs(runs):
    p_of_two = mb.compare(runs[1], runs[2]).differences
    unadjusted = next(row for row in p_of_two if row.group == "all" and row.side is Side.BENIGN)
    adjusted = totals(mb.compare(*runs, every_pair=True))[2]
    assert adjusted.p == unadjusted.p and adjusted.p_adjusted >= 2 * unadjusted.p_adjusted
    assert "over all pairs of runs" in comparison_method(mb.compare(*runs, every_pair=True))


def test_the_headline_counts_pairs(runs):
    assert headline(mb.compare(*runs, every_pair=True)) == "2 of 3 pairs of runs differ significantly"


def folders(runs):
    return [str(run.folder) for run in runs]


def test_csv_has_differences_with_intervals_and_flips_the_changed_samples(runs):
    result = CliRunner().invoke(cli, ["compare", *folders(runs), "--all-pairs", "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    total = next(row for row in rows if (row["side"], row["group"]) == ("benign", "all"))
    assert float(total["low"]) <= float(total["difference"]) <= float(total["high"]) and total["p_adjusted"]
    assert len({(row["first"], row["second"]) for row in rows}) == 3
    result = CliRunner().invoke(cli, ["compare", *folders(runs), "--all-pairs", "--format", "flips"])
    flips = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(flips) == 2 * (1 + 28 + 27) and {"first", "second", "sample", "refused_by"} <= flips[0].keys()


def test_the_table_and_json_have_all_pairs(runs):
    result = CliRunner().invoke(cli, ["compare", *folders(runs), "--all-pairs", "--flips", "0"])
    assert result.stdout.count("1st replay") == 3
    content = json.loads(CliRunner().invoke(cli, ["compare", *folders(runs), "--all-pairs", "--json"]).stdout)
    assert content["every_pair"] is True


def table_of_pairs(files):
    lines = files["table-pairs.tex"].decode().splitlines()
    return [line for line in lines if line.endswith(r"\\") and not line.startswith("First")]


def test_a_paper_has_a_table_of_pairs_with_differences_intervals_and_p(runs):
    files = paper.paper_files(runs, mb.Rule.SYSTEM)
    lines = table_of_pairs(files)
    assert len(lines) == 6, "three pairs on two sides"
    assert lines[2] == r"one & three & harmless & 5.0; 75.0 & +70.0 {[}54.6 to 81.9{]} & 40 & $<$ 0.001 \\"
    assert rb"\input{table-pairs}" in files["main.tex"]
    assert b"adjusted by Holm over all pairs of runs" in files["methods.tex"]
    assert files["pairs.csv"].startswith(b"first,second,side,group")


def test_a_paper_on_one_run_or_on_runs_that_cannot_be_compared_says_so(runs, tmp_path):
    alone = paper.paper_files(runs[:1], mb.Rule.SYSTEM)
    assert "table-pairs.tex" not in alone and b"Comparison of runs" not in alone["methods.tex"]
    other = answered(samples(tmp_path / "other", 7), tmp_path / "run", refused=[1])
    apart = paper.paper_files([runs[0], other], mb.Rule.SYSTEM)
    assert "table-pairs.tex" not in apart and rb"\input{table-pairs}" not in apart["main.tex"]
    assert b"The runs are not compared with each other:" in apart["methods.tex"]


def test_a_paper_without_the_extra_for_charts_has_all_but_the_figures(runs, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "can_draw", lambda: False)
    result = CliRunner().invoke(cli, ["paper", *folders(runs), "--out", str(tmp_path / "paper")])
    assert result.exit_code == 0, result.output
    names = {file.name for file in (tmp_path / "paper").iterdir()}
    assert {"main.tex", "table-pairs.tex", "figure-rates.csv", "pairs.csv"} <= names
    assert not any(name.endswith(".pdf") for name in names)
    assert "includegraphics" not in (tmp_path / "paper" / "main.tex").read_text()
    assert "has no figures, only the CSV behind each; to draw them:" in result.stderr
