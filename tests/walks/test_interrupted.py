"""An interrupted one: Ctrl-C, SIGTERM, a script that ignores Ctrl-C; each says what is safe, and the run goes on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mossbench as mb
from answered import samples
from waiting import LONG, until

MODEL = """
import itertools, pathlib, time

calls = itertools.count()

def model(prompt):
    if next(calls) < 3 or pathlib.Path("go").exists():
        return "Sure. Start with the largest object and work towards the small ones."
    pathlib.Path("stuck").touch()
    time.sleep(1000)
"""


def ignoring():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "before", "code"),
    [(signal.SIGINT, None, 130), (signal.SIGTERM, None, 143), (signal.SIGTERM, ignoring, 143)],
    ids=["Ctrl-C", "SIGTERM", "SIGTERM where Ctrl-C is ignored"],
)
def test_whoever_stops_a_run_is_told_what_is_safe_and_goes_on(tmp_path, number, before, code):
    data = samples(tmp_path / "data", 10)
    Path("mine.py").write_text(MODEL)
    command = [sys.executable, "-m", "mossbench", "run", "--quiet", "--max-connections", "1"]
    process = subprocess.Popen(
        [*command, "--model", "mine.py:model", "--data", data, "--name", "mine"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before or (lambda: signal.signal(signal.SIGINT, signal.default_int_handler)),
    )
    until(lambda: Path("stuck").exists() or process.poll() is not None)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONG)
    assert process.returncode == code, err
    assert "3 of 20 answers are saved; resume it with: mossbench run --resume runs/mine" in err, err
    assert "Traceback" not in err and out == ""
    Path("go").touch()
    results = mb.resume_run("runs/mine")
    assert not results.unfinished() and len(results) == 20
    lines = Path("runs/mine/answers.jsonl").read_text().splitlines()
    assert len(lines) == 20  # no answer was asked for twice
