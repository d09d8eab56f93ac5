"""Which rows of a run are out in batches: `batches.jsonl` in its folder, append-only.

A chunk of rows has a line before it is handed over, one with the provider's id for it, and one once all that came of
it is on record. So a process that was killed at any moment finds again what it handed over, and pays for nothing twice.
"""

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Literal

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
        return {f"{self.name}-{i}": key for i, key in enumerate(self.rows)}


def chunks_out(path: Path) -> tuple[dict[str, Chunk], set[str]]:
    """The chunks that are out, by name, and the providers' ids of all that ever were."""
    chunks, known = dict[str, Chunk](), set[str]()
    for line in read_lines(path, Chunk):
        known.update(filter(None, [line.batch]))
        if line.state == "ended":
            chunks.pop(line.name, None)
        else:
            first = chunks.get(line.name, line)
            chunks[line.name] = first.model_copy(update={"state": line.state, "batch": line.batch})
    return chunks, known


def said_out(path: Path, judge: str | None = None) -> str:
    """`12 rows are out in 2 batches`; empty where none are. With `judge`, only those of that label, "" the run's."""
    return _said_out(path, judge, (found := path.stat()).st_size, found.st_mtime_ns) if path.exists() else ""


@lru_cache(1024)
def _said_out(path: Path, judge: str | None, *as_it_is: int) -> str:
    sizes = [len(chunk.rows) for chunk in chunks_out(path)[0].values() if judge in (None, chunk.judge)]
    rows, batches = ("row is" if sum(sizes) == 1 else "rows are"), ("batch" if len(sizes) == 1 else "batches")
    return f"{sum(sizes)} {rows} out in {len(sizes)} {batches}" if sizes else ""
