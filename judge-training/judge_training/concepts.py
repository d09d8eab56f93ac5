"""Fits the weights of concepts (`mossbench/judges/languages/concept_model.py`), one model for all languages.

Examples in English are among the rows: what an answer is about refuses or helps in the same way in any language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

Array = Any

FEWEST_ROWS = 5
"""Rows of training that a number needs."""
PENALTY = 1.5
"""Of squared weights, against a row's weight of 1."""
STEPS = 250
LARGEST = 2047
"""The largest whole number of a shipped weight."""


@dataclass(frozen=True)
class ConceptWeights:
    whole: dict[str, int]
    scale: float


def fit_concepts(rows: Sequence[Mapping[str, float]], truths: Array, importance: Array) -> ConceptWeights:
    """A logistic model with a penalty on squared weights; the bias is the number `always`."""
    names = usual_names(rows)
    numbers = matrix_of(rows, names)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = numbers @ weights[:-1] + weights[-1]
        signed = np.where(truths > 0.5, scores, -scores)
        value = (importance * np.logaddexp(0, -signed)).sum() + PENALTY * (weights[:-1] ** 2).sum()
        errors = importance * (1 / (1 + np.exp(-np.clip(scores, -30, 30))) - truths)
        return value, np.append(numbers.T @ errors + 2 * PENALTY * weights[:-1], errors.sum())

    fitted = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    scale = float(np.abs(fitted).max() / LARGEST)
    whole = {name: round(weight / scale) for name, weight in zip([*names, "always"], fitted.tolist(), strict=True)}
    return ConceptWeights({name: weight for name, weight in whole.items() if weight}, scale)


def usual_names(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """The names of numbers that enough rows have, in order."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row.keys())
    return sorted(name for name, n in counts.items() if n >= FEWEST_ROWS and name != "always")


def matrix_of(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Array:
    place_of = {name: place for place, name in enumerate(names)}
    row_places = []
    columns = []
    values = []
    for number, row in enumerate(rows):
        for name, value in row.items():
            if name in place_of:
                row_places.append(number)
                columns.append(place_of[name])
                values.append(value)
    return csr_matrix((values, (row_places, columns)), shape=(len(rows), len(names)))
