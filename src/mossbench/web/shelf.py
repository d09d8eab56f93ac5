"""The shelf: runs and datasets, read in the background and read again when their files change.

No page waits long for it: what is not ready within `PATIENCE` raises StillReading, for which the app shows a page with
the progress that reloads by itself. A run that changes is shown as it was until it has been read again.
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
MAX_CACHED = 300
"""Results of slow work."""

Value = TypeVar("Value")


class StillReading(Exception):
    """Slow work is in progress; the page has to be loaded again later."""

    def __init__(self, message: str, *, n_done: int | None = None, n_all: int | None = None) -> None:
        super().__init__(message)
        self.n_done = n_done
        self.n_all = n_all
        """How much is done, where that is known."""


@dataclass(frozen=True)
class _GroupedData:
    made_of: tuple[tuple[str, Signature], ...]
    """The runs and the signatures of their files."""
    data: tuple[Data, ...]


class Shelf:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._reader = ThreadPoolExecutor(2, "shelf")
        self._lock = Lock()
        self.loaded_runs: dict[str, LoadedRun] = {}
        """By name, as they were read last."""
        self._reading: dict[str, Future[LoadedRun]] = {}
        self._slow: dict[Hashable, Future[object]] = {}
        self._data: _GroupedData | None = None
        self.index = RunIndex(settings.runs)

    def close(self) -> None:
        self._reader.shutdown(wait=False, cancel_futures=True)
        stop_apart()

    def runs(self, *, also_unread: bool = False) -> tuple[LoadedRun, ...]:
        """Every run, newest first; StillReading until each has been read once, except with `also_unread`."""
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
        """The runs that are in the folder now; bytes of their names that are not UTF-8 are replaced."""
        signatures: dict[str, Signature] = {}
        for path in sorted(run_folders(self.settings.runs)):
            name = path.name.encode("utf-8", "replace").decode()
            while name in signatures:  # another folder whose name is not UTF-8 either
                name += "?"
            signatures[name] = signature_of(path)
        return signatures

    def _start_reading(self, signatures: Mapping[str, Signature]) -> list[Future[LoadedRun]]:
        """Forgets deleted runs and starts to read new and changed ones; returns all reading in progress."""
        with self._lock:
            deleted = [name for name in self.loaded_runs if name not in signatures]
            for name in deleted:
                del self.loaded_runs[name]
            if deleted:
                self._reader.submit(self.index.forget, deleted)
            for name, signature in signatures.items():
                run = self.loaded_runs.get(name)
                is_current = run is not None and run.signature == signature
                if name not in self._reading and not is_current:
                    self._reading[name] = self._reader.submit(self._load, name, signature)
            return list(self._reading.values())

    def _runs_that_were_read(self, signatures: Mapping[str, Signature]) -> dict[str, LoadedRun]:
        with self._lock:
            names_read = [name for name, future in self._reading.items() if future.done()]
            for name in names_read:
                self.loaded_runs[name] = self._reading.pop(name).result()
            return {name: self.loaded_runs[name] for name in signatures if name in self.loaded_runs}

    def _info(self, name: str) -> RunInfo | None:
        with suppress(MossbenchError, OSError, ValueError):
            return RunFolder(self.settings.runs / name).info()
        return None

    def _load(self, name: str, signature: Signature) -> LoadedRun:
        """The run as the index has it, to which it is added first if it is new."""
        info = self._info(name)
        counted = self.index.counted(name, signature) or self._add_to_index(name, signature, info)
        if "?" in name and not os.path.lexists(self.settings.runs / name):
            counted = replace(UNREAD, error="the name of the folder is not UTF-8; rename the folder")
        return LoadedRun(name, signature, None if counted.error else info, counted, self.index)

    def _add_to_index(self, name: str, signature: Signature, info: RunInfo | None) -> CountedRun:
        """A large run is counted in a process of its own."""
        label = label_of(info) if info else name
        if info is None or info.n_rows <= LARGE:
            return self.index.add(name, signature, label)
        return apart(_add, self.settings.runs, name, signature, label)

    @property
    def reading(self) -> bool:
        """Whether a run is being read: until then it is shown as it was."""
        with self._lock:
            return bool(self._reading)

    def searchable(self) -> RunIndex:
        """The index with every run as pages show it; StillReading until it is complete."""
        runs = self.runs()
        indexed = self.index.signatures()
        missing = [run for run in runs if indexed.get(run.name) != run.signature]
        for run in missing:
            key = ("index", run.name, run.signature, time.monotonic() // 60)  # is tried again after a minute
            add = partial(self._add_to_index, run.name, run.signature, run.info)
            self.slow(key, add, f"Indexing runs: {len(missing)} to go")
        deleted = indexed.keys() - {run.name for run in runs}
        if deleted:
            self.index.forget(sorted(deleted))
        return self.index

    def run(self, name: str) -> LoadedRun:
        """The run of that name; a UsageError where there is none. Names are looked up, never joined to a path."""
        for run in self.runs():
            if run.name == name:
                return run
        raise UsageError(f"no run named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)

    def datasets(self) -> tuple[Dataset, ...]:
        """The installed datasets with their hashes; those that cannot be read are left out."""
        return self.slow(
            "datasets", lambda: tuple(installed(self.settings.data, self.settings.columns)), "Reading datasets"
        )

    def option_for(self, data: Data) -> str:
        """The data as the option --data of a command names them; empty for the default."""
        names = ("", *self.settings.data)
        for name, dataset in zip(names, self.datasets(), strict=False):  # datasets without a name come last
            if dataset.key == data.key:
                return shlex.quote(name) if name else ""
        return shlex.quote(data.name) if data.name else ""

    def data(self) -> tuple[Data, ...]:
        """Installed datasets, those that runs name (if they are unchanged), and samples that only runs know."""
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
        """The installed datasets, and those of runs that asked something else."""
        datasets = {dataset.key: dataset for dataset in self.datasets()}
        for run in runs:
            if any(asks(run, dataset) for dataset in datasets.values()):
                continue
            dataset_of_run = self._dataset_of(run)
            if dataset_of_run is not None:
                datasets.setdefault(dataset_of_run.key, dataset_of_run)
        return tuple(datasets.values())

    def data_of(self, run_name: str) -> Data | None:
        """The data that the run of this name asked; None where they are unknown."""
        for data in self.data():
            if any(run.name == run_name for run in data.runs):
                return data
        return None

    def choose(self, key: str | None) -> Data:
        """The data of that key or name; by default those with the most runs."""
        all_data = self.data()
        if not key:
            return max(all_data, key=lambda data: len(data.runs))
        for data in all_data:
            if key in (data.key, data.name):
                return data
        keys = ", ".join(data.key for data in all_data)
        raise UsageError(f"no dataset named {key!r}; available: {keys}", code=Code.NOT_FOUND)

    def slow(self, key: Hashable, make: Callable[[], Value], message: str) -> Value:
        """What `make` returns, called once for each key; StillReading with this message while it runs.

        A key always comes with the same `make`, so its value has the type that `make` returns.
        """
        with self._lock:
            future = cast("Future[Value] | None", self._slow.get(key))
            has_failed = future is not None and future.done() and future.exception() is not None
            if future is None or has_failed:
                while len(self._slow) >= MAX_CACHED:
                    oldest = next(iter(self._slow))
                    del self._slow[oldest]
                future = self._reader.submit(make)
                self._slow[key] = cast("Future[object]", future)
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            raise StillReading(message) from None

    def read_everything(self) -> None:
        """Waits until all runs and datasets have been read, or the shelf is closed."""
        with suppress(RuntimeError, CancelledError):
            patiently(self.data)
            for run in self.runs():
                _ = run.refusals  # computed now, not while a page waits

    def _dataset_of(self, run: LoadedRun) -> Dataset | None:
        """The dataset that a run names, if it is installed and its hashes are those of the run."""
        if run.info is None or not run.info.dataset.hashes:
            return None
        config = run.info.config
        key = ("dataset", config.data, tuple(sorted(run.info.dataset.hashes.items())))
        return self.slow(key, partial(_load_dataset_of, run, config), "Reading datasets")


def patiently(ask: Callable[[], Value]) -> Value:
    """What `ask` returns when all that it needs has been read."""
    while True:
        try:
            return ask()
        except StillReading:
            continue


def _load_dataset_of(run: LoadedRun, config: RunConfig) -> Dataset | None:
    try:
        if config.data == "official":
            dataset = cached_official()
        else:
            dataset = load_dataset(config.data, columns=config.columns)
    except (MossbenchError, OSError):
        return None
    return dataset if dataset is not None and asks(run, dataset) else None


def _age(run: LoadedRun) -> tuple[str, int]:
    """Sorts runs by their start; those that cannot be read by the time of their files."""
    return run.info.started if run.info else "", made_at(run.signature)


def _add(runs: Path, name: str, signature: Signature, label: str) -> CountedRun:
    return RunIndex(runs).add(name, signature, label)
