"""Strips: what a run made of all samples, drawn as a stripe for each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mossbench.outcomes import Kind, Layer
from mossbench.samples import Sample
from mossbench.web.loaded_run import LoadedRun

SINGLE = 600
"""Samples up to which each has a stripe of its own; more are no wider than a pixel."""


class StripPath(NamedTuple):
    """The stripes of one kind, as one path of SVG."""

    kind: str
    is_quiet: bool
    """Not refused, or not counted."""
    drawn: str


@dataclass(frozen=True)
class Strip:
    """What one run made of all samples: a stripe for each."""

    name: str
    paths: Sequence[StripPath]
    n_down: int
    n: int
    """Samples that count."""


def make_strip(name: str, run: LoadedRun, samples: Sequence[Sample]) -> Strip:
    """One stripe a sample, drawn as one path for each kind; quiet where it was not refused."""
    looks = []
    for sample in samples:
        rows = run.by_sample.get(sample.key)
        kind = rows[0].outcome.label if rows else ""
        looks.append((kind, run.turned_down.get(sample.key)))
    gap = 0.18 if len(samples) <= SINGLE else 0
    # Neighbours of one kind are one stripe where there are too many to be seen singly.
    starts = [i for i, look in enumerate(looks) if gap or i == 0 or looks[i - 1] != look]
    drawn: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for start, end in zip(starts, [*starts[1:], len(looks)], strict=False):
        kind, is_refused = looks[start]
        if kind:
            width = f"{end - start - gap:g}"
            drawn[kind, is_refused is not True].append(f"M{start} 0h{width}v1h-{width}z")
    return Strip(
        name=name,
        paths=[StripPath(kind, is_quiet, "".join(parts)) for (kind, is_quiet), parts in drawn.items()],
        n_down=sum(is_refused is True for _, is_refused in looks),
        n=sum(is_refused is not None for _, is_refused in looks),
    )


def kinds_in(strips: Sequence[Strip]) -> list[str]:
    """The outcomes that stripes show, in the order of the kinds: the legend."""
    order = [*Kind, *Layer]
    kinds = set[str]()
    for strip in strips:
        kinds.update(path.kind for path in strip.paths)
    return sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else -1, kind))


def refused_kinds_in(strips: Sequence[Strip]) -> set[str]:
    """The outcomes of which some stripe is drawn as refused: those that are not pale in the legend."""
    kinds = set[str]()
    for strip in strips:
        kinds.update(path.kind for path in strip.paths if not path.is_quiet)
    return kinds
