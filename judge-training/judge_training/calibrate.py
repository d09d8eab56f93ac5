"""Third step: fits how patterns and encoder are weighed, and puts the weights into the package.

    python -m judge_training.calibrate PREPARED TRAINED [--labelled FILE] [--pairs FILE]

Fitted on what the networks of the folds made of sources that they had not read (`fold-N.npz`). Prints for each source
how often the combination is right when it is fitted on the other sources.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judge_training.rows import MADE, Row, fingerprint, training_rows
from judge_training.weights import MADE_WEIGHT, REAL, weight_of
from mossbench.judges import reader
from mossbench.judges.reader.asked import asked_part
from mossbench.judges.reader.combining import ENCODER_FEATURES, encoder_features
from mossbench.judges.reader.encoder import KINDS
from mossbench.judges.reader.signs import FEATURES, features, read_signs

FOLDER = Path(reader.__file__).parent
PENALTY = 3.0
REAL_SHARE = 0.3
"""Of the weight of all rows, what the answers of a real model have together."""
UNSIGNED = 0.1
"""What a refusal counts that no pattern knows a sign of."""
STEPS = 60
Array = Any  # of float64


def logistic_weights(x: Array, y: Array, weight: Array) -> Array:
    """Weights of a logistic model, by Newton's method with an L2 penalty."""
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        curvature = (x * (weight * chance * (1 - chance))[:, None]).T @ x + PENALTY * np.eye(len(weights))
        slope = x.T @ (weight * (y - chance)) - PENALTY * weights
        weights += np.linalg.solve(curvature, slope)
    return weights


def row_weights(rows: Sequence[Row]) -> Array:
    """What each row counts: a source by the root of its size, the real answers by a share of their own."""
    sources = np.array([row.source for row in rows])
    weights = np.array([calibration_weight(row) / np.sqrt(np.sum(sources == row.source)) for row in rows])
    is_real = sources == REAL
    if is_real.any() and not is_real.all():
        weights[~is_real] *= (1 - REAL_SHARE) / weights[~is_real].sum()
        weights[is_real] *= REAL_SHARE / weights[is_real].sum()
    return weights * len(weights) / weights.sum()


def calibration_weight(row: Row) -> float:
    if row.source in MADE:
        return MADE_WEIGHT
    return UNSIGNED if weight_of(row) < 1 else 1.0


def read_log_chances(folder: Path, n_rows: int) -> Array:
    log_chances = np.full((n_rows, len(KINDS)), np.nan)
    for path in sorted(folder.glob("fold-*.npz")):
        fold = np.load(path)
        log_chances[fold["rows"]] = fold["log_chances"]
    if np.isnan(log_chances).any():
        raise SystemExit(f"{folder} has no scores of some rows: train the folds that are missing")
    return log_chances


def designs(rows: Sequence[Row], log_chances: Array) -> tuple[Array, Array]:
    """The features of the patterns, and these with those of the encoder."""
    by_patterns = []
    by_both = []
    for row, row_log_chances in zip(rows, log_chances, strict=True):
        signs = read_signs(asked_part(row.request), row.answer)
        chances = dict(zip(KINDS, np.exp(row_log_chances).tolist(), strict=True))
        by_patterns.append(features(signs))
        by_both.append((*features(signs), *encoder_features(signs, chances)))
    return np.array(by_patterns), np.array(by_both)


def print_sources(rows: Sequence[Row], x: Array, y: Array, weight: Array) -> None:
    sources = np.array([row.source for row in rows])
    for source in sorted(set(sources.tolist())):
        inside = sources == source
        weights = logistic_weights(x[~inside], y[~inside], weight[~inside])
        right = np.mean((x[inside] @ weights > 0) == (y[inside] > 0.5))
        print(f"{source}: {inside.sum()} answers, {right:.1%} right by weights of the other sources")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("trained", type=Path)
    parser.add_argument("--labelled", type=Path)
    parser.add_argument("--pairs", type=Path)
    options = parser.parse_args()
    rows = training_rows(options.labelled, pairs=options.pairs)
    with gzip.open(options.prepared / "rows.json.gz", "rt", encoding="utf-8") as file:
        if json.load(file)["fingerprint"] != fingerprint(rows):
            raise SystemExit(f"{options.prepared} was made of other rows: repeat `prepare` and `train`")
    calibrate(rows, read_log_chances(options.trained, len(rows)))
    shutil.copyfile(options.trained / "weights.npz", FOLDER / "weights.npz")


def calibrate(rows: Sequence[Row], log_chances: Array) -> None:
    by_patterns, by_both = designs(rows, log_chances)
    y = np.array([row.share_refused for row in rows])
    weight = row_weights(rows)
    print_sources(rows, by_both, y, weight)
    fitted = {
        "patterns": named(FEATURES, logistic_weights(by_patterns, y, weight)),
        "both": named((*FEATURES, *ENCODER_FEATURES), logistic_weights(by_both, y, weight)),
    }
    (FOLDER / "calibration.json").write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")


def named(names: Sequence[str], weights: Array) -> dict[str, float]:
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    main()
