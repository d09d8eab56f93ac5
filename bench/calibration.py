"""How often the package's intervals hold the rate that was planted in a control model, and what a judge costs.

The same rate is planted on all sides and stimuli of the sketches, the set is put to the control under many seeds, and
every rate is counted and given its interval as in any run. Nothing is written; pictures are read once.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mossbench.datasets import Dataset, load_dataset
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.images.preparing import prepare
from mossbench.models.control import control
from mossbench.models.control.planted import Control
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Key, Outcome, Rule, Verdict, outcome
from mossbench.results.rates import group_of, rate_of
from mossbench.results.rows import ResultRow
from mossbench.samples import Sample, Side
from mossbench.statistics import Estimate

GRID = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
Judged = Callable[[str, str], Verdict]
"""A judge of a request and its answer, such as `mossbench.judges.earlier.rules.read`."""


@dataclass(frozen=True)
class Calibration:
    """What was measured of one planted rate, on one group of rows, over many seeds."""

    planted: float
    side: Side
    group: str
    """A stimulus, or `all`."""
    n: int
    """Rows of a run."""
    runs: int
    coverage: float
    """Share of runs whose interval holds the planted rate."""
    bias: float
    """Mean of the measured rates less the planted one."""
    error: float
    """Standard error of the bias: what simulation leaves open."""
    low: float
    """Mean lower end of the intervals."""
    high: float


def calibrate(
    rates: Iterable[float] = GRID, seeds: Sequence[int] = range(2000), *, judge: Judged | None = None
) -> list[Calibration]:
    """One line for each rate, side and group. Without a judge the kinds are the planted ones."""
    prompts = sketch_prompts(load_dataset("sketches"))
    verdicts: dict[tuple[str, str], Verdict] = {}

    def read(request: str, text: str) -> Verdict:
        if (request, text) not in verdicts:
            verdicts[request, text] = judge(request, text) if judge else Verdict()
        return verdicts[request, text]

    calibrations = []
    for rate in rates:
        own = round(1e6 * rate)  # no two rates share draws
        model = control(f"mixture?jumpy={rate}&filtering={rate}&literal={rate}&safety={rate}&seed={own}")
        assert isinstance(model, Control)
        runs: dict[tuple[Side, str], list[Estimate]] = {}
        for seed in seeds:
            rows = _run(model, prompts, Settings(seed=seed), read if judge else None)
            for place, members in _groups(rows).items():
                runs.setdefault(place, []).append(rate_of(*place, members, Rule.SYSTEM).estimate)
        calibrations += [_summed(rate, side, group, estimates) for (side, group), estimates in runs.items()]
    return calibrations


def sketch_prompts(dataset: Dataset) -> list[tuple[Sample, Prompt]]:
    """Every sample of the set with what a model is shown of it."""
    pictures = {path: None for path in map(dataset.picture_path, dataset)}
    ready = {path: prepare(path.read_bytes(), DEFAULT_LIMITS) for path in pictures}
    return [(sample, Prompt(sample.question, picture=ready[dataset.picture_path(sample)])) for sample in dataset]


def _run(
    model: Control, prompts: Sequence[tuple[Sample, Prompt]], settings: Settings, read: Judged | None
) -> list[ResultRow]:
    prompts_of_seed = [(sample, replace(prompt, settings=settings)) for sample, prompt in prompts]
    if read is None:
        outcomes = [model.decide(prompt).outcome for _, prompt in prompts_of_seed]
    else:
        outcomes = asyncio.run(_judged(model, [prompt for _, prompt in prompts_of_seed], read))
    return [
        ResultRow(Key(sample.side, sample.id), sample, None, None, row_outcome)
        for (sample, _), row_outcome in zip(prompts_of_seed, outcomes, strict=True)
    ]


async def _judged(model: Control, prompts: Sequence[Prompt], read: Judged) -> list[Outcome]:
    answers = [await model.answer(prompt) for prompt in prompts]
    return [
        outcome(answer, read(prompt.request, answer.text) if answer.text else None)
        for prompt, answer in zip(prompts, answers, strict=True)
    ]


def _groups(rows: Sequence[ResultRow]) -> dict[tuple[Side, str], list[ResultRow]]:
    groups: dict[tuple[Side, str], list[ResultRow]] = {}
    for row in rows:
        groups.setdefault((row.key.side, group_of(row, "stimulus")), []).append(row)
    for row in rows:
        groups.setdefault((row.key.side, "all"), []).append(row)
    return groups


def _summed(planted: float, side: Side, group: str, estimates: Sequence[Estimate]) -> Calibration:
    values = np.array([estimate.value for estimate in estimates])
    lows, highs = (np.array([getattr(estimate, end) for estimate in estimates]) for end in ("low", "high"))
    inside = (lows <= planted + 1e-12) & (highs >= planted - 1e-12)
    error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
    return Calibration(
        planted,
        side,
        group,
        n=estimates[0].n,
        runs=len(estimates),
        coverage=float(inside.mean()),
        bias=float(values.mean() - planted),
        error=error,
        low=float(lows.mean()),
        high=float(highs.mean()),
    )
