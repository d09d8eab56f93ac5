"""Teaches the learned controls on composed scenes and requests that are not in the set.

    mossbench-studio assets build/assets.pickle.gz
    python -m studio.training.learned build/assets.pickle.gz src/mossbench/models/control/learned.npz

What is taught: harmless scenes with harmless requests are answered; harmful requests are refused, over alarming and
over harmless scenes; praise of a poster is refused when the poster calls for harm and answered when it is harmless.
What is never shown: an alarming thing beside a harmless request, a negation, a bad word that is meant well.
Words are dropped and what is seen is blurred while it learns, so that it is never quite sure and the weight on safety
decides what it does when in doubt. Numpy alone; the same seed gives the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.models.control.learned import LEVELS, words
from mossbench.models.control.sight import evidence_of
from studio.training.assets import load
from studio.training.compose import FIRST_THING, NEGATION, compose
from studio.training.requests import HARMFUL, HARMLESS, PRAISE, request

WEIGHTS = [4.0 ** (level - 4) for level in range(1, LEVELS + 1)]
"""What a harmful example counts beside a harmless one, at each level of safety."""
HIDDEN = 16
FIRST_SEED = 3 * 10**9
"""Compositions of other seeds than those that sight was trained and tested on."""
Array = np.ndarray[Any, Any]


def scenes(path: Path, count: int) -> dict[str, Array]:
    """What sight makes of composed scenes, sorted by what they show."""
    parts = load(path)
    groups = np.array([p.group for p in parts])
    found: dict[str, list[Array]] = {"harmless": [], "alarm": [], "bare": []}
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        composed = compose(parts, seed)
        things, negation = composed.labels[FIRST_THING : FIRST_THING + len(parts)], composed.labels[NEGATION]
        shown = {g: (things[groups == g] != 0).any() for g in ("alarm", "harm", "referent")}
        if negation != 0 or shown["referent"] or (things < 0).any():
            continue
        if not any(shown.values()):
            kind = "harmless"
        elif shown["alarm"] != shown["harm"]:
            kind = "alarm" if shown["alarm"] else "bare"
        else:
            continue
        found[kind].append(np.array(evidence_of(composed.picture), np.float32))
    return {kind: np.array(rows) for kind, rows in found.items()}


LESSONS = (
    ("harmless", HARMLESS, 0, 0.40),
    ("harmless", PRAISE, 0, 0.15),
    ("alarm", HARMFUL, 1, 0.15),
    ("harmless", HARMFUL, 1, 0.15),
    ("bare", PRAISE, 1, 0.15),
)
"""Scene, request, whether it is refused, and how much of the lessons it is."""


def lessons(shown: dict[str, Array], count: int, seed: int) -> tuple[Array, Array]:
    """Inputs and what to do with them."""
    rng = random.Random(seed)
    inputs, refused = [], []
    for scene, frames, answer, share in LESSONS:
        for _ in range(round(count * share)):
            inputs.append(np.concatenate([words(request(frames, rng)), rng.choice(shown[scene])]))
            refused.append(answer)
    return np.array(inputs, np.float32), np.array(refused, np.float32)


def fit(inputs: Array, refused: Array, buckets: int, weight: float, seed: int, steps: int = 600) -> dict[str, Array]:
    """A network with one hidden layer, by Adam on weighted log loss with weight decay."""
    rng = np.random.default_rng(seed)
    size = inputs.shape[1]
    p = {
        "inner": rng.normal(0, 0.05, (size, HIDDEN)),
        "inner_bias": np.zeros(HIDDEN),
        "outer": rng.normal(0, 0.3, HIDDEN),
        "outer_bias": np.zeros(()),
    }
    first, second = ({k: np.zeros_like(v) for k, v in p.items()} for _ in range(2))
    for step in range(1, steps + 1):
        rows = rng.integers(len(inputs), size=256)
        x = inputs[rows].astype(np.float64)
        x[:, :buckets] *= rng.random((256, buckets)) > 0.6
        x[:, buckets:] += rng.normal(0, 1.0, (256, size - buckets))
        hidden = np.maximum(x @ p["inner"] + p["inner_bias"], 0)
        chance = 1 / (1 + np.exp(-(hidden @ p["outer"] + p["outer_bias"])))
        slope = (chance - refused[rows]) * np.where(refused[rows] == 1, weight, 1.0) / 256
        back = np.outer(slope, p["outer"]) * (hidden > 0)
        grads = {"inner": x.T @ back, "inner_bias": back.sum(0), "outer": hidden.T @ slope, "outer_bias": slope.sum()}
        for k, g in grads.items():
            first[k] = 0.9 * first[k] + 0.1 * g
            second[k] = 0.999 * second[k] + 0.001 * g * g
            move = first[k] / (1 - 0.9**step) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
            p[k] = p[k] - 3e-3 * (move + (0.1 * p[k] if p[k].ndim else 0))
    return p


def main(path: Path, out: Path, count: int) -> None:
    from mossbench.models.control.learned import BUCKETS

    shown = scenes(path, count)
    print({kind: len(rows) for kind, rows in shown.items()}, flush=True)
    inputs, refused = lessons(shown, 8_000, seed=1)
    levels = [fit(inputs, refused, BUCKETS, weight, seed=1) for weight in WEIGHTS]
    np.savez_compressed(out, **{k: np.array([level[k] for level in levels]).astype(np.float16) for k in levels[0]})
    print(f"{out}: {out.stat().st_size:,} bytes, {LEVELS} levels")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("assets", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=1200)
    options = parser.parse_args()
    main(options.assets, options.out, options.scenes)
