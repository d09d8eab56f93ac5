import asyncio
import dataclasses
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from inspect import signature
from pathlib import Path
from typing import get_overloads

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import VERDICTS
from mossbench.cli import cli as mossbench_cli
from mossbench.datasets.arms import ARMS
from mossbench.errors import Interrupted, ModelError, RunError, StorageError, UsageError
from mossbench.models import PRESETS, presets
from mossbench.models.model import Model
from mossbench.outcomes import Answer, Exchange, Layer
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.lines import read_lines
from mossbench.runs.awaiting import arun
from mossbench.runs.inputs import load_inputs
from mossbench.runs.running import run
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import InSuite
from openai_server import completion, serve
from pictures import png
from waiting import LONG, until


def answers(folder="r"):
    return [json.loads(line) for line in (Path(folder) / "answers.jsonl").read_text().splitlines()]


class Counting(Model):
    """Counts its calls; fails for the ids it is told to."""

    name = "counting"

    def __init__(self, failing=()):
        self.asked, self.failing, self.most, self.now = [], set(failing), 0, 0

    async def answer(self, prompt):
        self.asked.append(prompt.key)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1
        if prompt.key.sample in self.failing:
            return Answer.failed("model", "down")
        return Answer(text="fine")


def test_every_sample_is_asked_once_and_written_down(small):
    model = Counting()
    results = mb.run(model, small, out="r", epochs=2)
    assert len(model.asked) == len(set(model.asked)) == len(answers()) == len(results) == 24
    assert sum(results.layers().values()) == 24
    assert RunFolder(Path("r")).info().ended is not None


def test_no_more_than_max_connections_are_in_flight(small):
    model = Counting()
    mb.run(model, small, epochs=4, max_connections=3)
    assert model.most == 3


def test_selection_by_side_ids_limit_and_offset(small):
    def asked(**options):
        return [(str(row.key.side), row.key.sample) for row in mb.run("control/candid", small, **options).rows]

    assert asked(side="contrast", limit=2) == [("contrast", "1"), ("contrast", "2")]
    assert asked(limit=1, offset=2) == [("benign", "3"), ("contrast", "3")]
    assert asked(ids=["5", "2"], side="benign") == [("benign", "2"), ("benign", "5")]
    with pytest.raises(UsageError, match="no sample with id '7'"):
        asked(ids=["7"])
    with pytest.raises(UsageError, match="no samples of .* are left with side both, offset 6"):
        asked(offset=6)


def test_resume_asks_only_what_failed_or_is_missing(small):
    mb.run(Counting(failing={"2", "3"}), small, out="r")
    again = Counting()
    results = mb.run(again, small, out="r", resume=True)
    assert {key.sample for key in again.asked} == {"2", "3"} and len(again.asked) == 4
    assert results.layers()[Layer.JUDGED] == 12


def test_a_torn_last_line_is_dropped_and_asked_again(small):
    mb.run(Counting(), small, out="r")
    path = Path("r/answers.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    again = Counting()
    results = mb.run(again, small, out="r", resume=True)
    assert len(again.asked) == 1 and len(answers()) == 12
    assert results.layers()[Layer.JUDGED] == 12


def test_a_damaged_line_in_the_middle_is_named_and_nothing_is_overwritten(small):
    mb.run(Counting(), small, out="r")
    path = Path("r/answers.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    damaged = "".join([*lines[:3], '{"side": "benign"}\n', *lines[4:]])
    path.write_text(damaged)
    with pytest.raises(RunError, match=r"answers\.jsonl, line 4: .* is missing"):
        mb.run(Counting(), small, out="r", resume=True)
    assert path.read_text() == damaged


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ({"limit": 2}, r"limit: the run has none, you asked for 2"),
        ({"system": "Be kind."}, r"system: the run has none, you asked for 'Be kind.'"),
        ({"seed": 1, "epochs": 2}, r"epochs: the run has 1, you asked for 2\n  seed: the run has 42, you asked for 1"),
    ],
)
def test_a_different_config_on_resume_is_refused_with_the_difference(small, options, difference):
    mb.run(Counting(), small, out="r")
    before = Path("r/answers.jsonl").read_bytes()
    with pytest.raises(UsageError, match=difference):
        mb.run(Counting(), small, out="r", resume=True, **options)
    with pytest.raises(UsageError, match=difference):
        mb.resume_run("r", **options, model=Counting())
    assert Path("r/answers.jsonl").read_bytes() == before


def test_changed_data_on_resume_is_refused(small):
    mb.run(Counting(), small, out="r")
    (small / "images" / "1.png").write_bytes(png("red"))
    with pytest.raises(UsageError, match=r"dataset hash \(benign\)"):
        mb.run(Counting(), small, out="r", resume=True)


def test_how_the_work_is_done_may_differ_on_resume(small):
    class ThreeAtOnce(Counting):
        """Answers when three requests are in flight, and never otherwise."""

        def load(self, systems=()):
            self.three = asyncio.Barrier(3)

        async def answer(self, prompt):
            async with asyncio.timeout(LONG):
                await self.three.wait()
            return await super().answer(prompt)

    first, second = Counting(failing="123456"), ThreeAtOnce()
    mb.run(first, small, out="r", max_connections=2, start_connections=1, retries=0)
    assert first.most <= 2 and len(first.asked) == 12
    options = {"max_connections": 3, "start_connections": 3, "timeout": 2 * LONG, "retries": 1, "judge": "keywords"}
    results = mb.run(second, small, out="r", resume=True, **options)
    assert sorted(second.asked) == sorted(first.asked) and second.most == 3
    assert results.judge.startswith("keywords/") and results.layers()[Layer.JUDGED] == 12


def test_a_folder_with_another_run_or_other_files_is_not_touched(small):
    mb.run(Counting(), small, out="r")
    with pytest.raises(UsageError, match=r"already contains a run of counting; resume it with: resume_run\('r'\), or"):
        mb.run(Counting(), small, out="r")
    Path("full").mkdir()
    Path("full/thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not empty and contains no run"):
        mb.run(Counting(), small, out="full")
    assert [path.name for path in Path("full").iterdir()] == ["thesis.txt"]


@pytest.mark.slow
def test_two_processes_cannot_write_one_run(small):
    mb.run(Counting(), small, out="r")
    before = {path.name: path.read_bytes() for path in Path("r").iterdir()}
    with RunFolder(Path("r")).held():
        for work in (
            lambda: mb.run(Counting(), small, out="r", resume=True),
            lambda: mb.judge_run("r", "keywords"),
            lambda: mb.analyse("prompts", Counting(), small, out="r", resume=True),
        ):
            with pytest.raises(RunError, match="run folder 'r' is being written by another process; wait for it"):
                work()
    assert {path.name: path.read_bytes() for path in Path("r").iterdir()} == before


WAITING = """
import sys, time
from pathlib import Path
import mossbench as mb
from mossbench.models.model import Model
from mossbench.outcomes import Answer

me, data, waits_for = sys.argv[1:]

class Waiting(Model):
    name = me

    def load(self, systems=()):  # after the folder was looked at, before anything is written to it
        Path(f"{me}.loading").touch()
        while waits_for and not Path(waits_for).exists():
            time.sleep(0.005)

    async def answer(self, prompt):
        return Answer(text=f"said by {me}")

try:
    mb.run(Waiting(), data, out="runs/r")
except mb.MossbenchError as error:
    print(error, file=sys.stderr)
    sys.exit(error.exit_code)
"""


def start_waiting(name, data, waits_for=""):
    command = [sys.executable, "-c", WAITING, name, str(data), waits_for]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def wait_for_file(path, process):
    while not Path(path).exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


@pytest.mark.slow
def test_of_two_runs_that_find_one_folder_free_the_second_changes_nothing(small):
    first = start_waiting("first", small, "go")
    wait_for_file("first.loading", first)
    second = start_waiting("second", small)
    assert "'runs/r' is being written by another process" in second.communicate(timeout=LONG)[1]
    assert second.returncode == 1 and [path.name for path in Path("runs/r").iterdir()] == [".lock"]
    Path("go").touch()
    first.communicate(timeout=LONG)
    assert first.returncode == 0
    assert RunFolder(Path("runs/r")).info().config.model == "first"
    assert {row["answer"]["text"] for row in answers("runs/r")} == {"said by first"} and len(answers("runs/r")) == 12
    assert not Path("runs/r/.lock").exists()


@pytest.mark.slow
def test_of_many_runs_started_at_once_in_one_folder_one_is_made(small):
    for _ in range(2):
        names = [f"m{i}" for i in range(3)]
        shutil.rmtree("runs", ignore_errors=True)
        processes = {name: start_waiting(name, small) for name in names}
        said = {name: process.communicate(timeout=LONG)[1] for name, process in processes.items()}
        (made,) = [name for name, process in processes.items() if process.returncode == 0]
        assert all(
            "written by another" in text or "already contains" in text for name, text in said.items() if name != made
        )
        assert RunFolder(Path("runs/r")).info().config.model == made
        assert [row["answer"]["text"] for row in answers("runs/r")] == [f"said by {made}"] * 12


@pytest.mark.slow
def test_the_lock_of_a_killed_process_is_no_lock(small):
    first = start_waiting("first", small, "never")
    wait_for_file("first.loading", first)
    first.kill()
    first.communicate()
    assert Path("runs/r/.lock").exists()
    assert len(mb.run(Counting(), small, out="runs/r")) == 12


def test_a_run_that_does_not_start_leaves_no_folder(small):
    class Absent(Counting):
        def load(self, systems=()):
            raise ModelError("not there")

    with pytest.raises(ModelError, match="not there"):
        mb.run(Absent(), small, out="new/r")
    assert not Path("new").exists()


def test_a_full_disk_is_one_message_and_keeps_what_was_written(small, monkeypatch):
    append, written = LineWriter.append, []

    def fills_up(self, record):
        if len(written) == 5:
            with open("/dev/full", "ab") as full:
                os.dup2(full.fileno(), self._file.fileno())
        written.append(record)
        append(self, record)

    monkeypatch.setattr(LineWriter, "append", fills_up)
    with pytest.raises(StorageError, match="No space left on device") as caught:
        mb.run(Counting(), small, out="r", judge=None, max_connections=1)
    assert any("5 of 12 answers are saved" in note for note in caught.value.__notes__)
    monkeypatch.undo()
    os.chdir(small.parent / "work")
    assert mb.run(Counting(), small, out="r", judge=None, resume=True).layers()[Layer.UNJUDGED] == 12


@contextmanager
def room_for(n_bytes):
    """No file may grow beyond that: a write is cut short there, and the next one fails, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def exchange(sample):
    return Exchange(side="benign", sample=sample, request="What is it?", answer=Answer(text="A barn. " * 9, stop="end"))


def test_a_line_that_a_full_disk_cut_off_is_written_before_the_next_one():
    path = Path("answers.jsonl")
    with LineWriter(path) as writer:
        writer.append(exchange("a"))
        size = path.stat().st_size
        with room_for(size + 50):
            for sample in "bc":
                with pytest.raises(StorageError, match="free some space"):
                    writer.append(exchange(sample))
            assert [one.sample for one in read_lines(path, Exchange)] == ["a"]
        writer.append(exchange("d"))
        with room_for(4 * size + 50), pytest.raises(StorageError):
            writer.append(exchange("e"))
    assert [one.sample for one in read_lines(path, Exchange)] == list("abcde")
    assert path.stat().st_size == 5 * size


class FillsUp(Counting):
    """All answers are in flight together when the disk is full; the last may come when there is space again."""

    def __init__(self, full, frees=True):
        super().__init__()
        self.full, self.frees = full, frees

    async def open(self):
        self.full.enter_context(room_for(100))

    async def answer(self, prompt):
        self.asked.append(prompt.key)
        while len(self.asked) < 12:
            await asyncio.sleep(0.001)
        if prompt.key == self.asked[-1] and self.frees:
            while not Path("r/answers.jsonl").stat().st_size:
                await asyncio.sleep(0.001)
            self.full.close()
        return Answer(text="fine")


def test_answers_in_flight_when_the_disk_was_full_are_kept_once_there_is_space(small):
    with (
        ExitStack() as full,
        pytest.raises(StorageError, match="No space left on device; .* free some space") as caught,
    ):
        mb.run(FillsUp(full), small, out="r", max_connections=12, start_connections=12)
    assert caught.value.__notes__ == ["12 of 12 answers are saved; resume it with: resume_run('r')"]
    model = FillsUp(full)
    assert mb.run(model, small, out="r", resume=True).layers()[Layer.JUDGED] == 12 and not model.asked


def test_answers_that_a_full_disk_never_took_are_named(small):
    with ExitStack() as full, pytest.raises(StorageError, match="No space left on device") as caught:
        mb.run(FillsUp(full, frees=False), small, out="r", max_connections=12, start_connections=12)
    lost, way_out = caught.value.__notes__
    assert way_out == "no answer is on record yet; then resume the run with: resume_run('r')"
    assert lost.startswith("lost 12 rows that could not be written: ")
    assert all(f"{side} {n} plain 1" in lost for side in ("benign", "contrast") for n in (1, 2, 3, 4, 5, 6))


def test_after_an_error_no_further_row_is_begun(small):
    class Stops(Counting):
        async def answer(self, prompt):
            if len(self.asked) == 2:
                raise ModelError("gone")
            return await super().answer(prompt)

    model = Stops()
    with pytest.raises(ModelError, match="gone"):
        mb.run(model, small, out="r", epochs=20, max_connections=2, start_connections=2)
    assert len(model.asked) < 10


@pytest.mark.parametrize("name", ["answers.jsonl", VERDICTS])
def test_a_row_that_is_glued_to_a_torn_one_is_named(small, name):
    mb.run(Counting(), small, out="r")
    path = Path("r") / name
    first, second, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:40] + b"".join(others))
    with pytest.raises(RunError, match=rf"{name}, line 2: .*JSON.* remove that line"):
        mb.run(Counting(), small, out="r", resume=True)
    path.write_bytes(first + b"".join(others))
    assert len(mb.run(Counting(), small, out="r", resume=True)) == 12


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_may_not_be_written_is_one_message(small):
    Path("locked").mkdir(mode=0o500)
    with pytest.raises(StorageError, match="Permission denied"):
        mb.run(Counting(), small, out="locked/r")


def test_a_file_in_place_of_the_folder_is_one_message(small):
    Path("r").write_text("a file")
    with pytest.raises(UsageError, match="'r' is a file, expected a folder"):
        mb.run(Counting(), small, out="r")


def test_a_place_that_cannot_be_written_is_one_message(small):
    with pytest.raises(StorageError, match="cannot write '/proc/nowhere/r'.* choose a folder"):
        mb.run(Counting(), small, out="/proc/nowhere/r")


def test_a_picture_that_cannot_be_used_fails_its_row_and_no_other(small):
    (small / "images" / "2.png").write_bytes(png()[:-30])
    (small / "images" / "3.png").unlink()
    (small / "images" / "4.png").write_text("<html>not found</html>")
    model = Counting()
    results = mb.run(model, small, side="benign")
    failed = {row.key.sample: row.exchange.answer.error for row in results.rows if row.outcome.layer is Layer.FAILED}
    assert set(failed) == {"2", "3", "4"} and {error.stage for error in failed.values()} == {"picture"}
    assert {key.sample for key in model.asked} == {"1", "5", "6"}


def test_generation_judging_and_counting_each_run_alone(small):
    asked = mb.run("control/stonewall", small, judge=None, out="r")
    assert asked.layers()[Layer.UNJUDGED] == 12 and asked.judge is None
    judged = mb.judge_run("r")
    assert judged.layers()[Layer.JUDGED] == 12
    counted = mb.load_results("r")
    assert counted.rates() == judged.rates()
    assert all(rate.estimate.value == 1.0 for rate in counted.rates())


def test_a_verdict_is_never_read_for_another_answer(small):
    mb.run("control/stonewall", small, out="r", side="benign", limit=1)
    path = Path("r/answers.jsonl")
    row = json.loads(path.read_text())
    row["answer"]["text"] = "Fold it into a boat."
    path.write_text(json.dumps(row) + "\n")
    assert mb.load_results("r").layers()[Layer.UNJUDGED] == 1
    assert mb.judge_run("r").rates()[-1].refused == 0


def test_control_c_stops_cleanly_and_says_how_to_resume(small):
    class Interrupting(Counting):
        async def answer(self, prompt):
            if len(self.asked) == 4:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(LONG)
            return await super().answer(prompt)

    with pytest.raises(Interrupted, match=r"stopped. 4 of 12 answers are saved; resume it with: resume_run\('r'\)"):
        mb.run(Interrupting(), small, out="r", max_connections=1)
    again = Counting()
    mb.run(again, small, out="r", resume=True)
    assert len(again.asked) == 8


def test_a_run_works_where_a_loop_is_running_already(small):
    async def notebook_cell():
        return mb.run("control/candid", small)

    before = set(threading.enumerate())
    assert len(asyncio.run(notebook_cell())) == 12
    until(lambda: set(threading.enumerate()) <= before)


@pytest.mark.parametrize("text", ["half \ud83d of a pair", "\udfff", "fine 🙂"])
def test_text_that_cannot_be_encoded_is_repaired_and_costs_no_row(small, text):
    def judge(exchange):
        raise ValueError(text)

    results = mb.run(lambda prompt: text, small, judge=judge, side="benign")
    assert results.layers()[Layer.UNJUDGED] == 6
    assert results.rows[0].exchange.answer.text.encode().decode() == text.replace("\ud83d", "�").replace("\udfff", "�")


def test_an_odd_reply_fails_its_row_and_no_other(small):
    class Odd(Counting):
        async def answer(self, prompt):
            if prompt.key.sample == "2":
                raise AssertionError("a reply nobody thought of")
            if prompt.key.sample == "3":
                return Answer(text=" ", stop="length", seconds=2.5)
            return await super().answer(prompt)

    results = mb.run(Odd(), small, side="benign")
    assert [row.exchange.answer.seconds for row in results.rows if row.key.sample == "3"] == [2.5]
    errors = {row.key.sample: row.exchange.answer.error for row in results.rows if row.exchange.answer.error}
    assert set(errors) == {"2", "3"} and errors["2"].type == "AssertionError"
    assert "raise max_tokens" in errors["3"].message


def test_a_slow_judge_does_not_make_answers_fail(small):
    asked, all_asked = [], threading.Event()

    async def model(prompt):
        asked.append(prompt.key)
        await asyncio.sleep(0.01)
        if len(asked) == 12:
            all_asked.set()
        return "fine"

    def judge(exchange):  # were answers to wait for it, it would wait for them in vain
        assert all_asked.wait(LONG)
        return False

    results = mb.run(model, small, judge=judge, timeout=2 * LONG, max_connections=6)
    assert results.layers()[Layer.JUDGED] == 12 and results.info.traffic.timeouts == 0


@pytest.mark.slow
def test_a_model_that_starts_slower_than_a_try_may_take_makes_no_answer_fail(small):
    class Late(Counting):
        async def open(self):
            await asyncio.sleep(0.1)

        async def answer(self, prompt):
            return Answer(text="Sure.")  # at once, as nobody waits in between: no time-out can come of a busy machine

    results = mb.run(Late(), small, timeout=0.05)
    assert results.layers()[Layer.FAILED] == 0 and results.info.traffic.timeouts == 0


def test_a_key_in_an_answer_is_redacted(small, monkeypatch):
    from mossbench.models.keys import secret

    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-abcdef")
    secret("OPENAI_API_KEY")
    mb.run(lambda prompt: "your key is sk-canary-abcdef", small, side="benign", out="r")
    assert not any("sk-canary" in path.read_text() for path in Path("r").iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs is 0"),
        ({"side": "left"}, "side is 'left'"),
        ({"colour": "red"}, "colour"),
        ({"limit": -1}, "limit is -1"),
    ],
)
def test_a_bad_option_is_named_with_its_value(small, options, message):
    with pytest.raises(UsageError, match=message):
        mb.run("control/candid", small, **options)


def test_answers_on_their_way_are_kept_when_another_call_ends_the_run(small, tmp_path):
    class Revoked(Model):
        name, asked = "own/revoked", 0

        async def answer(self, prompt):
            self.asked += 1
            turn = self.asked
            await asyncio.sleep(0.01 * turn)
            if turn == 2:
                raise RunError("the key was revoked")
            return Answer(text="Sure.")

    model = Revoked()
    with pytest.raises(RunError, match="revoked"):
        mb.run(model, small, out=tmp_path / "run", max_connections=4, start_connections=4)
    answered = RunFolder(tmp_path / "run").exchanges().values()
    assert len(answered) == model.asked - 1 and model.asked <= 6
    assert all(exchange.answer.text == "Sure." for exchange in answered)


@pytest.mark.slow
def test_the_counterfactual_arm_shows_each_picture_without_its_trigger(tmp_path):
    sketches = mb.load_dataset("sketches")
    sent = {}

    def looks(prompt):
        sent[prompt.key.sample] = prompt.picture.sha256
        return "Sure."

    results = mb.run(looks, "sketches", arm="counterfactual", limit=3, out=tmp_path / "without")
    assert {(row.key.arm, row.key.side) for row in results.rows} == {("counterfactual", "benign")}
    assert len(results) == 3  # the harmful twins have no such picture
    plain = dict(sent)
    mb.run(looks, "sketches", side="benign", limit=3, out=tmp_path / "with")
    assert plain.keys() == sent.keys() and all(plain[id] != sent[id] for id in plain)
    for row in results.rows:
        assert row.exchange.picture.ref == sketches.sample("benign", row.key.sample).counterfactual
    resumed = mb.resume_run(tmp_path / "without", model=looks)
    assert resumed.info.config.arm == "counterfactual" and len(resumed) == 3


def test_data_without_counterfactuals_refuse_the_arm(small, tmp_path):
    with pytest.raises(UsageError, match="no sample of small has what the arm 'counterfactual' needs"):
        mb.run("control/candid", small, arm="counterfactual", out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_run_that_stops_before_its_first_answer_calls_nothing_safe(small):
    def refuses(prompt):
        raise UsageError("no such model")

    with pytest.raises(UsageError, match="no such model") as caught:
        mb.run(refuses, small, out="r")
    assert not hasattr(caught.value, "__notes__")


def test_a_model_that_cannot_be_loaded_leaves_no_folder(small):
    class Torn(Model):
        name = "torn"

        def load(self, systems):
            raise ModelError(f"torn, and asked for {list(systems)}")

    with pytest.raises(ModelError, match=r"torn, and asked for \['Be brief.'\]"):
        mb.run(Torn(), small, out="r", system="Be brief.")
    assert not Path("r").exists()


# Which endpoint a run goes on with


def endpoint_of(folder="r"):
    about = json.loads((Path(folder) / "run.json").read_text())
    return about["config"]["base_url"], about["subject"]["endpoint"]


def cli(*args):
    return CliRunner().invoke(mossbench_cli, [str(arg) for arg in args])


def failing_once():
    """A server's reply that fails the first request for good, and answers the others."""
    seen = []

    def reply(body, headers):
        seen.append(body)
        return (400, {"error": {"message": "no"}}) if len(seen) == 1 else (200, completion("Fine."))

    return reply


@pytest.fixture
def reka(monkeypatch):
    """The preset, at a loopback server that fails one row."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with serve(failing_once()) as (url, requests):
        preset = dataclasses.replace(PRESETS["reka"], base_url=url)
        monkeypatch.setitem(presets._BY_ANY_NAME, "reka", preset)
        monkeypatch.setitem(PRESETS, "reka", preset)
        yield url, requests


@pytest.mark.slow
def test_a_preset_run_records_its_endpoint_and_goes_on_there(small, reka):
    url, requests = reka
    asked = cli("run", "--model", "reka", "--data", small, "--out", "r", "--retries", 0, "--quiet", "--max-failed", 1)
    assert asked.exit_code == 0, asked.output
    assert endpoint_of() == (url, url)
    n = len(requests)
    again = cli("run", "--resume", "r", "--quiet")
    assert again.exit_code == 0, again.output
    assert len(requests) == n + 1


def test_a_run_goes_on_at_the_endpoint_of_its_variable(small, monkeypatch):
    with serve(failing_once()) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        mb.run("openai/served", small, out="r", retries=0)
        assert endpoint_of() == (url, url)
        n = len(requests)
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")  # nobody listens there
        mb.resume_run("r")
        assert len(requests) == n + 1
        other = "you asked for 'http://127.0.0.1:9/v1'"
        with pytest.raises(UsageError, match=rf"base_url: the run has '{url}', {other}"):
            mb.resume_run("r", base_url="http://127.0.0.1:9/v1")


def test_a_run_at_the_providers_own_address_does_not_go_on_at_another(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setattr("mossbench.models.openai.OpenAIModel.answer", Counting.answer)
    monkeypatch.setattr("mossbench.models.openai.OpenAIModel.now", 0, raising=False)
    for name, value in {"asked": [], "most": 0, "failing": {"1"}}.items():
        monkeypatch.setattr(f"mossbench.models.openai.OpenAIModel.{name}", value, raising=False)
    mb.run("openai/m", small, out="r", retries=0)
    assert endpoint_of() == (None, None)
    mb.resume_run("r")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match=r"(?s)the provider's own address.*127.0.0.1:9.*unset the variable"):
        mb.resume_run("r")


@pytest.mark.slow
def test_a_slash_at_the_end_makes_no_other_endpoint(small):
    with serve(failing_once()) as (url, requests):
        mb.run("openai/served", small, out="r", retries=0, base_url=url)
        for written in (url, f"{url}/"):  # in run.json, by an earlier version
            about = json.loads(Path("r/run.json").read_text())
            about["config"]["base_url"] = written
            Path("r/run.json").write_text(json.dumps(about))
            mb.resume_run("r")
            mb.resume_run("r", base_url=f"{url}/")
            mb.resume_run("r", base_url=url)
        assert endpoint_of() == (url, url)


def test_what_a_provider_did_not_take_stays_on_record_when_nothing_is_left_to_ask(small):
    def picky(body, headers):
        if "temperature" in body:
            return 400, {"error": {"message": "Unsupported parameter: 'temperature'", "param": "temperature"}}
        return 200, completion("Fine.")

    with serve(picky) as (url, requests):
        first = mb.run("openai/served", small, out="r", base_url=url)
        n, sent = len(requests), first.info.sent
        assert set(sent["not_taken"]) == {"temperature"}
        assert mb.resume_run("r").info.sent == sent and len(requests) == n


def test_what_a_model_was_loaded_with_is_recorded(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    loaded = mb.load_model("openai/gpt-4o", base_url="http://127.0.0.1:9/v1", as_published=True)
    config = load_inputs(loaded, small, {}).config
    assert (config.base_url, config.as_published) == ("http://127.0.0.1:9/v1", True)
    with pytest.raises(UsageError, match=r"loaded with base_url None, but you asked for 'http://127.0.0.1:9/v1'"):
        load_inputs(mb.load_model("openai/gpt-4o"), small, {"base_url": "http://127.0.0.1:9/v1"})


def test_a_run_with_the_published_settings_is_resumed(small):
    with serve(failing_once()) as (url, requests):
        mb.run("openai/gpt-4o", small, out="r", retries=0, base_url=url, as_published=True)
        n = len(requests)
        mb.resume_run("r")
        assert len(requests) == n + 1
        with pytest.raises(UsageError, match="temperature: the run has 0.0, you asked for 0.5"):
            mb.resume_run("r", temperature=0.5)
        with pytest.raises(UsageError, match="so temperature would be ignored"):
            mb.run("openai/gpt-4o", small, out="other", base_url=url, as_published=True, temperature=0.5)


def test_a_run_is_resumed_with_further_arms(small):
    mb.run("control/candid", small, out="r", judge=None)
    n_rows = len(mb.load_results("r"))
    resumed = mb.resume_run("r", arms=[ARMS["text-only"]], no_judge=True)
    assert [arm.name for arm in resumed.info.arms] == ["plain", "text-only"] and len(resumed) == 2 * n_rows


def test_a_list_of_models_does_not_resume_one_run(small):
    mb.run("control/candid", small, out="r", judge=None)
    with pytest.raises(UsageError, match="'r' has one model, but a list is given"):
        mb.resume_run("r", model=["control/candid"])


def test_a_run_that_is_awaited_has_the_same_signature():
    assert [signature(way) for way in get_overloads(arun)] == [signature(way) for way in get_overloads(run)]


def test_a_list_without_a_model_is_refused():
    with pytest.raises(UsageError, match="no model given; name at least one in the list"):
        mb.run([], "nonesuch")


def test_every_model_of_a_list_is_asked_with_all_keywords(small):
    suite = InSuite(suite="s", model="m", prompt="none", data="d", arm="plain")
    models = ["control/candid", "control/stonewall"]
    results = mb.run(models, small, out="r", judge=None, one_format=True, suite=suite)
    assert [run.info.one_format for run in results] == [True, True]
    assert [run.info.suite for run in results] == [suite, suite]

    def stop(progress):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="the same call"):
        again = mb.Command("the same call", to="resume it")
        mb.run(models, small, out="stopped", judge=None, again=again, progress=stop)


def test_every_model_of_a_list_is_asked_under_all_arms(small):
    arms = (arm for arm in [ARMS["text-only"]])
    results = mb.run(["control/candid", "control/stonewall"], small, out="r", judge=None, arms=arms)
    assert [len(run.info.arms) for run in results] == [2, 2]
