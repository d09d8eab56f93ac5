"""Filters of samples: by labels that the data have, and by columns of one's own that have few values.

An address holds the chosen values. All of them apply and are shown, even those that no sample of these data has.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mossbench.results.rates import GROUPS, GroupValue, no_groups, value_order
from mossbench.samples import Harm, Sample, Stimulus, value_text

FLAGS = {"human": "people", "child": "child", "syn": "drawn or generated", "ocr": "text in the image"}
TITLES = {"stimulus": "Stimulus", "harm": "Harm class", **{name: word.capitalize() for name, word in FLAGS.items()}}
_OWN = "column."
"""Before the names of own columns in addresses: a column may have the name of another parameter."""


@dataclass(frozen=True)
class Filter:
    name: str
    title: str
    options: tuple[tuple[str, str], ...] = ()
    """Values as addresses have them, and in words."""
    chosen: str = ""

    @property
    def group(self) -> str:
        """The name under which rates are grouped by it: a column of one's own may have the name of a built-in group."""
        own = self.name.removeprefix(_OWN)
        return f"data_{own}" if own != self.name and own in GROUPS else own

    def value(self, sample: Sample) -> str:
        return _text(_value(sample, self.name))


def filters_of(samples: Iterable[Sample]) -> tuple[Filter, ...]:
    """A filter for each label and column in which samples differ, except columns with too many or too long values."""
    samples = tuple(samples)
    filters = []
    for name in (*TITLES, *_own_columns(samples)):
        values: dict[str, GroupValue] = {}
        for sample in samples:
            value = _value(sample, name)
            values[_text(value)] = value
        n_different = len(values)
        values.pop("", None)  # of samples without a value
        if n_different > 1 and not no_groups(name, values):
            in_order = sorted(values.items(), key=lambda pair: value_order(pair[1]))
            options = tuple((text, _words(value)) for text, value in in_order)
            filters.append(Filter(name, _title(name), options))
    return tuple(filters)


def _own_columns(samples: Sequence[Sample]) -> list[str]:
    """Columns of the samples other than labels, as addresses name them."""
    names: dict[str, None] = {}
    for sample in samples:
        names.update(dict.fromkeys(sample.metadata))
    return [_OWN + name for name in names if name not in ("stimulus", "harm")]


def chosen_of(query: Mapping[str, str]) -> dict[str, str]:
    """The filters and their values in the query of an address."""
    return {name: value for name, value in query.items() if value and (name in TITLES or name.startswith(_OWN))}


def with_chosen(filters: Sequence[Filter], chosen: Mapping[str, str]) -> list[Filter]:
    """The filters with the chosen values, even those that no sample has: only what is shown can be taken back."""
    options_of = {filter.name: filter.options for filter in filters}
    for name, value in chosen.items():
        options = options_of.get(name, ())
        options_of[name] = options if value in dict(options) else (*options, (value, value))
    return [Filter(name, _title(name), options, chosen.get(name, "")) for name, options in options_of.items()]


def fits(sample: Sample, chosen: Mapping[str, str]) -> bool:
    return all(_text(_value(sample, name)) == value for name, value in chosen.items())


def _title(name: str) -> str:
    return TITLES.get(name) or name.removeprefix(_OWN)


def _value(sample: Sample, name: str) -> GroupValue:
    """A label, published or one's own, or the value of a column; None where it is unknown."""
    label: GroupValue = getattr(sample, name) if name in TITLES else None
    if isinstance(label, bool):
        return "yes" if label else "no"
    return label if label is not None else sample.metadata.get(name.removeprefix(_OWN))


def _text(value: GroupValue) -> str:
    return "" if value is None else value_text(value)


def _words(value: GroupValue) -> str:
    return value.title if isinstance(value, (Stimulus, Harm)) else _text(value)
