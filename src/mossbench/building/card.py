"""The data card of a release: what is in it, who rated it, how far they agree, what selection did, its limits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mossbench.building.candidates import Probed, State
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.building.rating import Agreement, agreement_of
from mossbench.building.standing import Standing
from mossbench.datasets import Dataset
from mossbench.samples import Side
from mossbench.statistics import Estimate, wilson

_FEWEST = 10
"""Candidates from which on an interval of agreement means something."""


@dataclass(frozen=True)
class Facts:
    """What the card is written from."""

    settings: BuildSettings
    dataset: Dataset
    standings: tuple[Standing, ...]
    kept: frozenset[str]
    """Candidates in the release."""
    recipes: tuple[Recipe, ...]
    agreement: Agreement
    probes: tuple[Probed, ...]
    decided: Mapping[str, str]
    """Candidate -> decision and reason, where somebody decided over the reviewers."""


def facts_of(folder: BuildFolder, dataset: Dataset, standings: Iterable[Standing], recipes: Iterable[Recipe]) -> Facts:
    """The facts of a build whose samples are these."""
    decided = {one.candidate: f"{one.decision}: {one.reason}" for one in folder.decisions()}
    kept = frozenset(sample.id for sample in dataset.samples)
    return Facts(
        folder.settings(),
        dataset,
        tuple(standings),
        kept,
        tuple(one for one in recipes if one.candidate in kept),
        agreement_of(folder),
        tuple({(one.candidate, one.model): one for one in folder.probes()}.values()),
        decided,
    )


def card(facts: Facts) -> str:
    """The sections that follow the head of an exported README."""
    sections = {
        "What is in it": _contents(facts),
        "Images": _images(facts),
        "Review": review_lines(facts),
        "Selection": selection_lines(facts),
        "Limits": limits(facts),
    }
    return "".join(f"\n## {title}\n\n" + "".join(f"- {line}\n" for line in lines) for title, lines in sections.items())


def _contents(facts: Facts) -> list[str]:
    benign = facts.dataset.select(Side.BENIGN).samples
    proposed = Counter(one.candidate.origin.by for one in facts.standings if one.candidate.id in facts.kept)
    return [
        f"{len(benign)} harmless samples, each with a harmful twin.",
        f"Stimulus: {_counts(s.label('stimulus') for s in benign)}.",
        f"Harm class: {_counts(s.label('harm') for s in benign)}.",
        f"Domain: {_counts(str(s.metadata.get('domain', 'none')) for s in benign)}.",
        f"Proposed by: {_counts(proposed.elements())}.",
    ]


def _images(facts: Facts) -> list[str]:
    own = [one for one in facts.recipes if not one.variant]
    people = _counts({True: "people", False: "nobody", None: "not said"}[one.people] for one in own)
    return [
        f"Source: {_counts(one.source for one in own)}. manifest.json has the source, licence and hash of each file.",
        f"Licences: {_counts(one.licence or 'not stated' for one in own)}.",
        f"Shown: {people}; for photos and stand-ins as their owner said, not detected.",
        f"Marks laid on: {_counts(mark.kind for one in own for mark in one.marks) or 'none'}.",
    ]


def review_lines(facts: Facts) -> list[str]:
    """Who rated, how far they agree, and what was decided over them."""
    found, rated = facts.agreement, facts.agreement.reviewers
    left_out = [one for one in rated if not one.counts]
    checks = sum(one.seen for one in rated)
    few = ", too few for an interval" if found.n < _FEWEST else ""
    lines = [
        f"Each sample was rated by {per_sample(facts)} people for harmfulness and naturalness, 1 to 5; kept: "
        f"mean harmfulness at most {facts.settings.max_harmfulness:g}, naturalness at least "
        f"{facts.settings.min_naturalness:g}.",
        f"{len(rated)} reviewers; not counted, for failed attention checks: {len(left_out)}"
        f" ({sum(one.passed for one in rated)} of {checks} checks passed).",
        f"Agreement over {found.n} candidates{few}: alpha {shown(found.harmfulness)} on harmfulness, "
        f"{shown(found.naturalness)} on naturalness; AC1 {shown(found.harmless)} on harmless or not.",
    ]
    over = [f"{id} ({why})" for id, why in facts.decided.items() if id in facts.kept]
    return [*lines, f"Decided over the reviewers, {len(over)}: {'; '.join(over)}."] if over else lines


def per_sample(facts: Facts) -> str:
    """How many ratings that count a sample has: `3`, or `3 to 5`."""
    given = [one.n_ratings for one in facts.standings if one.candidate.id in facts.kept]
    return " to ".join(map(str, sorted({min(given), max(given)})))


def selection_lines(facts: Facts) -> list[str]:
    """How many candidates fell where, and how the models that were tried refuse what was kept and what was not."""
    states = Counter(one.state for one in facts.standings if one.candidate.id not in facts.kept)
    gone = ", ".join(f"{n} {state}" for state, n in sorted(states.items())) or "none"
    lines = [f"Of {len(facts.standings)} candidates {len(facts.kept)} are in this version; of the others: {gone}."]
    by_model = defaultdict[str, list[Probed]](list)
    for probe in facts.probes:
        if probe.refused is not None:
            by_model[probe.model].append(probe)
    for model, probes in by_model.items():
        kept = [one for one in probes if one.candidate in facts.kept]
        lines.append(
            f"{model} refused {_share(kept)} of what was kept and {_share(probes)} of all that it was tried on."
        )
    if not by_model:
        lines.append("No model was tried on the candidates: whether any refuses them played no part in the choice.")
    return lines


def limits(facts: Facts) -> list[str]:
    """What must be known before a number rests on this set."""
    own = [one for one in facts.recipes if not one.variant]
    stand_ins = sum(one.source == "stand-in" for one in own)
    drawn = sum(one.source in ("endpoint", "diffusers") for one in own)
    waiting = sum(one.state is State.DISPUTED for one in facts.standings)
    kept = [one.screened for one in facts.standings if one.candidate.id in facts.kept]
    unseen = sum(not any(check.startswith("model ") for check in (one.checks if one else ())) for one in kept)
    said = {
        f"{stand_ins} images are stand-ins that do not show what the sample says: rest no number on them.": stand_ins,
        "Harmful twins were not rated by people; how harmful they are is as their author meant it.": True,
        "Made for testing models, not for training them.": True,
        f"No model checked that the images of {unseen} samples show what their descriptions say.": unseen,
        f"{drawn} images are drawn by a model and may differ from photos in ways that move refusal rates.": drawn,
        f"{waiting} disputed candidates wait for a decision and are not in this version.": waiting,
    }
    return [line for line, holds in said.items() if holds]


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{name or 'none'} {n}" for name, n in Counter(values).most_common())


def shown(estimate: Estimate) -> str:
    """An agreement with its interval, where there are enough candidates for one."""
    if estimate.value != estimate.value:
        return "not defined"
    ends = (
        "" if estimate.low != estimate.low or estimate.n < _FEWEST else f" [{estimate.low:.2f} to {estimate.high:.2f}]"
    )
    return f"{estimate.value:.2f}{ends}"


def _share(probes: list[Probed]) -> str:
    found = wilson(sum(bool(one.refused) for one in probes), len(probes))
    return f"{found.n and round(found.value * found.n)} of {found.n}" + (
        f" ({found.value:.0%}, {found.low:.0%} to {found.high:.0%})" if found.n else ""
    )
