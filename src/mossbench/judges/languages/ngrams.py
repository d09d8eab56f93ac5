"""A linear model over n-grams of characters, in whole numbers: the same score on every machine.

Each run of one to five characters, of the first characters of an answer and of all of it, falls into one of
`N_BUCKETS` by a hash; each bucket has a weight of one byte (`weights.npz`, trained by `judge-training`).
"""

from typing import Any

import numpy as np

Array = Any

N_BUCKETS = 1 << 16
"""Of each of the two halves: the opening of an answer, and all of it."""
OPENING = 48
"""Characters of the opening that are read on their own."""
MOST = 1500
"""Characters that are read at all."""
LONGEST_RUN = 5
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def buckets(answer: str) -> Array:
    """The buckets of all runs of characters in an answer, each once, in rising order."""
    text = f" {' '.join(answer[:MOST].lower().split())} "
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    whole = _hashes(codes)
    opening = _hashes(codes[:OPENING])
    return np.unique(
        np.concatenate([opening % np.uint64(N_BUCKETS), whole % np.uint64(N_BUCKETS) + np.uint64(N_BUCKETS)])
    )


def _hashes(codes: Array) -> Array:
    runs = []
    rolling = np.zeros(len(codes), dtype=np.uint64)
    for length in range(1, LONGEST_RUN + 1):
        if len(codes) < length:
            break
        rolling = rolling[: len(codes) - length + 1] * _PRIME + codes[length - 1 :] + np.uint64(length)
        if length > 1:
            mixed = (rolling ^ (rolling >> np.uint64(29))) * _MIX
            runs.append(mixed ^ (mixed >> np.uint64(32)))
    return np.concatenate(runs) if runs else np.zeros(0, dtype=np.uint64)


def score(answer: str, weights: Array, scale: float) -> float:
    """The log odds of a refusal by the n-grams alone: the mean weight, times what the model was scaled by."""
    places = buckets(answer).astype(np.int64)
    if not len(places):
        return 0.0
    total = int(weights[places].astype(np.int64).sum())
    return float(total * scale / len(places) ** 0.5)
