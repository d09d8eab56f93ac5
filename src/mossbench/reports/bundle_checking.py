"""Whether a bundle is what it says: every difference in a sentence of its own.

The file may be anybody's. It is read within bounds and may hold only plain, stored files of known names, so that
nothing in it can grow, lead elsewhere or hide; the zip of its files must be the file, byte by byte. Then its numbers
are made again from its rows, as `write_bundle` makes them, and compared.
"""

from __future__ import annotations

import hashlib
import math
import re
import reprlib
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

import mossbench
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, UsageError
from mossbench.judges import load_judge
from mossbench.leaderboard.names import OFFLINE
from mossbench.outcomes import Exchange, Key, Verdict, outcome
from mossbench.plumbing.reading import open_file, parse_json
from mossbench.plumbing.storage import to_json
from mossbench.reports import bundles
from mossbench.reports.bundles import BundledRun, Manifest
from mossbench.runs.config import RunInfo
from mossbench.runs.folder import RunFolder

MOST_BYTES, MOST_JSON, MOST_FILES = 300_000_000, 5_000_000, 1_000
"""Of the file; of a file or a line that is parsed at once; 30,000 rows are 60 MB, and an answer some thousand bytes."""
MOST_ROWS = 2_000_000
"""Samples by arms and epochs that are planned: a few bytes could ask for more than any memory holds."""
_NAME = re.compile(
    r"(?:manifest|counts)\.json|README\.md|runs/\w[\w.-]{0,119}/"
    r"(?:run\.json|(?:samples|answers|verdicts\.[\w.-]{1,150})\.jsonl|drift\.[\w.-]{1,150}\.txt|report\.html)",
    re.ASCII,
)


@dataclass(frozen=True)
class Verification:
    sha256: str
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    """What was not compared, and why."""
    runs: dict[str, bundles.SampleForm]
    """Those that were counted, and how their samples are given."""


def verification_lines(found: Verification) -> list[str]:
    """What was found, for people; where nothing differs, also what that does not show."""
    lines = [f"SHA-256 {found.sha256}", *(f"{i}. {text}" for i, text in enumerate(found.differences, start=1))]
    lines += [f"note: {text}" for text in found.notes]
    if found.differences:
        return [*lines, f"differences: {len(found.differences)}"]
    lines.append(f"No difference in {', '.join(found.runs)}: the numbers follow from the rows.")
    return [*lines, bundles.README.read_text("utf-8").partition("## What it cannot prove")[2].strip()]


def verify_bundle(file: str | Path, *, sha256: str | None = None, data: Dataset | None = None) -> Verification:
    """What in a bundle does not agree: with itself, a published `sha256`, or the `data` that it says were asked."""
    try:
        with open_file(Path(file)) as handle:
            if (size := handle.seek(0, 2)) > MOST_BYTES:
                raise UsageError(f"{str(file)!r} has {size:,} bytes; no bundle of more than {MOST_BYTES:,} is read")
            raw = handle.read(handle.seek(0) or size)
    except OSError as error:
        raise UsageError(f"cannot read {str(file)!r}: {error.strerror}; name a bundle") from error
    found = verify_bytes(raw, data)
    same = sha256 is None or sha256.strip().lower() == found.sha256
    wrong = [] if same else [f"its SHA-256 is {found.sha256}, not {sha256}, as published"]
    return replace(found, differences=(*wrong, *found.differences))


def verify_bytes(raw: bytes, data: Dataset | None = None) -> Verification:
    digest, (files, faults), notes, runs = hashlib.sha256(raw).hexdigest(), _unpacked(raw), list[str](), {}
    if faults:
        notes.append("nothing was counted: the file is not read further")
    else:
        if (again := bundles.packed(files)) != raw:
            at = next((i for i, (one, other) in enumerate(zip(again, raw, strict=False)) if one != other), len(again))
            faults = [f"from byte {at:,} on the zip around the files is not as it was written"]
        runs = _verify_files(files, data, faults, notes)
    return Verification(digest, tuple(faults), tuple(notes), {name: run.samples for name, run in runs.items()})


def _unpacked(raw: bytes) -> tuple[dict[str, bytes], list[str]]:
    """The files in a zip that anybody may have made, or why it is not read."""
    if len(raw) > MOST_BYTES:
        return {}, [f"it has {len(raw):,} bytes; no bundle of more than {MOST_BYTES:,} is read"]
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            entries = archive.infolist()
            if faults := list(_entries_wrong(entries, len(raw))):
                return {}, faults
            files = {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, RuntimeError, struct.error) as error:
        return {}, [f"the file is damaged, or no zip: {error or type(error).__name__}"]
    return files, [fault for name in files if name.endswith(".jsonl") and (fault := _lines_wrong(name, files[name]))]


def _lines_wrong(name: str, content: bytes) -> str:
    if content.count(b"\n") > MOST_ROWS:  # counted first: a list of them would be many times as large
        return f"{name} has more than {MOST_ROWS:,} lines"
    long = max(map(len, BytesIO(content)), default=0) > MOST_JSON
    return f"{name} has a line of more than {MOST_JSON:,} bytes" if long else ""


def _entries_wrong(entries: list[zipfile.ZipInfo], n_bytes: int) -> Iterator[str]:
    if len(entries) > MOST_FILES:
        yield f"{len(entries):,} files are in it; at most {MOST_FILES:,} are read"
        return
    seen = set[str]()
    for entry in entries:
        name, shown = entry.filename, ascii(entry.orig_filename[:80])
        if name.casefold() in seen:
            yield f"{shown} is in it twice"
        seen.add(name.casefold())
        if name.startswith("/") or re.search(r"(^|[\\/])\.\.([\\/]|$)|\\|^\w:", entry.orig_filename):
            yield f"{shown} would lead out of its folder"
        elif entry.external_attr >> 28 == 0o12:
            yield f"{shown} is a link; only files are read"
        elif entry.flag_bits & 1:
            yield f"{shown} is encrypted; a bundle hides nothing"
        elif entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
            yield f"{shown} is compressed and could be of any size; the files of a bundle are stored as they are"
        elif not _NAME.fullmatch(entry.orig_filename):
            yield f"{shown} is no file of a bundle"
        elif name.endswith(".json") and entry.file_size > MOST_JSON:
            yield f"{name} has {entry.file_size:,} bytes; at most {MOST_JSON:,} are parsed"
    if sum(entry.file_size for entry in entries) > n_bytes:
        yield "its files are together larger than the zip: they lie over each other"


def _verify_files(
    files: dict[str, bytes], data: Dataset | None, found: list[str], notes: list[str]
) -> dict[str, BundledRun]:
    """The runs that were counted; adds what differs and what was not compared."""
    try:
        manifest = Manifest.model_validate(_parsed("manifest.json", files))
        told = _parsed("counts.json", files)
    except ValueError as error:
        fault = error.errors()[0] if isinstance(error, ValidationError) else None
        found.append(f"manifest.json: {'.'.join(map(str, fault['loc']))}: {fault['msg']}" if fault else str(error))
        return {}
    found += _hashes_wrong(files, manifest)
    if {name.split("/")[1] for name in files if "/" in name} != {*manifest.runs}:
        found.append("manifest.json names other runs than there are folders")
        return {}
    same = manifest.mossbench == mossbench.__version__
    if not same:
        notes.append(
            f"mossbench {manifest.mossbench} wrote it and {mossbench.__version__} counts it: what changed between them "
            "can make numbers differ, and reports are not compared"
        )
    elif files.get("README.md") != bundles.README.read_bytes():
        found.append("README.md is not the text that mossbench writes")
    with bundles.laid_out(files) as place:
        try:
            for name, run in manifest.runs.items():
                found += [f"{name}: {text}" for text in _rows_wrong(RunFolder(place / name), run, data, notes)]
            made = bundles.counted_files(place, manifest.runs)
        except Exception as error:  # rows of a stranger may break anything that reads them
            what = "" if isinstance(error, MossbenchError) else f"{type(error).__name__}: "
            found.append(f"the rows cannot be counted: {what}{str(error).replace(f'{place}/', '')}")
            return {}
    found += [f"counts.json: {text}" for text in _differences(told, parse_json(made.pop("counts.json")))]
    found += [f"{name} is not the page that its rows give" for name in made if same and files.get(name) != made[name]]
    return manifest.runs


def _parsed(name: str, files: dict[str, bytes]) -> Any:
    """The JSON of a file; a ValueError that says what is wrong with it."""
    try:
        value = parse_json(files[name])
        if to_json(value).encode() != files[name]:
            raise ValueError("it is written otherwise than by mossbench, or gives a name twice")
        return value
    except KeyError:
        raise ValueError(f"{name} is missing") from None
    except ValueError as error:
        raise ValueError(f"{name} is no sound JSON: {error}") from error


def _hashes_wrong(files: dict[str, bytes], manifest: Manifest) -> Iterator[str]:
    for name in sorted({*files, *manifest.files} - {"manifest.json"}):
        if name not in files:
            yield f"{name} is missing"
        elif name not in manifest.files:
            yield f"{name} is not in the manifest"
        elif hashlib.sha256(files[name]).hexdigest() != manifest.files[name]:
            yield f"{name} was changed: its SHA-256 is not the manifest's"


def _rows_wrong(folder: RunFolder, run: BundledRun, data: Dataset | None, notes: list[str]) -> Iterator[str]:
    """Where the rows contradict each other, their data, or what an offline judge says of them today."""
    info, n_samples = folder.info(), folder.samples_path.read_bytes().count(b"\n")
    work = [(arm.epochs or info.config.epochs) + len(arm.ids or arm.texts or ()) / 1000 for arm in info.arms]
    if max(n_samples, 1) * sum(work) > MOST_ROWS:
        raise UsageError(f"run.json plans more than {MOST_ROWS:,} rows")
    rows, exchanges = folder.whole(info)
    if any(row.sample.question.startswith(bundles.HIDDEN) is not (run.samples == "hashes") for row in rows):
        yield f"manifest.json says {run.samples} of samples, and samples.jsonl has something else"
    for key in exchanges.keys() - {row.key for row in rows}:
        yield f"{_row(key)} was answered and is not in samples.jsonl"
    for row in rows:
        simple = run.samples == "copies" or (row.arm.text in ("question", "explicit", "intent") and not row.arm.frame)
        if simple and row.key in exchanges and exchanges[row.key].request != row.arm.request(row.sample):
            yield f"{_row(row.key)} was asked with another request than samples.jsonl has"
    yield from _verdicts_wrong(folder, exchanges, run, notes)
    if data is not None:
        yield from _data_wrong(info, rows, data)


def _data_wrong(info: RunInfo, rows: list[Row], data: Dataset) -> Iterator[str]:
    for side, told in info.dataset.hashes.items():
        if data.hashes.get(side) != told:
            yield f"{side} samples have the hash {told[:12]}, in {data.name} {data.hashes.get(side, 'none')[:12]}"
    texts = {sample.key: {sample.question, bundles.hidden(sample.question)} for sample in data}
    for row in {row.sample.key: row for row in rows}.values():
        if row.sample.question not in texts.get(row.sample.key, ()):
            yield f"{row.key.side} {row.key.sample}: its request is not the one in {data.name}"


def _verdicts_wrong(
    folder: RunFolder, exchanges: dict[Key, Exchange], run: BundledRun, notes: list[str]
) -> Iterator[str]:
    """Where an offline judge of today reads an answer otherwise; notes say which verdicts are not made again."""
    for label in folder.judges():
        judge = load_judge(label.partition("/")[0]) if label.partition("/")[0] in OFFLINE else None
        if judge is None or judge.label != label or run.samples == "hashes":
            why = "requests are hashes" if run.samples == "hashes" else "it is no offline judge of this version"
            notes.append(f"verdicts of {label} were counted as they stand, not made again: {why}")
            continue
        for key, one in folder.judgements(label).items():
            if (exchange := exchanges.get(key)) and exchange.to_judge and one.digest == exchange.digest():
                verdicts = one.verdict, judge.verdict(exchange)
                told, now = (
                    outcome(exchange.answer, verdict).label for verdict in cast(tuple[Verdict, Verdict], verdicts)
                )
                if told != now:
                    yield f"{_row(key)}: {label} reads it as {now}, verdicts have {told}"


def _row(key: Key) -> str:
    return " ".join(map(str, key[:2] if key[2:] == ("plain", 1) else key))


def _differences(told: Any, made: Any, place: str = "") -> Iterator[str]:
    """Where numbers told and made differ, by their place; beyond the last digits that two machines may differ in."""
    if isinstance(told, dict) and isinstance(made, dict):
        for name in [*made, *(told.keys() - made.keys())]:
            yield from _differences(told.get(name), made.get(name), f"{place}, {name}" if place else name)
    elif isinstance(told, list) and isinstance(made, list) and len(told) == len(made):
        for i, (one, other) in enumerate(zip(told, made, strict=True)):
            group = f"{other['side']} {other['group']}" if isinstance(other, dict) and "group" in other else i
            yield from _differences(one, other, f"{place}, {group}")
    else:
        numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (told, made))
        if not (math.isclose(told, made, rel_tol=1e-9, abs_tol=1e-12) if numbers else told == made):
            yield f"{place} is {reprlib.repr(told)}, the rows give {reprlib.repr(made)}"
