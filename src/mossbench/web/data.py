"""Data that can be looked at: samples with the runs that asked them, installed or known from runs alone."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mossbench.datasets import Dataset, cached_official, load_dataset
from mossbench.datasets.recognition import name_on_record, title_on_record
from mossbench.samples import Sample, Side, value_text
from mossbench.web.filters import Filter, filters_of
from mossbench.web.loaded_run import LoadedRun, SampleKey, asks


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


def installed(names: Sequence[str], columns: Mapping[str, str]) -> list[Dataset]:
    named = (load_dataset(name, columns=columns) for name in names)
    found = [one for one in (load_dataset("sketches"), *named, cached_official()) if one is not None]
    for dataset in found:
        _ = dataset.hashes
        _ = dataset.copies
    return found


def grouped(datasets: Sequence[Dataset], runs: Sequence[LoadedRun]) -> list[Data]:
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
