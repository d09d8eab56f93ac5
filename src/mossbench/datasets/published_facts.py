"""The facts about the published sets that may be shipped, and that data are compared with to recognise them.

`published.csv` has no text and no image: fingerprints of requests, hashes of how images look (`images.likeness`) and,
if the release's own file was available, its SHA-256.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mossbench.images.likeness import Likeness
from mossbench.samples import FLAGS, Side, Stimulus

FACTS = Path(__file__).with_name("published.csv")
LABELS = (*FLAGS, "harm")
"""The labels of published samples: flags, and the class of harm."""


@dataclass(frozen=True)
class PublishedSample:
    """The facts about a published sample, without its text and its image."""

    side: Side
    id: str
    stimulus: Stimulus
    labels: Mapping[str, str]
    """Flags and harm class as published; none on the contrast side."""
    scene: str
    """Fingerprint of the scene; empty if it has none."""
    request: str
    """Fingerprint of the request."""
    likeness: Likeness | None
    """None if the image is not known; without a size if only a copy was available."""
    sha256: str


@cache
def published_side(side: Side) -> dict[str, PublishedSample]:
    """The published samples of one side by id."""
    return {sample.id: sample for sample in _published() if sample.side is side}


@cache
def published_files() -> dict[str, str]:
    """SHA-256 of a file of the release -> its sample; the first, if several samples have the same file."""
    files: dict[str, str] = {}
    for sample in _published():
        if sample.sha256:
            files.setdefault(sample.sha256, f"{sample.side}/{sample.id}")
    return files


@cache
def identity(side: Side) -> str:
    """A hash for the published side that is the same for all copies."""
    lines = [f"published {side}"]
    for sample in published_side(side).values():
        labels = [sample.labels.get(name, "-") for name in LABELS]
        lines.append(" ".join([sample.id, sample.stimulus, *labels, sample.request]))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def _published() -> tuple[PublishedSample, ...]:
    text = FACTS.read_text("utf-8")
    return tuple(_read_sample(line) for line in csv.DictReader(text.splitlines()))


def _read_sample(line: dict[str, str]) -> PublishedSample:
    return PublishedSample(
        side=Side(line["side"]),
        id=line["id"],
        stimulus=Stimulus.parse(line["stimulus"]),
        labels={name: line[name] for name in LABELS if line[name]},
        scene=line["scene"],
        request=line["request"],
        likeness=_read_likeness(line) if line["phash"] else None,
        sha256=line["sha256"],
    )


def _read_likeness(line: dict[str, str]) -> Likeness:
    red, green, blue, chroma = bytes.fromhex(line["colour"])
    return Likeness(
        perceptual=int(line["phash"], 16),
        gradient=int(line["dhash"], 16),
        colour=(red, green, blue, chroma),
        width=int(line["width"] or 0),
        height=int(line["height"] or 0),
    )


def fingerprint(text: str | None) -> str:
    """Eight hex digits for a request or scene whose text may not be shipped; empty for no text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8] if text else ""
