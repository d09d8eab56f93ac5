"""How good a judge is: its verdicts compared with labels, with intervals, pooled and by group.

Rows are set aside, and counted, where the labels are disputed, where the row does not count under the rule (no answer
on record), and where the judge gave no verdict.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from mossbench.errors import DataError
from mossbench.judges.answer_columns import label_way_out
from mossbench.judges.application import JudgedRow
from mossbench.judges.human import read_label
from mossbench.outcomes import REFUSED_KINDS, Counted, Kind, Layer, Rule, Verdict, counted
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.json_values import as_json_value
from mossbench.statistics import Confusion, Estimate, agreement, macro_f1, mcnemar_mid_p

COVERAGE = 0.85
"""Share of the most confident rows whose errors are reported."""


class SetAside(StrEnum):
    """Why a row is not compared with its label. Its values are shown, and are the keys in JSON."""

    NO_LABEL = "no label"
    DISPUTED = "disputed"
    NO_VERDICT = "no verdict"
    NOT_TOLD = "not told by this judge"
    NO_ANSWER = "no answer"


@dataclass(frozen=True)
class LabelledRow:
    row: JudgedRow
    label: bool
    label_kind: Kind | None
    reading: bool

    @property
    def wrong(self) -> bool:
        return self.label != self.reading

    @property
    def hard(self) -> bool:
        return str(self.row.record.get("hard")).lower() in ("1", "true")

    def to_dict(self) -> dict[str, Any]:
        """The row as a list of disagreements shows it: columns of its file, the label and the verdict."""
        columns = self.row.record
        verdict = self.row.verdict or Verdict()
        return {
            "model": columns.get("model"),
            "stimulus": columns.get("stimulus"),
            "hard": columns.get("hard"),
            "id": self.row.exchange.sample,
            "label": int(self.label),
            "kind": verdict.kind.value if verdict.kind else None,
            "refused": self.row.refused,
            "confidence": verdict.confidence,
            "evidence": self.row.evidence,
        }


@dataclass(frozen=True)
class Group:
    by: str
    """`all`, `hard`, `model` or `stimulus`."""
    name: str
    counts: Confusion
    measures: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        ends = ("value", "low", "high")
        estimates = {name: {end: getattr(estimate, end) for end in ends} for name, estimate in self.measures.items()}
        return {
            "by": self.by,
            "group": self.name,
            "n": self.counts.n,
            **as_json_value(self.counts),
            **as_json_value(estimates),
        }


@dataclass(frozen=True)
class Confidence:
    """Whether confidence ranks: errors among the most confident rows that are not hard."""

    coverage: float
    n: int
    errors: int


@dataclass(frozen=True)
class Comparison:
    """Two judges on the same rows: who was right where the other was wrong."""

    other: str
    n: int
    only_this_right: int
    only_other_right: int
    p: float


@dataclass(frozen=True)
class Validation(Framed):
    judge: str
    rule: str
    n_rows: int
    set_aside: dict[str, int]
    groups: tuple[Group, ...]
    kinds: dict[str, dict[str, int]]
    """Label kind -> judge's kind -> rows."""
    macro_f1: float
    """Over answered-like, partial and refused-like, where rows have kinds; NaN otherwise."""
    confidence: Confidence | None
    disagreements: tuple[LabelledRow, ...]
    comparison: Comparison | None = field(default=None)

    def __repr__(self) -> str:
        return f"<Validation of {self.judge}: {self.n_rows} rows>"

    def title(self) -> str:
        return f"{self.judge} on {self.n_rows} labelled rows, rule {self.rule}"

    def lines(self) -> list[dict[str, Any]]:
        return [_flat(group.to_dict()) for group in self.groups]

    def to_dict(self, *, most: int | None = None) -> dict[str, Any]:
        """Plain values for JSON; NaN becomes None."""
        return {
            **{name: getattr(self, name) for name in ("judge", "rule", "n_rows", "set_aside")},
            "groups": [group.to_dict() for group in self.groups],
            "kinds": self.kinds,
            **{name: as_json_value(getattr(self, name)) for name in ("macro_f1", "confidence", "comparison")},
            "disagreements": [row.to_dict() for row in self.disagreements[:most]],
        }


def validate(
    rows: Sequence[JudgedRow],
    judge: str,
    *,
    rule: Rule = Rule.MODEL,
    rng: np.random.Generator,
    against: tuple[str, Sequence[JudgedRow]] | None = None,
) -> Validation:
    """Compares verdicts with the `refused` (and `kind`) labels on the rows."""
    labelled, set_aside = labelled_rows(rows, rule)
    if not labelled:
        raise nothing_to_compare(rows, set_aside)
    kind_pairs = [(row.label_kind, row.row.outcome.kind) for row in labelled]
    coarse = [(_coarse(label), _coarse(kind)) for label, kind in kind_pairs if label and kind]
    disagreements = sorted((row for row in labelled if row.wrong), key=_least_sure_last)
    return Validation(
        judge=judge,
        rule=rule.value,
        n_rows=len(rows),
        set_aside={why.value: n for why, n in set_aside.items()},
        groups=tuple(_groups(labelled, rng)),
        kinds=_kinds(labelled),
        macro_f1=macro_f1([label for label, _ in coarse], [kind for _, kind in coarse]),
        confidence=_confidence(labelled),
        disagreements=tuple(disagreements),
        comparison=_compare(labelled, *against, rule) if against else None,
    )


def nothing_to_compare(rows: Sequence[JudgedRow], set_aside: Mapping[SetAside, int]) -> DataError:
    """The error when no row has both a label and a verdict, with what was found instead."""
    why = ", ".join(f"{n} {reason}" for reason, n in set_aside.items()) or "there are no rows"
    first_reason = next((row.verdict.reason for row in rows if row.verdict and row.verdict.is_none), "")
    judge_note = f"; the judge says: {first_reason}" if first_reason else ""
    message = f"no row has both a label (refused 0/1, or kind) and a verdict: {why}{judge_note}"
    return DataError(message, way_out=label_way_out(rows))


def labelled_rows(rows: Sequence[JudgedRow], rule: Rule) -> tuple[list[LabelledRow], dict[SetAside, int]]:
    """The rows that can be compared, and how many were set aside for what reason."""
    labelled: list[LabelledRow] = []
    n_set_aside: Counter[SetAside] = Counter()
    for row in rows:
        label = read_label({**row.record, "kind": None}, row.where)
        kind = read_label({**row.record, "refused": None}, row.where)
        if label is None and kind is None:
            n_set_aside[SetAside.NO_LABEL] += 1
        elif str(row.record.get("disputed")).lower() in ("1", "true"):
            n_set_aside[SetAside.DISPUTED] += 1
        elif row.outcome.layer is Layer.UNJUDGED:
            n_set_aside[SetAside.NO_VERDICT] += 1
        elif counted(row.outcome, rule) is Counted.UNKNOWN:
            n_set_aside[SetAside.NOT_TOLD] += 1
        elif counted(row.outcome, rule) is Counted.LEFT_OUT:
            n_set_aside[SetAside.NO_ANSWER] += 1
        else:
            label_kind = kind if isinstance(kind, Kind) else None
            refused = label if label is not None else label_kind in REFUSED_KINDS
            if rule is Rule.STRICT and label_kind is Kind.PARTIAL:
                refused = True
            reading = counted(row.outcome, rule) is Counted.REFUSED
            labelled.append(LabelledRow(row, bool(refused), label_kind, reading))
    return labelled, dict(n_set_aside)


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    """The values with those of an estimate as columns of their own: `kappa`, `kappa_low`, `kappa_high`."""
    columns: dict[str, Any] = {}
    for name, value in values.items():
        if not isinstance(value, dict):
            columns[name] = value
            continue
        for end, number in value.items():
            columns[name if end == "value" else f"{name}_{end}"] = number
    return columns


def _groups(rows: list[LabelledRow], rng: np.random.Generator) -> Iterator[Group]:
    yield _group("all", "all", rows, rng)
    if any(row.hard for row in rows):
        yield _group("hard", "all but hard", [row for row in rows if not row.hard], rng)
    for column in ("model", "stimulus"):
        values = sorted({str(row.row.record[column]) for row in rows if row.row.record.get(column)})
        if len(values) < 2 and column != "model":
            continue
        for value in values:
            members = [row for row in rows if str(row.row.record.get(column)) == value]
            yield _group(column, value, members, rng)


def _group(by: str, name: str, rows: list[LabelledRow], rng: np.random.Generator) -> Group:
    counts = Confusion.of([row.label for row in rows], [row.reading for row in rows])
    return Group(by, name, counts, agreement(counts, rng=rng))


def _kinds(rows: list[LabelledRow]) -> dict[str, dict[str, int]]:
    pairs = Counter((row.label_kind, row.row.outcome.kind) for row in rows if row.label_kind and row.row.outcome.kind)
    labels = [kind for kind in Kind if any(label is kind for label, _ in pairs)]
    return {label.value: {k.value: pairs[label, k] for k in Kind if pairs[label, k]} for label in labels}


def _coarse(kind: Kind) -> str:
    if kind is Kind.PARTIAL:
        return "partial"
    return "refused-like" if kind in REFUSED_KINDS else "answered-like"


def _confidence(rows: list[LabelledRow]) -> Confidence | None:
    """None for a judge that gives no confidence."""
    if all(_confidence_of(row) is None for row in rows):
        return None
    confident_rows = [row for row in most_confident(rows) if not row.hard]
    return Confidence(COVERAGE, len(confident_rows), sum(row.wrong for row in confident_rows))


def most_confident(rows: Sequence[LabelledRow]) -> list[LabelledRow]:
    """The share COVERAGE of the rows that have a confidence; empty for a judge that gives none."""
    ranked = sorted((row for row in rows if _confidence_of(row) is not None), key=_least_sure_last)
    return ranked[: math.floor(COVERAGE * len(ranked))]


def _compare(labelled: list[LabelledRow], other: str, others: Sequence[JudgedRow], rule: Rule) -> Comparison:
    """On the rows that both judged; `others` are the same rows in the same order."""
    other_rows = {row.row.where: row for row in labelled_rows(others, rule)[0]}
    pairs = [(row, other_rows[row.row.where]) for row in labelled if row.row.where in other_rows]
    only_this_right = sum(not row.wrong and other_row.wrong for row, other_row in pairs)
    only_other_right = sum(row.wrong and not other_row.wrong for row, other_row in pairs)
    return Comparison(
        other, len(pairs), only_this_right, only_other_right, mcnemar_mid_p(only_this_right, only_other_right)
    )


def _confidence_of(row: LabelledRow) -> float | None:
    return row.row.verdict.confidence if row.row.verdict else None


def _least_sure_last(row: LabelledRow) -> float:
    """Sorts rows by the judge's confidence, highest first."""
    return -(_confidence_of(row) or 0)
