"""Tables that lie beside the one that is read, and what they say otherwise.

The published records come as JSON, as CSV and as a script of the web site, one's own as `metadata` in several formats.
Whoever has two of them, one of them edited, is told that they differ: only one is read.
"""

from collections.abc import Iterable, Mapping, Sequence

from mossbench.errors import n_of, some
from mossbench.samples import FLAGS, Sample

_FIELDS = {
    "request": ("question",),
    "image": ("image",),
    "stimulus": ("stimulus",),
    "harm": ("harm",),
    "flags": FLAGS,
    "description": ("short_description", "description"),
    "twin": ("twin",),
    "columns of your own": ("metadata",),  # a cell of CSV has no type, so their texts are compared
}
"""What a message calls the fields of a sample that a table gives."""
_N_NAMED = 5


def describe_differences(read: Sequence[Sample], other: Sequence[Sample]) -> tuple[str, list[str]]:
    """What differs between two readings of the same samples, in words, and which they are; empty: nothing does.

    Samples go by their ids, and by side and id where there are both sides.
    """
    has_both_sides = len({sample.side for sample in (*read, *other)}) > 1
    ours = _by_name(read, has_both_sides)
    theirs = _by_name(other, has_both_sides)
    parts = []
    differing: list[str] = []
    only_read = ours.keys() - theirs.keys()
    only_other = theirs.keys() - ours.keys()
    for names, where in ((only_read, "only in the one that is read"), (only_other, "only in the other")):
        if names:
            parts.append(f"{n_of(len(names), 'id')} {where} ({_listed(names)})")
            differing += _sorted(names)
    in_both = ours.keys() & theirs.keys()
    for what, fields in _FIELDS.items():
        names = {name for name in in_both if _values(ours[name], fields) != _values(theirs[name], fields)}
        if names:
            parts.append(f"{what} of {n_of(len(names), 'sample')} ({_listed(names)})")
            differing += _sorted(names)
    return ", ".join(parts), list(dict.fromkeys(differing))


def _by_name(samples: Sequence[Sample], has_both_sides: bool) -> dict[str, Sample]:
    return {f"{sample.side}/{sample.id}" if has_both_sides else sample.id: sample for sample in samples}


def _values(sample: Sample, fields: Iterable[str]) -> tuple[object, ...]:
    return tuple(
        _as_text(getattr(sample, field)) if field == "metadata" else getattr(sample, field) for field in fields
    )


def _as_text(metadata: Mapping[str, object]) -> dict[str, str]:
    """The values as a CSV has them; those that are not given are left out."""
    given = {name: value for name, value in metadata.items() if value not in (None, "")}
    return {name: str(value).strip().lower().removesuffix(".0") for name, value in given.items()}


def _listed(names: Iterable[str]) -> str:
    return some(_sorted(names), _N_NAMED)


def _sorted(ids: Iterable[str]) -> list[str]:
    """In the order of their numbers, where they are numbers."""
    return sorted(ids, key=lambda id: (not id.isdecimal(), int(id) if id.isdecimal() else 0, id))
