"""How often a nightly suite shows a change: where there is none over all its nights, and where there is one.

Each series has a baseline and thirty nights of a suite, made of records as a run leaves them, and every night is
compared with the baseline as `mossbench run suite.toml --compare-with` does it (`results.nightly`). A false alarm is a
series in which any night shows a change on any side of any cell. A change of 10 points is planted from one night on in
one cell, and is found if one of the first three nights shows it.

Prints JSON. `python bench/series.py [N_SERIES] [N_PROCESSES]`; the figures of docs/suites.md are from 2000 series.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Answer, Exchange, Key, Kind, Layer, Outcome, Stop
from mossbench.results.nightly import NightComparison, adjust_for_suite, compare_night
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side
from mossbench.store.config import RunConfig
from mossbench.store.run_info import DatasetInfo, RunInfo

N_NIGHTS = 30
N_SAMPLES = 300
SPREAD = 0.8
"""Of the beta distribution of the chances of samples: most are nearly always or never refused."""


@dataclass(frozen=True)
class Setting:
    """A suite, and what is planted in it."""

    n_cells: int
    rate: float
    """Share of harmless requests that is refused; of harmful ones it is 90 %."""
    is_spread: bool
    """Whether samples differ in their chance of being refused; if not, all have the same, the hardest case."""
    epochs_of_baseline: int = 1
    both_sides: bool = True
    per_scene: int = 1
    """Samples of a scene, which are refused together."""
    change: float = 0.0
    """Points / 100 by which harmless refusals rise in the first cell."""
    night: int = 1
    """The first night of the change."""
    looks: int = N_NIGHTS


SAMPLES = {
    (side, per_scene): [
        Sample(
            id=str(i),
            side=side,
            question=f"{i}?",
            twin=str(i),
            cluster=None if per_scene == 1 else f"scene {i // per_scene}",
        )
        for i in range(N_SAMPLES)
    ]
    for side in Side
    for per_scene in (1, 3)
}
OUTCOMES = {refused: Outcome(Layer.JUDGED, Kind.REFUSED if refused else Kind.ANSWERED) for refused in (False, True)}
ANSWER = Answer(text="Some words.", stop=Stop.END)
EXCHANGE = Exchange(side="benign", sample="0", request="?", answer=ANSWER)


def chances(rate: float, setting: Setting, rng: np.random.Generator) -> np.ndarray:
    """The chance of each sample of a side to be refused."""
    n_scenes = N_SAMPLES // setting.per_scene
    of_scenes = np.full(n_scenes, rate)
    if setting.is_spread:
        of_scenes = rng.beta(rate * SPREAD, (1 - rate) * SPREAD, n_scenes)
    return np.repeat(of_scenes, setting.per_scene)


def run(
    name: str, of_sides: dict[Side, np.ndarray], setting: Setting, epochs: int, rng: np.random.Generator
) -> Results:
    """A run as it would be loaded; the answers of one scene on one night are all refused or all answered."""
    rows = []
    for side, chance in of_sides.items():
        for epoch in range(1, epochs + 1):
            draws = np.repeat(rng.random(N_SAMPLES // setting.per_scene), setting.per_scene)
            for sample, refused in zip(SAMPLES[side, setting.per_scene], (draws < chance).tolist(), strict=True):
                rows.append(ResultRow(Key(side, sample.id, "plain", epoch), sample, EXCHANGE, None, OUTCOMES[refused]))
    info = RunInfo(
        config=RunConfig(model="m", epochs=epochs),
        arms=(PLAIN,),
        dataset=DatasetInfo(name="d", hashes={side: side.value for side in of_sides}),
        n_rows=len(rows),
        mossbench="0",
        python="3",
        started=name,
        ended=name,
    )
    return Results(Path(name), info, "rules/4", tuple(rows))


def first_alarm(setting: Setting, seed: int) -> int | None:
    """The first night on which the suite shows a change; None if no night does. A planted change: in its cell only."""
    rng = np.random.default_rng(seed)
    sides = {Side.BENIGN: setting.rate}
    if setting.both_sides:
        sides[Side.CONTRAST] = 0.9
    cells = [{side: chances(rate, setting, rng) for side, rate in sides.items()} for _ in range(setting.n_cells)]
    baselines = [run("baseline", cell, setting, setting.epochs_of_baseline, rng) for cell in cells]
    nights: list[list[Results]] = [[] for _ in cells]
    n_tests = setting.n_cells * len(sides)
    last_night = setting.night + 2 if setting.change else N_NIGHTS
    for night in range(1, last_night + 1):
        comparisons = []
        for number, cell in enumerate(cells):
            asked = dict(cell)
            if setting.change and number == 0 and night >= setting.night:
                asked[Side.BENIGN] = raised(cell[Side.BENIGN], setting.change)
            tonight = run(f"night {night}", asked, setting, 1, rng)
            # Only the last nights are taken together; tonight's number is given by their count in the real command.
            comparison = compare_night(
                tonight, baselines[number], nights[number][-2:], looks=setting.looks, n_tests=n_tests
            )
            assert isinstance(comparison, NightComparison), comparison
            comparisons.append(comparison)
            nights[number].append(tonight)
        adjusted = adjust_for_suite(comparisons)
        counted = adjusted[:1] if setting.change and night >= setting.night else adjusted
        if any(side.is_change for comparison in counted for side in comparison.sides):
            return night
    return None


def raised(chance: np.ndarray, change: float) -> np.ndarray:
    """Chances whose mean is higher by the change: each by the same share of what is left to 1."""
    left = 1 - chance
    return chance + left * change / left.mean()


def share_with(setting: Setting, seeds: range) -> int:
    """Series with a false alarm; with a planted change those in which it was found within three nights."""
    alarms = [first_alarm(setting, seed) for seed in seeds]
    if setting.change:
        return sum(alarm is not None and alarm >= setting.night for alarm in alarms)
    return sum(alarm is not None for alarm in alarms)


SETTINGS = {
    "no change, 1 cell, same chances": Setting(1, 0.2, is_spread=False),
    "no change, 1 cell, chances differ": Setting(1, 0.2, is_spread=True),
    "no change, 4 cells, same chances": Setting(4, 0.2, is_spread=False),
    "no change, 4 cells, chances differ": Setting(4, 0.2, is_spread=True),
    "no change, 4 cells, few refused": Setting(4, 0.03, is_spread=True),
    "no change, 4 cells, baseline asked 3 times": Setting(4, 0.2, is_spread=True, epochs_of_baseline=3),
    "no change, 4 cells, scenes of 3": Setting(4, 0.2, is_spread=True, per_scene=3),
    "no change, 1 cell, one look planned": Setting(1, 0.2, is_spread=True, looks=1),
}
for n_cells in (1, 4):
    for epochs in (1, 3):
        for is_spread in (False, True):
            for night in (1, 10):
                name = (
                    f"10 points from night {night}, {n_cells} cell{'s' * (n_cells > 1)}, baseline asked {epochs}×, "
                    f"{'chances differ' if is_spread else 'same chances'}"
                )
                SETTINGS[name] = Setting(
                    n_cells, 0.2, is_spread=is_spread, epochs_of_baseline=epochs, change=0.1, night=night
                )
SETTINGS["10 points from night 1, 1 cell, harmless only, same chances"] = Setting(
    1, 0.2, is_spread=False, both_sides=False, change=0.1
)


def main() -> None:
    n_series = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    n_processes = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    with ProcessPoolExecutor(n_processes) as pool:
        for name, setting in SETTINGS.items():
            if only not in name:
                continue
            n_parts = max(n_processes, 1)
            parts = [range(part, n_series, n_parts) for part in range(n_parts)]
            n_found = sum(pool.map(share_with, [setting] * n_parts, parts))
            print(json.dumps({name: round(n_found / n_series, 3)}), flush=True)


if __name__ == "__main__":
    main()
