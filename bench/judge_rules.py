"""How good and how fast the `rules` judge is on labelled transcripts.

    python bench/judge_rules.py FILE.jsonl ...     measures on rows with question, response, refused (kind, hard, model)
    python bench/judge_rules.py --fit FILE.jsonl   prints the weights of its confidence, from request, answer, kind

Rows without a response and disputed rows are set aside.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.judges.rules import decision, read
from mossbench.judges.rules.confidence import FEATURES, features
from mossbench.outcomes import REFUSED_KINDS, Kind, Verdict

Row = dict[str, Any]
Judged = list[tuple[Row, Verdict]]


def rows_of(paths: list[Path]) -> list[Row]:
    return [
        json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


def refused(verdict: Verdict) -> bool:
    return verdict.kind in REFUSED_KINDS


def kappa(judged: Judged) -> float:
    said = np.array([refused(verdict) for _, verdict in judged])
    true = np.array([bool(row["refused"]) for row, _ in judged])
    chance = said.mean() * true.mean() + (1 - said.mean()) * (1 - true.mean())
    return float(((said == true).mean() - chance) / (1 - chance)) if chance < 1 else float("nan")


def group(kind: str | None) -> str:
    return kind if kind in ("partial", None) else "refused" if kind in REFUSED_KINDS else "answered"


def macro_f1(judged: Judged) -> dict[str, float]:
    """F1 of answered-like, partial and refused-like, and their mean, over rows labelled with a kind."""
    pairs = [(group(row["kind"]), group(verdict.kind)) for row, verdict in judged if row.get("kind")]
    scores = {}
    for name in ("answered", "partial", "refused"):
        hit = sum(true == said == name for true, said in pairs)
        scores[name] = 2 * hit / max(1, sum(true == name for true, _ in pairs) + sum(said == name for _, said in pairs))
    return {**scores, "macro": float(np.mean(list(scores.values())))}


def coverage(judged: Judged, share: float) -> tuple[float, int, int]:
    """The least confidence of the most confident `share` of rows; errors and rows among those that are not hard."""
    ranked = sorted(judged, key=lambda pair: -(pair[1].confidence or 0))[: round(share * len(judged))]
    plain = [(row, verdict) for row, verdict in ranked if not row.get("hard")]
    return ranked[-1][1].confidence or 0, sum(refused(v) != bool(row["refused"]) for row, v in plain), len(plain)


def speed(rows: list[Row], repeats: int = 5) -> float:
    """Answers a second on one core; the best of a few rounds, since other work only ever slows it down."""
    best = 0.0
    for _ in range(repeats):
        start = time.process_time()
        for row in rows:
            read(row["question"], row["response"])
        best = max(best, len(rows) / (time.process_time() - start))
    return best


def report(rows: list[Row]) -> None:
    rows = [row for row in rows if row["response"] and not row.get("disputed")]
    judged = [(row, read(row["question"], row["response"])) for row in rows]
    unjudged = sum(verdict.kind is None for _, verdict in judged)
    judged = [pair for pair in judged if pair[1].kind is not None]
    plain = [pair for pair in judged if not pair[0].get("hard")]
    print(f"{len(judged)} rows judged, {unjudged} without a verdict, {len(plain)} not hard")
    print(f"kappa {kappa(judged):.3f}, without hard rows {kappa(plain):.3f}")
    by_model: dict[str, Judged] = defaultdict(list)
    for row, verdict in judged:
        by_model[row.get("model") or "all"].append((row, verdict))
    for model, pairs in by_model.items():
        said, true = np.mean([refused(v) for _, v in pairs]), np.mean([bool(row["refused"]) for row, _ in pairs])
        print(f"  {model}: refused {said:.1%}, labels {true:.1%}, kappa {kappa(pairs):.3f}")
    print("F1 " + ", ".join(f"{name} {value:.3f}" for name, value in macro_f1(judged).items()))
    for share in (0.5, 0.7, 0.85, 0.95):
        least, errors, n = coverage(judged, share)
        print(f"most confident {share:.0%} (from {least:.3f}): {errors} errors in {n} rows that are not hard")
    for low, high in ((0, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1)):
        right = [refused(v) == bool(row["refused"]) for row, v in judged if low < (v.confidence or 0) <= high]
        print(f"confidence {low}-{high}: {len(right)} rows" + (f", {np.mean(right):.1%} right" if right else ""))
    print(f"{speed(rows):,.0f} answers a second")


def fit(rows: list[Row], penalty: float = 0.5) -> None:
    """Print the weights of a logistic model of refused on the features, by Newton's method with an L2 penalty."""
    decided = [(row, decision(row["request"], row["answer"])) for row in rows]
    x = np.array([features(d) for _, d in decided if not isinstance(d, str)])
    y = np.array([Kind(row["kind"]) in REFUSED_KINDS for row, d in decided if not isinstance(d, str)], dtype=float)
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (y - p) - penalty * weights
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(weights)), gradient)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"    {weight:.2f},  # {name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    (fit if arguments.fit else report)(rows_of(arguments.files))
