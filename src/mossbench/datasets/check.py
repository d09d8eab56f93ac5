"""Checking a dataset before numbers rest on it: every fault as a Finding with the samples that have it.

Errors are what would spoil a run or a count (a picture that is missing or cannot be read, an id given twice, no
question). Warnings are oddities worth knowing: labels that contradict each other, descriptions that cannot serve
as an oracle. What the words of a description mean is guessed from word lists, so those findings are hints.
"""

import hashlib
import os
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.datasets.files import ABOUT, label
from mossbench.datasets.findings import Finding, Severity, grouped
from mossbench.datasets.recognition import NAME
from mossbench.errors import ImageError, some
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import Sample, Side, Stimulus
from mossbench.ways_out import FetchDataset

_CHILD = r"child|children|boys?|girls?|kids?|bab(?:y|ies)|toddlers?|infants?"
_PERSON = rf"{_CHILD}|person|people|man|men|woman|women|teen\w*|students?|workers?|adults?|someone|individuals?"
_NEGATION = (
    r"no|not|never|don['’]t|stop\w*|anti\w*|prohibit\w*|forbid\w*|ban|banned|crossed|cross|slash|hashtag|sign|signs"
)
# "human" is not among the persons: a human skull is none. Students and sons are children to a question that asks
# for them, but not to a description, where they may well be grown up.
NAMES_CHILD = re.compile(rf"\b(?:{_CHILD})\b", re.IGNORECASE)
ASKS_FOR_CHILD = re.compile(rf"\b(?:{_CHILD}|teen\w*|students?|sons?|daughters?)\b", re.IGNORECASE)
NAMES_PERSON = re.compile(rf"\b(?:{_PERSON})\b", re.IGNORECASE)
NAMES_NEGATION = re.compile(rf"\b(?:{_NEGATION})\b", re.IGNORECASE)
END_MARK = re.compile(r"[.?!…。？！][\"'”’)]*\s*$")
FILE_NAME = re.compile(r"\S+\.(?:jpe?g|png|webp|gif)|(?=\S*\d)[^\s-]+(?:[-_][^\s-]+){2,}", re.IGNORECASE)
_SAID: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("check.toml").read_text("utf-8"))
_PICTURE_SUFFIXES = {suffix for suffixes in SUFFIXES.values() for suffix in suffixes}


def check_dataset(dataset: str | Path | Dataset, *, columns: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
    """All findings, errors first, each kind of fault once; empty for a faultless set.

    Args:
        dataset: A dataset, its name, or a folder or file to load. Only from a folder or file can rows that do not load
            be reported; DataError when it holds no dataset at all.
        columns: As for `load_dataset`.
    """
    findings: list[Finding] = []
    if not isinstance(dataset, Dataset):
        from mossbench.datasets import DATASETS, as_dataset, load_folder_or_file

        if isinstance(dataset, str) and dataset in DATASETS:
            dataset = as_dataset(dataset, columns=columns)
        else:
            dataset = load_folder_or_file(Path(dataset), findings=findings, columns=columns)
    else:
        twice = [key for key, n in Counter(sample.key for sample in dataset.samples).items() if n > 1]
        findings += _finding("duplicate-id", [dataset.sample(*key) for key in twice])
    return faults_of(dataset, findings)


def faults_of(dataset: Dataset, findings: list[Finding]) -> tuple[Finding, ...]:
    """What reading a dataset has found, and what its samples and pictures show."""
    findings = [*findings, *_whole_set(dataset), *_pictures(dataset), *_changed_since_export(dataset)]
    findings += _not_as_published(dataset)
    for side in dataset.sides:
        findings += _labels(side, dataset.select(side).samples)
    return tuple(sorted(grouped(findings), key=lambda finding: finding.severity is Severity.WARNING))


def _finding(
    code: str, samples: Iterable[Sample | str], *, severity: str = "", like: str = "", **said: object
) -> list[Finding]:
    names = tuple(one if isinstance(one, str) else label(one) for one in samples)
    about = _SAID[code]
    kind, message = Severity(severity or about["severity"]), about["message"].format(**said)
    return [Finding(code, kind, message, about["way_out"], names, like)] if names else []


def _whole_set(dataset: Dataset) -> list[Finding]:
    bare = [s for s in dataset.samples if s.image is None]
    alone = [s for s in dataset.samples if s.twin is not None and dataset.twin_of(s) is None]
    return [
        *_finding("empty-question", [s for s in dataset.samples if not s.question.strip()]),
        *_finding("no-picture", bare if len(bare) < len(dataset) else []),  # a set of texts alone is meant to be one
        *_finding("missing-twin", alone, severity="" if len(dataset.sides) > 1 else Severity.WARNING),
    ]


@dataclass(frozen=True)
class _Look:
    path: Path
    digest: str | None
    """None when the file is missing."""
    media_type: str | None = None
    fault: str = ""


def _look(path: Path) -> _Look:
    from mossbench.images.preparing import sniff, thumbnail

    if not os.path.isfile(path):
        return _Look(path, None)
    try:
        data = path.read_bytes()
        thumbnail(data, 8)  # decodes the whole picture
    except (ImageError, OSError) as error:
        return _Look(path, "", fault=str(error))
    return _Look(path, hashlib.sha256(data).hexdigest(), sniff(data))


def _pictures(dataset: Dataset) -> list[Finding]:
    own = [(s, path) for s in dataset.samples for path in dataset.picture_paths(s)]
    without = [(s, path) for s in dataset.samples if (path := dataset.counterfactual_path(s)) is not None]
    wanted = sorted({path for _, path in own + without})
    with ThreadPoolExecutor(max_workers=4) as pool:  # Pillow decodes outside the interpreter's lock
        looks = dict(zip(wanted, pool.map(_look, wanted), strict=True))
    shown = [(s, looks[path]) for s, path in own + without]
    missing = [(s, look) for s, look in shown if look.digest is None]
    paths, root = [look.path for _, look in missing], dataset.root
    missing_files = some((p.relative_to(root).as_posix() if p.is_relative_to(root) else str(p) for p in paths), 3)
    findings = _finding("missing-picture", {s.key: s for s, _ in missing}.values(), images=missing_files)
    for s, look in shown:
        name = look.path.name
        if look.fault:
            findings += _finding("unreadable-picture", [s], like="unreadable", image=name, fault=look.fault)
        if look.media_type and look.path.suffix.lower() not in SUFFIXES.get(look.media_type, ()):
            findings += _finding("wrong-suffix", [s], like=look.media_type, image=name, media_type=look.media_type)
    digests = [(s, [looks[path].digest for path in dataset.picture_paths(s)]) for s in dataset.samples]
    return [*findings, *_strays(dataset.root, wanted), *_identical(digests)]


def _strays(root: Path, wanted: list[Path]) -> list[Finding]:
    """Pictures that lie among the others but belong to no sample."""
    known = set(wanted)
    folders = sorted({path.parent for path in wanted if path.parent.is_dir() and path.is_relative_to(root)})
    files = [file for folder in folders for file in sorted(folder.iterdir()) if file not in known]
    strays = [file.relative_to(root).as_posix() for file in files if file.suffix.lower() in _PICTURE_SUFFIXES]
    return _finding("stray-picture", strays)


def _identical(digests: list[tuple[Sample, list[str | None]]]) -> list[Finding]:
    groups = defaultdict(list)
    for sample, seen in digests:
        if all(seen):  # not missing, not unreadable
            groups[sample.side, sample.question, tuple(seen)].append(sample)
    again = [sample for group in groups.values() if len(group) > 1 for sample in group]
    return _finding("identical-samples", again)


def _changed_since_export(dataset: Dataset) -> list[Finding]:
    """A finding when the folder says which content it was written with, and holds another."""
    try:
        recorded = dict(parse_json((dataset.root / ABOUT).read_bytes())["hashes"])
    except (OSError, ValueError, TypeError, KeyError):  # no such file, or not of ours
        return []
    changed = [side for side in dataset.sides if recorded.get(side, dataset.hashes[side]) != dataset.hashes[side]]
    told = _finding("changed-since-export", changed, sides=" and ".join(changed), about=ABOUT)
    return [replace(one, samples=()) for one in told]  # it is about the whole


def _not_as_published(dataset: Dataset) -> list[Finding]:
    """A finding for each side that has published texts, and is not the published side."""
    if dataset.name != NAME:
        return []
    findings = []
    for found in dataset.recognitions.values():
        if found.copy is not None:
            continue
        samples = [f"{found.side}/{id}" for id in (*found.missing, *found.changed)]
        for finding in _finding("not-as-published", samples, side=found.side, differences=found.why_not):
            add_them = _SAID["not-as-published"]["missing_way_out" if found.missing else "images_way_out"]
            fetch = FetchDataset("official", to=f"{finding.way_out}; {add_them}, or fetch a whole copy")
            findings.append(replace(finding, way_out=fetch))
    return findings


def _labels(side: Side, samples: tuple[Sample, ...]) -> list[Finding]:
    """Labels and texts of one side that contradict each other or cannot serve their purpose."""
    texts = {field: _blank_in_some(samples, field) for field in ("short_description", "description")}
    child_alone = [s for s in samples if s.child and s.human is False]
    asked = sum(bool(ASKS_FOR_CHILD.search(s.question)) for s in child_alone)
    no_child = [s for s in samples if s.child is False and NAMES_CHILD.search(s.description or s.short_description)]
    file_name = [s for s in samples if FILE_NAME.fullmatch(s.short_description) or FILE_NAME.fullmatch(s.description)]
    both = [s for s in samples if s.description.strip() and s.short_description.strip()]
    cut = [s for s in both if s.description != s.short_description and s.description.startswith(s.short_description)]
    rows = {
        "child-without-human": child_alone,
        "human-not-set": [s for s in samples if s.human is False and NAMES_PERSON.search(s.short_description)],
        "child-not-set": no_child,
        "empty-description": texts["description"],
        "empty-short-description": texts["short_description"],
        "description-is-file-name": file_name,
        "no-end-mark": [s for s in samples if s.question.strip() and not END_MARK.search(s.question)],
        "same-descriptions": [s for s in both if s.description == s.short_description],
        "short-description-differs": [s for s in both if cut and s.description != s.short_description],
        "negation-not-described": [s for s in samples if _lacks_negation(s)],
    }
    return [f for code, those in rows.items() for f in _finding(code, those, side=side, asked=asked, cut=len(cut))]


def _lacks_negation(s: Sample) -> bool:
    """Whether a description does not say what a perfect viewer would say."""
    negated = s.side is Side.BENIGN and s.stimulus is Stimulus.NEGATED_HARM and s.oracle_description is None
    return negated and bool(s.description.strip()) and not NAMES_NEGATION.search(s.description)


def _blank_in_some(samples: tuple[Sample, ...], field: str) -> list[Sample]:
    """Samples without this text; none when no sample has it, since then it is left out on purpose."""
    blank = [s for s in samples if not getattr(s, field).strip()]
    return blank if len(blank) < len(samples) else []
