"""The order in which things reach the disk: what a power loss may take is only what was not synced yet."""

import os
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import StorageError
from mossbench.outcomes import Answer, Exchange
from mossbench.plumbing import line_writer
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.storage import create_atomically, write_atomically
from waiting import until

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs names of open files")


@pytest.fixture
def events(monkeypatch):
    """What was done to the disk, in order: (what, name), the name of a temporary file being `tmp`."""
    found, fsync, replace, link = [], os.fsync, os.replace, os.link

    def name(path):
        path = Path(path)
        return "tmp" if path.suffix == ".tmp" else path.name

    def synced(handle):
        found.append(("fsync", name(os.readlink(f"/proc/self/fd/{handle}"))))
        fsync(handle)

    def moved(how, what):
        def move(source, target):
            found.append((what, name(target)))
            how(source, target)

        return move

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", moved(replace, "rename"))
    monkeypatch.setattr(os, "link", moved(link, "link"))
    return found


def row(i):
    return Exchange(side="benign", sample=str(i), request="What is it?", answer=Answer(text="A barn.", stop="end"))


def test_a_whole_file_is_synced_before_its_name_and_the_folder_after_it(events, tmp_path):
    write_atomically(tmp_path / "a.json", "{}")
    assert events == [("fsync", "tmp"), ("rename", "a.json"), ("fsync", tmp_path.name)]
    events.clear()
    assert create_atomically(tmp_path / "b.json", "{}")
    assert events == [("fsync", "tmp"), ("link", "b.json"), ("fsync", tmp_path.name)]
    events.clear()
    write_atomically(tmp_path / "cache", "{}", durable=False)
    assert events == [("rename", "cache")]


def test_lines_are_synced_while_they_are_written_and_at_the_end(events, tmp_path, monkeypatch):
    monkeypatch.setattr(line_writer, "SYNC_EVERY", 0.001)
    with LineWriter(tmp_path / "a.jsonl") as file:
        assert events == [("fsync", tmp_path.name)]  # so that the new file has a name
        for i in range(3):
            file.append(row(i))
            until(lambda n=i: len(events) >= 2 + n)
    n = events.count(("fsync", "a.jsonl"))
    assert n == 3, "nothing to sync, no sync"
    monkeypatch.setattr(line_writer, "SYNC_EVERY", 1000)
    with LineWriter(tmp_path / "a.jsonl") as file:
        file.append(row(4))
        assert events.count(("fsync", "a.jsonl")) == n
    assert events[-1] == ("fsync", "a.jsonl") and events.count(("fsync", "a.jsonl")) == n + 1


def test_a_run_has_its_answers_on_the_disk_before_it_says_that_it_has_ended(events, small):
    mb.run(lambda prompt: "A barn.", small, out="r")
    last = max(i for i, event in enumerate(events) if event == ("rename", "run.json"))
    for name in ("answers.jsonl", "verdicts"):
        assert any(kind == "fsync" and of.startswith(name) for kind, of in events[:last])
        assert not any(of.startswith(name) for _, of in events[last:])
    assert events.index(("rename", "run.json")) < min(i for i, e in enumerate(events) if e[1] == "answers.jsonl")


def test_a_disk_that_cannot_sync_is_told_and_nothing_is_called_lost(tmp_path, monkeypatch):
    def broken(handle):
        raise OSError(5, "Input/output error")

    with pytest.raises(StorageError, match="Input/output error") as caught, LineWriter(tmp_path / "a.jsonl") as file:
        monkeypatch.setattr(os, "fsync", broken)
        file.append(row(1))
    assert not getattr(caught.value, "__notes__", [])


def test_a_sync_that_failed_after_the_last_line_is_told_at_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(line_writer, "SYNC_EVERY", 0.001)

    def broken_once(handle, fsync=os.fsync):
        monkeypatch.setattr(os, "fsync", fsync)
        raise OSError(5, "Input/output error")

    with pytest.raises(StorageError, match="Input/output error"), LineWriter(tmp_path / "a.jsonl") as file:
        monkeypatch.setattr(os, "fsync", broken_once)
        file.append(row(1))
        until(lambda: not file._sync_thread.is_alive())
