"""Where images come from: one's own photos with a table about them, a text-to-image model, or stand-ins of a set."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mossbench.building.candidates import Candidate
from mossbench.building.folder import VARIANTS, Variant
from mossbench.building.imaging import Source, Sourced, SourceName
from mossbench.datasets import Dataset
from mossbench.models.drawing import ImageModel
from mossbench.plumbing.reading import read_file
from mossbench.plumbing.sheets import read_sheet, refuse, write_sheet
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
    for one in candidates:
        twin = "contrast" if one.overlay is not None else ""  # the mark is laid on by mossbench
        rows.append([one.id, twin, one.contrast.scene if twin else one.scene, "", "", "", ""])
    write_sheet(folder / PHOTOS, COLUMNS, rows)
    return folder / PHOTOS


def photo_source(folder: Path) -> Source:
    """Photos that the folder's photos.csv names, each with its licence, its source, and whether people are in it."""
    path, faults = folder / PHOTOS, list[str]()
    photos: dict[tuple[str, str], Sourced] = {}
    for line, said in read_sheet(path, COLUMNS, ()):
        if said.get("file"):
            _read_photo(folder, line, said, photos, faults)
    refuse(path, faults)

    def source(one: Candidate, variant: Variant, scene: str) -> Sourced | None:
        plain = variant == "contrast" and one.overlay is not None  # the photo that the mark goes on, under either name
        return photos.get((one.id, variant)) or (photos.get((one.id, "")) if plain else None)

    return source


def _read_photo(
    folder: Path, line: int, said: dict[str, str], photos: dict[tuple[str, str], Sourced], faults: list[str]
) -> None:
    where, people = f"line {line}", said.get("people", "").lower()
    key, file = (said.get("candidate", ""), said.get("variant", "")), folder / said["file"]
    wrong = [f"{where}: {name} is empty; say {what}" for name, what in _NEEDED.items() if not said.get(name)]
    if people not in _PEOPLE:
        wrong.append(f"{where}: people is {people!r}; look at the photo and say yes or no")
    if key[1] not in VARIANTS:
        wrong.append(f"{where}: variant is {key[1]!r}; expected nothing, contrast or counterfactual")
    if key in photos:
        wrong.append(f"{where}: a second photo for {' '.join(filter(None, key))}; leave one of them out")
    if not file.is_file():
        wrong.append(f"{where}: no file {said['file']!r} in {folder}; correct the name")
    faults += wrong
    if not wrong:
        about = {"source": "photo", "origin": f"{said['file']}: {said['source']}", "licence": said["licence"]}
        photos[key] = Sourced.model_validate({"data": read_file(file), "people": _PEOPLE[people], **about})


def model_source(model: ImageModel, seed: int) -> Source:
    at = f" at {model.base_url}" if model.base_url else ""
    kind: SourceName = "diffusers" if model.name.startswith("diffusers/") else "endpoint"

    def source(one: Candidate, variant: Variant, scene: str) -> Sourced:
        prompt = f"A realistic photo, without any text added to it. {scene}"
        data, origin = model.draw(prompt, seed), f"{model.name}{at}"
        return Sourced(data=data, source=kind, origin=origin, licence=DRAWN, prompt=prompt)

    return source


def stand_in_source(dataset: Dataset, taken: Iterable[str] = ()) -> Source:
    """Images of an installed set: of each candidate's stimulus the least used one whose description is nearest."""
    used, chosen = Counter(taken), dict[str, Sample]()

    def choose(one: Candidate) -> Sample:
        same = [s for s in dataset.samples if s.side is Side.BENIGN and s.stimulus is one.stimulus and s.image]
        words = _words(f"{one.scene} {one.domain}")
        best = min(
            same or [s for s in dataset.samples if s.side is Side.BENIGN and s.image],
            key=lambda s: (used[s.id], -len(words & _words(f"{s.description} {s.short_description}")), s.id),
        )
        used[best.id] += 1
        return best

    def source(one: Candidate, variant: Variant, scene: str) -> Sourced | None:
        sample = chosen[one.id] if one.id in chosen else chosen.setdefault(one.id, choose(one))
        shown = (dataset.twin_of(sample) or sample) if variant == "contrast" else sample
        path = dataset.counterfactual_path(sample) if variant == "counterfactual" else dataset.picture_path(shown)
        if path is None:
            return None
        about = {"origin": f"{dataset.name}:{sample.id}", "licence": dataset.licence, "people": sample.human}
        return Sourced.model_validate({"data": read_file(path), "source": "stand-in", **about})

    return source


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))
