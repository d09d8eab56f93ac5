"""Datasets: the bundled sketches, the published sets, peers' sets, one's own files and code; loading, exporting."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from mossbench.datasets.beside import describe_differences
from mossbench.datasets.check import check_dataset, find_faults
from mossbench.datasets.columns import known_fields
from mossbench.datasets.dataset import AnyData, Dataset, NamedData, SupportsDataFrame
from mossbench.datasets.describe import Description, describe_dataset
from mossbench.datasets.export import export_dataset
from mossbench.datasets.files import load_file, metadata_file, metadata_files
from mossbench.datasets.findings import Finding, Severity, note
from mossbench.datasets.hub import cached_official, fetch_official, load_official
from mossbench.datasets.official import (
    LICENCE,
    find_site_table,
    find_tables,
    is_published_table,
    load_official_file,
    load_official_folder,
)
from mossbench.datasets.own_data import check_may_run, code_of_plugin, described_set, find_data_code, load_data_code
from mossbench.datasets.peers import NAMES as PEERS
from mossbench.datasets.peers import UNREADABLE, about_peer, about_set, load_peer, load_set, own_set
from mossbench.datasets.sketches import load_sketches
from mossbench.errors import DataError, MossbenchError, UsageError, message_of, unknown_name
from mossbench.plumbing.plugins import LoadedPlugin, load_plugins, names_of
from mossbench.plumbing.tables import FORMATS
from mossbench.samples import Side
from mossbench.ways_out import ExportDataset, Listing, OmitOption, WayOut

_N_NAMED = 8


@dataclass(frozen=True)
class Entry:
    load: Callable[[], Dataset]
    about: Callable[[], dict[str, Any]]
    """Returns its description, size by side, modality, licence and state."""


def _about(name: str) -> dict[str, Any]:
    if name == "sketches":
        state = "part of mossbench"
    else:
        state = "fetched" if cached_official() else "not fetched"
    return {**_OWN[name], "modality": "image+text", "state": state}


_OWN: dict[str, dict[str, Any]] = {
    "sketches": {"description": "our own drawn scenes", "harmless": 120, "harmful": 120, "licence": "Apache-2.0"},
    "official": {"description": "the published set", "harmless": 300, "harmful": 244, "licence": LICENCE},
}
DATASETS = {
    "sketches": Entry(cache(load_sketches), partial(_about, "sketches")),
    "official": Entry(load_official, partial(_about, "official")),
    **{name: Entry(partial(load_peer, name), partial(about_peer, name)) for name in PEERS},
}


def list_datasets() -> list[dict[str, Any]]:
    """Describes each dataset that has a name, also those of other packages; a count is None if it is not known.

    A dataset whose description cannot be read has the state `cannot be read`, and the reason under `fault`.
    """
    entries = {name: entry.about for name, entry in DATASETS.items()}
    described = [{"name": name, **_describe_entry(about)} for name, about in entries.items()]
    for plugin, loaded in load_plugins("datasets", DATASETS):
        described.append({"name": plugin.name, **_describe_entry(partial(_about_plugin, loaded))})
    return described


_UNKNOWN = {"description": "", "harmless": None, "harmful": None, "modality": "unknown", "licence": "unknown"}


def _describe_entry(about: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return about()
    except (MossbenchError, OSError) as error:  # a damaged description must not hide the other datasets
        return {**_UNKNOWN, "state": UNREADABLE, "fault": message_of(error)}


def _about_plugin(loaded: LoadedPlugin | UsageError) -> dict[str, Any]:
    """The description of a package's dataset; its function is not called, since it may take long."""
    if isinstance(loaded, UsageError):
        raise loaded
    description = described_set(code_of_plugin(loaded))
    if description is not None:
        return about_set(own_set(description))
    return {**_UNKNOWN, "description": loaded.description, "state": "can be loaded"}


def load_dataset(
    name_or_path: AnyData,
    side: Side | Literal["both", "benign", "contrast"] = "both",
    *,
    columns: Mapping[str, str] | None = None,
) -> Dataset:
    """Loads a dataset by its name, from a folder or file, or from data in memory.

    Args:
        name_or_path: A name from DATASETS, a folder in a published layout or with `metadata.jsonl|csv|parquet`,
            such a file, a description of a set (.toml), a function (`file.py:name`), or the name that an installed
            package has for its data (docs/extending.md). A name goes before a folder of the same name (write
            `./official`, or pass a Path).
            Or a DataFrame, a list of dicts, a dataset of the hub's library, or any iterable of rows.
        side: Only this side, or both.
        columns: Field -> column, for a table of your own with other column names, as in
            `{"question": "text", "image": "photo"}`; an empty column means that no column has that field.
    """
    if isinstance(name_or_path, Dataset):
        return name_or_path.select(side)
    if not isinstance(name_or_path, (str, os.PathLike)):
        from mossbench.datasets.in_memory import load_in_memory

        return load_in_memory(name_or_path, columns=known_fields(columns)).select(side)
    entry = DATASETS.get(name_or_path) if isinstance(name_or_path, str) else None
    if entry and columns:
        raise UsageError(f"{name_or_path!r} has fixed columns", way_out=OmitOption("columns"))
    dataset = entry.load() if entry else _load_named(name_or_path, known_fields(columns))
    return dataset.select(side)


def load_recorded_dataset(name_or_path: str, *, columns: Mapping[str, str] | None = None) -> Dataset:
    """The dataset that a run names, for showing the run: the code of a file that the run names is not run for it."""
    check_may_run(name_or_path)
    return load_dataset(name_or_path, columns=columns)


def _load_named(name_or_path: str | Path, columns: Mapping[str, str]) -> Dataset:
    """The dataset that code gives or that lies at a path."""
    code = find_data_code(name_or_path) if isinstance(name_or_path, str) else None
    if code is None:
        return load_folder_or_file(Path(name_or_path), columns=columns)
    return load_data_code(code, columns, lambda path, columns: load_folder_or_file(path, columns=columns))


def as_dataset(data: AnyData, *, columns: Mapping[str, str] | None = None) -> Dataset:
    """The dataset itself, the one with that name or path, or the one of data in memory."""
    return data if isinstance(data, Dataset) else load_dataset(data, columns=columns)


def as_named(data: AnyData, *, columns: Mapping[str, str] | None = None) -> NamedData:
    """A name or path as it is, and data in memory as a Dataset, which has a folder that it can be loaded from again."""
    return data if isinstance(data, (str, Path, Dataset)) else load_dataset(data, columns=columns)


def fetch_dataset(name: str = "official", *, revision: str | None = None) -> Dataset:
    """Downloads a dataset to the cache, or updates it there, and loads it.

    Args:
        name: A name from DATASETS that is not part of the package, or a description of a set of your own (.toml).
        revision: Branch, tag or commit; None for the pinned one, or the main branch if none is pinned.
    """
    if name not in DATASETS:
        return _fetch_own(name, revision)
    if name in PEERS:
        from mossbench.datasets.fetching import fetch_peer

        return fetch_peer(name, revision=revision)
    if name != "official":
        raise UsageError(f"{name!r} comes with mossbench; there is nothing to fetch")
    return fetch_official(revision=revision)


def _fetch_own(name: str, revision: str | None) -> Dataset:
    """Downloads the set that a description of the user's or of a package is about."""
    from mossbench.datasets.fetching import fetch_set

    description: Path | None = Path(name)
    if Path(name).suffix != ".toml":
        code = find_data_code(name)
        description = described_set(code) if code is not None else None
    if description is None or not description.is_file():
        raise unknown_name("dataset", name, [*DATASETS, *names_of("datasets")], way_out=Listing("datasets"))
    return fetch_set(own_set(description), revision=revision)


def load_folder_or_file(
    path: Path,
    *,
    findings: list[Finding] | None = None,
    columns: Mapping[str, str] | None = None,
    outside: bool = False,
) -> Dataset:
    """The dataset in a folder or file; with a list of findings, faults are added there instead of raised."""
    try:
        return _load_path(path.expanduser(), findings, known_fields(columns), outside)
    except (OSError, RuntimeError) as error:  # no permission, a name too long, an unknown home folder
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {path}: {reason}; check the path and its permissions") from error


def import_dataset(
    source: str | Path,
    out: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    format: Literal["jsonl", "csv", "parquet"] = "jsonl",
    overwrite: bool = False,
) -> Dataset:
    """Copies a table or folder with its images to a folder that every command can read, and loads the copy.

    Unlike `load_dataset` it also takes images from outside the folder of the table. If there is any error in a row or
    an image, nothing is written.

    Args:
        source: As for `load_dataset`.
        out: A new or empty folder.
        columns: As for `load_dataset`.
        format: Format of the table in `out`.
        overwrite: Whether an earlier copy in `out` may be replaced.
    """
    findings: list[Finding] = []
    if str(source) in DATASETS and not Path(source).exists():
        raise UsageError(f"{source!r} is a name, not a path", way_out=ExportDataset(str(source), Path(out)))
    code = find_data_code(str(source))
    if code is not None:
        dataset = load_dataset(code.spec, columns=columns)
    else:
        dataset = load_folder_or_file(Path(source), findings=findings, columns=columns, outside=True)
    errors = [finding for finding in find_faults(dataset, findings) if finding.severity is Severity.ERROR]
    if errors:
        raise _nothing_written(source, errors)
    copy = load_folder_or_file(export_dataset(dataset, out, format, overwrite=overwrite))
    return replace(copy, notes=(*copy.notes, *dataset.notes))


def _nothing_written(source: str | Path, errors: Sequence[Finding]) -> DataError:
    """The error for a table with faults, with what to do about each."""
    lines = []
    ways_out: list[WayOut] = []
    for finding in errors:
        if isinstance(finding.way_out, str):
            lines.append(f"{finding.message}; {finding.way_out}")
        else:
            lines.append(finding.message)
            ways_out.append(finding.way_out)
    listed = "\n  ".join(lines)
    message = f"nothing was written; first fix the errors in {source}:\n  {listed}"
    return DataError(message, way_out=tuple(ways_out))


def _notes_on_other_metadata(dataset: Dataset, path: Path, findings: list[Finding] | None) -> Iterator[str]:
    """A note for each other metadata file in the folder of `path` whose samples differ."""
    if path.stem != "metadata":
        return
    for file in metadata_files(path.parent):
        if file.name == path.name or is_published_table(file):
            continue
        try:
            differences, _ = describe_differences(dataset.samples, load_file(file).samples)
        except MossbenchError as error:  # a package that reads it may be missing, too
            differences = f"it cannot be read ({error.message.text})"
        if differences:
            message = f"{path.name} was read; {file.name} in the same folder differs: {differences}"
            way_out = "pass the right file, or remove the other"
            note(findings, "tables-differ", message, way_out, severity=Severity.WARNING)
            yield f"{message}; {way_out}"


def _tables_in(folder: Path) -> list[str]:
    """Names of files in a folder that may be tables of samples, to suggest in place of a missing file."""
    suffixes = (".json", ".js", ".tsv", *(f".{format}" for format in FORMATS))
    if not folder.is_dir():
        return []
    return sorted(file.name for file in folder.iterdir() if file.suffix.lower() in suffixes)[:_N_NAMED]


def _load_path(path: Path, findings: list[Finding] | None, columns: Mapping[str, str], outside: bool) -> Dataset:
    if not path.exists():
        raise _no_such_data(path)
    if path.is_file():
        return _load_named_file(path, findings, columns, outside)
    return _load_folder(path, findings, columns, outside)


def _no_such_data(path: Path) -> UsageError:
    from mossbench.datasets.in_memory import is_kept_copy

    if is_kept_copy(path):
        return UsageError(f"{path}, the copy of data that were given in memory, was deleted; give the same data again")
    tables = _tables_in(path.parent) if path.suffix else []
    if tables:
        return UsageError(f"no file {path}; its folder has {', '.join(tables)}")
    names = [*DATASETS, *names_of("datasets")]
    return unknown_name("dataset, folder or file", str(path), names, way_out=Listing("datasets"))


def _load_named_file(path: Path, findings: list[Finding] | None, columns: Mapping[str, str], outside: bool) -> Dataset:
    if path.suffix == ".toml":
        if columns:
            raise UsageError(f"{path} describes a set, which has fixed columns", way_out=OmitOption("columns"))
        return load_set(own_set(path))
    if is_published_table(path) and not columns:
        return load_official_file(path, findings=findings)
    dataset = load_file(path, findings=findings, columns=columns, outside=outside)
    if columns:  # which other files need not have
        return dataset
    return replace(dataset, notes=(*dataset.notes, *_notes_on_other_metadata(dataset, path, findings)))


def _load_folder(folder: Path, findings: list[Finding] | None, columns: Mapping[str, str], outside: bool) -> Dataset:
    if not columns and find_tables(folder):
        return load_official_folder(folder, findings=findings)
    metadata = metadata_file(folder)
    if metadata is not None:
        return load_file(metadata, findings=findings, columns=columns, outside=outside)
    site_table = find_site_table(folder)
    if site_table is not None and not columns:
        return load_official_file(site_table, findings=findings)
    if (folder / "build.toml").is_file():
        raise _is_a_build(folder)
    raise DataError(
        f"{folder} holds no dataset: expected metadata.jsonl, .csv, .tsv or .parquet, or the published layout "
        "(images_information/information.json, oversensitivity/ and contrast/, data/ and data_contrast/)"
    )


def _is_a_build(folder: Path) -> DataError:
    """The error for the folder of a dataset that is being built, with its last release if it has one."""
    releases = folder.glob("releases/*/metadata.jsonl")
    released = max(releases, key=lambda file: file.stat().st_mtime, default=None)
    way_out = f"use one of its releases, such as {released.parent}" if released else "release it first"
    return DataError(f"{folder} is a build, not a dataset; {way_out}")
