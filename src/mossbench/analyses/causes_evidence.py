"""What causes are named from: the counted answers, and what the model's own descriptions of images leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mossbench.analyses.analysis import Options
from mossbench.analyses.captions import Caption, misses_negation, sorted_captions
from mossbench.analyses.cells import UNSEEING, Cells, cells_of
from mossbench.analyses.misreading import Errors
from mossbench.analyses.rows import read_alike
from mossbench.analyses.stages import CAPTIONED, DESCRIBED, FILLER
from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Exchange
from mossbench.results.rates import yes
from mossbench.results.table import Results
from mossbench.samples import Sample, Stimulus
from mossbench.statistics import Effect, Estimate, row_rate, slope

NegationLeftOut = NDArray[np.float64]
"""Samples × epochs: 1 where the model's own description leaves the negation out, 0 where it has it, NaN elsewhere."""


@dataclass(frozen=True)
class Evidence:
    """The counted answers, and everything else that causes are named from."""

    cells: Cells
    seeing: Cells
    """For requests that need their image: the same without answers, under any arm, that ask for the image or say that
    the model cannot see.
    """
    negation_left_out: NegationLeftOut | None = None
    """None where the model was not asked to describe the images."""
    images: dict[str, str] = field(default_factory=dict)
    """Sample -> the image without people that it was asked with, where the cells do not know it."""
    same_words: Evidence | None = None
    """The evidence with equal answers counted equally; None if they were counted equally already."""
    errors: Mapping[Stimulus | None, Errors | None] = field(default_factory=dict)
    """What the judge was measured to get wrong, by the requests that a claim is measured on."""

    @property
    def lacks_answers(self) -> bool:
        """Whether any answer is missing, or left out because it asks for an image."""
        for cells in (self.cells, self.seeing):
            if cells.missing is not None and cells.missing.any():
                return True
        return False

    def with_missing_against(self, sign: int) -> Evidence:
        """With missing answers counted against every fall of refusals (sign 1), or against every rise (sign -1)."""
        cells = replace(self.cells, against=sign)
        seeing = replace(self.seeing, against=sign)
        return replace(self, cells=cells, seeing=seeing)


def evidence_of(results: Results, options: Options) -> Evidence:
    """The evidence in a run, as its answers were read."""
    read_as_plain = read_alike(results, (FILLER.name, DESCRIBED.name))
    # A request that needs no image has no reason to complain of one that it has: that is a refusal.
    counted = cells_of(read_as_plain, options.rule, lambda arm: arm.picture in UNSEEING and arm.text != "explicit")
    # With the image and without: what is left out on one side alone would look like a difference.
    seeing = cells_of(results, options.rule, lambda arm: True, lambda arm: True)
    return Evidence(counted, seeing, _negation_left_out(results, counted, options))


def refusals_where_left_out(evidence: Evidence) -> Effect:
    """How much more often it refuses where its description of the same image leaves the negation out."""
    cells = evidence.cells
    shape = (len(cells.samples), cells.values.shape[2])
    left_out = evidence.negation_left_out
    if left_out is None:
        left_out = np.full(shape, np.nan)
    refused = np.full(shape, np.nan)
    if PLAIN.name in cells.arms:
        refused = cells.values[:, cells.arms.index(PLAIN.name)]
    sample_of_each_value = np.repeat(np.arange(shape[0]), shape[1])
    return slope(left_out.ravel(), refused.ravel(), sample_of_each_value)


def share_left_out(evidence: Evidence) -> Estimate | None:
    """The share of descriptions that leave out the negation in the image; None if none was described."""
    left_out = evidence.negation_left_out
    if left_out is None or np.isnan(left_out).all():
        return None
    n_left_out = np.nansum(left_out, axis=1)
    n_described = (~np.isnan(left_out)).sum(axis=1)
    return row_rate(n_left_out, n_described, evidence.cells.clusters)


def _negation_left_out(results: Results, cells: Cells, options: Options) -> NegationLeftOut:
    """What the model's own descriptions leave out, by the model that compares captions where the user names one."""
    place_of_sample = {sample.id: i for i, sample in enumerate(cells.samples)}
    left_out = np.full((len(place_of_sample), cells.values.shape[2]), np.nan)
    model = options.caption_model
    sorted_by_model = sorted_captions(results.folder, model) if model else None
    captions = [row for row in results.rows if row.key.arm == CAPTIONED.name and row.key.sample in place_of_sample]
    for row, refused in zip(captions, yes(captions, options.rule), strict=True):
        if row.sample.stimulus is not Stimulus.NEGATED_HARM or refused != 0 or row.exchange is None:
            continue
        is_left_out = _leaves_negation_out(row.sample, row.exchange, sorted_by_model)
        if is_left_out is not None:
            left_out[place_of_sample[row.key.sample], row.key.epoch - 1] = is_left_out
    return left_out


def _leaves_negation_out(sample: Sample, exchange: Exchange, sorted_by_model: dict[str, Caption] | None) -> bool | None:
    """Whether a description leaves the negation out; None where that cannot be told."""
    if sorted_by_model is None:
        return misses_negation(sample, exchange.answer.text or "")
    caption = sorted_by_model.get(exchange.digest())
    if caption is Caption.MISPERCEIVED:
        return True
    return False if caption is Caption.CORRECT else None
