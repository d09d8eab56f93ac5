"""A release: the accepted candidates as a versioned dataset folder, with manifest, data card, changes and Croissant.

A version is written completely or not at all, and never changed afterwards. Its three numbers:

    major    samples of the release before were removed or changed
    minor    samples were added
    patch    the samples are the same; only texts about them changed
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import NamedTuple

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
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import replacing_folder
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Sample, Side, Value

MANIFEST = "manifest.json"
CHANGES = "CHANGES.md"
Recipes = Mapping[tuple[str, Variant], Recipe]
"""(candidate, variant) -> how that image was made."""
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


@dataclass(frozen=True)
class Changes:
    """How a version differs from the release before it."""

    before: str
    """The version of the release before. Empty for the first release."""
    added: tuple[str, ...]
    """Ids of samples that the release before did not have."""
    changed: tuple[str, ...]
    """Ids of samples whose content differs."""
    retired: Mapping[str, str]
    """Id of a removed sample -> why it was removed."""


@dataclass(frozen=True)
class Release:
    """A version that was written."""

    path: Path
    """Its folder."""
    version: str
    dataset: Dataset
    changes: Changes
    findings: tuple[Finding, ...]
    """The warnings of `data check`; a release has no errors."""
    waiting: tuple[str, ...]
    """Ids of disputed candidates, which are not in the release."""


def release(folder: AnyBuild, *, version: str = "") -> Release:
    """Writes the next version of a build's dataset. If it fails, nothing is written.

    `version` may be omitted: then it is the lowest version that is allowed for the changes.
    """
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
        with replacing_folder(path) as partial:
            export_dataset(replace(dataset, revision=version), partial)
            findings = _check_no_error(partial)
            facts = _collect_facts(folder, dataset, all_standings, all_recipes, changes, version)
            _write_changes(partial, facts, folder)
            _write_card(partial, facts)
            _write_manifest(partial, facts)
            _complete_croissant(partial, facts)
    disputed = tuple(standing.candidate.id for standing in all_standings if standing.state is State.DISPUTED)
    return Release(path, version, load_dataset(path), changes, findings, waiting=disputed)


def _candidates_to_release(folder: BuildFolder, all_standings: Sequence[Standing]) -> list[Candidate]:
    """The candidates accepted now or for an earlier release; a UsageError if there are none."""
    to_release = (State.ACCEPTED, State.RELEASED)
    candidates = [standing.candidate for standing in all_standings if standing.state in to_release]
    if not candidates:
        states = ", ".join(sorted({standing.state.value for standing in all_standings})) or "none there"
        raise UsageError(f"{folder.path} has no accepted candidate to release (candidates: {states})")
    return candidates


def _dataset(
    folder: BuildFolder, settings: BuildSettings, candidates: Sequence[Candidate], all_recipes: Recipes
) -> Dataset:
    """The candidates and their twins as a dataset; a DataError if an image differs from its recipe."""
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
    """The warnings of `data check` on the exported dataset; a DataError if it finds an error."""
    findings = check_dataset(exported)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise DataError(f"nothing was released: {errors[0].message}; {errors[0].way_out}")
    return findings


def _check_images(folder: BuildFolder, candidate: Candidate, all_recipes: Recipes) -> None:
    """A DataError unless all images are the ones in their recipes, which record licence and source."""
    image_command = f"mossbench build image {quote(str(folder.path))} --only {candidate.id}"
    twin_has_own_image = candidate.contrast.scene != candidate.scene
    for variant in VARIANTS:
        path = folder.image_path(candidate.id, variant)
        recipe = all_recipes.get((candidate.id, variant))
        is_needed = variant == "" or (variant == "contrast" and twin_has_own_image)
        if not path.exists():
            if is_needed:
                raise DataError(f"{path} is missing; make it again: {image_command}")
            continue
        if recipe is None:
            raise DataError(
                f"{path} has no line in recipes.jsonl, so its source is unknown; make it again: {image_command} --again"
            )
        if pixel_hash(decoded(read_file(path))) != recipe.pixels:
            raise DataError(
                f"{path} was changed since it was made and no longer matches its recipe; undo the change, or make "
                f"it again from the changed file: {image_command} --again"
            )


class _SharedFacts(NamedTuple):
    """What is the same of a harmless sample and its harmful twin."""

    human: bool | None
    child: bool | None
    is_synthetic: bool
    cluster: str
    metadata: dict[str, Value]


def _samples(folder: BuildFolder, candidate: Candidate, recipe: Recipe) -> tuple[Sample, Sample]:
    """The harmless sample and its harmful twin."""
    facts = _shared_facts(candidate, recipe)
    own_image = _image_in_folder(folder, candidate, "")
    harmless = Sample(
        id=candidate.id,
        side=Side.BENIGN,
        question=candidate.request,
        image=own_image,
        stimulus=candidate.stimulus,
        harm=candidate.harm,
        human=facts.human,
        child=facts.child,
        syn=facts.is_synthetic,
        ocr=True if any(mark.text for mark in recipe.marks) else None,
        cluster=facts.cluster,
        twin=candidate.id,
        short_description=candidate.scene,
        oracle_description=candidate.description,
        oracle_intent=candidate.intent,
        explicit_request=candidate.explicit_request,
        counterfactual=_image_in_folder(folder, candidate, "counterfactual"),
        metadata=facts.metadata,
    )
    harmful = Sample(
        id=candidate.id,
        side=Side.CONTRAST,
        question=candidate.contrast.request,
        image=_image_in_folder(folder, candidate, "contrast") or own_image,
        stimulus=candidate.stimulus,
        harm=candidate.harm,
        human=facts.human,
        child=facts.child,
        syn=facts.is_synthetic,
        cluster=facts.cluster,
        twin=candidate.id,
        short_description=candidate.contrast.scene,
        metadata=facts.metadata,
    )
    return harmless, harmful


def _shared_facts(candidate: Candidate, recipe: Recipe) -> _SharedFacts:
    scenes = f"{candidate.scene} {candidate.contrast.scene}"
    human = True if NAMES_PERSON.search(scenes) else recipe.people
    metadata: dict[str, Value] = {"domain": candidate.domain, "image_source": recipe.source}
    if recipe.marks:
        metadata["mark"] = recipe.marks[0].kind
    return _SharedFacts(
        human=human,
        child=_shows_child(scenes, human),
        is_synthetic=recipe.source != "photo",
        cluster=candidate.cluster or recipe.source_sha256[:12],  # candidates on one photo are not independent
        metadata=metadata,
    )


def _image_in_folder(folder: BuildFolder, candidate: Candidate, variant: Variant) -> str | None:
    """The image relative to the folder of the build; None if there is none."""
    path = folder.image_path(candidate.id, variant)
    return path.relative_to(folder.path).as_posix() if path.exists() else None


def _shows_child(scenes: str, human: bool | None) -> bool | None:
    """Whether the scenes show a child; None if that is unknown. `human`: whether they show a person."""
    if NAMES_CHILD.search(scenes):
        return True
    return False if human is False else None  # without a person there is no child


def _changes(folder: BuildFolder, dataset: Dataset, all_standings: list[Standing]) -> Changes:
    """How the dataset differs from the newest release."""
    new_digests = _digests(dataset)
    earlier = folder.releases()
    if not earlier:
        return Changes("", added=tuple(new_digests), changed=(), retired={})
    newest_folder = earlier[-1]
    old_version = newest_folder.name
    old_digests = _digests(load_dataset(newest_folder))
    common_ids = [sample_id for sample_id in new_digests if sample_id in old_digests]
    removed_ids = [sample_id for sample_id in old_digests if sample_id not in new_digests]
    return Changes(
        old_version,
        added=tuple(sample_id for sample_id in new_digests if sample_id not in old_digests),
        changed=tuple(sample_id for sample_id in common_ids if new_digests[sample_id] != old_digests[sample_id]),
        retired=_reasons_for_removal(removed_ids, old_version, all_standings),
    )


def _reasons_for_removal(
    removed_ids: Sequence[str], old_version: str, all_standings: Sequence[Standing]
) -> dict[str, str]:
    """Id of a removed sample -> why it is no longer released; a DataError if candidates.jsonl has no line for it."""
    reasons = {standing.candidate.id: standing.why for standing in all_standings}
    for removed_id in removed_ids:
        if removed_id not in reasons:
            raise DataError(
                f"release {old_version} has {removed_id}, but candidates.jsonl no longer has a line for it; "
                "restore the line from a backup or from candidates.jsonl.torn; to drop the sample, then retire it"
            )
    return {removed_id: reasons[removed_id] for removed_id in removed_ids}


def _digests(dataset: Dataset) -> dict[str, list[str]]:
    """Id -> digests of the harmless sample and of its twin."""
    digests: dict[str, list[str]] = {}
    for sample in sorted(dataset.samples, key=lambda sample: sample.side):
        digests.setdefault(sample.id, []).append(dataset.digest(sample))
    return digests


def _version(changes: Changes, requested: str) -> str:
    """The requested version, or the next one if none was requested; a UsageError if it is too low for the changes."""
    if changes.before and not requested and not (changes.added or changes.changed or changes.retired):
        raise UsageError(f"nothing has changed since {changes.before}; name a version to release it again")
    lowest_allowed = _lowest_version(changes)
    if not requested:
        return lowest_allowed
    if not _VERSION.fullmatch(requested):
        raise UsageError(f"{requested!r} is not a version; expected three numbers, as in {lowest_allowed}")
    if changes.before and _numbers(requested) < _numbers(lowest_allowed):
        raise UsageError(
            f"{requested} is too low for what has changed since {changes.before}; use {lowest_allowed} or higher"
        )
    return requested


def _lowest_version(changes: Changes) -> str:
    """The lowest version that is allowed for the changes."""
    if not changes.before:
        return "1.0.0"
    major, minor, patch = _numbers(changes.before)
    if changes.changed or changes.retired:
        return f"{major + 1}.0.0"
    if changes.added:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def _numbers(version: str) -> tuple[int, int, int]:
    major, minor, patch = map(int, version.split("."))
    return major, minor, patch


@dataclass(frozen=True)
class _ReleaseFacts:
    """The facts that the files about a release are written from."""

    dataset: Dataset
    version: str
    changes: Changes
    at: str
    """When it is made, in ISO format."""
    made_by: str
    standings: dict[str, Standing]
    """Id of a candidate in the release -> its standing."""
    images: list[Recipe]
    """How each image in the release was made."""
    decided: dict[str, str]
    """Id of a candidate in the release -> the decision about it, and the reason."""
    agreement: Agreement
    card: DataCard


def _collect_facts(
    folder: BuildFolder,
    dataset: Dataset,
    all_standings: list[Standing],
    all_recipes: Recipes,
    changes: Changes,
    version: str,
) -> _ReleaseFacts:
    ids = {sample.id for sample in dataset.samples}
    images = [recipe for recipe in all_recipes.values() if recipe.candidate in ids]
    decided = {}
    for decision in folder.decisions():
        if decision.candidate in ids:
            decided[decision.candidate] = f"{decision.decision}: {decision.reason}"
    agreement = agreement_of(folder)
    return _ReleaseFacts(
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


def _write_changes(partial: Path, facts: _ReleaseFacts, folder: BuildFolder) -> None:
    """Writes CHANGES.md: the section of this version, then the sections of all earlier versions."""
    earlier_sections = ""
    if facts.changes.before:
        earlier = folder.path / "releases" / facts.changes.before / CHANGES
        if earlier.exists():
            _, _, earlier_sections = earlier.read_text("utf-8").partition("\n\n")
    section = _changes_section(facts.changes, facts.version, facts.at)
    text = f"# Changes of {facts.dataset.name}\n\n{section}{earlier_sections}"
    (partial / CHANGES).write_text(text, "utf-8")


def _write_card(partial: Path, facts: _ReleaseFacts) -> None:
    """Adds the version and the data card to the README that the export wrote."""
    readme = partial / "README.md"
    exported = readme.read_text("utf-8")
    readme.write_text(f"{exported}\nVersion: {facts.version}.\n\n{facts.card.text}", "utf-8")


def _write_manifest(partial: Path, facts: _ReleaseFacts) -> None:
    """Writes manifest.json, in which reviewers have numbers instead of names."""
    dataset = facts.dataset
    manifest = {
        "name": dataset.name,
        "version": facts.version,
        "licence": dataset.licence,
        "made_by": facts.made_by,
        "at": facts.at,
        "hashes": dataset.hashes,
        "samples": _digests(dataset),
        "images": [_without_addresses(recipe) for recipe in facts.images],
        "agreement": facts.agreement,
        "standing": {id: facts.decided.get(id, standing.why) for id, standing in facts.standings.items()},
        "changes": facts.changes,
    }
    content = json.loads(to_json(manifest))
    pseudonyms = {reviewer.name: f"reviewer {n}" for n, reviewer in enumerate(facts.agreement.reviewers, 1)}
    for reviewer in content["agreement"]["reviewers"]:
        reviewer["reviewer"] = pseudonyms[reviewer.pop("name")]
        reviewer["same_as"] = pseudonyms.get(reviewer["same_as"], "")
    (partial / MANIFEST).write_text(to_json(content), "utf-8")


def _complete_croissant(partial: Path, facts: _ReleaseFacts) -> None:
    """Adds to the exported croissant.json how the data were collected, rated and selected."""
    data_card = facts.card
    values = {
        "name": facts.dataset.name,
        "version": facts.version,
        "made_by": facts.made_by,
        "day": facts.at[:10],
        "n": len(facts.standings),
        "protocol": data_card.rating_protocol,
        "analysis": " ".join(data_card.rating_quality),
        "per_sample": per_sample(facts.standings.values()),
        "biases": " ".join(data_card.selection),
        "limits": " ".join(data_card.limits),
    }
    terms = {term: text.format(**values) for term, text in toml_file("croissant.toml").items()}
    has_drawn_images = any(recipe.source in ("endpoint", "diffusers") for recipe in facts.images)
    terms["rai:dataCollectionType"] = ["Synthetic", "Human Curated"] if has_drawn_images else ["Human Curated"]
    exported = json.loads((partial / CROISSANT).read_text("utf-8"))
    (partial / CROISSANT).write_text(to_json(exported | terms), "utf-8")


def _without_addresses(recipe: Recipe) -> Recipe:
    """The recipe without the addresses and folders of whoever built the set."""
    marks = [mark.model_copy(update={"font": mark.font and Path(mark.font).name}) for mark in recipe.marks]
    return recipe.model_copy(update={"origin": re.sub(r" at https?://\S+$", "", recipe.origin), "marks": tuple(marks)})


def _changes_section(changes: Changes, version: str, at: str) -> str:
    """The section of CHANGES.md about one version."""
    lines = []
    if changes.added:
        lines.append(f"Added, {len(changes.added)}: {', '.join(changes.added)}.")
    if changes.changed:
        lines.append(f"Changed, {len(changes.changed)}: {', '.join(changes.changed)}.")
    lines += [f"Retired: {sample_id} ({why})." for sample_id, why in changes.retired.items()]
    if not lines:
        lines = ["No sample has changed."]
    bullets = "".join(f"- {line}\n" for line in lines)
    return f"## {version}, {at[:10]}\n\n{bullets}\n"
