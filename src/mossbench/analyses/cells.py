"""Answers counted by sample and arm, and cells of arms that have something in common.

Besides what the counting rule leaves out, an answer is left out that says it cannot see, or asks for the image, where
the arm shows nothing of the scene: there it is the truth, and neither a refusal nor an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mossbench.analyses.unseen import asks_for_image
from mossbench.datasets.arms import Arm
from mossbench.outcomes import Kind, Layer, Outcome, Rule
from mossbench.results.rates import yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side, Stimulus
from mossbench.statistics import Effect, Estimate, repeated_contrast, row_rate
from mossbench.statistics.estimates import Clusters

Counts = NDArray[np.float64]
UNSEEING = ("none", "neutral", "blank", "swapped")
"""Pictures that show nothing of the sample's scene."""
OTHER_PICTURES = ("neutral", "blank", "swapped", "people", "nobody")
"""Pictures that are not made of the sample's own one."""
MISSING = (Layer.FAILED, Layer.UNJUDGED, Layer.NOT_ASKED)
"""Layers of rows of which nobody knows what the model did."""


@dataclass(frozen=True)
class Cells:
    samples: tuple[Sample, ...]
    arms: tuple[str, ...]
    values: Counts
    """Samples × arms × epochs: 1 refused, 0 not, NaN where nothing counts."""
    left_out: Counts
    """Samples × arms: answers that do not count, and samples that an arm cannot be made of (one each)."""
    images: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Arm and id of a sample -> hash of the image that it was asked with, where there is one and it is known."""
    missing: Counts | None = None
    """Samples × arms × epochs: 1 where a row failed, has no verdict or was not asked, 2 where its answer asks for the
    image and is left out, 0 elsewhere; None where that is not known."""
    against: int = 0
    """1: missing answers count against what a contrast shows if it is above 0, -1: if it is below 0; 0: not at all."""

    @property
    def refused(self) -> Counts:
        return np.asarray(np.nansum(self.values, axis=2))

    @property
    def asked(self) -> Counts:
        return np.asarray((~np.isnan(self.values)).sum(axis=2), dtype=float)

    def of(self, stimulus: Stimulus | None) -> Cells:
        """Those of one stimulus; all for None."""
        return self if stimulus is None else self.where(lambda sample: sample.stimulus is stimulus)

    def where(self, holds: Callable[[Sample], bool]) -> Cells:
        """Those of the samples for which this holds."""
        chosen = [i for i, sample in enumerate(self.samples) if holds(sample)]
        return replace(
            self,
            samples=tuple(self.samples[i] for i in chosen),
            values=self.values[chosen],
            left_out=self.left_out[chosen],
            missing=None if self.missing is None else self.missing[chosen],
        )

    def cell(self, arms: Sequence[str]) -> tuple[Counts, Counts]:
        """Refused and asked by sample, over those of the arms that there are."""
        places = self._places(arms)
        return self.refused[:, places].sum(axis=1), self.asked[:, places].sum(axis=1)

    @property
    def clusters(self) -> list[tuple[str, str]]:
        return [("scene", sample.cluster) if sample.cluster else ("sample", sample.id) for sample in self.samples]

    def rate(self, arms: Sequence[str]) -> Estimate:
        """The refusal rate over these arms, every sample counting the same; n counts answers."""
        n_refused, n_asked = self.cell(arms)
        rate = row_rate(n_refused, n_asked, self.clusters)
        return replace(rate, n_left_out=int(self.left_out[:, self._places(arms)].sum()))

    def contrast(self, *weighted: tuple[float, Sequence[str]], clusters: Clusters | None = None) -> Effect:
        """A weighted sum of cells' refusal rates within samples: `(1, plain), (-1, without)` is their difference.

        Of each sample only the epochs that count in all of these cells. Independent units are by default the samples,
        but for those of one scene and those that were asked with the same image under one of these arms.
        """
        table = np.stack([self._by_epoch(arms, weight) for weight, arms in weighted], axis=1)
        names: list[str] = []
        for _, arms in weighted:
            names += arms
        return repeated_contrast(table, [weight for weight, _ in weighted], clusters or self.units(names))

    def units(self, arms: Sequence[str]) -> list[int]:
        """A number for each sample, the same for those that have a scene or, under one of the arms, an image in common.

        What is asked with one image says what that image does, however many requests go with it.
        """
        groups = Groups(len(self.samples))
        for i, (sample, scene) in enumerate(zip(self.samples, self.clusters, strict=True)):
            groups.join(i, scene)
            for arm in arms:
                image = self.images.get((arm, sample.id))
                if image is not None:
                    groups.join(i, ("image", image))
        return groups.numbers()

    def n_images(self, arm: str) -> int:
        """How many different images its samples were asked with under the arm, as far as that is known."""
        return len({self.images[arm, sample.id] for sample in self.samples if (arm, sample.id) in self.images})

    def _places(self, arms: Sequence[str]) -> list[int]:
        return [self.arms.index(arm) for arm in arms if arm in self.arms]

    def share_missing(self, arm: str) -> float:
        """Of the rows under an arm that were to be asked, the share that failed, was not asked or has no verdict."""
        place = self.arms.index(arm)
        n_counted = int((~np.isnan(self.values[:, place])).sum())
        if self.missing is None:
            return 0.0
        n_missing = int((self.missing[:, place] == 1).sum())
        return n_missing / (n_counted + n_missing) if n_missing else 0.0

    def _by_epoch(self, arms: Sequence[str], weight: float) -> Counts:
        """Samples × epochs: the mean over those of the arms that count."""
        values = self.values[:, self._places(arms)]
        if self.against and self.missing is not None:
            value_of_missing = float(weight * self.against < 0)
            values = np.where(self.missing[:, self._places(arms)] > 0, value_of_missing, values)
        counts = (~np.isnan(values)).sum(axis=1)
        return np.where(counts > 0, np.nansum(values, axis=1) / np.maximum(counts, 1), np.nan)


class Groups:
    """Things that are numbered from 0, put together where they have something in common, directly or by others."""

    def __init__(self, n: int) -> None:
        self._above = list(range(n))
        self._first: dict[Hashable, int] = {}

    def join(self, i: int, mark: Hashable) -> None:
        """Puts `i` together with all that have the same mark."""
        first = self._first.setdefault(mark, i)
        self._above[self._top(i)] = self._top(first)

    def numbers(self) -> list[int]:
        """For each thing the number of its group."""
        return [self._top(i) for i in range(len(self._above))]

    def _top(self, i: int) -> int:
        while self._above[i] != i:
            self._above[i] = self._above[self._above[i]]
            i = self._above[i]
        return i


def images_of(results: Results) -> dict[tuple[str, str], str]:
    """Arm and id of a harmless sample -> hash of the image that was sent, as the first of its rows has it.

    Only of arms that send another image than the sample's own: which samples have their own scene in common, the
    dataset says (`cluster`).
    """
    arm_names = {arm.name for arm in results.info.arms if arm.picture in OTHER_PICTURES}
    images: dict[tuple[str, str], str] = {}
    for row in results.rows:
        arm_and_sample = (row.key.arm, row.key.sample)
        if row.key.side is not Side.BENIGN or row.key.arm not in arm_names or arm_and_sample in images:
            continue
        if row.exchange is not None and row.exchange.picture is not None:
            images[arm_and_sample] = row.exchange.picture.sha256
    return images


def cells_of(
    results: Results,
    rule: Rule,
    unsure: Callable[[Arm], bool] | None = None,
    lacking: Callable[[Arm], bool] | None = None,
) -> Cells:
    """The harmless rows of a run under all of its arms.

    An answer that says it cannot see is left out under arms that are `unsure`: by default, that show nothing of it.
    One that asks for the image or misses it is left out under arms that are `lacking` it: by default, that send none,
    or send another in its place.
    """
    arms = {arm.name: arm for arm in results.info.arms}
    unsure_names = {name for name, arm in arms.items() if (unsure or _shows_nothing)(arm)}
    lacking_names = {name for name, arm in arms.items() if (lacking or _lacks_image)(arm)}
    rows_as_read = [row for row in results.rows if row.key.side is Side.BENIGN]
    rows = [_unless_unseen(row, row.key.arm in unsure_names, row.key.arm in lacking_names) for row in rows_as_read]
    samples = {row.key.sample: row.sample for row in rows}
    places = _places(rows, list(samples), list(arms))
    n_epochs = max([row.key.epoch for row in rows], default=0)
    values = np.full((len(samples), len(arms), n_epochs), np.nan)
    left_out = np.zeros(values.shape[:2])
    missing = np.zeros(values.shape)
    for place, row, row_as_read, value in zip(places, rows, rows_as_read, yes(rows, rule), strict=True):
        values[place] = value
        if np.isnan(value):
            left_out[place.sample, place.arm] += 1
            missing[place] = _missing_code(row, row_as_read)
    left_out[np.isnan(values).all(axis=2) & (left_out == 0)] = 1
    return Cells(tuple(samples.values()), tuple(arms), values, left_out, images_of(results), missing)


class _Place(NamedTuple):
    """Where a row stands in the arrays of `Cells`."""

    sample: int
    arm: int
    epoch: int


def _places(rows: Sequence[ResultRow], samples: Sequence[str], arms: Sequence[str]) -> list[_Place]:
    sample_index = {id: index for index, id in enumerate(samples)}
    arm_index = {name: index for index, name in enumerate(arms)}
    return [_Place(sample_index[row.key.sample], arm_index[row.key.arm], row.key.epoch - 1) for row in rows]


def _missing_code(row: ResultRow, row_as_read: ResultRow) -> int:
    """What `Cells.missing` has for a row that does not count."""
    if row_as_read.outcome.layer in MISSING:
        return 1
    return 2 if row.outcome.layer in MISSING else 0


def _shows_nothing(arm: Arm) -> bool:
    return arm.picture in UNSEEING


def _lacks_image(arm: Arm) -> bool:
    """Whether a request goes without the image that it is about; one that needs none lacks it where there is none."""
    return arm.picture == "none" or (arm.picture in UNSEEING and arm.text != "explicit")


def _unless_unseen(row: ResultRow, unseen: bool, lacking: bool) -> ResultRow:
    """The row; where the model says that it cannot see what is indeed not there, nobody knows if it would refuse."""
    if row.outcome.layer is not Layer.JUDGED:
        return row
    if (unseen and row.outcome.kind is Kind.INCAPABLE) or (lacking and asks_for_image(row)):
        return row.counted_as(Outcome(Layer.UNJUDGED))
    return row
