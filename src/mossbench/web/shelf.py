"""The shelf: runs, by their index, and datasets, read in the background and read again when their files change.

No page waits long for it: what is not there within `PATIENCE` raises StillReading, which shows as a page that says how
far reading is and comes back by itself. A run that changes is shown as it was until it has been read again.
"""

import os
import shlex
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar, cast

from mossbench.datasets import Dataset, cached_official, load_dataset
from mossbench.errors import Code, MossbenchError, UsageError
from mossbench.plumbing.apart import apart, stop_apart
from mossbench.results.index import CountedRun, RunIndex
from mossbench.results.listing import Signature, made_at, signature_of
from mossbench.samples import Sample
from mossbench.store.config import RunConfig
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.web.data import Data, grouped, installed
from mossbench.web.loaded_run import UNREAD, LoadedRun, SampleKey, asks, label_of
from mossbench.web.settings import Settings

PATIENCE = 0.12
"""Seconds that a page waits for what is being read or counted."""
LARGE = 3000
"""Rows of a run above which it is read in a process of its own."""
MOST_KEPT = 300

Value = TypeVar("Value")


class StillReading(Exception):
    """Slow work is under way; the page is to be asked for again."""

    def __init__(self, message: str, *, n_done: int | None = None, n_all: int | None = None) -> None:
        super().__init__(message)
        self.n_done = n_done
        self.n_all = n_all
        """How far it is, where somebody counts."""


@dataclass(frozen=True)
class _GroupedData:
    made_of: tuple[tuple[str, Signature], ...]
    """The runs and what their files were."""
    data: tuple[Data, ...]


class Shelf:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._reader = ThreadPoolExecutor(2, "shelf")
        self._lock = Lock()
        self._runs: dict[str, LoadedRun] = {}
        self._reading: dict[str, Future[LoadedRun]] = {}
        self._slow: dict[Hashable, Future[object]] = {}
        self._data: _GroupedData | None = None
        self.index = RunIndex(settings.runs)

    def close(self) -> None:
        self._reader.shutdown(wait=False, cancel_futures=True)
        stop_apart()

    def runs(self, *, also_unread: bool = False) -> tuple[LoadedRun, ...]:
        """Every run, newest first; StillReading until each has been read once, unless those are taken `also_unread`."""
        signatures = self._signatures()
        wait(self._start_reading(signatures), PATIENCE)
        runs = self._runs_that_were_read(signatures)
        if len(runs) < len(signatures) and not also_unread:
            message = f"Reading runs: {len(runs)} of {len(signatures)}"
            raise StillReading(message, n_done=len(runs), n_all=len(signatures))
        for name in signatures.keys() - runs.keys():
            runs[name] = LoadedRun(name, signatures[name], self._info(name), UNREAD, self.index)
        by_name = sorted(runs.values(), key=lambda run: run.name)
        return tuple(sorted(by_name, key=_age, reverse=True))

    def _signatures(self) -> dict[str, Signature]:
        """The runs that are in the folder now, by names that can be written."""
        signatures: dict[str, Signature] = {}
        for path in sorted(run_folders(self.settings.runs)):
            name = path.name.encode("utf-8", "replace").decode()
            while name in signatures:  # of another folder whose name cannot be written either
                name += "?"
            signatures[name] = signature_of(path)
        return signatures

    def _start_reading(self, signatures: Mapping[str, Signature]) -> list[Future[LoadedRun]]:
        """Forgets runs that are gone and begins to read those that are new or changed; all that is being read."""
        with self._lock:
            gone = [name for name in self._runs if name not in signatures]
            for name in gone:
                del self._runs[name]
            if gone:
                self._reader.submit(self.index.forget, gone)
            for name, signature in signatures.items():
                run = self._runs.get(name)
                is_current = run is not None and run.signature == signature
                if name not in self._reading and not is_current:
                    self._reading[name] = self._reader.submit(self._load, name, signature)
            return list(self._reading.values())

    def _runs_that_were_read(self, signatures: Mapping[str, Signature]) -> dict[str, LoadedRun]:
        with self._lock:
            done = [name for name, work in self._reading.items() if work.done()]
            for name in done:
                self._runs[name] = self._reading.pop(name).result()
            return {name: self._runs[name] for name in signatures if name in self._runs}

    def _info(self, name: str) -> RunInfo | None:
        with suppress(MossbenchError, OSError, ValueError):
            return RunFolder(self.settings.runs / name).info()
        return None

    def _load(self, name: str, signature: Signature) -> LoadedRun:
        """The run by the index, where it is put first unless it is there; a large one in a process of its own."""
        info = self._info(name)
        counted = self.index.counted(name, signature) or self._put(name, signature, info)
        if "?" in name and not os.path.lexists(self.settings.runs / name):
            counted = replace(UNREAD, error="the folder has another name than this, which is not UTF-8; rename it")
        return LoadedRun(name, signature, None if counted.error else info, counted, self.index)

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
        runs = self.runs()
        indexed = self.index.signatures()
        lost = [run for run in runs if indexed.get(run.name) != run.signature]
        for run in lost:
            key = ("index", run.name, run.signature, time.monotonic() // 60)
            self.slow(key, partial(self._put, run.name, run.signature, run.info), f"Indexing runs: {len(lost)} to go")
        gone = indexed.keys() - {run.name for run in runs}
        if gone:
            self.index.forget(sorted(gone))
        return self.index

    def run(self, name: str) -> LoadedRun:
        """The run of that name; a UsageError where there is none. Names are looked up, never joined to a path."""
        for run in self.runs():
            if run.name == name:
                return run
        raise UsageError(f"no run named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)

    def datasets(self) -> tuple[Dataset, ...]:
        """The datasets that are installed, hashed; those that cannot be read are left out."""
        return self.slow(
            "datasets", lambda: tuple(installed(self.settings.data, self.settings.columns)), "Reading datasets"
        )

    def given(self, data: Data) -> str:
        """The data as a command line names them; empty for those that it takes by default."""
        names = ("", *self.settings.data)
        for name, dataset in zip(names, self.datasets(), strict=False):  # what was not named follows those
            if dataset.key == data.key:
                return shlex.quote(name) if name else ""
        return shlex.quote(data.name) if data.name else ""

    def data(self) -> tuple[Data, ...]:
        """Installed datasets, those of runs (where they are still what was asked), and samples that only runs know."""
        runs = self.runs()
        made_of = tuple((run.name, run.signature) for run in runs)
        if self._data is None or self._data.made_of != made_of:
            datasets = self._datasets_with_those_of(runs)
            samples: dict[SampleKey, Sample] = {}
            for dataset in datasets:
                samples.update((sample.key, sample) for sample in dataset.samples)
            self.index.known = samples
            self._data = _GroupedData(made_of, tuple(grouped(datasets, runs)))
        return self._data.data

    def _datasets_with_those_of(self, runs: Sequence[LoadedRun]) -> tuple[Dataset, ...]:
        """What is installed, and beside it what runs name that asked something else."""
        datasets = {dataset.key: dataset for dataset in self.datasets()}
        for run in runs:
            if any(asks(run, dataset) for dataset in datasets.values()):
                continue
            own = self._of_run(run)
            if own is not None:
                datasets.setdefault(own.key, own)
        return tuple(datasets.values())

    def data_of(self, run_name: str) -> Data | None:
        """The data that the run of this name asked; None where they are not known."""
        for data in self.data():
            if any(run.name == run_name for run in data.runs):
                return data
        return None

    def choose(self, key: str | None) -> Data:
        """The data of that key or name; by default those with the most runs."""
        every = self.data()
        if not key:
            return max(every, key=lambda data: len(data.runs))
        for data in every:
            if key in (data.key, data.name):
                return data
        keys = ", ".join(data.key for data in every)
        raise UsageError(f"no dataset {key!r} here; known: {keys}", code=Code.NOT_FOUND)

    def slow(self, key: Hashable, make: Callable[[], Value], what: str) -> Value:
        """What `make` returns, made once for each key; StillReading while it is being made.

        A key belongs to one `make`, so what lies under it is of the type that is asked for.
        """
        with self._lock:
            work = cast("Future[Value] | None", self._slow.get(key))
            if work is None or (work.done() and work.exception() is not None):
                while len(self._slow) >= MOST_KEPT:
                    oldest = next(iter(self._slow))
                    del self._slow[oldest]
                work = self._reader.submit(make)
                self._slow[key] = cast("Future[object]", work)
        try:
            return work.result(PATIENCE)
        except TimeoutError:
            raise StillReading(what) from None

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
        config = run.info.config
        key = ("dataset", config.data, tuple(sorted(run.info.dataset.hashes.items())))
        return self.slow(key, partial(_load_what_it_asked, run, config), "Reading datasets")


def patiently(ask: Callable[[], Value]) -> Value:
    """What `ask` returns when all that it needs has been read."""
    while True:
        try:
            return ask()
        except StillReading:
            continue


def _load_what_it_asked(run: LoadedRun, config: RunConfig) -> Dataset | None:
    try:
        if config.data == "official":
            dataset = cached_official()
        else:
            dataset = load_dataset(config.data, columns=config.columns)
    except (MossbenchError, OSError):
        return None
    return dataset if dataset is not None and asks(run, dataset) else None


def _age(run: LoadedRun) -> tuple[str, int]:
    """Runs in the order in which they began; those that cannot be read by their files."""
    return run.info.started if run.info else "", made_at(run.signature)


def _add(runs: Path, name: str, signature: Signature, label: str) -> CountedRun:
    return RunIndex(runs).add(name, signature, label)
