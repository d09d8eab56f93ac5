"""Every test runs in an empty folder with an empty home, without keys and without the network."""

import os
import socket
from pathlib import Path

import pytest

from small_set import small_set

SHARED = Path(__file__).parents[2] / "shared"
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN", "HF_ENDPOINT", "HF_HOME")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """One cache for all tests and workers: a sketch is composed and looked at once."""
    own = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"))
        yield


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    home = tmp_path / "home"
    work = tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    connect = socket.socket.connect

    def loopback_only(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", loopback_only)


@pytest.fixture(scope="session")
def shared():
    """The published data and labelled transcripts, where they are."""
    if not (SHARED / "mossbench-data").is_dir():
        pytest.skip("needs the published data at ../shared, which is not here")
    return SHARED


@pytest.fixture
def small(tmp_path):
    """Six samples of both sides with pictures, as a folder with metadata.jsonl."""
    return small_set(tmp_path / "small")
