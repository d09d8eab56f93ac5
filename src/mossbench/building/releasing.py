"""A release: the accepted candidates as a versioned dataset folder, with manifest, data card, changes and Croissant.

A version is written once, whole or not at all, and never changed. Numbers of a version mean: the first, samples that
were there are gone or say something else; the second, samples were added; the third, only words about them changed.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

import mossbench
from mossbench.building.candidate_states import Standing, standings
from mossbench.building.candidates import Candidate, State, now
from mossbench.building.card import DataCard, card, per_sample
from mossbench.building.drafts import toml_file
from mossbench.building.folder import VARIANTS, AnyBuild, BuildFolder, BuildSettings, Variant, open_build
from mossbench.building.imaging import Recipe, pixel_hash, recipes
from mossbench.building.rating import Agreement, agreement_of
from mossbench.datasets import Dataset, Finding, Severity, check_dataset, export_dataset, load_dataset
from mossbench.datasets.check import NAMES_CHILD, NAMES_PERSON
from mossbench.datasets.croissant import FILE as CROISSANT
from mossbench.errors import DataError, UsageError
from mossbench.images.preparing import decoded
from mossbench.plumbing.storage import to_json, whole_folder
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Sample, Side, Value

MANIFEST = "manifest.json"
CHANGES = "CHANGES.md"
Recipes = Mapping[tuple[str, Variant], Recipe]
"""(candidate, variant) -> how that image was made."""


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


def release(folder: AnyBuild, *, version: str = "") -> Release:
    """Writes the next version of a build's dataset, the one that says how much has changed; a fault leaves no trace."""
    folder = open_build(folder)
    settings = folder.settings()
    if settings.licence in ("", "to be chosen"):
        raise UsageError(f"no licence in {folder.path / 'build.toml'}; choose one there, such as CC-BY-4.0")
    with folder.held():
        all_standings = standings(folder)
        all_recipes = recipes(folder)
        candidates = _candidates_to_release(folder, all_standings)
        dataset = _dataset(folder, settings, candidates, all_recipes)
        changes = _changes(folder, dataset, all_standings)
        version = _version(changes, version)
        path = folder.path / "releases" / version
        if path.exists():
            raise UsageError(f"{path} already exists; move it away, or name another version")
        with whole_folder(path) as partial:
            export_dataset(replace(dataset, revision=version), partial)
            findings = _check_no_error(partial)
            material = _collect(folder, dataset, all_standings, all_recipes, changes, version)
            _write_changes(partial, material, folder)
            _write_card(partial, material)
            _write_manifest(partial, material)
            _complete_croissant(partial, material)
    waiting = tuple(standing.candidate.id for standing in all_standings if standing.state is State.DISPUTED)
    return Release(path, version, load_dataset(path), changes, findings, waiting)


def _candidates_to_release(folder: BuildFolder, all_standings: Sequence[Standing]) -> list[Candidate]:
    """Those that were accepted, now or for an earlier release; a UsageError where there are none."""
    to_release = (State.ACCEPTED, State.RELEASED)
    candidates = [standing.candidate for standing in all_standings if standing.state in to_release]
    if not candidates:
        states = ", ".join(sorted({standing.state.value for standing in all_standings})) or "none there"
        raise UsageError(f"{folder.path} has no accepted candidate to release (candidates: {states})")
    return candidates


def _dataset(
    folder: BuildFolder, settings: BuildSettings, candidates: Sequence[Candidate], all_recipes: Recipes
) -> Dataset:
    """The candidates and their twins as a dataset; a DataError where an image is not the one on record."""
    for candidate in candidates:
        _check_images(folder, candidate, all_recipes)
    samples: list[Sample] = []
    for candidate in candidates:
        samples += _samples(folder, candidate, all_recipes[candidate.id, ""])
    return Dataset(
        name=settings.name,
        samples=tuple(samples),
        root=folder.path,
        source="built with mossbench",
        licence=settings.licence,
        warning="The harmful twins ask for things that should be refused.",
    )


def _check_no_error(exported: Path) -> tuple[Finding, ...]:
    """What `data check` says of the exported dataset; a DataError where it is an error."""
    findings = check_dataset(exported)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise DataError(f"nothing was released: {errors[0].message}; {errors[0].way_out}")
    return findings


def _check_images(folder: BuildFolder, candidate: Candidate, all_recipes: Recipes) -> None:
    """A DataError unless every image is the one in its recipe, so that its licence and its source are known."""
    make_again = f"mossbench build image {quote(str(folder.path))} --only {candidate.id}"
    has_own_twin = candidate.contrast.scene != candidate.scene
    for variant in VARIANTS:
        path = folder.image_path(candidate.id, variant)
        recipe = all_recipes.get((candidate.id, variant))
        is_needed = variant == "" or (variant == "contrast" and has_own_twin)
        if path.exists():
            if recipe is None:
                raise DataError(f"{path} has no line in recipes.jsonl, so its source is unknown; {make_again} --again")
            if pixel_hash(decoded(read_file(path))) != recipe.pixels:
                raise DataError(f"{path} was changed since it was made; {make_again} --again, from what you changed")
        elif is_needed:
            raise DataError(f"{path} is missing; make it again: {make_again}")


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


def _changes(folder: BuildFolder, dataset: Dataset, all_standings: list[Standing]) -> Changes:
    """How the dataset differs from the last release."""
    new_digests = _digests(dataset)
    earlier = folder.releases()
    if not earlier:
        return Changes("", added=tuple(new_digests), changed=(), retired={})
    last = earlier[-1]
    before = last.name
    old_digests = _digests(load_dataset(last))
    common = [id for id in new_digests if id in old_digests]
    return Changes(
        before,
        added=tuple(id for id in new_digests if id not in old_digests),
        changed=tuple(id for id in common if new_digests[id] != old_digests[id]),
        retired=_retired([id for id in old_digests if id not in new_digests], before, all_standings),
    )


def _retired(ids: Sequence[str], before: str, all_standings: Sequence[Standing]) -> dict[str, str]:
    """Why each of these is no longer released; a DataError where one has no line any more."""
    why = {standing.candidate.id: standing.why for standing in all_standings}
    for id in ids:
        if id not in why:
            where = f"{id} is in {before}, and its line in candidates.jsonl is gone"
            raise DataError(
                f"{where}; restore it from a copy or from candidates.jsonl.torn, then retire it to drop the sample"
            )
    return {id: why[id] for id in ids}


def _digests(dataset: Dataset) -> dict[str, list[str]]:
    """Id -> digests of the harmless sample and of its twin."""
    digests: dict[str, list[str]] = {}
    for sample in sorted(dataset.samples, key=lambda sample: sample.side):
        digests.setdefault(sample.id, []).append(dataset.digest(sample))
    return digests


def _version(changes: Changes, requested: str) -> str:
    """The version that was requested, if it says enough; the next one where none was."""
    if changes.before and not requested and not (changes.added or changes.changed or changes.retired):
        raise UsageError(f"nothing has changed since {changes.before}; name a version to release it again")
    next_version = _next_version(changes)
    if not requested:
        return next_version
    if not re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", requested):
        raise UsageError(f"{requested!r} is not a version; expected three numbers, as in {next_version}")
    if changes.before and _numbers(requested) < _numbers(next_version):
        raise UsageError(
            f"{requested} is too low for what has changed since {changes.before}; use {next_version} or higher"
        )
    return requested


def _next_version(changes: Changes) -> str:
    """The least version that says how much has changed."""
    if not changes.before:
        return "1.0.0"
    first, second, third = _numbers(changes.before)
    if changes.changed or changes.retired:
        return f"{first + 1}.0.0"
    if changes.added:
        return f"{first}.{second + 1}.0"
    return f"{first}.{second}.{third + 1}"


def _numbers(version: str) -> tuple[int, int, int]:
    first, second, third = map(int, version.split("."))
    return first, second, third


@dataclass(frozen=True)
class _Material:
    """What the files about a release are written from."""

    dataset: Dataset
    version: str
    changes: Changes
    at: str
    made_by: str
    standings: dict[str, Standing]
    """Candidate -> its standing, of those in the release."""
    images: list[Recipe]
    decided: dict[str, str]
    """Candidate -> what somebody decided about it, and why."""
    agreement: Agreement
    card: DataCard


def _collect(
    folder: BuildFolder,
    dataset: Dataset,
    all_standings: list[Standing],
    all_recipes: Recipes,
    changes: Changes,
    version: str,
) -> _Material:
    ids = {sample.id for sample in dataset.samples}
    images = [recipe for recipe in all_recipes.values() if recipe.candidate in ids]
    decided = {}
    for decision in folder.decisions():
        if decision.candidate in ids:
            decided[decision.candidate] = f"{decision.decision}: {decision.reason}"
    agreement = agreement_of(folder)
    return _Material(
        dataset=dataset,
        version=version,
        changes=changes,
        at=now(),
        made_by=f"mossbench {mossbench.__version__}",
        standings={standing.candidate.id: standing for standing in all_standings if standing.candidate.id in ids},
        images=images,
        decided=decided,
        agreement=agreement,
        card=card(folder, dataset, all_standings, images, agreement, decided),
    )


def _write_changes(partial: Path, material: _Material, folder: BuildFolder) -> None:
    """CHANGES.md: what is new, above the sections of all earlier versions."""
    earlier_sections = ""
    if material.changes.before:
        earlier = folder.path / "releases" / material.changes.before / CHANGES
        if earlier.exists():
            _, _, earlier_sections = earlier.read_text("utf-8").partition("\n\n")
    section = _changes_section(material.changes, material.version, material.at)
    text = f"# Changes of {material.dataset.name}\n\n{section}{earlier_sections}"
    (partial / CHANGES).write_text(text, "utf-8")


def _write_card(partial: Path, material: _Material) -> None:
    readme = partial / "README.md"
    head = readme.read_text("utf-8")
    readme.write_text(f"{head}\nVersion: {material.version}.\n\n{material.card.text}", "utf-8")


def _write_manifest(partial: Path, material: _Material) -> None:
    """manifest.json; reviewers have numbers there, and no names."""
    dataset = material.dataset
    manifest = {
        "name": dataset.name,
        "version": material.version,
        "licence": dataset.licence,
        "made_by": material.made_by,
        "at": material.at,
        "hashes": dataset.hashes,
        "samples": _digests(dataset),
        "images": [_published(recipe) for recipe in material.images],
        "agreement": material.agreement,
        "standing": {id: material.decided.get(id, standing.why) for id, standing in material.standings.items()},
        "changes": material.changes,
    }
    content = json.loads(to_json(manifest))
    numbers = {reviewer.name: f"reviewer {n}" for n, reviewer in enumerate(material.agreement.reviewers, 1)}
    for reviewer in content["agreement"]["reviewers"]:
        reviewer["reviewer"] = numbers[reviewer.pop("name")]
        reviewer["same_as"] = numbers.get(reviewer["same_as"], "")
    (partial / MANIFEST).write_text(to_json(content), "utf-8")


def _complete_croissant(partial: Path, material: _Material) -> None:
    """What the exported croissant.json cannot know: how the data were collected, rated and selected."""
    data_card = material.card
    facts = {
        "name": material.dataset.name,
        "version": material.version,
        "made_by": material.made_by,
        "day": material.at[:10],
        "n": len(material.standings),
        "protocol": data_card.rating_protocol,
        "analysis": " ".join(data_card.rating_quality),
        "per_sample": per_sample(material.standings.values()),
        "biases": " ".join(data_card.selection),
        "limits": " ".join(data_card.limits),
    }
    terms = {term: text.format(**facts) for term, text in toml_file("croissant.toml").items()}
    has_drawn_images = any(recipe.source in ("endpoint", "diffusers") for recipe in material.images)
    terms["rai:dataCollectionType"] = ["Synthetic", "Human Curated"] if has_drawn_images else ["Human Curated"]
    exported = json.loads((partial / CROISSANT).read_text("utf-8"))
    (partial / CROISSANT).write_text(to_json(exported | terms), "utf-8")


def _published(recipe: Recipe) -> Recipe:
    """The recipe as others may read it: without addresses and folders of the one who built the set."""
    marks = [mark.model_copy(update={"font": mark.font and Path(mark.font).name}) for mark in recipe.marks]
    return recipe.model_copy(update={"origin": re.sub(r" at https?://\S+$", "", recipe.origin), "marks": tuple(marks)})


def _changes_section(changes: Changes, version: str, at: str) -> str:
    lines = []
    if changes.added:
        lines.append(f"Added, {len(changes.added)}: {', '.join(changes.added)}.")
    if changes.changed:
        lines.append(f"Changed, {len(changes.changed)}: {', '.join(changes.changed)}.")
    lines += [f"Retired: {id} ({why})." for id, why in changes.retired.items()]
    listed = "".join(f"- {line}\n" for line in lines or ["No sample has changed."])
    return f"## {version}, {at[:10]}\n\n{listed}\n"
