"""How often a nightly suite shows a change: where there is none over all its nights, and where there is one.

Each series is a baseline and thirty nights of a suite of 300 samples, drawn as arrays, and every night is decided with
the functions that `results.nightly` decides with: the exact test of the last one, two and three nights
(`shuffle_test`), its p over all looks (`look_scores`), and Holm's correction over the suite. A test is only done where
the standard score of the difference is above 2: below that its p is never near what an alarm takes. That the arrays
are decided as runs are is tested in tests/results/test_nightly.py.

A false alarm is a series in which any night shows a change on any side of any cell. A change of 10 points is planted
from one night on in one cell, and is found if one of its first three nights shows it.

Prints JSON. `python bench/series.py [N_SERIES] [WORDS OF THE SETTING]`
"""

import json
import math
import sys
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mossbench.statistics import holm, look_scores, shuffle_test
from mossbench.statistics.looks import LookScores

N_NIGHTS = 30
N_SAMPLES = 300
LONGEST_WINDOW = 3
SPREAD = 0.8
"""Of the beta distribution of the chances of samples: most are nearly always or never refused."""
HARMFUL = 0.9
"""Share of harmful requests that is refused."""
LEAST_SCORE = 2.0


@dataclass(frozen=True)
class Setting:
    """A suite, and what is planted in it."""

    n_cells: int
    rate: float
    """Share of harmless requests that is refused."""
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


def draw_chances(rate: float, setting: Setting, rng: np.random.Generator) -> np.ndarray:
    """The chance of each scene of a side to be refused."""
    n_scenes = N_SAMPLES // setting.per_scene
    if setting.is_spread:
        return rng.beta(rate * SPREAD, (1 - rate) * SPREAD, n_scenes)
    return np.full(n_scenes, rate)


def draw_columns(chances: np.ndarray, n: int, setting: Setting, rng: np.random.Generator) -> np.ndarray:
    """Samples × columns of answers, all samples of a scene alike."""
    refused = rng.random((len(chances), n)) < chances[:, None]
    return np.repeat(refused, setting.per_scene, axis=0).astype(float)


def raised(chances: np.ndarray, change: float) -> np.ndarray:
    """Chances whose mean is higher by the change: each by the same share of what is left to 1."""
    left = 1 - chances
    return chances + left * change / left.mean()


@lru_cache(maxsize=8)
def scores_of(looks: int, weight_before: float) -> LookScores:
    return look_scores(looks, weight_before=weight_before, rng=np.random.default_rng(0))


@dataclass(frozen=True)
class Table:
    """The answers of one side of one cell: samples × columns."""

    before: np.ndarray
    nights: np.ndarray
    scenes: np.ndarray

    def noise(self) -> float:
        """The standard error of the sum of one column, as far as columns differ."""
        columns = np.hstack([self.before, self.nights])
        by_scene = np.zeros((int(self.scenes.max()) + 1, columns.shape[1]))
        np.add.at(by_scene, self.scenes, columns)
        return math.sqrt(by_scene.var(axis=1, ddof=1).sum())

    def smallest_p(self, night: int, noise: float) -> float:
        """Of the last one, two and three nights up to this one (1, 2, …); 1 where no score is above 2."""
        p_values = [1.0]
        before = self.before.sum() / self.before.shape[1]
        for window in range(1, min(LONGEST_WINDOW, night) + 1):
            after = self.nights[:, night - window : night]
            error = noise * math.sqrt(1 / window + 1 / self.before.shape[1])
            if abs(after.sum() / window - before) > LEAST_SCORE * error:
                p_values.append(shuffle_test(after, self.before, self.scenes).p)
        return min(p_values)


def first_alarm(setting: Setting, rng: np.random.Generator) -> int | None:
    """The first night on which the suite shows a change; None if no night does.

    Before a planted change any cell counts, and with it only the cell in which it is.
    """
    rates = [setting.rate, HARMFUL] if setting.both_sides else [setting.rate]
    scenes = np.arange(N_SAMPLES) // setting.per_scene
    last_night = setting.night + 2 if setting.change else N_NIGHTS
    tables = []
    for cell in range(setting.n_cells):
        for side, rate in enumerate(rates):
            chances = draw_chances(rate, setting, rng)
            before = draw_columns(chances, setting.epochs_of_baseline, setting, rng)
            nights = draw_columns(chances, last_night, setting, rng)
            if setting.change and cell == side == 0:
                n_changed = last_night - setting.night + 1
                nights[:, -n_changed:] = draw_columns(raised(chances, setting.change), n_changed, setting, rng)
            tables.append(Table(before, nights, scenes))
    noises = [table.noise() for table in tables]
    scores = scores_of(setting.looks, setting.epochs_of_baseline)
    for night in range(1, last_night + 1):
        p_values = [table.smallest_p(night, noise) for table, noise in zip(tables, noises, strict=True)]
        adjusted = holm([scores.p_over_looks(p) for p in p_values])
        counted = adjusted[:1] if setting.change and night >= setting.night else adjusted
        if (counted <= 0.05).any():
            return night
    return None


def share_of_alarms(setting: Setting, n_series: int) -> float:
    """Series with a false alarm; with a planted change those in which it was found within three nights."""
    n_alarms = 0
    for seed in range(n_series):
        night = first_alarm(setting, np.random.default_rng(seed))
        n_alarms += night is not None and night >= (setting.night if setting.change else 1)
    return n_alarms / n_series


SETTINGS = {
    "no change, 1 cell, same chances": Setting(1, 0.2, is_spread=False),
    "no change, 1 cell, chances differ": Setting(1, 0.2, is_spread=True),
    "no change, 4 cells, same chances": Setting(4, 0.2, is_spread=False),
    "no change, 4 cells, chances differ": Setting(4, 0.2, is_spread=True),
    "no change, 4 cells, few refused": Setting(4, 0.03, is_spread=True),
    "no change, 4 cells, baseline asked 3 times": Setting(4, 0.2, is_spread=True, epochs_of_baseline=3),
    "no change, 4 cells, scenes of 3": Setting(4, 0.2, is_spread=True, per_scene=3),
    "no change, 1 cell, looks left at 1": Setting(1, 0.2, is_spread=True, looks=1),
    "no change, 1 cell, harmless only, same chances": Setting(1, 0.2, is_spread=False, both_sides=False),
    "10 points, 1 cell, harmless only, same chances": Setting(1, 0.2, False, both_sides=False, change=0.1),
}
for n_cells in (1, 4):
    for epochs in (1, 3):
        for is_spread in (False, True):
            chances_words = "chances differ" if is_spread else "same chances"
            cells = "1 cell" if n_cells == 1 else f"{n_cells} cells"
            SETTINGS[f"10 points, {cells}, {chances_words}, baseline asked {epochs} times"] = Setting(
                n_cells, 0.2, is_spread=is_spread, epochs_of_baseline=epochs, change=0.1, night=5
            )


def main() -> None:
    n_series = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    words = sys.argv[2] if len(sys.argv) > 2 else ""
    for name, setting in SETTINGS.items():
        if words in name:
            print(json.dumps({name: round(share_of_alarms(setting, n_series), 4)}), flush=True)


if __name__ == "__main__":
    main()
