"""Third step: packs the weights, and fits how rules and encoder are weighed, on sources that the encoder had not seen.

    python -m judge_training.combine TRAINED [LABELLED.jsonl SOURCE]

TRAINED is what `train` wrote. Writes weights.npz and combination.json of `tandem`, and prints the weights of the
confidence of `rules` for `judges/earlier/rules/confidence.py`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from judge_training.pieces import Row, examples, labelled
from mossbench.judges import tandem
from mossbench.judges.earlier.rules import decision
from mossbench.judges.earlier.rules.confidence import FEATURES, features
from mossbench.judges.earlier.rules.kinds import Decision
from mossbench.judges.earlier.tandem.encoder import KINDS, TINY
from mossbench.outcomes import REFUSED_KINDS, Kind

FOLDER = Path(tandem.__file__).parent
PENALTY = 1.0
REAL = "chatgpt"  # the source of real answers among them
UNSIGNED = 0.1
"""What an own example counts that refuses without any sign that the rules know. Our examples have many of them, on
purpose; in answers of real models they are rare, and a judge that expects them takes cheerful answers for refusals."""
SURE = 0.95  # rules that are this sure are right about as often with the encoder as without
Array = np.ndarray[Any, Any]


def logistic(x: Array, y: Array, weight: Array, penalty: float = PENALTY) -> Array:
    """Weights of a logistic model, by Newton's method with an L2 penalty."""
    found = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ found))
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(found))
        found += np.linalg.solve(curve, x.T @ (weight * (y - p)) - penalty * found)
    return found


def odds(chances: Array) -> Array:
    """The encoder's log odds of declining and of dodging, as the judge takes them."""
    of = {kind: index for index, kind in enumerate(KINDS)}
    declining, dodging = chances[:, of[Kind.REFUSED]] + chances[:, of[Kind.INCAPABLE]], chances[:, of[Kind.DEFLECTED]]
    return np.array([[tandem.log_odds(a), tandem.log_odds(b)] for a, b in zip(declining, dodging, strict=True)])


def same_kind(rows: list[Row], decided: list[Decision], chances: Array, found: tandem.Combination) -> float:
    """What the rules' kind is worth beside the encoder's: the value that gives the most readers' kinds."""
    best = (0.0, 0.0)
    for worth in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0):
        trial = replace(found, same_kind=worth)
        right = sum(
            tandem.weigh(one, dict(zip(KINDS, chance, strict=True)), trial).kind.value == row["kinds"][0]
            for row, one, chance in zip(rows, decided, chances.tolist(), strict=True)
        )
        best = max(best, (right / len(rows), worth))
    print(f"kinds as the first reader's: {best[0]:.3f} with {best[1]} for the kind of the rules")
    return best[1]


def packed(name: str, weight: Array) -> dict[str, Any]:
    """A matrix as bytes with a scale for each row; vectors stay as they are."""
    if weight.ndim != 2:
        return {name: weight.astype(np.float16)}
    scale = np.maximum(np.abs(weight).max(1), TINY) / 127
    return {name: np.round(weight / scale[:, None]).astype(np.int8), name + "|scale": scale.astype(np.float32)}


def pack(trained: Path) -> None:
    """Writes the weights of the network as bytes with scales, and its vocabulary."""
    arrays: dict[str, Any] = {}
    for part in sorted(trained.glob("weights*.npz")):
        for name, weight in np.load(part).items():
            arrays |= packed(name, weight.astype(np.float32))
    vocabulary = json.loads((trained / "data.json").read_text("utf-8"))["vocabulary"]
    np.savez_compressed(FOLDER / "weights.npz", vocabulary=np.array(vocabulary), **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("extra", nargs="*")
    options = parser.parse_args()
    rows = examples() + (labelled(Path(options.extra[0]), options.extra[1]) if options.extra else [])
    chances = np.exp(np.load(options.trained / "left_out.npy").astype(float))
    read = [decision(row["request"], row["answer"]) for row in rows]
    kept = [i for i, one in enumerate(read) if isinstance(one, Decision)]
    rows, chances = [rows[i] for i in kept], chances[kept]
    decided = [one for one in read if isinstance(one, Decision)]
    x = np.array([features(one) for one in decided])
    y = np.array([np.mean([Kind(kind) in REFUSED_KINDS for kind in row["kinds"]]) for row in rows])
    sources = np.array([row["source"] for row in rows])
    each = np.array([1 / np.sqrt(np.sum(sources == source)) for source in sources])
    each *= len(each) / each.sum()  # a source counts by the root of its size
    print("rules alone:")
    for name, weight in zip(FEATURES, logistic(x, y, each), strict=True):
        print(f'"{name}" = {weight:.2f}')
    unsigned = (x[:, FEATURES.index("no sign of declining")] == 1) & (y > 0.5) & (sources != REAL)
    each *= np.where(unsigned, UNSIGNED, 1.0)
    both = logistic(np.column_stack([x, odds(chances)]), y, each)
    *rules, declining, dodging = (round(float(weight), 3) for weight in both)
    found = tandem.Combination(tuple(rules), declining, dodging, 0.0, SURE)
    found = replace(found, same_kind=same_kind(rows, decided, chances, found))
    (FOLDER / "combination.json").write_text(json.dumps(asdict(found)) + "\n", "utf-8")
    chance = 1 / (1 + np.exp(-np.column_stack([x, odds(chances)]) @ both))
    for source in sorted(set(sources)):
        inside = sources == source
        wrong = np.mean((chance[inside] > 0.5) != (y[inside] > 0.5))
        fit = -np.mean(np.log(np.where(y[inside] > 0.5, chance[inside], 1 - chance[inside])))
        print(f"{source}: {inside.sum()} answers, {wrong:.1%} wrong, mean log loss {fit:.3f}")
    pack(options.trained)


if __name__ == "__main__":
    main()
