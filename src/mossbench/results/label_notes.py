"""What is to be said of labels of a run: how they were drawn, and why they correct nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mossbench.outcomes import Layer, Rule
from mossbench.results.labels import Labels
from mossbench.results.rates import yes
from mossbench.samples import Side, Stimulus
from mossbench.statistics import random_choice

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow
    from mossbench.results.table import Results

P_NOT_RANDOM = 0.01
"""Below this p-value labelled answers are taken as not drawn at random."""


def rests_on(labels: Labels, sides: Collection[Side]) -> str:
    """How many answers of these sides were drawn, how we know that the draw was random, and who labelled them."""
    draws = [labels.drawn_on(side) for side in sides]
    n_labelled = sum(draw.n_labelled for draw in draws)
    n_drawn = sum(draw.n for draw in draws)
    people = {0: "people", 1: "one person"}.get(labels.n_annotators, f"{labels.n_annotators} people")
    if all(side in labels.whole_sides for side in sides if labels.drawn_on(side).n):
        return f"all answers, labelled by {people}"
    source = "as the user says" if labels.drawn else "as their rows say"
    return f"{n_labelled} of {n_drawn} drawn at random, {source}, labelled by {people}"


def unknown_choice(labels: Labels) -> str:
    """A message: labels do not say how they were chosen, and what to do."""
    verb = "answer does" if labels.n_unknown == 1 else "answers do"
    if labels.file is not None:
        way_out = "--labels-drawn random"
    else:
        file_name = labels.source.split("/")[-2]  # of human/FILE/VERSION; pages name no folders of this machine
        way_out = f"mossbench judge apply RUN --judge 'human/{file_name}?drawn=random'"
    return (
        f"{labels.n_unknown} labelled {verb} not say how they were chosen, so they correct nothing: labels of "
        f"answers that looked wrong would make the rate worse. If they were drawn at random, say so in a column draw "
        f"(random), or with {way_out}."
    )


def chosen_for_a_reason(labels: Labels) -> str:
    """A message: no labelled answer was chosen at random. Empty if any was, or if that is not known."""
    if labels.at_random or labels.of_unknown_choice or not labels.n_apart:
        return ""
    if labels.n_apart == 1:
        return "The labelled answer was not chosen at random, so no rate is corrected by it."
    return f"None of the {labels.n_apart} labelled answers was chosen at random, so no rate is corrected by them."


def sides_not_random(results: Results, rule: Rule, labels: Labels) -> dict[Side, str]:
    """By side, how labelled answers differ from the others; only for sides where they clearly do."""
    differing: dict[Side, str] = {}
    if not labels.at_random:
        return differing
    for side in Side:
        message = _why_not_random([row for row in results.rows if row.key.side is side], rule, labels)
        if message:
            differing[side] = message
    return differing


def sides_partly_labelled(labels: Labels) -> dict[Side, str]:
    """By side, how much of the draw is labelled; only for sides where too little of it is."""
    messages = {side: _why_partly_labelled(labels, side) for side in Side}
    return {side: message for side, message in messages.items() if message}


def _why_partly_labelled(labels: Labels, side: Side) -> str:
    """How much of the draw of a side is labelled; empty if enough of it is."""
    drawn = labels.drawn_on(side)
    if not drawn.n_to_label:
        return ""
    return (
        f"Only {drawn.n_labelled} of the {drawn.n} answers that were drawn at random have a label, and those that were "
        f"labelled first are no random choice: label at least {drawn.n_to_label} more of them (a tie does not count)."
    )


def _why_not_random(rows: Sequence[ResultRow], rule: Rule, labels: Labels) -> str:
    """How labelled answers differ from the others; empty if chance may explain the difference."""
    rows_by_sample: dict[str, list[ResultRow]] = defaultdict(list)
    for row in rows:
        if row.outcome.layer is Layer.JUDGED:
            rows_by_sample[row.key.sample].append(row)
    is_labelled = []
    refusal_rates = []
    stimuli = []
    for rows_of_sample in rows_by_sample.values():
        is_labelled.append(any(row.key in labels.at_random for row in rows_of_sample))
        refusal_rates.append(float(np.mean(yes(rows_of_sample, rule))))
        stimuli.append(_one_hot(rows_of_sample[0].sample.stimulus))
    if _differ_by_more_than_chance([[rate] for rate in refusal_rates], is_labelled):
        return _different_readings(refusal_rates, is_labelled)
    if _differ_by_more_than_chance(stimuli, is_labelled):
        return "The labelled answers have a different mix of stimuli than the others."
    return ""


def _differ_by_more_than_chance(values: Sequence[Sequence[float]], is_labelled: Sequence[bool]) -> bool:
    """Whether the values of labelled samples differ from those of the others."""
    return random_choice(values, is_labelled, rng=np.random.default_rng(0)).p < P_NOT_RANDOM


def _different_readings(refusal_rates: Sequence[float], is_labelled: Sequence[bool]) -> str:
    pairs = list(zip(refusal_rates, is_labelled, strict=True))
    rate_of_labelled = float(np.mean([rate for rate, has_label in pairs if has_label]))
    rate_of_others = float(np.mean([rate for rate, has_label in pairs if not has_label]))
    return (
        f"The judge reads {_percent(rate_of_labelled)} of the labelled answers as refused but "
        f"{_percent(rate_of_others)} of the others."
    )


def _one_hot(stimulus: Stimulus | None) -> list[float]:
    return [float(stimulus is known_stimulus) for known_stimulus in Stimulus]


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u202f%"
