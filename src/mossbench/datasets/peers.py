"""Sets of other authors by name: what is known of each (`peers_data/NAME.toml`), and the one reader of all of them.

A file says where a set lives, at which revision its layout was read, what its licence permits, and how its records
become samples; nothing of the sets themselves is in this package. Text between braces stands for a column of the
record (`{prompt}`), or for a part of one (`{safe_pair[img_id]}`). What is neither harmless nor harmful is left out,
and how many records that are is said.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal

from pydantic import Field

from mossbench.datasets.columns import plain
from mossbench.datasets.copying import Copying
from mossbench.datasets.dataset import Dataset
from mossbench.datasets.hub import missing_pictures
from mossbench.errors import DataError, message_of
from mossbench.plumbing.storage import cache_folder
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.plumbing.untrusted_files import fault_text, parse_json, parse_toml
from mossbench.samples import Record, Sample, Side
from mossbench.ways_out import FetchDataset

FOLDER = Path(__file__).with_name("peers_data")
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
FETCHED = "fetched.json"
UNREADABLE = "cannot be read"
"""The state of a set whose description, or what was fetched of it, is damaged; `fault` says why."""
WARNING = "Requests of this set may touch distressing matters; its harmful side, where it has one, asks for harm."


class Part(Record):
    """How records of one file become samples; docs/peers.md says what each key means."""

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
    """A set of other authors: where it lives, on what terms, and how it is read; see docs/peers.md, too."""

    name: str
    title: str
    what: str
    home: str = Field(pattern=r"^(github|hub):[\w.-]+/[\w.-]+$")
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
    def page(self) -> str:
        host, _, repository = self.home.partition(":")
        return f"https://{'github.com' if host == 'github' else 'huggingface.co/datasets'}/{repository}"


class Fetched(Record):
    """What was fetched, beside the files; a set is in place once this is."""

    home: str
    revision: str
    pinned: bool
    at: str
    files: dict[str, str]


@cache
def read_peer(name: str) -> Peer:
    """What is known of a set; a DataError that names its file and what is wrong with it."""
    path = FOLDER / f"{name}.toml"
    try:
        content = parse_toml(path.read_text("utf-8"))
        if "name" in content:
            raise ValueError("its name is that of the file; omit name")
        return Peer.model_validate({"name": name, **content})
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or fault_text(error)
        raise DataError(f"{path} cannot be read as the description of a set: {reason}; correct it there") from error


def peer_folder(name: str) -> Path:
    return cache_folder("sets") / name


def fetched(name: str) -> Fetched | None:
    """What was fetched of a set; None where it is not in place."""
    path = peer_folder(name) / FETCHED
    try:
        return Fetched.model_validate_json(read_bytes(path)) if path.is_file() else None
    except ValueError as error:
        raise DataError(f"{path} is damaged", way_out=FetchDataset(name, to="delete it, then fetch the set")) from error


def load_peer(name: str) -> Dataset:
    """The set of that name as it was fetched; never asks the network."""
    peer, record = read_peer(name), fetched(name)
    if record is None:
        raise DataError(
            f"{name!r} ({peer.title}, licence {peer.licence}) is not fetched; for a folder of yours of that name write "
            f"'./{name}'",
            way_out=FetchDataset(name, to=f"fetch it from {peer.page}"),
        )
    dataset = read_set(peer, peer_folder(name), record)
    if missing := missing_pictures(dataset):
        message = (
            f"the requests of {name!r} are fetched, but {len(missing)} of its images are not there, the first is "
            f"{dataset.root / missing[0]}"
        )
        if peer.images:
            raise DataError(f"{message}. {peer.images}")
        raise DataError(message, way_out=FetchDataset(name, to="fetch them again"))
    return dataset


def about_peer(name: str) -> dict[str, Any]:
    """What is known of a set, and its state: fetched, images missing, not fetched, layout not verified."""
    peer = read_peer(name)
    about = {"description": peer.what, **peer.model_dump(exclude={"name", "what", "files", "parts"})}
    try:
        return {**about, "state": _state(peer)}
    except (DataError, OSError) as error:
        return {**about, "state": UNREADABLE, "fault": message_of(error)}


def _state(peer: Peer) -> str:
    record = fetched(peer.name)
    if record is None:
        return "layout not verified" if peer.layout == "not verified" else "not fetched"
    missing = peer.images and missing_pictures(read_set(peer, peer_folder(peer.name), record))
    return "images missing" if missing else "fetched"


def read_set(peer: Peer, root: Path, record: Fetched) -> Dataset:
    """The samples of what was fetched; a DataError where a file has changed or is not in the layout that is known."""
    left_out = Counter[str]()
    pairs = defaultdict[str, list[Sample]](list)
    samples = dict[tuple[Side, str], Sample]()
    for part in peer.parts:
        for sample, pair in _samples(part, peer, root, record, left_out):
            if samples.setdefault(sample.key, sample) is not sample:
                raise DataError(f"{peer.name}: {part.file} has two {sample.side} samples of the id {sample.id!r}")
            if pair is not None:
                pairs[pair].append(sample)
    for pair_of in pairs.values():
        if sorted(one.side for one in pair_of) == list(Side):
            for one, other in (pair_of, pair_of[::-1]):
                samples[one.key] = one.model_copy(update={"twin": other.id})
    return Dataset(
        name=peer.name,
        samples=tuple(samples.values()),
        root=root,
        source=peer.home,
        revision=record.revision,
        licence=f"{peer.licence}: {peer.permits}",
        copying=peer.copying,
        warning=WARNING,
        citation=peer.citation,
        notes=tuple(_notes(peer, Counter(side for side, _ in samples), left_out, record)),
    )


def _notes(peer: Peer, found: Counter[Side], left_out: Counter[str], record: Fetched) -> Iterator[str]:
    yield from (f"{peer.name}: {fault}" for fault in peer.faults)
    yield from (f"{peer.name}: {n:,} records left out: {reason}" for reason, n in left_out.items())
    for side, expected in ((Side.BENIGN, peer.harmless), (Side.CONTRAST, peer.harmful)):
        if expected is not None and found[side] != expected:
            yield f"{peer.name}: {found[side]:,} {side} samples; {expected:,} were counted when its layout was read"
    if not record.pinned:
        yield f"{peer.name}: not pinned; it was at revision {record.revision} when it was fetched"


def _samples(
    part: Part, peer: Peer, root: Path, record: Fetched, left_out: Counter[str]
) -> Iterator[tuple[Sample, str | None]]:
    """The samples of a part, each with what its twin is equal in."""
    by_stem, where = {path.rpartition(".")[0]: path for path in record.files}, part.file
    try:
        for where, row in _records(part, root, record):
            if not _is(row, part.when):
                continue
            side, request = part.side.format_map(row), part.request.format_map(row)
            reason = next((why for why, those in part.leave_out.items() if _is(row, those)), "")
            if part.sides and side not in part.sides:
                reason = reason or f"{part.side.strip('{}')} is {side!r}"
            if reason or not request.strip():
                left_out[reason or "no request"] += 1
                continue
            image = _filled(part.image, row)
            if image is not None:
                image = f"images/{image}" if peer.images else f"{record.revision}/{by_stem.get(image, image)}"
                row["image_hash"] = record.files.get(image.partition("/")[2], "")
            row["request"] = request.strip()
            sample = Sample(
                id=_filled(part.id, row) or f"{where}-{hashlib.sha256(request.encode()).hexdigest()[:8]}",
                side=part.sides.get(side) or Side(side),
                question=request,
                explicit_request=_filled(part.explicit, row),
                image=image,
                cluster=_filled(part.cluster, row),
                metadata={name: kept for name in part.keep if (kept := plain(row[name])) is not None},
            )
            yield sample, _filled(part.pair, row)
    except (LookupError, TypeError, ValueError, AttributeError, re.error) as error:
        fault = f"{type(error).__name__}: {fault_text(error)}"
        raise DataError(
            f"{peer.name}: {where} is not in the layout that is known ({fault}); fetch the "
            f"revision that was read: {peer.revision or 'none is pinned'}"
        ) from error


def _filled(template: str, row: dict[str, Any]) -> str | None:
    """The text with its columns filled in; None where one of them is empty."""
    columns = [column for _, column, _, _ in Formatter().parse(template) if column]
    said = all(f"{{{column}}}".format_map(row).strip() for column in columns)
    return template.format_map(row) if columns and said else None


def _is(row: dict[str, Any], conditions: dict[str, str]) -> bool:
    return all(re.fullmatch(pattern, str(row[column])) for column, pattern in conditions.items())


def _records(part: Part, root: Path, record: Fetched) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records with the file and number of each: what is null is empty, and what the part adds is there."""
    joined = [(column, _rows("", root, record, file)) for file, column in part.join.items()]
    other = {str(row[column]).strip(): row for column, rows in joined for row in rows}
    nothing = {name: "" for row in other.values() for name in row}
    for file in sorted(path for path in record.files if fnmatch(path, part.file)):
        places, stem = Counter[str](), Path(file).stem
        for number, values in enumerate(_rows(part.at, root, record, file, part.pattern), 1):
            row = {name: "" if value is None else value for name, value in values.items()}
            for column in part.join.values():
                row = nothing | other.get(str(row[column]).strip(), {}) | row
            places[kind := str(row.get(part.nth_of))] += 1
            row |= {"record": number, "nth": places[kind]}
            row |= {f"{name}_name": names.get(str(row[name]), "") for name, names in part.names.items()}
            yield f"{stem}.{number}", row


def _rows(at: str, root: Path, record: Fetched, file: str, pattern: str = "") -> list[dict[str, Any]]:
    path = root / record.revision / file
    data = read_bytes(path)
    if hashlib.sha256(data).hexdigest() != record.files[file]:
        raise DataError(f"{path} has changed since it was fetched; delete it and fetch the set again")
    if pattern:
        return [found.groupdict() for found in re.finditer(pattern, data.decode("utf-8-sig"))]
    if path.suffix != ".json":
        return [row.values for row in read_rows(path)]
    records = parse_json(data.decode("utf-8-sig"))
    return list(records[at] if at else records)
