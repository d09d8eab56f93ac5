"""The shelf: runs, by their index, and datasets, read in the background and read again when their files change.

No page waits long for it: what is not there within `PATIENCE` raises StillReading, which shows as a page that says how
far reading is and comes back by itself. A run that changes is shown as it was until it has been read again.
"""

import os
import shlex
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from mossbench.datasets import Dataset, cached_official, load_dataset
from mossbench.datasets.arms import arm_of
from mossbench.datasets.recognition import name_on_record, title_on_record
from mossbench.errors import Code, MossbenchError, UsageError
from mossbench.look.commands import as_commands
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.plumbing.apart import apart, stop_apart
from mossbench.reports.wording import arm_title, model_name
from mossbench.results.index import CountedRun, RunIndex
from mossbench.results.listing import Signature, made_at, signature_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import Sample, Side, value_text
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.web.filters import Filter, filters_of
from mossbench.web.settings import Settings

PATIENCE = 0.12
"""Seconds that a page waits for what is being read or counted."""
LARGE = 3000
"""Rows of a run above which it is read in a process of its own."""
UNREAD = CountedRun(None, {}, {}, {})
MOST_KEPT = 300

Value = TypeVar("Value")
SampleKey = tuple[Side, str]


class StillReading(Exception):
    """Slow work is under way; the page is to be asked for again."""


@dataclass(frozen=True)
class LoadedRun:
    """A run folder as it was at `signature`, by the index; without results where it cannot be read."""

    name: str
    signature: Signature
    info: RunInfo | None
    counted: CountedRun
    index: RunIndex

    @property
    def error(self) -> str:
        # Where runs lie is nobody else's business.
        return as_commands(self.counted.error.replace(f"{self.index.runs}{os.sep}", ""))

    @cached_property
    def results(self) -> Results | None:
        """Its rows read their texts from the run's files each time that they are asked: see `whole` for all of them."""
        if self.info is None:
            return None
        return self.index.results(self.name, self.signature, self.info, self.counted)

    def whole(self) -> Results:
        return load_results(self.index.runs / self.name)

    @cached_property
    def label(self) -> str:
        return label_of(self.info) if self.info else self.name

    @cached_property
    def by_sample(self) -> dict[SampleKey, tuple[ResultRow, ...]]:
        """The rows that have an answer on record, be it an error."""
        found: dict[SampleKey, list[ResultRow]] = defaultdict(list)
        for row in self.results.rows if self.results else ():
            if row.outcome.layer is not Layer.NOT_ASKED:
                found[row.key.side, row.key.sample].append(row)
        return {key: tuple(rows) for key, rows in found.items()}

    @cached_property
    def turned_down(self) -> dict[SampleKey, bool | None]:
        """Whether the first answer to each sample counts as refused; None where it does not count."""
        says = {Counted.REFUSED: True, Counted.COMPLIED: False}
        return {key: says.get(counted(rows[0].outcome, Rule.SYSTEM)) for key, rows in self.by_sample.items()}

    @property
    def n_rows(self) -> int:
        return sum(self.counted.layers.values())

    @property
    def n_answers(self) -> int:
        return self.n_rows - self.n_missing - self.n_failed

    @property
    def n_texts(self) -> int:
        """Of the answers, those that can be read: neither empty nor blocked."""
        return self.counted.layers.get(Layer.UNJUDGED, 0) + self.counted.layers.get(Layer.JUDGED, 0)

    @property
    def n_failed(self) -> int:
        return self.counted.layers.get(Layer.FAILED, 0)

    @property
    def n_missing(self) -> int:
        """Rows without an answer on record: still to be asked, or lost."""
        return self.counted.layers.get(Layer.NOT_ASKED, 0)


def label_of(info: RunInfo) -> str:
    """A run's model by its short name, and its arm where that is not the plain one."""
    own = arm_of(info.config.arm, info.config.system)
    arms = (own,) if any(arm.name == own.name for arm in info.arms) else info.arms
    prompted = {arm.name for arm in arms if info.prompt and arm.system == info.config.system}
    titles = [arm_title(arm.name.removesuffix("-system")) for arm in arms if arm.name not in ("plain", "system")]
    told = ", ".join([*([str(info.prompt)] if prompted else []), *titles])
    return model_name(info.model) + (f" ({told})" if told else "")


@dataclass(frozen=True)
class Data:
    """Samples that can be looked at, with the runs that asked them. `dataset` is None where only runs know them."""

    key: str
    name: str
    samples: tuple[Sample, ...]
    dataset: Dataset | None
    runs: tuple[LoadedRun, ...]
    title: str
    """Its name as pages show it: with the copy, where it is a published set."""

    @cached_property
    def by_key(self) -> dict[SampleKey, Sample]:
        return {sample.key: sample for sample in self.samples}

    @cached_property
    def labels(self) -> dict[str, str]:
        """How each run is called, by its name: as its model, and told apart by its own name where there are several."""
        models = Counter(run.label for run in self.runs)
        return {run.name: run.label if models[run.label] == 1 else f"{run.label} ({run.name})" for run in self.runs}

    @property
    def about(self) -> str:
        """What the samples are, as far as that is known."""
        if any(sample.stimulus for sample in self.samples):
            twins = any(sample.twin is not None for sample in self.samples)
            harmful = any(sample.side is Side.CONTRAST for sample in self.samples)
            others = ", and their harmful twins" if twins else ", and harmful ones" if harmful else ""
            return f"Harmless requests that look alarming{others}."
        return "Samples of your own."

    @cached_property
    def filters(self) -> tuple[Filter, ...]:
        return filters_of(self.samples)

    @cached_property
    def texts(self) -> dict[SampleKey, str]:
        """What a search looks through."""
        found = {}
        for one in self.samples:
            own = (f"{name}={value_text(value)}" for name, value in one.metadata.items())
            words = (one.id, one.question, one.short_description, one.description, *own)
            found[one.key] = "\n".join(words).lower()
        return found

    @cached_property
    def said(self) -> dict[SampleKey, dict[str, list[tuple[str, str]]]]:
        """The outcomes of each sample, found when it is first asked for."""
        return {}

    def twin_of(self, sample: Sample) -> Sample | None:
        other = Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN
        return self.by_key.get((other, sample.twin)) if sample.twin is not None else None


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
            "datasets", lambda: tuple(_installed(self.settings.data, self.settings.columns)), "Reading datasets"
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
            self._data = signature, tuple(_grouped(tuple(datasets.values()), runs))
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


def asks(run: LoadedRun, dataset: Dataset) -> bool:
    """Whether the run asked samples of this dataset, by hash. A run without hashes asked nobody knows what."""
    hashes = run.info.dataset.hashes if run.info else {}
    return bool(hashes) and all(dataset.hashes.get(side) == digest for side, digest in hashes.items())


def _add(runs: Path, name: str, signature: Signature, label: str) -> CountedRun:
    return RunIndex(runs).add(name, signature, label)


def _installed(names: Sequence[str], columns: Mapping[str, str]) -> list[Dataset]:
    named = (load_dataset(name, columns=columns) for name in names)
    found = [one for one in (load_dataset("sketches"), *named, cached_official()) if one is not None]
    for dataset in found:
        _ = dataset.hashes
        _ = dataset.copies
    return found


def _grouped(datasets: Sequence[Dataset], runs: Sequence[LoadedRun]) -> list[Data]:
    found, placed = [], set()
    for dataset in datasets:
        members = tuple(run for run in runs if asks(run, dataset))
        placed |= {run.name for run in members}
        asked = [run.info.dataset for run in members if run.info is not None]
        name = asked[0].name if asked else name_on_record(dataset)
        copies = asked[0].copies if asked else dataset.copies
        title = title_on_record(name, copies.values())
        found.append(Data(dataset.key, dataset.name, dataset.samples, dataset, members, title))
    others: dict[str, list[LoadedRun]] = defaultdict(list)
    for run in runs:
        if run.info is not None and run.name not in placed:
            info = run.info.dataset
            digest = info.hashes.get(Side.BENIGN) or info.hashes.get(Side.CONTRAST)
            others[f"{info.name}@{digest[:12]}" if digest else f"{info.name} of {run.name}"].append(run)
    for key, members_ in others.items():
        samples = {row.sample.key: row.sample for run in members_ if run.results for row in run.results.rows}
        name = key.rpartition("@")[0] or key
        asked = [run.info.dataset for run in members_ if run.info is not None]
        title = title_on_record(name, asked[0].copies.values() if asked else ())
        found.append(Data(key, name, tuple(samples.values()), None, tuple(members_), title))
    return found
