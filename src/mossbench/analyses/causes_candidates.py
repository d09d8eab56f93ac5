"""Which comparisons have to show a cause, and which would disprove it; `causes` decides whether they do.

Data that have images without the trigger allow all of them; other data only those about the presence of an image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mossbench.analyses.causes_arms import BLANK, HARMLESS, LONG, NEUTRAL_LONG, NOBODY, PEOPLE
from mossbench.analyses.causes_evidence import Evidence, refusals_where_left_out
from mossbench.analyses.cells import Cells
from mossbench.analyses.stages import DESCRIBED, FILLER
from mossbench.samples import Sample, Stimulus
from mossbench.statistics import Effect

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
    """Pairs of arms that send different words, which a judge may read differently. If the cause is there, the first of
    a pair is refused more often."""
    first_changes_words: bool = False
    """Whether the arms of the first comparison are the first of these pairs."""
    within: str | None = None
    """The cause that has the same first comparison and fewer others; None if there is none."""
    is_bounded_by_descriptions: bool = False
    """Whether the model's own descriptions limit how large the cause can be."""
    is_lost_to_single_images: bool = False
    """Whether the cause is lost if single images decide what is refused."""


Candidates = dict[str, Candidate]
"""By name of the cause."""


def candidates_of(evidence: Evidence) -> Candidates:
    """The causes that these data can show."""
    if _has_answers(evidence.cells, WITHOUT_TRIGGER):
        return _candidates_with_counterfactuals(evidence)
    return _candidates_without_counterfactuals(evidence.seeing)


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
                "missed": refusals_where_left_out(evidence),
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
            first_changes_words=True,
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
            first_changes_words=True,
        ),
    }


def _is_question(sample: Sample) -> bool:
    return "?" in sample.question


def _image_candidates(evidence: Evidence) -> Candidates:
    """Is it that there is an image, or what a harmless one shows? By requests that need none, or by the own words."""
    cells = evidence.cells
    blank = (BLANK.name,)
    if not _has_answers(cells, blank):
        image = _any_image_candidate(evidence.seeing, ("blank",), ("text-only",), WITHOUT_TRIGGER, "harmless image")
        return {"image": image}
    no_image = ("explicit",)
    harmless = (HARMLESS.name,)
    people = cells.contrast((1, (PEOPLE.name,)), (-1, (NOBODY.name,)), clusters=_images_without_people(evidence))
    scene = _fall(cells, harmless, blank)
    return {
        "image": _any_image_candidate(cells, blank, no_image, harmless, "harmless image"),
        "scene": Candidate(None, {"harmless image": scene}, neutral_arm=BLANK.name, arms=(*harmless, *blank)),
        "people": Candidate(None, {"people": people}, arms=(PEOPLE.name, NOBODY.name)),
    }


def _images_without_people(evidence: Evidence) -> list[str]:
    """For each sample the image without people that it was asked with; its id where that is not known."""
    cells = evidence.cells
    image_of_sample = {id: image for (arm, id), image in cells.images.items() if arm == NOBODY.name}
    image_of_sample |= evidence.images
    return [image_of_sample.get(sample.id, sample.id) for sample in cells.samples]


def _candidates_without_counterfactuals(seeing: Cells) -> Candidates:
    """The causes that can be compared in data without such images: only the presence of an image can be changed."""
    no_image = ("text-only",)
    image = _any_image_candidate(seeing, ("blank",), no_image, OWN_REQUEST, "own image")
    left_out = Candidate(None, {"own image": _fall(seeing, OWN_REQUEST, no_image)}, arms=(*OWN_REQUEST, *no_image))
    return {"image": image, IMAGE_LEFT_OUT: left_out}


def _any_image_candidate(
    cells: Cells,
    neutral_image: Sequence[str],
    no_image: Sequence[str],
    shown_image: Sequence[str],
    name_of_shown: str,
) -> Candidate:
    """A neutral image does it, one that shows something does it too, and the neutral one does not do more."""
    effects = {
        "white image": _fall(cells, neutral_image, no_image),
        name_of_shown: _fall(cells, shown_image, no_image),
    }
    rivals = {"white beyond shown": _fall(cells, neutral_image, shown_image)}
    return Candidate(
        None,
        effects,
        rivals,
        neutral_arm=neutral_image[0],
        arms=(*neutral_image, *no_image, *shown_image),
        is_lost_to_single_images=True,
    )


def _fall(cells: Cells, from_arms: Sequence[str], to_arms: Sequence[str]) -> Effect:
    """By how much refusals fall from some arms to others."""
    return cells.contrast((1, from_arms), (-1, to_arms))


def _has_answers(cells: Cells, arms: Sequence[str]) -> bool:
    _, n_asked = cells.cell(arms)
    return bool(n_asked.any())
