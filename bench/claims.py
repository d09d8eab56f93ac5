"""Do the analyses claim what is there, and nothing else? Models that were made to fool them, by simulation.

    python bench/claims.py                      # the whole table, 200 runs a cell
    python bench/claims.py --runs 1000 --only shy
    python bench/claims.py --rates 0.15         # one rate

What a control would do with every row is looked up once: whether each of its gates applies, and what its draw depends
on. A run then draws refusals for all rows and epochs, flips 5 % of the verdicts, and hands the table to the analysis.
In the published layout the models decide by the fields of made-up samples with the published shares of flags. Counted:
how often all that must be found is claimed, and how often anything that is not true.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from mossbench import Sample, load_dataset
from mossbench.analyses.analysis import Options
from mossbench.analyses.causes import name_causes
from mossbench.analyses.causes_arms import EPOCHS, arms
from mossbench.analyses.causes_evidence import Evidence
from mossbench.analyses.cells import Cells
from mossbench.analyses.claims import Claim, adjust_p
from mossbench.analyses.net import help_claims, nets_of
from mossbench.analyses.stages import DESCRIBED, FILLER, FRESH, INTENDED
from mossbench.datasets.arms import PLAIN, joined
from mossbench.datasets.planned_rows import plan
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.judges.earlier.rules import read
from mossbench.models import Prompt, Settings
from mossbench.models.control import control
from mossbench.models.control.answer_texts import write_reluctant
from mossbench.models.control.names import CAUSES
from mossbench.models.control.planted import BY_EYE, Question, is_harmful
from mossbench.models.control.request_words import read as read_request
from mossbench.models.control.sight import look
from mossbench.models.control.triggers import TRIGGERS
from mossbench.outcomes import Kind
from mossbench.runs.image_cache import PictureShelf
from mossbench.samples import Side, Stimulus
from mossbench.statistics import wilson

FLIPPED = 0.05
TOLD = 0.5
FINDS = {"jumpy": "object", "filtering": "negation", "prudish": "words", "literal": "together", "shy": "image"}
FINDS |= {"discreet": "people", "impatient": "length", "squeamish": "negation", "twofaced": "negation"}
TRUE = {cause: {claim} for cause, claim in FINDS.items()}
TRUE["filtering"] = {"negation", "overlooked"}
TRUE |= {"discreet": {"people", "scene"}, "child": {"people", "scene"}, "sign": {"negation"}, "still": {"image"}}
TRUE["long"] = {"length"}
TRUE |= {gate: {"scene"} for gate in ("nightblind", "text", "animal")}
# Neutral images are dim or bright too, and all images are as wide: adding either kind of image does it.
TRUE |= {"dim": {"scene", "image"}, "bright": {"scene", "image"}, "width": {"image"}, "bytes": {"image"}}
# It is in some own words, some goals and no filler: what the words are is what it goes by.
TRUE |= {"it": {"words"}}
HELPS = {"jumpy": "description", "filtering": "description", "prudish": "goal", "literal": "goal"}
# The goal takes the place of the request, so that a question becomes a statement and no `it` is left.
HELP_TRUE = {"question": {"goal"}, "it": {"goal"}} | {
    "jumpy": {"description"},
    "filtering": {"description"},
    "prudish": {"goal"},
    "literal": {"goal", "description"},
}
LEFT_OUT = ("discreet", "text", "nightblind", "squeamish", "twofaced", "jumpy", "filtering", "literal", "child")
ALONE = ("coin", "moody", "shy", "discreet", "nightblind", "text", "impatient", "squeamish", "twofaced", *CAUSES)
OTHERS = ("question", "long", "short", "sign", "animal", "child", "mismatch", "sample", "still", "dim", "bright")
OTHERS += ("neutral", "neutral or dark", "hash", "width", "bytes", "it", "drift", "fixed", "reluctant")
"""Models that the analysis was not built with in mind."""
MIXED = (
    *((a, b) for i, a in enumerate(CAUSES) for b in CAUSES[i + 1 :]),
    ("jumpy", "shy"),
    ("discreet", "impatient"),
    ("prudish", "shy"),
    ("literal", "coin"),
    ("filtering", "impatient"),
    ("discreet", "text"),
    ("question", "sample"),
)


FROM = {("jumpy", "shy"): 0.3, ("discreet", "impatient"): 0.3, ("discreet", "text"): 0.3}
FROM |= {("prudish", "shy"): 0.5, ("literal", "coin"): 0.5}
"""Rates from which both can be found at this price: each is noise for the other."""


@dataclass(frozen=True)
class Rows:
    """What is asked: a line for each sample and arm."""

    samples: tuple[Sample, ...]
    arms: tuple[str, ...]
    sample: np.ndarray
    arm: np.ndarray
    epochs: np.ndarray
    words: np.ndarray
    """Number of the request; lines with one request have one number."""
    picture: np.ndarray
    """Number of the image; lines with one image have one number."""
    applies: dict[str, np.ndarray]
    mends: dict[str, np.ndarray]
    shown: dict[tuple[str, str], str] = field(default_factory=dict)
    """Arm and sample -> the image that it is asked with."""


def _taken_in(prompt: Prompt) -> Question:
    return Question(prompt, read_request(prompt.request), look(prompt.picture.data) if prompt.picture else None)


@cache
def sketched(stages: bool = False) -> Rows:
    """The rows of `causes` on the sketches, or of `stages` if everything were refused."""
    data = load_dataset("sketches")
    benign = [sample for sample in data if sample.side is Side.BENIGN]
    ways = [arm.model_copy(update={"epochs": 1 + FRESH}) for arm in (PLAIN, FILLER, DESCRIBED, INTENDED)]
    planned = plan(benign, ways if stages else joined(arms(data, Options(epochs=EPOCHS))), 1)
    times: dict[tuple[str, str], int] = {}
    for row in planned:
        times[row.sample.id, row.arm.name] = times.get((row.sample.id, row.arm.name), 0) + 1
    first = [row for row in planned if row.key.epoch == 1]
    shelf = PictureShelf(data, DEFAULT_LIMITS, one_format=True)

    async def fetch_pictures():
        return [await shelf.fetch(row.sample, row.arm) for row in first]

    pictures = asyncio.run(fetch_pictures())
    owner_of_image = {}
    for sample in benign:
        owner_of_image |= dict.fromkeys((sample.image, sample.counterfactual), sample)
    owners = [owner_of_image.get(row.arm.shown(row.sample, data).image) for row in first]
    model = control("mixture?" + "&".join(f"{c}=1" for c in (*CAUSES, *TRIGGERS)) + f"&told={TOLD}")
    taken_in = [
        _taken_in(Prompt(row.arm.request(row.sample), picture=picture, settings=Settings(seed=1)))
        for row, picture in zip(first, pictures, strict=True)
    ]
    harmful = np.array([is_harmful(asking) for asking in taken_in])  # which a control refuses, whatever else it does
    model.spec.values["told"] = 1  # type: ignore[index]
    applies = {c: np.array([model.applies(c, asking) for asking in taken_in]) for c in (*CAUSES, *TRIGGERS)}
    applies |= _other_gates(first, taken_in, owners)
    applies = {name: where * ~harmful for name, where in applies.items()}
    mends = {c: np.array([model.is_cleared_up(c, asking) for asking in taken_in]) for c in CAUSES}
    names = list(dict.fromkeys(row.arm.name for row in first))
    place = {sample.id: i for i, sample in enumerate(benign)}
    return Rows(
        tuple(benign),
        tuple(names),
        np.array([place[row.sample.id] for row in first]),
        np.array([names.index(row.arm.name) for row in first]),
        np.array([times[row.sample.id, row.arm.name] for row in first]),
        np.unique([asking.prompt.request for asking in taken_in], return_inverse=True)[1],
        np.unique([p.sha256 if p else "" for p in pictures], return_inverse=True)[1],
        applies,
        mends,
        {(r.arm.name, r.sample.id): p.sha256 for r, p in zip(first, pictures, strict=True) if p},
    )


def _other_gates(first, taken_in, owners) -> dict[str, np.ndarray]:
    """Gates by fields, and others that no control has."""
    from mossbench.models.control.triggers import _grey

    def dark(asking) -> float:
        return _grey(asking.prompt.picture.data) if asking.prompt.picture else 255.0

    has_picture = [asking.prompt.picture is not None for asking in taken_in]
    neutral = [row.arm.picture == "neutral" for row in first]
    gates = {
        "text": [o is not None and bool(o.ocr) for o in owners],
        "child": [o is not None and bool(o.child) for o in owners],
        "question": ["?" in asking.prompt.request for asking in taken_in],
        "long": [len(asking.prompt.request.split()) > 16 for asking in taken_in],
        "short": [len(asking.prompt.request.split()) < 14 for asking in taken_in],
        "sign": [asking.seen is not None and asking.seen.negation for asking in taken_in],
        "animal": [asking.seen is not None and asking.seen.animal for asking in taken_in],
        "mismatch": [o is not None and o.id != row.sample.id for o, row in zip(owners, first, strict=True)],
        "sample": [sum(map(ord, row.sample.id)) % 3 == 0 for row in first],
        "still": [
            sum(map(ord, row.sample.id)) % 3 == 0 and asking.seen is not None
            for row, asking in zip(first, taken_in, strict=True)
        ],
        "dim": [dark(asking) < 160 for asking in taken_in],
        "neutral": neutral,
        "neutral or dark": [
            is_neutral or dark(asking) < 150 for is_neutral, asking in zip(neutral, taken_in, strict=True)
        ],
        "hash": has_picture,
        "width": [
            is_shown and asking.prompt.picture.width > 900
            for is_shown, asking in zip(has_picture, taken_in, strict=True)
        ],
        "bytes": [
            is_shown and len(asking.prompt.picture.data) > 180_000
            for is_shown, asking in zip(has_picture, taken_in, strict=True)
        ],
        "it": [
            "it" in asking.prompt.request.lower().replace("?", " ").replace(".", " ").split() for asking in taken_in
        ],
        "drift": [True for _ in taken_in],
        "fixed": [True for _ in taken_in],
        "reluctant": [_read_as_refused(asking) for asking in taken_in],
        "bright": [180 < dark(asking) < 254 for asking in taken_in],
    }
    return {name: np.array(values) for name, values in gates.items()}


def _read_as_refused(asked) -> float:
    """The share of reluctant answers to a request that the rules take for refusals."""
    texts = [write_reluctant(random.Random(seed), (), asked.prompt.request) for seed in range(5)]
    refusals = {Kind.REFUSED, Kind.DEFLECTED, Kind.INCAPABLE}
    return float(np.mean([read(asked.prompt.request, text).kind in refusals for text in texts]))


@cache
def published() -> Rows:
    """Three hundred made-up samples with the published shares of flags, as `causes` asks them."""
    rng = np.random.default_rng(7)
    shares = {"human": (0.32, 0.67, 0.79), "ocr": (0.26, 0.6, 0.03), "child": (0.35, 0.23, 0.32)}
    samples = tuple(
        Sample(
            id=str(100 * k + i),
            question="what " * int(rng.integers(6, 25)) + "?",
            stimulus=stimulus,
            image="x.png",
            **{flag: bool(rng.random() < by_stimulus[k]) for flag, by_stimulus in shares.items()},
        )
        for k, stimulus in enumerate(Stimulus)
        for i in range(100)
    )
    names = ("plain", "text-only", "blank")
    sample, arm = (part.ravel() for part in np.meshgrid(np.arange(300), np.arange(3), indexing="ij"))
    is_plain = arm == 0
    has_image = arm != 1
    samples_of_lines = [samples[i] for i in sample]
    kinds = np.array([s.stimulus for s in samples_of_lines])
    flags = {flag: np.array([getattr(s, flag) for s in samples_of_lines]) & is_plain for flag in shares}
    applies = {
        "coin": np.ones(900, bool),
        "moody": np.ones(900, bool),
        "shy": has_image,
        "discreet": flags["human"],
        "child": flags["child"],
        "text": flags["ocr"],
        "nightblind": is_plain & (sample % 6 == 0),
        "impatient": np.array([len(s.question.split()) > 16 for s in samples_of_lines]),
        "squeamish": is_plain & (kinds == Stimulus.NEGATED_HARM),
        "jumpy": is_plain & (kinds == Stimulus.EXAGGERATED_RISK),
        "literal": is_plain & (kinds == Stimulus.COUNTERINTUITIVE),
        "prudish": kinds == Stimulus.COUNTERINTUITIVE,
        "sample": sample % 3 == 0,
        "still": (sample % 3 == 0) & has_image,
    }
    applies |= {"drift": applies["coin"], "fixed": applies["coin"], "neutral": arm == 2, "hash": has_image}
    applies |= {"filtering": applies["squeamish"], "twofaced": applies["squeamish"]}
    picture = np.where(has_image, 1 + sample + 300 * arm, 0)
    images = {(names[a], samples[i].id): str(p) for i, a, p in zip(sample, arm, picture, strict=True) if p}
    return Rows(samples, names, sample, arm, np.full(900, 3), sample, picture, applies, {}, images)


def drawn(rows: Rows, planted: dict[str, float], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Refused by line and epoch, and which gates fired that show in descriptions (`filtering`)."""
    most = int(rows.epochs.max())
    refused, misread = np.zeros((2, len(rows.sample), most), bool)
    for cause, rate in planted.items():
        gate = TRIGGERS.get(cause)
        words, picture = (gate.words, gate.picture) if gate else (cause not in BY_EYE, cause != "prudish")
        words = words and cause != "hash"
        keys = (rows.words + 1) * words * 100_000 + (rows.picture + 1) * picture
        groups = np.unique(keys, return_inverse=True)[1]
        luck = rng.random((groups.max() + 1, most))
        luck = luck[:, :1] if cause in ("fixed", "hash") else luck  # the same at every epoch
        grows = np.linspace(0, 1, most) if cause == "drift" else 1.0  # over the epochs: arms are asked in turn
        fires = luck[groups] < rate * rows.applies[cause][:, None] * grows
        if cause == "filtering":
            misread |= fires
        if "captioned" in rows.arms and not (gate and gate.captions):
            fires &= rows.arm[:, None] != rows.arms.index("captioned")
        if cause in rows.mends:
            fires &= ~(rows.mends[cause][:, None] & (rng.random(fires.shape) < TOLD))
        refused |= fires
    return refused, misread


def cells(rows: Rows, planted: dict[str, float], rng: np.random.Generator, flipped: float = FLIPPED):
    """What a run counts, and where its descriptions leave the negation out."""
    refused, misread = drawn(rows, planted, rng)
    noisy = (refused ^ (rng.random(refused.shape) < flipped)).astype(float)
    is_asked = np.arange(refused.shape[1])[None] < rows.epochs[:, None]
    values = np.full((len(rows.samples), len(rows.arms), refused.shape[1]), np.nan)
    values[rows.sample, rows.arm] = np.where(is_asked, noisy, np.nan)
    missed = np.full((len(rows.samples), refused.shape[1]), np.nan)
    if "captioned" in rows.arms:
        is_caption = rows.arm == rows.arms.index("captioned")
        leaves_out = (
            misread[is_caption].astype(float)
            if "twofaced" not in planted
            else np.ones((is_caption.sum(), refused.shape[1]))
        )
        missed[rows.sample[is_caption]] = np.where(is_asked[is_caption] & ~refused[is_caption], leaves_out, np.nan)
    return Cells(rows.samples, rows.arms, values, np.zeros(values.shape[:2]), rows.shown), missed


def claimed(job: tuple[str, tuple[tuple[str, float], ...], int]) -> tuple[str, ...]:
    """What one run claims."""
    data_and_analysis, planted, seed = job
    rng = np.random.default_rng([seed, len(planted), *(round(1000 * rate) for _, rate in planted)])
    if data_and_analysis == "sketches, stages":
        counted, _ = cells(sketched(stages=True), dict(planted), rng)
        chosen = counted.values[:, counted.arms.index("plain"), 0] == 1
        ids = {sample.id for sample, is_chosen in zip(counted.samples, chosen, strict=True) if is_chosen}
        later = counted.where(lambda sample: sample.id in ids)
        later = replace(later, values=later.values[:, :, 1:])
        assert not ids or nets_of(later)
        return tuple(claim.name for claim in adjust_p(help_claims(later) if ids else ()) if claim.is_shown)
    rows = sketched() if data_and_analysis == "sketches, causes" else published()
    counted, missed = cells(rows, dict(planted), rng)
    causes = name_causes(Evidence(counted, counted, missed))
    true = {claim.name: claim.share.value for claim in _expected(data_and_analysis, planted)}
    sides = [(claim.name, 1 if claim.changes == "falls" else -1) for claim in causes.unexplained]
    # A change that is shown and is not there, or goes the other way, is a false claim too.
    return (*causes.shown_names, *(f"change: {name}" for name, side in sides if side * true[name] < 1e-9))


@cache
def _expected(data_and_analysis: str, planted: tuple[tuple[str, float], ...]) -> tuple[Claim, ...]:
    """What the comparisons come to without chance: each answer counts with its probability of being a refusal."""
    rows = sketched() if data_and_analysis == "sketches, causes" else published()
    chance = np.ones((len(rows.sample), int(rows.epochs.max())))
    for cause, rate in planted:
        grows = np.linspace(0, 1, chance.shape[1]) if cause == "drift" else 1.0
        mended = rows.mends[cause][:, None] * TOLD if cause in rows.mends else 0.0
        chance *= 1 - rate * rows.applies[cause][:, None] * grows * (1 - mended)
    values = np.full((len(rows.samples), len(rows.arms), chance.shape[1]), np.nan)
    is_asked = np.arange(chance.shape[1])[None] < rows.epochs[:, None]
    values[rows.sample, rows.arm] = np.where(is_asked, 1 - chance, np.nan)
    expected = Cells(rows.samples, rows.arms, values, np.zeros(values.shape[:2]), rows.shown)
    return name_causes(Evidence(expected, expected)).causes


def wanted(where: str, planted: tuple[str, ...], rate: float) -> tuple[set[str], set[str]]:
    """What must be found, and what else is true."""
    if where == "sketches, stages":
        must_find = {HELPS[cause] for cause in planted if cause in HELPS and rate >= 0.8}
        return must_find, set().union(*(HELP_TRUE.get(cause, set()) for cause in planted))
    if where == "published layout, causes":
        true = {"left-out"} if any(cause in LEFT_OUT for cause in planted) else set()
        # No image goes with two requests here: that it is which image, and not that there is one, cannot be told.
        changed = {"image", "left-out"} if {"shy", "still", "hash"} & set(planted) else set()
        return ({"image"} if "shy" in planted else set()), true | changed
    must_find = {FINDS[cause] for cause in planted if cause in FINDS}
    must_find = must_find if rate >= FROM.get(planted, 0) else set()
    must_find |= {"overlooked"} if "filtering" in planted and rate >= 0.5 else set()
    return must_find, set().union(*(TRUE.get(cause, set()) for cause in planted))


def table(rates: list[float]) -> list[tuple[str, tuple[str, ...], float]]:
    """Data and analysis, what is planted, and at which rate."""
    lines: list[tuple[str, tuple[str, ...], float]] = []
    for data_and_analysis in ("sketches, causes", "published layout, causes", "sketches, stages"):
        lines.append((data_and_analysis, (), 0.0))
        for rate in rates:
            single = [(cause,) for cause in (*ALONE, *OTHERS)]
            several = list(MIXED) if data_and_analysis == "sketches, causes" else []
            known_gates = (
                published() if "published" in data_and_analysis else sketched("stages" in data_and_analysis)
            ).applies
            lines += [
                (data_and_analysis, planted, rate)
                for planted in (*single, *several)
                if set(planted) <= set(known_gates)
            ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--rates", type=float, nargs="*", default=[0.15, 0.3, 0.5, 0.8])
    parser.add_argument("--only", help="cells whose name holds this")
    parser.add_argument("--where", help="data and analyses whose name holds this")
    options = parser.parse_args()
    print(f"answers: causes on sketches {sketched().epochs.sum()}, published layout {published().epochs.sum()}")
    print(
        "| data, analysis | planted | rate | found, % | not true, % | most often |\n|---|---|--:|--:|--:|---|",
        flush=True,
    )
    wrong_shares = []
    failed = []
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for where, planted, rate in table(options.rates):
            name = " and ".join(planted) or "nothing"
            if (options.only and options.only not in name) or (options.where and options.where not in where):
                continue
            job = tuple((cause, rate) for cause in planted)
            seeds = range(options.first, options.first + options.runs)
            runs = list(pool.map(claimed, [(where, job, seed) for seed in seeds], chunksize=10))
            must, true = wanted(where, planted, rate)
            right = sum(must <= set(run) for run in runs)
            false = [claim for run in runs for claim in set(run) - must - true]
            wrong = sum(bool(set(run) - must - true) for run in runs)
            most_frequent = max(set(false), key=false.count) if false else ""
            wrong_shares.append(wrong / options.runs)
            if wrong / options.runs > 0.05 or (must and right / options.runs < 0.9):
                failed.append(f"{where}: {name} at {rate:g}")
            found = _percent(right, options.runs) if must else "–"
            print(
                f"| {where} | {name} | {rate:g} | {found} | {_percent(wrong, options.runs)} | {most_frequent} |",
                flush=True,
            )
    mean = 100 * np.mean(wrong_shares)
    most = 100 * max(wrong_shares)
    print(f"not true, mean over {len(wrong_shares)} cells: {mean:.2f} %, most {most:.1f} %")
    print("outside the bars: " + ("; ".join(failed) or "none"))


def _percent(k: int, n: int) -> str:
    share = wilson(k, n)
    return f"{100 * k / n:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


if __name__ == "__main__":
    main()
