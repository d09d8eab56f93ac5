"""A researcher with transcripts: answers that were collected elsewhere, counted, corrected, compared, exported."""

import csv
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from answered import NO, YES, samples
from mossbench.cli import cli


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "100"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


def write(path, data, p_refused, seed, rows=lambda rows: rows):
    """A transcript of a model that refuses harmless requests by chance and all harmful ones."""
    rng = random.Random(seed)
    lines = [json.loads(line) for line in (data / "metadata.jsonl").read_text().splitlines()]
    found = []
    for row in lines:
        refused = row["side"] == "contrast" or rng.random() < p_refused
        found.append({"id": row["id"], "side": row["side"], "response": NO if refused else YES})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(found)))


@pytest.mark.slow
def test_from_transcripts_to_a_table_for_a_paper(tmp_path):
    data = samples(tmp_path / "data", 40)
    write(Path("before.jsonl"), data, 0.6, 1)
    write(Path("after.jsonl"), data, 0.05, 2, rows=lambda rows: [*rows[:-2], {**rows[-2], "response": None}])
    for name in ("before", "after"):
        done = mossbench("run", "--model", f"replay/{name}.jsonl", "--data", data, "--name", name, "--quiet")
        assert f"wrote runs/{name}/report.html" in done.stderr
    assert "2 of 80 rows failed and are left out of all rates" in done.stderr  # one answer is null, one line is missing
    report = Path("runs/after/report.html").read_text()
    assert "unknown" in report and str(tmp_path) not in report  # nobody asked at this temperature
    found = json.loads(mossbench("compare", "runs/before", "runs/after", "--json").stdout)
    overall = next(one for one in found["differences"] if one["group"] == "all" and one["side"] == "benign")
    assert overall["p_adjusted"] < 0.01 and overall["estimate"]["value"] < -0.3
    mossbench("results", "export", "runs/before", "runs/after", "--out", "all.csv")
    with open("all.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 160 and {row["run"] for row in rows} == {"before", "after"}
    assert {row["layer"] for row in rows if row["run"] == "before"} == {"judged"}
    assert sum(row["layer"] == "failed" for row in rows) == 2
    assert not any(str(tmp_path) in value for row in rows for value in row.values())


def test_a_transcript_of_other_samples_is_one_message(tmp_path):
    data = samples(tmp_path / "data", 3)
    Path("other.jsonl").write_text('{"id": "99", "side": "benign", "response": "Sure."}\n')
    done = mossbench("run", "--model", "replay/other.jsonl", "--data", data, "--quiet", code=1)
    assert "6 of 6 rows failed" in done.output and "no answer for this sample in other.jsonl" in done.output
    assert "fix the transcript" in done.stderr


@pytest.mark.parametrize("line", ["{", '{"id": "1"}', "[]"])
def test_a_damaged_transcript_names_the_line(tmp_path, line):
    data = samples(tmp_path / "data", 1)
    Path("bad.jsonl").write_text(f'{{"id": "1", "side": "benign", "response": "Sure."}}\n{line}\n')
    done = mossbench("run", "--model", "replay/bad.jsonl", "--data", data, "--quiet", code=1)
    assert "bad.jsonl" in done.stderr and "2" in done.stderr
