"""The shelf: runs and datasets, read in the background and read again when their files change.

A page waits for the shelf at most `PATIENCE` seconds. If a run, a dataset or a result is not ready by then, the shelf
raises StillReading, and the app shows a page with the progress that reloads by itself. A run whose files have changed
is shown in its old state until it has been read again.
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

from mossbench.datasets import Dataset, cached_official, load_recorded_dataset
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
"""Seconds that a page waits for work in the background: short enough that a page seems to open at once."""
LARGE_RUN = 3000
"""A run with more rows than this is read in a process of its own, so that it does not slow down pages."""
MAX_COMPUTED = 300
"""Values of `compute_once` that are kept in memory; beyond this number the oldest is dropped."""

Value = TypeVar("Value")


class StillReading(Exception):
    """Background work is in progress; the page has to be loaded again later."""

    def __init__(self, message: str, *, n_done: int | None = None, n_all: int | None = None) -> None:
        super().__init__(message)
        self.n_done = n_done
        self.n_all = n_all
        """How many of the runs have been read, and how many there are; None if the work has no steps to count."""


@dataclass(frozen=True)
class _GroupedData:
    run_signatures: tuple[tuple[str, Signature], ...]
    """The names of the runs when the data were grouped, with the signatures of their files."""
    data: tuple[Data, ...]


class Shelf:
    """The runs in a folder and their datasets, as pages read them; results of long work are kept in memory."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._executor = ThreadPoolExecutor(2, "shelf")
        self._lock = Lock()
        self.loaded_runs: dict[str, LoadedRun] = {}
        """Every run by its name, in the state in which it was last read."""
        self._runs_in_progress: dict[str, Future[LoadedRun]] = {}
        """Runs that are being read, by name."""
        self._computed: dict[Hashable, Future[object]] = {}
        """What `compute_once` has begun or finished, by key; the oldest first."""
        self._data: _GroupedData | None = None
        self.index = RunIndex(settings.runs)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        stop_apart()

    def runs(self, *, also_unread: bool = False) -> tuple[LoadedRun, ...]:
        """All runs, newest first.

        Raises StillReading until each run has been read once; with `also_unread`, unread runs are returned without
        their counts instead.
        """
        signatures = self._signatures()
        wait(self._start_reading(signatures), PATIENCE)
        runs = self._collect_read_runs(signatures)
        if len(runs) < len(signatures) and not also_unread:
            message = f"Reading runs: {len(runs)} of {len(signatures)}"
            raise StillReading(message, n_done=len(runs), n_all=len(signatures))
        for name in signatures.keys() - runs.keys():
            runs[name] = LoadedRun(name, signatures[name], self._read_info(name), UNREAD, self.index)
        by_name = sorted(runs.values(), key=lambda run: run.name)
        return tuple(sorted(by_name, key=_start_and_file_time, reverse=True))

    def _signatures(self) -> dict[str, Signature]:
        """The signatures of the runs in the folder, by name; in names, bytes that are not UTF-8 are replaced."""
        signatures: dict[str, Signature] = {}
        for path in sorted(run_folders(self.settings.runs)):
            name = path.name.encode("utf-8", "replace").decode()
            while name in signatures:  # another folder whose name is not UTF-8 either
                name += "?"
            signatures[name] = signature_of(path)
        return signatures

    def _start_reading(self, signatures: Mapping[str, Signature]) -> list[Future[LoadedRun]]:
        """Forgets deleted runs and starts to read new and changed runs; returns the futures of all runs being read."""
        with self._lock:
            deleted = [name for name in self.loaded_runs if name not in signatures]
            for name in deleted:
                del self.loaded_runs[name]
            if deleted:
                self._executor.submit(self.index.forget, deleted)
            for name, signature in signatures.items():
                run = self.loaded_runs.get(name)
                is_current = run is not None and run.signature == signature
                if name not in self._runs_in_progress and not is_current:
                    self._runs_in_progress[name] = self._executor.submit(self._load, name, signature)
            return list(self._runs_in_progress.values())

    def _collect_read_runs(self, signatures: Mapping[str, Signature]) -> dict[str, LoadedRun]:
        with self._lock:
            names_read = [name for name, future in self._runs_in_progress.items() if future.done()]
            for name in names_read:
                self.loaded_runs[name] = self._runs_in_progress.pop(name).result()
            return {name: self.loaded_runs[name] for name in signatures if name in self.loaded_runs}

    def _read_info(self, name: str) -> RunInfo | None:
        with suppress(MossbenchError, OSError, ValueError):
            return RunFolder(self.settings.runs / name).info()
        return None

    def _load(self, name: str, signature: Signature) -> LoadedRun:
        """The run with its counts from the index; a new or changed run is first added to the index."""
        info = self._read_info(name)
        counted = self.index.counted(name, signature) or self._add_to_index(name, signature, info)
        if "?" in name and not os.path.lexists(self.settings.runs / name):
            counted = replace(UNREAD, error="the name of the folder is not UTF-8; rename the folder")
        return LoadedRun(name, signature, None if counted.error else info, counted, self.index)

    def _add_to_index(self, name: str, signature: Signature, info: RunInfo | None) -> CountedRun:
        """Adds a run to the index and returns its counts; a large run is counted in a process of its own."""
        label = label_of(info) if info else name
        if info is None or info.n_rows <= LARGE_RUN:
            return self.index.add(name, signature, label)
        return apart(_add_to_index_in_process, self.settings.runs, name, signature, label)

    @property
    def is_reading(self) -> bool:
        """Whether a run is being read; until it has been read, pages show its old state."""
        with self._lock:
            return bool(self._runs_in_progress)

    def has_newer(self, runs: Sequence[LoadedRun]) -> bool:
        """Whether a page that shows these runs shows an old state: it has to be loaded again.

        A run may have been read for another page since, so that none is being read any more.
        """
        signatures = self._signatures()
        with self._lock:
            is_each_the_last_read = all(self.loaded_runs.get(run.name) is run for run in runs)
            is_reading = bool(self._runs_in_progress)
        has_changed = any(signatures.get(run.name) != run.signature for run in runs)
        return is_reading or has_changed or not is_each_the_last_read

    def searchable(self) -> RunIndex:
        """The index, with every run in the state that pages show; raises StillReading until the index is complete."""
        runs = self.runs()
        indexed = self.index.signatures()
        missing = [run for run in runs if indexed.get(run.name) != run.signature]
        minute = time.monotonic() // 60  # a run that did not get into the index is added again after a minute
        for run in missing:
            key = ("index", run.name, run.signature, minute)
            add = partial(self._add_to_index, run.name, run.signature, run.info)
            self.compute_once(key, add, f"Indexing runs: {len(missing)} to go")
        deleted = indexed.keys() - {run.name for run in runs}
        if deleted:
            self.index.forget(sorted(deleted))
        return self.index

    def run(self, name: str) -> LoadedRun:
        """The run with this name; raises UsageError if there is none. The name is looked up, never joined to a path."""
        for run in self.runs():
            if run.name == name:
                return run
        raise UsageError(f"no run named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)

    def datasets(self) -> tuple[Dataset, ...]:
        """The installed datasets, with their hashes."""

        def read() -> tuple[Dataset, ...]:
            return tuple(installed(self.settings.data, self.settings.columns))

        return self.compute_once("datasets", read, "Reading datasets")

    def option_for(self, data: Data) -> str:
        """The value of the option --data of a command for these data; empty if they are the default of the option."""
        bundled, *other_datasets = self.datasets()
        if data.key == bundled.key:
            return ""
        # `installed` returns the bundled dataset, then the datasets of the settings in their order, then the official
        # dataset if it is cached. The official one has no name in the settings, so the sequences differ in length.
        for name, dataset in zip(self.settings.data, other_datasets, strict=False):
            if dataset.key == data.key:
                return shlex.quote(name)
        return shlex.quote(data.name) if data.name else ""

    def data(self) -> tuple[Data, ...]:
        """The installed datasets, unchanged datasets that runs name, and samples that only runs contain."""
        runs = self.runs()
        run_signatures = tuple((run.name, run.signature) for run in runs)
        if self._data is None or self._data.run_signatures != run_signatures:
            datasets = self._datasets_of(runs)
            self._share_samples_with_index(datasets)
            self._data = _GroupedData(run_signatures, tuple(grouped(datasets, runs)))
        return self._data.data

    def _share_samples_with_index(self, datasets: Sequence[Dataset]) -> None:
        """Gives the index the samples of the datasets: its rows then use these objects and need no copies."""
        samples: dict[SampleKey, Sample] = {}
        for dataset in datasets:
            samples.update((sample.key, sample) for sample in dataset.samples)
        self.index.known = samples

    def _datasets_of(self, runs: Sequence[LoadedRun]) -> tuple[Dataset, ...]:
        """The installed datasets, and the datasets of runs that asked samples of no installed dataset."""
        datasets = {dataset.key: dataset for dataset in self.datasets()}
        for run in runs:
            if any(asks(run, dataset) for dataset in datasets.values()):
                continue
            dataset_of_run = self._dataset_of(run)
            if dataset_of_run is not None:
                datasets.setdefault(dataset_of_run.key, dataset_of_run)
        return tuple(datasets.values())

    def data_of(self, run_name: str) -> Data | None:
        """The data that the run with this name asked; None if no data have this run."""
        for data in self.data():
            if any(run.name == run_name for run in data.runs):
                return data
        return None

    def choose(self, key: str | None) -> Data:
        """The data with this key or name; without a key, the data with the most runs."""
        all_data = self.data()
        if not key:
            return max(all_data, key=lambda data: len(data.runs))
        for data in all_data:
            if key in (data.key, data.name):
                return data
        keys = ", ".join(data.key for data in all_data)
        raise UsageError(f"no dataset named {key!r}; available: {keys}", code=Code.NOT_FOUND)

    def compute_once(self, key: Hashable, make: Callable[[], Value], message: str) -> Value:
        """The value that `make` returns, computed in the background once for each key.

        Raises StillReading with this message while `make` runs. If `make` fails, one call raises its error, also when
        it comes after the failure, and the call after that starts `make` again.

        All calls with one key must pass the same `make`: the type of the value is the return type of `make`.
        """
        with self._lock:
            future = cast("Future[Value] | None", self._computed.get(key))
            if future is None:
                self._drop_oldest_values()
                future = self._executor.submit(make)
                self._computed[key] = cast("Future[object]", future)
        wait([future], PATIENCE)
        if not future.done():
            raise StillReading(message)
        try:
            return future.result()
        except BaseException:
            self._drop_value(key, cast("Future[object]", future))
            raise

    def _drop_oldest_values(self) -> None:
        while len(self._computed) >= MAX_COMPUTED:
            oldest_key = next(iter(self._computed))
            del self._computed[oldest_key]

    def _drop_value(self, key: Hashable, future: Future[object]) -> None:
        """Drops this value, unless another thread has already started the work again."""
        with self._lock:
            if self._computed.get(key) is future:
                del self._computed[key]

    def read_everything(self) -> None:
        """Waits until all runs and datasets have been read, or the shelf is closed.

        An error in a run or dataset is not raised here: the page that needs the run or dataset shows it.
        """
        with suppress(MossbenchError, OSError, RuntimeError, CancelledError):
            wait_until_read(self.data)
            for run in self.runs():
                _ = run.refusals  # a cached property: computed now, not while a page waits

    def _dataset_of(self, run: LoadedRun) -> Dataset | None:
        """The dataset that a run names; None if it is not installed or has other hashes than the run recorded."""
        if run.info is None or not run.info.dataset.hashes:
            return None
        config = run.info.config
        key = ("dataset", config.data, tuple(sorted(run.info.dataset.hashes.items())))
        return self.compute_once(key, partial(_load_dataset_of, run, config), "Reading datasets")


def wait_until_read(ask: Callable[[], Value]) -> Value:
    """Calls `ask` until it no longer raises StillReading, and returns its value."""
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
            dataset = load_recorded_dataset(config.data, columns=config.columns)
    except (MossbenchError, OSError):
        return None
    return dataset if dataset is not None and asks(run, dataset) else None


def _start_and_file_time(run: LoadedRun) -> tuple[str, int]:
    """A sort key: the start of a run; the time of its files if the run cannot be read."""
    return run.info.started if run.info else "", made_at(run.signature)


def _add_to_index_in_process(runs: Path, name: str, signature: Signature, label: str) -> CountedRun:
    """A function of the module, because only such functions can be sent to another process."""
    return RunIndex(runs).add(name, signature, label)
