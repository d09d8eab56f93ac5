"""Sheets with texts of traces that stand where the user wanted them: a purge takes the texts of deleted traces out."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from mossbench.datasets import load_dataset
from mossbench.errors import MossbenchError
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.plumbing.tables import read_rows
from mossbench.traces.folder import TracesFolder
from mossbench.traces.records import WrittenFile

_TEXTS = {"rows": ("question", "response"), "twins": ("question",)}
"""Columns with texts of traces, by what a sheet is for."""


@dataclass(frozen=True)
class SheetsPurged:
    """What became of files with texts of traces outside of their folder."""

    n_rows: int = 0
    """Rows whose texts were deleted; their labels stay."""
    files: tuple[str, ...] = ()
    """The sheets of these rows."""
    unread: tuple[str, ...] = ()
    """Sheets that cannot be read, or are no longer where they were written: they may still hold texts."""
    datasets: tuple[str, ...] = ()
    """Datasets that hold deleted requests."""


def purge_sheets(traces: TracesFolder, *, kept_traces: Collection[str], kept_requests: Collection[str]) -> SheetsPurged:
    """Takes the texts of deleted traces out of the sheets that were written; datasets are only named."""
    n_rows = 0
    files: list[str] = []
    unread: list[str] = []
    datasets: list[str] = []
    for written in traces.info().written:
        path = Path(written.path)
        if written.what == "dataset":
            if path.exists() and _holds_others(path, kept_requests):
                datasets.append(written.path)
            continue
        kept = kept_traces if written.what == "rows" else kept_requests
        n_deleted = _without_texts(traces, path, written, kept)
        if n_deleted is None:
            unread.append(written.path)
        elif n_deleted:
            n_rows += n_deleted
            files.append(written.path)
    info = traces.info()
    left = tuple(written for written in info.written if Path(written.path).exists())
    traces.write_info(info.model_copy(update={"written": left}))  # what is gone is named once
    return SheetsPurged(n_rows, tuple(files), tuple(unread), tuple(datasets))


def _holds_others(path: Path, kept: Collection[str]) -> bool:
    """Whether a dataset holds requests that are not kept; one that cannot be read may."""
    try:
        return any(sample.id not in kept for sample in load_dataset(path).samples)
    except MossbenchError:
        return True


def _without_texts(traces: TracesFolder, path: Path, written: WrittenFile, kept: Collection[str]) -> int | None:
    """Writes a sheet again without the texts of rows that are not kept; how many, None where it cannot be read."""
    if not path.exists():
        return None
    try:
        rows = [dict(row.values) for row in read_rows(path, names=("id", *_TEXTS[written.what]))]
    except MossbenchError:
        return None
    if not rows or "id" not in rows[0]:
        return None
    n_deleted = 0
    for row in rows:
        texts = [name for name in _TEXTS[written.what] if row.get(name)]
        if str(row.get("id")) not in kept and texts:
            row.update(dict.fromkeys(texts, ""))
            n_deleted += 1
    if n_deleted:
        traces.write(path, _as_text(path, rows))
    return n_deleted


def _as_text(path: Path, rows: list[dict[str, object]]) -> str:
    if path.suffix == ".jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    columns = list(rows[0])
    return csv_text([columns, *([cell(row.get(name, "")) for name in columns] for row in rows)])
