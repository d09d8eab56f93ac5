"""What a user adds to a dataset for an analysis: boxes about the triggers, and oracle texts."""

import dataclasses
from pathlib import Path
from typing import Any

from mossbench.analyses.analysis import Options
from mossbench.datasets import Dataset
from mossbench.errors import DataError, ImageError, UsageError
from mossbench.images.preparing import decoded
from mossbench.plumbing.tables import read_rows
from mossbench.samples import Region, Sample, Side, Stimulus

TEXTS = ("oracle_description", "oracle_intent", "explicit_request")


def prepared(dataset: Dataset, options: Options) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset with the user's boxes and texts in it, and what has to be said about them."""
    changes: dict[str, dict[str, Any]] = {}
    if options.boxes is not None:
        for id, boxes in read_boxes(options.boxes, dataset).items():
            changes.setdefault(id, {})["triggers"] = boxes
    if options.oracle is not None:
        for id, texts in read_oracle(options.oracle, dataset).items():
            changes.setdefault(id, {}).update(texts)

    def changed(sample: Sample) -> Sample:
        ours = changes.get(sample.id) if sample.side is Side.BENIGN else None
        return sample.model_copy(update=ours) if ours else sample

    samples, notices = described(tuple(map(changed, dataset.samples)))
    return dataclasses.replace(dataset, samples=samples), notices


def described(samples: tuple[Sample, ...]) -> tuple[tuple[Sample, ...], tuple[str, ...]]:
    """The samples with their own descriptions in place of oracle descriptions that they lack, and what to say of it.

    Not those of Negated Harm: a description that leaves out that the picture is against the harm, as all the published
    ones do, would tell a model the opposite of the truth.
    """
    lacking = {
        sample.key: sample.stimulus is not Stimulus.NEGATED_HARM
        for sample in samples
        if sample.side is Side.BENIGN and sample.oracle_description is None and sample.description.strip()
    }
    found = tuple(
        sample.model_copy(update={"oracle_description": sample.description}) if lacking.get(sample.key) else sample
        for sample in samples
    )
    n_used, notices = sum(lacking.values()), []
    if n_used:
        notices.append(f"{n_used} descriptions of the dataset are used as oracle descriptions")
    if n_unused := len(lacking) - n_used:
        notices.append(
            f"{n_unused} descriptions of Negated Harm are not used as oracle descriptions: they need not say that the "
            "image is against the harm (the published ones never do); give a file of your own as `oracle`"
        )
    return found, tuple(notices)


def read_boxes(path: Path, dataset: Dataset | None = None) -> dict[str, tuple[Region, ...]]:
    """Boxes by sample from a CSV with id,left,top,right,bottom; several lines of one id are several boxes.

    With a dataset, ids have to be there and boxes have to lie in their images.
    """
    found: dict[str, tuple[Region, ...]] = {}
    for where, row in read_table(path, "id,left,top,right,bottom"):
        id = known_id(where, row, dataset)
        try:
            left, top, right, bottom = (int(row[name]) for name in ("left", "top", "right", "bottom"))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{where}: expected id,left,top,right,bottom in whole pixels") from error
        said = f"{where}: {left},{top},{right},{bottom}"
        if not (0 <= left < right and 0 <= top < bottom):
            raise UsageError(f"{said} is not a box; expected 0 <= left < right and 0 <= top < bottom")
        size = _size(dataset, id) if dataset else None
        if size and (right > size[0] or bottom > size[1]):
            raise UsageError(f"{said} lies outside the image of {id!r}, which has {size[0]} x {size[1]} pixels")
        box = Region(label=row.get("label") or "trigger", left=left, top=top, right=right, bottom=bottom)
        if box in found.get(id, ()):
            raise UsageError(f"{said} is given twice for {id!r}; remove one of the lines")
        found[id] = (*found.get(id, ()), box)
    return found


def read_oracle(path: Path, dataset: Dataset | None = None) -> dict[str, dict[str, str]]:
    """Oracle texts by sample from a CSV or JSONL with id and at least one of the texts; empty ones are not there."""
    found: dict[str, dict[str, str]] = {}
    expected = f"id and one or more of {', '.join(TEXTS)}"
    for where, row in read_table(path, expected):
        id = known_id(where, row, dataset)
        texts = {name: text for name in TEXTS if isinstance(text := row.get(name), str) and text.strip()}
        if not texts:
            raise UsageError(f"{where}: expected {expected}")
        if id in found:
            raise UsageError(f"{where}: the id {id!r} is given twice; put its texts into one line")
        found[id] = texts
    return found


def known_id(where: str, row: dict[str, Any], dataset: Dataset | None) -> str:
    """The id of a line; a UsageError when it has none, or the dataset has no harmless sample of it."""
    id = str(row.get("id") or "").strip()
    if not id:
        raise UsageError(f"{where}: expected the id of a harmless sample")
    if dataset is not None and not any(sample.id == id and sample.side is Side.BENIGN for sample in dataset):
        raise UsageError(f"{where}: no harmless sample of {dataset.name} has the id {id!r}")
    return id


def read_table(path: Path, expected: str) -> list[tuple[str, dict[str, Any]]]:
    """The rows of a CSV or JSONL file, and where each is: file and line; a UsageError when there is none."""
    try:
        rows = [(f"{path}, line {row.line}", row.values) for row in read_rows(path, names=("id", "text", *TEXTS))]
    except DataError as error:
        raise UsageError(str(error)) from error
    if not rows:
        raise UsageError(f"{path} is empty; expected lines with {expected}")
    return rows


def _size(dataset: Dataset, id: str) -> tuple[int, int] | None:
    """Width and height of a harmless sample's picture; None where it cannot be read, which its rows will say."""
    sample = dataset.sample(Side.BENIGN, id)
    try:
        return decoded(dataset.picture(sample)).size
    except (DataError, ImageError):
        return None
