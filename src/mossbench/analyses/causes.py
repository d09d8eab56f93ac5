"""The analysis `causes`: what has to be changed for refusals to go away.

`causes_arms` has what is asked, `causes_evidence` what is counted, `causes_candidates` which comparisons have to show a
cause; `claims` decides whether they do.

Every comparison changes one thing and leaves the rest: the same words, the same image but for that, the same epochs. A
cause is claimed when all comparisons that exclude its rivals hold, and is named after what was changed.
`docs/analyses.md` has the table of causes, comparisons and rivals, and how often a cause that exists is found.

To name something in the image as a cause, the data need the same image without its trigger (`counterfactual`); a box
painted over the trigger does not count. Without such images, as in the published data, it can only be claimed that an
image is there at all, or that refusals fall when it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mossbench.analyses import causes_arms, single_images, stages
from mossbench.analyses.analysis import Options
from mossbench.analyses.causes_arms import NOBODY, PEOPLE
from mossbench.analyses.causes_candidates import (
    IMAGE_LEFT_OUT,
    OWN_REQUEST,
    WITHOUT_EITHER,
    Candidate,
    candidates_of,
)
from mossbench.analyses.causes_evidence import Evidence, evidence_of, share_left_out
from mossbench.analyses.cells import Cells, cells_of
from mossbench.analyses.claims import CLAIM_LEVEL, Claim, Comparison, ReadingRival, adjust_p, make_claim
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
from mossbench.analyses.needed import RELEVANT_SIZE
from mossbench.analyses.single_images import share_of_images
from mossbench.results.table import Results
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate

Cause = Claim
"""What this analysis claims is a cause of refusals."""
DESCRIPTIONS_LEAVE_OUT = "left out"
"""The comparison with how often descriptions leave out the negation. The value is written to files."""
# What `Analysis` looks for in the module of an analysis, beside `measure`.
arms = causes_arms.arms
read = stages.read


@dataclass(frozen=True)
class Causes:
    """What the analysis found: each cause as a claim, shown or not."""

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
    def can_show_causes(self) -> bool:
        """Whether the data have what it takes to show at least one cause that lies in image or words."""
        return any(cause.share.n for cause in self.causes if cause.name not in ("image", IMAGE_LEFT_OUT))

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Names of the causes that are shown."""
        return tuple(cause.name for cause in self.causes if cause.is_shown)

    @property
    def unexplained(self) -> tuple[Cause, ...]:
        """Where only the change is shown, and not why."""
        return tuple(cause for cause in self.causes if cause.changes and not cause.is_shown)


def measure(results: Results, options: Options) -> Causes:
    """The causes in a run, with the answers counted by the rule in the options."""
    evidence = evidence_of(results, options)
    read_alike = read_same_words_alike(results, options.rule)
    same_words = evidence_of(read_alike, options) if read_alike is not results else None
    errors = {stimulus: measured_errors(results, stimulus) for stimulus in (*Stimulus, None)}  # None: of all
    causes = name_causes(replace(evidence, same_words=same_words, errors=errors))
    changes = effects_of(cells_of(results, options.rule))
    return replace(causes, changes=changes, readings=arm_readings(results, options.rule))


def name_causes(evidence: Evidence | Cells) -> Causes:
    """The causes that the evidence shows; cells alone are taken as all the evidence."""
    if isinstance(evidence, Cells):
        evidence = Evidence(evidence, evidence)
    cells = evidence.cells
    candidates = candidates_of(evidence)
    claims_as_read = _claims_in_all_readings(evidence)
    causes = [_unless_misread(cause, candidates[cause.name], evidence) for cause in claims_as_read]
    _, n_asked = cells.cell(OWN_REQUEST)
    return Causes(
        causes=adjust_p(causes),
        rate=cells.rate(OWN_REQUEST),
        base=cells.rate(WITHOUT_EITHER),
        epochs=int(n_asked.max(initial=0)),
        repeats=_share_always_refused(cells),
        missed=share_left_out(evidence),
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


def _claims(evidence: Evidence) -> list[Claim]:
    """One claim for each cause, from these answers, read this way."""
    candidates = candidates_of(evidence)
    left_out = share_left_out(evidence)
    return [_claim(name, candidate, len(candidates), evidence, left_out) for name, candidate in candidates.items()]


def _unless_misread(cause: Claim, candidate: Candidate, evidence: Evidence) -> Claim:
    """The claim; inconclusive if an arm lacks too many answers, or if measured errors of the judge could explain it."""
    cells = evidence.cells.of(candidate.stimulus)
    arm_lacking_answers = too_many_missing(cells, candidate.arms)
    if arm_lacking_answers is not None:
        return lost_to(cause, ReadingRival("too many missing", arm=arm_lacking_answers))
    errors = evidence.errors.get(candidate.stimulus)
    if errors is None or not _could_be_errors(cause, candidate, cells, errors):
        return cause
    return lost_to(cause, ReadingRival("measured error", cause.share, None, errors.missed, errors.invented))


def _could_be_errors(cause: Claim, candidate: Candidate, cells: Cells, errors: Errors) -> bool:
    """Whether a judge with these errors could make what the claim shows, though arms are refused equally often."""
    is_fall_shown = cause.p <= CLAIM_LEVEL or cause.p_change <= CLAIM_LEVEL  # one of them may be NaN
    is_rise_shown = cause.p_reverse <= CLAIM_LEVEL
    for i, (arms, other_arms) in enumerate(candidate.arms_with_other_words):
        rate = cells.rate(arms).value
        other_rate = cells.rate(other_arms).value
        if is_fall_shown and errors_could_make(rate, other_rate, errors):
            return True
        is_first_comparison = i == 0 and candidate.first_changes_words
        if is_rise_shown and is_first_comparison and errors_could_make(other_rate, rate, errors):
            return True
    return False


def _claim(name: str, candidate: Candidate, n_claims: int, evidence: Evidence, left_out: Estimate | None) -> Claim:
    """The claim of a cause: by its comparisons, and by what descriptions or single images say about it."""
    n_images = evidence.cells.n_images(candidate.neutral_arm) if candidate.neutral_arm else 0
    cause = make_claim(
        name,
        candidate.stimulus,
        candidate.effects,
        n_claims,
        within=candidate.within,
        rivals=candidate.rivals,
        n_images=n_images or None,
    )
    if candidate.is_bounded_by_descriptions:
        return exclude_if_described(cause, left_out)
    if candidate.is_lost_to_single_images:
        return _unless_single_images(cause, share_of_images(evidence.cells, (PEOPLE.name, NOBODY.name)))
    return cause


def _unless_single_images(cause: Claim, share_and_p: tuple[Estimate, float] | None) -> Claim:
    """The claim about images in general, lost if the model goes by single images: then their presence is no cause."""
    if share_and_p is None:
        return cause
    share, p_of_rival = share_and_p
    rival = Comparison("single images", share, p_of_rival, against=True, level=single_images.LEVEL)
    is_lost = rival.leaves_rival_open and not math.isnan(cause.p)
    p = 1.0 if is_lost else cause.p
    return replace(cause, p=p, comparisons=(*cause.comparisons, rival))


def exclude_if_described(overlooked: Claim, left_out: Estimate | None) -> Claim:
    """The claim, excluded if the model's descriptions rarely leave the negation out: it can overlook no more."""
    if left_out is None or not left_out.high < RELEVANT_SIZE:
        return overlooked
    measured = [comparison for comparison in overlooked.comparisons if not math.isnan(comparison.p)]
    bound = Comparison(DESCRIPTIONS_LEAVE_OUT, left_out, 1.0, is_bound=True)
    return replace(overlooked, p=1.0, comparisons=(*measured, bound))
