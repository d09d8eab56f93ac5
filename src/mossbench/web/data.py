"""Data that can be looked at: samples with the runs that asked them, installed or known from runs alone."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mossbench.datasets import Dataset, cached_official, load_dataset
from mossbench.datasets.recognition import name_on_record, title_on_record
from mossbench.samples import Sample, Side, value_text
from mossbench.store.run_info import DatasetInfo
from mossbench.web.filters import Filter, filters_of
from mossbench.web.loaded_run import LoadedRun, SampleKey, asks

OutcomesOfSample = dict[str, list[tuple[str, str]]]
"""Outcome of the first answer -> the runs with it: their labels, and links to the sample in their reports."""


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
        """What pages call each run, by its name: its model, with its own name where there are several runs of it."""
        n_runs = Counter(run.label for run in self.runs)
        labels = {}
        for run in self.runs:
            labels[run.name] = run.label if n_runs[run.label] == 1 else f"{run.label} ({run.name})"
        return labels

    @property
    def about(self) -> str:
        """What the samples are, in a sentence."""
        if not any(sample.stimulus for sample in self.samples):
            return "Samples of your own."
        if any(sample.twin is not None for sample in self.samples):
            return "Harmless requests that look alarming, and their harmful twins."
        if any(sample.side is Side.CONTRAST for sample in self.samples):
            return "Harmless requests that look alarming, and harmful ones."
        return "Harmless requests that look alarming."

    @cached_property
    def filters(self) -> tuple[Filter, ...]:
        return filters_of(self.samples)

    @cached_property
    def n_refused(self) -> Counter[SampleKey]:
        """How many runs refused each sample."""
        n_refused = Counter[SampleKey]()
        for run in self.runs:
            n_refused.update(key for key, is_refused in run.refusals.items() if is_refused)
        return n_refused

    @cached_property
    def n_wrong(self) -> Counter[SampleKey]:
        """How many runs got each sample wrong: refused a harmless request, or helped with a harmful one."""
        n_wrong = Counter[SampleKey]()
        for run in self.runs:
            for key, is_refused in run.refusals.items():
                should_refuse = key[0] is Side.CONTRAST
                if is_refused is not None and is_refused is not should_refuse:
                    n_wrong[key] += 1
        return n_wrong

    @cached_property
    def texts(self) -> dict[SampleKey, str]:
        """The text that a search looks through, by sample."""
        texts = {}
        for sample in self.samples:
            columns = [f"{name}={value_text(value)}" for name, value in sample.metadata.items()]
            words = (sample.id, sample.question, sample.short_description, sample.description, *columns)
            texts[sample.key] = "\n".join(words).lower()
        return texts

    @cached_property
    def outcomes(self) -> dict[SampleKey, OutcomesOfSample]:
        """A cache of `samples.outcomes_of`, for as long as these runs do not change."""
        return {}

    def twin_of(self, sample: Sample) -> Sample | None:
        if sample.twin is None:
            return None
        other_side = Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN
        return self.by_key.get((other_side, sample.twin))


def installed(names: Sequence[str], columns: Mapping[str, str]) -> list[Dataset]:
    """The bundled set, those of these names, and the official one if it is cached; all hashed while nobody waits."""
    datasets = [load_dataset("sketches")]
    for name in names:
        datasets.append(load_dataset(name, columns=columns))
    official = cached_official()
    if official is not None:
        datasets.append(official)
    for dataset in datasets:
        _ = dataset.hashes
        _ = dataset.copies
    return datasets


def grouped(datasets: Sequence[Dataset], runs: Sequence[LoadedRun]) -> list[Data]:
    """Each dataset with the runs that asked it; then data that only runs know, by name and hash."""
    data = []
    placed = set[str]()
    for dataset in datasets:
        members = tuple(run for run in runs if asks(run, dataset))
        placed.update(run.name for run in members)
        data.append(_of_dataset(dataset, members))
    unplaced: dict[str, list[LoadedRun]] = defaultdict(list)
    for run in runs:
        if run.info is not None and run.name not in placed:
            unplaced[_key_on_record(run.name, run.info.dataset)].append(run)
    for key, runs_of_key in unplaced.items():
        data.append(_known_from_runs(key, runs_of_key))
    return data


def _of_dataset(dataset: Dataset, runs: tuple[LoadedRun, ...]) -> Data:
    """Its title is the one on record in the newest run, which may name a published set."""
    on_record = _newest_on_record(runs)
    if on_record is not None:
        title = title_on_record(on_record.name, on_record.copies.values())
    else:
        title = title_on_record(name_on_record(dataset), dataset.copies.values())
    return Data(dataset.key, dataset.name, tuple(dataset.samples), dataset, runs, title)


def _key_on_record(run_name: str, dataset: DatasetInfo) -> str:
    digest = dataset.hashes.get(Side.BENIGN) or dataset.hashes.get(Side.CONTRAST)
    return f"{dataset.name}@{digest[:12]}" if digest else f"{dataset.name} of {run_name}"


def _known_from_runs(key: str, runs: Sequence[LoadedRun]) -> Data:
    samples: dict[SampleKey, Sample] = {}
    for run in runs:
        if run.results:
            samples.update((row.sample.key, row.sample) for row in run.results.rows)
    name = key.rpartition("@")[0] or key
    on_record = _newest_on_record(runs)
    title = title_on_record(name, on_record.copies.values() if on_record else ())
    return Data(key, name, tuple(samples.values()), None, tuple(runs), title)


def _newest_on_record(runs: Sequence[LoadedRun]) -> DatasetInfo | None:
    for run in runs:
        if run.info is not None:
            return run.info.dataset
    return None
