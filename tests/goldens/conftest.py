"""The prepared folder, put back before every test, and nothing of the machine around it."""

import os
import shutil
import sys
from datetime import date
from pathlib import Path

import pytest

from goldens.golden import HERE, Goldens
from goldens.prepared import prepare

if os.name == "nt":
    collect_ignore_glob = ["test_*.py"]  # golden paths have slashes

KEPT_VARIABLES = ("HOME", "XDG_CACHE_HOME", "OPENBLAS_NUM_THREADS", "TMPDIR", "TZ", "SYSTEMROOT")
KEPT_BEGINNINGS = ("PYTEST", "PYTHON", "COV", "LC_", "LANG")


@pytest.fixture(scope="session")
def renew(request):
    return request.config.getoption("--renew-goldens")


@pytest.fixture(scope="session")
def goldens(renew):
    """The golden files of a folder by its name."""
    return lambda name: Goldens(HERE / name, renew)


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """The prepared folder as it was made; nobody writes in it."""
    root = tmp_path_factory.mktemp("goldens")
    folder = root / "folder"
    folder.mkdir()
    before = Path.cwd()
    os.chdir(folder)
    try:
        prepare(folder)
    finally:
        os.chdir(before)
    return folder.rename(root / "pristine")


@pytest.fixture(scope="session")
def pristine_entries(pristine):
    return entries_of(pristine)


def entries_of(folder):
    """Every file with its size and when it was written, and every folder with None; by path from here."""
    entries = {}
    for place, folders, files in os.walk(folder):
        for name in folders:
            entries[os.path.relpath(os.path.join(place, name), folder)] = None
        for name in files:
            path = os.path.join(place, name)
            state = os.stat(path)
            entries[os.path.relpath(path, folder)] = (state.st_size, state.st_mtime_ns)
    return entries


def put_back(folder, pristine, pristine_entries):
    """Makes a folder the same as the pristine one again; most commands wrote nothing, or a file or two."""
    entries = entries_of(folder)
    for name in sorted(entries.keys() - pristine_entries.keys(), reverse=True):  # what is in a folder before it
        path = folder / name
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()
    for name, entry in sorted(pristine_entries.items()):
        if name in entries and entries[name] == entry:
            continue
        if entry is None:
            (folder / name).mkdir()
        else:
            shutil.copy2(pristine / name, folder / name)


@pytest.fixture
def folder(pristine, pristine_entries, monkeypatch, alone):
    """The current folder: the prepared one, where it was made, as it was then."""
    folder = pristine.with_name("folder")
    folder.mkdir(exist_ok=True)
    put_back(folder, pristine, pristine_entries)
    monkeypatch.chdir(folder)
    _leave_the_machine_out(monkeypatch)
    return folder


def _leave_the_machine_out(monkeypatch):
    """No variable of whoever runs this, a fixed width, and a day on which nothing is stale."""
    for name in list(os.environ):
        if name not in KEPT_VARIABLES and not name.startswith(KEPT_BEGINNINGS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # commands in messages begin with `mossbench`
    monkeypatch.setattr("mossbench.models.dated.today", lambda: date(2026, 11, 18))
