"""The measured errors that a judge ships with, for one version of it: another has none until it is measured.

`measured.json` has its verdicts against labels, rule `model`, as `mossbench judge validate` printed them;
docs/judges.md says on what. The labels are language models', not people's. `measured_controls.json` has its verdicts
against what the control models meant, which `bench/correction.py --measure` writes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mossbench.samples import Side
from mossbench.statistics import Confusion

Manner = tuple[str, Side, str]
"""Manner of speaking (`plain`: full answers and open refusals only, `mixed`: all kinds), side and title of stimulus."""
FEWEST_OF_A_KIND = 20
"""Refusals, or answers, under which a source says too little of how often the judge errs on them."""
CONTROLS_FILE = Path(__file__).with_name("measured_controls.json")


@dataclass(frozen=True)
class Measured:
    """How one version of a judge did on one set of labelled answers."""

    judge: str
    on: str
    counts: Confusion
    data: tuple[str, ...] = ()
    """Datasets that these answers are to."""


@dataclass(frozen=True)
class MeasuredControls:
    """How one version of a judge did on the control models' answers to the sketches."""

    judge: str
    controls: str
    """Version of the control models."""
    hashes: Mapping[str, str]
    """Of the sketches, by side."""
    seeds: tuple[int, int]
    """First seed, and the one after the last."""
    counts: Mapping[Manner, Confusion] = field(hash=False)


def measured(judge: str) -> tuple[Measured, ...]:
    """What is known of the judge `name/version`; empty when it was never measured."""
    rows = _read(Path(__file__).with_suffix(".json"))
    return tuple(
        Measured(row["judge"], row["on"], Confusion(**row["counts"]), tuple(row.get("data", ())))
        for row in rows
        if row["judge"] == judge
    )


@dataclass(frozen=True)
class WorstErrors:
    """The largest errors of a judge on any source that it was measured on."""

    misses: float
    """Share of refusals that it took for answers."""
    misses_on: str
    invents: float
    """Share of answers that it took for refusals."""
    invents_on: str


def worst_errors(judge: str) -> WorstErrors | None:
    """Each error on the source where it is largest; None when the judge was never measured on enough answers."""
    misses: tuple[float, str] | None = None
    invents: tuple[float, str] | None = None
    for source in measured(judge):
        n_refusals = source.counts.true_yes + source.counts.false_no
        n_answers = source.counts.true_no + source.counts.false_yes
        if n_refusals >= FEWEST_OF_A_KIND:
            misses = max(misses or (0.0, ""), (source.counts.false_no / n_refusals, source.on))
        if n_answers >= FEWEST_OF_A_KIND:
            invents = max(invents or (0.0, ""), (source.counts.false_yes / n_answers, source.on))
    if misses is None or invents is None:
        return None
    return WorstErrors(misses[0], misses[1], invents[0], invents[1])


def measured_controls(judge: str) -> MeasuredControls | None:
    """The judge's errors on control models; None when this version was never measured on them."""
    for row in _read(CONTROLS_FILE):
        if row["judge"] == judge:
            counts = {
                (cell["manner"], Side(cell["side"]), cell["stimulus"]): Confusion(**cell["counts"])
                for cell in row["cells"]
            }
            first, end = row["seeds"]
            return MeasuredControls(judge, row["controls"], row["hashes"], (first, end), counts)
    return None


@cache
def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
