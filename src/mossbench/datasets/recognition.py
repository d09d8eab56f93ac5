"""Whether data are the published sets, and which copy of them.

People have the published images as in the release, saved smaller, or in another format, so that the hash of the bytes
is no evidence. A side is the published one if it has the same ids, each with the same request and labels, and if each
image looks like the published image of its id. `published_facts` has what is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mossbench.datasets.published_facts import LABELS, PublishedSample, fingerprint, published_files, published_side
from mossbench.errors import DataError, ImageError, n_of, some
from mossbench.images.likeness import Likeness, bits_apart, colours_apart, likeness_of
from mossbench.samples import Sample, Side

if TYPE_CHECKING:
    from mossbench.datasets.dataset import Dataset

NAME = "official"
"""Our name for the published sets."""
CHANGED = "official-changed"
"""The name in results for data that have the published texts but lack samples or have other images."""
MAX_BITS = 6
"""How many of its 64 bits may differ in the perceptual hash of a copy; measured by `bench/recognition.py`."""
NEARER_BITS = 2
"""An image may be this many bits, of both hashes, nearer to another published image: saving it again changes so much.

So an image that was saved again cannot be distinguished from a published one that differs by less: nine benign images
from that of another id's harmful twin, which lacks only a small mark.
"""
MAX_COLOUR = 12
"""How much each of the four means in `Likeness.colour` may differ, of 255: red, green, blue, and chroma.

Chroma is the strongest channel of a pixel less its weakest: an image that was made grey may keep its mean colour.
"""
REDUCED_HASHES = {
    Side.BENIGN: "64d88df8c62138f50f83ef65fdfe3ebb16ec97b2bf2ed6e79d166007e6b4fef8",
    Side.CONTRAST: "eca44748e5a6b812e69d34d588c60051cd47c6ce043e68197024c9fad2996457",
}
"""Hashes of a reduced copy: the only record in runs and submissions from before copies were recognised."""
_N_NAMED = 5
"""How many differences a message names."""


class Copy(StrEnum):
    """In which form somebody has the images of the published sets."""

    RELEASE = "release"
    """All images whose files in the release are known are those files; the others look the same."""
    REDUCED = "reduced"
    """Saved smaller than in the release."""
    OTHER = "other"
    """Saved again in another way."""


@dataclass(frozen=True)
class Recognition:
    """One side of a dataset compared with the published one."""

    side: Side
    copy: Copy | None
    """None if it is not the published side."""
    differences: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Published ids that the dataset does not have."""
    changed: tuple[str, ...] = ()
    """Ids of samples that differ from the published ones."""
    n_exact: int = 0
    """Images with the release's own bytes."""
    n_alike: int = 0
    """Images that look the same but have other bytes."""
    most_bits: int = 0
    """The largest number of bits in which the perceptual hash of such an image differs."""

    @property
    def why_not(self) -> str:
        """The first differences in words; empty if it is the published side."""
        return listed(self.differences)


def listed(differences: Sequence[str]) -> str:
    """The first differences, and how many more there are."""
    shown = "; ".join(differences[:_N_NAMED])
    n_more = len(differences) - _N_NAMED
    return f"{shown}; and {n_more} more" if n_more > 0 else shown


def recognise(dataset: Dataset, side: Side) -> Recognition:
    """Compares one side of a dataset with the published one; images are read only if no text differs."""
    n_samples = dataset.n_by_side.get(side, 0)
    n_published = len(published_side(side))
    if n_samples > 2 * n_published:  # other data: a list of all differences would only be long
        return Recognition(side, None, (f"{side}: {n_samples:,} samples, published {n_published}",))
    samples = [sample for sample in dataset.samples if sample.side is side]
    differences = tuple(text_differences(samples, side))
    if differences:
        changed = tuple(sample.id for sample in samples if any(changed_texts([sample])))
        return Recognition(side, None, differences, _missing_ids(samples, side), changed)
    if dataset.hashes[side] == REDUCED_HASHES[side]:
        return Recognition(side, Copy.REDUCED)  # these images were compared once and for all
    return _recognise_images(dataset, side, samples)


def _recognise_images(dataset: Dataset, side: Side, samples: Sequence[Sample]) -> Recognition:
    """Compares the images of a side whose texts are the published ones."""
    # Decoding releases the interpreter's lock, so threads help; few of them, since large images take much memory.
    with ThreadPoolExecutor(max_workers=4) as pool:
        comparisons = list(pool.map(lambda sample: _compare_image(dataset, sample), samples))
    differences = tuple(comparison.difference for comparison in comparisons if comparison.difference)
    if differences:
        pairs = zip(samples, comparisons, strict=True)
        changed = tuple(sample.id for sample, comparison in pairs if comparison.difference)
        return Recognition(side, None, differences, changed=changed)
    bits = [comparison.bits for comparison in comparisons if comparison.bits is not None]
    return Recognition(
        side,
        copy=_which_copy(comparisons),
        n_exact=sum(comparison.is_exact for comparison in comparisons),
        n_alike=len(bits),
        most_bits=max(bits, default=0),
    )


def copies_in_words(copies: Iterable[str]) -> str:
    """`release copy`, or `release and reduced copies`; empty for none."""
    names = list(dict.fromkeys(copies))
    if not names:
        return ""
    noun = "copy" if len(names) == 1 else "copies"
    return f"{' and '.join(names)} {noun}"


def title_on_record(name: str, copies: Iterable[str]) -> str:
    """The name of a dataset, with the copy if it is a published one: `official (release copy)`."""
    words = copies_in_words(copies)
    return f"{name} ({words})" if words and name == NAME else name


def why_not_published(dataset: Dataset) -> tuple[str, ...]:
    """Why data with published texts are not the published set, a line for each side; empty for all other data."""
    if dataset.name != NAME:
        return ()
    return tuple(
        f"the {recognition.side.adjective} samples are not those of the published set: {recognition.why_not}"
        for recognition in dataset.recognitions.values()
        if recognition.copy is None
    )


def name_on_record(dataset: Dataset) -> str:
    """The name of a dataset in runs and on boards: it is `official` only if it was recognised as the published set."""
    if dataset.name == NAME and set(dataset.copies) != set(dataset.sides):
        return CHANGED
    return dataset.name


def text_differences(samples: Iterable[Sample], side: Side) -> Iterator[str]:
    """How the ids, requests and labels of one side differ from the published ones."""
    samples = list(samples)
    missing = _missing_ids(samples, side)
    if missing:
        yield f"{side}: {n_of(len(missing), 'id')} missing ({some(missing, _N_NAMED)})"
    yield from changed_texts(samples)


def _missing_ids(samples: Iterable[Sample], side: Side) -> tuple[str, ...]:
    """The published ids that no sample has, in their order."""
    ids = {sample.id for sample in samples}
    return tuple(id for id in published_side(side) if id not in ids)


def changed_texts(samples: Iterable[Sample]) -> Iterator[str]:
    """How samples differ from the published ones with their ids; missing samples are no difference here."""
    for sample in samples:
        published = published_side(sample.side).get(sample.id)
        if published is None:
            yield f"{sample.side}/{sample.id}: this id was not published"
        else:
            yield from sample_differences(sample, published)


def sample_differences(sample: Sample, published: PublishedSample) -> Iterator[str]:
    """How the request and labels of a sample differ from the published ones; even a space is a difference."""
    place = f"{sample.side}/{sample.id}"
    if fingerprint(sample.question) != published.request:
        yield f"{place}: the request differs"
    if sample.stimulus is not published.stimulus:
        yield f"{place}: the stimulus is {sample.stimulus or 'none'}, published {published.stimulus}"
    for name in LABELS:
        label = _label(getattr(sample, name))
        # Published contrast samples have no labels; a copy may have those of the benign sample with the same id.
        if name in published.labels and label != published.labels[name]:
            yield f"{place}: {name} is {label or 'not stated'}, published {published.labels[name]}"


@dataclass(frozen=True)
class _ImageComparison:
    """An image compared with the published image of its id."""

    is_exact: bool = False
    """Whether it has the release's own bytes."""
    bits: int | None = None
    """In how many bits the hash of an image differs that looks the same but has other bytes."""
    difference: str = ""
    """Why it is not the published image; empty if it is, or if the published image is not known."""
    is_saved_again: bool = False
    """Whether the release's own bytes are known, and it has others."""
    is_smaller: bool = False
    is_larger: bool = False


def _compare_image(dataset: Dataset, sample: Sample) -> _ImageComparison:
    published = published_side(sample.side)[sample.id]
    place = f"{sample.side}/{sample.id}"
    if len(sample.images) != 1:
        return _ImageComparison(difference=f"{place}: has {n_of(len(sample.images), 'image')}; one was published")
    if published.likeness is None:
        return _ImageComparison()  # nothing to compare with: the texts decide
    try:
        sha256 = dataset.picture_sha256(sample)
        if sha256 == published.sha256:
            return _ImageComparison(is_exact=True)
        if published.sha256 and sha256 in published_files():
            return _ImageComparison(difference=f"{place}: a different image: the file of {published_files()[sha256]}")
        likeness = likeness_of(dataset.picture(sample))
    except (DataError, ImageError) as error:
        return _ImageComparison(difference=f"{place}: {error}")
    difference = image_difference(likeness, published)
    if difference:
        return _ImageComparison(difference=f"{place}: {difference}")
    published_width = published.likeness.width
    return _ImageComparison(
        bits=bits_apart(likeness.perceptual, published.likeness.perceptual),
        is_saved_again=bool(published.sha256),
        is_smaller=0 < likeness.width < published_width,
        is_larger=0 < published_width < likeness.width,
    )


def image_difference(likeness: Likeness, published: PublishedSample) -> str:
    """Why an image is not the published one; empty if it is."""
    expected = published.likeness
    if expected is None:
        return ""
    bits = bits_apart(likeness.perceptual, expected.perceptual)
    if bits > MAX_BITS:
        return f"a different image: its hash differs in {bits} of 64 bits (maximum {MAX_BITS})"
    # Some published images differ only by a mark, such as a red cross. If one replaces the other, it is found here.
    nearer = _nearer_published_sample(likeness, expected)
    if nearer is not None:
        return f"a different image: it is closer to that of {nearer.side}/{nearer.id}"
    colour_difference = colours_apart(likeness.colour, expected.colour)
    if colour_difference > MAX_COLOUR:
        return f"recoloured: its mean colour or chroma differs by {colour_difference} of 255 (maximum {MAX_COLOUR})"
    return ""


def _nearer_published_sample(likeness: Likeness, expected: Likeness) -> PublishedSample | None:
    """A published sample whose image is clearly nearer than the expected one; None if there is none."""
    expected_distance = _distance(likeness, expected)
    if expected_distance <= NEARER_BITS:
        return None
    for side in Side:
        for sample in published_side(side).values():
            if sample.likeness is None:
                continue
            if _distance(likeness, sample.likeness) < expected_distance - NEARER_BITS:
                return sample
    return None


def _distance(first: Likeness, second: Likeness) -> int:
    return bits_apart(first.perceptual, second.perceptual) + bits_apart(first.gradient, second.gradient)


def _which_copy(comparisons: list[_ImageComparison]) -> Copy:
    """In which form the images are, given that all of them are the published ones."""
    is_saved_again = any(comparison.is_saved_again for comparison in comparisons)
    if any(comparison.is_exact for comparison in comparisons) and not is_saved_again:
        return Copy.RELEASE
    has_larger = any(comparison.is_larger for comparison in comparisons)
    if any(comparison.is_smaller for comparison in comparisons) and not has_larger:
        return Copy.REDUCED
    return Copy.OTHER


def _label(value: object) -> str:
    """A flag or a harm class as a number; empty if it is not stated."""
    return "" if value is None else str(int(value))  # type: ignore[call-overload]
