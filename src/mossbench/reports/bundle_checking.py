"""Check that the numbers of a bundle follow from its rows; each difference is one sentence.

The file may come from anyone. Its size is bounded, and it may hold only regular, uncompressed files with known names:
nothing in it can expand, link elsewhere or hide. Zipping its files again must give the same bytes. Then its numbers are
computed from its rows, as `write_bundle` computes them, and compared with the numbers that it states.
"""

import hashlib
import math
import os
import re
import reprlib
import stat
import struct
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TypeGuard, cast

from pydantic import JsonValue, ValidationError

import mossbench
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, UsageError, message_of, n_of
from mossbench.judges import Judge, offline_judge
from mossbench.outcomes import Exchange, Judgement, Key, Verdict, outcome
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.untrusted_files import open_file, parse_json, record_fault
from mossbench.reports import bundles
from mossbench.reports.bundles import BundledRun, Manifest
from mossbench.samples import Sample
from mossbench.store.damage import checked_exchanges, planned_rows
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo

MAX_BYTES = 300_000_000
"""Bytes of the whole bundle; 30,000 rows take 60 MB."""
MAX_JSON_BYTES = 5_000_000
"""Bytes of a file or a line that is parsed at once; an answer has a few thousand."""
MAX_FILES = 1_000
MAX_ROWS = 2_000_000
"""Planned rows of a run: a run.json of a few bytes could plan more rows than fit into memory."""
_MAX_CHARS_OF_NAME = 80
"""Characters of a file name that a message shows."""
MOST_IN_ONE_PLACE = 3
"""Differences in one place that people are shown; one changed verdict moves dozens of counts."""
_VARIANTS_PER_ROW = 1000
"""Listed ids or texts of an arm that count as one planned row per sample, so that long lists are bounded too."""
_RELATIVE_TOLERANCE = 1e-9
_ABSOLUTE_TOLERANCE = 1e-12
"""Two machines may differ in the last digits of a number."""
_FILE_NAME = re.compile(
    r"(?:manifest|counts)\.json|README\.md|runs/\w[\w.-]{0,119}/"
    r"(?:run\.json|(?:samples|answers|verdicts\.[\w.-]{1,150})\.jsonl|drift\.[\w.-]{1,150}\.txt|report\.html)",
    re.ASCII,
)


@dataclass(frozen=True)
class Verification:
    """What differs between the numbers of a bundle and its rows."""

    sha256: str
    """Of the whole file."""
    differences_in: dict[str, tuple[str, ...]]
    """The differences, by where they are: in `counts.json`, in `verdicts of <run>` and so on."""
    notes: tuple[str, ...]
    """What was not compared, and why."""
    runs: dict[str, bundles.SampleForm]
    """The runs that were counted, and the form of their samples."""

    @property
    def differences(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.differences_in.values()))

    def __repr__(self) -> str:
        differences = n_of(len(self.differences), "difference")
        return f"<Verification {self.sha256[:12]}: {n_of(len(self.runs), 'run')}, {differences}>"


@dataclass
class _Findings:
    """The differences, by where they are, and the notes so far."""

    differences: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, place: str, texts: Iterable[str]) -> None:
        """Adds differences; those before an error in `texts` are kept."""
        for text in texts:
            self.differences.setdefault(place, []).append(text)


def verification_lines(verification: Verification) -> list[str]:
    """The result for people. If nothing differs, it includes what a bundle cannot prove."""
    lines = [f"SHA-256 {verification.sha256}", *difference_lines(verification)]
    lines += [f"note: {text}" for text in verification.notes]
    n_differences = len(verification.differences)
    if n_differences:
        are_all_listed = all(len(texts) <= MOST_IN_ONE_PLACE for texts in verification.differences_in.values())
        see_all = "" if are_all_listed else " (list all with --json)"
        return [*lines, f"differences: {n_differences}{see_all}"]
    lines.append(f"No difference in {', '.join(verification.runs)}: the numbers follow from the rows.")
    return [*lines, _what_it_cannot_prove()]


def _what_it_cannot_prove() -> str:
    """The last section of the README that is in every bundle."""
    _, _, section = bundles.README.read_text("utf-8").partition("## What it cannot prove")
    return section.strip()


def difference_lines(verification: Verification) -> list[str]:
    """The differences, numbered; of many in one place the first ones, and how many more there are."""
    lines = []
    number = 0
    for place, texts in verification.differences_in.items():
        for text in texts[:MOST_IN_ONE_PLACE]:
            number += 1
            lines.append(f"{number}. {text}")
        n_more = len(texts) - MOST_IN_ONE_PLACE
        if n_more > 0:
            lines.append(f"   and {n_more} more in {place}")
    return lines


def verify_bundle(file: str | Path, *, sha256: str | None = None, data: Dataset | None = None) -> Verification:
    """Compare a bundle with its own rows, with a published `sha256`, and with the `data` it names."""
    try:
        with open_file(Path(file)) as handle:
            size = handle.seek(0, os.SEEK_END)
            handle.seek(0)
            raw = handle.read(min(size, MAX_BYTES + 1))  # `read` allocates as many bytes as it is asked for
    except OSError as error:
        raise UsageError(f"cannot read {str(file)!r}: {error.strerror}; pass a bundle") from error
    verification = verify_bytes(raw, data)
    if sha256 is None or sha256.strip().lower() == verification.sha256:
        return verification
    wrong_hash = f"its SHA-256 is {verification.sha256}, not the published {sha256}"
    return replace(verification, differences_in={"the file": (wrong_hash,), **verification.differences_in})


def verify_bytes(raw: bytes, data: Dataset | None = None) -> Verification:
    """`verify_bundle` for the content of a file."""
    if len(raw) > MAX_BYTES:
        raise UsageError(f"a bundle may have at most {MAX_BYTES:,} bytes; bundle fewer runs")
    findings = _Findings()
    runs: dict[str, BundledRun] = {}
    files = _unpack(raw, findings)
    if findings.differences:
        findings.notes.append("the counts were not checked: the file cannot be read")
    else:
        _check_zip(files, raw, findings)
        runs = _verify_files(files, data, findings)
    return Verification(
        sha256=hashlib.sha256(raw).hexdigest(),
        differences_in={place: tuple(texts) for place, texts in findings.differences.items()},
        notes=tuple(findings.notes),
        runs={name: run.samples for name, run in runs.items()},
    )


def files_of(raw: bytes) -> dict[str, bytes]:
    """The files of a bundle that was verified."""
    return _unpack(raw, _Findings())


def _unpack(raw: bytes, findings: _Findings) -> dict[str, bytes]:
    """The files in the zip; empty, with the reason added to `findings`, if it is not safe to read."""
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            entries = archive.infolist()
            findings.add("the zip", _check_entries(entries, len(raw)))
            if findings.differences:
                return {}
            for entry in entries:
                files[entry.filename] = archive.read(entry)
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, RuntimeError, struct.error) as error:
        findings.add("the zip", [f"the file is damaged or not a zip: {error or type(error).__name__}"])
        return {}
    findings.add("the files", _check_lines(files))
    return files


def _check_entries(entries: list[zipfile.ZipInfo], n_bytes: int) -> Iterator[str]:
    """Why the files of a zip of `n_bytes` bytes must not be read."""
    if len(entries) > MAX_FILES:
        yield f"it has {len(entries):,} files; at most {MAX_FILES:,} are read"
        return
    if sum(entry.file_size for entry in entries) > n_bytes:
        yield "its files are larger than the zip: they overlap or are compressed"
    names = Counter(entry.filename.casefold() for entry in entries)
    for name, n in names.items():
        if n > 1:
            yield f"{ascii(name[:_MAX_CHARS_OF_NAME])} occurs twice"
    for entry in entries:
        if not _is_plain_file(entry):
            name = ascii(entry.orig_filename[:_MAX_CHARS_OF_NAME])
            yield f"{name} is not a file of a bundle: other names, links and compressed or encrypted files are not read"
        elif entry.filename.endswith(".json") and entry.file_size > MAX_JSON_BYTES:
            yield f"{entry.filename} has {entry.file_size:,} bytes; at most {MAX_JSON_BYTES:,} are read"


def _is_plain_file(entry: zipfile.ZipInfo) -> bool:
    """Whether the entry is a regular file with a known name, neither compressed nor encrypted."""
    is_encrypted = bool(entry.flag_bits & 1)
    unix_mode = entry.external_attr >> 16
    is_regular = stat.S_ISREG(unix_mode)
    is_stored = entry.compress_type == zipfile.ZIP_STORED and entry.file_size == entry.compress_size
    has_known_name = _FILE_NAME.fullmatch(entry.orig_filename) is not None
    return has_known_name and is_stored and is_regular and not is_encrypted


def _check_lines(files: dict[str, bytes]) -> Iterator[str]:
    """Which .jsonl files have too many lines, or lines that are too long."""
    for name, content in files.items():
        if not name.endswith(".jsonl"):
            continue
        longest = max(map(len, BytesIO(content)), default=0)  # a list of the lines would be many times as large
        if content.count(b"\n") > MAX_ROWS or longest > MAX_JSON_BYTES:
            yield f"{name} has more than {MAX_ROWS:,} lines or a line of more than {MAX_JSON_BYTES:,} bytes"


def _check_zip(files: dict[str, bytes], raw: bytes, findings: _Findings) -> None:
    """Zipping the files again must give the same bytes, so nothing hides between them."""
    repacked = bundles.packed(files)
    if repacked == raw:
        return
    first_difference = min(len(repacked), len(raw))
    for offset, (expected, actual) in enumerate(zip(repacked, raw, strict=False)):
        if expected != actual:
            first_difference = offset
            break
    findings.add("the zip", [f"the zip differs from what mossbench writes, from byte {first_difference:,} on"])


def _verify_files(files: dict[str, bytes], data: Dataset | None, findings: _Findings) -> dict[str, BundledRun]:
    """The runs that were counted; differences and notes are added to `findings`."""
    try:
        manifest = Manifest.model_validate(_parse_file("manifest.json", files))
        stated_counts = _parse_file("counts.json", files)
    except ValidationError as error:
        findings.add("manifest.json", [f"manifest.json: {record_fault(error)}"])
        return {}
    except ValueError as error:
        findings.add("the files", [str(error)])
        return {}
    findings.add("the hashes in manifest.json", _check_hashes(files, manifest.files))
    if _run_names(files) != {*manifest.runs}:
        findings.add("manifest.json", ["the runs in manifest.json are not those in the folders"])
        return {}
    is_same_version = manifest.mossbench == mossbench.__version__
    if not is_same_version:
        findings.notes.append(
            f"written by mossbench {manifest.mossbench}, checked by {mossbench.__version__}: changes between the two "
            "can make numbers differ, and reports are not compared"
        )
    elif files.get("README.md") != bundles.README.read_bytes():
        findings.add("README.md", ["README.md differs from the text that mossbench writes"])
    recounted_files = _count_again(files, manifest, data, findings)
    if recounted_files is None:
        return {}
    recounted: JsonValue = parse_json(recounted_files.pop("counts.json"))
    if is_same_version:
        findings.add("counts.json", _check_counts(stated_counts, recounted))
        findings.add("the pages", _check_pages(files, recounted_files))
    else:
        findings.add("counts.json", _check_counts(stated_counts, _keep_stated_fields(stated_counts, recounted)))
    return manifest.runs


def _run_names(files: dict[str, bytes]) -> set[str]:
    """The names of the folders of runs."""
    return {name.split("/")[1] for name in files if "/" in name}


def _check_counts(stated: JsonValue, recounted: JsonValue) -> Iterator[str]:
    for text in json_differences(stated, recounted):
        yield f"counts.json: {text}"


def _check_pages(files: dict[str, bytes], pages: dict[str, bytes]) -> Iterator[str]:
    for name, content in pages.items():
        if files.get(name) != content:
            yield f"{name} differs from the page made from its rows"


def _count_again(
    files: dict[str, bytes], manifest: Manifest, data: Dataset | None, findings: _Findings
) -> dict[str, bytes] | None:
    """counts.json and the reports, made from the rows; None if the rows cannot be counted."""
    with bundles.laid_out(files) as folder:
        try:
            for name, run in manifest.runs.items():
                _check_run(name, RunFolder(folder / name), run, data, findings)
            return bundles.counted_files(folder, manifest.runs)
        except Exception as error:  # rows from anyone may break whatever reads them
            error_type = "" if isinstance(error, MossbenchError) else f"{type(error).__name__}: "
            message = message_of(error).text.replace(f"{folder}/", "")
            findings.add("the rows", [f"the rows cannot be counted: {error_type}{message}"])
            return None


def _parse_file(name: str, files: dict[str, bytes]) -> JsonValue:
    """The JSON of a file; raises a ValueError that says what is wrong with the file."""
    if name not in files:
        raise ValueError(f"{name} is missing")
    try:
        value: JsonValue = parse_json(files[name])
    except ValueError as error:
        raise ValueError(f"{name} is not valid JSON: {error}") from error
    if to_json(value).encode() != files[name]:
        raise ValueError(f"{name} is not JSON as mossbench writes it, or repeats a name")
    return value


def _check_hashes(files: dict[str, bytes], manifest_hashes: dict[str, str]) -> Iterator[str]:
    """Which files differ from the manifest."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"}
    for name in sorted({*hashes, *manifest_hashes}):
        if name not in hashes:
            yield f"{name} is missing"
        elif name not in manifest_hashes:
            yield f"{name} is not in the manifest"
        elif hashes[name] != manifest_hashes[name]:
            yield f"{name} was changed: its SHA-256 differs from the one in the manifest"


def _check_run(name: str, folder: RunFolder, run: BundledRun, data: Dataset | None, findings: _Findings) -> None:
    """Adds where the rows contradict each other, their data, or an offline judge that judges them again."""

    def add(part: str, texts: Iterable[str]) -> None:
        findings.add(f"{part} of {name}", (f"{name}: {text}" for text in texts))

    info = folder.info()
    _check_number_of_rows(folder, info)
    add("the files", list(_check_files(folder)))  # before a reader keeps a file of its own there
    rows = planned_rows(folder, info)
    exchanges = checked_exchanges(folder, info, rows)
    add("the samples", _check_form_of_samples(rows, run))
    add("the answers", _check_answers(folder, exchanges, rows))
    for row in rows:
        exchange = exchanges.get(row.key)
        if exchange is not None:
            add("the requests", _check_request(row, exchange, run))
    add("the verdicts", _check_verdicts(folder, exchanges, run, findings.notes))
    if data is not None:
        add("the samples", _check_data(info, rows, run, data))


def _check_number_of_rows(folder: RunFolder, info: RunInfo) -> None:
    """Raise a UsageError if the run plans more than `MAX_ROWS` rows."""
    n_samples = folder.samples_path.read_bytes().count(b"\n")
    n_per_sample = 0.0
    for arm in info.arms:
        n_per_sample += (arm.epochs or info.config.epochs) + len(arm.ids or arm.texts or ()) / _VARIANTS_PER_ROW
    if max(n_samples, 1) * n_per_sample > MAX_ROWS:
        raise UsageError(f"run.json plans more than {MAX_ROWS:,} rows")


def _check_files(folder: RunFolder) -> Iterator[str]:
    """Which files belong to no judge of the run."""
    expected_names = {"run.json", "report.html", *(path.name for path in bundles.run_files(folder))}
    for path in folder.path.iterdir():
        if path.name not in expected_names:
            yield f"{path.name} belongs to no judge of the run"


def _check_form_of_samples(rows: Sequence[Row], run: BundledRun) -> Iterator[str]:
    """Whether a sample is a copy where the manifest says hashes, or the other way round."""
    should_be_hidden = run.samples == "hashes"
    if any(row.sample.question.startswith(bundles.HIDDEN) is not should_be_hidden for row in rows):
        yield f"manifest.json says that samples are {run.samples}, but samples.jsonl has something else"


def _check_answers(folder: RunFolder, exchanges: dict[Key, Exchange], rows: Sequence[Row]) -> Iterator[str]:
    """Answers that belong to no row, and answers that a later line replaces."""
    for key in sorted(exchanges.keys() - {row.key for row in rows}):
        yield f"{_row_name(key)} has an answer but is not in samples.jsonl"
    for exchange in read_lines(folder.answers_path, Exchange):
        if exchange.answer.error is None and exchange != exchanges[exchange.key]:
            name = _row_name(exchange.key)
            yield f"{name} has an answer that a later line replaces; only failed requests may be asked again"


def _check_request(row: Row, exchange: Exchange, run: BundledRun) -> Iterator[str]:
    """Where the recorded request differs from samples.jsonl and run.json."""
    is_one_text = row.arm.text in ("question", "explicit", "intent") and not row.arm.frame
    can_be_compared = run.samples == "copies" or is_one_text  # a hash of a text shows nothing of its parts
    if can_be_compared and exchange.request != row.arm.request(row.sample):
        yield f"{_row_name(row.key)} was asked with a request that is not the one in samples.jsonl"
    if exchange.system != row.arm.system:
        yield f"{_row_name(row.key)} was asked with a system prompt that is not the one in run.json"
    if exchange.picture and row.arm.picture == "own" and exchange.picture.ref != row.sample.image:
        yield f"{_row_name(row.key)} was asked with an image that is not the one in samples.jsonl"


def _check_data(info: RunInfo, rows: Sequence[Row], run: BundledRun, data: Dataset) -> Iterator[str]:
    """Where a hash of the data or a field of a sample differs from `data`; paths of images may differ."""
    for side, stated_hash in info.dataset.hashes.items():
        if data.hashes.get(side) != stated_hash:
            data_hash = data.hashes.get(side, "none")
            yield f"{side} samples have the hash {stated_hash[:12]}; in {data.name} it is {data_hash[:12]}"
    compared_fields = Sample.model_fields.keys() - {"image", "more_images", "counterfactual", "twin"}
    data_samples = {sample.key: bundles.hidden_sample(sample) for sample in data}
    for row in {row.sample.key: row for row in rows}.values():
        sample = row.sample if run.samples == "hashes" else bundles.hidden_sample(row.sample)
        data_sample = data_samples.get(sample.key)
        if data_sample is None:
            yield f"{row.key.side} {row.key.sample} is not in {data.name}"
            continue
        changed = sorted(name for name in compared_fields if getattr(sample, name) != getattr(data_sample, name))
        if changed:
            yield f"{row.key.side} {row.key.sample} differs from {data.name} in {', '.join(changed)}"


def _check_verdicts(
    folder: RunFolder, exchanges: dict[Key, Exchange], run: BundledRun, notes: list[str]
) -> Iterator[str]:
    """Verdicts without an answer, and verdicts that an offline judge of this version does not give.

    Adds to `notes` which judges could not be asked again.
    """
    for label in folder.judges():
        verdicts = folder.judgements(label)
        for key in sorted(verdicts.keys() - exchanges.keys()):
            yield f"{_row_name(key)} has a verdict by {label} but no answer"
        judge = offline_judge(label)
        if run.samples == "hashes":
            notes.append(f"verdicts by {label} were counted but not checked: requests are hashes")
        elif judge is None:
            notes.append(f"verdicts by {label} were counted but not checked: it is no offline judge of this version")
        else:
            yield from _changed_verdicts(label, verdicts, exchanges, judge)


def _changed_verdicts(
    label: str, verdicts: Mapping[Key, Judgement], exchanges: Mapping[Key, Exchange], judge: Judge
) -> Iterator[str]:
    """Recorded verdicts that count as another outcome than what the judge says now."""
    for key, judgement in verdicts.items():
        exchange = exchanges.get(key)
        if exchange is None or not exchange.to_judge or judgement.digest != exchange.digest():
            continue
        recorded_label = outcome(exchange.answer, judgement.verdict).label
        label_now = outcome(exchange.answer, cast(Verdict, judge.verdict(exchange))).label
        if recorded_label != label_now:
            yield f"{_row_name(key)}: {label} reads it as {label_now}, but its verdict is {recorded_label}"


def _row_name(key: Key) -> str:
    """Side and id; also arm and epoch, if they are not plain and 1."""
    is_usual = key[2:] == ("plain", 1)
    return " ".join(map(str, key[:2] if is_usual else key))


def _keep_stated_fields(stated: JsonValue, recounted: JsonValue) -> JsonValue:
    """The recounted values without the fields that another version of mossbench did not state."""
    if isinstance(stated, dict) and isinstance(recounted, dict):
        return {name: _keep_stated_fields(stated[name], value) for name, value in recounted.items() if name in stated}
    if isinstance(stated, list) and isinstance(recounted, list) and len(stated) == len(recounted):
        return [_keep_stated_fields(old, new) for old, new in zip(stated, recounted, strict=True)]
    return recounted


def json_differences(stated: JsonValue, recounted: JsonValue, path: str = "") -> Iterator[str]:
    """Where the stated values differ from the recounted ones; `path` leads to the values in the file.

    A missing field is a difference, also if the other side has null: a reader of the file may not take one for the
    other.
    """
    if isinstance(stated, dict) and isinstance(recounted, dict):
        yield from _field_differences(stated, recounted, path)
    elif isinstance(stated, list) and isinstance(recounted, list) and len(stated) == len(recounted):
        for i, (old, new) in enumerate(zip(stated, recounted, strict=True)):
            yield from json_differences(old, new, f"{path}, {_element_name(new, i)}")
    elif not _are_equal(stated, recounted):
        yield f"{path or 'the content'} is {reprlib.repr(stated)}, the rows give {reprlib.repr(recounted)}"


def _field_differences(stated: dict[str, JsonValue], recounted: dict[str, JsonValue], path: str) -> Iterator[str]:
    fields_only_stated = sorted(stated.keys() - recounted.keys())
    for name in [*recounted, *fields_only_stated]:
        field_path = f"{path}, {name}" if path else name
        if name not in stated:
            yield f"{field_path} is missing, the rows give {reprlib.repr(recounted[name])}"
        elif name not in recounted:
            yield f"{field_path} is {reprlib.repr(stated[name])}, the rows give no such field"
        else:
            yield from json_differences(stated[name], recounted[name], field_path)


def _element_name(element: JsonValue, index: int) -> str:
    """The name of an element of a list: its side and group if it is a rate, otherwise its index."""
    if isinstance(element, dict) and "group" in element:
        return f"{element['side']} {element['group']}"
    return str(index)


def _are_equal(stated: JsonValue, recounted: JsonValue) -> bool:
    """Whether two values are equal; numbers may differ in the last digits."""
    if isinstance(stated, bool) or isinstance(recounted, bool):
        return stated is recounted  # to Python, true is 1
    if not _is_number(stated) or not _is_number(recounted):
        return stated == recounted
    try:
        return math.isclose(stated, recounted, rel_tol=_RELATIVE_TOLERANCE, abs_tol=_ABSOLUTE_TOLERANCE)
    except OverflowError:  # an integer that no float can hold
        return stated == recounted


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
