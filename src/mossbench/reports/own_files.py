"""Files that mossbench writes beside runs: known by what they begin with, so that nobody takes them for runs."""

from pathlib import Path
from typing import Literal

Format = Literal["html", "md", "json", "csv", "png", "svg"]
SummaryFormat = Literal["markdown", "slack", "text"]
"""Of a summary of a suite or a gate. It stands here because help needs it, and imports nothing else."""
COLUMNS = "run model dataset hash judge rule side by group value low high n n_left_out refused method".split()
"""Of a report as a tidy table."""
MARKS: dict[Format, bytes] = {
    "html": b'name="generator" content="mossbench"',
    "md": b"<!-- mossbench report -->",
    "json": b'"made_by": "mossbench report"',
    "csv": ",".join(COLUMNS).encode(),
    "svg": b"<!-- mossbench report -->",
    "png": b"tEXtSoftware\0mossbench report",
}
"""What the beginning of a report of ours holds: such a file may be replaced, any other may not."""
BESIDE_RUNS = ("annotations.db", "gates.toml")
"""Names of other files in a folder of runs: labels by people, and gates of runs that are of no suite."""
_ALL_MARKS = (*MARKS.values(), b'"made_by": "mossbench analyse"')
_HEAD = 4000
"""Bytes that a mark is in the first of."""


def has_mark(path: Path, format: Format) -> bool:
    """Whether a file is a report of ours in this format."""
    with path.open("rb") as file:
        return MARKS[format] in file.read(_HEAD)


def is_beside_runs(path: Path) -> bool:
    """Whether this is no run but what we put beside runs: a page, a table, labels, or the folder of archived runs."""
    if path.is_dir():
        return path.name == "archive" and not (path / "run.json").exists()
    if not path.is_file():
        return False
    if path.name in BESIDE_RUNS:
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(mark in head for mark in _ALL_MARKS)
