"""The data card of a release: what is in it, who rated it, how far they agree, what selection did, its limits."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mossbench.building.candidate_states import Standing
from mossbench.building.candidates import Probed, State
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.building.rating import Agreement
from mossbench.datasets import Dataset
from mossbench.samples import Sample, Side
from mossbench.statistics import Estimate, wilson

_FEWEST = 10
"""Candidates from which on an interval of agreement means something."""
_PEOPLE = {True: "people", False: "nobody", None: "unknown"}


@dataclass(frozen=True)
class DataCard:
    """The sections that follow the head of an exported README; croissant.json has some of them too."""

    contents: list[str]
    images: list[str]
    rating_protocol: str
    """How the samples were rated."""
    rating_quality: list[str]
    """Reviewers, their agreement, and what was decided over them."""
    selection: list[str]
    limits: list[str]

    @property
    def text(self) -> str:
        """The card in Markdown."""
        sections = {
            "What is in it": self.contents,
            "Images": self.images,
            "Review": [self.rating_protocol, *self.rating_quality],
            "Selection": self.selection,
            "Limits": self.limits,
        }
        return "\n".join(_section(title, lines) for title, lines in sections.items())


def _section(title: str, lines: Iterable[str]) -> str:
    listed = "".join(f"- {line}\n" for line in lines)
    return f"## {title}\n\n{listed}"


@dataclass(frozen=True)
class _Facts:
    """What the card is written from."""

    benign: Sequence[Sample]
    standings: Sequence[Standing]
    """Of all candidates."""
    recipes: Sequence[Recipe]
    """Of the harmless samples' own images."""
    agreement: Agreement
    decided: Mapping[str, str]
    settings: BuildSettings
    probes: Sequence[Probed]

    @property
    def released_ids(self) -> set[str]:
        return {sample.id for sample in self.benign}

    @property
    def released(self) -> list[Standing]:
        return [standing for standing in self.standings if standing.candidate.id in self.released_ids]

    @property
    def n_not_released(self) -> Counter[State]:
        """By state, how many candidates are not in the release."""
        return Counter(standing.state for standing in self.standings if standing.candidate.id not in self.released_ids)


def card(
    folder: BuildFolder,
    dataset: Dataset,
    standings: Sequence[Standing],
    recipes: Collection[Recipe],
    agreement: Agreement,
    decided: Mapping[str, str],
) -> DataCard:
    """The card; recipes and decisions are of what is in the release."""
    facts = _Facts(
        benign=dataset.select(Side.BENIGN).samples,
        standings=standings,
        recipes=[recipe for recipe in recipes if not recipe.variant],
        agreement=agreement,
        decided=decided,
        settings=folder.settings(),
        probes=folder.probes(),
    )
    return DataCard(
        contents=_contents(facts),
        images=_images(facts),
        rating_protocol=_rating_protocol(facts),
        rating_quality=_rating_quality(facts),
        selection=_selection(facts),
        limits=_limits(facts),
    )


def _contents(facts: _Facts) -> list[str]:
    benign = facts.benign
    n_samples = "1 harmless sample" if len(benign) == 1 else f"{len(benign)} harmless samples, each"
    return [
        f"{n_samples} with a harmful twin.",
        f"Stimulus: {_counts(sample.label('stimulus') for sample in benign)}.",
        f"Harm class: {_counts(sample.label('harm') for sample in benign)}.",
        f"Domain: {_counts(str(sample.metadata.get('domain', 'none')) for sample in benign)}.",
        f"Proposed by: {_counts(standing.candidate.origin.by for standing in facts.released)}.",
    ]


def _images(facts: _Facts) -> list[str]:
    recipes = facts.recipes
    marks: list[str] = []
    for recipe in recipes:
        marks += [mark.kind for mark in recipe.marks]
    sources = _counts(recipe.source for recipe in recipes)
    people = _counts(_PEOPLE[recipe.people] for recipe in recipes)
    return [
        f"Source: {sources}. manifest.json has the source, licence and hash of each file.",
        f"Licences: {_counts(recipe.licence or 'not stated' for recipe in recipes)}.",
        f"Shown: {people}; for photos and stand-ins as stated by their owner, not detected.",
        f"Marks added: {_counts(marks) or 'none'}.",
    ]


def _rating_protocol(facts: _Facts) -> str:
    n_ratings = per_sample(facts.released)
    people = "person" if n_ratings == "1" else "people"
    return (
        f"Each sample was rated by {n_ratings} {people} for harmfulness and naturalness, 1 to 5; kept: mean "
        f"harmfulness at most {facts.settings.max_harmfulness:g}, naturalness at least "
        f"{facts.settings.min_naturalness:g}."
    )


def _rating_quality(facts: _Facts) -> list[str]:
    agreement = facts.agreement
    reviewers = agreement.reviewers
    n_not_counted = sum(not reviewer.counts for reviewer in reviewers)
    n_passed = sum(reviewer.passed for reviewer in reviewers)
    n_checks = sum(reviewer.seen for reviewer in reviewers)
    too_few = ", too few for an interval" if agreement.n < _FEWEST else ""
    lines = [
        f"{_plural(len(reviewers), 'reviewer')}; not counted, for failed attention checks: {n_not_counted} "
        f"({n_passed} of {n_checks} checks passed).",
        f"Agreement over {_plural(agreement.n, 'candidate')}{too_few}: alpha {shown(agreement.harmfulness)} on "
        f"harmfulness, {shown(agreement.naturalness)} on naturalness; AC1 {shown(agreement.harmless)} on harmless or "
        "not.",
    ]
    if facts.decided:
        decisions = "; ".join(f"{id} ({why})" for id, why in facts.decided.items())
        lines.append(f"Decisions over the reviewers, {len(facts.decided)}: {decisions}.")
    return lines


def _selection(facts: _Facts) -> list[str]:
    n_released = len(facts.released)
    verb = "is" if n_released == 1 else "are"
    by_state = ", ".join(f"{n} {state}" for state, n in sorted(facts.n_not_released.items())) or "none"
    n_candidates = _plural(len(facts.standings), "candidate")
    counts = f"Of {n_candidates} {n_released} {verb} in this version; of the others: {by_state}."
    probes = _probe_lines(facts.probes, facts.released_ids)
    if not probes:
        return [counts, "No model was tried on the candidates, so refusals played no part in the selection."]
    return [counts, *probes]


def _limits(facts: _Facts) -> list[str]:
    sources = Counter[str](recipe.source for recipe in facts.recipes)
    n_drawn = sources["endpoint"] + sources["diffusers"]
    n_unchecked = sum(not _is_checked_by_model(standing) for standing in facts.released)
    lines = []
    if sources["stand-in"]:
        lines.append(_stand_in_limit(sources["stand-in"]))
    lines.append("Harmful twins were not rated by people; their harmfulness is as intended by their author.")
    lines.append("Made for testing models, not for training them.")
    if n_unchecked == 1:
        lines.append("No model checked that the image of 1 sample shows what its description says.")
    elif n_unchecked:
        lines.append(f"No model checked that the images of {n_unchecked} samples show what their descriptions say.")
    if n_drawn:
        images_are = "1 image is" if n_drawn == 1 else f"{n_drawn} images are"
        lines.append(f"{images_are} drawn by a model and may differ from photos in ways that move refusal rates.")
    n_disputed = facts.n_not_released[State.DISPUTED]
    if n_disputed:
        waits = "1 disputed candidate waits" if n_disputed == 1 else f"{n_disputed} disputed candidates wait"
        verb = "is" if n_disputed == 1 else "are"
        lines.append(f"{waits} for a decision and {verb} not in this version.")
    return lines


def _stand_in_limit(n: int) -> str:
    if n == 1:
        return "1 image is a stand-in that does not show what the sample says: base no number on it."
    return f"{n} images are stand-ins that do not show what the sample says: base no number on them."


def _is_checked_by_model(standing: Standing) -> bool:
    """Whether a model looked if the image shows what its description says."""
    return standing.screened is not None and bool(standing.screened.models)


def per_sample(released: Iterable[Standing]) -> str:
    """How many ratings that count a sample has: `3`, or `3 to 5`."""
    n_ratings = [standing.n_ratings for standing in released]
    least_and_most = sorted({min(n_ratings), max(n_ratings)})
    return " to ".join(map(str, least_and_most))


def _probe_lines(probes: Iterable[Probed], released_ids: Collection[str]) -> list[str]:
    """Models that were tried, with how much they refuse of what is in the release and of all."""
    last_probes = {(probe.candidate, probe.model): probe for probe in probes}
    refused_by_model = defaultdict[str, dict[str, bool]](dict)
    for probe in last_probes.values():
        if probe.refused is not None:
            refused_by_model[probe.model][probe.candidate] = probe.refused
    lines = []
    for model, refused in refused_by_model.items():
        released = _share([is_refused for id, is_refused in refused.items() if id in released_ids])
        tried = _share(list(refused.values()))
        lines.append(f"{model} refused {released} of the released candidates and {tried} of all that it was tried on.")
    return lines


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{name or 'none'} {n}" for name, n in Counter(values).most_common())


def shown(estimate: Estimate) -> str:
    """An agreement with its interval, where there are enough candidates for one."""
    if math.isnan(estimate.value):
        return "not defined"
    value = f"{estimate.value:.2f}"
    if math.isnan(estimate.low) or estimate.n < _FEWEST:
        return value
    return f"{value} [{estimate.low:.2f} to {estimate.high:.2f}]"


def _share(refused: list[bool]) -> str:
    n_refused = sum(refused)
    share = wilson(n_refused, len(refused))
    count = f"{n_refused} of {share.n}"
    if not share.n:
        return count
    return f"{count} ({share.value:.0%}, {share.low:.0%} to {share.high:.0%})"
