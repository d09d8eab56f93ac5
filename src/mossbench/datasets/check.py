"""Checks a dataset before it is used: each kind of fault is a Finding with the samples that have it.

Errors would spoil a run or a count (a picture that is missing or cannot be read, an id given twice, no question).
Warnings are worth knowing: labels that contradict each other, descriptions that cannot serve as an oracle. The meaning
of a description is guessed from word lists, so those findings are hints.
"""

import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mossbench.datasets.dataset import SUFFIXES, AnyData, Dataset
from mossbench.datasets.files import ABOUT, label
from mossbench.datasets.findings import Finding, Severity, grouped
from mossbench.datasets.recognition import NAME
from mossbench.errors import ImageError, n_of, some
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import Sample, Side, Stimulus
from mossbench.ways_out import FetchDataset, WayOut

_CHILD = r"child|children|boys?|girls?|kids?|bab(?:y|ies)|toddlers?|infants?"
_PERSON = rf"{_CHILD}|person|people|man|men|woman|women|teen\w*|students?|workers?|adults?|someone|individuals?"
_NEGATION = (
    r"no|not|never|don['’]t|stop\w*|anti\w*|prohibit\w*|forbid\w*|ban|banned|crossed|cross|slash|hashtag|sign|signs"
)
# "human" is not among the persons: a human skull is not a person. A student or a son in a question counts as a child,
# but not in a description, where they may well be grown up.
NAMES_CHILD = re.compile(rf"\b(?:{_CHILD})\b", re.IGNORECASE)
ASKS_FOR_CHILD = re.compile(rf"\b(?:{_CHILD}|teen\w*|students?|sons?|daughters?)\b", re.IGNORECASE)
NAMES_PERSON = re.compile(rf"\b(?:{_PERSON})\b", re.IGNORECASE)
NAMES_NEGATION = re.compile(rf"\b(?:{_NEGATION})\b", re.IGNORECASE)
END_MARK = re.compile(r"[.?!…。？！][\"'”’)]*\s*$")
FILE_NAME = re.compile(r"\S+\.(?:jpe?g|png|webp|gif)|(?=\S*\d)[^\s-]+(?:[-_][^\s-]+){2,}", re.IGNORECASE)
_PICTURE_SUFFIXES = set[str]().union(*SUFFIXES.values())


def check_dataset(dataset: AnyData, *, columns: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
    """All findings, errors first, each kind of fault once; empty if there are no faults.

    Args:
        dataset: A dataset, its name, a folder or file to load, or rows in memory. Rows that cannot be loaded
            are reported only for a folder or file; DataError if it is no dataset at all.
        columns: As for `load_dataset`.
    """
    findings: list[Finding] = []
    if isinstance(dataset, Dataset):
        return find_faults(dataset, _duplicate_ids(dataset))
    from mossbench.datasets import DATASETS, as_dataset, load_folder_or_file
    from mossbench.datasets.own_data import find_data_code

    is_file = isinstance(dataset, (str, Path)) and dataset not in DATASETS
    if not is_file or (isinstance(dataset, str) and find_data_code(dataset) is not None):
        return find_faults(as_dataset(dataset, columns=columns), findings)
    loaded = load_folder_or_file(Path(str(dataset)), findings=findings, columns=columns)
    return find_faults(loaded, findings)


def find_faults(dataset: Dataset, loading_findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings from loading a dataset, and what its samples and pictures show."""
    findings = [
        *loading_findings,
        *_check_samples(dataset),
        *_check_pictures(dataset),
        *_check_against_export(dataset),
        *_check_against_published(dataset),
    ]
    for side in dataset.sides:
        samples = dataset.select(side).samples
        findings += _check_flags(side, samples)
        findings += _check_texts(side, samples)
        findings += _check_oracle_texts(side, samples)
    return tuple(sorted(grouped(findings), key=lambda finding: finding.severity is Severity.WARNING))


def _fault(
    code: str,
    message: str,
    way_out: str | WayOut,
    samples: Iterable[Sample | str],
    *,
    severity: Severity = Severity.WARNING,
    like: str = "",
) -> list[Finding]:
    """One finding with the samples that have the fault; none if no sample has it."""
    names = tuple(sample if isinstance(sample, str) else label(sample) for sample in samples)
    return [Finding(code, severity, message, way_out, names, like)] if names else []


def _duplicate_ids(dataset: Dataset) -> list[Finding]:
    counts = Counter(sample.key for sample in dataset.samples)
    duplicates = [dataset.sample(side, id) for (side, id), n in counts.items() if n > 1]
    message = "more than one sample has this id"
    return _fault("duplicate-id", message, "give each its own id", duplicates, severity=Severity.ERROR)


def _check_samples(dataset: Dataset) -> list[Finding]:
    without_request = [s for s in dataset.samples if not s.question.strip()]
    without_image = [s for s in dataset.samples if s.image is None]
    without_twin = [s for s in dataset.samples if s.twin is not None and dataset.twin_of(s) is None]
    findings = _fault(
        "empty-question",
        "the request is empty",
        "write one, or remove the sample",
        without_request,
        severity=Severity.ERROR,
    )
    if len(without_image) < len(dataset):  # a set of texts alone is meant to have no images
        findings += _fault("no-image", "no image is given", "add one, unless none is intended", without_image)
    findings += _fault(
        "missing-twin",
        "its twin is missing from the other side",
        "add the twin, or leave the field empty",
        without_twin,
        severity=Severity.ERROR if len(dataset.sides) > 1 else Severity.WARNING,
    )
    return findings


@dataclass(frozen=True)
class _PictureFile:
    path: Path
    digest: str | None
    """None if the file is missing, empty if it cannot be read."""
    media_type: str | None = None
    fault: str = ""


def _read_picture_file(path: Path) -> _PictureFile:
    from mossbench.images.decoding import sniff
    from mossbench.images.preparing import thumbnail

    if not os.path.isfile(path):
        return _PictureFile(path, None)
    try:
        data = path.read_bytes()
        thumbnail(data, 8)  # decodes the whole picture
    except (ImageError, OSError) as error:
        return _PictureFile(path, "", fault=str(error))
    return _PictureFile(path, hashlib.sha256(data).hexdigest(), sniff(data))


def _check_pictures(dataset: Dataset) -> list[Finding]:
    pictures: list[tuple[Sample, Path]] = []
    counterfactuals: list[tuple[Sample, Path]] = []
    for sample in dataset.samples:
        named_paths = (*dataset.picture_paths(sample), *dataset.history_paths(sample))
        pictures += [(sample, path) for path in named_paths]
        counterfactual = dataset.counterfactual_path(sample)
        if counterfactual is not None:
            counterfactuals.append((sample, counterfactual))
    paths = sorted({path for _, path in pictures + counterfactuals})
    with ThreadPoolExecutor(max_workers=4) as pool:  # Pillow decodes outside the interpreter's lock
        files = dict(zip(paths, pool.map(_read_picture_file, paths), strict=True))
    named_files = [(sample, files[path]) for sample, path in pictures + counterfactuals]
    return [
        *_check_missing_files(named_files, dataset.root),
        *_check_file_contents(named_files),
        *_find_stray_pictures(dataset.root, paths),
        *_find_identical_samples(dataset, files),
    ]


def _check_missing_files(named_files: Iterable[tuple[Sample, _PictureFile]], root: Path) -> list[Finding]:
    missing = [(sample, file.path) for sample, file in named_files if file.digest is None]
    samples = {sample.key: sample for sample, _ in missing}
    names = [path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path) for _, path in missing]
    message = f"the image is missing: {some(names, 3)}"
    way_out = "add it, or fetch the dataset again"
    return _fault("missing-image", message, way_out, samples.values(), severity=Severity.ERROR)


def _check_file_contents(named_files: Iterable[tuple[Sample, _PictureFile]]) -> list[Finding]:
    findings: list[Finding] = []
    for sample, file in named_files:
        name = file.path.name
        if file.fault:
            message = f"{name} cannot be read: {file.fault}"
            findings += _fault(
                "unreadable-image", message, "replace it", [sample], severity=Severity.ERROR, like="unreadable"
            )
        if file.media_type and file.path.suffix.lower() not in SUFFIXES.get(file.media_type, ()):
            message = f"{name} contains {file.media_type}"
            way_out = "rename it for other programs; runs go by the content and are not affected"
            findings += _fault("wrong-suffix", message, way_out, [sample], like=file.media_type)
    return findings


def _find_stray_pictures(root: Path, named_paths: Iterable[Path]) -> list[Finding]:
    """Pictures in the folders of a dataset's pictures that belong to no sample."""
    named = set(named_paths)
    folders = sorted({path.parent for path in named if path.parent.is_dir() and path.is_relative_to(root)})
    strays: list[str] = []
    for folder in folders:
        files = [file for file in sorted(folder.iterdir()) if file not in named]
        strays += [file.relative_to(root).as_posix() for file in files if file.suffix.lower() in _PICTURE_SUFFIXES]
    return _fault("stray-image", "an image that no row refers to", "add its row, or remove it", strays)


def _find_identical_samples(dataset: Dataset, files: Mapping[Path, _PictureFile]) -> list[Finding]:
    groups = defaultdict(list)
    for sample in dataset.samples:
        digests = tuple(files[path].digest for path in dataset.picture_paths(sample))
        if all(digests):  # none is missing or unreadable
            groups[sample.side, sample.question, digests].append(sample)
    identical: list[Sample] = []
    for group in groups.values():
        if len(group) > 1:
            identical += group
    message = "another sample of this side has the same request and the same images"
    return _fault("identical-samples", message, "remove one: they count twice", identical)


def _check_against_export(dataset: Dataset) -> list[Finding]:
    """A finding if the folder records the hashes with which it was written, and its content has others."""
    try:
        recorded = dict(parse_json((dataset.root / ABOUT).read_bytes())["hashes"])
    except (OSError, ValueError, TypeError, KeyError):  # no such file, or one that an export did not write
        return []
    changed = [side for side in dataset.sides if recorded.get(side, dataset.hashes[side]) != dataset.hashes[side]]
    if not changed:
        return []
    message = f"the content of {' and '.join(changed)} has changed since the export that {ABOUT} describes"
    way_out = "if you edited it, export it again for a new hash; if not, get a new copy"
    return [Finding("changed-since-export", Severity.WARNING, message, way_out)]


def _check_against_published(dataset: Dataset) -> list[Finding]:
    """A finding for each side that has the published texts but is not the published side."""
    if dataset.name != NAME:
        return []
    findings: list[Finding] = []
    for recognition in dataset.recognitions.values():
        if recognition.copy is not None:
            continue
        side = recognition.side
        message = f"the {side.adjective} samples are not those of the published set: {recognition.why_not}"
        repair = (
            "add the samples that are missing" if recognition.missing else "use the published images of these samples"
        )
        way_out = FetchDataset(
            "official",
            to=f"boards do not accept runs on them as runs on the published set; {repair}, or fetch a complete copy",
        )
        samples = [f"{side}/{id}" for id in (*recognition.missing, *recognition.changed)]
        findings += _fault("not-as-published", message, way_out, samples)
    return findings


def _check_flags(side: Side, samples: Sequence[Sample]) -> list[Finding]:
    """Flags of one side that contradict each other or a description."""
    child_without_human = [s for s in samples if s.child and s.human is False]
    n_ask_for_child = sum(bool(ASKS_FOR_CHILD.search(s.question)) for s in child_without_human)
    human_not_set = [s for s in samples if s.human is False and NAMES_PERSON.search(s.short_description)]
    child_not_set = [
        s for s in samples if s.child is False and NAMES_CHILD.search(s.description or s.short_description)
    ]
    return [
        *_fault(
            "child-without-human",
            f"{side}: child is set, human is not ({n_ask_for_child} of the requests mention a child)",
            "read the flag as child in image or request, or correct it",
            child_without_human,
        ),
        *_fault(
            "human-not-set",
            f"{side}: human is not set though the short description names a person",
            "look at the image and correct the flag",
            human_not_set,
        ),
        *_fault(
            "child-not-set",
            f"{side}: child is not set though the description names a child",
            "look at the image and correct the flag",
            child_not_set,
        ),
    ]


def _check_texts(side: Side, samples: Sequence[Sample]) -> list[Finding]:
    """Texts of one side that are missing or look like a mistake."""
    file_names = [s for s in samples if FILE_NAME.fullmatch(s.short_description) or FILE_NAME.fullmatch(s.description)]
    without_end_mark = [s for s in samples if s.question.strip() and not END_MARK.search(s.question)]
    return [
        *_fault(
            "empty-description",
            f"{side}: the description is empty",
            "add a description",
            _blank_in_some(samples, "description"),
        ),
        *_fault(
            "empty-short-description",
            f"{side}: the short description is empty",
            "add a short description",
            _blank_in_some(samples, "short_description"),
        ),
        *_fault(
            "description-is-file-name", f"{side}: the description is a file name", "describe the image", file_names
        ),
        *_fault(
            "no-end-mark",
            f"{side}: the request ends without punctuation",
            "add it, or leave it as published",
            without_end_mark,
        ),
    ]


def _check_oracle_texts(side: Side, samples: Sequence[Sample]) -> list[Finding]:
    """Descriptions of one side that do not say what a perfect viewer would say."""
    with_both = [s for s in samples if s.description.strip() and s.short_description.strip()]
    same = [s for s in with_both if s.description == s.short_description]
    different = [s for s in with_both if s.description != s.short_description]
    n_cut = sum(s.description.startswith(s.short_description) for s in different)
    findings = _fault(
        "same-descriptions", f"{side}: the description is the same as the short description", "nothing to do", same
    )
    if n_cut:
        findings += _fault(
            "short-description-differs",
            f"{side}: the short description differs from the description; in {n_of(n_cut, 'sample')} it is its "
            "beginning, cut off",
            "use the long one",
            different,
        )
    findings += _fault(
        "negation-not-described",
        f"{side}: the description does not mention what negates the harm",
        "do not use it as the oracle description",
        [s for s in samples if _lacks_negation(s)],
    )
    return findings


def _lacks_negation(sample: Sample) -> bool:
    """Whether the description of a negated harm does not mention the negation."""
    is_negated = sample.side is Side.BENIGN and sample.stimulus is Stimulus.NEGATED_HARM
    if not is_negated or sample.oracle_description is not None:
        return False
    return bool(sample.description.strip()) and not NAMES_NEGATION.search(sample.description)


def _blank_in_some(samples: Sequence[Sample], field: str) -> list[Sample]:
    """Samples without this text; none if all samples lack it, since then it is left out on purpose."""
    blank = [sample for sample in samples if not getattr(sample, field).strip()]
    return blank if len(blank) < len(samples) else []
