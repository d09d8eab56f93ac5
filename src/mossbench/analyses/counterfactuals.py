"""Counterfactuals: the same request with one thing changed. Is it the words, the object, or the two together?

Arms are compared with the plain one within samples. Those that differ from it in the words or in the trigger make a
table of two by two, in which every cell shows an image.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from mossbench.analyses.analysis import Options
from mossbench.analyses.cells import Cells, cells_of
from mossbench.analyses.rows import put
from mossbench.datasets import Dataset
from mossbench.datasets.arms import ARMS, Arm
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Estimate, Significance, cochran_q, holm

OWN = ("plain",)
WITHOUT = ("counterfactual", "filled", "blurred")
"""The own words over the own scene, and the trigger is not there. Only with an image: else a model that is wary of any
image would look as if it were wary of the trigger, or of words."""
NEUTRAL = ("neutral",)
"""Harmless words over the own picture."""
NEITHER = ("neutral-counterfactual", "neutral-filled")
TITLES: dict[str, str] = tomllib.loads(Path(__file__).with_name("counterfactuals.toml").read_text("utf-8"))
"""What each arm changes, in words for the reader."""
Removal = Literal["counterfactual", "filled", "blurred"]
_DRAWS = 2000  # shuffles of Cochran's Q; p is then known to about 0.005 near 0.05


@dataclass(frozen=True)
class Effect:
    """How an arm differs from the plain one on the same samples."""

    arm: str
    group: str
    """A stimulus, or `all`."""
    rate: Estimate
    difference: Estimate
    """The arm's rate less the plain one's; NaN for the plain arm itself."""
    p: float
    """Two-sided, adjusted by Holm over all arms and groups."""


@dataclass(frozen=True)
class TwoByTwo:
    """Own or harmless words, with or without the trigger."""

    group: str
    both: Estimate
    """Own words, trigger in the picture: the plain request."""
    words: Estimate
    """Own words, no trigger."""
    trigger: Estimate
    """Harmless words, trigger in the picture."""
    neither: Estimate
    of_trigger: Estimate
    """What the trigger adds under the own words."""
    of_words: Estimate
    """What the own words add without the trigger."""
    interaction: Estimate
    """What the two add together beyond what each adds alone."""


@dataclass(frozen=True)
class Counterfactuals:
    """What becomes of the refusals of harmless requests when one thing is changed."""

    effects: tuple[Effect, ...]
    overall: dict[str, Significance]
    """Cochran's Q over the arms, by group, on the first epoch of samples that count in all of them."""
    q_arms: tuple[str, ...]
    """The arms in Q: those that most samples have."""
    tables: tuple[TwoByTwo, ...]

    def effect(self, arm: str, group: str = "all") -> Effect:
        return next(effect for effect in self.effects if (effect.arm, effect.group) == (arm, group))


def arms(dataset: Dataset, options: Options) -> Sequence[Arm]:
    """The arms that these data allow; the plain one and the one without the trigger as often as asked for."""
    benign = [sample for sample in dataset if sample.side is Side.BENIGN]
    has_counterfactuals = any(sample.counterfactual for sample in benign)
    removals: tuple[Removal, ...] = ("counterfactual",) if has_counterfactuals else ("filled", "blurred")
    neutral = [
        Arm(name="neutral", text="intent"),
        Arm(name=f"neutral-{removals[0]}", text="intent", picture=removals[0]),
    ]
    once = [
        *(ARMS[name] for name in ("text-only", "explicit", "caption", "blank", "swapped")),
        *neutral,
        Arm(name="neutral-text", text="intent", picture="none"),
        Arm(name="negation-removed", picture="twin"),
    ]
    repeated = [ARMS["plain"], *(ARMS[name] for name in removals)]
    arms = [put(arm, options.times) for arm in repeated] + [put(arm, 1) for arm in once]
    # Only there are words an alarm of their own, and the test of words needs harmless ones to compare them with.
    worded = tuple(sample.id for sample in benign if sample.stimulus is Stimulus.COUNTERINTUITIVE)
    if worded:
        arms += [put(arm, options.times, worded) for arm in neutral]
    return [arm for arm in arms if any(map(arm.fits, benign))]


def measure(results: Results, options: Options) -> Counterfactuals:
    cells = cells_of(results, options.rule)
    first_rows = [row for row in results.rows if row.key.side is Side.BENIGN and row.key.epoch == 1]
    first_epoch = cells_of(replace(results, rows=tuple(first_rows)), options.rule)
    q_arms = _q_arms(first_epoch)
    overall = {}
    if len(q_arms) > 1:
        overall = {name: _q(group, q_arms) for name, group in groups_of(first_epoch).items()}
    return Counterfactuals(
        effects=effects_of(cells),
        overall=overall,
        q_arms=q_arms,
        tables=tuple(two_by_two(name, group) for name, group in groups_of(cells).items()),
    )


def _q_arms(cells: Cells) -> tuple[str, ...]:
    """The arms under which most samples were asked."""
    has_answers = cells.asked > 0
    return tuple(arm for i, arm in enumerate(cells.arms) if arm in TITLES and has_answers[:, i].mean() > 0.5)


def groups_of(cells: Cells) -> dict[str, Cells]:
    """By stimulus, then all."""
    present = [stimulus for stimulus in Stimulus if any(sample.stimulus is stimulus for sample in cells.samples)]
    return {**{stimulus.title: cells.of(stimulus) for stimulus in present}, "all": cells}


def two_by_two(group: str, cells: Cells) -> TwoByTwo:
    return TwoByTwo(
        group=group,
        both=cells.rate(OWN),
        words=cells.rate(WITHOUT),
        trigger=cells.rate(NEUTRAL),
        neither=cells.rate(NEITHER),
        of_trigger=cells.contrast((1, OWN), (-1, WITHOUT)).estimate(),
        of_words=cells.contrast((1, WITHOUT), (-1, NEITHER)).estimate(),
        interaction=cells.contrast((1, OWN), (-1, WITHOUT), (-1, NEUTRAL), (1, NEITHER)).estimate(),
    )


def effects_of(cells: Cells) -> tuple[Effect, ...]:
    """What each change does, by stimulus and over all; p is adjusted over all of them."""
    effects: list[Effect] = []
    for name, cells_of_group in groups_of(cells).items():
        effects += _effects(name, cells_of_group)
    p_adjusted = holm([effect.p for effect in effects]).tolist()
    return tuple(replace(effect, p=p) for effect, p in zip(effects, p_adjusted, strict=True))


def _effects(group: str, cells: Cells) -> list[Effect]:
    nothing = replace(cells.contrast((1, OWN), (-1, ())).estimate(), n=0)
    effects = [Effect("plain", group, cells.rate(OWN), nothing, float("nan"))]
    for arm in cells.arms:
        if arm in TITLES and arm != "plain":
            contrast = cells.contrast((1, [arm]), (-1, OWN))
            effects.append(Effect(arm, group, cells.rate([arm]), contrast.estimate(), contrast.p_either))
    return effects


def _q(cells: Cells, arms: Sequence[str]) -> Significance:
    places = [cells.arms.index(arm) for arm in arms]
    with np.errstate(invalid="ignore"):
        table = cells.refused[:, places] / cells.asked[:, places]
    return cochran_q(table, cells.clusters, rng=np.random.default_rng(0), n_draws=_DRAWS)
