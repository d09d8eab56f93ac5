"""Engines: how rows are asked moves nothing but who asks them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import mossbench
from mossbench.cli import cli
from mossbench.models.model import Model, Overloaded
from mossbench.outcomes import Answer, Layer
from mossbench.runs.engines import EngineOptions
from mossbench.store.run_folder import RunFolder

MODEL = "control/jumpy?rate=0.4"


@pytest.mark.slow
def test_the_engine_that_asked_is_on_record_and_makes_no_other_run(tmp_path):
    mossbench.run(MODEL, limit=2, out=tmp_path / "r", engine="local")
    info = RunFolder(tmp_path / "r").info()
    assert info.engines == ("local",)
    mossbench.resume_run(tmp_path / "r", engine="local")
    assert RunFolder(tmp_path / "r").info().engines == ("local",)


def test_an_unknown_engine_is_named_before_anything_is_asked(tmp_path):
    with pytest.raises(mossbench.UsageError, match="no engine named 'lokal'.*did you mean 'local'"):
        mossbench.run(MODEL, limit=2, out=tmp_path / "r", engine="lokal")
    assert not (tmp_path / "r").exists()


def test_the_engine_is_an_option_of_the_command(tmp_path):
    args = ["run", "--model", MODEL, "--limit", "1", "--no-report", "--out", str(tmp_path / "r"), "--quiet"]
    done = CliRunner().invoke(cli, [*args, "--engine", "lokal"])
    assert done.exit_code == 2 and "local" in done.output
    done = CliRunner().invoke(cli, [*args, "--engine", "local"])
    assert done.exit_code == 0, done.output
    assert RunFolder(tmp_path / "r").info().engines == ("local",)


def test_an_option_of_another_engine_is_refused(tmp_path):
    options = EngineOptions(name="local", workers=2)
    with pytest.raises(mossbench.UsageError, match="workers is an option of engine 'ray', which is not in use"):
        mossbench.run(MODEL, limit=2, out=tmp_path / "r", engine=options)
    done = CliRunner().invoke(cli, ["run", "--model", MODEL, "--limit", "1", "--out", "r", "--num-gpus", "1"])
    assert done.exit_code != 0 and not (tmp_path / "r").exists()


class InTurn(Model):
    """Cannot answer the first two rows that it is asked before another one was asked."""

    name = "in-turn"

    def __init__(self):
        self.asked = []

    async def answer(self, prompt):
        if prompt.key not in self.asked:
            self.asked.append(prompt.key)
        if prompt.key in self.asked[:2] and len(self.asked) < 3:
            raise Overloaded(0.01, "overload", "busy")
        return Answer(text="Sure.")


def test_rows_that_wait_to_be_asked_again_leave_their_place_to_others(small):
    results = mossbench.run(InTurn(), small, out="r", max_connections=1, retries=2)
    assert results.layers()[Layer.FAILED] == 0


def test_a_run_has_more_rows_than_are_asked_side_by_side(small):
    results = mossbench.run("control/candid", small, out="r", epochs=30, judge=None)
    assert len(results) == results.layers()[Layer.UNJUDGED] == 360
