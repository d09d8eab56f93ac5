"""A run as pages use it: what the index holds of it, and its rows when a page needs them."""

import os
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from mossbench.datasets import Dataset
from mossbench.datasets.arms import arm_of
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.reports.words.runs import arm_title, model_name
from mossbench.results.index import CountedRun, RunIndex
from mossbench.results.listing import Signature
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import Side
from mossbench.store.run_info import RunInfo

UNREAD = CountedRun(None, {}, {}, {})
"""Stands in a run that is still being read."""
SampleKey = tuple[Side, str]


@dataclass(frozen=True)
class LoadedRun:
    """A run folder as the index has it for this signature; without results where it cannot be read."""

    name: str
    signature: Signature
    info: RunInfo | None
    counted: CountedRun
    index: RunIndex

    @property
    def error(self) -> str:
        # The path of the folder of runs is not for every reader of the page.
        return self.counted.error.replace(f"{self.index.runs}{os.sep}", "")

    @cached_property
    def results(self) -> Results | None:
        """Its rows read their texts from the run's files each time: see `whole` where all of them are needed."""
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
        """The rows that have an answer on record, or an error."""
        rows_of: dict[SampleKey, list[ResultRow]] = defaultdict(list)
        for row in self.results.rows if self.results else ():
            if row.outcome.layer is not Layer.NOT_ASKED:
                rows_of[row.key.side, row.key.sample].append(row)
        return {key: tuple(rows) for key, rows in rows_of.items()}

    @cached_property
    def refusals(self) -> dict[SampleKey, bool | None]:
        """Whether the first answer to each sample counts as refused; None where it does not count."""
        by_counted = {Counted.REFUSED: True, Counted.COMPLIED: False}
        return {key: by_counted.get(counted(rows[0].outcome, Rule.SYSTEM)) for key, rows in self.by_sample.items()}

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
    name = model_name(info.model)
    asked = asked_how(info)
    return f"{name} ({asked})" if asked else name


def asked_how(info: RunInfo) -> str:
    """The system prompt and the arms of a run that are not the plain ones; empty where there are none."""
    own_arm = arm_of(info.config.arm, info.config.system)
    arms = (own_arm,) if any(arm.name == own_arm.name for arm in info.arms) else info.arms
    parts = []
    if info.prompt and any(arm.system == info.config.system for arm in arms):
        parts.append(str(info.prompt))
    for arm in arms:
        if arm.name not in ("plain", "system"):
            parts.append(arm_title(arm.name.removesuffix("-system")))
    return ", ".join(parts)


def asks(run: LoadedRun, dataset: Dataset) -> bool:
    """Whether the run asked samples of this dataset, by hash; False for a run without hashes."""
    hashes = run.info.dataset.hashes if run.info else {}
    return bool(hashes) and all(dataset.hashes.get(side) == digest for side, digest in hashes.items())
