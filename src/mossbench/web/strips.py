"""Strips: the outcomes of a run on all samples, drawn as a stripe for each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mossbench.outcomes import Kind, Layer
from mossbench.samples import Sample
from mossbench.web.loaded_run import LoadedRun

MAX_OWN_STRIPES = 600
"""The most samples that each have a stripe of their own; of more, a stripe would be narrower than a pixel."""


class StripPath(NamedTuple):
    """The stripes of one kind, as one path of SVG."""

    kind: str
    is_quiet: bool
    """Not refused, or not counted."""
    shape: str
    """Of the path, as in its attribute `d`."""


@dataclass(frozen=True)
class Strip:
    """The outcomes of one run on all samples: a stripe for each."""

    name: str
    paths: Sequence[StripPath]
    n_refused: int
    n: int
    """Samples that count."""


def make_strip(name: str, run: LoadedRun, samples: Sequence[Sample]) -> Strip:
    """One stripe a sample, drawn as one path for each kind; quiet where it was not refused."""
    stripes = []
    for sample in samples:
        rows = run.by_sample.get(sample.key)
        kind = rows[0].outcome.label if rows else ""
        stripes.append((kind, run.refusals.get(sample.key)))
    gap = 0.18 if len(samples) <= MAX_OWN_STRIPES else 0
    # Neighbours of one kind are drawn as one stripe where there are too many to see each.
    starts = [i for i, stripe in enumerate(stripes) if gap or i == 0 or stripes[i - 1] != stripe]
    shapes: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for start, end in zip(starts, [*starts[1:], len(stripes)], strict=False):
        kind, is_refused = stripes[start]
        if kind:
            width = f"{end - start - gap:g}"
            shapes[kind, is_refused is not True].append(f"M{start} 0h{width}v1h-{width}z")
    return Strip(
        name=name,
        paths=[StripPath(kind, is_quiet, "".join(parts)) for (kind, is_quiet), parts in shapes.items()],
        n_refused=sum(is_refused is True for _, is_refused in stripes),
        n=sum(is_refused is not None for _, is_refused in stripes),
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
