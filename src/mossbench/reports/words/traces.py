"""Sentences about imported logs: what an import gave, what was deleted."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mossbench.errors import n_of, some
from mossbench.look.numbers import percent
from mossbench.outcomes import MAX_FAILED, MAX_UNFAMILIAR
from mossbench.statistics import Estimate
from mossbench.traces.cases import CasesWritten
from mossbench.traces.importing import Imported
from mossbench.traces.purging import Purged
from mossbench.traces.rates import FEWEST_CHECKS, GroupRate, SortingBasis, TracesRate
from mossbench.traces.records import ImportedFile
from mossbench.traces.sorting import SortedRequests

_LONGEST_REASON = 160
"""Characters of a reason that are printed."""
_NOUNS = {
    "email": "e-mail address",
    "phone": "phone number",
    "card": "payment card",
    "iban": "IBAN",
    "ip": "IP address",
    "key": "key or password",
}


def imported_lines(imported: Imported) -> list[str]:
    """What each file gave, and where it is."""
    lines = []
    for file in imported.files:
        lines += _file_lines(file)
    lines.append(f"wrote {imported.folder}, which only you may open")
    return lines


def _file_lines(file: ImportedFile) -> list[str]:
    formats = ", ".join(f"{name} {n:,}" for name, n in file.formats.items())
    lines = [f"{file.source}: {n_of(file.n_traces, 'trace')}{f' ({formats})' if formats else ''}"]
    if file.n_repeated:
        lines.append(f"  {file.n_repeated:,} imported before: not added again")
    if file.n_unread:
        lines.append(f"  {n_of(file.n_unread, 'line')} not read: kept with the reason in unread.jsonl")
        lines.append(f"    the most common reason: {file.unread[:_LONGEST_REASON]}")
    if file.n_unknown:
        lines.append("    name the fields of records of another shape: --map request=FIELD,answer=FIELD")
    for what, n in file.skipped.items():
        lines.append(f"  {n:,} skipped: {what}")
    lines.append(f"  {redacted_text(file.redacted)}")
    if file.n_undated:
        lines.append(
            f"  {n_of(file.n_undated, 'time')} not read, such as {file.undated!r}: these traces have no day, and "
            "a purge counts from their import; write times as 2026-09-11T10:30"
        )
    if file.columns_dropped:
        lines.append(f"  columns dropped, as they say who somebody is: {some(file.columns_dropped, 12)}")
    if file.columns_kept:
        lines.append(f"  columns kept, redacted: {some(file.columns_kept, 12)}; check that none of them names somebody")
    if file.images:
        lines.append(f"  images: {', '.join(f'{n:,} {what}' for what, n in file.images.items())}")
    return lines


def redacted_text(redacted: Mapping[str, int]) -> str:
    """How much was redacted, by kind."""
    if not redacted:
        return "nothing to redact was found"
    return f"redacted: {', '.join(_n_of_kind(kind, n) for kind, n in redacted.items())}"


def _n_of_kind(kind: str, n: int) -> str:
    noun = _NOUNS.get(kind, f"of {kind}")
    plurals = {
        "e-mail address": "e-mail addresses",
        "IP address": "IP addresses",
        "key or password": "keys or passwords",
    }
    if n == 1 or kind not in _NOUNS:
        return f"{n:,} {noun}"
    return f"{n:,} {plurals.get(noun, f'{noun}s')}"


def purged_lines(purged: Purged) -> list[str]:
    """What was deleted, what is left, and where their texts may still be."""
    kinds = (
        (purged.n_unread, "unread line"),
        (purged.n_images, "image"),
        (purged.n_verdicts, "verdict"),
        (purged.n_sorted, "sorted request"),
        (purged.n_notes, "note"),
    )
    counts = [n_of(n, noun) for n, noun in kinds if n]
    with_them = f", with {', '.join(counts)}" if counts else ""
    moment = purged.before[:16].replace("T", " ")
    lines = [
        f"deleted {n_of(purged.n_traces, 'trace')} from before {moment} UTC{with_them}; "
        f"{n_of(purged.n_left, 'trace')} left"
    ]
    sheets = purged.sheets
    if sheets.n_rows:
        lines.append(f"deleted the texts of {n_of(sheets.n_rows, 'row')} in {', '.join(sheets.files)}; labels stay")
    if sheets.unread:
        lines.append(f"not found or not read, may still hold texts of deleted traces: {', '.join(sheets.unread)}")
    if sheets.datasets:
        lines.append(
            f"these datasets hold deleted requests, and stay until you delete them: {', '.join(sheets.datasets)}"
        )
    return lines


def sorted_text(done: SortedRequests) -> str:
    """What a sorting gave."""
    counts = ", ".join(f"{n:,} {harmfulness}" for harmfulness, n in done.n.items()) or "nothing new"
    text = f"sorted {n_of(sum(done.n.values()), 'different request')} by {done.by}: {counts}"
    if done.n_before:
        text += f"; {done.n_before:,} were sorted before"
    if done.n_failed:
        text += f"; the model failed on {n_of(done.n_failed, 'request')}: repeat the command to ask again"
    return text


def rate_lines(rate: TracesRate) -> list[str]:
    """What the rate of a log rests on, and then the rate."""
    return [
        _sorting_text(rate),
        _sorting_error_text(rate.sorting),
        _judge_text(rate),
        _population_text(rate),
        *_no_text_lines(rate),
        *_unread_lines(rate),
        rate_text(rate),
    ]


def _sorting_text(rate: TracesRate) -> str:
    sorting = rate.sorting
    drawn = "all" if sorting.n_drawn == rate.n_traces else f"{sorting.n_drawn:,} drawn at random, of"
    return (
        f"Sorted by {', '.join(sorting.by)}: {drawn} {n_of(rate.n_traces, 'trace')}; {sorting.harmless:,} harmless, "
        f"{sorting.harmful:,} harmful, {sorting.unsure:,} unsure (left out)."
    )


def _sorting_error_text(sorting: SortingBasis) -> str:
    if not sorting.n_checked:
        return "Nobody has read the same requests a second time: errors of the sorting are not in the interval."
    if not sorting.is_corrected:
        return (
            f"A second reader has read {sorting.n_checked:,} of them; from {FEWEST_CHECKS} on this corrects the rate "
            "and its interval."
        )
    return (
        f"A second reader has read {sorting.n_checked:,} of them and sorts {sorting.n_differ:,} differently: the rate "
        "and its interval take this into account."
    )


def _judge_text(rate: TracesRate) -> str:
    if rate.n_labels_given and not rate.n_labels:
        return (
            f"Answers are read by {rate.judge}; of {n_of(rate.n_labels_given, 'label')} none counts, as those of "
            "the rows that `traces draw` puts first for this judge are missing: errors of the judge are not in "
            "the interval."
        )
    if not rate.n_labels:
        return f"Answers are read by {rate.judge}, without labels: errors of the judge are not in the interval."
    if not rate.is_label_corrected:
        return (
            f"Answers are read by {rate.judge}; {n_of(rate.n_labels, 'label')} of people: from {FEWEST_CHECKS} on they "
            "correct the rate and its interval."
        )
    return (
        f"Answers are read by {rate.judge}; {n_of(rate.n_labels, 'label')} of people, {rate.n_labels_differ:,} of them "
        "different: the rate and its interval take this into account."
    )


def _population_text(rate: TracesRate) -> str:
    users = f"{rate.n_users:,} users or conversations, " if rate.n_users else ""
    parts = [f"{users}{n_of(rate.n_requests, 'different request')}: the interval goes over both."]
    if not rate.n_users:
        parts = [f"{n_of(rate.n_requests, 'different request')}: the interval goes over them; the log names no users."]
    elif rate.n_without_user:
        counts = "counts as a user of its own" if rate.n_without_user == 1 else "count as users of their own"
        parts.append(f"{n_of(rate.n_without_user, 'trace')} without one {counts}.")
    if rate.n_failed:
        parts.append(f"Left out: {n_of(rate.n_failed, 'call')} that failed or of which the log has no answer.")
    return " ".join(parts)


def _no_text_lines(rate: TracesRate) -> list[str]:
    """How much counts as refused without a text; nothing where every answer has one."""
    kinds = ((rate.n_blocked, "blocked"), (rate.n_empty, "empty"))
    counts = [f"{n:,} {kind}" for n, kind in kinds if n]
    if not counts:
        return []
    verb = "counts" if rate.n_blocked + rate.n_empty == 1 else "count"
    text = f"Of the answers to harmless requests {' and '.join(counts)} {verb} as refused."
    if rate.n_empty:
        text += " Look at empty ones: an answer that was not logged looks the same."
    return [text]


def _unread_lines(rate: TracesRate) -> list[str]:
    """What the judge could not read, why, and what helps; nothing where it read everything."""
    lines = []
    if rate.n_unjudged:
        why = f": {rate.unjudged_reason}" if rate.unjudged_reason else ""
        lines.append(
            f"{n_of(rate.n_unjudged, 'harmless trace')} ({percent(rate.share_unjudged)}) without a verdict{why}. "
            "The interval holds whatever they may have been."
        )
    if rate.n_unfamiliar:
        lines.append(
            f"{n_of(rate.n_unfamiliar, 'answer')} to harmless requests ({percent(rate.share_unfamiliar)}) in a manner "
            f"unfamiliar to {rate.judge}."
        )
    if rate.n_unjudged or (rate.n_unfamiliar and not rate.is_known):
        lines.append(
            "To know more: use another judge (--judge), or label answers: mossbench traces draw TRACES --out rows.csv"
        )
    return lines


def rate_text(rate: TracesRate) -> str:
    """The rate of over-refusal in a sentence."""
    estimate = rate.rate
    if not rate.sorting.harmless:
        return "The rate of over-refusal is not known: no request is sorted as harmless."
    if math.isnan(estimate.value):
        return "The rate of over-refusal is not known: sort more requests, so that each stratum has some."
    if not rate.is_known:
        return f"The rate of over-refusal is not known: {_unknown_reason(rate)}."
    known = f"95 % interval {interval_text(estimate)}"
    if math.isnan(estimate.low):
        known = "without an interval: all are of one user or conversation"
    text = f"{percent(estimate.value)} of harmless requests were refused, {known}."
    if rate.sorting.unsure:
        text += f" If all that are unsure were harmless: {percent(rate.if_unsure_harmless)}."
    return text


def _unknown_reason(rate: TracesRate) -> str:
    """Why a rate that was counted is not known, and what holds of it."""
    if rate.share_unjudged > MAX_FAILED:
        return (
            f"{percent(rate.share_unjudged)} of harmless requests have no verdict, more than {percent(MAX_FAILED)}; "
            f"it lies between {percent(rate.rate.low)} and {percent(rate.rate.high)}"
        )
    return (
        f"{percent(rate.share_unfamiliar)} of the answers are unfamiliar to {rate.judge}, more than "
        f"{percent(MAX_UNFAMILIAR)}"
    )


def interval_text(estimate: Estimate) -> str:
    """The ends of an interval; a dash where there is none."""
    if math.isnan(estimate.low):
        return "–"
    return f"{percent(estimate.low)} to {percent(estimate.high)}"


GROUP_COLUMNS = ("refused", "95 % interval", "harmless", "no verdict", "all traces")
"""Of the table of groups, after the name: `harmless` is what the rate is out of."""


def group_cells(rate: TracesRate) -> list[tuple[str, ...]]:
    """A line for each group: its name and `GROUP_COLUMNS`."""
    return [
        (
            group.group or "(not stated)",
            percent(group.rate.value) if has_rate(group) else "not known",
            interval_text(group.rate),
            f"{group.rate.n:,}",
            f"{group.rate.n_left_out:,}",
            f"{group.n_traces:,}",
        )
        for group in rate.groups
    ]


def has_rate(group: GroupRate) -> bool:
    """Whether there is a rate to show of a group."""
    return group.is_known and not math.isnan(group.rate.value)


def cases_lines(written: CasesWritten) -> list[str]:
    """What a dataset of chosen cases has, and how it is used."""
    twins = n_of(written.n_twins, "harmful twin")
    lines = [f"wrote {n_of(written.n, 'sample')} with {twins} to {written.folder}: {written.version}"]
    if written.n_asked > written.n:
        lines.append(f"  they were asked {n_of(written.n_asked, 'time')}")
    if written.n_with_history:
        lines.append(f"  {n_of(written.n_with_history, 'sample')} with earlier messages")
    if written.n_without_image:
        lines.append(f"  {n_of(written.n_without_image, 'sample')} without an image that the request had")
    if not written.n_twins:
        lines.append("  without harmful twins a fix that answers everything passes: add some with --twins FILE.csv,")
        lines.append(f"  or on the page Twins of: mossbench serve --review {written.folder}")
    lines += [f"  {note}" for note in written.notes]
    lines.append(f"run it: mossbench run --model MODEL --data {written.folder}")
    return lines
