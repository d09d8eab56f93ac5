"""What a user adds to a dataset for an analysis: boxes about the triggers, and oracle texts."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

from mossbench.analyses.analysis import Options
from mossbench.datasets import Dataset
from mossbench.errors import DataError
from mossbench.samples import Region, Sample, Side, Stimulus

TEXTS = ("oracle_description", "oracle_intent", "explicit_request")


def prepared(dataset: Dataset, options: Options) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset with the user's boxes and texts in it, and what has to be said about them."""
    changes: dict[str, dict[str, Any]] = {}
    if options.boxes is not None:
        for id, boxes in read_boxes(options.boxes).items():
            changes.setdefault(id, {})["triggers"] = boxes
    if options.oracle is not None:
        for id, texts in read_oracle(options.oracle).items():
            changes.setdefault(id, {}).update(texts)
    benign = {sample.id for sample in dataset if sample.side is Side.BENIGN}
    if unknown := sorted(changes.keys() - benign):
        raise DataError(f"no harmless sample of {dataset.name} has the id {unknown[0]!r}; ids are those of the dataset")

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
        notices.append(f"{n_used} descriptions of the dataset stand in for oracle descriptions")
    if n_unused := len(lacking) - n_used:
        notices.append(
            f"{n_unused} descriptions of Negated Harm are not used as oracle descriptions: they need not say that the "
            "picture is against the harm (the published ones never do); give your own by --oracle FILE"
        )
    return found, tuple(notices)


def read_boxes(path: Path) -> dict[str, tuple[Region, ...]]:
    """Boxes by sample from a CSV with id,left,top,right,bottom; several lines of one id are several boxes."""
    found: dict[str, tuple[Region, ...]] = {}
    for number, row in enumerate(read_table(path), start=2):
        try:
            left, top, right, bottom = (int(row[name]) for name in ("left", "top", "right", "bottom"))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path}, line {number}: expected id,left,top,right,bottom in whole pixels") from error
        if not (left < right and top < bottom):
            raise DataError(
                f"{path}, line {number}: {left},{top},{right},{bottom} is no box; left < right, top < bottom"
            )
        box = Region(label=row.get("label") or "trigger", left=left, top=top, right=right, bottom=bottom)
        found[row["id"]] = (*found.get(row["id"], ()), box)
    return found


def read_oracle(path: Path) -> dict[str, dict[str, str]]:
    """Oracle texts by sample from a CSV or JSONL with id and at least one of the texts; empty ones are not there."""
    found = {}
    for number, row in enumerate(read_table(path), start=1 if path.suffix == ".jsonl" else 2):
        texts = {name: text for name in TEXTS if isinstance(text := row.get(name), str) and text.strip()}
        if not row.get("id") or not texts:
            raise DataError(f"{path}, line {number}: expected id and one or more of {', '.join(TEXTS)}")
        found[str(row["id"])] = texts
    return found


def read_table(path: Path) -> list[dict[str, Any]]:
    """The lines of a CSV with a head, or of a JSONL file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return list(csv.DictReader(text.splitlines()))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
