"""A real process, killed at random moments and resumed: every sample exactly once, nothing lost."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from pictures import png
from waiting import LONG, until

MODEL = """
import itertools, os, random, time

calls = itertools.count()

def stuck(prompt):
    if next(calls) == 0:  # whichever row comes first: pictures are read side by side
        return "An answer"
    time.sleep(1000)

def slow(prompt):
    with open("calls.txt", "a") as file:
        file.write(prompt.request + "\\n")
    if next(calls) > int(os.environ["AT_MOST"]):  # so that no process is done before it is killed
        time.sleep(1000)
    time.sleep(random.uniform(0.005, 0.03))
    return "An answer to " + prompt.request + " " + "and more of it " * 200
"""
N = 150


@pytest.fixture
def many(tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "a.png").write_bytes(png())
    rows = [{"id": f"s{i}", "question": f"Question number {i}?", "image": "a.png"} for i in range(N)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("mine.py").write_text(MODEL)
    return folder


def keys(path):
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    whole = [json.loads(line) for line in lines if line.endswith(b"\n")]
    return [(row["side"], row["sample"], row["arm"], row["epoch"]) for row in whole]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kill_9_and_resume_loses_nothing_and_asks_no_recorded_answer_again(many, seed):
    rng, recorded, kills = random.Random(seed), Path("r/answers.jsonl"), 0
    start = [sys.executable, "-m", "mossbench", "run", "--quiet", "--max-connections", "4"]
    for _ in range(7):
        resuming = Path("r/run.json").exists()
        where = ["--resume", "r"] if resuming else ["--model", "mine.py:slow", "--data", str(many), "--out", "r"]
        before = keys(recorded)
        env = {**os.environ, "AT_MOST": "20" if kills < 6 else str(N)}
        process = subprocess.Popen([*start, *where], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        if kills < 6:
            n_calls = _n_calls()
            while process.poll() is None and _n_calls() == n_calls:
                time.sleep(0.005)  # until it has begun to ask, or half of the time not even that
                if rng.random() < 0.005:
                    break
            time.sleep(rng.uniform(0, 0.25))
            process.kill()
            kills += 1
        out, err = process.communicate(timeout=LONG)
        assert keys(recorded)[: len(before)] == before
        if process.returncode == 0:
            break
        assert b"Traceback" not in err, err.decode()
    assert process.returncode == 0, (out, err)
    assert kills == 6
    found = keys(recorded)
    assert Counter(found) == {("benign", f"s{i}", "plain", 1): 1 for i in range(N)}
    assert sorted(keys(Path("r").glob("verdicts.*.jsonl").__next__())) == sorted(found)
    calls = Counter(Path("calls.txt").read_text().splitlines())
    assert set(calls) == {f"Question number {i}?" for i in range(N)}
    in_flight = 4 * kills
    assert sum(calls.values()) <= N + in_flight


def _n_calls():
    return Path("calls.txt").read_text().count("\n") if Path("calls.txt").exists() else 0


@pytest.mark.slow
def test_control_c_in_a_real_process_says_how_to_resume(many):
    command = [sys.executable, "-m", "mossbench", "run", "--model", "mine.py:stuck", "--data", str(many), "--out", "r"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(lambda: keys(Path("r/answers.jsonl")) or process.poll() is not None)
    process.send_signal(2)
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert b"resume it with: mossbench run --resume r" in err and b"Traceback" not in err
    assert 0 < len(keys(Path("r/answers.jsonl"))) < N
