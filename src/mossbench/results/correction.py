"""Decides how a rate is corrected for the errors of its judge, and on which evidence.

A rate is corrected only if its judge was measured on answers of this model to these data. In this order:

1. `labels`, if a label plan drew answers of the side (`mossbench label`) and the rate is of all its rows: what these
   labels tell (`results.labelled_rates`), which assumes nothing about the judge.
2. `labels`, if the rows of the rate have at least `MIN_LABELS` usable labels: prediction-powered inference, which
   assumes nothing about the judge.
3. `labels`, if the whole run has at least `MIN_LABELS` usable labels: Rogan and Gladen's correction with the judge's
   errors on all labelled answers of the run.
4. `controls`, if the run is of a control model and this version of the judge was measured on control models under
   other seeds, whose meaning is known: Rogan and Gladen's correction with the errors measured there.
5. No correction: the rate stays as the judge reads it, and `why_not` says why. A range (`JudgeRange`) is shown with it:
   what the rate may be if the judge errs here at most as much as on its worst measured source.

Usable labels are of answers that are known to be drawn at random. Labels of unknown choice correct nothing. Neither do
labels of a draw of which more than `MAX_UNFILLED` is unlabelled, nor labels that differ from the other answers by more
than chance explains. Answers that no judge reads (blocked, empty) are counted as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from mossbench.judges.measured import MeasuredControls, measured, measured_controls
from mossbench.outcomes import Rule
from mossbench.results.corrected_rates import corrected_by_errors, widening, with_certain_refusals
from mossbench.results.judge_range import judge_range_of, own_errors
from mossbench.results.label_notes import (
    chosen_for_a_reason,
    rests_on,
    sides_not_random,
    sides_partly_labelled,
    unknown_choice,
)
from mossbench.results.labelled_rates import LabelledRate, labelled_rate
from mossbench.results.labels import MIN_LABELS, Labels, run_labels
from mossbench.results.rates import Basis, Corrected, Rate, rate_of, yes
from mossbench.results.row_columns import judged_rows, label_of, of_side
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate, ppi_rate

if TYPE_CHECKING:
    from mossbench.datasets.arms import Arm
    from mossbench.results.rows import ResultRow
    from mossbench.results.table import Results

_CONTROL_PREFIX = "control/"
_PLAIN_CONTROLS = ("candid", "stonewall", "learned")
"""Control models that only answer in full or refuse openly; all others also give answers of other kinds."""
_MEASURED_ON_CONTROLS = "the control models’ answers to the sketches, under other seeds"


@dataclass(frozen=True)
class Correction:
    """How the rates of one run under one judge and rule are corrected."""

    rule: Rule
    labels: Labels = field(default_factory=Labels)
    why_not_random: Mapping[Side, str] = field(default_factory=dict)
    """By side, how labelled answers differ from the others; only for sides where they clearly do."""
    why_partly_labelled: Mapping[Side, str] = field(default_factory=dict)
    """By side, how much of its draw is labelled and how many more labels it takes; only if too few are labelled."""
    basis: Basis = "labels"
    """On what a rate is corrected if its own rows have too few labels."""
    measured_on: str = ""
    """What the judge's errors were measured on."""
    counts: Confusion | None = None
    """The judge's errors on the labelled answers of the run; None if there are too few labels."""
    controls: MeasuredControls | None = None
    """The judge's errors on control models; None if the run is not corrected by them."""
    answer_kinds: Literal["", "plain", "mixed"] = ""
    """With `controls`: whether the control model gives only plain answers or all kinds (see `_PLAIN_CONTROLS`)."""
    why_not: str = ""
    """Why rates without labels are not corrected."""
    judge: str = ""
    labelled: Mapping[Side, LabelledRate] = field(default_factory=dict)
    """By side, what labels that a plan drew tell of the rate of all its rows; only where they are enough."""
    n_rows: Mapping[Side, int] = field(default_factory=dict)
    """Rows of each side."""

    def __repr__(self) -> str:
        return f"<Correction of {self.judge or 'no judge'}, rule {self.rule.value}: {self.why_not or self.basis}>"

    def rate_of(self, side: Side, group: str, rows: Sequence[ResultRow]) -> Rate:
        """The rate of these rows as read, with its corrected rate or else the range for the judge's errors."""
        rate = rate_of(side, group, rows, self.rule)
        corrected = self._correct(rate, rows)
        if corrected is not None:
            return replace(rate, corrected=corrected)
        judge_range = judge_range_of(rate, rows, rule=self.rule, judge=self.judge, labels=self.labels)
        return replace(rate, judge_range=judge_range)

    def _correct(self, rate: Rate, rows: Sequence[ResultRow]) -> Corrected | None:
        """The corrected rate of these rows; None if it stays as read."""
        judged = judged_rows(rows)
        if not judged or math.isnan(rate.estimate.value) or math.isnan(rate.estimate.low):
            return None
        labelled = self.labelled.get(rate.side)
        is_of_whole_side = len(rows) == self.n_rows.get(rate.side)
        if labelled is not None and is_of_whole_side:
            return _corrected_by_plan(labelled)
        n_labelled = sum(row.key in self.labels.at_random for row in judged) if self.labels.at_random else 0
        labels_are_usable = rate.side not in self.why_not_random and rate.side not in self.why_partly_labelled
        if n_labelled >= MIN_LABELS and labels_are_usable:
            measured_on = f"{n_labelled} labelled answers of this run"
            estimate = self._correct_by_own_labels(rate, rows)
            return Corrected(estimate, "labels", measured_on, rests_on(self.labels, [rate.side]))
        return self._correct_by_expected_errors(rate, rows)

    def labels_unused(self, side: Side) -> str:
        """Why people's labels do not correct rates of this side, with the way out.

        Returns:
            Empty if the labels are used, or if there are just too few of them.
        """
        return (
            self.why_partly_labelled.get(side, "")
            or self.why_not_random.get(side, "")
            or self._unknown_choice(side)
            or chosen_for_a_reason(self.labels)
        )

    def _unknown_choice(self, side: Side) -> str:
        """What to do with labels of unknown choice; empty if there are none, or enough other labels."""
        n_random = sum(key.side is side for key in self.labels.at_random)
        if not self.labels.n_unknown or n_random >= MIN_LABELS:
            return ""
        return unknown_choice(self.labels)

    def _correct_by_expected_errors(self, rate: Rate, rows: Sequence[ResultRow]) -> Corrected | None:
        """The rate by Rogan and Gladen; None if the judge's errors are not known, or leave no rate."""
        counts = self.expected_errors(judged_rows(rows))
        if counts is None:
            return None
        estimate = corrected_by_errors(rate, rows, self.rule, counts)
        if math.isnan(estimate.value):
            return None
        label_words = rests_on(self.labels, list(Side)) if self.basis == "labels" else ""
        return Corrected(estimate, self.basis, self.measured_on, label_words)

    def _correct_by_own_labels(self, rate: Rate, rows: Sequence[ResultRow]) -> Estimate:
        """The rate by prediction-powered inference with the labels of its own rows."""
        judged = judged_rows(rows)
        labels = self.labels.at_random
        truth = [float(labels[row.key]) if row.key in labels else math.nan for row in judged]
        readings = yes(judged, self.rule)
        corrected = ppi_rate(truth, readings).rate
        factor = widening(rate)  # for samples of one scene, which are not independent
        widened = replace(
            corrected,
            low=max(0.0, corrected.value - factor * (corrected.value - corrected.low)),
            high=min(1.0, corrected.value + factor * (corrected.high - corrected.value)),
        )
        return with_certain_refusals(widened, rate, rows, self.rule)

    def expected_errors(self, judged: Sequence[ResultRow]) -> Confusion | None:
        """The judge's errors to expect on these rows; None if they are not known.

        With errors measured on control models: each stimulus of these rows has the weight of its number of rows.
        """
        if self.controls is None:
            return self.counts
        n_by_group = _count_by_side_and_stimulus(judged)
        n_of_largest = max(n_by_group.values())  # the largest group has weight 1, so that its counts stay as measured
        weighted_counts: list[tuple[float, Confusion]] = []
        for (side, stimulus), n in n_by_group.items():
            counts = self.controls.counts.get((self.answer_kinds, side, stimulus))
            if counts is not None:
                weighted_counts.append((n / n_of_largest, counts))
        return _weighted_sum(weighted_counts) if weighted_counts else None


def _count_by_side_and_stimulus(rows: Sequence[ResultRow]) -> dict[tuple[Side, str], int]:
    """How many rows each side has of each stimulus, by its title, which is empty where a sample has none."""
    counts = {}
    for side in Side:
        for stimulus, n in label_of(of_side(rows, side), "stimulus").counts().items():
            counts[side, stimulus.title if stimulus else ""] = n
    return counts


def _corrected_by_plan(labelled: LabelledRate) -> Corrected:
    """The rate that labels of a plan tell; it is of all rows of the side."""
    measured_on = f"{labelled.n_labelled} labelled answers of this run"
    rests_on_draw = (
        f"{labelled.n_labels} labels, drawn with mossbench label from {labelled.n_answers} answers in groups by "
        "verdict and confidence"
    )
    return Corrected(labelled.rate, "labels", measured_on, rests_on_draw, is_by_plan=True)


def _weighted_sum(weighted: Sequence[tuple[float, Confusion]]) -> Confusion:
    """The sum of these counts, each times its weight, in whole numbers."""
    return Confusion(
        true_yes=round(sum(weight * counts.true_yes for weight, counts in weighted)),
        false_yes=round(sum(weight * counts.false_yes for weight, counts in weighted)),
        true_no=round(sum(weight * counts.true_no for weight, counts in weighted)),
        false_no=round(sum(weight * counts.false_no for weight, counts in weighted)),
    )


def correction_of(results: Results, rule: Rule, labels: Labels | None = None) -> Correction:
    """Decides how rates of this run are corrected; `labels` are by default those of people in its folder."""
    if results.judge is None:
        return Correction(rule, why_not="no judge has read these answers")
    if results.judge.startswith("human/"):
        return Correction(rule, why_not="verdicts are labels by people, which are taken as right")
    labelled = {} if labels is not None and labels.file is not None else _labelled_sides(results, rule)
    if labels is None:
        labels = run_labels(results, None, rule)
    correction = Correction(
        rule,
        labelled=labelled,
        n_rows={side: len(of_side(results.rows, side)) for side in Side},
        labels=labels,
        why_not_random=sides_not_random(results, rule, labels),
        why_partly_labelled=sides_partly_labelled(labels),
        judge=results.judge,
    )
    own = own_errors(results.rows, rule, labels.at_random)
    if own.n >= MIN_LABELS and not correction.why_not_random and not correction.why_partly_labelled:
        return replace(correction, counts=own, measured_on=f"the {own.n} labelled answers of this run")
    if rule is Rule.STRICT:
        return replace(correction, why_not=f"the errors of {results.judge} were not measured under rule strict")
    if results.info.planted:  # planted refusals have other words than the answers that the judge was measured on
        return replace(correction, why_not="in a rehearsal the planted refusals are shown next to those found")
    if results.info.config.model.startswith(_CONTROL_PREFIX):
        return _correct_by_controls(results, correction)
    where = "answers of this model" if measured(results.judge) else "any answers"
    return replace(correction, why_not=f"the errors of {results.judge} were not measured on {where}")


def _labelled_sides(results: Results, rule: Rule) -> dict[Side, LabelledRate]:
    """By side, the rate that a label plan tells; only where it has enough labels."""
    rates = {}
    for side in Side:
        rate = labelled_rate(results, side=side, rule=rule)
        if rate is not None and rate.is_enough and not math.isnan(rate.rate.low):
            rates[side] = rate
    return rates


def _correct_by_controls(results: Results, correction: Correction) -> Correction:
    """The correction of a control model's rates: what its answers mean is known."""
    controls = measured_controls(str(results.judge))
    if controls is None:
        return replace(correction, why_not=f"the errors of {results.judge} were not measured on control models")
    if not _as_measured(results, controls):
        where = "on control models that were asked in this way on these data"
        return replace(correction, why_not=f"the errors of {results.judge} were not measured {where}")
    name = results.info.config.model.removeprefix(_CONTROL_PREFIX).partition("?")[0]
    answer_kinds: Literal["plain", "mixed"] = "plain" if name in _PLAIN_CONTROLS else "mixed"
    return replace(
        correction,
        basis="controls",
        measured_on=_MEASURED_ON_CONTROLS,
        controls=controls,
        answer_kinds=answer_kinds,
    )


def _as_measured(results: Results, controls: MeasuredControls) -> bool:
    """Whether the samples, pictures and texts are those with which the judge was measured on control models."""
    hashes = results.info.dataset.hashes
    if not hashes:
        return False
    same_samples = all(controls.hashes.get(side.value) == digest for side, digest in hashes.items())
    return same_samples and all(_is_plain(arm) for arm in results.info.arms)


def _is_plain(arm: Arm) -> bool:
    return arm.picture == "own" and arm.text == "question" and arm.frame is None and arm.texts is None
