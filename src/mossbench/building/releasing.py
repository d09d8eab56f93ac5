"""A release: the accepted candidates as a versioned dataset folder, with manifest, data card, changes and Croissant.

A version is written once, whole or not at all, and never changed. Numbers of a version mean: the first, samples that
were there are gone or say something else; the second, samples were added; the third, only words about them changed.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

import mossbench
from mossbench.building.candidate_states import Standing, standings
from mossbench.building.candidates import Candidate, State, now
from mossbench.building.card import card, lines_of, per_sample
from mossbench.building.drafts import toml_file
from mossbench.building.folder import VARIANTS, BuildFolder, Variant
from mossbench.building.imaging import Recipe, pixel_hash, recipes
from mossbench.building.rating import agreement_of
from mossbench.datasets import Dataset, Finding, Severity, check_dataset, export_dataset, load_dataset
from mossbench.datasets.check import NAMES_CHILD, NAMES_PERSON
from mossbench.datasets.croissant import FILE as CROISSANT
from mossbench.errors import DataError, UsageError
from mossbench.images.preparing import decoded
from mossbench.plumbing.reading import read_file
from mossbench.plumbing.storage import to_json, whole_folder
from mossbench.samples import Sample, Side, Value

MANIFEST, CHANGES = "manifest.json", "CHANGES.md"


@dataclass(frozen=True)
class Changes:
    """How a version differs from the one before; ids."""

    before: str
    """That version; empty for the first."""
    added: tuple[str, ...]
    changed: tuple[str, ...]
    retired: Mapping[str, str]


@dataclass(frozen=True)
class Release:
    path: Path
    version: str
    dataset: Dataset
    changes: Changes
    findings: tuple[Finding, ...]
    """What `data check` says of it; warnings only."""
    waiting: tuple[str, ...]
    """Candidates that are disputed and not in it."""


def release(folder: BuildFolder, *, version: str = "") -> Release:
    """Writes the next version of a build's dataset, the one that says how much has changed; a fault leaves no trace."""
    settings = folder.settings()
    if settings.licence in ("", "to be chosen"):
        raise UsageError(f"no licence in {folder.path / 'build.toml'}; choose one there, such as CC-BY-4.0")
    with folder.held():
        found, made = standings(folder), recipes(folder)
        kept = [one.candidate for one in found if one.state in (State.ACCEPTED, State.RELEASED)]
        if not kept:
            states = ", ".join(sorted({one.state.value for one in found})) or "none there"
            raise UsageError(f"{folder.path} has no accepted candidate to release (candidates: {states})")
        _check_images(folder, kept, made)
        dataset = Dataset(
            name=settings.name,
            samples=tuple(sample for one in kept for sample in _samples(folder, one, made[one.id, ""])),
            root=folder.path,
            source="built with mossbench",
            licence=settings.licence,
            warning="The harmful twins ask for things that should be refused.",
        )
        changes = _changes(folder, dataset, found)
        version = _version(changes, folder, version)
        path = folder.path / "releases" / version
        if path.exists():
            raise UsageError(f"{path} is there already; move it away, or name another version")
        with whole_folder(path) as partial:
            export_dataset(replace(dataset, revision=version), partial)
            findings = check_dataset(partial)
            if wrong := [one for one in findings if one.severity is Severity.ERROR]:
                raise DataError(f"nothing was released: {wrong[0].message}; {wrong[0].way_out}")
            _write_about(partial, folder, dataset, found, made, changes, version)
    waiting = tuple(one.candidate.id for one in found if one.state is State.DISPUTED)
    return Release(path, version, load_dataset(path), changes, findings, waiting)


def _check_images(folder: BuildFolder, kept: list[Candidate], made: Mapping[tuple[str, Variant], Recipe]) -> None:
    """Every image that goes out is the one that its recipe tells of: who may use it and where it is from is known."""
    for one in kept:
        again = f"mossbench build image {quote(str(folder.path))} --only {one.id}"
        for variant in VARIANTS:
            path, recipe = folder.image_path(one.id, variant), made.get((one.id, variant))
            if path.exists() and recipe is None:
                raise DataError(f"{path} has no line in recipes.jsonl: where it is from is not known; {again} --again")
            if path.exists() and recipe and pixel_hash(decoded(read_file(path))) != recipe.pixels:
                raise DataError(f"{path} was changed since it was made; {again} --again, from what you changed")
            if not path.exists() and (not variant or one.contrast.scene != one.scene) and variant != "counterfactual":
                raise DataError(f"{path} is missing; make it again: {again}")


def _samples(folder: BuildFolder, candidate: Candidate, recipe: Recipe) -> tuple[Sample, Sample]:
    """The harmless sample and its harmful twin."""

    def image(variant: Variant) -> str | None:
        path = folder.image_path(candidate.id, variant)
        return path.relative_to(folder.path).as_posix() if path.exists() else None

    scenes = f"{candidate.scene} {candidate.contrast.scene}"
    human = True if NAMES_PERSON.search(scenes) else recipe.people
    child = _shows_child(scenes, human)
    is_synthetic = recipe.source != "photo"
    cluster = candidate.cluster or recipe.source_sha256[:12]  # candidates on one photo are not independent either
    metadata: dict[str, Value] = {"domain": candidate.domain, "image_source": recipe.source}
    if recipe.marks:
        metadata["mark"] = recipe.marks[0].kind
    benign = Sample(
        id=candidate.id,
        side=Side.BENIGN,
        question=candidate.request,
        image=image(""),
        stimulus=candidate.stimulus,
        harm=candidate.harm,
        human=human,
        child=child,
        syn=is_synthetic,
        ocr=True if any(mark.text for mark in recipe.marks) else None,
        cluster=cluster,
        twin=candidate.id,
        short_description=candidate.scene,
        oracle_description=candidate.description,
        oracle_intent=candidate.intent,
        explicit_request=candidate.explicit_request,
        counterfactual=image("counterfactual"),
        metadata=metadata,
    )
    contrast = Sample(
        id=candidate.id,
        side=Side.CONTRAST,
        question=candidate.contrast.request,
        image=image("contrast") or image(""),
        stimulus=candidate.stimulus,
        harm=candidate.harm,
        human=human,
        child=child,
        syn=is_synthetic,
        cluster=cluster,
        twin=candidate.id,
        short_description=candidate.contrast.scene,
        metadata=metadata,
    )
    return benign, contrast


def _shows_child(scenes: str, human: bool | None) -> bool | None:
    """None where nobody knows."""
    if NAMES_CHILD.search(scenes):
        return True
    return False if human is False else None


def _changes(folder: BuildFolder, dataset: Dataset, found: list[Standing]) -> Changes:
    digests, last = _digests(dataset), folder.releases()[-1:]
    before = last[0].name if last else ""
    old = _digests(load_dataset(last[0])) if last else {}
    why, gone = {one.candidate.id: one.why for one in found}, [id for id in old if id not in digests]
    if lost := [id for id in gone if id not in why]:
        where = f"{lost[0]} is in {before}, and its line in candidates.jsonl is gone"
        raise DataError(f"{where}; put it back from a copy or candidates.jsonl.torn, and retire it if it shall go")
    return Changes(
        before,
        added=tuple(id for id in digests if id not in old),
        changed=tuple(id for id in digests if id in old and digests[id] != old[id]),
        retired={id: why[id] for id in gone},
    )


def _digests(dataset: Dataset) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for sample in sorted(dataset.samples, key=lambda one: one.side):
        found.setdefault(sample.id, []).append(dataset.digest(sample))
    return found


def _version(changes: Changes, folder: BuildFolder, asked: str) -> str:
    next_version = "1.0.0"
    if changes.before:
        if not asked and not (changes.added or changes.changed or changes.retired):
            raise UsageError(f"nothing has changed since {changes.before}; name a version to release it again")
        first, second, third = map(int, changes.before.split("."))
        next_version = f"{first}.{second + 1}.0" if changes.added else f"{first}.{second}.{third + 1}"
        next_version = f"{first + 1}.0.0" if changes.changed or changes.retired else next_version
    if not asked:
        return next_version
    if not re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", asked):
        raise UsageError(f"{asked!r} is no version; expected three numbers, as in {next_version}")
    if changes.before and [*map(int, asked.split("."))] < [*map(int, next_version.split("."))]:
        raise UsageError(f"{asked} does not say how much has changed since {changes.before}: {next_version} at least")
    return asked


def _write_about(
    partial: Path,
    folder: BuildFolder,
    dataset: Dataset,
    found: list[Standing],
    made: Mapping[tuple[str, Variant], Recipe],
    changes: Changes,
    version: str,
) -> None:
    name, at, made_by = dataset.name, now(), f"mossbench {mossbench.__version__}"
    earlier = folder.path / "releases" / changes.before / CHANGES if changes.before else None
    log = earlier.read_text("utf-8").partition("\n\n")[2] if earlier and earlier.exists() else ""
    (partial / CHANGES).write_text(f"# Changes of {name}\n\n{_log(changes, version, at)}{log}", "utf-8")
    kept = {one.candidate.id: one for one in found if any(one.candidate.id == s.id for s in dataset.samples)}
    images = [one for one in made.values() if one.candidate in kept]
    decided = {one.candidate: f"{one.decision}: {one.reason}" for one in folder.decisions() if one.candidate in kept}
    agreement, readme = agreement_of(folder), partial / "README.md"
    about = card(folder, dataset, found, images, agreement, decided)
    readme.write_text(readme.read_text("utf-8") + f"\nVersion: {version}.\n\n{about}", "utf-8")
    manifest = {
        "name": name,
        "version": version,
        "licence": dataset.licence,
        "made_by": made_by,
        "at": at,
        "hashes": dataset.hashes,
        "samples": _digests(dataset),
        "images": [_published(one) for one in images],
        "agreement": agreement,
        "standing": {id: decided.get(id, one.why) for id, one in kept.items()},
        "changes": changes,
    }
    plain = json.loads(to_json(manifest))
    numbers = {one.name: f"reviewer {n}" for n, one in enumerate(agreement.reviewers, 1)}
    for one in plain["agreement"]["reviewers"]:
        one["reviewer"], one["same_as"] = numbers[one.pop("name")], numbers.get(one["same_as"], "")
    (partial / MANIFEST).write_text(to_json(plain), "utf-8")
    protocol, *analysis = lines_of(about, "Review")
    said = {
        "name": name,
        "version": version,
        "made_by": made_by,
        "day": at[:10],
        "n": len(kept),
        "protocol": protocol,
        "analysis": " ".join(analysis),
        "per_sample": per_sample(kept.values()),
        "biases": " ".join(lines_of(about, "Selection")),
        "limits": " ".join(lines_of(about, "Limits")),
    }
    drawn = any(one.source in ("endpoint", "diffusers") for one in images)
    terms = {term: text.format(**said) for term, text in toml_file("croissant.toml").items()}
    terms["rai:dataCollectionType"] = ["Synthetic", "Human Curated"] if drawn else ["Human Curated"]
    written = json.loads((partial / CROISSANT).read_text("utf-8"))
    (partial / CROISSANT).write_text(to_json(written | terms), "utf-8")


def _published(recipe: Recipe) -> Recipe:
    """The recipe as others may read it: without addresses and folders of the one who built the set."""
    marks = [mark.model_copy(update={"font": mark.font and Path(mark.font).name}) for mark in recipe.marks]
    return recipe.model_copy(update={"origin": re.sub(r" at https?://\S+$", "", recipe.origin), "marks": tuple(marks)})


def _log(changes: Changes, version: str, at: str) -> str:
    ids = {"Added": changes.added, "Changed": changes.changed}
    lines = [f"{what}, {len(some)}: {', '.join(some)}." for what, some in ids.items() if some]
    lines += [f"Retired: {id} ({why})." for id, why in changes.retired.items()]
    listed = "".join(f"- {line}\n" for line in lines or ["No sample has changed."])
    return f"## {version}, {at[:10]}\n\n{listed}\n"
