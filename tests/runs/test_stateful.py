"""A run that is killed, damaged and resumed at random, in any order: in the end every row is there once."""

import json
import os
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import mossbench as mb
from mossbench.errors import MossbenchError
from mossbench.models import Model
from mossbench.outcomes import Answer, Exchange, Layer
from small_set import small_set


class Killed(BaseException):
    """The process is gone: nothing of ours may catch it."""


class Mortal(Model):
    """Answers with the row's own name; fails some rows once, and dies when its time has come."""

    name = "mortal"

    def __init__(self):
        self.left, self.fails, self.asked = None, 0, Counter()

    async def answer(self, prompt):
        if self.left == 0:
            raise Killed
        self.left = None if self.left is None else self.left - 1
        self.asked[prompt.key] += 1
        if self.fails:
            self.fails -= 1
            return Answer.failed("model", "a fault of this row")
        return Answer(text=f"This is {prompt.key.side} {prompt.key.sample}.", stop="end")


class Runs(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.place = Path(tempfile.mkdtemp())
        self.data, self.run = small_set(self.place / "data"), self.place / "run"
        self.model, self.before = Mortal(), {}

    def teardown(self):
        shutil.rmtree(self.place, ignore_errors=True)

    def go_on(self):
        try:
            return mb.run(self.model, self.data, out=self.run, resume=self.run.exists(), max_connections=3)
        except (Killed, MossbenchError):
            return None
        finally:
            self.model.left = None

    def rows(self):
        path = self.run / "answers.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return [Exchange.model_validate_json(line) for line in lines if line.endswith(b"\n")]

    @rule(after=st.integers(0, 14))
    def killed_on_the_way(self, after):
        self.model.left = after
        self.go_on()

    @rule(n=st.integers(0, 5))
    def some_rows_fail(self, n):
        self.model.fails = n
        self.go_on()
        self.model.fails = 0

    @rule(n=st.integers(1, 400), name=st.sampled_from(["answers.jsonl", "verdicts"]))
    def the_power_fails_and_the_end_of_a_file_is_gone(self, n, name):
        for path in self.run.glob(f"{name}*"):
            size = path.stat().st_size
            os.truncate(path, max(0, size - n))

    @rule(junk=st.binary(max_size=40))
    def a_torn_line_is_left(self, junk):
        path = self.run / "answers.jsonl"
        if path.exists():
            with path.open("ab") as file:
                file.write(b'{"side":"' + junk.replace(b"\n", b"").replace(b'"', b""))

    @rule(at=st.integers(0, 50))
    def a_line_in_the_middle_is_lost(self, at):
        path = self.run / "answers.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines:
            del lines[at % len(lines)]
            path.write_bytes(b"".join(lines))

    @rule()
    def temporary_files_are_left(self):
        if self.run.exists():
            (self.run / f".run.json.{random.randrange(99)}.1.tmp").write_bytes(b"{")

    @rule()
    def it_ends(self):
        asked, there = self.model.asked.copy(), {row.key for row in self.rows() if row.answer.error is None}
        results = self.go_on()
        assert results is not None and len(results) == 12 == results.layers()[Layer.JUDGED]
        assert not {key for key, n in self.model.asked.items() if n > asked[key]} & there, "asked again in vain"
        rows = Counter(row.key for row in self.rows() if row.answer.error is None)
        assert len(rows) == 12 and set(rows.values()) == {1}
        assert json.loads((self.run / "run.json").read_text())["failed"] == 0

    @invariant()
    def no_answer_stands_on_another_row(self):
        if hasattr(self, "run"):
            for row in self.rows():
                assert row.answer.error or row.answer.text == f"This is {row.side} {row.sample}."


TestRuns = Runs.TestCase
TestRuns.settings = settings(max_examples=12, stateful_step_count=8)
TestRuns = pytest.mark.slow(TestRuns)
