"""Fits the weights of the `rules` judge on labelled examples; bench/judges.py measures it.

python bench/judge_rules.py --fit FILE.jsonl   prints the weights of its confidence, from request, answer, kind
python bench/judge_rules.py --fit-wording FILE.jsonl ...   prints the weights of its words, from the same
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.judges.rules.confidence import FEATURES, features
from mossbench.judges.rules.kinds import Decision, decide
from mossbench.judges.rules.reconsidering import reconsidered
from mossbench.judges.rules.request import read_request
from mossbench.judges.rules.sequence import steps
from mossbench.judges.rules.text import segments
from mossbench.judges.rules.wording import LONGEST, hear
from mossbench.judges.rules.wording import features as wording_features
from mossbench.outcomes import REFUSED_KINDS, Kind

Row = dict[str, Any]


def rows_of(paths: list[Path]) -> list[Row]:
    return [
        json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


def fit(rows: list[Row], penalty: float = 0.5) -> None:
    """Print the weights of a logistic model of refused on the features, by Newton's method with an L2 penalty."""
    x = np.array([features(decided) for decided in unheard(rows)])
    y = np.array([Kind(row["kind"]) in REFUSED_KINDS for row in rows], dtype=float)
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (y - p) - penalty * weights
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(weights)), gradient)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"    {weight:.2f},  # {name}")


def fit_wording(rows: list[Row]) -> None:
    """Print the lines of `wording.txt`: a logistic model of refused on the words of the shorter answers."""
    read_in = [(segments(row["answer"]), read_request(row["request"]), row["kind"]) for row in rows]
    short = [row for row in read_in if sum(segment.n_words for segment in row[0]) <= 1.4 * LONGEST]
    model = words_model(
        [wording_features(found, request) for found, request, _ in short],
        np.array([Kind(kind) in REFUSED_KINDS for _, _, kind in short], dtype=float),
    )
    for feature, weight in model.items():
        if abs(weight) >= 0.05:
            print(f"{feature} {weight:.2f}")


def unheard(rows: list[Row]) -> list[Decision]:
    """The decision on each row, with its wording heard by a model that was not fitted on it."""
    decided = []
    for row, score in zip(rows, out_of_fold(rows), strict=True):
        found, request = segments(row["answer"]), read_request(row["request"])
        acts, heard = steps(found, request), hear(found, request)
        heard = heard._replace(score=score if heard.sentence else 0.0)
        plain = decide(acts, request)
        decided.append(plain if plain.kind in REFUSED_KINDS else reconsidered(plain, heard, acts))
    return decided


def out_of_fold(rows: list[Row], folds: int = 8) -> list[float]:
    """The wording's score of each row from a model fitted without the rows of its request, and of some others."""
    samples = [wording_features(segments(row["answer"]), read_request(row["request"])) for row in rows]
    y = np.array([Kind(row["kind"]) in REFUSED_KINDS for row in rows], dtype=float)
    fold = np.array([zlib.crc32(row["request"].encode()) % folds for row in rows])
    scores = np.zeros(len(rows))
    for left_out in range(folds):
        model = words_model([s for s, f in zip(samples, fold, strict=True) if f != left_out], y[fold != left_out])
        for i in np.flatnonzero(fold == left_out):
            known = [model[feature] for feature in samples[i] if feature in model]
            scores[i] = model["=bias"] + sum(known) / max(1, len(known)) ** 0.5
    return list(scores)


def words_model(samples: list[set[str]], y: np.ndarray, penalty: float = 0.2, least: int = 3) -> dict[str, float]:
    """Weights of the features that occur in `least` samples, and of "=bias"; long samples weigh each feature less."""
    counts = Counter(feature for sample in samples for feature in sample)
    names = sorted(feature for feature, n in counts.items() if n >= least)
    place = {name: index for index, name in enumerate(names)}
    kept = [[place[feature] for feature in sample if feature in place] for sample in samples]
    rows = np.repeat(np.arange(len(kept)), [len(columns) for columns in kept])
    columns = np.concatenate([np.array(columns, dtype=int) for columns in kept])
    scale = np.repeat([max(1, len(columns)) ** -0.5 for columns in kept], [len(columns) for columns in kept])
    weights, mean, square = (np.zeros(len(names) + 1) for _ in range(3))
    for step in range(1, 301):  # Adam
        score = np.bincount(rows, scale * weights[columns], minlength=len(kept)) + weights[-1]
        error = 1 / (1 + np.exp(-score)) - y
        gradient = np.bincount(columns, scale * error[rows], minlength=len(names) + 1) + penalty * weights
        gradient[-1] = error.sum()
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        weights -= 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {"=bias": float(weights[-1]), **dict(zip(names, map(float, weights[:-1]), strict=True))}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--fit", dest="do", action="store_const", const=fit)
    what.add_argument("--fit-wording", dest="do", action="store_const", const=fit_wording)
    arguments = parser.parse_args()
    arguments.do(rows_of(arguments.files))
