"""Deletes traces that are older than wanted, with everything that was kept of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from mossbench.errors import UsageError
from mossbench.outcomes import Judgement
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.locks import locked
from mossbench.plumbing.storage import storage_errors
from mossbench.samples import Record
from mossbench.traces.folder import IMAGES, SORTING, UNREAD, KnownDigests, PrivateLines, TracesFolder
from mossbench.traces.records import Trace, UnreadLine
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
    before: str
    """Traces from before this moment were deleted."""


def parse_age(text: str) -> timedelta:
    """The time in `30d`, `12h` or `4w`; a UsageError for anything else."""
    match = _AGE.fullmatch(text.strip().lower())
    if match is None or not int(match[1]):
        raise UsageError(f"the age is {text[:40]!r}, expected hours, days or weeks such as 12h, 30d or 4w")
    return timedelta(hours=int(match[1]) * _UNITS[match[2]])


def purge_traces(folder: str | Path, older: str, *, now: datetime | None = None) -> Purged:
    """Deletes traces that were asked longer ago than `older` (`30d`), with verdicts, sorting and images of them.

    A trace without a time counts from its import. What is deleted is not imported again from the same log. Datasets
    that were made of traces stay: they are files of yours.
    """
    traces = TracesFolder.open(folder)
    limit = (now or datetime.now(UTC)) - parse_age(older)
    before = limit.isoformat(timespec="seconds")
    busy = f"another process writes into {str(folder)!r}; wait for it or stop it first"
    with locked(traces.path / ".lock", busy), closing(KnownDigests(traces)) as known:
        kept_ids: set[str] = set()
        kept_requests: set[str] = set()
        kept_images: set[str] = set()

        def keep_trace(trace: Trace) -> bool:
            if (trace.at or trace.imported) < before[: len(trace.at or trace.imported)]:
                known.add_purged(trace.id)
                return False
            kept_ids.add(trace.id)
            kept_requests.add(trace.asked)
            for images in (trace.images, *(turn.images for turn in trace.history)):
                kept_images.update(image.file for image in images)
            return True

        n_left, n_deleted = _filtered(traces.traces_path, Trace, keep_trace)
        _, n_unread = _filtered(traces.path / UNREAD, UnreadLine, lambda line: line.imported >= before[:10])
        _filtered(traces.path / SORTING, Sorted, lambda line: line.asked in kept_requests)
        for path in traces.path.glob("verdicts.*.jsonl"):
            _filtered(path, Judgement, lambda line: line.sample in kept_ids)
        n_images = _delete_images(traces, kept_images)
        info = traces.info()
        traces.write_info(info.model_copy(update={"n_purged": info.n_purged + n_deleted}))
    return Purged(n_traces=n_deleted, n_left=n_left, n_unread=n_unread, n_images=n_images, before=before)


def _filtered(path: Path, record: type[AnyLine], keep: Callable[[AnyLine], bool]) -> tuple[int, int]:
    """Writes a file of lines again without those that are not kept; how many stay, and how many do not."""
    if not path.exists():
        return 0, 0
    n_kept = 0
    n_deleted = 0
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
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
