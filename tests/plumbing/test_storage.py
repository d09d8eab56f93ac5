"""Writing files: whole or not at all, whoever else writes them."""

import json
import math
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mossbench.errors import StorageError
from mossbench.outcomes import Kind, Layer, Verdict
from mossbench.plumbing import cache_folders
from mossbench.plumbing.json_values import as_json_value, to_json
from mossbench.plumbing.storage import replacing_folder, write_atomically
from mossbench.samples import Harm


@dataclass(frozen=True)
class Pair:
    first: object
    second: object = None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Pair(1, Pair("a", (2, math.nan))), {"first": 1, "second": {"first": "a", "second": [2, None]}}),
        (Verdict(kind=Kind.WARNED, confidence=0.5).evidence, []),
        ({Layer.JUDGED: math.inf, 1: Kind.WARNED}, {"judged": None, "1": "warned"}),
        ([np.int64(3), np.float64("nan"), np.bool_(True), np.array([1.5, -math.inf])], [3, None, True, [1.5, None]]),
        (Path("a") / "b", str(Path("a") / "b")),
        (frozenset({"a"}), ["a"]),
        ((True, None, 2, 0.1, "x"), [True, None, 2, 0.1, "x"]),
        (list(Harm)[0], list(Harm)[0].value),
    ],
)
def test_every_kind_of_record_becomes_plain_values(value, expected):
    assert as_json_value(value) == expected and as_json_value(as_json_value(value)) == expected
    assert json.loads(to_json(value)) == expected


def test_a_record_within_a_record_is_written_as_its_file_has_it():
    verdict = Verdict(kind=Kind.WARNED, confidence=0.5)
    assert as_json_value(Pair(verdict)) == {"first": json.loads(verdict.model_dump_json()), "second": None}


def test_two_threads_that_write_one_file_both_succeed_and_one_content_holds(tmp_path, monkeypatch):
    both_wrote, replace = threading.Barrier(2), os.replace

    def together(*paths):
        both_wrote.wait()
        replace(*paths)

    monkeypatch.setattr(os, "replace", together)
    contents = ["a" * 1000, "b" * 1000]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda content: write_atomically(tmp_path / "file", content), contents))
    assert [path.name for path in tmp_path.glob("*file*")] == ["file"]
    assert (tmp_path / "file").read_text() in contents


def test_a_cache_that_was_closed_meanwhile_is_used_no_more(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(cache_folders.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    assert cache_folders.cache_folder("x") == cache_folders.cache_folder("x") == tmp_path / "home" / "mossbench" / "x"
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "home" not in str(path) and access(path, mode))
    for _ in range(2):
        assert cache_folders.cache_folder("x").is_relative_to(tmp_path / "temporary")


def test_a_cache_that_was_deleted_is_made_again(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_folders.cache_folder("x").rmdir()
    assert cache_folders.cache_folder("x").is_dir()


def names_in(folder):
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*"))


def test_two_processes_that_write_one_folder_both_succeed_and_the_last_stays_whole(monkeypatch):
    out = Path.cwd() / "out"
    with replacing_folder(out) as first:
        (first / "a").touch()
        with monkeypatch.context() as other:
            other.setattr(os, "getpid", lambda: -1)
            with replacing_folder(out) as second:
                (second / "b").touch()
        assert names_in(out) == ["b"] and names_in(first) == ["a"]
    assert names_in(Path.cwd()) == ["out", "out/a"]


def test_a_folder_stays_where_it_is_when_another_cannot_take_its_place(monkeypatch):
    (Path.cwd() / "out").mkdir()
    (Path.cwd() / "out" / "before").touch()
    replace = Path.replace

    def failing(self, target):
        if self.name.endswith(".new"):
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(StorageError, match="Input/output error"), replacing_folder(Path.cwd() / "out"):
        pass
    assert names_in(Path.cwd()) == ["out", "out/before"]


def test_what_a_killed_process_left_goes_and_what_another_writes_just_now_stays():
    left, writing = Path.cwd() / ".[out].1.2.new", Path.cwd() / ".[out].3.4.new"
    for one in (left, writing):
        (one / "images").mkdir(parents=True)
    os.utime(left, (0, 0))
    with replacing_folder(Path.cwd() / "[out]"):
        pass
    assert {one.name for one in Path.cwd().iterdir()} == {"[out]", writing.name}


KILLED_BETWEEN_THE_RENAMES = """
import os, signal, sys
from pathlib import Path
from mossbench.plumbing.storage import replacing_folder

rename = Path.replace

def rename_or_die(self, target):
    if self.name.endswith(".new"):
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)

Path.replace = rename_or_die
with replacing_folder(Path(sys.argv[1])) as folder:
    (folder / "after").touch()
"""


@pytest.fixture
def killed_writer():
    """A folder whose only copy has the name that a killed process gave it on the way."""
    out = Path.cwd() / "out"
    out.mkdir()
    (out / "before").touch()
    done = subprocess.run([sys.executable, "-c", KILLED_BETWEEN_THE_RENAMES, str(out)], check=False)
    assert done.returncode == -signal.SIGKILL and not out.exists()
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_folder_that_a_killed_process_moved_away_is_restored(killed_writer):
    with pytest.raises(ZeroDivisionError), replacing_folder(killed_writer):
        raise ZeroDivisionError
    assert names_in(killed_writer) == ["before"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_folder_of_a_longer_name_is_not_restored_under_a_shorter_one(killed_writer):
    left = {path.name for path in Path.cwd().glob(".out.*")}
    for name in left:
        (Path.cwd() / name).rename(Path.cwd() / name.replace(".out.", ".out.v2."))
    with pytest.raises(ZeroDivisionError), replacing_folder(killed_writer):
        raise ZeroDivisionError
    assert not killed_writer.exists() and len(left) == len(list(Path.cwd().glob(".out.v2.*"))) == 2


def test_a_folder_that_another_writer_put_back_meanwhile_is_replaced(monkeypatch):
    out = Path.cwd() / "out"
    out.mkdir()
    rename = Path.replace
    n_restored = 0

    def restored_meanwhile(self, target):
        nonlocal n_restored
        if self.name.endswith(".new") and not n_restored:
            n_restored += 1
            (old,) = Path.cwd().glob(".out.*.old")
            rename(old, out)
            (out / "before").touch()
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", restored_meanwhile)
    with replacing_folder(out) as folder:
        (folder / "after").touch()
    assert names_in(Path.cwd()) == ["out", "out/after"] and n_restored == 1
