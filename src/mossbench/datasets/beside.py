"""How two tables of the same samples in one folder differ; only one of them is read.

The published records come as JSON, as CSV and as a script of the web site, a user's own as `metadata` in several
formats. If a folder has two of them and one was edited, the user learns that they differ.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mossbench.errors import n_of, some
from mossbench.samples import FLAGS, Sample, value_text

_FIELDS = {
    "request": ("question",),
    "image": ("image",),
    "further images": ("more_images",),
    "stimulus": ("stimulus",),
    "harm": ("harm",),
    "flags": FLAGS,
    "description": ("short_description", "description"),
    "oracle texts": ("oracle_description", "oracle_intent"),
    "explicit request": ("explicit_request",),
    "counterfactual image": ("counterfactual",),
    "trigger regions": ("triggers",),
    "scene": ("cluster",),
    "twin": ("twin",),
    "earlier messages": ("history",),
    "columns of your own": ("metadata",),
}
"""What a message calls the fields of a sample that a table gives."""
_N_NAMED = 5
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)?(?:(?<=\d)\.?|\.\d+)(?:[eE][+-]\d+)?", re.ASCII)
"""A number as programs write it; 007 and 2.0.0 are names."""
_TRUTHS = ("true", "false")


class _Name(NamedTuple):
    """By which samples are compared: the id, and the side if there are both sides."""

    side: str
    id: str

    @property
    def label(self) -> str:
        return f"{self.side}/{self.id}" if self.side else self.id

    @property
    def order(self) -> tuple[str, bool, int, str]:
        """By side, then numbers by their value, then other ids; a number may have any number of digits."""
        if not self.id.isdecimal():
            return self.side, True, 0, self.id
        digits = self.id.lstrip("0")
        return self.side, False, len(digits), digits


def describe_differences(read: Sequence[Sample], other: Sequence[Sample]) -> tuple[str, list[str]]:
    """What differs between two readings of the same samples, in words, and the ids that differ; empty if none do.

    Samples are compared by id, or by side and id if there are both sides.
    """
    has_both_sides = len({sample.side for sample in (*read, *other)}) > 1
    ours = _by_name(read, has_both_sides)
    theirs = _by_name(other, has_both_sides)
    in_both = ours.keys() & theirs.keys()
    ids_by_difference = {
        "only in the table that was read": ours.keys() - theirs.keys(),
        "only in the other table": theirs.keys() - ours.keys(),
        "more often in the table that was read": {name for name in in_both if len(ours[name]) > len(theirs[name])},
        "more often in the other table": {name for name in in_both if len(ours[name]) < len(theirs[name])},
    }
    parts = []
    differing: list[str] = []
    for difference, names in ids_by_difference.items():
        if names:
            parts.append(f"{n_of(len(names), 'id')} {difference} ({_listed(names)})")
            differing += _labels(names)
    for title, fields in _FIELDS.items():
        names = {name for name in in_both if _differ(ours[name], theirs[name], fields)}
        if names:
            parts.append(f"{title} of {n_of(len(names), 'sample')} ({_listed(names)})")
            differing += _labels(names)
    return ", ".join(parts), list(dict.fromkeys(differing))


def _by_name(samples: Sequence[Sample], has_both_sides: bool) -> dict[_Name, list[Sample]]:
    by_name: dict[_Name, list[Sample]] = {}
    for sample in samples:
        name = _Name(sample.side if has_both_sides else "", sample.id)
        by_name.setdefault(name, []).append(sample)
    return by_name


def _differ(ours: Sequence[Sample], theirs: Sequence[Sample], fields: Iterable[str]) -> bool:
    """Whether samples of one id differ in one of the fields; ids given several times are compared in order."""
    pairs = list(zip(ours, theirs, strict=False))
    return any(
        any(_comparable(getattr(our, field)) != _comparable(getattr(their, field)) for our, their in pairs)
        for field in fields
    )


def _comparable(value: object) -> object:
    """A value of a field without what depends on the format of the table: blank texts, line endings."""
    if isinstance(value, str):
        return _text_or_none(value)
    if isinstance(value, Mapping):
        cells = {name: _cell(cell) for name, cell in value.items()}
        return {name: cell for name, cell in cells.items() if cell is not None}
    return value


def _text_or_none(text: str) -> str | None:
    """The text with the line endings of every format made the same; None if it is blank."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if text.strip() else None


def _cell(value: object) -> str | Decimal | None:
    """A value of the user's own column as CSV would give it, where cells have no type; None if it is blank."""
    if value is None:
        return None
    text = _text_or_none(value_text(value) if isinstance(value, bool) else str(value))
    if text is None:
        return None
    text = text.strip()
    if text.lower() in _TRUTHS:
        return text.lower()
    return Decimal(text) if _NUMBER.fullmatch(text) else text


def _listed(names: Iterable[_Name]) -> str:
    return some(_labels(names), _N_NAMED)


def _labels(names: Iterable[_Name]) -> list[str]:
    return [name.label for name in sorted(names, key=lambda name: name.order)]
