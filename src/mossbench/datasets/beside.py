"""Tables that lie beside the one that is read, and what they say otherwise.

The published records come as JSON, as CSV and as a script of the web site. Whoever has two of them, one of them edited,
is told that they differ: only one is read.
"""

from collections.abc import Iterable, Sequence

from mossbench.errors import n_of, some
from mossbench.samples import FLAGS, Sample

_FIELDS = {
    "request": ("question",),
    "image": ("image",),
    "stimulus": ("stimulus",),
    "harm": ("harm",),
    "flags": FLAGS,
    "description": ("short_description", "description"),
}
"""What a message calls the fields of a sample that a table gives."""
_N_NAMED = 5


def describe_differences(read: Sequence[Sample], other: Sequence[Sample]) -> tuple[str, list[str]]:
    """What differs between two readings of one side, in words, and the ids of those samples; empty: nothing does."""
    ours = {sample.id: sample for sample in read}
    theirs = {sample.id: sample for sample in other}
    parts = []
    differing: list[str] = []
    for ids, where in (
        (ours.keys() - theirs.keys(), "only in the one that is read"),
        (theirs.keys() - ours.keys(), "only in the other"),
    ):
        if ids:
            parts.append(f"{n_of(len(ids), 'id')} {where} ({_named(ids)})")
            differing += _sorted(ids)
    for name, fields in _FIELDS.items():
        ids = {id for id in ours.keys() & theirs.keys() if _values(ours[id], fields) != _values(theirs[id], fields)}
        if ids:
            parts.append(f"{name} of {n_of(len(ids), 'sample')} ({_named(ids)})")
            differing += _sorted(ids)
    return ", ".join(parts), list(dict.fromkeys(differing))


def _values(sample: Sample, fields: Iterable[str]) -> tuple[object, ...]:
    return tuple(getattr(sample, field) for field in fields)


def _named(ids: Iterable[str]) -> str:
    return some(_sorted(ids), _N_NAMED)


def _sorted(ids: Iterable[str]) -> list[str]:
    """In the order of their numbers, where they are numbers."""
    return sorted(ids, key=lambda id: (not id.isdecimal(), int(id) if id.isdecimal() else 0, id))
