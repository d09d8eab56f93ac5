"""Fits and measures how answers in other languages than English are read (`mossbench/judges/languages`).

    python -m judge_training.languages            # fits on two thirds, measures on the third, writes both

The examples of a language are `examples/languages/<code>.jsonl`, written and labelled by language models. A third of
the topics, the same ones in all languages, is never trained on: `measured_languages.json` comes from it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judge_training.rows import own_examples
from mossbench.judges import languages
from mossbench.judges.languages.ngrams import N_BUCKETS, buckets
from mossbench.judges.languages.reading import VERSION, Model, read_other_language
from mossbench.judges.languages.signs import FEATURES, MODULES, Signs, read_signs
from mossbench.outcomes import REFUSED_KINDS

Array = Any

EXAMPLES = Path(__file__).parents[1] / "examples" / "languages"
SHIPPED = Path(languages.__file__).parent
UNSEEN = Path(__file__).parents[1] / "unseen"
"""Answers in unusual manners: never trained on, and not in view when patterns were written."""
UNSEEN_ON = "unusual manners"
MANNERS = SHIPPED.parent / "measured_manners.json"
MEASURED = SHIPPED.parent / "measured_languages.json"
HELD_OUT_OF = 3
"""One of so many topics is left out for measuring."""
N_FOLDS = 5
NGRAM_PENALTY = 0.02
SIGN_PENALTY = 1.0
LANGUAGE_PENALTY = 6.0
"""The bias of a language is held near that of all: there are few examples of each."""
STEPS = 150
LARGEST_BYTE = 127
LATIN = ("German", "French", "Spanish", "Italian", "Portuguese")
ENGLISH_ROWS = 600
"""Of English, so that its table is of about as many texts as the others."""
MOST_RUNS = 1200
RUNS_UNSEEN = 300


@dataclass(frozen=True)
class Example:
    language: str
    request: str
    response: str
    kind: str
    refused: bool
    group: str

    @property
    def topic(self) -> str:
        """The part of the group that is the same in all languages."""
        return self.group.partition("-")[2]


def read_examples(folder: Path = EXAMPLES) -> list[Example]:
    """All examples, by file and line."""
    examples = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            examples.append(
                Example(
                    row["language"], row["request"], row["response"], row["kind"], bool(row["refused"]), row["group"]
                )
            )
    return examples


def is_held_out(example: Example) -> bool:
    return _number(example.topic) % HELD_OUT_OF == 0


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:4], "big")


def fit_ngrams(found: Sequence[Array], truths: Array, *, steps: int = STEPS) -> Array:
    """The weights of a logistic model over buckets, by gradient descent with a penalty on large weights."""
    weights = np.zeros(2 * N_BUCKETS)
    places = np.concatenate(found).astype(np.int64)
    sizes = np.array([len(row) for row in found])
    rows = np.repeat(np.arange(len(found)), sizes)
    values = 1 / np.sqrt(sizes)[rows]
    bias = 0.0
    for step in range(steps):
        rate = 4.0 / (1 + step / 50)
        scores = np.bincount(rows, weights[places] * values, minlength=len(found)) + bias
        errors = _sigmoid(scores) - truths
        gradient = np.bincount(places, errors[rows] * values, minlength=len(weights))
        weights -= rate * (gradient / np.sqrt(len(found)) + NGRAM_PENALTY * weights)
        bias -= 0.1 * errors.mean()
    return weights


def ngram_scores(found: Iterable[Array], weights: Array) -> Array:
    return np.array([weights[row.astype(np.int64)].sum() / np.sqrt(len(row)) for row in found])


def fit_signs(numbers: Array, truths: Array, penalties: Array) -> Array:
    """Newton's method for a logistic model with a penalty for each weight."""
    weights = np.zeros(numbers.shape[1])
    for _ in range(50):
        chances = _sigmoid(numbers @ weights)
        gradient = numbers.T @ (chances - truths) + penalties * weights
        curvature = (numbers * (chances * (1 - chances))[:, None]).T @ numbers + np.diag(penalties)
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def _sigmoid(scores: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(scores, -30, 30)))


@dataclass(frozen=True)
class Fitted:
    model: Model
    ngram_weights: Array
    """Whole numbers of one byte."""
    scale: float


def fit(examples: Sequence[Example]) -> Fitted:
    """The model of these examples; each n-gram score that it is weighed by comes from folds without the row."""
    truths = np.array([example.refused for example in examples], dtype=float)
    found = [buckets(example.response) for example in examples]
    folds = np.array([_number(f"fold {example.topic}") % N_FOLDS for example in examples])
    scores = np.zeros(len(examples))
    for fold in range(N_FOLDS):
        inside = np.flatnonzero(folds != fold)
        outside = np.flatnonzero(folds == fold)
        weights = fit_ngrams([found[i] for i in inside], truths[inside])
        scores[outside] = ngram_scores([found[i] for i in outside], weights)
    signs = [read_signs(example.request, example.response, example.language) for example in examples]
    model = fit_model(signs, scores, truths, folds)
    weights = fit_ngrams(found, truths)
    scale = float(np.abs(weights).max() / LARGEST_BYTE)
    return Fitted(model, np.rint(weights / scale).astype(np.int8), scale)


def fit_model(signs: Sequence[Signs], scores: Array, truths: Array, folds: Array) -> Model:
    """How signs, n-grams and language are weighed, with a slope that makes left-out chances fit."""
    names = list(MODULES)
    of_language = np.array([[sign.language == name for name in names] for sign in signs], dtype=float)
    numbers = np.column_stack([[sign.features for sign in signs], scores, np.ones(len(signs)), of_language])
    penalties = np.array(
        [SIGN_PENALTY] * len(FEATURES) + [SIGN_PENALTY, 0.01] + [LANGUAGE_PENALTY] * len(names), dtype=float
    )
    left_out = np.zeros(len(signs))
    for fold in range(N_FOLDS):
        inside = folds != fold
        left_out[~inside] = numbers[~inside] @ fit_signs(numbers[inside], truths[inside], penalties)
    slope = float(fit_signs(left_out[:, None], truths, np.array([0.01]))[0])
    fitted = fit_signs(numbers, truths, penalties)
    n = len(FEATURES)
    return Model(
        weights=tuple(round(float(weight), 4) for weight in fitted[:n]),
        weight_of_ngrams=round(float(fitted[n]), 4),
        bias_of={name: round(float(fitted[n + 1] + fitted[n + 2 + i]), 4) for i, name in enumerate(names)},
        slope=round(slope, 4),
    )


def write(fitted: Fitted, folder: Path = SHIPPED) -> None:
    """Puts the model into the package."""
    content = {
        "weights": dict(zip(FEATURES, fitted.model.weights, strict=True)),
        "weight_of_ngrams": fitted.model.weight_of_ngrams,
        "bias_of": dict(fitted.model.bias_of),
        "slope": fitted.model.slope,
    }
    text = json.dumps(content, indent=2, ensure_ascii=False)
    (folder / "model.json").write_text(f"{text}\n", encoding="utf-8")
    np.savez_compressed(folder / "weights.npz", weights=fitted.ngram_weights, scale=np.float64(fitted.scale))


def counts_by_language(examples: Iterable[Example]) -> dict[str, dict[str, int]]:
    """How the judge of the package reads these examples, language by language; what it does not read is an error."""
    counts: dict[str, dict[str, int]] = {}
    for example in examples:
        verdict = read_other_language(example.request, example.response)
        is_read_as_refused = verdict.kind in REFUSED_KINDS if verdict and verdict.kind else not example.refused
        cell = counts.setdefault(example.language, dict.fromkeys(("true_yes", "false_yes", "false_no", "true_no"), 0))
        right = "true" if is_read_as_refused == example.refused else "false"
        cell[f"{right}_{'yes' if is_read_as_refused else 'no'}"] += 1
    return counts


def write_measured(examples: Iterable[Example], path: Path = MEASURED) -> None:
    """Puts the counts of each language beside the judges."""
    rows = []
    for language, counts in counts_by_language(examples).items():
        n = sum(counts.values())
        on = f"{n} {language} answers, written and labelled by language models, of topics that were left out"
        rows.append({"reading": VERSION, "language": language, "on": on, "counts": counts})
    rows.sort(key=lambda row: list(MODULES).index(str(row["language"])))
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def counts_of_unseen() -> tuple[dict[str, int], int]:
    """How the judge of the package reads the unseen manners, and how many missed refusals it marks unfamiliar."""
    examples = read_examples(UNSEEN)
    counts = Counter[str]()
    for cell in counts_by_language(examples).values():
        counts.update(cell)
    verdicts = [read_other_language(example.request, example.response) for example in examples if example.refused]
    marked = [verdict for verdict in verdicts if verdict and verdict.unfamiliar and verdict.kind not in REFUSED_KINDS]
    return dict(counts), len(marked)


def write_unseen(path: Path = MANNERS) -> None:
    """Renews the row of the unseen manners; the others are of texts that were added to the examples, or not kept."""
    rows = json.loads(path.read_text("utf-8"))
    counts, n_unfamiliar = counts_of_unseen()
    for row in rows:
        if UNSEEN_ON in row["on"]:
            row.update(counts=counts, unfamiliar=n_unfamiliar)
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def trigram_table(texts_of: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Language -> run of three characters -> hundredths of the logarithm of its share of the runs of these texts."""
    table = {}
    for language, texts in texts_of.items():
        counts: Counter[str] = Counter()
        for text in texts:
            words = " ".join(re.findall(r"[^\W\d_]+", text.lower()))
            padded = f" {words} "
            counts.update(padded[start : start + 3] for start in range(len(padded) - 2))
        total = counts.total() + RUNS_UNSEEN
        kept = {run: round(100 * math.log(n / total)) for run, n in counts.most_common(MOST_RUNS) if n >= 2}
        table[language] = {"": round(100 * math.log(1 / total)), **kept}
    return table


def write_trigrams(examples: Sequence[Example], folder: Path = SHIPPED) -> None:
    """Puts the trigrams of the languages in Latin letters into the package; English has its own examples."""
    texts_of = {
        language: [f"{example.request} {example.response}" for example in examples if example.language == language]
        for language in LATIN
    }
    texts_of["English"] = [row.answer for row in own_examples()][:ENGLISH_ROWS]
    text = json.dumps(trigram_table(texts_of), ensure_ascii=False, separators=(",", ":"))
    (folder / "trigrams.json").write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Fits on two thirds, writes the model, and measures the third that was left out by the judge of the package."""
    examples = read_examples()
    training = [example for example in examples if not is_held_out(example)]
    write(fit(training))
    write_trigrams(training)
    subprocess.run([sys.executable, "-m", "judge_training.languages", "--measure"], check=True)  # reads the new files


def measure() -> None:
    """Measures the model that is in the package."""
    write_measured(example for example in read_examples() if is_held_out(example))
    write_unseen()


if __name__ == "__main__":
    measure() if "--measure" in sys.argv else main()
