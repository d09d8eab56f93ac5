"""What earlier analyses wrote beside their page (`analysis.json`), as far as it is read again.

Lists of pages show it, and a later analysis in the same folder measures the earlier ones anew. A file that is damaged,
or that somebody changed, counts as none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mossbench.analyses.analysis import ANALYSES, SAVED_OPTIONS, Analysed, Options
from mossbench.errors import UsageError
from mossbench.plumbing.untrusted_files import parse_json, read_file
from mossbench.results.table import Results
from mossbench.store.run_info import DatasetInfo

PAGE = "analysis"
"""How the files of an analysis are named, before .html and .json."""


@dataclass(frozen=True)
class SavedRun:
    """A run that a page is about."""

    model: str
    data: str
    """Name and hashes of its data, as they are shown."""
    dataset: str = ""
    """The name of its data alone."""
    hashes: frozenset[str] | None = None
    """Of the sides that were asked; None: written by an earlier version, which has them in words alone."""


@dataclass(frozen=True)
class SavedPart:
    """One analysis of one model, or across models (then `model` is empty)."""

    name: str
    model: str
    finding: str
    options: Options
    """Those of `SAVED_OPTIONS`; the others have their defaults."""
    is_skipped: bool
    """Whether it could not be done."""


@dataclass(frozen=True)
class SavedAnalysis:
    """Everything that a page shows."""

    runs: tuple[SavedRun, ...] = ()
    parts: tuple[SavedPart, ...] = ()


@dataclass(frozen=True)
class SavedMaterial:
    """The files about the samples that earlier analyses in a folder were given."""

    boxes: Path | None = None
    oracle: Path | None = None


def read_saved(path: Path) -> SavedAnalysis:
    """The analyses in a JSON file; none when there is no file, or it is not one of ours."""
    try:
        content = parse_json(read_file(path))
    except (OSError, ValueError):
        return SavedAnalysis()
    if not isinstance(content, dict) or content.get("made_by") != Analysed.MADE_BY:
        return SavedAnalysis()
    runs = [read_saved_run(values) for values in _objects_in(content.get("runs"))]
    parts = [_saved_part(values) for values in _objects_in(content.get("parts"))]
    return SavedAnalysis(tuple(runs), tuple(parts))


def earlier_options(folder: Path, stem: str, runs: Sequence[Results]) -> dict[str, Options]:
    """The analyses that the page in a folder shows of the same models and data, by name, and what they were told."""
    saved = read_saved(folder / f"{stem}.json")
    if len(saved.runs) != len(runs):
        return {}
    for saved_run, run in zip(saved.runs, runs, strict=True):
        if saved_run.model != run.model or not is_same_data(saved_run, run.info.dataset):
            return {}
    return {part.name: part.options for part in saved.parts if part.name in ANALYSES and not part.is_skipped}


def saved_material(folder: Path) -> SavedMaterial:
    """The boxes and oracle texts that the analyses in a folder were given last."""
    boxes = None
    oracle = None
    for part in read_saved(folder / f"{PAGE}.json").parts:
        boxes = part.options.boxes or boxes
        oracle = part.options.oracle or oracle
    return SavedMaterial(boxes, oracle)


def _objects_in(values: object) -> list[dict[str, object]]:
    """The objects in a JSON list; what else somebody put there is left out."""
    if not isinstance(values, list):
        return []
    return [value for value in values if isinstance(value, dict)]


def read_saved_run(values: dict[str, object]) -> SavedRun:
    hashes = values.get("hashes")
    return SavedRun(
        model=str(values.get("model", "")),
        data=str(values.get("data", "")),
        dataset=str(values.get("dataset", "")),
        hashes=frozenset(map(str, hashes.values())) if isinstance(hashes, dict) else None,
    )


def _saved_part(values: dict[str, object]) -> SavedPart:
    record = values.get("record")
    return SavedPart(
        name=str(values.get("name", "")),
        model=str(values.get("model", "")),
        finding=str(values.get("finding", "")),
        options=_saved_options(values.get("options")),
        is_skipped=isinstance(record, dict) and set(record) == {"why"},
    )


def _saved_options(values: object) -> Options:
    """Options as a file has them; what it has beside them is none."""
    if not isinstance(values, dict):
        return Options()
    saved_values = {name: values[name] for name in SAVED_OPTIONS if name in values}
    try:
        return Options(**saved_values)
    except UsageError:  # somebody changed the file
        return Options()


def is_same_data(saved_run: SavedRun, data: DatasetInfo) -> bool:
    """Whether a run on a page is on these data: the same name and a side in common."""
    if saved_run.hashes is None:
        return _label_names(saved_run.data, data)
    if saved_run.dataset != data.name:
        return False
    hashes_of_data = set(data.hashes.values())
    if not saved_run.hashes and not hashes_of_data:
        return True
    return bool(saved_run.hashes & hashes_of_data)


def _label_names(label: str, data: DatasetInfo) -> bool:
    """The same of a page of an earlier version, which has the data in words: `sketches benign@0123456789ab`."""
    if not label.startswith(data.name):
        return False
    hashes_on_page = set(re.findall(r"@([0-9a-f]{12})", label))
    hashes_of_data = {content_hash[:12] for content_hash in data.hashes.values()}
    if not hashes_on_page and not hashes_of_data:
        return True
    return bool(hashes_on_page & hashes_of_data)
