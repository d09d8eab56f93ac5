"""Which samples a submission should hold: from the dataset itself, from what is shipped, or from its board.

Of the published sets ids, stimuli and scenes are shipped as facts (`official.csv`), scenes by fingerprint only.
"""

import csv
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mossbench.datasets import Dataset, load_dataset
from mossbench.leaderboard.submissions import Submission, stimulus_of
from mossbench.samples import Side, Stimulus

OFFICIAL_HASHES = {
    Side.BENIGN: "64d88df8c62138f50f83ef65fdfe3ebb16ec97b2bf2ed6e79d166007e6b4fef8",
    Side.CONTRAST: "eca44748e5a6b812e69d34d588c60051cd47c6ce043e68197024c9fad2996457",
}
Rows = dict[str, tuple[Stimulus | None, str]]
"""Stimulus and fingerprint of the scene, by id."""


@dataclass(frozen=True)
class KnownSide:
    """One side of a dataset as far as a board needs to know it."""

    what: str
    hash: str
    """Empty when the dataset has no such side."""
    rows: Rows


def known_side(
    submission: Submission,
    side: Side,
    *,
    data: Dataset | None = None,
    others: Iterable[Submission] = (),
    by_name: bool = True,
) -> KnownSide | None:
    """The side that a submission should have: of `data`, else of what is shipped, else of the board; None: unknown.

    Without `by_name` data of a shipped name and another hash are others: a board that took a copy must read it again.
    """
    if data is not None:
        return _of_dataset(data, side)
    if (name := shipped_name(submission, side, by_name=by_name)) is not None:
        return _shipped()[name, side]
    digest = submission.hashes.get(side)
    for other in others:
        if digest is not None and side in other.sides and other.hashes.get(side) == digest:
            return KnownSide(f"{other.model} on the same data", digest, submitted_rows(other, side))
    return None


def shipped_name(submission: Submission, side: Side, *, by_name: bool = False) -> str | None:
    """The dataset whose samples are shipped and that this is, by hash or else by name."""
    by_hash = {known.hash: name for (name, _), known in _shipped().items()}
    named = submission.dataset if by_name and (submission.dataset, side) in _shipped() else None
    return by_hash.get(submission.hashes.get(side, ""), named)


def submitted_rows(submission: Submission, side: Side) -> Rows:
    return {id: (stimulus_of(row), fingerprint(row.cluster)) for id, row in submission.sides[side].responses.items()}


def fingerprint(scene: str | None) -> str:
    return hashlib.sha256(scene.encode()).hexdigest()[:8] if scene else ""


def _of_dataset(data: Dataset, side: Side) -> KnownSide:
    rows = {s.id: (s.stimulus, fingerprint(s.cluster)) for s in data if s.side is side}
    return KnownSide(data.name, data.hashes.get(side, ""), rows)


@cache
def _shipped() -> dict[tuple[str, Side], KnownSide]:
    official: dict[Side, Rows] = {side: {} for side in Side}
    for line in csv.DictReader(Path(__file__).with_name("official.csv").read_text("utf-8").splitlines()):
        official[Side(line["side"])][line["id"]] = Stimulus.parse(f"type {line['stimulus']}"), line["scene"]
    sketches = load_dataset("sketches")
    return {
        **{("official", side): KnownSide("official", OFFICIAL_HASHES[side], rows) for side, rows in official.items()},
        **{("sketches", side): _of_dataset(sketches, side) for side in sketches.sides},
    }
