"""Whether a bundle is what it says: every difference in a sentence of its own.

The file may be anybody's. It is read within bounds and may hold only plain, stored files of known names, so that
nothing in it can grow, lead elsewhere or hide; the zip of its files must be the file, byte by byte. Then its numbers
are made again from its rows, as `write_bundle` makes them, and compared.
"""

import hashlib
import math
import re
import reprlib
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TypeGuard, cast

from pydantic import JsonValue, ValidationError

import mossbench
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, UsageError, message_of
from mossbench.judges import offline_judge
from mossbench.outcomes import Exchange, Key, Verdict, outcome
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.storage import to_json
from mossbench.plumbing.untrusted_files import open_file, parse_json, record_fault
from mossbench.reports import bundles
from mossbench.reports.bundles import BundledRun, Manifest
from mossbench.samples import Sample
from mossbench.store.damage import checked_exchanges, planned_rows
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo

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

    def __repr__(self) -> str:
        return f"<Verification {self.sha256[:12]}: {len(self.runs)} runs, {len(self.differences)} differences>"


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
            size = handle.seek(0, 2)
            raw = handle.read(min(handle.seek(0) or size, MOST_BYTES + 1))
    except OSError as error:
        raise UsageError(f"cannot read {str(file)!r}: {error.strerror}; name a bundle") from error
    found = verify_bytes(raw, data)
    if sha256 is None or sha256.strip().lower() == found.sha256:
        return found
    wrong = f"its SHA-256 is {found.sha256}, not {sha256}, as published"
    return replace(found, differences=(wrong, *found.differences))


def verify_bytes(raw: bytes, data: Dataset | None = None) -> Verification:
    if len(raw) > MOST_BYTES:
        raise UsageError(f"a bundle of more than {MOST_BYTES:,} bytes is neither written nor read; pack fewer runs")
    found, notes, runs = list[str](), list[str](), dict[str, BundledRun]()
    files = _unpacked(raw, found)
    if found:
        notes.append("nothing was counted: the file is not read further")
    else:
        if (again := bundles.packed(files)) != raw:
            at = next((i for i, (one, other) in enumerate(zip(again, raw, strict=False)) if one != other), len(again))
            found.append(f"from byte {at:,} on the zip around the files is not as it was written")
        runs = _verify_files(files, data, found, notes)
    forms = {name: run.samples for name, run in runs.items()}
    return Verification(hashlib.sha256(raw).hexdigest(), tuple(found), tuple(notes), forms)


def _unpacked(raw: bytes, found: list[str]) -> dict[str, bytes]:
    """The files in a zip that anybody may have made; adds why it is not read."""
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            found += _entries_wrong(entries := archive.infolist(), len(raw))
            files = {} if found else {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, RuntimeError, struct.error) as error:
        found.append(f"the file is damaged, or no zip: {error or type(error).__name__}")
        return {}
    for name in (name for name in files if name.endswith(".jsonl")):
        lines = BytesIO(files[name])  # a list of them would be many times as large
        if files[name].count(b"\n") > MOST_ROWS or max(map(len, lines), default=0) > MOST_JSON:
            found.append(f"{name} has more than {MOST_ROWS:,} lines, or one of more than {MOST_JSON:,} bytes")
    return files


def _entries_wrong(entries: list[zipfile.ZipInfo], n_bytes: int) -> Iterator[str]:
    names = Counter(entry.filename.casefold() for entry in entries)
    if len(entries) > MOST_FILES:
        yield f"{len(entries):,} files are in it, and at most {MOST_FILES:,} are read"
        return
    if sum(entry.file_size for entry in entries) > n_bytes:
        yield "its files are together larger than the zip: they lie over each other, or are compressed"
    yield from (f"{ascii(name[:80])} is in it twice" for name, n in names.items() if n > 1)
    for entry in entries:
        size, kind, secret = entry.file_size, entry.external_attr >> 28, entry.flag_bits & 1
        stored = entry.compress_type == zipfile.ZIP_STORED and size == entry.compress_size
        if not (_NAME.fullmatch(entry.orig_filename) and stored and kind == 0o10) or secret:
            name = ascii(entry.orig_filename[:80])
            yield f"{name} is no plain file of a bundle: no other names, links, compressed or encrypted files are read"
        elif entry.filename.endswith(".json") and size > MOST_JSON:
            yield f"{entry.filename} has {size:,} bytes; at most {MOST_JSON:,} are parsed"


def _verify_files(
    files: dict[str, bytes], data: Dataset | None, differences: list[str], notes: list[str]
) -> dict[str, BundledRun]:
    """The runs that were counted; adds what differs and what was not compared."""
    try:
        manifest = Manifest.model_validate(_parsed("manifest.json", files))
        stated = _parsed("counts.json", files)
    except ValidationError as error:
        differences.append(f"manifest.json: {record_fault(error)}")
        return {}
    except ValueError as error:
        differences.append(str(error))
        return {}
    differences += _hashes_wrong(files, manifest.files)
    if {name.split("/")[1] for name in files if "/" in name} != {*manifest.runs}:
        differences.append("manifest.json names other runs than there are folders")
        return {}
    is_same_version = manifest.mossbench == mossbench.__version__
    if not is_same_version:
        notes.append(
            f"mossbench {manifest.mossbench} wrote it and {mossbench.__version__} counts it: what changed between them "
            "can make numbers differ, and reports are not compared"
        )
    elif files.get("README.md") != bundles.README.read_bytes():
        differences.append("README.md is not the text that mossbench writes")
    made = _counted_again(files, manifest, data, differences, notes)
    if made is None:
        return {}
    counts: JsonValue = parse_json(made.pop("counts.json"))
    if not is_same_version:
        counts = _as_stated(stated, counts)
    differences += [f"counts.json: {text}" for text in _differences(stated, counts)]
    if is_same_version:
        pages = [name for name, content in made.items() if files.get(name) != content]
        differences += [f"{name} is not the page that its rows give" for name in pages]
    return manifest.runs


def _counted_again(
    files: dict[str, bytes], manifest: Manifest, data: Dataset | None, differences: list[str], notes: list[str]
) -> dict[str, bytes] | None:
    """counts.json and the reports as the rows give them; None where the rows cannot be counted, which is added."""
    with bundles.laid_out(files) as place:
        try:
            for name, run in manifest.runs.items():
                wrong = _rows_wrong(RunFolder(place / name), run, data, notes)
                differences += [f"{name}: {text}" for text in wrong]
            return bundles.counted_files(place, manifest.runs)
        except Exception as error:  # rows of a stranger may break anything that reads them
            what = "" if isinstance(error, MossbenchError) else f"{type(error).__name__}: "
            message = message_of(error).text.replace(f"{place}/", "")
            differences.append(f"the rows cannot be counted: {what}{message}")
            return None


def _parsed(name: str, files: dict[str, bytes]) -> JsonValue:
    """The JSON of a file; a ValueError that says what is wrong with it."""
    if name not in files:
        raise ValueError(f"{name} is missing")
    try:
        value: JsonValue = parse_json(files[name])
    except ValueError as error:
        raise ValueError(f"{name} is no sound JSON: {error}") from error
    if to_json(value).encode() != files[name]:
        raise ValueError(f"{name} is no sound JSON: it is written otherwise than by mossbench, or gives a name twice")
    return value


def _hashes_wrong(files: dict[str, bytes], told: dict[str, str]) -> Iterator[str]:
    made = {name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"}
    for name in sorted(name for name in {*made, *told} if made.get(name) != told.get(name)):
        changed = "was changed: its SHA-256 is not the manifest's" if name in told else "is not in the manifest"
        yield f"{name} {changed if name in made else 'is missing'}"


def _rows_wrong(folder: RunFolder, run: BundledRun, data: Dataset | None, notes: list[str]) -> Iterator[str]:
    """Where the rows contradict each other, their data, or what an offline judge says of them today."""
    info, n_samples = folder.info(), folder.samples_path.read_bytes().count(b"\n")
    work = [(arm.epochs or info.config.epochs) + len(arm.ids or arm.texts or ()) / 1000 for arm in info.arms]
    if max(n_samples, 1) * sum(work) > MOST_ROWS:
        raise UsageError(f"run.json plans more than {MOST_ROWS:,} rows")
    rows = planned_rows(folder, info)
    exchanges = checked_exchanges(folder, info, rows)
    known = {"run.json", "report.html", *(path.name for path in bundles.run_files(folder))}
    yield from (f"{path.name} is of no judge here" for path in folder.path.iterdir() if path.name not in known)
    if any(row.sample.question.startswith(bundles.HIDDEN) is not (run.samples == "hashes") for row in rows):
        yield f"manifest.json says {run.samples} of samples, and samples.jsonl has something else"
    for key in exchanges.keys() - {row.key for row in rows}:
        yield f"{_row(key)} was answered and is not in samples.jsonl"
    for one in read_lines(folder.answers_path, Exchange):
        if one.answer.error is None and one != exchanges[one.key]:
            yield f"{_row(one.key)} has an answer that a later one replaces; only failures are asked again"
    for row, one in ((row, exchanges[row.key]) for row in rows if row.key in exchanges):
        simple = run.samples == "copies" or (row.arm.text in ("question", "explicit", "intent") and not row.arm.frame)
        if simple and one.request != row.arm.request(row.sample):
            yield f"{_row(row.key)} was asked with another request than samples.jsonl has"
        if one.system != row.arm.system:
            yield f"{_row(row.key)} was asked with another system prompt than run.json has"
        if one.picture and row.arm.picture == "own" and one.picture.ref != row.sample.image:
            yield f"{_row(row.key)} was asked with another image than samples.jsonl has"
    yield from _verdicts_wrong(folder, exchanges, run, notes)
    if data is not None:
        yield from _data_wrong(info, rows, run, data)


def _data_wrong(info: RunInfo, rows: list[Row], run: BundledRun, data: Dataset) -> Iterator[str]:
    """Where the hash of a side or what is sent or counted of a sample differs; paths of images may be others."""
    for side, told in info.dataset.hashes.items():
        if data.hashes.get(side) != told:
            yield f"{side} samples have the hash {told[:12]}, in {data.name} {data.hashes.get(side, 'none')[:12]}"
    compared = Sample.model_fields.keys() - {"image", "more_images", "counterfactual", "twin"}
    theirs = {sample.key: bundles.hidden_sample(sample) for sample in data}
    for row in {row.sample.key: row for row in rows}.values():
        ours = row.sample if run.samples == "hashes" else bundles.hidden_sample(row.sample)
        other = theirs.get(ours.key)
        if wrong := sorted(name for name in compared if getattr(ours, name) != getattr(other, name, None)):
            what = "it is not" if other is None else f"its {', '.join(wrong)} is not as"
            yield f"{row.key.side} {row.key.sample}: {what} in {data.name}"


def _verdicts_wrong(folder: RunFolder, asked: dict[Key, Exchange], run: BundledRun, notes: list[str]) -> Iterator[str]:
    """Where an offline judge of today reads an answer otherwise; notes say which verdicts are not made again."""
    for label in folder.judges():
        verdicts = folder.judgements(label)
        yield from (f"{_row(key)} has a verdict of {label} and no answer" for key in verdicts.keys() - asked.keys())
        judge = offline_judge(label)
        if judge is None or run.samples == "hashes":
            why = "requests are hashes" if run.samples == "hashes" else "it is no offline judge of this version"
            notes.append(f"verdicts of {label} were counted as they stand, not made again: {why}")
            continue
        for key, one in verdicts.items():
            if (exchange := asked.get(key)) and exchange.to_judge and one.digest == exchange.digest():
                told = outcome(exchange.answer, one.verdict).label
                if told != (now := outcome(exchange.answer, cast(Verdict, judge.verdict(exchange))).label):
                    yield f"{_row(key)}: {label} reads it as {now}, verdicts have {told}"


def _row(key: Key) -> str:
    return " ".join(map(str, key[:2] if key[2:] == ("plain", 1) else key))


def _as_stated(stated: JsonValue, made: JsonValue) -> JsonValue:
    """What was counted, without what another version of mossbench did not state."""
    if isinstance(stated, dict) and isinstance(made, dict):
        return {name: _as_stated(stated[name], value) for name, value in made.items() if name in stated}
    if isinstance(stated, list) and isinstance(made, list) and len(stated) == len(made):
        return [_as_stated(old, new) for old, new in zip(stated, made, strict=True)]
    return made


def _differences(stated: JsonValue, made: JsonValue, place: str = "") -> Iterator[str]:
    """Where what is stated and what the rows give differ, by the place in the file."""
    if isinstance(stated, dict) and isinstance(made, dict):
        for name in [*made, *(stated.keys() - made.keys())]:
            yield from _differences(stated.get(name), made.get(name), f"{place}, {name}" if place else name)
    elif isinstance(stated, list) and isinstance(made, list) and len(stated) == len(made):
        for i, (old, new) in enumerate(zip(stated, made, strict=True)):
            yield from _differences(old, new, f"{place}, {_item_name(new, i)}")
    elif not _are_equal(stated, made):
        yield f"{place} is {reprlib.repr(stated)}, the rows give {reprlib.repr(made)}"


def _item_name(item: JsonValue, place: int) -> str:
    """What an item of a list is called: by its group, where it is a rate."""
    if isinstance(item, dict) and "group" in item:
        return f"{item['side']} {item['group']}"
    return str(place)


def _are_equal(stated: JsonValue, made: JsonValue) -> bool:
    """Numbers also if they differ in the last digits, in which two machines may."""
    if _is_number(stated) and _is_number(made):
        return math.isclose(stated, made, rel_tol=1e-9, abs_tol=1e-12)
    return stated == made


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
