"""Data that code gives: a function in a file of one's own (`file.py:name`), or a name that an installed package has.

What the code gives is a `Dataset`, rows as a list of dicts, or the path of a table, of a folder or of a description of
a set (.toml); a function without arguments returns one of these. The version of the code is the dataset's revision.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mossbench.datasets.columns import recognise_columns, with_own_labels
from mossbench.datasets.dataset import Dataset
from mossbench.datasets.files import reason, record_to_sample
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.plumbing.own_code import error_line, file_of, is_loaded, is_own_code, load_own_value
from mossbench.plumbing.plugins import LoadedPlugin, Plugin, find_plugin, load_plugin
from mossbench.plumbing.tables import Row
from mossbench.samples import Sample
from mossbench.ways_out import ExportDataset, OmitOption

EXPECTED = "expected a Dataset, a list of dicts, or the path of a table, a folder or a .toml file"

LoadPath = Callable[[Path, Mapping[str, str]], Dataset]
"""Loads a folder or a file, with the columns that the user names."""


@dataclass(frozen=True)
class DataCode:
    """What a file or a package gives as data."""

    spec: str
    """What names it: `kettles.py:rows`, `kettles`."""
    name: str
    """The name of data that have none: `kettles-rows`, `kettles`."""
    value: Any
    version: str
    source: str
    """Where it comes from, in words."""
    folder: Path
    """The folder of the code, to which its paths are relative."""


def find_data_code(spec: str) -> DataCode | None:
    """What a name stands for that is neither a dataset of ours nor a path; None if there is no such code.

    A file or folder of this name goes before a package's: installing a package does not change what a path means.
    """
    if is_own_code(spec):
        own = load_own_value(spec)
        path, name, _ = file_of(spec)
        folder = path.resolve().parent
        return DataCode(spec, f"{path.stem}-{name}", own.value, own.version, f"code in {path.name}", folder)
    plugin = find_data_plugin(spec)
    return None if plugin is None else code_of_plugin(load_plugin(plugin))


def find_data_plugin(spec: str, folder: Path = Path()) -> Plugin | None:
    """The package's dataset of this name, seen from a folder; None if there is none, or if something lies there."""
    if Path(spec).name != spec or os.path.exists(folder / spec):  # not Path.exists, which raises for a name too long
        return None
    return find_plugin("datasets", spec)


def code_of_plugin(loaded: LoadedPlugin) -> DataCode:
    name = loaded.plugin.name
    return DataCode(name, name, loaded.value, loaded.version, f"package {loaded.plugin.package}", loaded.folder)


def described_set(code: DataCode) -> Path | None:
    """The description of a set that the code names; None if it gives other data. Nothing is called for this."""
    if isinstance(code.value, (str, Path)) and Path(code.value).suffix == ".toml":
        return code.folder / code.value
    return None


def load_data_code(code: DataCode, columns: Mapping[str, str], load_path: LoadPath) -> Dataset:
    """The dataset that the code gives; what the code does wrong is a UsageError or DataError that names it."""
    given = _call(code)
    if isinstance(given, Dataset):
        if columns:
            raise UsageError(f"{code.spec!r} gives a Dataset, whose columns are fixed", way_out=OmitOption("columns"))
        dataset = given
    elif isinstance(given, (str, Path)):
        dataset = load_path(code.folder / given, columns)
    else:
        dataset = _dataset_of_rows(code, given, columns)
    has_own_source = isinstance(given, Dataset) or (dataset.file is not None and dataset.file.suffix == ".toml")
    return replace(
        dataset,
        source=dataset.source if has_own_source and dataset.source else code.source,
        revision=dataset.revision or code.version,
        code=code.spec,
        file=None,
    )


def check_may_run(spec: str) -> None:
    """A UsageError if showing a run would run the code of a file that the run names, and that nobody has asked for.

    A run may come from a stranger. A package was installed here, and a file that this process has loaded was asked for.
    """
    if is_own_code(spec) and not is_loaded(spec):
        raise UsageError(
            f"the data come from the code {spec!r}, which is not run to show a run",
            way_out=ExportDataset(spec, Path("FOLDER"), to="export them to a folder, and use that in the next run"),
        )


def _call(code: DataCode) -> Any:
    """What the code gives; a function is called."""
    if not callable(code.value):
        return code.value
    try:
        inspect.signature(code.value).bind()
    except TypeError as error:
        raise UsageError(f"{code.spec!r} takes arguments: {error}; expected a function without any") from error
    except ValueError:  # a function without a known signature
        pass
    try:
        return code.value()
    except MossbenchError:
        raise
    except (Exception, SystemExit) as error:  # whoever wrote the code has to fix whatever it raises
        raise DataError(f"{code.spec!r} failed: {error_line(error, code.folder)}") from error


def _dataset_of_rows(code: DataCode, given: object, columns: Mapping[str, str]) -> Dataset:
    """The dataset of rows that are dicts; images are relative to the folder of the code."""
    rows = _rows(code, given)
    names: dict[str, None] = {}  # a set in order
    for row in rows:
        names |= dict.fromkeys(row.values)
    layout = recognise_columns(names, columns, repr(code.spec))
    if "question" not in layout.fields.values():
        names_given = ", ".join(map(repr, names)) or "none"
        raise DataError(
            f"the rows of {code.spec!r} have no 'question' (or 'prompt', or 'request'); they have {names_given}"
        )
    layout = with_own_labels(layout, rows, None)
    samples: dict[tuple[str, str], Sample] = {}
    for row in rows:
        where = f"{code.spec!r}, row {row.line}"
        try:
            sample = record_to_sample(row.values, row.line, layout, code.folder)
        except (ValueError, RecursionError) as error:  # pydantic's ValidationError is a ValueError
            raise DataError(f"{where}: {reason(error)}; correct that row") from error
        if samples.setdefault(sample.key, sample) is not sample:
            raise DataError(f"{where}: another row has the id {sample.id!r} on the side {sample.side} too; rename one")
    return Dataset(name=code.name, samples=tuple(samples.values()), root=code.folder, columns=dict(columns))


def _rows(code: DataCode, given: object) -> list[Row]:
    if isinstance(given, (Mapping, bytes)) or not isinstance(given, Iterable):
        raise DataError(f"{code.spec!r} gives {type(given).__name__}, {EXPECTED}")
    rows: list[Row] = []
    for number, values in enumerate(given, 1):
        if not isinstance(values, Mapping):
            raise DataError(f"{code.spec!r}, row {number}: {type(values).__name__}, expected a dict")
        rows.append(Row(number, {str(name): value for name, value in values.items()}))
    if not rows:
        raise DataError(f"{code.spec!r} gives no rows; expected at least one with a 'question'")
    return rows
