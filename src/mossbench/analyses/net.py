"""What takes refusals away: asking again, filler, a description, the goal. In later epochs than the refusals.

A request is chosen because it was refused in the first epoch, so that epoch proves nothing. Every way of asking is
compared in later epochs, the same ones for all. Each step is what a way takes away beyond the way before it, negative
where it adds refusals. The steps and what is left add up to all refusals.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mossbench.analyses.cells import Cells, Counts, cells_of
from mossbench.analyses.claims import Claim, ReadingRival, make_claim
from mossbench.analyses.counterfactuals import groups_of
from mossbench.analyses.misreading import Reading, hold_in_all_readings, lost_to, too_many_missing
from mossbench.analyses.rows import read_alike
from mossbench.outcomes import Rule
from mossbench.results.table import Results
from mossbench.statistics import Effect, Estimate

AGAIN = "plain"
FILLED = "filler"
DESCRIBED = "described"
INTENDED = "described-intent"
WAYS = (AGAIN, FILLED, DESCRIBED, INTENDED)
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
    chosen = replace(results, rows=tuple(row for row in results.rows if row.key.sample in ids))
    cells = cells_of(read_alike(chosen, WAYS), rule)
    missing = None if cells.missing is None else cells.missing[:, :, 1:]
    return replace(cells, values=cells.values[:, :, 1:], missing=missing)


def nets_of(cells: Cells) -> tuple[Net, ...]:
    """By stimulus, then all; empty when nothing was asked again."""
    if not len(cells.samples) or AGAIN not in cells.arms or not cells.cell([AGAIN])[1].any():
        return ()
    return tuple(_net(name, group) for name, group in groups_of(cells).items())


def help_claims(cells: Cells, same_words: Cells | None = None) -> tuple[Claim, ...]:
    """Whether a help fixes more than asking again, and more than what is like it; none without goals.

    A claim holds in every reading: also where the same words are read alike (`same_words`), where missing answers
    count against it, and only if not too many are missing.
    """
    claims = _help_claims(cells)
    claims_by_reading: dict[Reading, Sequence[Claim]] = {}
    claims_of_a_rise: Sequence[Claim] = ()
    if same_words is not None and _help_claims(same_words):
        claims_by_reading["same words"] = _help_claims(same_words)
    if claims and cells.missing is not None and cells.missing.any():
        claims_by_reading["missing"] = _help_claims(replace(cells, against=1))
        claims_of_a_rise = _help_claims(replace(cells, against=-1))
    if claims:
        claims = tuple(hold_in_all_readings(claims, claims_by_reading, claims_of_a_rise))
    lacking = too_many_missing(cells, WAYS)
    if lacking is not None:
        return tuple(lost_to(help_claim, ReadingRival("too many missing", arm=lacking)) for help_claim in claims)
    return claims


def _help_claims(cells: Cells) -> tuple[Claim, ...]:
    cells = _in_common_epochs(cells, WAYS)
    if not cells.cell([INTENDED])[1].any():
        return ()
    description = {
        "asked again": _fixed(cells, AGAIN, DESCRIBED),
        "filler": _fixed(cells, FILLED, DESCRIBED),
    }
    goal = {
        "asked again": _fixed(cells, AGAIN, INTENDED),
        "description": _fixed(cells, DESCRIBED, INTENDED),
    }
    return make_claim("description", None, description, 2), make_claim("goal", None, goal, 2)


def _fixed(cells: Cells, way: str, help: str) -> Effect:
    """By how much refusals fall from a way of asking to one that helps."""
    return cells.contrast((1, [way]), (-1, [help]))


def _net(group: str, cells: Cells) -> Net:
    common = _in_common_epochs(cells, WAYS)
    if not common.cell([INTENDED])[1].any():
        return Net(group, {way: cells.rate([way]) for way in WAYS}, {}, _bounds(cells))
    helps = [_fixed(common, way, next_way).estimate() for way, next_way in pairwise(WAYS)]
    left = {way: common.rate([way]) for way in WAYS}
    n = helps[0].n
    again = left[AGAIN]
    chance = replace(again, value=1 - again.value, low=1 - again.high, high=1 - again.low, n=n)
    last = replace(left[INTENDED], n=n)
    return Net(group, left, dict(zip(STEPS, (chance, *helps, last), strict=True)), {})


def _in_common_epochs(cells: Cells, ways: Sequence[str]) -> Cells:
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
    with_filler = _in_common_epochs(cells, (AGAIN, FILLED))
    with_description = _in_common_epochs(cells, (AGAIN, FILLED, DESCRIBED))
    is_asked = with_filler.cell([AGAIN])[1] > 0
    if not is_asked.any():
        return {}
    is_helped = with_description.cell([DESCRIBED])[1][is_asked] > 0
    again = _shares(with_filler, AGAIN)[is_asked]
    filled = _shares(with_filler, FILLED)[is_asked]
    filled_of_helped = _shares(with_description, FILLED)[is_asked]
    described = _shares(with_description, DESCRIBED)[is_asked]
    chance = 1 - float(again.mean())
    filler = float((again - filled).mean())
    fixed = float(((filled_of_helped - described) * is_helped).mean())
    after = float((described * is_helped).mean())
    unknown = float((filled * ~is_helped).mean())
    still_refused = (0.0, after + unknown)
    bounds = ((chance, chance), (filler, filler), (fixed, fixed + unknown), still_refused, still_refused)
    return dict(zip(STEPS, bounds, strict=True))


def _shares(cells: Cells, way: str) -> Counts:
    """Of each sample, the share of answers to a way of asking that refuse."""
    n_refused, n_asked = cells.cell([way])
    return np.asarray(n_refused / np.maximum(n_asked, 1))
