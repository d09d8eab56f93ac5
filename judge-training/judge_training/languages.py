"""Fits and measures how answers in other languages than English are read (`mossbench/judges/languages`).

    python -m judge_training.languages            # measures what is left out, fits on all, writes both

The examples of a language are `examples/languages/<code>.jsonl` and, in many more manners, `manners/<code>.jsonl`
there, written and labelled by language models. For `measured_languages.json` a third of the topics of the first (the
same ones in all languages) and a third of the requests of the second are read by weights fitted on the others; the
weights in the package are then fitted on all. `unseen/` is never fitted on.
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
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from judge_training.concepts import ConceptWeights, fit_concepts
from judge_training.rows import own_examples
from mossbench.judges import languages
from mossbench.judges.languages.concept_model import numbers_of, score
from mossbench.judges.languages.familiarity import responds
from mossbench.judges.languages.kinds import KINDS_OF_ANSWER, KINDS_OF_REFUSAL, kind_numbers
from mossbench.judges.languages.ngrams import N_BUCKETS, buckets
from mossbench.judges.languages.reading import (
    VERSION,
    Model,
    answer_language,
    chance_of,
    is_in_doubt,
    log_odds_of,
)
from mossbench.judges.languages.signs import FEATURES, MODULES, Signs, read_signs
from mossbench.judges.reader import read
from mossbench.outcomes import REFUSED_KINDS, Kind

Array = Any

EXAMPLES = Path(__file__).parents[1] / "examples" / "languages"
SHIPPED = Path(languages.__file__).parent
UNSEEN = Path(__file__).parents[1] / "unseen"
"""Answers in unusual manners: never trained on, and not in view when patterns were written."""
UNSEEN_ON = "terse and indirect refusals in unusual manners"
OTHER_WRITER_ON = "in many manners, by a language model that saw neither patterns nor examples"
MANNERS_ON = "each read by weights fitted without any example of its manner"
MANNER_FOLDS = 3
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
IMPORTANCE_OF_STOCK = 0.5
"""Of an example of the first files, most of which are stock phrases, beside one of many manners."""
IMPORTANCE_OF_ENGLISH = 0.1
IMPORTANCE_OF_KIND = 0.15
"""Of a row of which the kind is told: there are few numbers, and few rows of some kinds."""
ENGLISH_STEP = 2
"""One of so many examples in English is used."""
ANSWERS_TO_A_REFUSAL = 3
"""How many answers a refusal is taken to come with where the judge is used; of the examples half are refusals."""
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
    manner: str = ""

    @property
    def topic(self) -> str:
        """The part of the group that is the same in all languages; the whole group where each has its own."""
        return self.group if self.manner else self.group.partition("-")[2]


def read_examples(folder: Path = EXAMPLES) -> list[Example]:
    """All examples, by file and line."""
    examples = []
    for path in [*sorted(folder.glob("*.jsonl")), *sorted(folder.glob("manners/*.jsonl"))]:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            examples.append(
                Example(
                    language=row["language"],
                    request=row["request"],
                    response=row["response"],
                    kind=row["kind"],
                    refused=bool(row["refused"]),
                    group=row["group"],
                    manner=row.get("manner", ""),
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


def fit_signs(numbers: Array, truths: Array, penalties: Array, importance: Array) -> Array:
    """Newton's method for a logistic model of rows that count differently, with a penalty for each weight."""
    weights = np.zeros(numbers.shape[1])
    for _ in range(50):
        chances = _sigmoid(numbers @ weights)
        gradient = numbers.T @ (importance * (chances - truths)) + penalties * weights
        curvature = (numbers * (importance * chances * (1 - chances))[:, None]).T @ numbers + np.diag(penalties)
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
    concepts: ConceptWeights
    kinds: dict[Kind, ConceptWeights]


@dataclass(frozen=True)
class EnglishRows:
    """Numbers of answers in English: they teach what concepts weigh, and are in every fold."""

    numbers: list[dict[str, float]]
    truths: Array


@cache
def english_rows() -> EnglishRows:
    """Every second of our own examples in English."""
    rows = [row for row in own_examples() if row.share_refused in (0.0, 1.0)][::ENGLISH_STEP]
    numbers = [numbers_of(row.request, row.answer, "English") for row in rows]
    return EnglishRows(numbers, np.array([row.share_refused for row in rows]))


def fit_parts(examples: Sequence[Example]) -> tuple[Array, ConceptWeights]:
    """The weights of n-grams and of concepts from these examples."""
    truths = np.array([example.refused for example in examples], dtype=float)
    ngram_weights = fit_ngrams([buckets(example.response) for example in examples], truths)
    english = english_rows()
    importance = [1.0 if example.manner else IMPORTANCE_OF_STOCK for example in examples]
    concepts = fit_concepts(
        [*map(numbers_of_example, examples), *english.numbers],
        np.concatenate([truths, english.truths]),
        np.array([*importance, *[IMPORTANCE_OF_ENGLISH] * len(english.truths)]),
    )
    return ngram_weights, concepts


@cache
def numbers_of_example(example: Example) -> dict[str, float]:
    return numbers_of(example.request, example.response, example.language)


def fit(examples: Sequence[Example]) -> Fitted:
    """The model of these examples; each score that it weighs comes from folds without the row."""
    truths = np.array([example.refused for example in examples], dtype=float)
    folds = np.array([_number(f"fold {example.topic}") % N_FOLDS for example in examples])
    scores = np.zeros((len(examples), 2))
    for fold in range(N_FOLDS):
        inside = [example for example, number in zip(examples, folds, strict=True) if number != fold]
        parts = fit_parts(inside)
        for place in np.flatnonzero(folds == fold):
            scores[place] = scores_by(examples[place], *parts)
    signs = [read_signs(example.request, example.response, example.language) for example in examples]
    importance = np.array([1.0 if example.manner else IMPORTANCE_OF_STOCK for example in examples])
    model = fit_model(signs, scores, truths, folds, importance)
    ngram_weights, concepts = fit_parts(examples)
    scale = float(np.abs(ngram_weights).max() / LARGEST_BYTE)
    return Fitted(model, np.rint(ngram_weights / scale).astype(np.int8), scale, concepts, fit_kinds(examples, signs))


def fit_kinds(examples: Sequence[Example], signs: Sequence[Signs]) -> dict[Kind, ConceptWeights]:
    """For each kind what tells it from the others of its side."""
    fitted = {}
    for kinds in (KINDS_OF_REFUSAL, KINDS_OF_ANSWER):
        rows = []
        labels = []
        for example, of_example in zip(examples, signs, strict=True):
            if example.kind in kinds:
                rows.append(kind_numbers(numbers_of_example(example), of_example))
                labels.append(example.kind)
        for kind in kinds:
            truths = np.array([label == kind for label in labels], dtype=float)
            fitted[kind] = fit_concepts(rows, truths, np.full(len(rows), IMPORTANCE_OF_KIND))
    return fitted


def scores_by(example: Example, ngram_weights: Array, concepts: ConceptWeights) -> tuple[float, float]:
    """What n-grams and concepts say of an example."""
    by_ngrams = ngram_scores([buckets(example.response)], ngram_weights)[0]
    return by_ngrams, score(numbers_of_example(example), concepts.whole, concepts.scale)


def fit_model(signs: Sequence[Signs], scores: Array, truths: Array, folds: Array, importance: Array) -> Model:
    """How signs, n-grams, concepts and language are weighed, with a slope that makes left-out chances fit."""
    names = list(MODULES)
    of_language = np.array([[sign.language == name for name in names] for sign in signs], dtype=float)
    numbers = np.column_stack([[sign.features for sign in signs], scores, np.ones(len(signs)), of_language])
    penalties = np.array(
        [SIGN_PENALTY] * len(FEATURES) + [SIGN_PENALTY] * 2 + [0.01] + [LANGUAGE_PENALTY] * len(names), dtype=float
    )
    left_out = np.zeros(len(signs))
    for fold in range(N_FOLDS):
        inside = folds != fold
        left_out[~inside] = numbers[~inside] @ fit_signs(numbers[inside], truths[inside], penalties, importance[inside])
    slope = float(fit_signs(left_out[:, None], truths, np.array([0.01]), importance)[0])
    fitted = fit_signs(numbers, truths, penalties, importance)
    n = len(FEATURES)
    bias_of = {name: float(fitted[n + 2] + fitted[n + 3 + i]) for i, name in enumerate(names)}
    return Model(
        weights=tuple(round(float(weight), 4) for weight in fitted[:n]),
        weight_of_ngrams=round(float(fitted[n]), 4),
        weight_of_concepts=round(float(fitted[n + 1]), 4),
        bias_of={name: round(bias, 4) for name, bias in bias_of.items()},
        slope=round(slope, 4),
        threshold=round(math.log(ANSWERS_TO_A_REFUSAL), 4),
    )


def write(fitted: Fitted, folder: Path = SHIPPED) -> None:
    """Puts the model into the package."""
    content = {
        "weights": dict(zip(FEATURES, fitted.model.weights, strict=True)),
        "weight_of_ngrams": fitted.model.weight_of_ngrams,
        "weight_of_concepts": fitted.model.weight_of_concepts,
        "bias_of": dict(fitted.model.bias_of),
        "slope": fitted.model.slope,
        "threshold": fitted.model.threshold,
    }
    text = json.dumps(content, indent=2, ensure_ascii=False)
    (folder / "model.json").write_text(f"{text}\n", encoding="utf-8")
    concepts = {"scale": fitted.concepts.scale, "weights": fitted.concepts.whole}
    text = json.dumps(concepts, indent=0, ensure_ascii=False)
    (folder / "concepts" / "weights.json").write_text(f"{text}\n", encoding="utf-8")
    kinds = {kind.value: {"scale": of_kind.scale, "weights": of_kind.whole} for kind, of_kind in fitted.kinds.items()}
    text = json.dumps(kinds, indent=0, ensure_ascii=False)
    (folder / "concepts" / "kinds.json").write_text(f"{text}\n", encoding="utf-8")
    np.savez_compressed(folder / "weights.npz", weights=fitted.ngram_weights, scale=np.float64(fitted.scale))


@dataclass(frozen=True)
class AsRead:
    """How an example was read: None where it has no verdict."""

    kind: Kind | None
    unfamiliar: bool

    @property
    def refused(self) -> bool | None:
        return self.kind in REFUSED_KINDS if self.kind else None


def read_by(fitted: Fitted, example: Example) -> AsRead:
    """What weights that are not in the package make of an example, by the same rules as the package."""
    language = answer_language(example.request, example.response)
    if language not in MODULES:
        return read_by_package(example)
    signs = read_signs(example.request, example.response, language)
    in_language = replace(example, language=language)
    by_ngrams, by_concepts = scores_by(in_language, fitted.ngram_weights * fitted.scale, fitted.concepts)
    log_odds = float(log_odds_of(signs, by_ngrams, by_concepts, fitted.model))
    is_refused = log_odds > 0
    is_responding = responds(example.request, example.response, signs)
    unfamiliar = not is_refused and is_in_doubt(chance_of(log_odds), is_responding=is_responding)
    return AsRead(kind_by(fitted, in_language, signs, is_refused=is_refused), unfamiliar)


def kind_by(fitted: Fitted, example: Example, signs: Signs, *, is_refused: bool) -> Kind:
    """The kind with the highest score of its side."""
    numbers = kind_numbers(numbers_of_example(example), signs)
    kinds = KINDS_OF_REFUSAL if is_refused else KINDS_OF_ANSWER
    return max(kinds, key=lambda kind: score(numbers, fitted.kinds[kind].whole, fitted.kinds[kind].scale))


def read_by_package(example: Example) -> AsRead:
    """What the default judge of the package makes of an example, in whatever language it takes it to be."""
    verdict = read(example.request, example.response)
    return AsRead(verdict.kind, verdict.unfamiliar)


Readings = Sequence[tuple[Example, AsRead]]


def counts_of(readings: Readings) -> dict[str, int]:
    """How many were read rightly and wrongly; what has no verdict is in none of these."""
    counts = dict.fromkeys(("true_yes", "false_yes", "false_no", "true_no"), 0)
    for example, as_read in readings:
        if as_read.refused is None:
            continue
        right = "true" if as_read.refused == example.refused else "false"
        counts[f"{right}_{'yes' if as_read.refused else 'no'}"] += 1
    return counts


def row_of(on: str, readings: Readings) -> dict[str, Any]:
    """A row of `measured_manners.json`."""
    missed = [as_read for example, as_read in readings if example.refused and as_read.refused is False]
    others = [as_read for example, as_read in readings if not example.refused and as_read.refused is False]
    return {
        "reading": VERSION,
        "on": on,
        "counts": counts_of(readings),
        "kinds_right": sum(as_read.kind == example.kind for example, as_read in readings),
        "unread": sum(as_read.refused is None for _, as_read in readings),
        "unfamiliar": sum(as_read.unfamiliar for as_read in missed),
        "unfamiliar_others": sum(as_read.unfamiliar for as_read in others),
    }


def write_measured(readings: Readings, path: Path = MEASURED) -> None:
    """Puts the counts of each language beside the judges."""
    rows = []
    for language in MODULES:
        of_language = [reading for reading in readings if reading[0].language == language]
        on = f"{len(of_language)} {language} answers, written and labelled by language models, to requests left out"
        rows.append({"reading": VERSION, "language": language, "on": on, "counts": counts_of(of_language)})
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def readings_without_manner(examples: Sequence[Example]) -> Readings:
    """Each example that names its manner, read by weights that were fitted without any example of this manner."""
    readings: list[tuple[Example, AsRead]] = []
    for fold in range(MANNER_FOLDS):
        inside = [example for example in examples if _manner_fold(example) != fold]
        outside = [example for example in examples if _manner_fold(example) == fold and example.manner]
        fitted = fit(inside)
        readings += [(example, read_by(fitted, example)) for example in outside]
    return readings


def _manner_fold(example: Example) -> int:
    return _number(f"manner {example.manner or example.topic}") % MANNER_FOLDS


def unseen_sets() -> dict[str, list[Example]]:
    """The answers that are never fitted on, by what they are."""
    return {
        UNSEEN_ON: [example for example in read_examples(UNSEEN) if not example.manner],
        OTHER_WRITER_ON: [example for example in read_examples(UNSEEN) if example.manner],
    }


def rows_of_unseen() -> list[dict[str, Any]]:
    """How the judge of the package reads what is never fitted on."""
    rows = []
    for what, examples in unseen_sets().items():
        languages_of_set = len({example.language for example in examples})
        on = f"{len(examples)} answers in {languages_of_set} languages, {what}"
        rows.append(row_of(on, [(example, read_by_package(example)) for example in examples]))
    return rows


def write_manners(rows: Sequence[Mapping[str, Any]], path: Path = MANNERS) -> None:
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
    """Fits on all examples and writes that, then measures what was left out, and what is never fitted on."""
    examples = read_examples()
    write_trigrams(examples)
    write(fit(examples))
    subprocess.run([sys.executable, "-m", "judge_training.languages", "--measure"], check=True)  # reads the new files


def measure_left_out(examples: Sequence[Example]) -> None:
    """Reads the third that is left out, and each manner, by weights that were fitted without them."""
    fitted = fit([example for example in examples if not is_held_out(example)])
    write_measured([(example, read_by(fitted, example)) for example in examples if is_held_out(example)])
    by_manner = readings_without_manner(examples)
    on = f"{len(by_manner)} answers in {len(MODULES)} languages, {MANNERS_ON}"
    write_manners([row_of(on, by_manner)])


def measure() -> None:
    """Measures what was left out, then the model that is in the package on what is never fitted on."""
    measure_left_out(read_examples())
    stored = json.loads(MANNERS.read_text("utf-8"))
    write_manners([row for row in stored if MANNERS_ON in row["on"]] + rows_of_unseen())


if __name__ == "__main__":
    measure() if "--measure" in sys.argv else main()
