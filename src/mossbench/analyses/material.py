"""What a user adds to a dataset for an analysis: boxes about the triggers, and oracle texts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from mossbench.analyses.analysis import Options
from mossbench.datasets import Dataset
from mossbench.errors import DataError, ImageError, UsageError
from mossbench.images.preparing import decoded
from mossbench.messages import Message
from mossbench.plumbing.tables import read_rows
from mossbench.samples import Region, Sample, Side, Stimulus
from mossbench.ways_out import SetOption

TEXTS = ("oracle_description", "oracle_intent", "explicit_request")
BOX_COLUMNS = "id,left,top,right,bottom"


class Prepared(NamedTuple):
    """The data as the analyses see them."""

    dataset: Dataset
    """With the user's boxes and texts in it."""
    notices: tuple[Message, ...]
    """What has to be said about them."""


@dataclass(frozen=True)
class SampleLine:
    """A line of a user's table about a harmless sample."""

    where: str
    """File and line, for messages."""
    sample_id: str
    cells: Mapping[str, Any]
    """By column: texts in a CSV, any value in a JSONL."""


def prepared(dataset: Dataset, options: Options) -> Prepared:
    """The data with the boxes and texts of the files that the options name."""
    boxes = read_boxes(options.boxes, dataset) if options.boxes is not None else {}
    texts = read_oracle(options.oracle, dataset) if options.oracle is not None else {}
    samples = tuple(_with_material(sample, boxes, texts) for sample in dataset.samples)
    described_samples, notices = described(samples)
    return Prepared(replace(dataset, samples=described_samples), notices)


def _with_material(
    sample: Sample, boxes: Mapping[str, tuple[Region, ...]], texts: Mapping[str, Mapping[str, str]]
) -> Sample:
    """A harmless sample with what the user's files have for its id."""
    if sample.side is not Side.BENIGN:
        return sample
    update: dict[str, object] = {}
    if sample.id in boxes:
        update["triggers"] = boxes[sample.id]
    if sample.id in texts:
        update.update(texts[sample.id])
    return sample.model_copy(update=update) if update else sample


def described(samples: tuple[Sample, ...]) -> tuple[tuple[Sample, ...], tuple[Message, ...]]:
    """The samples with their own descriptions in place of oracle descriptions that they lack, and what to say of it.

    Not those of Negated Harm: a description that leaves out that the picture is against the harm, as all the published
    ones do, would tell a model the opposite of the truth.
    """
    n_used = 0
    n_unused = 0
    with_descriptions = []
    for sample in samples:
        if _could_use_description(sample):
            if sample.stimulus is Stimulus.NEGATED_HARM:
                n_unused += 1
            else:
                n_used += 1
                sample = sample.model_copy(update={"oracle_description": sample.description})
        with_descriptions.append(sample)
    return tuple(with_descriptions), _notices_of_descriptions(n_used, n_unused)


def _could_use_description(sample: Sample) -> bool:
    """Whether it is harmless, lacks an oracle description and has a description of its own."""
    lacks_oracle = sample.side is Side.BENIGN and sample.oracle_description is None
    return lacks_oracle and bool(sample.description.strip())


def _notices_of_descriptions(n_used: int, n_unused: int) -> tuple[Message, ...]:
    notices = []
    if n_used:
        notices.append(Message(f"{n_used} descriptions of the dataset are used as oracle descriptions"))
    if n_unused:
        text = (
            f"{n_unused} descriptions of Negated Harm are not used as oracle descriptions: they may not say that the "
            "image opposes the harm (the published ones never do)"
        )
        notices.append(Message(text, (SetOption("oracle", to="give a file of your own"),)))
    return tuple(notices)


def read_boxes(path: Path, dataset: Dataset | None = None) -> dict[str, tuple[Region, ...]]:
    """Boxes by sample from a CSV with id,left,top,right,bottom; several lines of one id are several boxes.

    With a dataset, ids have to be there and boxes have to lie in their images.
    """
    boxes: dict[str, tuple[Region, ...]] = {}
    for line in read_sample_lines(path, BOX_COLUMNS, dataset):
        box = _read_box(line, dataset)
        earlier = boxes.get(line.sample_id, ())
        if box in earlier:
            where = f"{line.where}: {box.left},{box.top},{box.right},{box.bottom}"
            raise UsageError(f"{where} is given twice for {line.sample_id!r}; remove one of the lines")
        boxes[line.sample_id] = (*earlier, box)
    return boxes


def _read_box(line: SampleLine, dataset: Dataset | None) -> Region:
    """The box in a line; a UsageError where it is none, or lies outside its image."""
    try:
        left, top, right, bottom = (int(line.cells[name]) for name in ("left", "top", "right", "bottom"))
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{line.where}: expected {BOX_COLUMNS} in whole pixels") from error
    where = f"{line.where}: {left},{top},{right},{bottom}"
    if not (0 <= left < right and 0 <= top < bottom):
        raise UsageError(f"{where} is not a box; expected 0 <= left < right and 0 <= top < bottom")
    size = _picture_size(dataset, line.sample_id) if dataset else None
    if size is not None:
        width, height = size
        if right > width or bottom > height:
            raise UsageError(
                f"{where} lies outside the image of {line.sample_id!r}, which has {width} x {height} pixels"
            )
    return Region(label=line.cells.get("label") or "trigger", left=left, top=top, right=right, bottom=bottom)


def _picture_size(dataset: Dataset, sample_id: str) -> tuple[int, int] | None:
    """Width and height of a harmless sample's picture; None where it cannot be read, which its rows will say."""
    sample = dataset.sample(Side.BENIGN, sample_id)
    try:
        return decoded(dataset.picture(sample)).size
    except (DataError, ImageError):
        return None


def read_oracle(path: Path, dataset: Dataset | None = None) -> dict[str, dict[str, str]]:
    """Oracle texts by sample from a CSV or JSONL with id and at least one of the texts; empty ones are not there."""
    texts_by_id: dict[str, dict[str, str]] = {}
    expected = f"id and one or more of {', '.join(TEXTS)}"
    for line in read_sample_lines(path, expected, dataset):
        texts = {name: line.cells[name] for name in TEXTS if _has_text(line, name)}
        if not texts:
            raise UsageError(f"{line.where}: expected {expected}")
        if line.sample_id in texts_by_id:
            raise UsageError(f"{line.where}: the id {line.sample_id!r} is given twice; put its texts into one line")
        texts_by_id[line.sample_id] = texts
    return texts_by_id


def _has_text(line: SampleLine, column: str) -> bool:
    cell = line.cells.get(column)
    return isinstance(cell, str) and bool(cell.strip())


def read_sample_lines(path: Path, expected: str, dataset: Dataset | None) -> Iterator[SampleLine]:
    """The lines of a CSV or JSONL file; a UsageError when there is none, or one has no id of a harmless sample.

    With a dataset, it has to have the sample. Each line is checked when it comes, so that the first fault is told.
    """
    try:
        rows = list(read_rows(path, names=("id", "text", *TEXTS)))
    except DataError as error:
        raise UsageError(error.message) from error
    if not rows:
        raise UsageError(f"{path} is empty; expected lines with {expected}")
    benign_ids = {sample.id for sample in dataset or () if sample.side is Side.BENIGN}
    for row in rows:
        where = f"{path}, line {row.line}"
        sample_id = str(row.values.get("id") or "").strip()
        if not sample_id:
            raise UsageError(f"{where}: expected the id of a harmless sample")
        if dataset is not None and sample_id not in benign_ids:
            raise UsageError(f"{where}: no harmless sample of {dataset.name} has the id {sample_id!r}")
        yield SampleLine(where, sample_id, row.values)
