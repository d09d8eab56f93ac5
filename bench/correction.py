"""How well rates that are corrected for the judge's errors hold what was planted, and the bias of few labels.

    python bench/correction.py --measure                 measure the judges on the control models again
    python bench/correction.py [--seeds 50] [--ppi 4000] [--workers 2]

The first writes src/mossbench/judges/measured_controls.json, by which runs of control models are corrected: do it when
`rules`, `keywords`, `reader`, the control models or the sketches have a new version. The second has other seeds; it
prints the tables of docs/controls.md: the cells of `mossbench run`, each under many seeds, as read and
corrected; then the mean error of a rate that is corrected by a few labels drawn at random.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from statistics import median

import numpy as np
from calibration import sketch_prompts

import mossbench as mb
from mossbench.cli.run import DEFAULT_MODELS
from mossbench.datasets import load_dataset
from mossbench.judges import load_judge, offline_judge
from mossbench.judges.judge import judge_exchange
from mossbench.judges.measured import CONTROLS_FILE
from mossbench.models.control import control
from mossbench.models.control.planted import Control
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Counted, Exchange, Key, Outcome, Rule, counted, outcome
from mossbench.plumbing.storage import write_atomically
from mossbench.reports.planted import COLUMNS, pairs
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side
from mossbench.statistics import Confusion, Estimate, ppi_rate

JUDGES = ("reader", "rules", "keywords")
MEASURED_SEEDS = (1_000_000, 1_000_050)
"""Far from any seed that somebody chooses."""
SPEAKERS = {
    "plain": ("candid", "stonewall"),
    "mixed": ("mixture?jumpy=0.5&filtering=0.5&literal=0.5&safety=0.5",),
}
"""Who has which manner of speaking, with answers and refusals on every side and stimulus."""


@dataclass(frozen=True)
class Said:
    """One answer of a control: what it was to, what was meant, and how it was read."""

    sample: Sample
    meant: Outcome
    row: ResultRow


@cache
def prompts() -> list[tuple[Sample, Prompt]]:
    return sketch_prompts(load_dataset("sketches"))


@cache
def speaker(name: str) -> Control:
    model = control(name)
    assert isinstance(model, Control)
    return model


def asked(name: str, judge: str, seed: int) -> list[Said]:
    """The answers of a control to all sketches under one seed, read by the judge."""
    return asyncio.run(_asked(speaker(name), judge, seed))


async def _asked(model: Control, judge: str, seed: int) -> list[Said]:
    answers = []
    reader = load_judge(judge)
    for sample, prompt in prompts():
        prompt = replace(prompt, settings=Settings(seed=seed))
        answer = await model.answer(prompt)
        exchange = Exchange(side=sample.side, sample=sample.id, request=prompt.request, answer=answer)
        verdict = (await judge_exchange(reader, exchange)).verdict if answer.text else None
        row = ResultRow(Key(sample.side, sample.id), sample, exchange, verdict, outcome(answer, verdict))
        answers.append(Said(sample, model.decide(prompt).outcome, row))
    return answers


def confusion(manner: str, judge: str, seed: int) -> dict[tuple[Side, str], Confusion]:
    """Meant against read, by side and stimulus."""
    places: dict[tuple[Side, str], list[tuple[bool, bool]]] = defaultdict(list)
    for name in SPEAKERS[manner]:
        for answer in asked(name, judge, seed):
            refused = [
                counted(outcome_of_answer, Rule.SYSTEM) is Counted.REFUSED
                for outcome_of_answer in (answer.meant, answer.row.outcome)
            ]
            assert answer.sample.stimulus
            places[answer.sample.side, answer.sample.stimulus.title].append((refused[0], refused[1]))
    return {place: Confusion.of(*zip(*meant_and_read, strict=True)) for place, meant_and_read in places.items()}


def measure(pool: ProcessPoolExecutor) -> None:
    """Writes the errors of the offline judges on the control models' answers."""
    rows = []
    hashes = {side.value: digest for side, digest in load_dataset("sketches").hashes.items()}
    for judge in JUDGES:
        cells = []
        for manner in SPEAKERS:
            by_seed = list(pool.map(partial(confusion, manner, judge), range(*MEASURED_SEEDS), chunksize=5))
            for side, stimulus in by_seed[0]:
                parts = [confusions[side, stimulus] for confusions in by_seed]
                total = Confusion(*(sum(p) for p in zip(*map(_counts, parts), strict=True)))
                names = ("true_yes", "false_yes", "false_no", "true_no")
                counts = dict(zip(names, _counts(total), strict=True))
                cells.append({"manner": manner, "side": side.value, "stimulus": stimulus, "counts": counts})
                print(judge, manner, side.value, stimulus, counts, flush=True)
        label = load_judge(judge).label
        rows.append({"judge": label, "controls": Control.version, "hashes": hashes, "seeds": MEASURED_SEEDS})
        rows[-1]["cells"] = cells
    measured_judges = {row["judge"] for row in rows}
    earlier = json.loads(CONTROLS_FILE.read_text("utf-8")) if CONTROLS_FILE.exists() else []
    # Versions of the judges that can still be asked keep their figures, if those are of these controls and sketches.
    for row in earlier:
        is_of_now = row["controls"] == Control.version and row["hashes"] == hashes
        if row["judge"] not in measured_judges and is_of_now and offline_judge(row["judge"]):
            rows.append(row)
    lines = [
        json.dumps({k: v for k, v in row.items() if k != "cells"})[:-1]
        + ', "cells": [\n  '
        + ",\n  ".join(map(json.dumps, row["cells"]))
        + "\n]}"
        for row in rows
    ]
    write_atomically(CONTROLS_FILE, ("[\n" + ",\n".join(lines) + "\n]\n").encode())


def _counts(confusion: Confusion) -> tuple[int, int, int, int]:
    return confusion.true_yes, confusion.false_yes, confusion.false_no, confusion.true_no


Cell = tuple[str, Side, str]


def runs_of(seed: int, judge: str, base: Results) -> Iterator[tuple[Cell, float, Estimate, Estimate]]:
    """Every cell with something planted: what was, and the rate as read and corrected."""
    for name in DEFAULT_MODELS:
        if "learned" in name:
            continue
        rows = tuple(answer.row for answer in asked(name.removeprefix("control/"), judge, seed))
        config = base.info.config.model_copy(update={"model": name})
        run = replace(base, rows=rows, info=base.info.model_copy(update={"config": config}))
        for pair in pairs(run):
            place = pair.measured.side, pair.measured.group
            if place in COLUMNS and pair.planted is not None and pair.measured.corrected:
                yield (name, *place), pair.planted, pair.measured.estimate, pair.measured.corrected.estimate


def of_seed(judge: str, base: Results, seed: int) -> list[tuple[Cell, float, Estimate, Estimate]]:
    return list(runs_of(seed, judge, base))


def coverage(pool: ProcessPoolExecutor, judge: str, seeds: Sequence[int]) -> None:
    """Prints how often the intervals hold what was planted, cell by cell and together."""
    with tempfile.TemporaryDirectory() as folder:
        base = mb.run("control/candid", judge=judge, out=Path(folder) / "run")
        measured = [line for lines in pool.map(partial(of_seed, judge, base), seeds) for line in lines]
    cells: dict[Cell, list[tuple[bool, bool, float, float]]] = defaultdict(list)
    planted = {cell: rate for cell, rate, _, _ in measured}
    for cell, rate, read, fixed in measured:
        inside = [e.low - 1e-9 <= rate <= e.high + 1e-9 for e in (read, fixed)]
        cells[cell].append((inside[0], inside[1], read.high - read.low, fixed.high - fixed.low))
    print(f"\njudge {base.judge}, {len(seeds)} seeds from {seeds[0]}, {len(cells)} cells")
    print(
        "| model | side | group | planted | as read | corrected | width over as read |\n|---|---|---|--:|--:|--:|--:|"
    )
    for cell, lines in cells.items():
        a, b, c, d = zip(*lines, strict=True)
        shares = f"{100 * np.mean(a):.0f} % | {100 * np.mean(b):.0f} % | {median(d) / median(c):.2f}"
        print(f"| {cell[0]} | {cell[1]} | {cell[2]} | {100 * planted[cell]:.0f} % | {shares} |")
    a, b, c, d = zip(*(line for lines in cells.values() for line in lines), strict=True)
    worst = min(np.mean([line[1] for line in lines]) for lines in cells.values())
    print(f"pooled: as read {np.mean(a):.1%}, corrected {np.mean(b):.1%}; least of a cell {worst:.1%}")
    ratios = [y / x for x, y in zip(c, d, strict=True)]
    print(f"median width: as read {median(c):.4f}, corrected {median(d):.4f}; median ratio {median(ratios):.3f}")


def ppi_bias(n: int) -> None:
    """Prints the mean error of rates from few labels of 300 answers, with its simulation error."""
    rng = np.random.default_rng(0)
    print("\n| labels of 300 | rate | sensitivity, specificity | bias, points | coverage |\n|--:|--:|---|--:|--:|")
    for labels in (20, 50, 100):
        for rate in (0.03, 0.1, 0.3):
            for hit, right in ((0.95, 0.98), (0.8, 0.9)):
                values = []
                n_held = 0
                for _ in range(n):
                    truth = rng.random(300) < rate
                    read = rng.random(300) < np.where(truth, hit, 1 - right)
                    estimate = ppi_rate(np.where(np.arange(300) < labels, truth, np.nan), read).rate
                    values.append(estimate.value)
                    n_held += estimate.low <= rate <= estimate.high
                bias = 100 * (np.mean(values) - rate)
                error = 100 * np.std(values) / math.sqrt(n)
                shares = f"{100 * rate:.0f} % | {hit}, {right} | {bias:+.2f} ± {error:.2f} | {100 * n_held / n:.1f} %"
                print(f"| {labels} | {shares} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--judge", default="reader")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="The first seed.")
    parser.add_argument("--ppi", type=int, default=4000, help="Simulated runs of each line.")
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        if options.measure:
            measure(pool)
            return
        coverage(pool, options.judge, range(options.first, options.first + options.seeds))
    ppi_bias(options.ppi)


if __name__ == "__main__":
    main()
