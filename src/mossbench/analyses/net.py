"""Where refusals end: by chance, with a description, with the goal, or nowhere. In epochs that did not choose them.

A request is chosen because it was refused in the first epoch; what it does in that epoch is known and proves nothing.
So every way of asking is compared in later epochs, the same ones for all. The four places add up to all refusals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mossbench.analyses.cells import Cells, cells_of
from mossbench.analyses.claims import Claim, claim
from mossbench.analyses.counterfactuals import groups_of
from mossbench.analyses.rows import read_alike
from mossbench.outcomes import Rule
from mossbench.results import Results
from mossbench.statistics import Estimate

AGAIN, FILLED, TOLD, MEANT = "plain", "filler", "described", "described-intent"
WAYS = (AGAIN, FILLED, TOLD, MEANT)
PLACES = ("chance", "description", "goal", "nothing")


@dataclass(frozen=True)
class Net:
    """Of the refusals of one stimulus, or all: the share that ends in each place."""

    group: str
    left: dict[str, Estimate]
    """Share still refused, by way of asking."""
    places: dict[str, Estimate]
    """Add up to 1; n counts refusals. Empty where not all ways were asked."""
    bounds: dict[str, tuple[float, float]]
    """From what is known and what is not: the least and the most of each place; empty where `places` are known."""


def fresh(results: Results, rule: Rule, ids: Collection[str]) -> Cells:
    """What was asked of these samples after the epoch that chose them."""
    cells = cells_of(read_alike(results, WAYS), rule).where(lambda sample: sample.id in ids)
    return replace(cells, values=cells.values[:, :, 1:])


def nets_of(cells: Cells) -> tuple[Net, ...]:
    """By stimulus, then all; empty when nothing was asked again."""
    if not len(cells.samples) or AGAIN not in cells.arms or not cells.cell([AGAIN])[1].any():
        return ()
    return tuple(_net(name, here) for name, here in groups_of(cells).items())


def help_claims(cells: Cells) -> tuple[Claim, ...]:
    """Whether a help fixes more than asking again, and more than what is like it; none without goals."""
    if not all(way in cells.arms and cells.cell([way])[1].any() for way in WAYS):
        return ()
    less = {(a, b): cells.contrast((1, [a]), (-1, [b])) for a in WAYS for b in WAYS if a != b}
    description = {"asked again": less[AGAIN, TOLD], "filler": less[FILLED, TOLD]}
    goal = {"asked again": less[AGAIN, MEANT], "description": less[TOLD, MEANT]}
    return claim("description", None, description, 2), claim("goal", None, goal, 2)


def _net(group: str, cells: Cells) -> Net:
    left = {way: cells.rate([way]) for way in WAYS}
    whole = _common(cells, (AGAIN, TOLD, MEANT))
    if not whole.cell([MEANT])[1].any():
        return Net(group, left, {}, _bounds(cells))
    steps = [whole.contrast((1, [a]), (-1, [b])).estimate() for a, b in pairwise((AGAIN, TOLD, MEANT))]
    again, last = (whole.contrast((1, [way])).estimate() for way in (AGAIN, MEANT))
    chance = replace(again, value=1 - again.value, low=1 - again.high, high=1 - again.low)
    return Net(group, left, dict(zip(PLACES, (chance, *steps, last), strict=True)), {})


def _common(cells: Cells, ways: Sequence[str]) -> Cells:
    """Only the epochs of a sample in which all of these ways count."""
    places = [cells.arms.index(way) for way in ways if way in cells.arms]
    lacking = np.isnan(cells.values[:, places]).any(axis=1, keepdims=True) | (len(places) < len(ways))
    return replace(cells, values=np.where(lacking, np.nan, cells.values))


def _bounds(cells: Cells) -> dict[str, tuple[float, float]]:
    """What a help that was not tried could fix lies between nothing and all that is left."""
    again = cells.cell([AGAIN])
    asked, told = again[1] > 0, _common(cells, (AGAIN, TOLD))
    with_told = told.cell([TOLD])[1] > 0
    share = again[0][asked] / again[1][asked]
    known = with_told[asked]
    described = np.divide(*told.cell([TOLD]), where=with_told, out=np.zeros(len(with_told)))[asked]
    stays, unknown = float(share.mean()), float((share * ~known).mean())
    after = float((described * known).mean())
    fixed = float(((share - described) * known).mean())
    return {
        "chance": (1 - stays, 1 - stays),
        "description": (fixed, fixed + unknown),
        "goal": (0.0, after + unknown),
        "nothing": (0.0, after + unknown),
    }
