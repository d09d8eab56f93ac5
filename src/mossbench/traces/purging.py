"""Deletes traces that are older than wanted, with everything that was kept of them.

What is deleted follows from the traces that stay, so that a purge that was killed is finished by the next one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from mossbench.annotation.store import Store
from mossbench.errors import UsageError
from mossbench.outcomes import Judgement
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.locks import locked
from mossbench.plumbing.storage import storage_errors
from mossbench.samples import Record
from mossbench.traces.folder import ANNOTATIONS, IMAGES, SORTING, UNREAD, KnownDigests, PrivateLines, TracesFolder
from mossbench.traces.records import Trace, UnreadLine
from mossbench.traces.sheets import SheetsPurged, purge_sheets
from mossbench.traces.sorting_records import Sorted

_UNITS = {"h": 1, "d": 24, "w": 24 * 7}
_AGE = re.compile(r"(\d{1,6})\s*([hdw])")
AnyLine = TypeVar("AnyLine", bound=Record)


@dataclass(frozen=True)
class Purged:
    """What was deleted, and what is left."""

    n_traces: int
    n_left: int
    n_unread: int
    n_images: int
    n_verdicts: int
    n_sorted: int
    """What columns and models said of requests; what people said stays, without their notes."""
    n_notes: int
    """Of people who sorted."""
    before: str
    """Traces from before this moment were deleted."""
    sheets: SheetsPurged


@dataclass
class _Kept:
    """What stays, by the traces that stay."""

    traces: set[str] = field(default_factory=set)
    requests: set[str] = field(default_factory=set)
    images: set[str] = field(default_factory=set)

    def add(self, trace: Trace) -> None:
        self.traces.add(trace.id)
        self.requests.add(trace.asked)
        for images in (trace.images, *(turn.images for turn in trace.history)):
            self.images.update(image.file for image in images)


def parse_age(text: str) -> timedelta:
    """The time in `30d`, `12h` or `4w`; a UsageError for anything else."""
    match = _AGE.fullmatch(text.strip().lower())
    if match is None or not int(match[1]):
        raise UsageError(f"the age is {text[:40]!r}, expected hours, days or weeks such as 12h, 30d or 4w")
    return timedelta(hours=int(match[1]) * _UNITS[match[2]])


def purge_traces(folder: str | Path, older: str, *, now: datetime | None = None) -> Purged:
    """Deletes traces that were asked longer ago than `older` (`30d`), with all that was kept of them.

    That is verdicts, sorting, images and people's notes, and the texts in sheets that `draw` and `to-dataset` wrote. A
    trace without a time counts from its import. What is deleted is not imported again from the same log. Datasets that
    were made of traces stay, and are named: they are files of yours.
    """
    traces = TracesFolder.open(folder)
    limit = (now or datetime.now(UTC)) - parse_age(older)
    before = limit.isoformat(timespec="seconds")
    busy = f"another process writes into {str(folder)!r}; wait for it or stop it first"
    with locked(traces.path / ".lock", busy):
        _delete_leftovers(traces)
        kept = _Kept()
        _note_purged(traces, before)  # before anything is deleted, so that it never comes back with its log

        def keep_trace(trace: Trace) -> bool:
            is_kept = not _is_older(trace, before)
            if is_kept:
                kept.add(trace)
            return is_kept

        n_left, n_deleted = _filtered(traces.traces_path, Trace, keep_trace)
        info = traces.info()
        traces.write_info(info.model_copy(update={"n_purged": info.n_purged + n_deleted}))
        _, n_unread = _filtered(traces.path / UNREAD, UnreadLine, lambda line: line.imported >= before[:10])
        _, n_sorted = _filtered(traces.path / SORTING, Sorted, lambda line: line.asked in kept.requests)
        n_verdicts = 0
        for path in traces.path.glob("verdicts.*.jsonl"):
            n_verdicts += _filtered(path, Judgement, lambda line: line.sample in kept.traces)[1]
        return Purged(
            n_traces=n_deleted,
            n_left=n_left,
            n_unread=n_unread,
            n_images=_delete_images(traces, kept.images),
            n_verdicts=n_verdicts,
            n_sorted=n_sorted,
            n_notes=_delete_notes(traces, kept.requests),
            before=before,
            sheets=purge_sheets(traces, kept_traces=kept.traces, kept_requests=kept.requests),
        )


def _is_older(trace: Trace, before: str) -> bool:
    moment = trace.at or trace.imported
    return moment < before[: len(moment)]


def _note_purged(traces: TracesFolder, before: str) -> None:
    with closing(KnownDigests(traces)) as known:
        for trace in traces.traces():
            if _is_older(trace, before):
                known.add_purged(trace.id)


def _delete_leftovers(traces: TracesFolder) -> None:
    """Deletes files that a process was writing when it was killed."""
    for path in traces.path.rglob(".*"):
        if path.suffix in (".new", ".tmp") and path.is_file():
            path.unlink(missing_ok=True)


def _filtered(path: Path, record: type[AnyLine], keep: Callable[[AnyLine], bool]) -> tuple[int, int]:
    """Writes a file of lines again without those that are not kept; how many stay, and how many do not."""
    if not path.exists():
        return 0, 0
    n_kept = 0
    n_deleted = 0
    new = path.with_name(f".{path.name}.new")
    with PrivateLines(new) as lines:
        for line in read_lines(path, record):
            if keep(line):
                lines.append(line)
                n_kept += 1
            else:
                n_deleted += 1
    with storage_errors(path):
        os.replace(new, path)
    return n_kept, n_deleted


def _delete_images(traces: TracesFolder, kept: set[str]) -> int:
    n_deleted = 0
    folder = traces.path / IMAGES
    for path in folder.iterdir() if folder.is_dir() else ():
        if f"{IMAGES}/{path.name}" not in kept:
            path.unlink(missing_ok=True)
            n_deleted += 1
    return n_deleted


def _delete_notes(traces: TracesFolder, kept_requests: set[str]) -> int:
    """Deletes what people wrote beside requests that are gone; their labels, which have no text, stay."""
    path = traces.path / ANNOTATIONS
    if not path.exists():
        return 0
    store = Store(path)
    gone = [item.body["asked"] for item in store.items().values() if item.body["asked"] not in kept_requests]
    return store.forget_notes(gone) if gone else 0
