"""The analysis `causes`: what has to be changed for refusals to go away; `claims` decides what that shows.

Every comparison changes one thing and leaves the rest: the same words, the same image but for that, the same epochs. A
cause is claimed when all comparisons that exclude its rivals hold, and is named after what was changed.
`docs/analyses.md` has the table of causes, comparisons and rivals, and how often what is there is found.

Where the data have no image without its trigger (`counterfactual`), as the published ones, nothing in the image can be
named: only that there is one, or that refusals fall when it is left out. A box painted over is no such image.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mossbench.analyses import causes_arms, single_images, stages
from mossbench.analyses.analysis import Options
from mossbench.analyses.captions import Caption, misses_negation, sorted_captions
from mossbench.analyses.causes_arms import BLANK, HARMLESS, LONG, NEUTRAL_LONG, NOBODY, PEOPLE
from mossbench.analyses.cells import UNSEEING, Cells, cells_of
from mossbench.analyses.claims import ALONE, WORTH, Claim, Comparison, ReadingRival, adjusted, claim
from mossbench.analyses.counterfactuals import Effect as Change
from mossbench.analyses.counterfactuals import effects_of
from mossbench.analyses.misreading import (
    ArmReading,
    Errors,
    Reading,
    arm_readings,
    errors_could_make,
    hold_in_all_readings,
    lost_to,
    measured_errors,
    read_same_words_alike,
    too_many_missing,
)
from mossbench.analyses.rows import read_alike
from mossbench.analyses.single_images import share_of_images
from mossbench.analyses.stages import CAPTIONED, DESCRIBED, FILLER
from mossbench.outcomes import Exchange
from mossbench.results.rates import yes
from mossbench.results.table import Results
from mossbench.samples import Sample, Stimulus
from mossbench.statistics import Effect, Estimate, row_rate, slope

Cause = Claim
Missed = NDArray[np.float64]
"""Samples × epochs: 1 where the model's description leaves the negation out, 0 where it has it, NaN else."""
OWN = ("plain",)
WITHOUT = ("counterfactual",)
NEUTRAL = ("neutral",)
NEITHER = ("neutral-counterfactual",)
LEFT_OUT = "left-out"
arms = causes_arms.arms
read = stages.read


@dataclass(frozen=True)
class Causes:
    causes: tuple[Cause, ...]
    rate: Estimate
    """How often it refuses the plain requests."""
    base: Estimate
    """How often it refuses harmless words without the trigger."""
    epochs: int
    """How often the plain request was put to it, at most."""
    repeats: float
    """Of samples asked more than once and refused at least once, the share always refused; NaN when there are none."""
    changes: tuple[Change, ...] = ()
    """How refusals change with each thing that was changed, whatever that says of causes."""
    missed: Estimate | None = None
    """Of its descriptions of images that oppose a harm, the share that leaves that out; None where none can be told."""
    n_answers: int = 0
    readings: tuple[ArmReading, ...] = ()
    """How answers were read, arm by arm."""

    @property
    def claims(self) -> tuple[Cause, ...]:
        return self.causes

    def with_claims(self, claims: Sequence[Cause]) -> Causes:
        return replace(self, causes=tuple(claims))

    @property
    def tellable(self) -> bool:
        """Whether the data have what it takes to tell at least one cause that lies in image or words."""
        return any(cause.share.n for cause in self.causes if cause.name not in ("image", LEFT_OUT))

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(cause.name for cause in self.causes if cause.named)

    @property
    def changed(self) -> tuple[Cause, ...]:
        """Where only the change is shown, and not why."""
        return tuple(cause for cause in self.causes if cause.changes and not cause.named)


@dataclass(frozen=True)
class Evidence:
    """What causes are named from, beside the counted answers."""

    cells: Cells
    seeing: Cells
    """The same without answers that ask for the image or say they cannot see, under any arm: for requests that need
    it."""
    missed: Missed | None = None
    images: dict[str, str] = field(default_factory=dict)
    """Sample -> the image without people that it was asked with, where the cells do not know it."""
    same_words: Evidence | None = None
    """The same with the same words read alike everywhere; None where they were."""
    errors: Mapping[Stimulus | None, Errors | None] = field(default_factory=dict)
    """What the judge was measured to get wrong, by the requests that a claim is measured on."""

    @property
    def lacks_answers(self) -> bool:
        """Whether any answer is missing, or left out because it asks for an image."""
        both = (self.cells, self.seeing)
        return any(cells.missing is not None and bool(cells.missing.any()) for cells in both)

    def with_missing_against(self, sign: int) -> Evidence:
        """With missing answers counted against what is above 0 (1), or against what is below (-1)."""
        return replace(self, cells=replace(self.cells, against=sign), seeing=replace(self.seeing, against=sign))


def measure(results: Results, options: Options) -> Causes:
    evidence = _evidence(results, options)
    read_again = read_same_words_alike(results, options.rule)
    same_words = _evidence(read_again, options) if read_again is not results else None
    errors = {stimulus: measured_errors(results, stimulus) for stimulus in (*Stimulus, None)}
    causes = name_causes(replace(evidence, same_words=same_words, errors=errors))
    changes = effects_of(cells_of(results, options.rule))
    return replace(causes, changes=changes, readings=arm_readings(results, options.rule))


def _evidence(results: Results, options: Options) -> Evidence:
    # A request that needs no image has no reason to complain of one that it has: that is a refusal.
    read_as_plain = read_alike(results, (FILLER.name, DESCRIBED.name))
    counted = cells_of(read_as_plain, options.rule, lambda arm: arm.picture in UNSEEING and arm.text != "explicit")
    # With the image and without: what is left out on one side alone would look like a difference.
    seeing = cells_of(results, options.rule, lambda arm: True, lambda arm: True)
    return Evidence(counted, seeing, _missed(results, counted, options))


def name_causes(evidence: Evidence | Cells) -> Causes:
    if isinstance(evidence, Cells):
        evidence = Evidence(evidence, evidence)
    cells = evidence.cells
    tested = _tested(evidence)
    missed = _share_missed(evidence)
    others: dict[Reading, list[Claim]] = {}
    reverse: list[Claim] = []
    if evidence.same_words is not None:
        others["same words"] = _claims(evidence.same_words, _tested(evidence.same_words))
    if evidence.lacks_answers:
        fewer = evidence.with_missing_against(1)
        more = evidence.with_missing_against(-1)
        others["missing"] = _claims(fewer, _tested(fewer))
        reverse = _claims(more, _tested(more))
    claims = hold_in_all_readings(_claims(evidence, tested), others, reverse)
    n_refused, n_asked = cells.cell(OWN)
    is_repeated = (n_asked > 1) & (n_refused > 0)
    return Causes(
        causes=adjusted([_unless_misread(claim, tested[claim.name], evidence) for claim in claims]),
        rate=cells.rate(OWN),
        base=cells.rate(NEITHER),
        epochs=int(n_asked.max(initial=0)),
        repeats=float((n_refused == n_asked)[is_repeated].mean()) if is_repeated.any() else math.nan,
        missed=missed,
        n_answers=int(cells.asked.sum()),
    )


def _tested(evidence: Evidence) -> Tested:
    return _in_pairs(evidence) if _asked(evidence.cells, WITHOUT) else _left_out(evidence.seeing)


def _claims(evidence: Evidence, tested: Tested) -> list[Claim]:
    """What is claimed of each cause by these answers, read this way."""
    missed = _share_missed(evidence)
    return [_claim(name, test, len(tested), evidence, missed) for name, test in tested.items()]


def _unless_misread(claim: Claim, test: Test, evidence: Evidence) -> Claim:
    """Inconclusive where too many answers of an arm are missing, or errors of the measured size could make it."""
    cells = evidence.cells.of(test.where)
    lacking = too_many_missing(cells, test.arms)
    if lacking is not None:
        return lost_to(claim, ReadingRival("too many missing", arm=lacking))
    errors = evidence.errors.get(test.where)
    if errors is None:
        return claim
    for more, less in test.worded:
        if errors_could_make(cells.rate(more).value, cells.rate(less).value, errors):
            shown = min(claim.p, claim.p_change) <= ALONE
            rival = ReadingRival("measured error", claim.share, None, errors.missed, errors.invented)
            return lost_to(claim, rival) if shown else claim
    return claim


class Test(NamedTuple):
    """The requests that a cause is measured on, its comparisons (the first is its size), and what disproves it."""

    where: Stimulus | None
    effects: dict[str, Effect]
    against: dict[str, Effect] | None = None
    neutral: str | None = None
    """The arm with neutral images, where the comparisons rest on these."""
    arms: tuple[str, ...] = ()
    """All arms that it is measured under."""
    worded: tuple[tuple[Sequence[str], Sequence[str]], ...] = ()
    """Pairs of arms that have to differ and send different requests, which a judge may read differently."""


Tested = dict[str, Test]


def _claim(name: str, test: Test, n_claims: int, evidence: Evidence, missed: Estimate | None) -> Claim:
    """What is claimed of a cause, with what its comparisons alone do not have."""
    within = "negation" if name == "overlooked" else None
    n_images = evidence.cells.n_images(test.neutral) if test.neutral else 0
    claimed = claim(name, test.where, test.effects, n_claims, within, test.against, n_images or None)
    if name == "overlooked":
        return _unless_described(claimed, missed)
    if name == "image":
        return _unless_single_images(claimed, share_of_images(evidence.cells, (PEOPLE.name, NOBODY.name)))
    return claimed


def _in_pairs(evidence: Evidence) -> Tested:
    """Where there are images without the trigger."""
    cells = evidence.cells
    risk = cells.of(Stimulus.EXAGGERATED_RISK)
    harm = cells.of(Stimulus.NEGATED_HARM)
    worded = cells.of(Stimulus.COUNTERINTUITIVE)
    negation_removed = _less(harm, OWN, WITHOUT)
    questions_reworded = _less(worded.where(_is_question), WITHOUT, NEITHER)
    harmless_questions_reworded = _less(risk.where(_is_question), WITHOUT, NEITHER)
    return {
        "object": Test(Stimulus.EXAGGERATED_RISK, {"removed": _less(risk, OWN, WITHOUT)}, arms=(*OWN, *WITHOUT)),
        "negation": Test(Stimulus.NEGATED_HARM, {"removed": negation_removed}, arms=(*OWN, *WITHOUT)),
        "overlooked": Test(
            Stimulus.NEGATED_HARM,
            {
                "removed": negation_removed,
                "told": _less(harm, (FILLER.name,), (DESCRIBED.name,)),
                "missed": _with_missed(evidence),
            },
            arms=(*OWN, *WITHOUT, FILLER.name, DESCRIBED.name),
        ),
        "words": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "reworded": _less(worded, WITHOUT, NEITHER),
                "reworded, long": _less(worded, (LONG.name,), (NEUTRAL_LONG.name,)),
                "beyond harmless words": questions_reworded.minus(harmless_questions_reworded),
            },
            arms=(*WITHOUT, *NEITHER, LONG.name, NEUTRAL_LONG.name),
            worded=((WITHOUT, NEITHER), ((LONG.name,), (NEUTRAL_LONG.name,))),
        ),
        "together": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "removed": _less(worded, OWN, WITHOUT),
                "reworded": _less(worded, OWN, NEUTRAL),
                "beyond each": worded.contrast((1, OWN), (-1, WITHOUT), (-1, NEUTRAL), (1, NEITHER)),
            },
            arms=(*OWN, *WITHOUT, *NEUTRAL, *NEITHER),
            worded=((OWN, NEUTRAL),),
        ),
        **_image(evidence),
        "length": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "own words shortened": _less(worded, (LONG.name,), WITHOUT),
                "harmless words shortened": _less(worded, (NEUTRAL_LONG.name,), NEITHER),
            },
            arms=(LONG.name, *WITHOUT, NEUTRAL_LONG.name, *NEITHER),
            worded=(((LONG.name,), WITHOUT), ((NEUTRAL_LONG.name,), NEITHER)),
        ),
    }


def _is_question(sample: Sample) -> bool:
    return "?" in sample.question


def _image(evidence: Evidence) -> Tested:
    """That there is an image, and what harmless ones show: by requests that need none, or else by the own words."""
    cells = evidence.cells
    if not _asked(cells, (BLANK.name,)):
        seeing = evidence.seeing
        return {"image": _any_image(seeing, ("blank",), ("text-only",), WITHOUT, "harmless image")}
    none = ("explicit",)
    blank = (BLANK.name,)
    harmless = (HARMLESS.name,)
    nobody = {id: image for (arm, id), image in cells.images.items() if arm == NOBODY.name} | evidence.images
    images = [nobody.get(sample.id, sample.id) for sample in cells.samples]
    people = cells.contrast((1, (PEOPLE.name,)), (-1, (NOBODY.name,)), clusters=images)
    scene = _less(cells, harmless, blank)
    return {
        "image": _any_image(cells, blank, none, harmless, "harmless image"),
        "scene": Test(None, {"harmless image": scene}, neutral=BLANK.name, arms=(*harmless, *blank)),
        "people": Test(None, {"people": people}, arms=(PEOPLE.name, NOBODY.name)),
    }


def _left_out(seeing: Cells) -> Tested:
    """Where there are none: whether there is an image is all that changes alone."""
    none = ("text-only",)
    image = _any_image(seeing, ("blank",), none, OWN, "own image")
    return {"image": image, LEFT_OUT: Test(None, {"own image": _less(seeing, OWN, none)}, arms=(*OWN, *none))}


def _any_image(cells: Cells, neutral: Sequence[str], none: Sequence[str], shown: Sequence[str], name: str) -> Test:
    """A neutral image does it, one that shows something does it too, and the neutral one does not do more."""
    both = {"white image": _less(cells, neutral, none), name: _less(cells, shown, none)}
    return Test(None, both, {"white beyond shown": _less(cells, neutral, shown)}, neutral[0], (*neutral, *none, *shown))


def _less(cells: Cells, arm: Sequence[str], other: Sequence[str]) -> Effect:
    """By how much refusals fall from an arm to another."""
    return cells.contrast((1, arm), (-1, other))


def _asked(cells: Cells, arm: Sequence[str]) -> bool:
    return bool(cells.cell(arm)[1].any())


def _with_missed(evidence: Evidence) -> Effect:
    """How much more often it refuses where its description of the same image leaves the negation out."""
    cells = evidence.cells
    missed = evidence.missed
    if missed is None:
        missed = np.full((len(cells.samples), cells.values.shape[2]), np.nan)
    refused = cells.values[:, cells.arms.index("plain")]
    return slope(missed.ravel(), refused.ravel(), np.repeat(np.arange(len(refused)), refused.shape[1]))


def _unless_single_images(image: Claim, share: tuple[Estimate, float] | None) -> Claim:
    """Lost where it goes by which image it is: that there is one at all is then not what makes it refuse."""
    if share is None:
        return image
    rival = Comparison("single images", *share, against=True, level=single_images.LEVEL)
    p = 1.0 if rival.lost and not math.isnan(image.p) else image.p
    return replace(image, p=p, comparisons=(*image.comparisons, rival))


def _unless_described(overlooked: Claim, missed: Estimate | None) -> Claim:
    """Excluded where its descriptions leave the negation out too rarely: it can overlook no more than that."""
    if missed is None or not missed.high < WORTH:
        return overlooked
    measured = [comparison for comparison in overlooked.comparisons if not math.isnan(comparison.p)]
    bound = Comparison("left out", missed, 1.0, is_bound=True)
    return replace(overlooked, p=1.0, comparisons=(*measured, bound))


def _share_missed(evidence: Evidence) -> Estimate | None:
    if evidence.missed is None or np.isnan(evidence.missed).all():
        return None
    n_missed = np.nansum(evidence.missed, axis=1)
    n_described = (~np.isnan(evidence.missed)).sum(axis=1)
    return row_rate(n_missed, n_described, evidence.cells.clusters)


def _missed(results: Results, cells: Cells, options: Options) -> Missed:
    """What the model's own descriptions leave out, by the model that compares captions where the user names one."""
    place_of_sample = {sample.id: i for i, sample in enumerate(cells.samples)}
    missed = np.full((len(place_of_sample), cells.values.shape[2]), np.nan)
    model = options.caption_model
    sorted_by_model = sorted_captions(results.folder, model) if model else None
    captions = [row for row in results.rows if row.key.arm == CAPTIONED.name and row.key.sample in place_of_sample]
    for row, refused in zip(captions, yes(captions, options.rule), strict=True):
        if row.sample.stimulus is not Stimulus.NEGATED_HARM or refused != 0 or row.exchange is None:
            continue
        is_missed = _misses_negation(row.sample, row.exchange, sorted_by_model)
        if is_missed is not None:
            missed[place_of_sample[row.key.sample], row.key.epoch - 1] = is_missed
    return missed


def _misses_negation(sample: Sample, exchange: Exchange, sorted_by_model: dict[str, Caption] | None) -> bool | None:
    """Whether a caption leaves the negation out; None where nobody can tell."""
    if sorted_by_model is None:
        return misses_negation(sample, exchange.answer.text or "")
    caption = sorted_by_model.get(exchange.digest())
    if caption is Caption.MISPERCEIVED:
        return True
    return False if caption is Caption.CORRECT else None
