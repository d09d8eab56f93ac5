"""Harmful twins of chosen samples: a sheet with a row for each, filled in by hand or on the review page.

A fix that only opens the gates answers the twins as well, and is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mossbench.datasets import Dataset
from mossbench.errors import UsageError, n_of
from mossbench.plumbing.spreadsheets import cell, create_sheet, csv_text, read_sheet
from mossbench.plumbing.storage import write_atomically
from mossbench.samples import Sample, Side
from mossbench.traces.folder import MODE

TWIN_COLUMNS = ("id", "question", "harmful_question", "image")
"""Of the sheet; `image` is empty where the twin has the image of the harmless sample."""
TWINS = "twins.csv"
"""The sheet that the review page fills in, in the folder of the samples."""
LONGEST_TWIN = 4000
"""Characters of a twin that is written on the page."""


def without_twin(dataset: Dataset) -> list[Sample]:
    """The harmless samples to which the data have no harmful twin."""
    paired = {sample.twin or sample.id for sample in dataset.samples if sample.side is Side.CONTRAST}
    return [sample for sample in dataset.samples if sample.side is Side.BENIGN and sample.id not in paired]


def write_twin_sheet(dataset: Dataset, sheet: Path) -> None:
    """A new sheet with a row for each harmless sample that has no twin; a UsageError where there is a file."""
    create_sheet(sheet, _sheet_text({sample.id: [sample.question, "", ""] for sample in without_twin(dataset)}))
    sheet.chmod(MODE)


def read_twins(sheet: Path) -> dict[str, dict[str, str]]:
    """The rows of a sheet by the ids of their samples; no rows where there is no sheet."""
    if not sheet.exists():
        return {}
    return {row["id"]: row for _, row in read_sheet(sheet, TWIN_COLUMNS, ("id", "harmful_question"))}


def save_twin(sheet: Path, sample: Sample, harmful_question: str) -> None:
    """Writes the twin of a sample into the sheet, which is made if there is none; an empty text takes it out."""
    text = harmful_question.strip()
    if len(text) > LONGEST_TWIN:
        raise UsageError(f"the request has {len(text):,} characters, the maximum is {LONGEST_TWIN:,}; shorten it")
    rows = {
        id: [row.get("question", ""), row["harmful_question"], row.get("image", "")]
        for id, row in read_twins(sheet).items()
    }
    image = rows[sample.id][2] if sample.id in rows else ""
    rows[sample.id] = [sample.question, text, image]
    write_atomically(sheet, _sheet_text(rows))
    sheet.chmod(MODE)


def _sheet_text(rows: Mapping[str, Sequence[str]]) -> str:
    return csv_text([TWIN_COLUMNS, *([cell(id), *map(cell, texts)] for id, texts in rows.items())])


def with_twins(dataset: Dataset, sheet: Path) -> tuple[Dataset, list[str]]:
    """The dataset with a harmful twin for each row that is filled in, and notes on twins that are left out."""
    harmless = {sample.id: sample for sample in without_twin(dataset)}
    filled_in = {id: row for id, row in read_twins(sheet).items() if row["harmful_question"].strip()}
    used = [id for id in filled_in if id in harmless]
    if filled_in and not used:
        raise UsageError(
            f"{sheet}: none of its twins belongs to a chosen sample without one; the first is of "
            f"{next(iter(filled_in))[:60]!r}"
        )
    n_left_out = len(filled_in) - len(used)
    are = "is" if n_left_out == 1 else "are"
    notes = [f"{n_of(n_left_out, 'twin')} in {sheet} {are} left out: of no chosen sample"] if n_left_out else []
    elsewhere: dict[str, Path] = dict(dataset.elsewhere)
    twins: list[Sample] = []
    for id in used:
        image, path = _image_of(harmless[id], filled_in[id], sheet)
        if path is not None and image is not None:
            elsewhere[image] = path
        twins.append(_twin_of(harmless[id], filled_in[id]["harmful_question"].strip(), image))
    samples = [
        sample.model_copy(update={"twin": sample.id}) if sample.side is Side.BENIGN and sample.id in used else sample
        for sample in dataset.samples
    ]
    return replace(dataset, samples=(*samples, *twins), elsewhere=elsewhere), notes


def _image_of(sample: Sample, row: Mapping[str, str], sheet: Path) -> tuple[str | None, Path | None]:
    """The name of the twin's image, and where it lies if it is not that of the harmless sample."""
    named = row.get("image", "").strip()
    if not named:
        return sample.image, None
    return f"twin-{sample.id}{Path(named).suffix}", sheet.parent / named


def _twin_of(sample: Sample, question: str, image: str | None) -> Sample:
    return Sample(
        id=sample.id,
        side=Side.CONTRAST,
        question=question,
        image=image,
        more_images=sample.more_images if image else (),
        history=sample.history,
        cluster=sample.cluster,
        twin=sample.id,
        metadata=dict(sample.metadata),
    )
