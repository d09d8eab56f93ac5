"""Folders of this machine are on no page, and links and pipes in them stop none."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.protocols import without_folders
from mossbench.web import Settings
from mossbench.web.site import write_site

NAMED = {
    "some": "openai//home/me/models/llama",
    "others": "inspect/hf//home/me/models/llama",
    "none": "/home/me/code/own.py:model",
    "failing": "local/~/home/me/llama",
}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (NAMED["some"], "openai/llama"),
        (NAMED["others"], "inspect/hf/llama"),
        (NAMED["none"], "…/own.py:model"),
        (NAMED["failing"], "local/llama"),
        (r"local/C:\models\llama", "local/llama"),
        ("openai/org/llama", "openai/org/llama"),
        ("examples/own.py:model", "examples/own.py:model"),
        ("https://host/data", "https://host/data"),
    ],
)
def test_a_models_name_has_no_folder_of_this_machine(name, shown):
    assert without_folders(name) == shown


@pytest.mark.slow
def test_no_page_and_no_submission_names_folders(browser, runs, made, tmp_path):
    for name, model in NAMED.items():
        info = json.loads((runs / name / "run.json").read_text())
        info["config"]["model"] = info["subject"]["model"] = model
        info["model_version"] = info["subject"]["version"] = "/home/me/models/llama"
        (runs / name / "run.json").write_text(json.dumps(info))
        rows = [json.loads(line) for line in (runs / name / "answers.jsonl").read_text().splitlines()]
        for i, row in enumerate(rows):
            row["answer"]["model"] = f"/home/me/models/llama-{i > 40}"
        (runs / name / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    shutil.copytree(runs / "some", runs / "damaged")
    (runs / "damaged" / "answers.jsonl").write_text("damaged\n")
    shown = {path: browser.get(path).text for path in ("/", "/runs", "/samples", "/explorer", "/annotate/new")}
    shown |= {path: browser.get(f"/leaderboard?format={path}").text for path in ("html", "csv", "json")}
    shown |= {name: browser.get(f"/runs/{name}").text for name in (*NAMED, "damaged")}
    site = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    shown |= {path.name: path.read_text() for path in site.iterdir() if path.name.startswith(("index", "run"))}
    shown["submission"] = mb.make_submission(runs / "some", availability="open").to_json()
    assert "damaged/answers.jsonl, line 1" in shown["damaged"] and "llama" in shown["html"]
    for where, text in shown.items():
        assert "home/me" not in text and str(runs) not in text, where


def test_models_of_one_name_in_two_folders_are_two_on_home_and_no_change_of_one(browser, runs):
    for name in ("none", "some"):
        info = json.loads((runs / name / "run.json").read_text())
        info["config"]["model"] = info["subject"]["model"] = f"openai//home/me/{name}/llama"
        info["model_version"] = info["subject"]["version"] = None
        (runs / name / "run.json").write_text(json.dumps(info))
    page = browser.get("/").text
    assert "openai/llama (none)" in page and "openai/llama (some)" in page
    assert "No earlier run to compare with" in page
    model = browser.get("/models/openai/llama").text
    assert "Another model of this name" in model and len(set(re.findall(r"folder [0-9a-f]{12}", model))) == 2
    assert "superseded" not in model


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_links_in_circles_and_fifos_stop_no_page(browser, runs):
    (runs / "loop").symlink_to("loop")
    (runs / "self").symlink_to(".")
    for name in ("answers.jsonl", "samples.jsonl", "verdicts.x-1.jsonl"):
        shutil.copytree(runs / "some", runs / f"fifo {name}")
        (runs / f"fifo {name}" / name).unlink(missing_ok=True)
        os.mkfifo(runs / f"fifo {name}" / name)
    (runs / "board").mkdir()
    (runs / "board" / "loop.json").symlink_to("loop.json")
    (runs / "board" / "nowhere.json").symlink_to("nothing.json")
    os.mkfifo(runs / "board" / "fifo.json")
    for path in ("/runs", "/leaderboard", "/samples", "/explorer", "/annotate/new", "/runs/fifo answers.jsonl"):
        assert browser.get(path).status_code == 200, path
    page = browser.get("/leaderboard").text
    for said in ("fifo answers.jsonl", "loop.json is damaged: no such file", "fifo.json is damaged: not a file"):
        assert said in page


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")
def test_a_folder_whose_name_is_not_utf_8_is_named_and_takes_no_page_with_it(browser, runs):
    for end in (b"\xfe", b"\xff"):
        odd = Path(os.fsdecode(os.fsencode(runs / "odd") + end))
        shutil.copytree(runs / "some", odd)
    (odd / "analysis.html").write_text("<main>found</main>")
    (runs / "board").mkdir()
    Path(os.fsdecode(os.fsencode(runs / "board" / "odd") + b"\xff.json")).write_text("{")
    for path in ("/", "/runs", "/samples", "/explorer", "/search?q=number", "/annotate/new", "/compare?run=some"):
        assert browser.get(path).status_code == 200, path
    assert "odd? (odd?): cannot be read: the name of the folder is not UTF-8" in browser.get("/leaderboard").text
    for name in ("odd%3F", "odd%3F%3F"):  # each, though nothing else tells them apart
        assert "not UTF-8; rename the folder" in browser.get(f"/runs/{name}").text
