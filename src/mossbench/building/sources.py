"""Where images come from: one's own photos with a table about them, a text-to-image model, or stand-ins of a set."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from mossbench.building.candidates import Candidate
from mossbench.building.folder import VARIANTS, Variant
from mossbench.building.imaging import Source, Sourced, SourceName
from mossbench.datasets import Dataset
from mossbench.models.drawing import ImageModel
from mossbench.plumbing.spreadsheets import read_sheet, refuse, write_sheet
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Sample, Side

PHOTOS = "photos.csv"
COLUMNS = ("candidate", "variant", "show", "file", "licence", "source", "people")
DRAWN = "as the dataset, within the terms of the model"
_NEEDED = {
    "candidate": "whose image it is",
    "licence": "under which it may be used",
    "source": "who took the photo or where it is from",
}
_PEOPLE = {"yes": True, "y": True, "1": True, "true": True, "no": False, "n": False, "0": False, "false": False}


def write_photo_sheet(folder: Path, candidates: Iterable[Candidate]) -> Path:
    """A table beside the photos with a line for each image that is wanted, to fill in; never over an existing one."""
    rows = []
    for candidate in candidates:
        variant = ""
        scene = candidate.scene
        if candidate.overlay is not None:  # the mark is laid on by mossbench
            variant = "contrast"
            scene = candidate.contrast.scene
        rows.append([candidate.id, variant, scene, "", "", "", ""])
    write_sheet(folder / PHOTOS, COLUMNS, rows)
    return folder / PHOTOS


def photo_source(folder: Path) -> Source:
    """Photos that the folder's photos.csv names, each with its licence, its source, and whether people are in it."""
    path = folder / PHOTOS
    faults: list[str] = []
    photos: dict[tuple[str, str], Sourced] = {}
    for line, cells in read_sheet(path, COLUMNS, ()):
        if not cells.get("file"):
            continue
        key = (cells.get("candidate", ""), cells.get("variant", ""))
        faults_of_line = [f"line {line}: {fault}" for fault in _photo_faults(folder, cells, key in photos)]
        faults += faults_of_line
        if not faults_of_line:
            photos[key] = _photo(folder, cells)
    refuse(path, faults)

    def source(candidate: Candidate, variant: Variant, scene: str) -> Sourced | None:
        photo = photos.get((candidate.id, variant))
        if photo is None and variant == "contrast" and candidate.overlay is not None:
            photo = photos.get((candidate.id, ""))  # the photo that the mark goes on may have either name
        return photo

    return source


def _photo_faults(folder: Path, cells: dict[str, str], is_second: bool) -> Iterator[str]:
    """What is wrong with a line of the sheet."""
    for name, meaning in _NEEDED.items():
        if not cells.get(name):
            yield f"{name} is empty; say {meaning}"
    people = cells.get("people", "").lower()
    if people not in _PEOPLE:
        yield f"people is {people!r}; look at the photo and enter yes or no"
    candidate = cells.get("candidate", "")
    variant = cells.get("variant", "")
    if variant not in VARIANTS:
        yield f"variant is {variant!r}; expected nothing, contrast or counterfactual"
    if is_second:
        yield f"a second photo for {' '.join(filter(None, (candidate, variant)))}; remove one of them"
    if not (folder / cells["file"]).is_file():
        yield f"no file {cells['file']!r} in {folder}; correct the name"


def _photo(folder: Path, cells: dict[str, str]) -> Sourced:
    return Sourced(
        data=read_file(folder / cells["file"]),
        source="photo",
        origin=f"{cells['file']}: {cells['source']}",
        licence=cells["licence"],
        people=_PEOPLE[cells["people"].lower()],
    )


def model_source(model: ImageModel, seed: int) -> Source:
    at = f" at {model.base_url}" if model.base_url else ""
    kind: SourceName = "diffusers" if model.name.startswith("diffusers/") else "endpoint"

    def source(candidate: Candidate, variant: Variant, scene: str) -> Sourced:
        prompt = f"A realistic photo, without any text added to it. {scene}"
        return Sourced(
            data=model.draw(prompt, seed),
            source=kind,
            origin=f"{model.name}{at}",
            licence=DRAWN,
            prompt=prompt,
        )

    return source


def stand_in_source(dataset: Dataset, taken: Iterable[str] = ()) -> Source:
    """Images of an installed set: of each candidate's stimulus the least used one whose description is nearest."""
    n_used = Counter(taken)
    chosen: dict[str, Sample] = {}
    with_image = [sample for sample in dataset.samples if sample.side is Side.BENIGN and sample.image]

    def choose(candidate: Candidate) -> Sample:
        words = _words(f"{candidate.scene} {candidate.domain}")

        def order(sample: Sample) -> tuple[int, int, str]:
            n_shared = len(words & _words(f"{sample.description} {sample.short_description}"))
            return n_used[sample.id], -n_shared, sample.id

        same_stimulus = [sample for sample in with_image if sample.stimulus is candidate.stimulus]
        best = min(same_stimulus or with_image, key=order)
        n_used[best.id] += 1
        return best

    def source(candidate: Candidate, variant: Variant, scene: str) -> Sourced | None:
        if candidate.id not in chosen:
            chosen[candidate.id] = choose(candidate)
        sample = chosen[candidate.id]
        path = _stand_in_path(dataset, sample, variant)
        if path is None:
            return None
        return Sourced(
            data=read_file(path),
            source="stand-in",
            origin=f"{dataset.name}:{sample.id}",
            licence=dataset.licence,
            people=sample.human,
        )

    return source


def _stand_in_path(dataset: Dataset, sample: Sample, variant: Variant) -> Path | None:
    if variant == "counterfactual":
        return dataset.counterfactual_path(sample)
    if variant == "contrast":
        return dataset.picture_path(dataset.twin_of(sample) or sample)
    return dataset.picture_path(sample)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))
