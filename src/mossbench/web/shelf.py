"""The shelf: runs, by their index, and datasets, read in the background and read again when their files change.

No page waits long for it: what is not there within `PATIENCE` raises StillReading, which shows as a page that says how
far reading is and comes back by itself. A run that changes is shown as it was until it has been read again.
"""

import os
import shlex
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from mossbench.datasets import Dataset, cached_official, load_dataset
from mossbench.errors import Code, MossbenchError, UsageError
from mossbench.plumbing.apart import apart, stop_apart
from mossbench.results.index import CountedRun, RunIndex
from mossbench.results.listing import Signature, made_at, signature_of
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.web.data import Data, grouped, installed
from mossbench.web.loaded_run import UNREAD, LoadedRun, asks, label_of
from mossbench.web.settings import Settings

PATIENCE = 0.12
"""Seconds that a page waits for what is being read or counted."""
LARGE = 3000
"""Rows of a run above which it is read in a process of its own."""
MOST_KEPT = 300

Value = TypeVar("Value")


class StillReading(Exception):
    """Slow work is under way; the page is to be asked for again."""


class Shelf:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._reader = ThreadPoolExecutor(2, "shelf")
        self._lock = Lock()
        self._runs: dict[str, LoadedRun] = {}
        self._reading: dict[str, Future[LoadedRun]] = {}
        self._slow: dict[Hashable, Future[Any]] = {}
        self._data: tuple[Signature, tuple[Data, ...]] | None = None
        self.index = RunIndex(settings.runs)

    def close(self) -> None:
        self._reader.shutdown(wait=False, cancel_futures=True)
        stop_apart()

    def runs(self, *, also_unread: bool = False) -> tuple[LoadedRun, ...]:
        """Every run, newest first; StillReading until each has been read once, unless those are taken `also_unread`."""
        found: dict[str, Signature] = {}
        for path in sorted(run_folders(self.settings.runs)):
            name = path.name.encode("utf-8", "replace").decode()
            while name in found:  # of another folder whose name cannot be written either
                name += "?"
            found[name] = signature_of(path)
        with self._lock:
            gone = [name for name in self._runs if name not in found]
            for name in gone:
                del self._runs[name]
            if gone:
                self._reader.submit(self.index.forget, gone)
            for name, signature in found.items():
                known = self._runs.get(name)
                if name not in self._reading and (known is None or known.signature != signature):
                    self._reading[name] = self._reader.submit(self._load, name, signature)
            pending = list(self._reading.values())
        wait(pending, PATIENCE)
        with self._lock:
            for name in [name for name, work in self._reading.items() if work.done()]:
                self._runs[name] = self._reading.pop(name).result()
            runs = {name: self._runs[name] for name in found if name in self._runs}
        if len(runs) < len(found) and not also_unread:
            raise StillReading(f"Reading runs: {len(runs)} of {len(found)}")
        for name in found.keys() - runs.keys():
            runs[name] = LoadedRun(name, found[name], self._info(name), UNREAD, self.index)
        age = {name: (run.info.started if run.info else "", made_at(run.signature)) for name, run in runs.items()}
        return tuple(runs[name] for name in sorted(sorted(runs), key=age.__getitem__, reverse=True))

    def _info(self, name: str) -> RunInfo | None:
        with suppress(MossbenchError, OSError, ValueError):
            return RunFolder(self.settings.runs / name).info()
        return None

    def _load(self, name: str, signature: Signature) -> LoadedRun:
        """The run by the index, where it is put first unless it is there; a large one in a process of its own."""
        info = self._info(name)
        found = self.index.counted(name, signature) or self._put(name, signature, info)
        if "?" in name and not os.path.lexists(self.settings.runs / name):
            found = replace(UNREAD, error="the folder has another name than this, which is not UTF-8; rename it")
        return LoadedRun(name, signature, None if found.error else info, found, self.index)

    def _put(self, name: str, signature: Signature, info: RunInfo | None) -> CountedRun:
        label = label_of(info) if info else name
        if info is None or info.n_rows <= LARGE:
            return self.index.add(name, signature, label)
        return apart(_add, self.settings.runs, name, signature, label)

    @property
    def reading(self) -> bool:
        """Whether a run that has changed is shown as it was."""
        with self._lock:
            return bool(self._reading)

    def searchable(self) -> RunIndex:
        """The index with every run in it as it is shown; StillReading until it is, also where it was lost."""
        runs, there = self.runs(), self.index.signatures()
        lost = [run for run in runs if there.get(run.name) != run.signature]
        for run in lost:
            key = ("index", run.name, run.signature, time.monotonic() // 60)
            self.slow(key, partial(self._put, run.name, run.signature, run.info), f"Indexing runs: {len(lost)} to go")
        if extra := there.keys() - {run.name for run in runs}:
            self.index.forget(sorted(extra))
        return self.index

    def run(self, name: str) -> LoadedRun:
        """The run of that name; a UsageError where there is none. Names are looked up, never joined to a path."""
        found = next((run for run in self.runs() if run.name == name), None)
        if found is None:
            raise UsageError(f"no run named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
        return found

    def datasets(self) -> tuple[Dataset, ...]:
        """The datasets that are installed, hashed; those that cannot be read are left out."""
        return self.slow(
            "datasets", lambda: tuple(installed(self.settings.data, self.settings.columns)), "Reading datasets"
        )

    def given(self, data: Data) -> str:
        """The data as a command line names them; empty for those that it takes by default."""
        names = dict(zip(("", *self.settings.data), (one.key for one in self.datasets()), strict=False))
        found = next((name for name, version in names.items() if version == data.key), data.name)
        return shlex.quote(found) if found else ""

    def data(self) -> tuple[Data, ...]:
        """Installed datasets, those of runs (where they are still what was asked), and samples that only runs know."""
        runs = self.runs()
        signature = tuple(entry for run in runs for entry in ((run.name, 0, 0), *run.signature))
        if self._data is None or self._data[0] != signature:
            datasets = {dataset.key: dataset for dataset in self.datasets()}
            for run in runs:
                dataset = self._of_run(run) if not any(asks(run, known) for known in datasets.values()) else None
                if dataset is not None:
                    datasets.setdefault(dataset.key, dataset)
            self.index.known = {sample.key: sample for dataset in datasets.values() for sample in dataset.samples}
            self._data = signature, tuple(grouped(tuple(datasets.values()), runs))
        return self._data[1]

    def choose(self, key: str | None) -> Data:
        """The data of that key or name; by default those with the most runs."""
        found = self.data()
        if not key:
            return max(found, key=lambda data: len(data.runs))
        for data in found:
            if key in (data.key, data.name):
                return data
        raise UsageError(
            f"no dataset {key!r} here; known: {', '.join(data.key for data in found)}", code=Code.NOT_FOUND
        )

    def slow(self, key: Hashable, make: Callable[[], Value], what: str) -> Value:
        """What `make` returns, made once for each key; StillReading while it is being made."""
        with self._lock:
            work = self._slow.get(key)
            if work is None or (work.done() and work.exception() is not None):
                while len(self._slow) >= MOST_KEPT:
                    self._slow.pop(next(iter(self._slow)))
                work = self._slow[key] = self._reader.submit(make)
        try:
            found: Value = work.result(PATIENCE)
        except TimeoutError:
            raise StillReading(what) from None
        return found

    def settle(self) -> None:
        """Waits until all runs and datasets have been read; or until the shelf is closed."""
        with suppress(RuntimeError, CancelledError):
            patiently(self.data)
            for run in self.runs():
                _ = run.turned_down  # made here, not while a page waits

    def _of_run(self, run: LoadedRun) -> Dataset | None:
        """The dataset that a run names, where it is there and its hashes are those of the run."""
        if run.info is None or not run.info.dataset.hashes:
            return None
        info = run.info

        def load() -> Dataset | None:
            try:
                config = info.config
                named = config.data == "official"
                dataset = cached_official() if named else load_dataset(config.data, columns=config.columns)
                return dataset if dataset is not None and asks(run, dataset) else None
            except (MossbenchError, OSError):
                return None

        key = ("dataset", info.config.data, tuple(sorted(info.dataset.hashes.items())))
        return self.slow(key, load, "Reading datasets")


def patiently(ask: Callable[[], Value]) -> Value:
    """What `ask` returns when all that it needs has been read."""
    while True:
        try:
            return ask()
        except StillReading:
            continue


def _add(runs: Path, name: str, signature: Signature, label: str) -> CountedRun:
    return RunIndex(runs).add(name, signature, label)
