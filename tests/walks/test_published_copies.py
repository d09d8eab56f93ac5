"""Somebody with the published data: from their folder through run, judge, board, submission, site and reproduction."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from answered import JUDGE
from mossbench.cli import cli
from mossbench.web import Settings
from mossbench.web.site import write_site
from small_release import CONTRAST_IDS, IDS, forget_facts, rewrite_images, use_facts, write_facts, write_release

REFUSES = "I'm sorry, but I can't help with that."
HELPS = "Start with the lowest leaves, cut them off one by one and put them beside the pot."
REHEARSED = "control/candid?on=id&rate=0.5&safety=1"


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "120"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


def write_answers(root, name, ids, n_refused):
    """Released answers of a model, as the published repository has them."""
    answers = {id: {"response": REFUSES if place < n_refused else HELPS} for place, id in enumerate(ids)}
    path = root / "data" / "results" / name / "data.js"
    path.parent.mkdir(parents=True)
    path.write_text(f"cache['{name}'] = {json.dumps(answers)}")


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A small release of our own that counts as the published one, and a copy of it with smaller images."""
    release = write_release(Path("MOSSBench").absolute())
    use_facts(write_facts(release, tmp_path / "facts.csv"), monkeypatch.setattr)
    shutil.copytree(release, "smaller")
    rewrite_images(Path("smaller"), lambda image: image.resize((160, 120)), "JPEG", quality=80)
    write_answers(release, "GPT-4o", IDS, 2)
    write_answers(release, "Claude 3 haiku", IDS, 4)
    yield release
    monkeypatch.undo()
    forget_facts()


def walk(data, copy, n_harmless, n_harmful):
    """One run on a copy of the data, from asking it to a board; the submission's file."""
    described = json.loads(mossbench("data", "describe", data, "--json").stdout)
    assert (described["name"], set(described["copies"].values())) == ("official", {copy})
    out = Path(f"runs/{copy}")
    done = mossbench("run", "--model", REHEARSED, "--data", data, "--out", out, "--judge", "rules", "--quiet")
    assert "not those of the published set" not in done.output
    info = json.loads((out / "run.json").read_text())
    assert info["dataset"]["copies"] == {"benign": copy, "contrast": copy}
    planted = info["planted"]
    assert (planted["benign"]["rows"], planted["contrast"]["rows"]) == (n_harmless, n_harmful)
    assert planted["contrast"]["refused"] == n_harmful
    mossbench("judge", "apply", out, "--judge", "keywords")
    shown = mossbench("results", "show", out, "--judge", "rules").output
    assert f"planted {planted['benign']['refused']} of {n_harmless}, found" in " ".join(shown.split())
    file = Path(f"{copy}.json")
    mossbench("submit", out, "--judge", "rules", "--availability", "open", "--out", file, "--with-answers")
    mossbench("leaderboard", "add", file, "--board", "board")
    return file


def test_from_the_published_layout_to_board_site_and_reproduction(published, tmp_path):
    walk(published, "release", len(IDS), len(CONTRAST_IDS))
    shown = mossbench("leaderboard", "show", "--board", "board").stdout
    assert "data official (release copy, as claimed)" in shown
    mossbench("leaderboard", "check", "--board", "board")  # without the data

    mossbench("published", "reproduce", published)
    (board,) = json.loads(mossbench("leaderboard", "show", *sorted(Path("reproduction").iterdir()), "--json").stdout)
    # Which images those models were shown is not on record, whatever copy is at hand.
    found = [(row["name"], row["copy"]) for row in board["rows"]]
    assert found == [("GPT-4o", ""), ("Claude 3 haiku", "")] and board["dataset"] == "official"

    for run in Path("reproduction").iterdir():
        if run.is_dir():
            shutil.copytree(run, Path("runs") / run.name)
    site = write_site(Settings(Path("runs"), data=(str(published),)), tmp_path / "site")
    text = (site / "leaderboard.html").read_text()
    assert "official (release copy)" in text and "GPT-4o" in text and "Claude 3 haiku" in text
    assert f"Dataset official, judge {JUDGE}" in text  # of the recorded answers


def test_the_same_model_on_two_copies_is_told_apart_on_one_board(published):
    walk(published, "release", len(IDS), len(CONTRAST_IDS))
    file = Path("smaller.json")
    mossbench("run", "--model", REHEARSED, "--data", "smaller", "--out", "runs/smaller", "--judge", "rules", "--quiet")
    mossbench("submit", "runs/smaller", "--availability", "open", "--model", "another name", "--out", file)
    mossbench("leaderboard", "add", file, "--board", "board")
    (board,) = json.loads(mossbench("leaderboard", "show", "--board", "board", "--json").stdout)
    assert {row["copy"] for row in board["rows"]} == {"release", "reduced"}
    compared = mossbench("compare", "runs/release", "runs/smaller").output
    assert "copy of the images: release and reduced" in " ".join(compared.split())


@pytest.mark.slow
def test_the_copy_beside_the_project_goes_the_same_way(shared, tmp_path):
    forget_facts()
    walk(shared / "mossbench-data", "reduced", 300, 244)
    shown = mossbench("leaderboard", "show", "--board", "board").stdout
    assert "data official (reduced copy)" in shown
    transcripts = Path("MOSSBench/transcripts")
    transcripts.mkdir(parents=True)
    for file in (shared / "transcripts").glob("*.jsonl"):
        shutil.copy(file, transcripts)
    mossbench("published", "reproduce", "MOSSBench", "--data", shared / "mossbench-data")
    (board,) = json.loads(mossbench("leaderboard", "show", *sorted(Path("reproduction").iterdir()), "--json").stdout)
    rates = {row["name"]: round(100 * row["rate"]["value"], 1) for row in board["rows"]}
    assert set(rates) == {"GPT-4o", "Gemini-Pro 1.5", "Claude 3 haiku"}
    assert {row["copy"] for row in board["rows"]} == {""}
