"""Does the analysis of causes find what was planted? Control models with a cause at a low rate, verdicts flipped.

    python bench/causes.py                         # all models, 200 seeds each
    python bench/causes.py --epochs 1 --seeds 500  # what one epoch achieves
    python bench/causes.py --judge rules --seeds 5 # a judge reads the answers, instead of the planted kinds

Every run has its own seed and asks a control every row that `mossbench analyse causes` asks on the sketches, and
flips 5 % of the verdicts at random. Counted: how often every planted cause is named, and how often another one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache

import numpy as np

from mossbench import load_dataset
from mossbench.analyses.analysis import Options
from mossbench.analyses.causes import EPOCHS, name_causes
from mossbench.analyses.cells import UNSEEING, Cells
from mossbench.analyses.counterfactuals import arms
from mossbench.datasets.arms import plan
from mossbench.images import DEFAULT_LIMITS
from mossbench.judges import judge_exchange, load_judge
from mossbench.models import Prompt, Settings, load_model
from mossbench.models.control import sight
from mossbench.outcomes import Counted, Exchange, Kind, Outcome, Rule, counted, outcome
from mossbench.runs.image_cache import PictureShelf
from mossbench.samples import Side
from mossbench.statistics import wilson

NAMES = {"jumpy": "object", "filtering": "negation", "prudish": "words", "literal": "together"}
RATE, FLIPPED = 0.15, 0.05


def models(rate: float = RATE) -> dict[str, tuple[str, ...]]:
    """Control models and the causes that are planted in them."""
    single = {f"{control}?rate={rate}": (cause,) for control, cause in NAMES.items()}
    pairs = [(a, b) for i, a in enumerate(NAMES) for b in list(NAMES)[i + 1 :]]
    mixed = {f"mixture?{a}={rate}&{b}={rate}": (NAMES[a], NAMES[b]) for a, b in pairs}
    return {"candid": (), "ideal": (), **single, **mixed}


@cache
def planned(epochs: int):
    """The rows that the analysis asks, with their prompts but for the seed; pictures are prepared once."""
    sight.look = lru_cache(maxsize=None)(sight.look)
    data = load_dataset("sketches")
    wanted = arms(data, Options(epochs=epochs))
    rows = plan([sample for sample in data if sample.side is Side.BENIGN], wanted, 1)
    shelf = PictureShelf(data, DEFAULT_LIMITS)

    async def prompts():
        return [
            Prompt(
                row.arm.request(row.sample),
                picture=await shelf.fetch(row.sample, row.arm),
                settings=Settings(seed=42 + row.key.epoch - 1),
                key=row.key,
            )
            for row in rows
        ]

    return rows, asyncio.run(prompts())


def cells(model: str, seed: int, epochs: int, *, flipped: float = FLIPPED, judge: str | None = None) -> Cells:
    """What a run of the model finds, as `cells_of` would count it."""
    rows, prompts = planned(epochs)
    control = load_model(f"control/{model}{'&' if '?' in model else '?'}seed={seed}")
    rng = np.random.default_rng([seed, 1])
    samples = {row.sample.id: row.sample for row in rows}
    names = list(dict.fromkeys(row.arm.name for row in rows))
    place = {id: i for i, id in enumerate(samples)}
    refused, asked = np.zeros((2, len(samples), len(names)))
    outcomes = asyncio.run(_read(control, rows, prompts, judge)) if judge else [_planted(control, p) for p in prompts]
    for row, found, flip in zip(rows, outcomes, rng.random(len(rows)) < flipped, strict=True):
        if row.arm.picture in UNSEEING and found.kind is Kind.INCAPABLE:
            continue
        at = place[row.sample.id], names.index(row.arm.name)
        asked[at] += 1
        refused[at] += (counted(found, Rule.SYSTEM) is Counted.REFUSED) != bool(flip)
    return Cells(tuple(samples.values()), tuple(names), refused, asked, (asked == 0).astype(float))


def _planted(control, prompt: Prompt) -> Outcome:
    return control.decide(prompt).outcome


async def _read(control, rows, prompts, judge: str) -> list[Outcome]:
    reader, found = load_judge(judge), []
    for row, prompt in zip(rows, prompts, strict=True):
        answer = await control.answer(prompt)
        exchange = Exchange(side=row.key.side, sample=row.key.sample, request=prompt.request, answer=answer)
        found.append(outcome(answer, (await judge_exchange(reader, exchange, None)).verdict))
    return found


def named(job: tuple[str, int, int, str | None]) -> tuple[str, ...]:
    """The causes that one seeded run names."""
    model, seed, epochs, judge = job
    return name_causes(cells(model, seed, epochs, judge=judge, flipped=0 if judge else FLIPPED)).named


def proportions(model: str, causes: tuple[str, ...], runs: list[tuple[str, ...]]) -> tuple[float, float]:
    """Shares of runs that name all that was planted, and that name something else."""
    right = sum(set(causes) <= set(run) for run in runs) / len(runs) if causes else float("nan")
    return right, sum(bool(set(run) - set(causes)) for run in runs) / len(runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--judge", help="read the texts by this judge, and flip nothing")
    parser.add_argument("--only", help="models whose name holds this")
    options = parser.parse_args()
    print(f"rows a run: {len(planned(options.epochs)[0])}, epochs {options.epochs}, {options.seeds} seeds", flush=True)
    print("| planted | all named, % | something else named, % |\n|---|--:|--:|")
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for model, causes in models(options.rate).items():
            if options.only and options.only not in model:
                continue
            jobs = [
                (model, seed, options.epochs, options.judge)
                for seed in range(options.first, options.first + options.seeds)
            ]
            runs = list(pool.map(named, jobs, chunksize=5))
            right, wrong = proportions(model, causes, runs)
            shown = [_shown(share, options.seeds) if share == share else "–" for share in (right, wrong)]
            print(f"| `{model}` | {shown[0]} | {shown[1]} |", flush=True)


def _shown(share: float, n: int) -> str:
    found = wilson(round(share * n), n)
    return f"{100 * share:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"


if __name__ == "__main__":
    main()
