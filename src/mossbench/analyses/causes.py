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
from mossbench.analyses.claims import ALONE, WORTH, Claim, Comparison, ReadingRival, adjust_p, claim
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
        for cells in (self.cells, self.seeing):
            if cells.missing is not None and cells.missing.any():
                return True
        return False

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
    tests = _tests(evidence)
    claims = [_unless_misread(claim, tests[claim.name], evidence) for claim in _claims_in_all_readings(evidence)]
    n_refused, n_asked = cells.cell(OWN)
    is_repeated = (n_asked > 1) & (n_refused > 0)
    return Causes(
        causes=adjust_p(claims),
        rate=cells.rate(OWN),
        base=cells.rate(NEITHER),
        epochs=int(n_asked.max(initial=0)),
        repeats=float((n_refused == n_asked)[is_repeated].mean()) if is_repeated.any() else math.nan,
        missed=_share_missed(evidence),
        n_answers=int(cells.asked.sum()),
    )


def _claims_in_all_readings(evidence: Evidence) -> list[Claim]:
    """The claims, as far as they hold however the answers are read and whatever the missing ones would have been."""
    claims_by_reading: dict[Reading, list[Claim]] = {}
    claims_of_a_rise: list[Claim] = []
    if evidence.same_words is not None:
        claims_by_reading["same words"] = _claims(evidence.same_words)
    if evidence.lacks_answers:
        claims_by_reading["missing"] = _claims(evidence.with_missing_against(1))
        claims_of_a_rise = _claims(evidence.with_missing_against(-1))
    return hold_in_all_readings(_claims(evidence), claims_by_reading, claims_of_a_rise)


def _tests(evidence: Evidence) -> Tests:
    if _has_answers(evidence.cells, WITHOUT):
        return _tests_with_counterfactuals(evidence)
    return _tests_without_counterfactuals(evidence.seeing)


def _claims(evidence: Evidence) -> list[Claim]:
    """One claim for each cause, from these answers, read this way."""
    tests = _tests(evidence)
    missed = _share_missed(evidence)
    return [_claim(name, test, len(tests), evidence, missed) for name, test in tests.items()]


def _unless_misread(claim: Claim, test: Test, evidence: Evidence) -> Claim:
    """Inconclusive where too many answers of an arm are missing, or errors of the measured size could make it."""
    cells = evidence.cells.of(test.where)
    lacking = too_many_missing(cells, test.arms)
    if lacking is not None:
        return lost_to(claim, ReadingRival("too many missing", arm=lacking))
    errors = evidence.errors.get(test.where)
    if errors is None:
        return claim
    for higher_arms, lower_arms in test.worded:
        if errors_could_make(cells.rate(higher_arms).value, cells.rate(lower_arms).value, errors):
            is_significant = claim.p <= ALONE or claim.p_change <= ALONE  # one of them may be NaN
            rival = ReadingRival("measured error", claim.share, None, errors.missed, errors.invented)
            return lost_to(claim, rival) if is_significant else claim
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


Tests = dict[str, Test]
"""By name of the cause."""


def _claim(name: str, test: Test, n_claims: int, evidence: Evidence, missed: Estimate | None) -> Claim:
    """What is claimed of a cause, with what its comparisons alone do not have."""
    within = "negation" if name == "overlooked" else None
    n_images = evidence.cells.n_images(test.neutral) if test.neutral else 0
    claimed = claim(name, test.where, test.effects, n_claims, within, test.against, n_images or None)
    if name == "overlooked":
        return exclude_if_described(claimed, missed)
    if name == "image":
        return _unless_single_images(claimed, share_of_images(evidence.cells, (PEOPLE.name, NOBODY.name)))
    return claimed


def _tests_with_counterfactuals(evidence: Evidence) -> Tests:
    """The tests of data that have images without the trigger."""
    return {
        **_trigger_tests(evidence),
        **_word_tests(evidence.cells),
        **_image_tests(evidence),
        **_length_tests(evidence.cells),
    }


def _trigger_tests(evidence: Evidence) -> Tests:
    """Is it the object or the negation in the image, and is the negation overlooked?"""
    risk = evidence.cells.of(Stimulus.EXAGGERATED_RISK)
    harm = evidence.cells.of(Stimulus.NEGATED_HARM)
    negation_removed = _fall(harm, OWN, WITHOUT)
    return {
        "object": Test(Stimulus.EXAGGERATED_RISK, {"removed": _fall(risk, OWN, WITHOUT)}, arms=(*OWN, *WITHOUT)),
        "negation": Test(Stimulus.NEGATED_HARM, {"removed": negation_removed}, arms=(*OWN, *WITHOUT)),
        "overlooked": Test(
            Stimulus.NEGATED_HARM,
            {
                "removed": negation_removed,
                "told": _fall(harm, (FILLER.name,), (DESCRIBED.name,)),
                "missed": _with_missed(evidence),
            },
            arms=(*OWN, *WITHOUT, FILLER.name, DESCRIBED.name),
        ),
    }


def _word_tests(cells: Cells) -> Tests:
    """Is it the words, or words and image together?"""
    risk = cells.of(Stimulus.EXAGGERATED_RISK)
    worded = cells.of(Stimulus.COUNTERINTUITIVE)
    questions_reworded = _fall(worded.where(_is_question), WITHOUT, NEITHER)
    harmless_questions_reworded = _fall(risk.where(_is_question), WITHOUT, NEITHER)
    return {
        "words": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "reworded": _fall(worded, WITHOUT, NEITHER),
                "reworded, long": _fall(worded, (LONG.name,), (NEUTRAL_LONG.name,)),
                "beyond harmless words": questions_reworded.minus(harmless_questions_reworded),
            },
            arms=(*WITHOUT, *NEITHER, LONG.name, NEUTRAL_LONG.name),
            worded=((WITHOUT, NEITHER), ((LONG.name,), (NEUTRAL_LONG.name,))),
        ),
        "together": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "removed": _fall(worded, OWN, WITHOUT),
                "reworded": _fall(worded, OWN, NEUTRAL),
                "beyond each": worded.contrast((1, OWN), (-1, WITHOUT), (-1, NEUTRAL), (1, NEITHER)),
            },
            arms=(*OWN, *WITHOUT, *NEUTRAL, *NEITHER),
            worded=((OWN, NEUTRAL),),
        ),
    }


def _length_tests(cells: Cells) -> Tests:
    """Is it how long the request is?"""
    worded = cells.of(Stimulus.COUNTERINTUITIVE)
    return {
        "length": Test(
            Stimulus.COUNTERINTUITIVE,
            {
                "own words shortened": _fall(worded, (LONG.name,), WITHOUT),
                "harmless words shortened": _fall(worded, (NEUTRAL_LONG.name,), NEITHER),
            },
            arms=(LONG.name, *WITHOUT, NEUTRAL_LONG.name, *NEITHER),
            worded=(((LONG.name,), WITHOUT), ((NEUTRAL_LONG.name,), NEITHER)),
        ),
    }


def _is_question(sample: Sample) -> bool:
    return "?" in sample.question


def _image_tests(evidence: Evidence) -> Tests:
    """Is it that there is an image, or what a harmless one shows? By requests that need none, or by the own words."""
    cells = evidence.cells
    if not _has_answers(cells, (BLANK.name,)):
        seeing = evidence.seeing
        return {"image": _any_image_test(seeing, ("blank",), ("text-only",), WITHOUT, "harmless image")}
    no_image = ("explicit",)
    blank = (BLANK.name,)
    harmless = (HARMLESS.name,)
    nobody = {id: image for (arm, id), image in cells.images.items() if arm == NOBODY.name} | evidence.images
    images = [nobody.get(sample.id, sample.id) for sample in cells.samples]
    people = cells.contrast((1, (PEOPLE.name,)), (-1, (NOBODY.name,)), clusters=images)
    scene = _fall(cells, harmless, blank)
    return {
        "image": _any_image_test(cells, blank, no_image, harmless, "harmless image"),
        "scene": Test(None, {"harmless image": scene}, neutral=BLANK.name, arms=(*harmless, *blank)),
        "people": Test(None, {"people": people}, arms=(PEOPLE.name, NOBODY.name)),
    }


def _tests_without_counterfactuals(seeing: Cells) -> Tests:
    """The tests of data without such images: only whether there is an image can be changed alone."""
    no_image = ("text-only",)
    image = _any_image_test(seeing, ("blank",), no_image, OWN, "own image")
    left_out = Test(None, {"own image": _fall(seeing, OWN, no_image)}, arms=(*OWN, *no_image))
    return {"image": image, LEFT_OUT: left_out}


def _any_image_test(
    cells: Cells, neutral: Sequence[str], no_image: Sequence[str], pictured: Sequence[str], name: str
) -> Test:
    """A neutral image does it, one that shows something does it too, and the neutral one does not do more."""
    effects = {"white image": _fall(cells, neutral, no_image), name: _fall(cells, pictured, no_image)}
    rivals = {"white beyond shown": _fall(cells, neutral, pictured)}
    return Test(None, effects, rivals, neutral[0], (*neutral, *no_image, *pictured))


def _fall(cells: Cells, from_arms: Sequence[str], to_arms: Sequence[str]) -> Effect:
    """By how much refusals fall from some arms to others."""
    return cells.contrast((1, from_arms), (-1, to_arms))


def _has_answers(cells: Cells, arms: Sequence[str]) -> bool:
    return bool(cells.cell(arms)[1].any())


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


def exclude_if_described(overlooked: Claim, missed: Estimate | None) -> Claim:
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
