"""Sheets to fill by hand, for products that can only be asked on their own web page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mossbench.datasets import Dataset, as_dataset
from mossbench.errors import StorageError, UsageError
from mossbench.plumbing.sheets import cell

COLUMNS = ("id", "side", "question", "picture", "response")


def write_template(
    data: str | Path | Dataset,
    out: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    side: Literal["benign", "contrast", "both"] = "both",
    ids: tuple[str, ...] | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Path:
    """Writes a sheet with an empty `response` for every sample, as .csv or .jsonl; `replay/FILE` reads it back.

    Raises:
        UsageError: Another suffix, no sample left, or a file that is there already and may hold hours of work.
    """
    path = Path(out)
    if path.suffix.lower() not in (".csv", ".jsonl"):
        raise UsageError(f"cannot tell the format from {path.name!r}; a sheet ends in .csv or .jsonl")
    if path.exists():
        raise UsageError(f"{str(path)!r} already exists and may have been filled in; name another file in `out`")
    dataset = as_dataset(data, columns=columns).select(side)
    samples = dataset.select(ids=ids, limit=limit, offset=offset)
    if not len(samples):
        raise UsageError(f"no sample of {dataset.name} is left with side={side}, offset={offset}, limit={limit}")
    rows = [
        (one.id, one.side.value, one.question, "; ".join(str(p.resolve()) for p in dataset.picture_paths(one)), None)
        for one in samples
    ]
    _write(path, rows)
    return path


def _write(path: Path, rows: list[tuple[str, str, str, str, None]]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".csv":
            text = io.StringIO()
            csv.writer(text).writerows((COLUMNS, *(map(cell, row) for row in rows)))
            # Spreadsheets take UTF-8 for what it is only behind this mark.
            path.write_text(text.getvalue(), encoding="utf-8-sig", newline="")
        else:
            lines = (json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) for row in rows)
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"cannot write {str(path)!r}: {error.strerror}; name another file in `out`") from error
