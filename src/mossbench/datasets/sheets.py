"""Sheets to fill by hand, for products that can only be asked on their own web page."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mossbench.datasets import Dataset, as_dataset
from mossbench.errors import UsageError
from mossbench.plumbing.sheets import create_sheet, write_sheet

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
    dataset = as_dataset(data, columns=columns).select(side)
    samples = dataset.select(ids=ids, limit=limit, offset=offset)
    if not len(samples):
        raise UsageError(f"no sample of {dataset.name} is left with side={side}, offset={offset}, limit={limit}")
    rows = [
        (one.id, one.side.value, one.question, "; ".join(str(p.resolve()) for p in dataset.picture_paths(one)), None)
        for one in samples
    ]
    if path.suffix.lower() == ".csv":
        write_sheet(path, COLUMNS, rows, "\r\n")
    else:
        named = (dict(zip(COLUMNS, row, strict=True)) for row in rows)
        create_sheet(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in named))
    return path
