"""The engine `ray` on a real cluster of this machine: several workers, some of which are killed."""

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import RunError, UsageError
from mossbench.outcomes import Layer
from mossbench.runs.engines import EngineOptions
from mossbench.store.run_folder import RunFolder
from waiting import LONG, until

pytest.importorskip("ray", reason="needs the extra [ray]: make test-ray")
pytestmark = pytest.mark.slow  # a cluster takes seconds to start

# Each worker says which row it begins. After three rows it answers only once the file `go` is there.
OWN = """
import itertools, os, time

numbers = itertools.count(1)

def answer(prompt):
    n = next(numbers)  # requests come in threads
    with open("asked.log", "a") as log:
        log.write(f"{os.getpid()} {prompt.key.side} {prompt.key.sample} {prompt.key.epoch}\\n")
    while n > 3 and not os.path.exists("go"):
        time.sleep(0.01)
    return f"Sure: {prompt.key.sample}"

def deadly(prompt):
    if prompt.key.sample == "3" and prompt.key.side == "benign":
        os._exit(1)
    return "Sure."

def broken(prompt):
    raise ValueError("my own fault")
"""


@pytest.fixture
def model():
    Path("own.py").write_text(OWN)
    return "own.py:answer"


def ray_engine(**options):
    return EngineOptions(name="ray", **{"workers": 2, **options})


def asked():
    """Pid and row of everything that was begun."""
    lines = Path("asked.log").read_text().splitlines() if Path("asked.log").exists() else []
    return [(int(line.split()[0]), " ".join(line.split()[1:])) for line in lines]


def keys(folder):
    lines = [json.loads(line) for line in (Path(folder) / "answers.jsonl").read_text().splitlines()]
    return [(line["side"], line["sample"], line["epoch"]) for line in lines]


def n_lines(path):
    return Path(path).read_text().count("\n") if Path(path).exists() else 0


def verdicts(folder):
    return [(row.key, row.exchange.answer.text, row.verdict, row.outcome) for row in mb.load_results(folder).rows]


def test_a_run_on_several_workers_has_the_rows_and_verdicts_of_a_local_one(cluster, small):
    seen = []
    model = "control/jumpy?rate=0.4"
    mb.run(model, small, epochs=3, out="there", engine=ray_engine(workers=3), progress=seen.append)
    mb.run(model, small, epochs=3, out="here")
    assert len(keys("there")) == len(set(keys("there"))) == 36
    assert verdicts("there") == verdicts("here")
    assert [event.done for event in seen] == list(range(1, 37))
    one, other = (RunFolder(Path(name)).info() for name in ("there", "here"))
    assert (one.engines, other.engines) == (("ray",), ("local",))
    assert one.sent == other.sent and one.differences(other) == {}


@pytest.mark.parametrize("workers", [1, 2])
def test_when_a_worker_is_killed_in_mid_run_every_row_is_there_once(cluster, small, model, workers):
    killed = []

    def kill_one(event):
        if killed:
            return
        # One of them holds rows that it cannot answer yet.
        busy = until(lambda: [pid for pid, n in Counter(pid for pid, _ in asked()).items() if n > 3])
        killed.append(busy[0])
        os.kill(busy[0], signal.SIGKILL)
        Path("go").touch()

    results = mb.run(model, small, epochs=5, out="r", engine=ray_engine(workers=workers), progress=kill_one)
    assert len(keys("r")) == len(set(keys("r"))) == len(results) == 60
    assert results.layers()[Layer.JUDGED] == 60
    again = [row for row, n in Counter(row for _, row in asked()).items() if n > 1]
    assert again, "rows of the killed worker were asked again"
    others = {pid for pid, row in asked() if row in again} - set(killed)
    assert others, "by others; where it was the only one, by another that took its place"


# The second worker that takes the place of the file `only`, and all after it, cannot live.
ONLY_ONE = """
import os, sys

if "default_worker" in sys.argv[0]:
    try:
        os.close(os.open("only", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        os._exit(1)

def answer(prompt):
    return "Sure."
"""


def test_rows_are_not_given_to_a_place_where_no_worker_can_be(cluster, small, monkeypatch):
    """On the list of places the dead one may come first: it must not take the last row with it."""
    monkeypatch.setattr("mossbench.runs.engines.ray_seats.LOST", 1)
    Path("own.py").write_text(ONLY_ONE)
    results = mb.run("own.py:answer", small, out="r", engine=ray_engine(workers=4))
    assert results.layers()[Layer.JUDGED] == len(keys("r")) == len(set(keys("r"))) == 12


def test_what_others_have_done_is_not_waited_for_by_a_worker_without_room(cluster, small, monkeypatch):
    monkeypatch.setattr("mossbench.runs.engines.ray_seats.PLACED", 1e6)  # it would wait for ever
    results = mb.run("control/candid", small, out="r", engine=ray_engine(num_cpus=3, workers=2))
    assert results.layers()[Layer.JUDGED] == len(keys("r")) == 12


def test_a_row_that_ends_every_worker_fails_alone(cluster, small, model):
    results = mb.run("own.py:deadly", small, out="r", engine=ray_engine())
    assert len(keys("r")) == len(set(keys("r"))) == 12
    (row,) = [row for row in results.rows if row.outcome.layer is Layer.FAILED]
    assert (row.key.side, row.key.sample) == ("benign", "3")
    assert "each worker that asked it was lost" in row.exchange.answer.error.message


@pytest.mark.parametrize(("first", "second"), [(ray_engine(), "local"), ("local", ray_engine())], ids=["ray", "local"])
def test_begun_on_one_engine_and_gone_on_with_on_the_other(cluster, small, first, second):
    model = "control/jumpy?rate=0.4"
    whole = mb.run(model, small, out="whole")
    Path("prices.json").write_text(json.dumps({model: {"input": 1000.0, "output": 1000.0}}))
    mb.run(model, small, out="r", engine=first, prices="prices.json", max_cost=5)
    assert 0 < len(keys("r")) < 12
    results = mb.resume_run("r", engine=second)
    assert len(keys("r")) == len(set(keys("r"))) == 12
    assert verdicts("r") == verdicts("whole") and results.protocol() == whole.protocol()
    assert sorted(RunFolder(Path("r")).info().engines) == ["local", "ray"]


SUITE = """
name = "two"
limit = 3
[models]
calm = "control/candid"
jumpy = "control/jumpy?rate=0.4"
[data]
small = "small"
[gates.release]
max_refusal = 0.9
"""


def test_a_suite_on_a_cluster_skips_finished_cells_and_resumes_torn_ones(cluster, small):
    Path("small").symlink_to(small)
    Path("suite.toml").write_text(SUITE)
    here = mb.run_suite(mb.load_suite("suite.toml", out="here"))
    suite = mb.load_suite("suite.toml", out="there")
    there = mb.run_suite(suite, start=partial(mb.run, engine=ray_engine()))
    assert [one.state for one in there.cells] == ["ran", "ran"] and there.state == here.state == "pass"
    folders = [one.cell.folder for one in there.cells]
    assert [verdicts(one) for one in folders] == [verdicts(one.cell.folder) for one in here.cells]
    folder = RunFolder(folders[1])  # torn: its process was killed in the middle of a line
    folder.answers_path.write_bytes(folder.answers_path.read_bytes()[:-30])
    folder.write_info(folder.info().model_copy(update={"ended": None}))
    again = mb.run_suite(suite)
    assert [one.state for one in again.cells] == ["skipped", "continued"]
    assert RunFolder(folders[0]).info().engines == ("ray",) and folder.info().engines == ("ray", "local")
    assert verdicts(folders[1]) == verdicts(here.cells[1].cell.folder) and len(set(keys(folders[1]))) == 6


def test_through_storage_the_rows_are_the_same_and_it_is_empty_afterwards(cluster, small, tmp_path):
    storage = tmp_path / "storage"
    storage.mkdir()
    mb.run("control/jumpy?rate=0.4", small, out="there", engine=ray_engine(storage=f"file://{storage}"))
    mb.run("control/jumpy?rate=0.4", small, out="here")
    assert verdicts("there") == verdicts("here") and len(keys("there")) == 12
    assert list(storage.rglob("*.jsonl")) == []


def test_what_a_killed_session_left_in_storage_is_not_asked_again(cluster, small, model, tmp_path):
    from mossbench.runs.engines.ray_storage import storage_of_run, store_exchanges

    Path("go").touch()
    mb.run(model, small, out="r")
    folder, url = RunFolder(Path("r")), str(tmp_path / "storage")
    exchanges = list(folder.exchanges().values())
    store_exchanges(
        storage_of_run(url, folder.info(), "r"), exchanges[:7]
    )  # the process was killed before it had written them
    folder.answers_path.write_text("")
    folder.write_info(folder.info().model_copy(update={"ended": None}))
    Path("asked.log").unlink()
    mb.resume_run("r", engine=ray_engine(storage=url))
    assert len(keys("r")) == len(set(keys("r"))) == 12 and len(asked()) == 5


def test_storage_that_cannot_be_written_ends_the_run_and_keeps_the_answers(cluster, small, model, tmp_path):
    Path("go").touch()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RunError, match="cannot be written"):
        mb.run(model, small, out="r", engine=ray_engine(storage=str(tmp_path / "file")))
    assert keys("r") and len(keys("r")) == len(set(keys("r")))


def test_faults_of_ones_own_model_are_on_the_rows_with_their_traceback_in_the_log(cluster, small, model):
    results = mb.run("own.py:broken", small, out="r", engine=ray_engine())
    assert results.layers()[Layer.FAILED] == 12
    assert "my own fault" in Path("r/errors.log").read_text() and "own.py" in Path("r/errors.log").read_text()


def test_a_cost_limit_holds_on_workers_too(cluster, small):
    prices = {"control/candid": {"input": 1000.0, "output": 1000.0}}
    Path("prices.json").write_text(json.dumps(prices))
    how = {"prices": "prices.json", "max_cost": 6.0, "max_tokens": 1000}
    results = mb.run("control/candid", small, out="r", engine=ray_engine(), **how)
    assert 0 < len(keys("r")) < 12 and results.layers()[Layer.NOT_ASKED] == 12 - len(keys("r"))


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"num_cpus": 100, "workers": None}, RunError, r"no room for a worker, which takes 100 CPU of 4"),
        ({"num_gpus": 1, "workers": None}, RunError, r"takes 1 CPU of 4, 1 GPU of 0"),
        ({"storage": "nowhere://x"}, UsageError, "storage is 'nowhere://x'"),
    ],
)
def test_what_the_cluster_cannot_do_is_said(cluster, small, options, error, said):
    with pytest.raises(error, match=said):
        mb.run("control/candid", small, out="r", engine=ray_engine(**options))


def test_a_model_that_workers_cannot_find_by_name_is_refused_before_the_run_starts(cluster, small):
    with pytest.raises(UsageError, match="workers load the model by its name, and 'python/"):
        mb.run(lambda prompt: "Sure.", small, out="r", engine=ray_engine())
    assert not Path("r/run.json").exists()


THREE_RUNS = """
import os, ray, sys
import mossbench as mb
from mossbench.runs.engines import EngineOptions

started, init = [], ray.init
ray.init = lambda *args, **how: started.append(args) or init(*args, **how)
for out, key in (("one", "old"), ("two", "old"), ("three", "new")):
    os.environ["MY_KEY"] = key
    results = mb.run("own.py:key", sys.argv[1], out=out, limit=2, engine=EngineOptions(name="ray", workers=1))
    print(len(started), *{row.exchange.answer.text for row in results.rows})
"""


def test_runs_of_one_process_share_a_cluster_until_a_key_is_set(small):
    """As the cells of a suite do; workers have the variables that this process has when it asks."""
    Path("own.py").write_text("import os\ndef key(prompt):\n    return os.environ['MY_KEY']\n")
    command = [sys.executable, "-c", THREE_RUNS, str(small)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=True)
    assert done.stdout.splitlines() == ["1 old", "1 old", "2 new"] and len(keys("one")) == len(keys("two")) == 4


def test_ctrl_c_on_a_cluster_of_its_own_keeps_what_was_answered(small, model):
    """The whole command, in a process group as a terminal makes it: workers hear of Ctrl-C too."""
    args = ["run", "--model", model, "--data", str(small), "--epochs", "5", "--out", "r", "--no-report"]
    command = [sys.executable, "-m", "mossbench", *args, "--engine", "ray", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        until(lambda: process.poll() is not None or n_lines("r/answers.jsonl") >= 6)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=LONG)
    finally:
        process.kill()  # where it did not hear
    assert process.returncode == 130, said
    n = len(keys("r"))
    assert re.search(rf"stopped\. {n} of 60 answers are saved; resume it with: mossbench run --resume r", said), said
    assert "Traceback" not in said
    Path("go").touch()
    mb.resume_run("r")
    assert len(keys("r")) == len(set(keys("r"))) == 60
