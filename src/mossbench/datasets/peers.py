"""Datasets of other authors ("peers") by name: a description of each (`peers_data/NAME.toml`), and one reader for all.

A description says where a set is published, at which revision its layout was read, what its licence permits, and how
its records become samples; nothing of the sets themselves is in this package. Text in braces is a column of the record
(`{prompt}`), or a part of one (`{safe_pair[img_id]}`). Records that are neither harmless nor harmful are left out and
counted in a note.

A user may write such a description too (`--data my-set.toml`). Its files can also lie in a folder beside it.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path
from string import Formatter
from typing import Any, Literal

from pydantic import Field

from mossbench.datasets.columns import own_value
from mossbench.datasets.copying import Copying
from mossbench.datasets.dataset import Dataset, stays_inside
from mossbench.datasets.hub import missing_pictures
from mossbench.errors import DataError, message_of, n_of
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.plumbing.untrusted_files import fault_text, parse_json, parse_toml
from mossbench.samples import Record, Sample, Side, Value
from mossbench.ways_out import FetchDataset

FOLDER = Path(__file__).with_name("peers_data")
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
FETCHED = "fetched.json"
UNREADABLE = "cannot be read"
"""The state of a set whose description or files are damaged; `fault` says why."""
IN_FOLDER = "folder:"
"""How the home of a set begins whose files lie in a folder here: `folder:files`, from the folder of its description."""
WARNING = "Requests in this set may be distressing; the harmful side, if there is one, asks for harm."


class Part(Record):
    """How records of one file become samples; docs/peers.md explains each key."""

    file: str
    at: str = ""
    pattern: str = ""
    nth_of: str = ""
    join: dict[str, str] = {}
    names: dict[str, dict[str, str]] = {}
    when: dict[str, str] = {}
    leave_out: dict[str, dict[str, str]] = {}
    side: str
    sides: dict[str, Side] = {}
    id: str = ""
    request: str
    explicit: str = ""
    image: str = ""
    cluster: str = ""
    pair: str = ""
    keep: tuple[str, ...] = ()


class Peer(Record):
    """A set of other authors: where it is published, on what terms, and how it is read; see also docs/peers.md."""

    name: str
    title: str
    what: str
    home: str = Field(pattern=r"^(github|hub):[\w.-]+/[\w.-]+$|^folder:.+$")
    revision: str = Field("", pattern=r"^([0-9a-f]{40})?$")
    seen: str = ""
    layout: Literal["opened", "copy", "not verified"]
    gated: bool = False
    licence: str
    permits: str
    copies: bool
    copies_of_requests: bool = Field(default=False, exclude=True)
    """Whether requests may be passed on where images may not."""
    citation: str
    modality: Literal["text", "image+text"]
    harmless: int | None = None
    harmful: int | None = None
    images: str = ""
    faults: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def copying(self) -> Copying:
        if self.copies:
            return Copying.ALL
        return Copying.REQUESTS if self.copies_of_requests else Copying.NOTHING

    @property
    def is_in_folder(self) -> bool:
        """Whether its files lie in a folder here, so that there is nothing to fetch."""
        return self.home.startswith(IN_FOLDER)

    @property
    def page(self) -> str:
        host, _, repository = self.home.partition(":")
        return f"https://{'github.com' if host == 'github' else 'huggingface.co/datasets'}/{repository}"


class Fetched(Record):
    """The record of a download; a set counts as fetched once this file is there."""

    home: str
    revision: str
    pinned: bool
    at: str
    files: dict[str, str]
    """Path -> SHA-256."""

    @cached_property
    def path_by_stem(self) -> dict[str, str]:
        """Path without its suffix -> path."""
        return {path.rpartition(".")[0]: path for path in self.files}


@dataclass(frozen=True)
class PeerSet:
    """A set with the place of its files; it may be one of ours or have a description of the user's own."""

    peer: Peer
    spec: str
    """What names it on the command line: `xstest`, or the path of its description."""
    root: Path
    """The folder of its files."""
    file: Path | None = None
    """The user's own description."""


def shipped_set(name: str) -> PeerSet:
    return PeerSet(read_peer(name), name, peer_folder(name))


def own_set(path: Path) -> PeerSet:
    """The set that a user's own description is about; its files are fetched once, wherever the description lies."""
    peer = _read_description(path)
    if peer.is_in_folder:
        folder = peer.home.removeprefix(IN_FOLDER)
        if not stays_inside(folder):  # a description from someone else could otherwise send any file to a provider
            raise DataError(f"{path}: home is {peer.home!r}, expected a folder inside the folder of this file")
        return PeerSet(peer, str(path), path.parent / folder, path)
    home = hashlib.sha256(peer.home.encode()).hexdigest()[:8]
    return PeerSet(peer, str(path), peer_folder(f"{peer.name}-{home}"), path)


@cache
def read_peer(name: str) -> Peer:
    """The description of a set; if it is damaged, a DataError that names its file and what is wrong with it."""
    return _read_description(FOLDER / f"{name}.toml")


def _read_description(path: Path) -> Peer:
    try:
        content = parse_toml(path.read_text("utf-8"))
        if "name" in content:
            raise ValueError("its name is that of the file; omit name")
        return Peer.model_validate({"name": path.stem, **content})
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or fault_text(error)
        raise DataError(f"{path} cannot be read as the description of a set: {reason}; correct the file") from error


def peer_folder(name: str) -> Path:
    return cache_folder("sets") / name


def fetched(peer_set: PeerSet) -> Fetched | None:
    """The record of a set's download; None if it is not fetched."""
    if peer_set.peer.is_in_folder:
        return _record_of_folder(peer_set)
    path = peer_set.root / FETCHED
    try:
        return Fetched.model_validate_json(read_bytes(path)) if path.is_file() else None
    except ValueError as error:
        way_out = FetchDataset(peer_set.spec, to="delete it, then fetch the set")
        raise DataError(f"{path} is damaged", way_out=way_out) from error


def _record_of_folder(peer_set: PeerSet) -> Fetched:
    """The files of a set that lies in a folder, as if they had been fetched; a DataError if one is not there."""
    peer = peer_set.peer
    paths = sorted(path.relative_to(peer_set.root).as_posix() for path in peer_set.root.rglob("*") if path.is_file())
    hashes: dict[str, str] = {}
    for pattern in peer.files:
        matching = [path for path in paths if fnmatch(path, pattern)]
        if not matching:
            raise DataError(f"{peer_set.file} names the file {pattern!r}, but {peer_set.root} has no such file")
        hashes |= {path: hashlib.sha256(read_bytes(peer_set.root / path)).hexdigest() for path in matching}
    return Fetched(home=peer.home, revision="", pinned=True, at="", files=hashes)


def load_peer(name: str) -> Dataset:
    """The set of that name as it was fetched; never uses the network."""
    return load_set(shipped_set(name))


def load_set(peer_set: PeerSet) -> Dataset:
    """The set as it was fetched, or as it lies in its folder; never uses the network."""
    peer = peer_set.peer
    record = fetched(peer_set)
    if record is None:
        message = f"{peer_set.spec!r} ({peer.title}, licence {peer.licence}) is not fetched"
        if peer_set.file is None:
            message += f"; for your own folder of that name, write './{peer_set.spec}'"
        raise DataError(message, way_out=FetchDataset(peer_set.spec, to=f"fetch it from {peer.page}"))
    dataset = read_set(peer_set, record)
    missing = missing_pictures(dataset)
    if missing:
        message = (
            f"the requests of {peer_set.spec!r} are fetched, but not its images: {n_of(len(missing), 'file')} missing, "
            f"the first is {dataset.root / missing[0]}"
        )
        if peer.images:
            raise DataError(f"{message}. {peer.images}")
        if peer.is_in_folder:
            raise DataError(f"{message}; add them, or correct {peer_set.file}")
        raise DataError(message, way_out=FetchDataset(peer_set.spec, to="fetch them again"))
    return dataset


def about_peer(name: str) -> dict[str, Any]:
    """The description of a set, and its state: fetched, images missing, not fetched, layout not verified."""
    return about_set(shipped_set(name))


def about_set(peer_set: PeerSet) -> dict[str, Any]:
    """As `about_peer`, of any set."""
    peer = peer_set.peer
    about = {"description": peer.what, **peer.model_dump(exclude={"name", "what", "files", "parts"})}
    try:
        return {**about, "state": _state(peer_set)}
    except (DataError, OSError) as error:
        return {**about, "state": UNREADABLE, "fault": message_of(error)}


def _state(peer_set: PeerSet) -> str:
    peer = peer_set.peer
    record = fetched(peer_set)
    if record is None:
        return "layout not verified" if peer.layout == "not verified" else "not fetched"
    if not peer.images:
        return "in a folder" if peer.is_in_folder else "fetched"
    missing = missing_pictures(read_set(peer_set, record))
    return "images missing" if missing else "fetched"


def read_set(peer_set: PeerSet, record: Fetched) -> Dataset:
    """The samples of a fetched set; a DataError if a file has changed or does not have the known layout."""
    peer = peer_set.peer
    left_out = Counter[str]()
    pairs = defaultdict[str, list[Sample]](list)
    samples = dict[tuple[Side, str], Sample]()
    for part in peer.parts:
        for sample, pair in _part_samples(part, peer_set, record, left_out):
            if samples.setdefault(sample.key, sample) is not sample:
                raise DataError(f"{peer.name}: {part.file} has two {sample.side} samples with the id {sample.id!r}")
            if pair is not None:
                pairs[pair].append(sample)
    for pair_samples in pairs.values():
        if sorted(sample.side for sample in pair_samples) == list(Side):
            first, second = pair_samples
            samples[first.key] = first.model_copy(update={"twin": second.id})
            samples[second.key] = second.model_copy(update={"twin": first.id})
    return Dataset(
        name=peer.name,
        samples=tuple(samples.values()),
        root=peer_set.root,
        source=peer.home,
        revision=record.revision or None,
        file=peer_set.file,
        licence=f"{peer.licence}: {peer.permits}",
        copying=peer.copying,
        warning=WARNING,
        citation=peer.citation,
        notes=tuple(_notes(peer, Counter(side for side, _ in samples), left_out, record)),
    )


def _notes(peer: Peer, counts: Counter[Side], left_out: Counter[str], record: Fetched) -> Iterator[str]:
    yield from (f"{peer.name}: {fault}" for fault in peer.faults)
    yield from (f"{peer.name}: {n_of(n, 'record')} left out: {reason}" for reason, n in left_out.items())
    for side, expected in ((Side.BENIGN, peer.harmless), (Side.CONTRAST, peer.harmful)):
        if expected is not None and counts[side] != expected:
            n_samples = f"{counts[side]:,} {side.adjective} samples"
            yield f"{peer.name}: {n_samples}; {expected:,} were counted when its layout was read"
    if not record.pinned:
        yield f"{peer.name}: not pinned to a revision; fetched at {record.revision}"


def _part_samples(
    part: Part, peer_set: PeerSet, record: Fetched, left_out: Counter[str]
) -> Iterator[tuple[Sample, str | None]]:
    """The samples of a part, each with the value that it shares with its twin."""
    peer = peer_set.peer
    place = part.file
    try:
        for place, row in _records(part, peer_set.root, record):
            if not _matches(row, part.when):
                continue
            reason = _reason_to_leave_out(part, row)
            if reason:
                left_out[reason] += 1
            else:
                yield _sample_of_row(part, peer, record, place, row), _fill(part.pair, row)
    except (LookupError, TypeError, ValueError, AttributeError, re.error) as error:
        fault = f"{type(error).__name__}: {fault_text(error)}"
        message = f"{peer.name}: {place} does not have the expected layout ({fault})"
        if peer.is_in_folder:
            raise DataError(f"{message}; correct {peer_set.file}, or the file") from error
        if not peer.revision:
            raise DataError(f"{message}, and no revision with that layout is pinned") from error
        way_out = FetchDataset(peer_set.spec, peer.revision, to="fetch the revision with that layout")
        raise DataError(message, way_out=way_out) from error


def _reason_to_leave_out(part: Part, row: dict[str, Any]) -> str:
    """Why a record is no sample; empty if it is one."""
    side = part.side.format_map(row)
    request = part.request.format_map(row)
    for reason, conditions in part.leave_out.items():
        if _matches(row, conditions):
            return reason
    if part.sides and side not in part.sides:
        return f"{part.side.strip('{}')} is {side!r}"
    return "" if request.strip() else "no request"


def _sample_of_row(part: Part, peer: Peer, record: Fetched, place: str, row: dict[str, Any]) -> Sample:
    """The sample of one record; adds the columns `request` and `image_hash`, which templates may use, to the row."""
    side = part.side.format_map(row)
    request = part.request.format_map(row)
    image = _image_path(part, peer, record, row)
    if image is not None:
        row["image_hash"] = record.files.get(image.removeprefix(f"{record.revision}/"), "")
    row["request"] = request.strip()
    metadata: dict[str, Value] = {}
    for column in part.keep:
        value = own_value(row[column])
        if value is not None:
            metadata[column] = value
    return Sample(
        id=_fill(part.id, row) or f"{place}-{hashlib.sha256(request.encode()).hexdigest()[:8]}",
        side=part.sides.get(side) or Side(side),
        question=request,
        explicit_request=_fill(part.explicit, row),
        image=image,
        cluster=_fill(part.cluster, row),
        metadata=metadata,
    )


def _image_path(part: Part, peer: Peer, record: Fetched, row: dict[str, Any]) -> str | None:
    """The path of a record's image in the set's folder; the record may name it without its suffix."""
    image = _fill(part.image, row)
    if image is None:
        return None
    if peer.images:  # the user gets them and puts them here
        return f"images/{image}"
    path = record.path_by_stem.get(image, image)
    return f"{record.revision}/{path}" if record.revision else path


def _fill(template: str, row: dict[str, Any]) -> str | None:
    """The template with the columns of a row filled in; None if one of them is empty."""
    columns = [column for _, column, _, _ in Formatter().parse(template) if column]
    if not columns:
        return None
    for column in columns:
        value = f"{{{column}}}".format_map(row)
        if not value.strip():
            return None
    return template.format_map(row)


def _matches(row: dict[str, Any], conditions: dict[str, str]) -> bool:
    return all(re.fullmatch(pattern, str(row[column])) for column, pattern in conditions.items())


def _records(part: Part, root: Path, record: Fetched) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of a part, each with its file and number.

    A record has an empty text for null, the columns of joined files, and the columns `record`, `nth` and `NAME_name`.
    """
    joined_rows: dict[str, dict[str, Any]] = {}
    for file, column in part.join.items():
        joined_rows |= {str(row[column]).strip(): row for row in _rows("", root, record, file)}
    not_joined: dict[str, Any] = {}
    for row in joined_rows.values():
        not_joined |= dict.fromkeys(row, "")
    for file in sorted(path for path in record.files if fnmatch(path, part.file)):
        counts = Counter[str]()
        for number, values in enumerate(_rows(part.at, root, record, file, part.pattern), 1):
            row = {name: "" if value is None else value for name, value in values.items()}
            for column in part.join.values():
                row = not_joined | joined_rows.get(str(row[column]).strip(), {}) | row
            kind = str(row.get(part.nth_of))
            counts[kind] += 1
            row |= {"record": number, "nth": counts[kind]}
            row |= {f"{name}_name": names.get(str(row[name]), "") for name, names in part.names.items()}
            yield f"{Path(file).stem}.{number}", row


def _rows(at: str, root: Path, record: Fetched, file: str, pattern: str = "") -> list[dict[str, Any]]:
    """The rows of a fetched file: matches of the pattern, records of JSON (under the key `at`), or lines of a table."""
    path = root / record.revision / file
    data = read_bytes(path)
    if hashlib.sha256(data).hexdigest() != record.files[file]:
        raise DataError(f"{path} has changed since it was fetched; delete it and fetch the set again")
    if pattern:
        return [match.groupdict() for match in re.finditer(pattern, data.decode("utf-8-sig"))]
    if path.suffix != ".json":
        return [row.values for row in read_rows(path)]
    records = parse_json(data.decode("utf-8-sig"))
    return list(records[at] if at else records)
