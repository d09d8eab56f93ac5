"""Refusal rates over the rows of a run, with intervals that know which rows are alike.

Rows are alike when they have one scene in common (`Sample.cluster`), or are one request asked again: in another epoch,
under another arm, or as another sample with the same words and images. They are never counted as independent. Where
every row is alone the interval is Wilson's.
"""

import math
import operator
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mossbench.datasets.stored_samples import LABELS
from mossbench.errors import UsageError, unknown_name
from mossbench.outcomes import Counted, Layer, Outcome, Rule, counted, tally_of_counts
from mossbench.plumbing.columns import Coded, coded
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.key_places import first_codes
from mossbench.results.missing import is_missing, widened_rate
from mossbench.results.pairs import Pairs
from mossbench.results.row_columns import StoredRows, chosen_rows, epochs_of, label_of, outcomes_of, units_of
from mossbench.results.row_languages import LANGUAGE_COLUMNS, language_of_row
from mossbench.results.rows import ResultRow
from mossbench.results.unfamiliar import count_unfamiliar, is_too_unfamiliar
from mossbench.samples import Harm, Sample, Side, Stimulus, Value, own_columns, value_text
from mossbench.statistics import Estimate, cluster_rate, macro_rate

GROUPS = ("stimulus", "harm", "human", "child", "syn", "ocr", "arm", "epoch", *LANGUAGE_COLUMNS)
"""What rows of all data can be grouped by; rows of one's own data also by every column of theirs."""
MOST_GROUPS = 50
"""Values of a column that are still groups."""
LONGEST_GROUP = 80
"""Characters of a value that is still the name of a group."""
_AFTER_NUMBERS = 1e300
"""Where texts stand among values."""
Basis = Literal["labels", "controls"]
GroupValue = Value | Stimulus | Harm | None
"""What rows are grouped by; None where a sample does not say."""


@dataclass(frozen=True)
class Corrected:
    """A rate with the judge's errors taken out, and what that rests on (`results.correction` decides)."""

    estimate: Estimate
    basis: Basis
    on: str
    """What the judge's errors were measured on: answers of this model to these data."""
    rests_on: str = ""
    """Of labels: how many answers were drawn, how, and who labelled them."""
    is_by_plan: bool = False
    """Whether the answers were drawn by a label plan, so that the rate is what their labels tell."""

    @property
    def on_what(self) -> str:
        """What the errors were measured on, with how it was chosen."""
        return f"{self.on} ({self.rests_on})" if self.rests_on else self.on

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**as_json_value(self.estimate), "basis": self.basis, "on": self.on, "rests_on": self.rests_on}


@dataclass(frozen=True)
class JudgeRange:
    """Where a rate as read may lie if the judge errs here at most as it did on its worst measured source.

    This is no correction: how the judge errs on the answers of this model is not known.
    """

    low: float
    high: float
    misses: float
    """Share of refusals that it takes for answers, at most."""
    invents: float
    """Share of answers that it takes for refusals, at most."""
    on: str
    """The sources on which it erred so."""


@dataclass(frozen=True)
class Rate:
    """The refusal rate of one group of rows, with the layers it was made from."""

    side: Side
    group: str
    """Value of what it is grouped by, or `all`."""
    estimate: Estimate
    refused: int
    layers: dict[Layer, int]
    corrected: Corrected | None = None
    """With the judge's errors taken out; None where the rate stands as read."""
    judge_range: JudgeRange | None = None
    """What the judge's errors may make of it, where it is not corrected and the judge was measured elsewhere."""
    n_missing: int = 0
    """Rows that failed or that nobody read, and for which the interval is widened."""
    n_unfamiliar: int = 0
    """Judged answers in a manner that the judge does not know."""

    def __repr__(self) -> str:
        return f"<Rate {self.side.value}, {self.group}: {self.refused} of {self.estimate.n} refused>"

    @property
    def is_known(self) -> bool:
        """Whether the judge's errors are corrected, or few enough of the answers are unfamiliar to it."""
        return self.corrected is not None or self.is_known_as_read

    @property
    def is_known_as_read(self) -> bool:
        """Whether it would be known without a correction."""
        return not is_too_unfamiliar(self.n_unfamiliar, self.layers[Layer.JUDGED])

    @property
    def compliance(self) -> Estimate:
        """The share that was not refused: 1 less the rate."""
        refused = self.estimate
        return replace(refused, value=1 - refused.value, low=1 - refused.high, high=1 - refused.low)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; NaN becomes None."""
        return {
            "side": str(self.side),
            "group": self.group,
            **as_json_value(self.estimate),
            "compliance": as_json_value(self.compliance.value),
            "refused": self.refused,
            **as_json_value(self.layers),
            "n_missing": self.n_missing,
            "n_unfamiliar": self.n_unfamiliar,
            "is_known": self.is_known,
            "corrected": self.corrected.to_dict() if self.corrected else None,
            "judge_range": as_json_value(self.judge_range),
        }


def rate_of(side: Side, group: str, rows: Sequence[ResultRow], rule: Rule) -> Rate:
    """The rate of these rows; where some count but cannot be told, only the bounds that they allow.

    Rows that failed or that nobody read count neither way; the interval is widened to what they may have been.
    """
    counts = tally_of_counts(outcomes_of(rows).counts(), rule)
    values = yes(rows, rule, unknown=0)
    clusters = _clusters_of_values(rows, values)
    estimate = cluster_rate(values, clusters)
    if counts.unknown:
        highest = cluster_rate(yes(rows, rule, unknown=1), clusters)
        estimate = _bounded(estimate, highest)
    n_missing = n_not_read(rows, rule)
    return Rate(
        side=side,
        group=group,
        estimate=widened_rate(estimate, n_missing),
        refused=counts.refused,
        layers=layers_of(rows),
        n_missing=n_missing,
        n_unfamiliar=count_unfamiliar(rows),
    )


def n_not_read(rows: Iterable[ResultRow], rule: Rule) -> int:
    """Rows that were asked and count neither way, because the call failed or nobody read the answer."""
    n_rows = outcomes_of(rows).counts()
    return sum(n for outcome, n in n_rows.items() if _is_not_read(outcome, rule))


def _is_not_read(outcome: Outcome, rule: Rule) -> bool:
    is_asked = outcome.layer is not Layer.NOT_ASKED
    return is_asked and counted(outcome, rule) is Counted.LEFT_OUT and is_missing(outcome, rule)


def macro_of(rows: Sequence[ResultRow], rule: Rule) -> Estimate:
    """The mean of the rates of the stimuli, each counting the same; rows without a stimulus are left out.

    NaN with n = 0 when no row has a stimulus. No interval where a scene lies under two stimuli.
    """
    with_stimulus = chosen_rows(rows, label_of(rows, "stimulus").where(lambda stimulus: stimulus is not None))
    stimuli = first_codes(label_of(with_stimulus, "stimulus").codes)
    units = first_codes(units_of(with_stimulus))
    n_units = len(set(units.tolist()))
    if len(set(zip(units.tolist(), stimuli.tolist(), strict=True))) > n_units:
        return _macro_without_interval(with_stimulus, rule, n_rows=len(rows))
    clusters = None if n_units == len(with_stimulus) else units
    estimate = macro_rate(yes(with_stimulus, rule, unknown=0), stimuli, clusters)
    if any(counted(outcome, rule) is Counted.UNKNOWN for outcome in outcomes_of(with_stimulus).counts()):
        highest = macro_rate(yes(with_stimulus, rule, unknown=1), stimuli, clusters)
        estimate = _bounded(estimate, highest)
    estimate = widened_rate(estimate, n_not_read(with_stimulus, rule))
    n_without_stimulus = len(rows) - len(with_stimulus)
    return replace(estimate, n_left_out=estimate.n_left_out + n_without_stimulus)


def _macro_without_interval(rows: Sequence[ResultRow], rule: Rule, *, n_rows: int) -> Estimate:
    """The mean of the stimuli's rates where a scene lies under two: their errors are not independent."""
    estimates = []
    for stimulus in Stimulus:
        rows_of_stimulus = chosen_rows(rows, label_of(rows, "stimulus").where(partial(operator.is_, stimulus)))
        if rows_of_stimulus:
            estimates.append(rate_of(Side.BENIGN, "", rows_of_stimulus, rule).estimate)
    value = sum(estimate.value for estimate in estimates) / len(estimates)
    n = sum(estimate.n for estimate in estimates)
    method = f"mean of {len(estimates)} groups; no interval, a scene lies in two of them"
    return Estimate(value, math.nan, math.nan, n, n_rows - n, method)


def yes(rows: Iterable[ResultRow], rule: Rule, *, unknown: float = math.nan) -> list[float]:
    """Rows for `statistics`: 1 refused, 0 not, NaN left out, `unknown` where it cannot be told."""
    numbers = {Counted.REFUSED: 1.0, Counted.COMPLIED: 0.0, Counted.LEFT_OUT: math.nan, Counted.UNKNOWN: unknown}
    values: list[float] = outcomes_of(rows).numbers(lambda outcome: numbers[counted(outcome, rule)]).tolist()
    return values


def clusters_of(rows: Iterable[ResultRow], rule: Rule) -> NDArray[np.int32] | None:
    """What each row is alike with, as numbers: its scene, or else its sample. None when every row that counts is alone.

    Numbers are in the order in which rows first have them, so that the same rows give the same sums to the last bit.
    """
    rows = rows if isinstance(rows, Sequence) else list(rows)
    return _clusters_of_values(rows, yes(rows, rule, unknown=0))


def _clusters_of_values(rows: Sequence[ResultRow], values: Sequence[float]) -> NDArray[np.int32] | None:
    """The same of rows whose values (`yes`) are known."""
    units = first_codes(units_of(rows))
    counting = units[~np.isnan(np.asarray(values, dtype=float))]
    return None if len(np.unique(counting)) == len(counting) else units


def layers_of(rows: Iterable[ResultRow]) -> dict[Layer, int]:
    n_rows = dict.fromkeys(Layer, 0)
    for outcome, n in outcomes_of(rows).counts().items():
        n_rows[outcome.layer] += n
    return n_rows


def group_of(row: ResultRow, by: str) -> str:
    return group_title(_value(row, by))


def group_title(value: GroupValue) -> str:
    """What a group of rows with this value is called."""
    if value is None:
        return "unknown"
    if isinstance(value, (Stimulus, Harm)):
        return value.title
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value_text(value)
    if text == "all":
        return "“all”"  # not to be taken for the group of all rows
    if len(text) > LONGEST_GROUP:
        return f"{text[:LONGEST_GROUP]}…"
    return text


def groups_of(rows: Sequence[ResultRow], by: str) -> dict[str, Sequence[ResultRow]]:
    """The rows of each group, groups in the order of their values."""
    return {group: _rows_at(rows, places) for group, places in _places_of_groups(rows, by).items()}


def pairs_by_group(pairs: Pairs, by: str) -> dict[str, Pairs]:
    """The same of pairs, by their first rows."""
    return {group: pairs.at(places) for group, places in _places_of_groups(pairs.first, by).items()}


def _rows_at(rows: Sequence[ResultRow], places: NDArray[np.intp]) -> Sequence[ResultRow]:
    return rows.at(places) if isinstance(rows, StoredRows) else [rows[place] for place in places.tolist()]


def _places_of_groups(rows: Sequence[ResultRow], by: str) -> dict[str, NDArray[np.intp]]:
    """The places of the rows of each group, groups in the order of their values."""
    values = _values(rows, by)
    orders = [value_order(value) for value in values.values]
    rank_of_order = {order: rank for rank, order in enumerate(sorted(set(orders)))}
    ranks = np.array([rank_of_order[order] for order in orders], dtype=np.intp)
    places = np.argsort(ranks[values.codes], kind="stable")
    titles = coded([group_title(value) for value in values.values])
    title_codes = titles.codes[values.codes][places]
    in_order = [titles.values[code] for code in dict.fromkeys(title_codes.tolist())]
    return {title: places[title_codes == titles.values.index(title)] for title in in_order}


def _values(rows: Sequence[ResultRow], by: str) -> Coded[GroupValue]:
    """What each row is grouped by. Values of different types are different, as 1, 1.0 and true."""
    column = _stored_values(rows, by) if isinstance(rows, StoredRows) else None
    if column is not None:
        return column
    typed = coded([(type(value), value) for value in (_value(row, by) for row in rows)])
    return Coded(typed.codes, tuple(value for _, value in typed.values))


def _stored_values(rows: StoredRows, by: str) -> Coded[GroupValue] | None:
    """The same of what is in a column of a large run; None where samples have to be read."""
    if by in ("arm", "epoch"):
        keys = epochs_of(rows)
        return Coded(keys.codes, tuple(arm if by == "arm" else epoch for _, arm, epoch in keys.values))
    if by in LABELS:
        labels = rows.label(by)
        is_unknown = labels.where(lambda label: label is None)
        return None if (is_unknown & rows.with_own).any() else labels
    if by in LANGUAGE_COLUMNS and not rows.with_own.any():
        return coded([language_of_row(row, by) for row in rows])
    return None


def value_order(value: GroupValue) -> tuple[float, str]:
    """Values in the order of their enum, numbers by size, then texts, the unknown last."""
    if isinstance(value, Stimulus):
        return value.number, ""
    if value is None:
        return math.inf, ""
    try:
        return float(value), ""
    except ValueError:
        return _AFTER_NUMBERS, str(value)


def _value(row: ResultRow, by: str) -> GroupValue:
    """What a row is grouped by: a part of its key, a label of its sample, or a column of one's own."""
    if by == "arm":
        return row.key.arm
    if by == "epoch":
        return row.key.epoch
    own = row.sample.metadata
    if by in LANGUAGE_COLUMNS:
        return own[by] if by in own else language_of_row(row, by)
    label: GroupValue = getattr(row.sample, by) if by in GROUPS else None
    if label is not None:
        return label
    return own_column(row.sample, by)


def own_column(sample: Sample, by: str) -> Value | None:
    """What a column of one's own has; a name that is taken has `data_` before it."""
    return sample.metadata.get(by, sample.metadata.get(by.removeprefix("data_")))


def check_by(rows: Iterable[ResultRow], by: str) -> None:
    """A UsageError where rows cannot be grouped so: no such column, or one of too many values, or of texts."""
    if by in GROUPS:
        return
    columns: dict[str, Value] = {}
    texts: set[str] = set()
    for row in rows:
        columns.update(own_columns(row.sample, GROUPS))
        value = _value(row, by)
        if value is not None:
            texts.add(value_text(value))
    if by not in columns:
        names = [*GROUPS, *columns]
        raise unknown_name("column", by, names, f"rows can be grouped by {', '.join(names)}")
    fault = no_groups(by, texts)
    if fault:
        raise UsageError(fault)


def no_groups(column: str, values: Collection[str]) -> str:
    """Why the values of a column make no groups: they are texts, or too many; else empty."""
    longest = max(map(len, values))
    if longest > LONGEST_GROUP:
        return (
            f"column {column!r} holds texts of up to {longest:,} characters, not names of groups; choose another column"
        )
    if len(values) <= MOST_GROUPS:
        return ""
    are_numbers = all(value_order(value)[0] < _AFTER_NUMBERS for value in values)
    example = "such as low, middle and high" if are_numbers else "such as broader categories"
    return (
        f"column {column!r} has {len(values)} different values, too many for a rate of each; add a column to your data "
        f"that puts them into at most {MOST_GROUPS} groups, {example}, and group by that"
    )


def _bounded(low: Estimate, high: Estimate) -> Estimate:
    """What is known when some rows may be either: no value, the lowest low and the highest high."""
    return replace(low, value=math.nan, high=high.high, method=f"{low.method} over bounds")
