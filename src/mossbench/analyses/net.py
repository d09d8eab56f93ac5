"""What takes refusals away: asking again, filler, a description, the goal. In epochs that did not choose them.

A request is chosen because it was refused in the first epoch; what it does in that epoch is known and proves nothing.
So every way of asking is compared in later epochs, the same ones for all. Each step is what a way takes away beyond the
way before it, less than nothing where it adds refusals. The steps and what is left add up to all refusals.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mossbench.analyses.cells import Cells, Counts, cells_of
from mossbench.analyses.claims import Claim, ReadingRival, claim
from mossbench.analyses.counterfactuals import groups_of
from mossbench.analyses.misreading import Reading, hold_in_all_readings, lost_to, too_many_missing
from mossbench.analyses.rows import read_alike
from mossbench.outcomes import Rule
from mossbench.results.table import Results
from mossbench.statistics import Estimate

AGAIN, FILLED, TOLD, MEANT = "plain", "filler", "described", "described-intent"
WAYS = (AGAIN, FILLED, TOLD, MEANT)
STEPS = ("chance", "filler", "description", "goal", "left")


@dataclass(frozen=True)
class Net:
    """Of the refusals of one stimulus, or all: what each step takes away."""

    group: str
    left: dict[str, Estimate]
    """Share still refused, by way of asking; in the same answers where all ways were asked."""
    steps: dict[str, Estimate]
    """Add up to 1; n counts refusals. Empty where not all ways were asked."""
    bounds: dict[str, tuple[float, float]]
    """From what is known and what is not: the least and the most of each step; empty where `steps` are known."""


def fresh(results: Results, rule: Rule, ids: Collection[str]) -> Cells:
    """What was asked of these samples after the epoch that chose them."""
    here = replace(results, rows=tuple(row for row in results.rows if row.key.sample in ids))
    cells = cells_of(read_alike(here, WAYS), rule)
    missing = None if cells.missing is None else cells.missing[:, :, 1:]
    return replace(cells, values=cells.values[:, :, 1:], missing=missing)


def nets_of(cells: Cells) -> tuple[Net, ...]:
    """By stimulus, then all; empty when nothing was asked again."""
    if not len(cells.samples) or AGAIN not in cells.arms or not cells.cell([AGAIN])[1].any():
        return ()
    return tuple(_net(name, here) for name, here in groups_of(cells).items())


def help_claims(cells: Cells, alike: Cells | None = None) -> tuple[Claim, ...]:
    """Whether a help fixes more than asking again, and more than what is like it; none without goals.

    A claim holds in every reading: also where the same words are read alike (`alike`), where missing answers count
    against it, and only if not too many are missing.
    """
    claims = _helps(cells)
    others: dict[Reading, Sequence[Claim]] = {}
    reverse: Sequence[Claim] = ()
    if alike is not None and _helps(alike):
        others["same words"] = _helps(alike)
    if claims and cells.missing is not None and cells.missing.any():
        others["missing"] = _helps(replace(cells, against=1))
        reverse = _helps(replace(cells, against=-1))
    if claims:
        claims = tuple(hold_in_all_readings(claims, others, reverse))
    lacking = too_many_missing(cells, WAYS)
    if lacking is not None:
        return tuple(lost_to(one, ReadingRival("too many missing", arm=lacking)) for one in claims)
    return claims


def _helps(cells: Cells) -> tuple[Claim, ...]:
    cells = _common(cells, WAYS)
    if not cells.cell([MEANT])[1].any():
        return ()
    less = {(a, b): cells.contrast((1, [a]), (-1, [b])) for a in WAYS for b in WAYS if a != b}
    description = {"asked again": less[AGAIN, TOLD], "filler": less[FILLED, TOLD]}
    goal = {"asked again": less[AGAIN, MEANT], "description": less[TOLD, MEANT]}
    return claim("description", None, description, 2), claim("goal", None, goal, 2)


def _net(group: str, cells: Cells) -> Net:
    whole = _common(cells, WAYS)
    if not whole.cell([MEANT])[1].any():
        return Net(group, {way: cells.rate([way]) for way in WAYS}, {}, _bounds(cells))
    steps = [whole.contrast((1, [a]), (-1, [b])).estimate() for a, b in pairwise(WAYS)]
    left = {way: whole.rate([way]) for way in WAYS}
    again, last = (replace(left[way], n=steps[0].n) for way in (AGAIN, MEANT))
    chance = replace(again, value=1 - again.value, low=1 - again.high, high=1 - again.low)
    return Net(group, left, dict(zip(STEPS, (chance, *steps, last), strict=True)), {})


def _common(cells: Cells, ways: Sequence[str]) -> Cells:
    """Only the epochs of a sample in which all of these ways count."""
    places = [cells.arms.index(way) for way in ways if way in cells.arms]
    absent = np.isnan(cells.values)
    if cells.against and cells.missing is not None:
        absent &= cells.missing == 0
    lacking = absent[:, places].any(axis=1, keepdims=True) | (len(places) < len(ways))
    missing = None if cells.missing is None else np.where(lacking, 0.0, cells.missing)
    return replace(cells, values=np.where(lacking, np.nan, cells.values), missing=missing)


def _bounds(cells: Cells) -> dict[str, tuple[float, float]]:
    """What a help that was not tried could fix lies between nothing and all that is left; empty without filler."""
    asked, told = _common(cells, (AGAIN, FILLED)), _common(cells, (AGAIN, FILLED, TOLD))
    known = asked.cell([AGAIN])[1] > 0
    if not known.any():
        return {}
    with_told = told.cell([TOLD])[1][known] > 0

    def share(way: str, where: Cells) -> Counts:
        refused, n = where.cell([way])
        return (refused / np.maximum(n, 1))[known]

    again, filled = share(AGAIN, asked), share(FILLED, asked)
    fixed = float(((share(FILLED, told) - share(TOLD, told)) * with_told).mean())
    after, unknown = float((share(TOLD, told) * with_told).mean()), float((filled * ~with_told).mean())
    chance, filler = 1 - float(again.mean()), float((again - filled).mean())
    rest = (0.0, after + unknown)
    return dict(zip(STEPS, ((chance,) * 2, (filler,) * 2, (fixed, fixed + unknown), rest, rest), strict=True))
