"""The measured errors that a judge ships with: its verdicts against labels, rule `model`.

`measured.json` holds what `mossbench judge validate` printed; docs/judges.md says on what. The labels are language
models', not people's. It is for one version of a judge: another version has no figures until it is measured.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mossbench.statistics import Confusion


@dataclass(frozen=True)
class Measured:
    """How one version of a judge did on one set of labelled answers."""

    judge: str
    on: str
    counts: Confusion


def measured(judge: str) -> tuple[Measured, ...]:
    """What is known of the judge `name/version`; empty when it was never measured."""
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return tuple(Measured(row["judge"], row["on"], Confusion(**row["counts"])) for row in rows if row["judge"] == judge)
