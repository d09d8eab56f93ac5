"""A full disk at each file that a run writes: what is kept is said, and the command that resumes it works."""

import errno
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.plumbing import storage


@pytest.fixture
def full_at():
    """Has the disk be full whenever a file of that name is written as a whole, from the n-th time on; `free` it."""
    patch = pytest.MonkeyPatch()

    def fill(name, n=1):
        replace, seen = os.replace, []

        def full(source, target):
            if Path(target).name == name:
                seen.append(target)
                if len(seen) >= n:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            replace(source, target)

        patch.setattr(storage.os, "replace", full)

    fill.free = patch.undo
    yield fill
    patch.undo()


def invoke(*args):
    return CliRunner().invoke(cli, [*map(str, args)])


@pytest.mark.parametrize(
    ("name", "n", "kept"),
    [
        ("samples.jsonl", 1, "no answer is on record yet; then resume the run with: mossbench run --resume r"),
        ("run.json", 1, "no request was sent; fix this and run the same again"),
        ("run.json", 2, "12 of 12 answers are saved; resume it with: mossbench run --resume r"),
        ("run.json", 3, "12 of 12 answers are saved; resume it with: mossbench run --resume r"),
    ],
)
def test_a_full_disk_names_what_is_kept_and_how_to_go_on(small, full_at, name, n, kept):
    full_at(name, n)
    command = ["run", "--model", "control/candid", "--data", small, "--out", "r", "--quiet", "--no-report"]
    done = invoke(*command)
    said = " ".join(done.stderr.split())
    assert done.exit_code == 1 and f"r/{name}': No space left on device; " in said and "free some space" in said
    assert kept in said
    full_at.free()
    again = (
        invoke("run", "--resume", "r", "--quiet", "--no-report") if Path("r/run.json").exists() else invoke(*command)
    )
    assert again.exit_code == 0, again.stderr
    assert len(mb.load_results("r")) == 12


def test_a_full_disk_at_the_report_costs_only_the_report(small, full_at):
    full_at("report.html")
    done = invoke("run", "--model", "control/candid", "--data", small, "--out", "r", "--quiet")
    assert done.exit_code == 0 and "all else is complete. Try again: mossbench report r" in done.stderr


def test_a_full_disk_while_judging_names_the_verdicts_that_are_saved(small, full_at):
    mb.run("control/candid", small, out="r")
    full_at("run.json")
    done = invoke("judge", "apply", "r", "--judge", "keywords", "--quiet")
    said = " ".join(done.stderr.split())
    assert done.exit_code == 1 and "No space left on device" in said
    assert "12 verdicts of keywords/2 saved; resume it with: mossbench judge apply r --judge keywords" in said
