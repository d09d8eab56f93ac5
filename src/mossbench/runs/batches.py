"""Which rows of a run are out in batches: `batches.jsonl` in its folder, append-only.

A chunk of rows has a line before it is handed over, one with the provider's id for it, and one once all that came of
it is on record. So a process that was killed at any moment finds again what it handed over, and pays for nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from mossbench.outcomes import Key
from mossbench.plumbing.lines import read_lines
from mossbench.samples import Record


class ChunkLine(Record):
    """A line of batches.jsonl. An item's id with the provider is the chunk's name, a hyphen and its place in `rows`."""

    name: str
    state: Literal["sending", "out", "ended"]
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    batch: str | None = None
    """The provider's id for it."""
    judge: str = ""
    """Whose requests they are: the label of a judge; empty: the run's own."""
    rows: tuple[Key, ...] = Field(default=(), exclude_if=lambda rows: not rows)
    """Only in its first line."""


@dataclass
class Chunk:
    """Rows that were handed over together; `batch` None: whether they arrived is not known."""

    name: str
    rows: tuple[Key, ...]
    judge: str
    at: datetime
    batch: str | None = None

    def ids(self) -> dict[str, Key]:
        """The rows by the ids that they have with the provider."""
        return {f"{self.name}-{i}": key for i, key in enumerate(self.rows)}


def chunks_out(path: Path) -> tuple[list[Chunk], set[str]]:
    """The chunks that are out, and the providers' ids of all that ever were."""
    chunks, known = dict[str, Chunk](), set[str]()
    for line in read_lines(path, ChunkLine):
        known.update(filter(None, [line.batch]))
        if line.state == "sending":
            chunks[line.name] = Chunk(line.name, line.rows, line.judge, line.at)
        elif line.state == "out" and line.name in chunks:
            chunks[line.name].batch = line.batch
        else:
            chunks.pop(line.name, None)
    return list(chunks.values()), known


def said_out(path: Path) -> str:
    """`12 rows are out in 2 batches`; empty where none are."""
    chunks, _ = chunks_out(path)
    n = sum(len(chunk.rows) for chunk in chunks)
    rows, batches = ("row is" if n == 1 else "rows are"), ("batch" if len(chunks) == 1 else "batches")
    return f"{n} {rows} out in {len(chunks)} {batches}" if chunks else ""
