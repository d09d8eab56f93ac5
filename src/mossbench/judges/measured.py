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


def nearest(judge: str, dataset: str) -> Measured | None:
    """The figures that say most about answers to this dataset: those on the same one, or else the last of the judge."""
    known = measured(judge)
    return next((row for row in known if dataset in row.data), known[-1] if known else None)


def measured_controls(judge: str) -> MeasuredControls | None:
    """The judge's errors on control models; None when this version was never measured on them."""
    for row in _read(CONTROLS_FILE):
        if row["judge"] == judge:
            counts = {(c["manner"], Side(c["side"]), c["stimulus"]): Confusion(**c["counts"]) for c in row["cells"]}
            first, end = row["seeds"]
            return MeasuredControls(judge, row["controls"], row["hashes"], (first, end), counts)
    return None


@cache
def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
