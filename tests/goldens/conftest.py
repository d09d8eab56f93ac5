"""The prepared folder, put back before every test, and nothing of the machine around it."""

import os
import shutil
import sys
from datetime import date
from pathlib import Path

import pytest

from goldens.golden import HERE, Goldens
from goldens.prepared import prepare

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


@pytest.fixture
def folder(pristine, monkeypatch, alone):
    """The current folder: the prepared one, where it was made, as it was then."""
    folder = pristine.with_name("folder")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pristine, folder)
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
