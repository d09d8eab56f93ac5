"""Datasets: the bundled sketches, the published sets, one's own files; loading, checking, describing, exporting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mossbench.datasets.check import check_dataset
from mossbench.datasets.dataset import Dataset
from mossbench.datasets.describe import Description, describe_dataset
from mossbench.datasets.export import export_dataset
from mossbench.datasets.files import load_file, metadata_file
from mossbench.datasets.findings import Finding, Severity
from mossbench.datasets.hub import cached_official, fetch_official, load_official
from mossbench.datasets.official import find_tables, load_official_folder
from mossbench.datasets.sketches import load_sketches
from mossbench.errors import DataError, UsageError, unknown_name
from mossbench.samples import Side

__all__ = [
    "DATASETS",
    "Dataset",
    "Description",
    "Finding",
    "Severity",
    "as_dataset",
    "cached_official",
    "check_dataset",
    "describe_dataset",
    "export_dataset",
    "fetch_dataset",
    "load_dataset",
    "load_folder_or_file",
]


@dataclass(frozen=True)
class Entry:
    """A dataset that is known by name."""

    load: Callable[[], Dataset]
    description: str


DATASETS = {
    "sketches": Entry(load_sketches, "bundled: our own drawn scenes, no download"),
    "official": Entry(load_official, "the published set: 300 harmless samples, 244 harmful twins; a download"),
}


def load_dataset(name_or_path: str | Path, side: Side | Literal["both", "benign", "contrast"] = "both") -> Dataset:
    """The dataset of that name, or in that folder or file.

    Args:
        name_or_path: A name from DATASETS, a folder in a published layout or with `metadata.jsonl|csv|parquet`,
            or such a file itself. A name wins over a folder of the same name (write `./official`, or give a Path).
        side: Only this side, or both.
    """
    entry = DATASETS.get(name_or_path) if isinstance(name_or_path, str) else None
    dataset = entry.load() if entry else load_folder_or_file(Path(name_or_path))
    return dataset.select(side)


def as_dataset(data: str | Path | Dataset) -> Dataset:
    """A dataset as it is, or the one of that name or at that path."""
    return data if isinstance(data, Dataset) else load_dataset(data)


def fetch_dataset(name: str = "official", *, revision: str | None = None) -> Dataset:
    """The dataset after its download into the cache, or the update of what is cached there.

    Args:
        name: A name from DATASETS that is not part of the package itself.
        revision: Branch, tag or commit; None for the main branch.
    """
    if name not in DATASETS:
        raise unknown_name("dataset", name, DATASETS, f"known: {', '.join(DATASETS)}")
    if name != "official":
        raise UsageError(f"{name!r} comes with mossbench; there is nothing to fetch")
    return fetch_official(revision=revision)


def load_folder_or_file(path: Path, *, findings: list[Finding] | None = None) -> Dataset:
    """The dataset in a folder or file; with a list of findings, faults go there and reading goes on."""
    try:
        return _load_path(path.expanduser(), findings)
    except (OSError, RuntimeError) as error:  # no permission, a name too long, a home that is not known
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {path}: {reason}; check the path and its permissions") from error


def _load_path(path: Path, findings: list[Finding] | None) -> Dataset:
    if not path.exists():
        raise unknown_name("dataset, folder or file", str(path), DATASETS, f"known names: {', '.join(DATASETS)}")
    if path.is_file():
        if path.name in ("information.json", "information.csv"):
            return load_official_folder(path.parent, findings=findings)
        return load_file(path, findings=findings)
    if find_tables(path):
        return load_official_folder(path, findings=findings)
    metadata = metadata_file(path)
    if metadata is None:
        raise DataError(
            f"{path} holds no dataset: expected metadata.jsonl, .csv or .parquet, or the published layout "
            "(images_information/information.json, oversensitivity/ and contrast/, data/ and data_contrast/)"
        )
    return load_file(metadata, findings=findings)
