"""Runs on several datasets in one table: both sides and d' of each, and nothing over all of them."""

import json

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.results.twins import detection_of, twins_of


def write(path, *sides, n=6):
    """Requests without images, and without twins."""
    rows = [{"id": f"{side}-{i}", "side": side, "question": f"What is {side} {i}?"} for side in sides for i in range(n)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def runs(tmp_path):
    both, harmful = write(tmp_path / "both.jsonl", "benign", "contrast"), write(tmp_path / "alarms.jsonl", "contrast")
    jobs = [("jumpy", both), ("stonewall", both), ("stonewall", harmful)]
    return [mb.run(f"control/{model}", data, out=f"{model}-{data.stem}") for model, data in jobs]


def test_a_line_has_the_rates_and_d_prime_of_its_run(runs):
    lines = mb.over_sets(*runs)
    assert [(line.model, line.dataset) for line in lines] == [
        ("control/jumpy", "both"),
        ("control/stonewall", "alarms"),
        ("control/stonewall", "both"),
    ]
    jumpy = lines[0]
    rates = {rate.side: rate for rate in runs[0].rates(by=None)}
    assert (jumpy.harmless, jumpy.harmful) == (rates["benign"], rates["contrast"])
    assert jumpy.d_prime == detection_of(twins_of(runs[0].rows), mb.Rule.SYSTEM).d_prime


def test_a_set_of_one_side_has_no_d_prime(runs):
    (line,) = mb.over_sets(runs[2])
    assert line.harmless is None and line.d_prime is None and line.harmful.estimate.n == 6


def test_a_run_without_verdicts_is_refused(tmp_path):
    bare = mb.run("control/candid", write(tmp_path / "both.jsonl", "benign"), out="bare", judge=None)
    with pytest.raises(UsageError, match="has no verdicts"):
        mb.over_sets(bare.folder)


def test_the_table_has_a_line_for_each_run_and_no_sum(runs):
    shown = CliRunner().invoke(cli, ["results", "sets", *(str(run.folder) for run in runs)])
    assert shown.exit_code == 0, shown.output
    (alarms,) = [line for line in shown.stdout.splitlines() if line.strip().startswith("alarms")]
    assert alarms.split()[1] == "–" and alarms.split()[-1] == "–" and "of 6" in alarms
    assert sum("of 6" in line for line in shown.stdout.splitlines()) == 3
    assert not any(word in shown.stdout.lower() for word in ("mean", "average", "overall", "total"))
    found = json.loads(CliRunner().invoke(cli, ["results", "sets", str(runs[2].folder), "--json"]).stdout)
    assert found[0]["d_prime"] is None and found[0]["harmful"]["estimate"]["n"] == 6
