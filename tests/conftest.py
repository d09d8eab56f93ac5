"""Every test runs in an empty folder with an empty home, without keys and without the network."""

import gc
import os
import shutil
import signal
import socket
import ssl
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

# Matrices here are small: numpy's threads would only wait for each other, ten times as long where workers share cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from small_set import small_set

with suppress(ImportError):  # the environments of local models and of Inspect have no Hypothesis
    from hypothesis import HealthCheck, settings

    # No example is too slow: how long one takes says how busy the machine is.
    whole = settings(settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("whole", whole)
    settings.register_profile("quick", whole, max_examples=20)  # of make test; make test-all draws 100
    settings.load_profile("whole")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it puts into the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes that tests interrupt would inherit it

IN_MEMORY = Path("/dev/shm")
ENOUGH = 4 * 2**30  # bytes
if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ENOUGH:
    # What is written is synced to the disk, thousands of times: here that takes no time.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

SHARED = Path(__file__).parents[2] / "shared"
KEYS = ("GITHUB_STEP_SUMMARY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN", "HF_ENDPOINT", "HF_HOME")

LONGEST = """browser/test_axe browser models/test_conformance analyses/test_blind_refusers inspect analyses/test_claims
leaderboard judges/test_measured analyses datasets/test_hub building judges images goldens cli web runs""".split()
"""Beginnings of files, by how long their tests take."""


def pytest_addoption(parser):
    parser.addoption("--renew-goldens", action="store_true", help="write tests/goldens again instead of comparing")


def pytest_collection_modifyitems(items):
    """The longest files first: no worker begins one when the others have nothing left to do."""

    def place(item):
        name = item.nodeid.removeprefix("tests/")
        return next((i for i, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """One cache for all tests and workers: a sketch is composed and looked at once."""
    own = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"))
        yield


def pytest_collection_finish():
    gc.freeze()  # what is imported stays: no collection needs to look through it again


@pytest.fixture(scope="module", autouse=True)
def nothing_left_open():
    """What a module does not close is found at its end, not in whatever test runs when Python happens to collect it."""
    yield
    gc.collect()
    gc.freeze()  # packages that its tests imported: looking through them cost a quarter of all tests' time


@pytest.fixture(scope="session")
def one_certificate(tmp_path_factory):
    """To be trusted in place of the system's hundred, which every client of a model would read again."""
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not trusted:
        return None
    path = tmp_path_factory.mktemp("certificates") / "one.pem"
    path.write_text(ssl.DER_cert_to_PEM_cert(trusted[0]))
    return path


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path, one_certificate):
    home = tmp_path / "home"
    work = tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COLUMNS", "110")  # lines break where they do without a terminal, whoever runs this
    monkeypatch.chdir(work)
    if one_certificate is not None:
        monkeypatch.setenv("SSL_CERT_FILE", str(one_certificate))
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    connect = socket.socket.connect

    def loopback_only(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", loopback_only)


@pytest.fixture(autouse=True)
def same_day(monkeypatch):
    """Vendors retire models on days that are known: no test depends on the day on which it runs."""
    from mossbench.models import dated

    monkeypatch.setattr(dated, "today", lambda: date(2026, 11, 18))


@pytest.fixture(scope="session")
def shared():
    """The published data and labelled transcripts, where they are."""
    if not (SHARED / "mossbench-data").is_dir():
        pytest.skip("needs the published data at ../shared; a test beside it asks the same of data of our own")
    return SHARED


@pytest.fixture
def small(tmp_path):
    """Six samples of both sides with pictures, as a folder with metadata.jsonl."""
    return small_set(tmp_path / "small")
