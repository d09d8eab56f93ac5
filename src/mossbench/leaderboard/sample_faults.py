"""What is wrong with the samples of a submission: ids, stimuli and scenes that are not those of its dataset."""

from collections.abc import Iterable, Iterator, Set

from mossbench.datasets import Dataset
from mossbench.datasets.published_facts import fingerprint, identity
from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import REDUCED_HASHES, Copy
from mossbench.errors import n_of
from mossbench.leaderboard.known_sides import KnownSide, known_side, shipped_name, submitted_rows
from mossbench.leaderboard.submission_faults import Fault, row_fault
from mossbench.leaderboard.submission_records import Submission, submitted_data
from mossbench.samples import Side

_MAX_IDS_SHOWN = 8
"""Ids that a message names."""


def data_faults(
    submission: Submission,
    data: Dataset | None,
    on_board: Iterable[Submission] | None,
    faulty_fields: set[str],
    check_shipped_names: bool,
) -> Iterator[Fault]:
    """Samples that are not those of `data`, of what is shipped, or of other submissions on the board.

    If the submission is to be added to a board (`on_board` is not None), samples that nobody knows are a fault too.
    """
    for side in submission.sides:
        if "hashes" not in faulty_fields:
            yield from _hash_faults(submission, side, data)
        expected = known_side(
            submission, side, data=data, others=on_board or (), check_shipped_names=check_shipped_names
        )
        if expected is None:
            is_to_be_added = on_board is not None
            if is_to_be_added and "dataset" not in faulty_fields and _stated_hash(submission, side):
                yield _unknown_samples_fault(submission, side)
        elif not expected.hash:
            yield Fault(f"{expected.name} has no such side", ("sides", side))
        else:
            yield from _known_side_faults(submission, side, expected, data, on_board or (), faulty_fields)


def _stated_hash(submission: Submission, side: Side) -> str:
    """The hash that the submission states of its samples; empty if it states none."""
    return submitted_data(submission).identities.get(side, "")


def _known_side_faults(
    submission: Submission,
    side: Side,
    expected: KnownSide,
    data: Dataset | None,
    on_board: Iterable[Submission],
    faulty_fields: set[str],
) -> Iterator[Fault]:
    """What differs from the samples that this side should have: their hash, the dataset's name, the rows."""
    stated_hash = _stated_hash(submission, side) if "hashes" not in faulty_fields else ""
    if stated_hash and stated_hash != expected.hash:
        yield Fault(_other_samples_message(submission, side, expected, data))
    if "dataset" not in faulty_fields:
        is_of_data = data is not None and stated_hash == expected.hash
        yield from _dataset_name_faults(submission, side, on_board, expected.name if is_of_data else None)
    yield from _sample_faults(submission, side, expected, faulty_fields)


def _hash_faults(submission: Submission, side: Side, data: Dataset | None) -> Iterator[Fault]:
    """A hash that is missing, or a copy of the published images that it cannot be of."""
    if not _stated_hash(submission, side):
        yield Fault(f"none for {side}", ("hashes",))
    yield from _copy_faults(submission, side, data)


def _unknown_samples_fault(submission: Submission, side: Side) -> Fault:
    """The fault of a submission that is to be added, and whose samples nobody here knows."""
    digest = submission.hashes[side][:12]
    return Fault(
        f"the samples of {submission.dataset} ({digest}) are unknown here; "
        "give the dataset or its folder as --data (in Python data) to check the ids",
        ("sides", side),
    )


def _dataset_name_faults(
    submission: Submission, side: Side, on_board: Iterable[Submission], own_name: str | None
) -> Iterator[Fault]:
    """A dataset name that is not the name of the same samples here; `own_name` is the name of the data given."""
    name = shipped_name(submission, side) or _name_on_board(submission, side, on_board) or own_name
    if name == OFFICIAL and not set(submission.sides) <= set(submission.copies):
        return  # the other side is not the published one, so the dataset as a whole is not
    if name not in (None, submission.dataset):
        stated = repr(submission.dataset[:40])
        yield Fault(f"dataset is {stated}, but {side.adjective} samples with this hash are {name!r}; use that name")


def _name_on_board(submission: Submission, side: Side, on_board: Iterable[Submission]) -> str | None:
    """The dataset name in the first submission on the board with the same samples; None if there is none."""
    stated_hash = _stated_hash(submission, side)
    for entry in on_board:
        if stated_hash and _stated_hash(entry, side) == stated_hash:
            return entry.dataset
    return None


def _sample_faults(submission: Submission, side: Side, expected: KnownSide, faulty_fields: set[str]) -> Iterator[Fault]:
    """Rows whose ids, stimuli, scenes or requests are not those of the samples."""
    place = f"sides.{side}"
    rows = submitted_rows(submission, side)
    if f"{place}.ids" not in faulty_fields:
        yield from _id_faults(side, "missing", expected.rows.keys() - rows.keys(), expected)
        yield from _id_faults(side, "unknown", rows.keys() - expected.rows.keys(), expected)
    # In the order of the file: a message names the first ids, and has to be the same each time.
    for id, row_facts in rows.items():
        differs = id in expected.rows and row_facts != expected.rows[id]
        if differs and f"{place}.responses.{id}.metadata" not in faulty_fields:
            yield row_fault(side, id, f"stimulus or cluster differs from {expected.name}")
    for id, row in submission.sides[side].responses.items():
        if row.question is not None and id in expected.requests and fingerprint(row.question) != expected.requests[id]:
            yield row_fault(side, id, f"question is not the request of this sample in {expected.name}")


def _id_faults(side: Side, problem: str, ids: Set[str], expected: KnownSide) -> Iterator[Fault]:
    if ids:
        first_ids = ", ".join(id[:40] for id in sorted(ids)[:_MAX_IDS_SHOWN])
        if len(ids) > _MAX_IDS_SHOWN:
            first_ids += " …"
        text = f"{n_of(len(ids), 'id')} {problem} ({first_ids}); {expected.name} has {len(expected.rows)}"
        yield Fault(text, ("sides", side))


def _other_samples_message(submission: Submission, side: Side, expected: KnownSide, data: Dataset | None) -> str:
    """The message if the samples are not those that the dataset's name, or `data`, says."""
    stated = submission.hashes[side][:12]
    hint = "" if data is not None else "; to check another copy, give it as --data (in Python data)"
    if expected.hash == identity(side):
        return f"hashes.{side} is {stated}, which its run did not recognise as a copy of the published set{hint}"
    return f"hashes.{side} is {stated}, but {expected.name} has {expected.hash[:12]}{hint}"


def _copy_faults(submission: Submission, side: Side, data: Dataset | None) -> Iterator[Fault]:
    """A copy of the published set that is stated, and that the submission cannot have asked."""
    stated = submission.copies.get(side)
    exact_hash = submission.hashes.get(side)
    true_copy = None
    if exact_hash == REDUCED_HASHES[side]:
        true_copy = Copy.REDUCED
    elif data is not None and data.hashes.get(side) == exact_hash:
        true_copy = data.copies.get(side)
        if stated is not None and true_copy is None:
            yield Fault(f"copies.{side} is {stated}, but {data.name} is no copy of the published {side} set")
    if stated is not None and true_copy is not None and stated != true_copy:
        digest = str(exact_hash)[:12]
        yield Fault(f"copies.{side} is {stated}, but the content with hash {digest} is the {true_copy} copy")
