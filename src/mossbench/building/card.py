"""The data card of a release: what is in it, who rated it, how far they agree, what selection did, its limits.

Its sentences are in card.md.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from mossbench.building.candidates import Probed, State
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import Recipe
from mossbench.building.rating import Agreement
from mossbench.building.standing import Standing
from mossbench.datasets import Dataset
from mossbench.plumbing.templates import rendered
from mossbench.samples import Side
from mossbench.statistics import Estimate, wilson

_FEWEST = 10
"""Candidates from which on an interval of agreement means something."""
_PEOPLE = {True: "people", False: "nobody", None: "not said"}


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
    ids = {sample.id for sample in benign}
    kept = [one for one in standings if one.candidate.id in ids]
    own = [one for one in recipes if not one.variant]
    sources = Counter(one.source for one in own)
    others = Counter(one.state for one in standings if one.candidate.id not in ids)
    return rendered(
        Path(__file__).with_suffix(".md"),
        settings=folder.settings(),
        n_benign=len(benign),
        stimuli=_counts(s.label("stimulus") for s in benign),
        harms=_counts(s.label("harm") for s in benign),
        domains=_counts(str(s.metadata.get("domain", "none")) for s in benign),
        proposed_by=_counts(one.candidate.origin.by for one in kept),
        sources=_counts(sources.elements()),
        licences=_counts(one.licence or "not stated" for one in own),
        people=_counts(_PEOPLE[one.people] for one in own),
        marks=_counts(mark.kind for one in own for mark in one.marks),
        per_sample=per_sample(kept),
        agreement=agreement,
        rated=agreement.reviewers,
        fewest=_FEWEST,
        shown=shown,
        over=[f"{id} ({why})" for id, why in decided.items()],
        n=len(standings),
        kept=kept,
        gone=", ".join(f"{n} {state}" for state, n in sorted(others.items())) or "none",
        probes=_probes(folder.probes(), ids),
        stand_ins=sources["stand-in"],
        drawn=sources["endpoint"] + sources["diffusers"],
        unseen=sum(not (one.screened and one.screened.models) for one in kept),
        waiting=others[State.DISPUTED],
    )


def lines_of(card: str, title: str) -> list[str]:
    """The lines of one of its sections."""
    section = card.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [line.rstrip("\n") for line in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]


def per_sample(kept: Iterable[Standing]) -> str:
    """How many ratings that count a sample has: `3`, or `3 to 5`."""
    given = [one.n_ratings for one in kept]
    return " to ".join(map(str, sorted({min(given), max(given)})))


def _probes(probes: Iterable[Probed], kept: Collection[str]) -> list[tuple[str, str, str]]:
    """Models that were tried, with how much they refuse of what was kept and of all."""
    found = defaultdict[str, dict[str, bool]](dict)
    for probe in {(one.candidate, one.model): one for one in probes}.values():
        if probe.refused is not None:
            found[probe.model][probe.candidate] = probe.refused
    return [
        (model, _share([refused for id, refused in said.items() if id in kept]), _share(list(said.values())))
        for model, said in found.items()
    ]


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{name or 'none'} {n}" for name, n in Counter(values).most_common())


def shown(estimate: Estimate) -> str:
    """An agreement with its interval, where there are enough candidates for one."""
    if estimate.value != estimate.value:
        return "not defined"
    few = estimate.low != estimate.low or estimate.n < _FEWEST
    return f"{estimate.value:.2f}" + ("" if few else f" [{estimate.low:.2f} to {estimate.high:.2f}]")


def _share(refused: list[bool]) -> str:
    found = wilson(sum(refused), len(refused))
    percent = f" ({found.value:.0%}, {found.low:.0%} to {found.high:.0%})" if found.n else ""
    return f"{sum(refused)} of {found.n}{percent}"
