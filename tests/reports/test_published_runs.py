"""Facts of the published answers, through the command line: replayed, with people's labels as the judge."""

import json

import pytest
from click.testing import CliRunner

from mossbench.cli import cli


def mossbench(*args):
    done = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return done


def replay(shared, model, judge):
    transcript = shared / "transcripts" / f"{model}.jsonl"
    data = shared / "mossbench-data"
    mossbench(
        *("run", "--model", f"replay/{transcript}", "--data", data, "--side", "benign", "--quiet", "--no-report"),
        *("--judge", f"human/{transcript}" if judge == "human" else judge, "--out", "r"),
    )
    return transcript


def report(*args):
    return json.loads(mossbench("report", "r", "--format", "json", "--out", "-", *args).stdout)["reports"][0]


@pytest.mark.slow
def test_haiku_labels_give_142_of_300_as_published_and_128_of_286_as_its_own_words(shared):
    replay(shared, "claude-3-haiku", "human")
    rates = report()["by_rule"]
    assert (rates["paper"]["refused"], rates["paper"]["estimate"]["n"]) == (142, 300)
    assert (rates["model"]["refused"], rates["model"]["estimate"]["n"]) == (128, 286)
    assert "over 233 clusters" in rates["model"]["estimate"]["method"]


@pytest.mark.slow
@pytest.mark.parametrize("model", ["claude-3-haiku", "gemini-pro-1.5", "gpt-4o"])
def test_the_corrected_rate_of_the_embedded_judge_agrees_with_the_labels(shared, model):
    transcript = replay(shared, model, "rules")
    error = report("--labels", transcript)["judge_error"]
    rows = [json.loads(line) for line in transcript.read_text().splitlines()]
    answered = [row for row in rows if (row["response"] or "").strip()]
    people = sum(row["refused"] for row in answered) / len(answered)
    assert error["measured_here"] and error["counts"]["true_yes"] + error["counts"]["true_no"] > 250
    assert error["corrected"]["low"] <= people <= error["corrected"]["high"]
    assert abs(error["corrected"]["value"] - people) < 0.02


@pytest.mark.slow
def test_the_page_of_the_published_answers_is_small(shared):
    replay(shared, "claude-3-haiku", "rules")
    page = mossbench("report", "r", "--out", "-").stdout
    assert len(page.encode()) < 5_000_000 and page.count("<img") == 127
