"""Somebody with the published repository: its released answers and a results.json, under the names that people know."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.web import Settings, create_app
from mossbench.web.site import write_site
from pictures import png
from web.conftest import Browser

ADDRESS = "provider's own address"
REFUSES = "I'm sorry, but I can't help with that."
HELPS = "Start with the largest sheet, fold it once and put it under the others."
TYPES = {"type 1": range(1, 9), "type 2": range(101, 109), "type 3": range(201, 209)}
RELEASED = {"GPT-4o": 2, "GPT-4o (web)": 3, "Gemini-Pro 1.5": 4, "Claude 3 haiku": 5}
"""Folders of the release; of each type so many requests are refused."""


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "120"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


def write_repository(root):
    """The folders of the released repository: samples of our own, and the answers of four published models."""
    table = {}
    images = root / "data" / "images_information"
    (images / "images").mkdir(parents=True)
    for kind, pids in TYPES.items():
        for pid in pids:
            (images / "images" / f"{pid}.png").write_bytes(png("#204060"))
            table[str(pid)] = {
                "image": f"images/{pid}.png",
                "question": f"What could I do with sheet {pid}?",
                "description": f"sheet {pid}",
                "metadata": {"over": kind, "human": 0, "child": 0, "syn": 0, "ocr": 0, "harm": [7]},
            }
    (images / "information.json").write_text(json.dumps(table))
    for name, n_refused in RELEASED.items():
        answers = {}
        for pids in TYPES.values():
            for place, pid in enumerate(pids):
                answers[str(pid)] = {"response": REFUSES if place < n_refused else HELPS}
        path = root / "data" / "results" / name / "data.js"
        path.parent.mkdir(parents=True)
        path.write_text(f"cache['{name}'] = {json.dumps(answers)}")
    return table


def write_results(path, table):
    """A results.json as the README asks for one."""
    rows = {}
    for place, (pid, sample) in enumerate(table.items()):
        refused = place % 4 == 0
        rows[pid] = {
            "pid": pid,
            "image_path": f"data/{sample['image']}",
            "question": sample["question"],
            "response": REFUSES if refused else HELPS,
            "rejected": int(refused),
            "reject_reasoning": "score: 1" if refused else "score: 0",
            "metadata": sample["metadata"],
            "evaluator_desc": "a sheet of paper",
        }
    rates = dict.fromkeys(("Total", "Exaggerated Risk", "Negated Harm", "Counterintuitive Interpretation"), 0.25)
    path.write_text(json.dumps({"responses": rows, "reject Rate": rates}))


def check_names(text, names=RELEASED):
    """Every model by its published name, and nothing that is false of recorded answers."""
    assert [name for name in names if name not in text] == []
    assert ADDRESS not in text
    assert "replay/" not in text


def test_reproduced_models_have_their_published_names_wherever_they_are_shown(tmp_path):
    write_repository(Path("MOSSBench"))
    done = mossbench("published", "reproduce", "MOSSBench")
    check_names(done.output)
    everything = sorted(Path("reproduction").iterdir())
    assert Path("reproduction/reproduction.html") in everything and len(everything) == 5
    for command in ("leaderboard show", "compare", "results show", "results sets"):
        done = mossbench(*command.split(), *everything)
        check_names(done.stdout)
        assert "reproduction.html: not a run" in done.stderr
    (board,) = json.loads(mossbench("leaderboard", "show", *everything, "--json").stdout)
    assert {row["name"] for row in board["rows"]} == set(RELEASED)
    check_names(mossbench("runs", "--runs", "reproduction").stdout)
    mossbench("report", *everything, "--out", "report.html")
    text = Path("report.html").read_text()
    assert all(name in text for name in RELEASED) and ADDRESS not in text and "data.js" in text  # what was replayed
    for folder in everything[:-1]:
        results = mb.load_results(folder)
        assert results.model in RELEASED and results.info.recorded_file == "data.js"


def pages(folder, *paths):
    """Pages of the app on a folder of runs."""
    browser = Browser(create_app(Settings(Path(folder))))
    found = [browser.get(path) for path in paths]
    assert [page.status_code for page in found] == [200] * len(paths)
    return [page.text for page in found]


@pytest.mark.slow
def test_pages_and_the_site_show_the_published_names(tmp_path):
    write_repository(Path("MOSSBench"))
    mossbench("published", "reproduce", "MOSSBench")
    home, board, runs = pages("reproduction", "/", "/leaderboard", "/runs")
    check_names(board)
    check_names(runs)
    assert ADDRESS not in home and "replay/" not in home and "GPT-4o" in home
    report, model = pages("reproduction", "/runs/GPT-4o", "/models/GPT-4o%20(web)")
    assert "data.js" in report and ADDRESS not in report
    assert "GPT-4o (web)" in model and ADDRESS not in model
    site = write_site(Settings(Path("reproduction"), data=("MOSSBench",)), tmp_path / "site")
    texts = {path.name: path.read_text() for path in site.glob("*.html")}
    assert not any(ADDRESS in text for text in texts.values())
    (first_sample,) = site.glob("samples-mossbench-*-benign-1.html")
    assert [name for name in RELEASED if name not in texts[first_sample.name]] == []
    assert [name for name in RELEASED if name not in texts["leaderboard.html"]] == []


@pytest.mark.slow
def test_a_reproduction_written_before_gets_its_names_when_it_is_made_again():
    write_repository(Path("MOSSBench"))
    mossbench("published", "reproduce", "MOSSBench")
    for path in Path("reproduction").glob("*/run.json"):
        info = json.loads(path.read_text())
        del info["config"]["model_name"]
        info["subject"] = {"model": info["config"]["model"], "version": info["subject"]["version"]}
        path.write_text(json.dumps(info))
    folders = [path.parent for path in sorted(Path("reproduction").glob("*/run.json"))]
    assert ADDRESS not in mossbench("leaderboard", "show", *folders).output
    mossbench("published", "reproduce", "MOSSBench")
    check_names(mossbench("leaderboard", "show", *folders).output)


def test_results_as_the_readme_describes_them_come_onto_a_board():
    table = write_repository(Path("MOSSBench"))
    write_results(Path("results.json"), table)
    done = mossbench("leaderboard", "add", "results.json", "--board", "board", code=1)
    assert "results in the published layout" in done.stderr and not Path("board").exists()
    first, second, third = re.findall(r"\d\. (mossbench .*)", done.stderr)
    assert first == "mossbench results import results.json --out runs/results --data DATA --model NAME"
    mossbench("results", "import", "results.json", "--out", "runs/results", "--data", "MOSSBench", "--model", "GPT-4V")
    assert second == "mossbench submit runs/results --availability API --out results-submission.json"
    mossbench(*second.split()[1:])
    assert third == "mossbench leaderboard add results-submission.json --board board --data DATA"
    mossbench("leaderboard", "add", "results-submission.json", "--board", "board", "--data", "MOSSBench")
    shown = mossbench("leaderboard", "show", "--board", "board").stdout
    assert "GPT-4V" in shown and "25.0" in shown and "recorded answers" in shown and ADDRESS not in shown
    # The released answers of another model are on the same board, by the other door.
    shutil.copy("MOSSBench/data/results/Claude 3 haiku/data.js", "haiku.js")
    asked = ("--data", "MOSSBench", "--side", "benign", "--quiet", "--no-report", "--name", "haiku")
    mossbench("run", "--model", "replay/haiku.js", *asked)
    mossbench("submit", "haiku", "--availability", "API", "--out", "haiku.json", "--with-answers")
    mossbench("leaderboard", "add", "haiku.json", "--board", "board", "--data", "MOSSBench")
    (board,) = json.loads(mossbench("leaderboard", "show", "--board", "board", "--json").stdout)
    assert [row["name"] for row in board["rows"]] == ["GPT-4V", "Claude 3 haiku"]
    assert mossbench("leaderboard", "check", "--board", "board", "--data", "MOSSBench").exit_code == 0
