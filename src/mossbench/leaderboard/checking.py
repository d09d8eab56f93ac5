"""Whether a board can take a submission: everything that is wrong with it, not just the first thing."""

import re
from collections.abc import Iterable, Iterator, Set
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import mossbench
from mossbench.datasets import Dataset
from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import REDUCED_HASHES, Copy, fingerprint, identity
from mossbench.errors import n_of
from mossbench.leaderboard.known_sides import KnownSide, known_side, shipped_name, submitted_rows
from mossbench.leaderboard.names import (
    hides_characters,
    imitates,
    judge_wrong,
    name_wrong,
    provider_wrong,
    same_name,
    version_wrong,
)
from mossbench.leaderboard.other_files import other_file
from mossbench.leaderboard.rejudging import why_judge_is_private
from mossbench.leaderboard.submission_faults import MISSING, Fault, fault_messages, row_fault
from mossbench.leaderboard.submission_reading import read_submission
from mossbench.leaderboard.submissions import (
    Making,
    Submission,
    SubmittedRow,
    SubmittedSide,
    layer_counts,
    rates_of,
    rejected,
    stimulus_of,
    submitted_data,
    submitted_protocol,
    submitted_subject,
)
from mossbench.leaderboard.submitted_answers import answers_wrong
from mossbench.outcomes import Layer
from mossbench.protocols import RECORDED, UNKNOWN
from mossbench.published.tables import published_rates
from mossbench.results.table import too_many_failed
from mossbench.samples import Side

ENDPOINT = re.compile("[0-9a-f]{12}")
"""The digest that stands for an address; any other text would be shown beside the name."""
WITHOUT_PROVIDER = re.compile(r"0\.1(\D.*)?")
"""Versions of mossbench whose submissions have no provider."""


def check_submission(
    path: str | Path,
    *,
    others: Iterable[Submission] | None = None,
    data: Dataset | None = None,
    max_failed: float = 1.0,
    by_name: bool = True,
) -> tuple[Submission | None, tuple[str, ...]]:
    """The submission in a file and everything that is wrong with it; None when it cannot be counted at all.

    Args:
        path: The file.
        others: The submissions on the board that it is to be added to. No model may be on a board twice, and the
            samples must be known: from `data`, from the shipped datasets (sketches, official) or from the board. If
            None, the submission is checked for itself.
        data: The dataset, if you have it; the samples are then compared with it rather than with others.
        max_failed: Share of a side's rows that may be without answer or verdict.
        by_name: Whether a dataset with the name of a shipped one must have its samples.
    """
    on_board = None if others is None else tuple(others)  # it is read several times, and may be a generator
    faults: list[Fault] = []
    faulty_fields: set[str] = set()  # dotted paths; their faults are listed already, and no check compares them again
    making = read_submission(Path(path), faults, faulty_fields)
    submission = _with_copies(making, data) if isinstance(making, Submission) else None
    not_a_submission = other_file(Path(path)) if faults else None
    if not_a_submission is not None:
        return None, (not_a_submission.words,)
    if making is not None:
        faults += _making_faults(making, faulty_fields)
    if submission is not None:
        faults += _side_faults(submission, faulty_fields, max_failed)
        data_faults = list(_data_faults(submission, data, on_board, faulty_fields, by_name))
        faults += data_faults
        # Judging takes time: nobody's rows are judged that are not those of the dataset.
        if not data_faults:
            faults += _answer_faults(submission, faulty_fields)
        faults += board_faults(submission, on_board or ())
        faults += _published_name_faults(submission)
    return submission, fault_messages(faults)


def _with_copies(submission: Submission, data: Dataset | None) -> Submission:
    """The submission with the copies that it asked, also where it was written before copies were recognised."""
    copies = dict(submitted_data(submission).copies)
    for side in submission.sides:
        if side in copies or data is None or data.hashes.get(side) != submission.hashes.get(side):
            continue
        if side in data.copies:
            copies[side] = data.copies[side]
    return submission.model_copy(update={"copies": copies})


def submission_in(path: str | Path) -> Submission | None:
    """The submission in a file, not checked yet; None when it cannot be counted at all."""
    making = read_submission(Path(path), [], set())
    return making if isinstance(making, Submission) else None


def _making_faults(making: Making, faulty_fields: set[str]) -> Iterator[Fault]:
    """Impossible statements on what the numbers were made with: names, provider, endpoint, date and arm."""
    yield from _name_faults(making, faulty_fields)
    if "provider" not in faulty_fields:
        yield from _provider_faults(making)
    endpoint = making.settings.get("endpoint")
    if endpoint is not None and (not isinstance(endpoint, str) or not ENDPOINT.fullmatch(endpoint)):
        value = ascii(endpoint)[:40]
        expected = "the 12 hex digits of a digest, or null for the provider's own"
        yield Fault(f"settings.endpoint is {value}, expected {expected}")
    for field, text in {"dataset": making.dataset, "model_version": making.model_version}.items():
        if text and field not in faulty_fields and hides_characters(text):
            yield Fault(f"{field} is {ascii(text[:60])}, which has hidden or control characters; leave them out")
    yield from _date_faults(making.date)
    has_system_prompt = bool((making.stated_settings.system or "").strip())
    if "arm" not in faulty_fields and (making.arm == "system") != has_system_prompt:
        needs = "needs a system prompt in settings.system" if making.arm == "system" else "has no system prompt"
        yield Fault(f"arm: {making.arm!r} {needs}")


def _name_faults(making: Making, faulty_fields: set[str]) -> Iterator[Fault]:
    """Impossible names of model or judge, an impossible version of mossbench, and a judge that no board ranks by."""
    judge_fault = judge_wrong(making.judge)
    fault_of_field = {
        "model": name_wrong(making.model),
        "judge": judge_fault,
        "mossbench": version_wrong(making.mossbench, mossbench.__version__),
    }
    for field, fault in fault_of_field.items():
        if fault and field not in faulty_fields:
            yield Fault(f"{field} {fault}")
    if "judge" not in faulty_fields and not judge_fault:
        reason = why_judge_is_private(making.judge)
        if reason:
            yield Fault(f"judge: {reason}")


def _date_faults(stated_date: str) -> Iterator[Fault]:
    try:
        day = date.fromisoformat(stated_date)
    except ValueError:
        yield Fault(f"date: {stated_date} is not a valid date")
        return
    if day > datetime.now(UTC).date():
        yield Fault(f"date: {stated_date} is in the future")


def _provider_faults(making: Making) -> Iterator[Fault]:
    """An unknown provider, or a missing one in a file of a version that always writes it."""
    if making.provider is None:
        # Submissions of version 0.1.0 have neither provider nor endpoint.
        if "endpoint" in making.settings or not WITHOUT_PROVIDER.fullmatch(making.mossbench):
            yield Fault(MISSING, ("provider",))
        return
    fault = provider_wrong(making.provider)
    if fault:
        yield Fault(f"provider {fault}")
    if making.stated_settings.is_recorded and making.provider != RECORDED:
        stated = repr(making.provider)
        yield Fault(f"settings.recorded is true, but provider is {stated}; recorded answers have {RECORDED!r}")


def _answer_faults(submission: Submission, faulty_fields: set[str]) -> Iterator[Fault]:
    """Rows that cannot be those of the answers in the file, which an embedded judge reads once more."""
    if "judge" in faulty_fields:
        return
    for side in submission.sides:
        for id, fault in answers_wrong(submission, side):
            place = f"sides.{side}.responses.{id}"
            if not any(f"{place}.{field}" in faulty_fields for field in SubmittedRow.model_fields):
                yield row_fault(side, id, fault)


def _published_name_faults(submission: Submission) -> Iterator[Fault]:
    """A name that looks like that of a published model and is written with other characters."""
    for name in published_names():
        if imitates(submission.model, name):
            stated = ascii(submission.model[:60])
            yield Fault(f"model is {stated}, which looks like the published {name!r}; use that spelling")


@cache
def published_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(rate.model for rate in published_rates("gpt")))


def _side_faults(submission: Submission, faulty_fields: set[str], max_failed: float) -> Iterator[Fault]:
    """Rows that contradict themselves, and counts and rates that are not those of the rows."""
    for side, content in submission.sides.items():
        place = f"sides.{side}"
        if not content.responses and f"{place}.ids" not in faulty_fields:
            yield Fault("no rows", ("sides", side, "responses"))
        yield from _row_faults(submission, side, faulty_fields)
        if f"{place}.layers" not in faulty_fields:
            yield from _layer_faults(side, content)
        if "rule" not in faulty_fields and f"{place}.reject Rate" not in faulty_fields:
            yield from _rate_faults(place, content, submission)
        reason = too_many_failed([row.outcome for row in content.responses.values()], max_failed)
        if reason:
            yield Fault(reason, ("sides", side))


def _row_faults(submission: Submission, side: Side, faulty_fields: set[str]) -> Iterator[Fault]:
    """Rows that contradict themselves; `rejected` is not compared where the rule is wrong."""
    for id, row in submission.sides[side].responses.items():
        for field, fault in _contradictions_in_row(id, row, submission):
            is_listed = f"sides.{side}.responses.{id}.{field}" in faulty_fields
            needs_rule = field == "rejected" and "rule" in faulty_fields
            if not is_listed and not needs_rule:
                yield row_fault(side, id, fault)


def _layer_faults(side: Side, content: SubmittedSide) -> Iterator[Fault]:
    """Counts of layers that are not those of the rows; a layer without rows may be left out."""
    stated = {str(layer): n for layer, n in content.layers.items() if n}
    counted = {str(layer): n for layer, n in layer_counts(content.responses).items() if n}
    if stated != counted:
        yield Fault(f"{stated}, but the rows give {counted}", ("sides", side, "layers"))


def _contradictions_in_row(id: str, row: SubmittedRow, submission: Submission) -> Iterator[tuple[str, str]]:
    if row.pid != id:
        yield "pid", f"pid is {row.pid[:40]!r}, expected the row's own id"
    if "over" in row.metadata and stimulus_of(row) is None:
        yield "metadata", f"metadata.over is {row.metadata['over'][:40]!r}, expected type 1, 2 or 3"
    if row.layer is Layer.NOT_ASKED:
        yield "layer", "was not asked yet; submit a finished run"
    is_judged = row.layer is Layer.JUDGED
    expected = rejected(row.outcome, submission.rule)
    if is_judged and (row.kind is None) == (row.refused is None):
        yield "kind", "a judged row has either a kind or refused"
    elif not is_judged and (row.kind is not None or row.refused is not None):
        yield "kind", f"a row that is {row.layer} has neither kind nor refused"
    elif row.rejected != expected:
        stated = _number_or_null(row.rejected)
        counts = _number_or_null(expected)
        yield "rejected", f"rejected is {stated}, but {row.outcome.label} is {counts} under rule {submission.rule}"


def _rate_faults(place: str, content: SubmittedSide, submission: Submission) -> Iterator[Fault]:
    rates = rates_of(content.responses, submission.rule)
    for name in sorted(set(rates) | set(content.rates)):
        if name not in rates:
            yield Fault(f"{place}.reject Rate: {name!r} is unknown")
        elif name not in content.rates:
            yield Fault(f"{place}.reject Rate: {name!r} is missing")
        elif not _is_same_rate(content.rates[name], rates[name]):
            stated = _number_or_null(content.rates[name])
            counted = _number_or_null(rates[name])
            yield Fault(f"{place}.reject Rate.{name} is {stated}, but the rows give {counted}")


def _is_same_rate(stated: float | None, counted: float | None) -> bool:
    if stated is None or counted is None:
        return stated is None and counted is None
    return abs(stated - counted) <= 1e-6


def _number_or_null(value: float | None) -> str:
    """As JSON has it."""
    return "null" if value is None else str(value)


def _data_faults(
    submission: Submission,
    data: Dataset | None,
    on_board: Iterable[Submission] | None,
    faulty_fields: set[str],
    by_name: bool,
) -> Iterator[Fault]:
    """Ids, stimuli and scenes that are not those of the dataset; when it is to be added, also data nobody knows."""
    for side in submission.sides:
        if "hashes" not in faulty_fields:
            yield from _hash_faults(submission, side, data)
        expected = known_side(submission, side, data=data, others=on_board or (), by_name=by_name)
        if expected is None:
            is_to_be_added = on_board is not None
            if is_to_be_added and "dataset" not in faulty_fields and _stated_hash(submission, side):
                yield _unknown_samples(submission, side)
        elif not expected.hash:
            yield Fault(f"{expected.name} has no such side", ("sides", side))
        else:
            yield from _known_side_faults(submission, side, expected, data, on_board or (), faulty_fields)


def _stated_hash(submission: Submission, side: Side) -> str:
    """What the submission says that its samples are; empty where it does not say it."""
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
        yield Fault(_other_samples(submission, side, expected, data))
    if "dataset" not in faulty_fields:
        is_of_data = data is not None and stated_hash == expected.hash
        yield from _dataset_name_faults(submission, side, on_board, expected.name if is_of_data else None)
    yield from _sample_faults(submission, side, expected, faulty_fields)


def _hash_faults(submission: Submission, side: Side, data: Dataset | None) -> Iterator[Fault]:
    """A hash that is missing, or a copy of the published images that it cannot be of."""
    if not _stated_hash(submission, side):
        yield Fault(f"none for {side}", ("hashes",))
    yield from _copy_faults(submission, side, data)


def _unknown_samples(submission: Submission, side: Side) -> Fault:
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
        yield Fault(f"dataset is {stated}, but {side} samples with this hash are {name!r}; use that name")


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
    for id in rows.keys() & expected.rows.keys():
        if rows[id] != expected.rows[id] and f"{place}.responses.{id}.metadata" not in faulty_fields:
            yield row_fault(side, id, f"stimulus or cluster differs from {expected.name}")
    for id, row in submission.sides[side].responses.items():
        if row.question is not None and id in expected.requests and fingerprint(row.question) != expected.requests[id]:
            yield row_fault(side, id, f"question is not the request of this sample in {expected.name}")


def _id_faults(side: Side, problem: str, ids: Set[str], expected: KnownSide) -> Iterator[Fault]:
    if ids:
        first_ids = ", ".join(id[:40] for id in sorted(ids)[:8]) + (" …" if len(ids) > 8 else "")
        text = f"{n_of(len(ids), 'id')} {problem} ({first_ids}); {expected.name} has {len(expected.rows)}"
        yield Fault(text, ("sides", side))


def _other_samples(submission: Submission, side: Side, expected: KnownSide, data: Dataset | None) -> str:
    """The fault of a submission whose samples are not those that its name, or `data`, says."""
    stated = submission.hashes[side][:12]
    copy = "" if data is not None else "; to check another copy, give it as --data (in Python data)"
    if expected.hash == identity(side):
        return f"hashes.{side} is {stated}, which its run did not recognise as a copy of the published set{copy}"
    return f"hashes.{side} is {stated}, but {expected.name} has {expected.hash[:12]}{copy}"


def _copy_faults(submission: Submission, side: Side, data: Dataset | None) -> Iterator[Fault]:
    """A copy of the published images that the submission cannot have asked."""
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


def board_faults(submission: Submission, on_board: Iterable[Submission]) -> Iterator[Fault]:
    """Why a board cannot add the submission: it has the model already, at the same or at an unknown endpoint."""
    protocol = submitted_protocol(submission).ranked()
    name = same_name(submission.model)
    endpoint = submitted_subject(submission).endpoint
    for entry in on_board:
        endpoints = {endpoint, submitted_subject(entry).endpoint}
        is_same_model = same_name(entry.model) == name and (len(endpoints) == 1 or UNKNOWN in endpoints)
        if is_same_model and submitted_protocol(entry).ranked() == protocol:
            yield Fault(f"{entry.model} is on this board already ({entry.date}); remove that file first to replace it")
        elif imitates(submission.model, entry.model):
            yield Fault(
                f"model is {ascii(submission.model[:60])}, which looks like {ascii(entry.model[:60])} on this board "
                "and is spelled differently; use the same spelling, or a name that cannot be confused with it"
            )
