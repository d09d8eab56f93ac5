"""The data card of a release: what is in it, who rated it, how far they agree, what selection did, its limits.

Its sentences are in card.md.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from mossbench.building.candidate_states import Standing
from mossbench.building.candidates import Probed, State
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import Recipe
from mossbench.building.rating import Agreement
from mossbench.datasets import Dataset
from mossbench.plumbing.templates import rendered
from mossbench.samples import Sample, Side
from mossbench.statistics import Estimate, wilson

_FEWEST = 10
"""Candidates from which on an interval of agreement means something."""
_PEOPLE = {True: "people", False: "nobody", None: "unknown"}


def card(
    folder: BuildFolder,
    dataset: Dataset,
    standings: Sequence[Standing],
    recipes: Collection[Recipe],
    agreement: Agreement,
    decided: dict[str, str],
) -> str:
    """The sections that follow the head of an exported README; recipes and decisions are of what is in the release."""
    benign = dataset.select(Side.BENIGN).samples
    released_ids = {sample.id for sample in benign}
    kept = [standing for standing in standings if standing.candidate.id in released_ids]
    not_kept = Counter(standing.state for standing in standings if standing.candidate.id not in released_ids)
    return rendered(
        Path(__file__).with_suffix(".md"),
        **_sample_facts(benign, kept),
        **_image_facts([recipe for recipe in recipes if not recipe.variant]),
        settings=folder.settings(),
        per_sample=per_sample(kept),
        agreement=agreement,
        rated=agreement.reviewers,
        fewest=_FEWEST,
        shown=shown,
        over=[f"{id} ({why})" for id, why in decided.items()],
        n=len(standings),
        kept=kept,
        gone=", ".join(f"{n} {state}" for state, n in sorted(not_kept.items())) or "none",
        probes=_probe_lines(folder.probes(), released_ids),
        unseen=sum(not _is_checked_by_model(standing) for standing in kept),
        waiting=not_kept[State.DISPUTED],
    )


def _sample_facts(benign: Sequence[Sample], kept: Sequence[Standing]) -> dict[str, str | int]:
    """What the card says about the harmless samples, by its names."""
    return {
        "n_benign": len(benign),
        "stimuli": _counts(sample.label("stimulus") for sample in benign),
        "harms": _counts(sample.label("harm") for sample in benign),
        "domains": _counts(str(sample.metadata.get("domain", "none")) for sample in benign),
        "proposed_by": _counts(standing.candidate.origin.by for standing in kept),
    }


def _image_facts(recipes: Sequence[Recipe]) -> dict[str, str | int]:
    """What the card says about the images of the harmless samples, by its names."""
    sources = Counter[str](recipe.source for recipe in recipes)
    marks: list[str] = []
    for recipe in recipes:
        marks += [mark.kind for mark in recipe.marks]
    return {
        "sources": _counts(sources.elements()),
        "licences": _counts(recipe.licence or "not stated" for recipe in recipes),
        "people": _counts(_PEOPLE[recipe.people] for recipe in recipes),
        "marks": _counts(marks),
        "stand_ins": sources["stand-in"],
        "drawn": sources["endpoint"] + sources["diffusers"],
    }


def _is_checked_by_model(standing: Standing) -> bool:
    """Whether a model looked if the image shows what its description says."""
    return standing.screened is not None and bool(standing.screened.models)


def lines_of(card: str, title: str) -> list[str]:
    """The lines of one of its sections."""
    section = card.partition(f"## {title}\n")[2].partition("\n## ")[0]
    _, *lines = re.split(r"^- ", section, flags=re.MULTILINE)
    return [line.rstrip("\n") for line in lines]


def per_sample(kept: Iterable[Standing]) -> str:
    """How many ratings that count a sample has: `3`, or `3 to 5`."""
    n_ratings = [standing.n_ratings for standing in kept]
    least_and_most = sorted({min(n_ratings), max(n_ratings)})
    return " to ".join(map(str, least_and_most))


def _probe_lines(probes: Iterable[Probed], kept: Collection[str]) -> list[tuple[str, str, str]]:
    """Models that were tried, with how much they refuse of what was kept and of all."""
    last_probes = {(probe.candidate, probe.model): probe for probe in probes}
    refused_by_model = defaultdict[str, dict[str, bool]](dict)
    for probe in last_probes.values():
        if probe.refused is not None:
            refused_by_model[probe.model][probe.candidate] = probe.refused
    lines = []
    for model, refused in refused_by_model.items():
        refused_of_kept = [is_refused for id, is_refused in refused.items() if id in kept]
        lines.append((model, _share(refused_of_kept), _share(list(refused.values()))))
    return lines


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
