"""Which samples a submission should hold: those of the dataset itself, of what is shipped, or of its board.

Of the published sets ids, stimuli and scenes are shipped as facts (`datasets.recognition`), scenes and requests by
fingerprint only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.published_facts import fingerprint, identity, published_side
from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import name_on_record
from mossbench.leaderboard.display_texts import clean_text
from mossbench.leaderboard.submission_records import Submission, stimulus_of, submitted_data
from mossbench.samples import Side, Stimulus

Rows = dict[str, tuple[Stimulus | None, str]]
"""Stimulus and fingerprint of the scene, by id."""


@dataclass(frozen=True)
class KnownSide:
    """One side of a dataset as far as a board needs to know it."""

    name: str
    """How messages call it."""
    hash: str
    """Of the content, or what stands for the published side in any copy; empty when the dataset has no such side."""
    rows: Rows
    requests: dict[str, str]
    """Fingerprints of the requests by id, where the dataset itself is known: answers are judged beside these."""


def known_side(
    submission: Submission,
    side: Side,
    *,
    data: Dataset | None = None,
    others: Iterable[Submission] = (),
    check_shipped_names: bool = True,
) -> KnownSide | None:
    """The side that a submission should have: of `data`, else of what is shipped, else of the board; None: unknown.

    Without `check_shipped_names`, data with a shipped name and another hash count as unknown: a board that once took
    such a file must be able to read it again.
    """
    if data is not None:
        return _of_dataset(data, side)
    name = shipped_name(submission, side, check_shipped_names=check_shipped_names)
    if name is not None:
        return _shipped()[name, side]
    digest = submitted_data(submission).identities.get(side)
    if digest is None:
        return None
    for on_board in others:
        if side in on_board.sides and submitted_data(on_board).identities.get(side) == digest:
            return KnownSide(f"{on_board.model} on the same data", digest, submitted_rows(on_board, side), {})
    return None


def shipped_name(submission: Submission, side: Side, *, check_shipped_names: bool = False) -> str | None:
    """The dataset whose samples are shipped and that this is, by hash or else by name."""
    stated_hash = submitted_data(submission).identities.get(side)
    for (name, shipped_side), shipped in _shipped().items():
        if shipped_side is side and shipped.hash == stated_hash:
            return name
    return submission.dataset if check_shipped_names and (submission.dataset, side) in _shipped() else None


def submitted_rows(submission: Submission, side: Side) -> Rows:
    return {id: (stimulus_of(row), fingerprint(row.cluster)) for id, row in submission.sides[side].responses.items()}


def _of_dataset(data: Dataset, side: Side) -> KnownSide:
    samples = [sample for sample in data if sample.side is side]
    rows = {sample.id: (sample.stimulus, fingerprint(sample.cluster)) for sample in samples}
    requests = {sample.id: fingerprint(clean_text(sample.question)) for sample in samples}
    digest = identity(side) if side in data.copies else data.hashes.get(side, "")
    return KnownSide(name_on_record(data), digest, rows, requests)


@cache
def _shipped() -> dict[tuple[str, Side], KnownSide]:
    shipped = {}
    for side in Side:
        published = published_side(side)
        rows: Rows = {id: (sample.stimulus, sample.scene) for id, sample in published.items()}
        requests = {id: sample.request for id, sample in published.items()}
        shipped[OFFICIAL, side] = KnownSide(OFFICIAL, identity(side), rows, requests)
    sketches = load_dataset("sketches")
    for side in sketches.sides:
        shipped["sketches", side] = _of_dataset(sketches, side)
    return shipped
