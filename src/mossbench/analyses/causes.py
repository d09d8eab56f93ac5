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
from mossbench.analyses.claims import CLAIM_LEVEL, RELEVANT_SIZE, Claim, Comparison, ReadingRival, adjust_p, claim
from mossbench.analyses.counterfactuals import Effect as ReportedEffect
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
"""What this analysis claims is a cause of refusals."""
Missed = NDArray[np.float64]
"""Samples × epochs: 1 where the model's description leaves the negation out, 0 where it has it, NaN else."""
OWN_REQUEST = ("plain",)
"""The arms with the request's own words and image, as `Cells` takes arms: a sequence of names."""
WITHOUT_TRIGGER = ("counterfactual",)
"""Own words; the image has no trigger."""
WITHOUT_OWN_WORDS = ("neutral",)
"""Harmless words; the own image."""
WITHOUT_EITHER = ("neutral-counterfactual",)
"""Harmless words; the image has no trigger."""
IMAGE_LEFT_OUT = "left-out"
"""The cause that is named where only leaving out the image can be compared. The value is written to files."""
DESCRIPTIONS_LEAVE_OUT = "left out"
"""The comparison with how often descriptions leave out the negation. The value is written to files."""
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
    changes: tuple[ReportedEffect, ...] = ()
    """How refusals change with each thing that was changed, also where no cause is named."""
    missed: Estimate | None = None
    """Share of its descriptions of images opposing a harm that leave the opposition out; None if none can be sorted."""
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
        return any(cause.share.n for cause in self.causes if cause.name not in ("image", IMAGE_LEFT_OUT))

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(cause.name for cause in self.causes if cause.named)

    @property
    def changed(self) -> tuple[Cause, ...]:
        """Where only the change is shown, and not why."""
        return tuple(cause for cause in self.causes if cause.changes and not cause.named)


@dataclass(frozen=True)
class Evidence:
    """The counted answers, and everything else that causes are named from."""

    cells: Cells
    seeing: Cells
    """The counted answers without those that ask for the image or say that the model cannot see, under any arm.

    For requests that need their image.
    """
    missed: Missed | None = None
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
    candidates = _candidates(evidence)
    claims_as_read = _claims_in_all_readings(evidence)
    causes = [_unless_misread(cause, candidates[cause.name], evidence) for cause in claims_as_read]
    _, n_asked = cells.cell(OWN_REQUEST)
    return Causes(
        causes=adjust_p(causes),
        rate=cells.rate(OWN_REQUEST),
        base=cells.rate(WITHOUT_EITHER),
        epochs=int(n_asked.max(initial=0)),
        repeats=_share_always_refused(cells),
        missed=_share_missed(evidence),
        n_answers=int(cells.asked.sum()),
    )


def _share_always_refused(cells: Cells) -> float:
    """Of samples asked more than once and refused at least once, the share always refused; NaN when there are none."""
    n_refused, n_asked = cells.cell(OWN_REQUEST)
    is_repeated = (n_asked > 1) & (n_refused > 0)
    if not is_repeated.any():
        return math.nan
    is_always_refused = n_refused == n_asked
    return float(is_always_refused[is_repeated].mean())


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


def _candidates(evidence: Evidence) -> Candidates:
    if _has_answers(evidence.cells, WITHOUT_TRIGGER):
        return _candidates_with_counterfactuals(evidence)
    return _candidates_without_counterfactuals(evidence.seeing)


def _claims(evidence: Evidence) -> list[Claim]:
    """One claim for each cause, from these answers, read this way."""
    candidates = _candidates(evidence)
    missed = _share_missed(evidence)
    return [_claim(name, candidate, len(candidates), evidence, missed) for name, candidate in candidates.items()]


def _unless_misread(cause: Claim, candidate: Candidate, evidence: Evidence) -> Claim:
    """The claim; inconclusive if an arm lacks too many answers, or if measured errors of the judge could explain it."""
    cells = evidence.cells.of(candidate.stimulus)
    arm_lacking_answers = too_many_missing(cells, candidate.arms)
    if arm_lacking_answers is not None:
        return lost_to(cause, ReadingRival("too many missing", arm=arm_lacking_answers))
    errors = evidence.errors.get(candidate.stimulus)
    if errors is None:
        return cause
    for higher_arms, lower_arms in candidate.arms_with_other_words:
        if errors_could_make(cells.rate(higher_arms).value, cells.rate(lower_arms).value, errors):
            is_significant = cause.p <= CLAIM_LEVEL or cause.p_change <= CLAIM_LEVEL  # one of them may be NaN
            rival = ReadingRival("measured error", cause.share, None, errors.missed, errors.invented)
            return lost_to(cause, rival) if is_significant else cause
    return cause


class Candidate(NamedTuple):
    """A cause that may be claimed, and the comparisons that have to show it."""

    stimulus: Stimulus | None
    """The requests that the cause is measured on; None if on all."""
    effects: dict[str, Effect]
    """The comparisons that have to hold, by name. The first one gives the size of the cause."""
    rivals: dict[str, Effect] | None = None
    """Comparisons that disprove the cause if they hold."""
    neutral_arm: str | None = None
    """The arm with neutral images; None if no comparison uses them."""
    arms: tuple[str, ...] = ()
    """All arms that the comparisons use."""
    arms_with_other_words: tuple[tuple[Sequence[str], Sequence[str]], ...] = ()
    """Pairs of arms, the higher rate first, that send different words, which a judge may read differently."""
    within: str | None = None
    """The cause that the same first comparison shows with fewer guards; None if there is none."""
    is_bounded_by_descriptions: bool = False
    """Whether the model's own descriptions limit how large the cause can be."""
    is_lost_to_single_images: bool = False
    """Whether the cause is lost if single images decide what is refused."""


Candidates = dict[str, Candidate]
"""By name of the cause."""


def _claim(name: str, candidate: Candidate, n_claims: int, evidence: Evidence, missed: Estimate | None) -> Claim:
    """The claim of a cause: by its comparisons, and by what descriptions or single images say about it."""
    n_images = evidence.cells.n_images(candidate.neutral_arm) if candidate.neutral_arm else 0
    cause = claim(
        name,
        candidate.stimulus,
        candidate.effects,
        n_claims,
        within=candidate.within,
        against=candidate.rivals,
        n_images=n_images or None,
    )
    if candidate.is_bounded_by_descriptions:
        return exclude_if_described(cause, missed)
    if candidate.is_lost_to_single_images:
        return _unless_single_images(cause, share_of_images(evidence.cells, (PEOPLE.name, NOBODY.name)))
    return cause


def _candidates_with_counterfactuals(evidence: Evidence) -> Candidates:
    """The causes that can be compared in data that have images without the trigger."""
    return {
        **_trigger_candidates(evidence),
        **_word_candidates(evidence.cells),
        **_image_candidates(evidence),
        **_length_candidates(evidence.cells),
    }


def _trigger_candidates(evidence: Evidence) -> Candidates:
    """Is it the object or the negation in the image, and is the negation overlooked?"""
    risk = evidence.cells.of(Stimulus.EXAGGERATED_RISK)
    harm = evidence.cells.of(Stimulus.NEGATED_HARM)
    negation_removed = _fall(harm, OWN_REQUEST, WITHOUT_TRIGGER)
    return {
        "object": Candidate(
            Stimulus.EXAGGERATED_RISK,
            {"removed": _fall(risk, OWN_REQUEST, WITHOUT_TRIGGER)},
            arms=(*OWN_REQUEST, *WITHOUT_TRIGGER),
        ),
        "negation": Candidate(
            Stimulus.NEGATED_HARM, {"removed": negation_removed}, arms=(*OWN_REQUEST, *WITHOUT_TRIGGER)
        ),
        "overlooked": Candidate(
            Stimulus.NEGATED_HARM,
            {
                "removed": negation_removed,
                "told": _fall(harm, (FILLER.name,), (DESCRIBED.name,)),
                "missed": _with_missed(evidence),
            },
            arms=(*OWN_REQUEST, *WITHOUT_TRIGGER, FILLER.name, DESCRIBED.name),
            within="negation",
            is_bounded_by_descriptions=True,
        ),
    }


def _word_candidates(cells: Cells) -> Candidates:
    """Is it the words, or words and image together?"""
    risk = cells.of(Stimulus.EXAGGERATED_RISK)
    worded = cells.of(Stimulus.COUNTERINTUITIVE)
    questions_reworded = _fall(worded.where(_is_question), WITHOUT_TRIGGER, WITHOUT_EITHER)
    harmless_questions_reworded = _fall(risk.where(_is_question), WITHOUT_TRIGGER, WITHOUT_EITHER)
    return {
        "words": Candidate(
            Stimulus.COUNTERINTUITIVE,
            {
                "reworded": _fall(worded, WITHOUT_TRIGGER, WITHOUT_EITHER),
                "reworded, long": _fall(worded, (LONG.name,), (NEUTRAL_LONG.name,)),
                "beyond harmless words": questions_reworded.minus(harmless_questions_reworded),
            },
            arms=(*WITHOUT_TRIGGER, *WITHOUT_EITHER, LONG.name, NEUTRAL_LONG.name),
            arms_with_other_words=((WITHOUT_TRIGGER, WITHOUT_EITHER), ((LONG.name,), (NEUTRAL_LONG.name,))),
        ),
        "together": Candidate(
            Stimulus.COUNTERINTUITIVE,
            {
                "removed": _fall(worded, OWN_REQUEST, WITHOUT_TRIGGER),
                "reworded": _fall(worded, OWN_REQUEST, WITHOUT_OWN_WORDS),
                "beyond each": worded.contrast(
                    (1, OWN_REQUEST), (-1, WITHOUT_TRIGGER), (-1, WITHOUT_OWN_WORDS), (1, WITHOUT_EITHER)
                ),
            },
            arms=(*OWN_REQUEST, *WITHOUT_TRIGGER, *WITHOUT_OWN_WORDS, *WITHOUT_EITHER),
            arms_with_other_words=((OWN_REQUEST, WITHOUT_OWN_WORDS),),
        ),
    }


def _length_candidates(cells: Cells) -> Candidates:
    """Is it how long the request is?"""
    worded = cells.of(Stimulus.COUNTERINTUITIVE)
    return {
        "length": Candidate(
            Stimulus.COUNTERINTUITIVE,
            {
                "own words shortened": _fall(worded, (LONG.name,), WITHOUT_TRIGGER),
                "harmless words shortened": _fall(worded, (NEUTRAL_LONG.name,), WITHOUT_EITHER),
            },
            arms=(LONG.name, *WITHOUT_TRIGGER, NEUTRAL_LONG.name, *WITHOUT_EITHER),
            arms_with_other_words=(((LONG.name,), WITHOUT_TRIGGER), ((NEUTRAL_LONG.name,), WITHOUT_EITHER)),
        ),
    }


def _is_question(sample: Sample) -> bool:
    return "?" in sample.question


def _image_candidates(evidence: Evidence) -> Candidates:
    """Is it that there is an image, or what a harmless one shows? By requests that need none, or by the own words."""
    cells = evidence.cells
    if not _has_answers(cells, (BLANK.name,)):
        seeing = evidence.seeing
        return {"image": _any_image_candidate(seeing, ("blank",), ("text-only",), WITHOUT_TRIGGER, "harmless image")}
    no_image = ("explicit",)
    blank = (BLANK.name,)
    harmless = (HARMLESS.name,)
    nobody = {id: image for (arm, id), image in cells.images.items() if arm == NOBODY.name} | evidence.images
    images = [nobody.get(sample.id, sample.id) for sample in cells.samples]
    people = cells.contrast((1, (PEOPLE.name,)), (-1, (NOBODY.name,)), clusters=images)
    scene = _fall(cells, harmless, blank)
    return {
        "image": _any_image_candidate(cells, blank, no_image, harmless, "harmless image"),
        "scene": Candidate(None, {"harmless image": scene}, neutral_arm=BLANK.name, arms=(*harmless, *blank)),
        "people": Candidate(None, {"people": people}, arms=(PEOPLE.name, NOBODY.name)),
    }


def _candidates_without_counterfactuals(seeing: Cells) -> Candidates:
    """The causes that can be compared in data without such images: only the presence of an image can be changed."""
    no_image = ("text-only",)
    image = _any_image_candidate(seeing, ("blank",), no_image, OWN_REQUEST, "own image")
    left_out = Candidate(None, {"own image": _fall(seeing, OWN_REQUEST, no_image)}, arms=(*OWN_REQUEST, *no_image))
    return {"image": image, IMAGE_LEFT_OUT: left_out}


def _any_image_candidate(
    cells: Cells, neutral: Sequence[str], no_image: Sequence[str], pictured: Sequence[str], name: str
) -> Candidate:
    """A neutral image does it, one that shows something does it too, and the neutral one does not do more."""
    effects = {"white image": _fall(cells, neutral, no_image), name: _fall(cells, pictured, no_image)}
    rivals = {"white beyond shown": _fall(cells, neutral, pictured)}
    return Candidate(
        None,
        effects,
        rivals,
        neutral_arm=neutral[0],
        arms=(*neutral, *no_image, *pictured),
        is_lost_to_single_images=True,
    )


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
    """The claim about images in general, lost if the model goes by single images: then their presence is no cause."""
    if share is None:
        return image
    rival = Comparison("single images", *share, against=True, level=single_images.LEVEL)
    p = 1.0 if rival.lost and not math.isnan(image.p) else image.p
    return replace(image, p=p, comparisons=(*image.comparisons, rival))


def exclude_if_described(overlooked: Claim, missed: Estimate | None) -> Claim:
    """The claim, excluded if the model's descriptions rarely leave the negation out: it can overlook no more."""
    if missed is None or not missed.high < RELEVANT_SIZE:
        return overlooked
    measured = [comparison for comparison in overlooked.comparisons if not math.isnan(comparison.p)]
    bound = Comparison(DESCRIPTIONS_LEAVE_OUT, missed, 1.0, is_bound=True)
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
