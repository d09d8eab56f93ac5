"""Sheets to fill in by hand, for products that can only be asked on their web page."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mossbench.datasets import Dataset, as_dataset
from mossbench.errors import UsageError, bad_option
from mossbench.plumbing.readable_names import model_name_wrong
from mossbench.plumbing.spreadsheets import create_sheet, write_sheet


def write_template(
    data: str | Path | Dataset,
    out: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    side: Literal["benign", "contrast", "both"] = "both",
    ids: tuple[str, ...] | None = None,
    limit: int | None = None,
    offset: int = 0,
    model_name: str | None = None,
) -> Path:
    """Writes a sheet with an empty `response` for every sample, as .csv or .jsonl; `replay/FILE` reads it back.

    `model_name` is who will be asked: it stands in a column `model`, and the run has this name.

    Raises:
        UsageError: Another suffix, a name that no model can have, no sample left, or a file that is there
            already and may hold hours of work.
    """
    path = Path(out)
    if path.suffix.lower() not in (".csv", ".jsonl"):
        raise UsageError(f"cannot tell the format from {path.name!r}; a sheet ends in .csv or .jsonl")
    fault = model_name_wrong(model_name) if model_name is not None else ""
    if fault:
        raise bad_option("model_name", fault)
    dataset = as_dataset(data, columns=columns).select(side)
    samples = dataset.select(ids=ids, limit=limit, offset=offset)
    if not len(samples):
        raise UsageError(f"no sample of {dataset.name} matches side={side}, offset={offset}, limit={limit}")
    rows: list[dict[str, str | None]] = []
    for sample in samples:
        pictures = "; ".join(str(path.resolve()) for path in dataset.picture_paths(sample))
        row: dict[str, str | None] = {"id": sample.id, "side": sample.side.value}
        row |= {"question": sample.question, "picture": pictures}
        if model_name is not None:
            row["model"] = model_name
        row["response"] = None  # the last column, where people look for it
        rows.append(row)
    if path.suffix.lower() == ".csv":
        write_sheet(path, list(rows[0]), [list(row.values()) for row in rows], "\r\n")
    else:
        create_sheet(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path
