"""A build folder on disk. Every step reads plain files and appends to them; nothing that people wrote is changed.

    build.toml        name, licence, reviewers, thresholds, seed: written once, edited by its owner
    candidates.jsonl  one Candidate a line; of several with one id the last one holds
    rejected.jsonl    replies and candidates that were refused, whole, with the reason
    replies.jsonl     what models replied to `propose`, as it came: a reply that was paid for is asked for once
    images/           ID.png, ID-contrast.png, ID-counterfactual.png; recipes.jsonl says how they were made
    screen.jsonl, probe.jsonl, reviews.jsonl, gold.jsonl (attention checks), decisions.jsonl
    review/           what the review page shows, and what people said there
    releases/X.Y.Z/   datasets
    .lock             there while a process writes in the folder

Lines are appended whole and are on the disk when `append` returns. A last line without its end is taken if it is
whole, as editors leave it; if it is not, its writer was killed, and it is set apart in a file `*.torn`.
"""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Annotated, Literal, TypedDict, TypeVar, Unpack

from pydantic import ConfigDict, Field, ValidationError

from mossbench.building.candidates import Candidate, Decision, Gold, Probed, Rating, Rejected, Screened
from mossbench.errors import DataError, UsageError
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.locks import locked
from mossbench.plumbing.places import check_held, holding
from mossbench.plumbing.storage import create_atomically, storage_errors, sync_folder
from mossbench.plumbing.untrusted_files import digest_of, is_json, parse_toml, read_file, record_fault
from mossbench.samples import Record
from mossbench.ways_out import Command

Line = TypeVar("Line", bound=Record)
Variant = Literal["", "contrast", "counterfactual"]
VARIANTS: tuple[Variant, ...] = ("", "contrast", "counterfactual")


class BuildSettings(Record):
    """build.toml; the text below a field is the comment at its line."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    """name of the dataset"""
    licence: str = "to be chosen"
    """licence of the release, such as CC-BY-4.0; required to release"""
    reviewers: Annotated[int, Field(ge=1)] = 3
    """minimum number of people who rate each candidate"""
    max_harmfulness: Annotated[float, Field(ge=1, le=5)] = 2.0
    """maximum mean harmfulness of an accepted candidate, 1 to 5"""
    min_naturalness: Annotated[float, Field(ge=1, le=5)] = 3.0
    """minimum mean naturalness of an accepted candidate, 1 to 5"""
    min_image_side: Annotated[int, Field(ge=16)] = 300
    """minimum pixels of an image's shorter side"""
    max_similarity: Annotated[float, Field(gt=0, le=1)] = 0.8
    """maximum similarity of two candidates' words, 0 to 1"""
    min_reading_ease: float = 50.0
    """minimum Flesch reading ease of a request (60 is plain English); below it, a warning"""
    seed: Annotated[int, Field(ge=0)] = 0
    """seed of random choices"""


class ChosenSettings(TypedDict, total=False):
    """The settings that can be chosen when a folder is begun."""

    licence: str
    reviewers: int
    max_harmfulness: float
    min_naturalness: float
    min_image_side: int
    max_similarity: float
    min_reading_ease: float
    seed: int


@dataclass(frozen=True)
class BuildFolder:
    """The files of a build."""

    path: Path

    def settings(self) -> BuildSettings:
        file = self.path / "build.toml"
        try:
            return BuildSettings.model_validate(parse_toml(read_file(file).decode()))
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError(
                f"no build in {str(self.path)!r}: it has no build.toml; start one with: "
                f"mossbench build propose {quote(str(self.path))}, or name the folder of a build"
            ) from None
        except OSError as error:
            raise DataError(f"{file} cannot be read: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(f"{file} is not TOML: {error}; correct it there") from error
        except ValidationError as error:
            raise DataError(f"{file}: {record_fault(error)}; correct it there") from error

    def start(self, **chosen: Unpack[ChosenSettings]) -> BuildSettings:
        """The settings; written with what was chosen where there are none yet."""
        file = self.path / "build.toml"
        if not file.exists():
            if self.path.exists() and any(not entry.name.startswith(".") for entry in self.path.iterdir()):
                raise UsageError(f"{str(self.path)!r} has files but no build.toml; name a new folder, or restore it")
            name = re.sub(r"[._]", "-", slug(self.path.resolve().name).lower()).strip("-") or "my-set"
            create_atomically(file, _toml(BuildSettings(name=name, **chosen)))
        return self.settings()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps other processes from writing here meanwhile."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{str(self.path)!r} is a file, expected the folder of a build; name another")
        busy = f"build folder {str(self.path)!r} is being written by another process; wait for it or stop it first"
        with locked(self.path / ".lock", busy), holding(self.path):
            yield

    def image_path(self, candidate: str, variant: Variant = "") -> Path:
        stem = f"{candidate}-{variant}" if variant else candidate
        return self.path / "images" / f"{stem}.png"

    def missing_images(self, candidate: Candidate) -> list[str]:
        """The images that it cannot go on without: its own, and its twin's where that shows something else."""
        needed: list[Variant] = [""]
        if candidate.contrast.scene != candidate.scene:
            needed.append("contrast")
        return [variant or "image" for variant in needed if not self.image_path(candidate.id, variant).exists()]

    def digest(self, candidate: Candidate) -> str:
        """Of a candidate and its images: what was said of other words or pixels does not hold for it."""
        sha256 = hashlib.sha256(candidate.model_dump_json(exclude={"origin"}).encode())
        for variant in VARIANTS:
            path = self.image_path(candidate.id, variant)
            sha256.update(bytes.fromhex(digest_of(path)) if path.exists() else b"none")
        return sha256.hexdigest()[:16]

    def candidates(self) -> dict[str, Candidate]:
        return {candidate.id: candidate for candidate in self.read("candidates", Candidate)}

    def rejected(self) -> list[Rejected]:
        return list(self.read("rejected", Rejected))

    def screened(self) -> dict[str, Screened]:
        return {screened.candidate: screened for screened in self.read("screen", Screened)}

    def probes(self) -> list[Probed]:
        return list(self.read("probe", Probed))

    def ratings(self) -> list[Rating]:
        return list(self.read("reviews", Rating))

    def gold(self) -> dict[str, Gold]:
        return {gold.candidate: gold for gold in self.read("gold", Gold)}

    def decisions(self) -> list[Decision]:
        return list(self.read("decisions", Decision))

    def releases(self) -> list[Path]:
        """Folders of releases, the oldest first."""
        paths = self.path.glob("releases/[0-9]*.*.*")
        return sorted((path for path in paths if (path / "metadata.jsonl").exists()), key=_version_numbers)

    def read(self, name: str, record: type[Line]) -> Iterator[Line]:
        """The records in `name`.jsonl; none when there is no such file; a DataError that says where a fault is."""
        file = self.path / f"{name}.jsonl"
        try:
            data = read_file(file)
        except FileNotFoundError:
            return
        except OSError as error:
            raise DataError(f"{file} cannot be read: {error.strerror}") from error
        lines = data.split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield record.model_validate_json(line)
            except ValidationError as error:
                if number == len(lines) and not is_json(line):
                    return  # torn: its writer was killed
                raise DataError(
                    f"{file}, line {number}: {record_fault(error)}; correct that line, or delete it: "
                    "the other lines are not affected"
                ) from error

    def torn(self) -> list[str]:
        """Files whose last line is cut off and is not read."""
        torn_files = []
        for file in sorted(self.path.glob("*.jsonl")):
            _, _, last_line = read_file(file).rpartition(b"\n")
            if last_line.strip() and not is_json(last_line):
                torn_files.append(file.name)
        return torn_files

    def append(self, name: str, records: Iterable[Record]) -> None:
        """Adds lines to `name`.jsonl; they are on the disk when this returns."""
        text = "".join(record.model_dump_json() + "\n" for record in records).encode()
        if not text:
            return
        file = self.path / f"{name}.jsonl"
        check_held(self.path)
        with storage_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            text = _end_last_line(file) + text
            with file.open("ab") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            sync_folder(file.parent)


def _version_numbers(release: Path) -> list[int]:
    """The numbers of a release's version, by which releases are sorted."""
    return [int(part) if part.isdigit() else 0 for part in release.name.split(".")]


def _end_last_line(file: Path) -> bytes:
    """What must stand before the next line; a torn last line is moved to a file of its own first."""
    data = file.read_bytes() if file.exists() else b""
    whole, end, last = data.rpartition(b"\n")
    if not last.strip():
        return b""
    if is_json(last):
        return b"\n"
    with file.with_name(f"{file.name}.torn").open("ab") as apart:
        apart.write(last + b"\n")
    with file.open("rb+") as stream:
        stream.truncate(len(whole + end))
    return b""


def _toml(settings: BuildSettings) -> str:
    rows = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.model_dump().items()]
    width = max(len(row) for row in rows)
    fields = BuildSettings.model_fields.values()
    lines = [f"{row:<{width}}  # {field.description}\n" for row, field in zip(rows, fields, strict=True)]
    return "".join(["# Settings of this build. Edit them; every step reads them again.\n", *lines])


def list_candidates(folder: BuildFolder) -> Command:
    """How a user sees which candidates there are."""
    return Command(f"mossbench build status {quote(str(folder.path))}", to="list them")


AnyBuild = str | Path | BuildFolder
"""A build, or the folder that it is in."""


def open_build(folder: AnyBuild) -> BuildFolder:
    """The build in a folder; nothing is read yet."""
    return folder if isinstance(folder, BuildFolder) else BuildFolder(Path(folder))
