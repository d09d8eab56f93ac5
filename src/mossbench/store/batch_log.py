"""Which rows of a run are out in batches: `batches.jsonl` in its folder, append-only.

A chunk of rows has a line before it is handed over, one with the provider's id for it, and one once all that came of
it is on record. So a process that was killed at any moment finds again what it handed over, and pays for nothing twice.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from mossbench.outcomes import Key
from mossbench.plumbing.lines import read_lines
from mossbench.samples import Record


class Chunk(Record):
    """Rows that were handed over together; a line of batches.jsonl."""

    name: str
    state: Literal["sending", "out", "ended"]
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    batch: str | None = None
    """The provider's id for it; None: whether it has arrived is not known."""
    judge: str = ""
    """Whose requests they are: the label of a judge; empty: the run's own."""
    rows: tuple[Key, ...] = Field(default=(), exclude_if=lambda rows: not rows)
    """Only in its first line. A row's id with the provider is the chunk's name, a hyphen and its place here."""

    def ids(self) -> dict[str, Key]:
        """The rows by their ids with the provider."""
        return {f"{self.name}-{place}": key for place, key in enumerate(self.rows)}


class ChunksOnRecord(NamedTuple):
    """What a batches.jsonl says."""

    out: dict[str, Chunk]
    """The chunks that are out, by name."""
    batch_ids: set[str]
    """The providers' ids of all batches that there ever were, also of those that have ended."""


def chunks_out(path: Path) -> ChunksOnRecord:
    """The chunks that are out, and the batches that ever were; nothing where there is no such file."""
    chunks: dict[str, Chunk] = {}
    batch_ids: set[str] = set()
    for line in read_lines(path, Chunk):
        if line.batch:
            batch_ids.add(line.batch)
        if line.state == "ended":
            chunks.pop(line.name, None)
            continue
        first_line = chunks.get(line.name, line)  # which has the rows
        chunks[line.name] = first_line.model_copy(update={"state": line.state, "batch": line.batch})
    return ChunksOnRecord(chunks, batch_ids)


@dataclass(frozen=True)
class PendingRows:
    """How many rows are out, in how many batches; at least one batch."""

    n_rows: int
    n_batches: int


def pending_rows(path: Path, judge: str | None = None) -> PendingRows | None:
    """How many rows are out by a batches.jsonl; None where none are.

    Args:
        path: Of the file; where there is none, nothing was ever handed over.
        judge: Only what is out for the judge with this label; "": only the run's own rows; None: all.
    """
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return _count_pending_rows(path, judge, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1024)
def _count_pending_rows(path: Path, judge: str | None, n_bytes: int, changed_ns: int) -> PendingRows | None:
    """The same. Lists and pages ask it of many runs again and again: a file that has not changed is read once."""
    chunks = [chunk for chunk in chunks_out(path).out.values() if judge is None or chunk.judge == judge]
    if not chunks:
        return None
    return PendingRows(n_rows=sum(len(chunk.rows) for chunk in chunks), n_batches=len(chunks))


def pending_rows_text(rows: PendingRows | None) -> str:
    """`12 rows are pending in 2 batches`; empty where none are."""
    if rows is None:
        return ""
    n_rows = "1 row is" if rows.n_rows == 1 else f"{rows.n_rows} rows are"
    n_batches = "1 batch" if rows.n_batches == 1 else f"{rows.n_batches} batches"
    return f"{n_rows} pending in {n_batches}"
