"""How often "What changed since the last run" shows a change where there is none: each night, and over thirty nights.

One model that never changes is asked every night at a temperature above 0: 120 harmless and 120 harmful requests, each
with a chance of being refused of its own. Every night is compared with the one before as `results.changes` does it, by
an exact paired test on each side. Prints JSON. `python bench/nights.py [N_SERIES]`
"""

import json
import sys

import numpy as np

from mossbench.statistics import sign_flip_test

N_NIGHTS = 30
N_REQUESTS = 120
SPREAD = 0.8
"""Of the beta distribution from which the chance of each request is drawn: most are nearly always or never refused."""
SETTINGS = {
    "both sides, 20 % and 80 % refused": (0.2, 0.8),
    "both sides, 20 % and 95 % refused": (0.2, 0.95),
    "both sides, 5 % and 98 % refused": (0.05, 0.98),
    "harmless side only, 20 % refused": (0.2,),
}


def alarms_on_one_side(rate: float, rng: np.random.Generator) -> np.ndarray:
    """On which nights a change is shown, compared with the night before."""
    chances = rng.beta(rate * SPREAD, (1 - rate) * SPREAD, N_REQUESTS)
    nights = (rng.random((N_NIGHTS + 1, N_REQUESTS)) < chances).astype(float)
    p_values = [sign_flip_test(nights[i + 1], nights[i]).p for i in range(N_NIGHTS)]
    return np.array(p_values) <= 0.05


def false_alarms(rates: tuple[float, ...], n_series: int, rng: np.random.Generator) -> dict[str, float]:
    nights = np.zeros((n_series, N_NIGHTS), dtype=bool)
    for series in range(n_series):
        for rate in rates:
            nights[series] |= alarms_on_one_side(rate, rng)
    a_night = float(nights.mean())
    over_all_nights = float(nights.any(axis=1).mean())
    return {"a_night": round(a_night, 3), "over_thirty_nights": round(over_all_nights, 2)}


def main() -> None:
    n_series = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(0)
    print(json.dumps({name: false_alarms(rates, n_series, rng) for name, rates in SETTINGS.items()}, indent=1))


if __name__ == "__main__":
    main()
