"""Whether data are the published sets, and which copy of them, told by what no honest copy changes.

People hold the published images as the release has them, saved smaller, or in another format, so the hash of the bytes
tells nothing. A side is the published one when it has the same ids, each with the same request and the same labels, and
each image looks like the published image of its own id. `published.csv` has the facts to compare with: requests by
fingerprint, images by their hashes (`images.likeness`) and, where the release's own file was at hand, its SHA-256.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.errors import DataError, ImageError, n_of, some
from mossbench.images.likeness import Likeness, bits_apart, colours_apart, likeness_of
from mossbench.samples import FLAGS, Sample, Side, Stimulus

if TYPE_CHECKING:
    from mossbench.datasets.dataset import Dataset

FACTS = Path(__file__).with_name("published.csv")
NAME = "official"
"""What the published sets are called here."""
CHANGED = "official-changed"
"""What data are called on record that have published texts, and lack samples or have other images."""
MAX_BITS = 6
"""By how many of its 64 bits the perceptual hash of a copy may differ; `bench/recognition.py` shows what that finds."""
NEARER_BITS = 2
"""An image may be this many bits, of both hashes, nearer to another published image: saving it again moves it so far.

So an image that was saved again is not told from a published one that differs by less: nine benign images and that of
another id's harmful twin, which lacks only a small mark.
"""
MAX_COLOUR = 12
"""By how much of 255 the mean colour of a copy may differ."""
REDUCED_HASHES = {
    Side.BENIGN: "64d88df8c62138f50f83ef65fdfe3ebb16ec97b2bf2ed6e79d166007e6b4fef8",
    Side.CONTRAST: "eca44748e5a6b812e69d34d588c60051cd47c6ce043e68197024c9fad2996457",
}
"""Hashes of a reduced copy: runs and submissions that were made before copies were recognised state nothing else."""
_LABELS = (*FLAGS, "harm")
_N_NAMED = 5
"""How many differences a message names."""


class Copy(StrEnum):
    """How the images of the published sets were held."""

    RELEASE = "release"
    """The release's own files, wherever these are known; the others look the same."""
    REDUCED = "reduced"
    """Saved smaller than the release has them."""
    OTHER = "other"
    """Saved anew in another way."""


@dataclass(frozen=True)
class PublishedSample:
    """What is known of one published sample, without its text and its image."""

    side: Side
    id: str
    stimulus: Stimulus
    labels: Mapping[str, str]
    """Flags and harm class as they were published; none on the contrast side."""
    scene: str
    """Fingerprint of the scene; empty where it has none."""
    request: str
    """Fingerprint of the request."""
    likeness: Likeness | None
    """None where the image is not known; it has no size where only a copy was at hand."""
    sha256: str


@dataclass(frozen=True)
class Recognition:
    """What came of comparing one side of a dataset with the published one."""

    side: Side
    copy: Copy | None
    """None: it is not the published side."""
    differences: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Published ids that it lacks."""
    changed: tuple[str, ...] = ()
    """Ids of its samples that are not as published."""
    n_exact: int = 0
    """Images with the release's own bytes."""
    n_alike: int = 0
    """Images that look the same, and have other bytes."""
    most_bits: int = 0
    """By how many bits the perceptual hash of those differs at most."""

    @property
    def why_not(self) -> str:
        """The first differences in words; empty when it is the published side."""
        return listed(self.differences)


def listed(differences: Sequence[str]) -> str:
    """The first differences, and how many more there are."""
    shown = "; ".join(differences[:_N_NAMED])
    n_more = len(differences) - _N_NAMED
    return f"{shown}; and {n_more} more" if n_more > 0 else shown


def recognise(dataset: Dataset, side: Side) -> Recognition:
    """Compares one side of a dataset with the published one; images are read only where all texts are the same."""
    samples = [sample for sample in dataset.samples if sample.side is side]
    n_published = len(published_side(side))
    if len(samples) > 2 * n_published:  # nobody needs thousands of differences
        return Recognition(side, None, (f"{side}: {len(samples):,} samples, published {n_published}",))
    differences = tuple(text_differences(samples, side))
    if differences:
        changed = tuple(sample.id for sample in samples if any(changed_texts([sample])))
        return Recognition(side, None, differences, _missing_ids(samples, side), changed)
    if dataset.hashes[side] == REDUCED_HASHES[side]:
        return Recognition(side, Copy.REDUCED)  # images that were compared before
    # Decoding releases the interpreter's lock, so threads help; few of them, since large images take much memory.
    with ThreadPoolExecutor(max_workers=4) as pool:
        compared = list(pool.map(lambda sample: _compare_image(dataset, sample), samples))
    differences = tuple(one.difference for one in compared if one.difference)
    if differences:
        changed = tuple(sample.id for sample, one in zip(samples, compared, strict=True) if one.difference)
        return Recognition(side, None, differences, changed=changed)
    return Recognition(
        side,
        copy=_copy_of(compared),
        n_exact=sum(one.exact for one in compared),
        n_alike=sum(one.bits is not None for one in compared),
        most_bits=max((one.bits for one in compared if one.bits is not None), default=0),
    )


def copies_in_words(copies: Iterable[str]) -> str:
    """`release copy`, or `release and reduced copies`; empty for none."""
    found = list(dict.fromkeys(copies))
    if not found:
        return ""
    return f"{' and '.join(found)} {'copy' if len(found) == 1 else 'copies'}"


def title_on_record(name: str, copies: Iterable[str]) -> str:
    """A dataset by name, and by the copy where it is a published one: `official (release copy)`."""
    words = copies_in_words(copies)
    return f"{name} ({words})" if words and name == NAME else name


def why_not_published(dataset: Dataset) -> tuple[str, ...]:
    """Why data with published texts are not the published set, a line for each side; none for all other data."""
    if dataset.name != NAME:
        return ()
    return tuple(
        f"the {found.side} samples are not those of the published set: {found.why_not}"
        for found in dataset.recognitions.values()
        if found.copy is None
    )


def name_on_record(dataset: Dataset) -> str:
    """The name that runs and boards know a dataset by: only what was found to be the published set is `official`."""
    if dataset.name == NAME and set(dataset.copies) != set(dataset.sides):
        return CHANGED
    return dataset.name


def text_differences(samples: Iterable[Sample], side: Side) -> Iterator[str]:
    """In what the ids, requests and labels of one side are not the published ones."""
    samples = list(samples)
    missing = _missing_ids(samples, side)
    if missing:
        yield f"{side}: {n_of(len(missing), 'id')} missing ({some(missing, _N_NAMED)})"
    yield from changed_texts(samples)


def _missing_ids(samples: Iterable[Sample], side: Side) -> tuple[str, ...]:
    """The published ids that no sample has, in their order."""
    there = {sample.id for sample in samples}
    return tuple(id for id in published_side(side) if id not in there)


def changed_texts(samples: Iterable[Sample]) -> Iterator[str]:
    """How samples differ from the published ones of their ids; it is no difference that others are missing."""
    for sample in samples:
        published = published_side(sample.side).get(sample.id)
        if published is None:
            yield f"{sample.side}/{sample.id}: no such id was published"
        else:
            yield from sample_differences(sample, published)


def sample_differences(sample: Sample, published: PublishedSample) -> Iterator[str]:
    """How request and labels of a sample differ from those of the published one; a space is a difference."""
    place = f"{sample.side}/{sample.id}"
    if fingerprint(sample.question) != published.request:
        yield f"{place}: the request differs"
    if sample.stimulus is not published.stimulus:
        yield f"{place}: the stimulus is {sample.stimulus or 'none'}, published {published.stimulus}"
    for name in _LABELS:
        label = _label(getattr(sample, name))
        # The published contrast samples have none; a copy may have those of the benign sample of the same id.
        if name in published.labels and label != published.labels[name]:
            yield f"{place}: {name} is {label or 'not stated'}, published {published.labels[name]}"


@dataclass(frozen=True)
class _Compared:
    """One image beside the published image of its id."""

    exact: bool = False
    """Whether it has the release's own bytes."""
    bits: int | None = None
    """By how much the hash of an image differs that looks the same and has other bytes."""
    difference: str = ""
    """Why it is not the published image; empty where it is, or where nobody can tell."""
    saved_anew: bool = False
    """Whether the release's own bytes are known, and it has others."""
    smaller: bool = False
    larger: bool = False


def _compare_image(dataset: Dataset, sample: Sample) -> _Compared:
    published = published_side(sample.side)[sample.id]
    place = f"{sample.side}/{sample.id}"
    if len(sample.images) != 1:
        return _Compared(difference=f"{place}: has {n_of(len(sample.images), 'image')}, published one")
    if published.likeness is None:
        return _Compared()  # nobody knows the image: its text decides
    try:
        sha256 = dataset.picture_sha256(sample)
        if sha256 == published.sha256:
            return _Compared(exact=True)
        if published.sha256 and sha256 in _published_files():
            return _Compared(difference=f"{place}: another image: the file of {_published_files()[sha256]}")
        likeness = likeness_of(dataset.picture(sample))
    except (DataError, ImageError) as error:
        return _Compared(difference=f"{place}: {error}")
    difference = image_difference(likeness, published)
    if difference:
        return _Compared(difference=f"{place}: {difference}")
    width = published.likeness.width
    return _Compared(
        bits=bits_apart(likeness.perceptual, published.likeness.perceptual),
        saved_anew=bool(published.sha256),
        smaller=0 < likeness.width < width,
        larger=0 < width < likeness.width,
    )


def image_difference(found: Likeness, published: PublishedSample) -> str:
    """Why an image is not the published one; empty when it is."""
    own = published.likeness
    if own is None:
        return ""
    bits = bits_apart(found.perceptual, own.perceptual)
    if bits > MAX_BITS:
        return f"another image: its hash differs in {bits} of 64 bits, at most {MAX_BITS} may"
    # Some images differ only by a mark, such as a red cross: one exchanged for the other is nearer to that other.
    nearer = _nearer_to_another(found, own)
    if nearer is not None:
        return f"another image: it is nearer to that of {nearer.side}/{nearer.id}"
    colour = colours_apart(found.colour, own.colour)
    if colour > MAX_COLOUR:
        return f"recoloured: its mean colour differs by {colour} of 255, at most {MAX_COLOUR} may"
    return ""


def _nearer_to_another(found: Likeness, own: Likeness) -> PublishedSample | None:
    own_distance = _distance(found, own)
    if own_distance <= NEARER_BITS:
        return None
    for side in Side:
        for other in published_side(side).values():
            if other.likeness is not None and _distance(found, other.likeness) < own_distance - NEARER_BITS:
                return other
    return None


def _distance(first: Likeness, second: Likeness) -> int:
    return bits_apart(first.perceptual, second.perceptual) + bits_apart(first.gradient, second.gradient)


def _copy_of(compared: list[_Compared]) -> Copy:
    if any(one.exact for one in compared) and not any(one.saved_anew for one in compared):
        return Copy.RELEASE
    if any(one.smaller for one in compared) and not any(one.larger for one in compared):
        return Copy.REDUCED
    return Copy.OTHER


def fingerprint(text: str | None) -> str:
    """Eight hex digits that stand for a request or a scene where its text may not be shipped; none for no text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8] if text else ""


def _label(value: object) -> str:
    """A flag or a harm class as a number; empty where it is not stated."""
    return "" if value is None else str(int(value))  # type: ignore[call-overload]


@cache
def published_side(side: Side) -> dict[str, PublishedSample]:
    """The published samples of one side by id."""
    return {sample.id: sample for sample in _published() if sample.side is side}


@cache
def _published_files() -> dict[str, str]:
    """Which sample each file of the release belongs to, by SHA-256; the first, where several have the same."""
    files: dict[str, str] = {}
    for sample in _published():
        if sample.sha256:
            files.setdefault(sample.sha256, f"{sample.side}/{sample.id}")
    return files


@cache
def identity(side: Side) -> str:
    """What stands for the published side where datasets are told apart by hash, whichever copy was asked."""
    facts = [
        " ".join([sample.id, sample.stimulus, *(sample.labels.get(name, "-") for name in _LABELS), sample.request])
        for sample in published_side(side).values()
    ]
    return hashlib.sha256("\n".join([f"published {side}", *facts]).encode()).hexdigest()


@cache
def _published() -> tuple[PublishedSample, ...]:
    text = FACTS.read_text("utf-8")
    return tuple(_read_sample(line) for line in csv.DictReader(text.splitlines()))


def _read_sample(line: dict[str, str]) -> PublishedSample:
    return PublishedSample(
        side=Side(line["side"]),
        id=line["id"],
        stimulus=Stimulus.parse(line["stimulus"]),
        labels={name: line[name] for name in _LABELS if line[name]},
        scene=line["scene"],
        request=line["request"],
        likeness=_read_likeness(line) if line["phash"] else None,
        sha256=line["sha256"],
    )


def _read_likeness(line: dict[str, str]) -> Likeness:
    red, green, blue, spread = bytes.fromhex(line["colour"])
    return Likeness(
        perceptual=int(line["phash"], 16),
        gradient=int(line["dhash"], 16),
        colour=(red, green, blue, spread),
        width=int(line["width"] or 0),
        height=int(line["height"] or 0),
    )
