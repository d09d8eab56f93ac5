"""Whether a board can take a submission: everything that is wrong with it, not just the first thing.

`check_submission` is the one check of all commands and pages. It collects `Fault`s: from reading the file
(`submission_reading`), from the head (model, judge, provider, date), from each side's rows and counts, from the samples
(`sample_faults`), from judging the answers again (`submitted_answers`), and from the board that the submission is for.

`faulty_fields` has the dotted paths of fields whose fault is listed already, such as sides.benign.ids: a later check
that needs such a field leaves it out, so that one mistake is one fault.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import mossbench
from mossbench.datasets import Dataset
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
from mossbench.leaderboard.sample_faults import data_faults
from mossbench.leaderboard.submission_faults import MISSING, Fault, fault_messages, row_fault
from mossbench.leaderboard.submission_reading import read_submission
from mossbench.leaderboard.submission_records import (
    Submission,
    SubmissionHead,
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
"""The digest that stands for an address. Boards show it beside the model's name, so no other text is accepted."""
WITHOUT_PROVIDER = re.compile(r"0\.1(\D.*)?")
"""Versions of mossbench whose submissions have no provider."""


def check_submission(
    path: str | Path,
    *,
    others: Iterable[Submission] | None = None,
    data: Dataset | None = None,
    max_failed: float = 1.0,
    check_shipped_names: bool = True,
) -> tuple[Submission | None, tuple[str, ...]]:
    """The submission in a file and everything that is wrong with it; None when it cannot be counted at all.

    Args:
        path: The file.
        others: The submissions on the board that it is to be added to. No model may be on a board twice, and the
            samples must be known: from `data`, from the shipped datasets (sketches, official) or from the board. If
            None, the submission is checked for itself.
        data: The dataset, if you have it; the samples are then compared with it rather than with others.
        max_failed: Share of a side's rows that may be without answer or verdict.
        check_shipped_names: Whether a dataset with the name of a shipped one must have its samples. A board reads files
            without this that it took before the dataset was shipped.
    """
    on_board = None if others is None else tuple(others)  # it is read several times, and may be a generator
    faults: list[Fault] = []
    faulty_fields: set[str] = set()
    head = read_submission(Path(path), faults, faulty_fields)
    not_a_submission = other_file(Path(path)) if faults else None
    if not_a_submission is not None:
        return None, (not_a_submission.words,)
    if head is not None:
        faults += _head_faults(head, faulty_fields)
    submission = _with_copies(head, data) if isinstance(head, Submission) else None
    if submission is not None:
        faults += _side_faults(submission, faulty_fields, max_failed)
        faults_of_data = list(data_faults(submission, data, on_board, faulty_fields, check_shipped_names))
        faults += faults_of_data
        if not faults_of_data:  # judging takes time: only rows of the dataset are judged
            faults += _answer_faults(submission, faulty_fields)
        faults += board_faults(submission, on_board or ())
        faults += _published_name_faults(submission)
    return submission, fault_messages(faults)


def _with_copies(submission: Submission, data: Dataset | None) -> Submission:
    """The submission with its `copies`, also if it was written before copies of the published sets were recognised."""
    copies = dict(submitted_data(submission).copies)
    for side in submission.sides:
        if side in copies or data is None or data.hashes.get(side) != submission.hashes.get(side):
            continue
        if side in data.copies:
            copies[side] = data.copies[side]
    return submission.model_copy(update={"copies": copies})


def submission_in(path: str | Path) -> Submission | None:
    """The submission in a file, not checked yet; None when it cannot be counted at all."""
    head = read_submission(Path(path), [], set())
    return head if isinstance(head, Submission) else None


def _head_faults(head: SubmissionHead, faulty_fields: set[str]) -> Iterator[Fault]:
    """Impossible statements on what the numbers were made with: names, provider, endpoint, date and arm."""
    yield from _name_faults(head, faulty_fields)
    if "provider" not in faulty_fields:
        yield from _provider_faults(head)
    endpoint = head.settings.get("endpoint")
    if endpoint is not None and (not isinstance(endpoint, str) or not ENDPOINT.fullmatch(endpoint)):
        value = ascii(endpoint)[:40]
        expected = "the 12 hex digits of a digest, or null for the provider's own"
        yield Fault(f"settings.endpoint is {value}, expected {expected}")
    for field, text in {"dataset": head.dataset, "model_version": head.model_version}.items():
        if text and field not in faulty_fields and hides_characters(text):
            yield Fault(f"{field} is {ascii(text[:60])}, which has hidden or control characters; leave them out")
    yield from _date_faults(head.date)
    if "arm" not in faulty_fields:
        yield from _arm_faults(head)


def _arm_faults(head: SubmissionHead) -> Iterator[Fault]:
    """The arm `system` without a system prompt, or another arm with one."""
    has_system_prompt = bool((head.stated_settings.system or "").strip())
    if head.arm == "system" and not has_system_prompt:
        yield Fault(f"arm: {head.arm!r} needs a system prompt in settings.system")
    elif head.arm != "system" and has_system_prompt:
        yield Fault(f"arm: {head.arm!r} has no system prompt, but settings.system holds one")


def _name_faults(head: SubmissionHead, faulty_fields: set[str]) -> Iterator[Fault]:
    """Impossible names of model or judge, an impossible version of mossbench, and a judge that no board ranks by."""
    judge_problem = judge_wrong(head.judge)
    problem_of_field = {
        "model": name_wrong(head.model),
        "judge": judge_problem,
        "mossbench": version_wrong(head.mossbench, mossbench.__version__),
    }
    for field, problem in problem_of_field.items():
        if problem and field not in faulty_fields:
            yield Fault(f"{field} {problem}")
    if "judge" not in faulty_fields and not judge_problem:
        reason = why_judge_is_private(head.judge)
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


def _provider_faults(head: SubmissionHead) -> Iterator[Fault]:
    """An unknown provider, or a missing one in a file of a version that always writes it."""
    if head.provider is None:
        # Submissions of version 0.1.0 have neither provider nor endpoint.
        if "endpoint" in head.settings or not WITHOUT_PROVIDER.fullmatch(head.mossbench):
            yield Fault(MISSING, ("provider",))
        return
    problem = provider_wrong(head.provider)
    if problem:
        yield Fault(f"provider {problem}")
    if head.stated_settings.is_recorded and head.provider != RECORDED:
        stated = repr(head.provider)
        yield Fault(f"settings.recorded is true, but provider is {stated}; recorded answers have {RECORDED!r}")


def _answer_faults(submission: Submission, faulty_fields: set[str]) -> Iterator[Fault]:
    """Rows whose verdicts are not those of the answers in the file, which an embedded judge reads once more."""
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
    """The models of the published figures."""
    return tuple(dict.fromkeys(rate.model for rate in published_rates("gpt")))


def _side_faults(submission: Submission, faulty_fields: set[str], max_failed: float) -> Iterator[Fault]:
    """Sides without rows, rows that contradict themselves, and counts and rates that are not those of the rows."""
    for side, content in submission.sides.items():
        place = f"sides.{side}"
        if not content.responses and f"{place}.ids" not in faulty_fields:
            yield Fault("no rows", ("sides", side, "responses"))
        yield from _row_faults(submission, side, faulty_fields)
        if f"{place}.layers" not in faulty_fields:
            yield from _layer_faults(side, content)
        if "rule" not in faulty_fields and f"{place}.reject Rate" not in faulty_fields:
            yield from _rate_faults(place, content, submission)
        reason = too_many_failed(Counter(row.outcome for row in content.responses.values()), max_failed)
        if reason:
            yield Fault(reason, ("sides", side))


def _row_faults(submission: Submission, side: Side, faulty_fields: set[str]) -> Iterator[Fault]:
    """Rows that contradict themselves; `rejected` is not compared where the rule is wrong."""
    for id, row in submission.sides[side].responses.items():
        for field, fault in _contradictions_in_row(id, row, submission):
            is_listed_already = f"sides.{side}.responses.{id}.{field}" in faulty_fields
            needs_rule = field == "rejected" and "rule" in faulty_fields
            if not is_listed_already and not needs_rule:
                yield row_fault(side, id, fault)


def _layer_faults(side: Side, content: SubmittedSide) -> Iterator[Fault]:
    """Counts of layers that are not those of the rows; a layer without rows may be left out."""
    stated = {str(layer): n for layer, n in content.layers.items() if n}
    counted = {str(layer): n for layer, n in layer_counts(content.responses).items() if n}
    if stated != counted:
        yield Fault(f"{stated}, but the rows give {counted}", ("sides", side, "layers"))


def _contradictions_in_row(id: str, row: SubmittedRow, submission: Submission) -> Iterator[tuple[str, str]]:
    """Fields of a row that contradict others of its fields, each with what is wrong."""
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
    """A number as JSON has it."""
    return "null" if value is None else str(value)


def board_faults(submission: Submission, on_board: Iterable[Submission]) -> Iterator[Fault]:
    """Why a board cannot add the submission: it has the model already, at the same or at an unknown endpoint."""
    protocol = submitted_protocol(submission).ranked()
    name = same_name(submission.model)
    endpoint = submitted_subject(submission).endpoint
    for entry in on_board:
        endpoints = {endpoint, submitted_subject(entry).endpoint}
        may_be_same_endpoint = len(endpoints) == 1 or UNKNOWN in endpoints
        is_same_model = same_name(entry.model) == name and may_be_same_endpoint
        if is_same_model and submitted_protocol(entry).ranked() == protocol:
            yield Fault(f"{entry.model} is on this board already ({entry.date}); remove that file first to replace it")
        elif imitates(submission.model, entry.model):
            yield Fault(
                f"model is {ascii(submission.model[:60])}, which looks like {ascii(entry.model[:60])} on this board "
                "and is spelled differently; use the same spelling, or a name that cannot be confused with it"
            )
