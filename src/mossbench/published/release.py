"""The released repository: which published models have answers in it, the samples, and the submission template.

    data/results/<model>/data.js               cache['<model>'] = {pid: {"response": …}}; of nine models, and two empty
    data/results/submission_template.json      three rows, and the rates of a run of 244
    data/images_information/information.json   the samples, as `datasets.official` reads them

A folder of transcripts (`<model>.jsonl`, there or in `transcripts/`) is read in the same way. A file belongs to a
published model by its name: any that a preset of that model has, letters and digits alone. `release.csv` says why one
that is not here may be missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mossbench.datasets import Dataset, as_dataset
from mossbench.datasets.official import find_site_table, find_tables
from mossbench.errors import DataError, UsageError
from mossbench.models.presets import find_preset, plain_name
from mossbench.published.tables import PublishedRate, published_rates, read
from mossbench.samples import Side
from mossbench.transcripts import read_transcript
from mossbench.ways_out import SetOption

_NAME_PUBLISHED_SET = SetOption("data", to="name the published set")

_SCRIPTS = ("data/results/*/data.js", "results/*/data.js", "*/data.js", "website/data/results/*/data.js")
_TRANSCRIPTS = ("transcripts/*.jsonl", "*.jsonl")
_TEMPLATES = ("data/results/submission_template.json", "submission_template.json", "results/submission_template.json")
_SAMPLES = (".", "mossbench-data")
_EMPTY = "its file is empty"


@dataclass(frozen=True)
class Absent:
    """A published model that cannot be judged again from a folder."""

    name: str
    availability: str
    why: str


@dataclass(frozen=True)
class PublishedRelease:
    folder: Path
    data: Dataset
    """The samples, of both sides where both are there."""
    source: str | Path | Dataset
    """What loads them again: a local copy goes by its path, not by the name of the hub's."""
    files: dict[PublishedRate, Path]
    """Published models whose answers are here, in the order of the published table."""
    absent: tuple[Absent, ...]
    unknown: tuple[str, ...]
    """Files of answers whose names are of no published model."""
    template: Path | None


def read_release(folder: str | Path, *, data: str | Path | Dataset | None = None) -> PublishedRelease:
    """What is there; a UsageError or DataError where nothing can be judged again from it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"no folder {str(folder)!r}; give the folder of the released repository")
    answers = _answers(folder)
    models = {_model_key(row.name): row for row in published_rates("gpt")}
    files = {models[name]: path for name, path in answers.items() if name in models}
    unknown = tuple(path.relative_to(folder).as_posix() for name, path in answers.items() if name not in models)
    filled = _filled_files(folder, models.values(), files, unknown)
    samples = _samples(folder, data)
    return PublishedRelease(
        folder=folder,
        data=samples.dataset,
        source=samples.source,
        files=filled,
        absent=_absent_models([row for row in models.values() if row not in filled], files),
        unknown=unknown,
        template=next((folder / name for name in _TEMPLATES if (folder / name).is_file()), None),
    )


def _filled_files(
    folder: Path, rows: Iterable[PublishedRate], files: Mapping[PublishedRate, Path], unknown: Sequence[str]
) -> dict[PublishedRate, Path]:
    """The files that are not empty, in the order of the published table; a DataError where there are none."""
    filled = {row: files[row] for row in rows if row in files and files[row].stat().st_size}
    for row, path in filled.items():
        _check_model(path, row)
    if not filled:
        of_unknown_models = f"; of no published model: {', '.join(unknown[:3])}" if unknown else ""
        raise DataError(
            f"{folder} has no answers of a published model{of_unknown_models}; expected data/results/<model>/data.js "
            "as in the released repository, or <model>.jsonl"
        )
    return filled


def _check_model(path: Path, row: PublishedRate) -> None:
    """A DataError where a file cannot be read, or a released one says that it is of another model than its folder."""
    stated = str(read_transcript(path)[0].fields.get("model"))
    if path.suffix == ".js" and _model_key(stated) != _model_key(row.name):
        raise DataError(f"{path} says that it is of {stated!r}; its folder must have the same name")


def _absent_models(rows: Sequence[PublishedRate], files: Mapping[PublishedRate, Path]) -> tuple[Absent, ...]:
    """Why the models of these rows are absent; one that has a file all the same has an empty one."""
    why = {(line["availability"], line["model"]): line["why"] for line in read("release")}
    absent = []
    for row in rows:
        reason = _EMPTY if row in files else why[row.availability, row.model]
        absent.append(Absent(row.name, row.availability, reason))
    return tuple(absent)


def _answers(folder: Path) -> dict[str, Path]:
    """Files of answers by plain model name; those of the release before others of the same model."""
    files: dict[str, Path] = {}
    for pattern in (*_SCRIPTS, *_TRANSCRIPTS):
        of_pattern: dict[str, Path] = {}
        for path in sorted(folder.glob(pattern)):
            model = _model_key(path.parent.name if path.name == "data.js" else path.stem)
            first_path = of_pattern.setdefault(model, path)
            if first_path is not path:
                names = f"{first_path.relative_to(folder)} and {path.relative_to(folder)}"
                raise DataError(f"{folder}: {names} are of the same model; keep one of the two")
        files = of_pattern | files
    return files


class _Samples(NamedTuple):
    dataset: Dataset
    source: str | Path | Dataset
    """What loads them again."""


def _samples(folder: Path, data: str | Path | Dataset | None) -> _Samples:
    """The samples in the folder, or those that are named as `data`."""
    if data is None:
        place = next((folder / name for name in _SAMPLES if find_tables(folder / name)), None)
        place = place or find_site_table(folder)
        if place is None:
            raise UsageError(
                f"{folder} has no samples (data/images_information/information.json)",
                way_out=_NAME_PUBLISHED_SET,
            )
        data = place
    dataset = as_dataset(data)
    if not any(sample.stimulus for sample in dataset.samples if sample.side is Side.BENIGN):
        raise DataError(
            f"no harmless sample of {dataset.name} has a published stimulus",
            way_out=_NAME_PUBLISHED_SET,
        )
    return _Samples(dataset, data)


def _model_key(name: str) -> str:
    """What all names of one model have in common: its preset, or else the letters and digits of the name."""
    preset = find_preset(name)
    return plain_name(name) if preset is None else preset.name
