"""Ctrl-C in real processes: every command stops at once, says what is kept and how to go on, and shows no traceback."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mossbench as mb
from waiting import LONG, until

# A judge that never suspends; it says which answers it has begun. After three it is slow.
SLOW = """
import time
from pathlib import Path
from mossbench.judges import Judge
from mossbench.outcomes import Verdict

class Slow(Judge):
    def verdict(self, exchange, picture=None):
        with open("begun", "a") as file:
            file.write(exchange.key.sample + "\\n")
        if not Path("go").exists():
            time.sleep(0.2)
        return Verdict(refused=False)

judge = Slow()

class Stuck(Judge):
    def verdict(self, exchange, picture=None):
        open("begun", "a").write("one\\n")
        while not Path("go").exists():
            pass
        return Verdict(refused=False)

stuck = Stuck()
"""


def n_begun():
    return Path("begun").read_text().count("\n") if Path("begun").exists() else 0


def stopped(*args, sign=signal.SIGINT, when=lambda: n_begun() >= 3):
    """The exit code and what was said by a command that is sent a signal."""
    command = [sys.executable, "-m", "mossbench", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: process.poll() is not None or when())
    process.send_signal(sign)
    _, err = process.communicate(timeout=LONG)
    assert "Traceback" not in err, err
    return process.returncode, err


@pytest.fixture
def run(small):
    Path("own.py").write_text(SLOW)
    mb.run("control/candid", small, out="r", epochs=20)
    return Path("r")


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_judge_apply_stops_between_two_answers_and_keeps_what_is_judged(run, sign, code):
    got, said = stopped("judge", "apply", "r", "--judge", "own.py:judge", "--max-connections", "1", sign=sign)
    n_saved = len(next(Path("r").glob("verdicts.own*")).read_text().splitlines())
    assert got == code and 0 < n_saved < 240
    found = re.search(
        r"stopped\. (\d+) verdicts of \S+ saved; resume it with: (mossbench judge apply r --judge \S+)", said
    )
    assert found and int(found[1]) == n_saved, said
    Path("go").touch()
    before = n_begun()
    again = subprocess.run([sys.executable, "-m", *found[2].split(), "--quiet"], capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert n_begun() - before == 240 - n_saved, "what was judged is not judged again"


@pytest.mark.slow
def test_a_verdict_that_takes_for_ever_is_interrupted_where_it_stands(run):
    code, said = stopped("judge", "apply", "r", "--judge", "own.py:stuck", when=lambda: n_begun() >= 1)
    assert code == 130 and "resume it with: mossbench judge apply r --judge own.py:stuck" in said


@pytest.mark.slow
@pytest.mark.parametrize("command", ["apply --out out.jsonl", "validate", "scoreboard", "drift"])
def test_every_command_that_judges_stops_and_names_the_way_to_go_on(command):
    Path("own.py").write_text(SLOW)
    rows = [{"id": str(i), "response": "Sure, here it is.", "label": "complied"} for i in range(300)]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    name, *more = command.split()
    args = ["judge", name, *([] if name == "drift" else ["rows.jsonl"]), "--judge", "own.py:judge", *more]
    if name == "drift":
        args += ["--save", "now.json"]
    code, said = stopped(*args)
    assert code == 130 and n_begun() < 60
    assert f"stopped; run the same command again to resume: mossbench judge {name}" in said


@pytest.mark.slow
@pytest.mark.parametrize("module", ["mossbench.cli", "mossbench.cli.commands", "click"])
def test_ctrl_c_while_the_command_line_is_imported_is_one_line(tmp_path, module):
    """The signal comes at the import of a module, however long the machine takes to get there."""
    code = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["mossbench", "--help"]
from mossbench.start import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "stopped before anything was begun; run the same command again\n"


def test_what_is_imported_before_ctrl_c_is_heeded_is_little():
    code = "import sys; before = set(sys.modules); import mossbench.start; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(mb.__file__).parents[1])},
    )
    heavy = {"ast", "pathlib", "typing", "importlib.metadata", "click", "pydantic"}
    assert not heavy & set(done.stdout.split()), done.stdout + done.stderr
