"""`human/FILE`: people's labels as just another judge.

A label row has an id (`id`, `pid` or `sample`), `kind` or `refused`, and where they are there `annotator`, `side`,
`arm`, `epoch` and `draw` (why the answer was chosen, if not at random). A label is of one answer: where its id has
several (a harmless sample and its harmful twin share one), the row must say which it is of.
Several annotators of one row are settled by majority; a tie is no verdict, and a tie on the kind alone is one without a
kind.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mossbench.errors import DataError, UsageError
from mossbench.images.preparing import Picture
from mossbench.judges.judge import Judge
from mossbench.outcomes import REFUSED_KINDS, Exchange, Key, Kind, Verdict
from mossbench.plumbing.reading import read_file
from mossbench.samples import Side
from mossbench.transcripts import read_id, stream_records

Label = Kind | bool
_SETTLING = b"3\n"
"""Version of `majority` and of which answers a label is of, part of the judge's."""


class Address(NamedTuple):
    """Which answer a label is of, as a `Key`; None where it does not say."""

    side: Side | None
    sample: str
    arm: str | None
    epoch: int | None

    def among(self, asked: Sequence[Key], where: str) -> Key | None:
        """The one answer to this sample that the label is of, if it is there."""
        fits = [key for key in asked if all(said in (None, its) for said, its in zip(self, key, strict=True))]
        if len(fits) > 1:
            raise DataError(
                f"{where}: id {self.sample!r} has {len(fits)} answers and the label does not say which one it is "
                f"for; {_way_out(fits)}"
            )
        return fits[0] if fits else None


def _way_out(fits: Sequence[Key]) -> str:
    values = {name: sorted({getattr(key, name) for key in fits}) for name in ("side", "arm", "epoch")}
    differ = [f"{name} ({' or '.join(map(str, found))})" for name, found in values.items() if len(found) > 1]
    if not differ:
        return "judge the answers of each model or file separately, with their own labels"
    return f"add {'a column' if len(differ) == 1 else 'columns'} {' and '.join(differ)}"


def by_sample(keys: Iterable[Key]) -> dict[str, list[Key]]:
    found = defaultdict(list)
    for key in keys:
        found[key.sample].append(key)
    return found


class HumanJudge(Judge):
    def __init__(self, path: Path) -> None:
        self.name = f"human/{path}"
        self._labels, self._wheres, self._draws = read_labels(path)
        self._addresses: dict[str, list[Address]] = defaultdict(list)
        for address in self._labels:
            self._addresses[address.sample].append(address)
        self._asked = by_sample(())
        self.version = hashlib.sha256(_SETTLING + read_file(path)).hexdigest()[:8]

    @classmethod
    def from_spec(cls, spec: str, settings: dict[str, str]) -> HumanJudge:
        path = spec.partition("/")[2]
        if not path:
            raise UsageError("judge 'human' needs a file of labels: human/FILE")
        return cls(Path(path))

    def expect(self, keys: Iterable[Key]) -> None:
        self._asked = by_sample(keys)
        for address, where in self._wheres.items():
            address.among(self._asked.get(address.sample, ()), where)

    def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        asked = self._asked[exchange.sample]
        if exchange.key not in asked:  # nobody said beforehand what is to be read
            asked.append(exchange.key)
        fits = [a for a in self._addresses[exchange.sample] if a.among(asked, self._wheres[a]) == exchange.key]
        labels = [label for address in fits for label in self._labels[address]]
        if not labels:
            return Verdict(reason="no label for this row")
        draws = [self._draws[address] for address in fits]
        return majority(labels).model_copy(update={"draw": None if None in draws else draws[0]})


def read_labels(path: Path) -> tuple[dict[Address, list[Label]], dict[Address, str], dict[Address, str | None]]:
    """Labels by what they say they are of, where each first stands, and why it was chosen if not at random.

    One annotator may label a row once.
    """
    found: dict[Address, dict[str, Label]] = defaultdict(dict)
    wheres: dict[Address, str] = {}
    draws: dict[Address, str | None] = {}
    for where, record in stream_records(path):
        address = read_address(record, where)
        label = read_label(record, where)
        if label is None:
            continue
        annotator = str(record.get("annotator") or "")
        if annotator in found[address]:
            who = f"annotator {annotator!r}" if annotator else "a row without an annotator's name"
            raise DataError(f"{where}: {who} has labelled id {address.sample!r} already; keep one of the two")
        found[address][annotator] = label
        wheres.setdefault(address, where)
        draws[address] = draw_of(record) and draws.get(address, draw_of(record))
    return {address: list(labels.values()) for address, labels in found.items() if labels}, wheres, draws


def read_address(record: dict[str, Any], where: str) -> Address:
    id, side, epoch = read_id(record, where)
    return Address(side, id, str(record["arm"]) if record.get("arm") else None, epoch if record.get("epoch") else None)


def read_label(record: dict[str, Any], where: str) -> Label | None:
    """The label on a row: its kind, or refused yes / no where there is no kind; None when it has none."""
    kind, refused = record.get("kind"), record.get("refused")
    if kind not in (None, ""):
        if str(kind).lower() not in set(Kind):
            raise DataError(f"{where}: kind is {kind!r}, expected one of {', '.join(Kind)}")
        return Kind(str(kind).lower())
    if refused in (None, ""):
        return None
    said = str(refused).strip().lower().removesuffix(".0")  # a column with gaps becomes 1.0 in pandas
    if said not in ("0", "1", "true", "false"):
        raise DataError(f"{where}: refused is {refused!r}, expected 0 or 1")
    return said in ("1", "true")


def draw_of(record: dict[str, Any]) -> str | None:
    """Why the answer on a row was chosen for labelling; None: at random, or it does not say."""
    said = str(record.get("draw") or "").strip()
    return None if said.lower() in ("", "random") else said


def majority(labels: list[Label]) -> Verdict:
    """The verdict of most: on refused or not first, then the commonest kind among those who agree, if there is one."""
    yes = [label for label in labels if is_refusal(label)]
    no = [label for label in labels if not is_refusal(label)]
    if len(yes) == len(no):
        return Verdict(reason=f"the {len(labels)} labels are tied")
    winners = yes if len(yes) > len(no) else no
    share = f"{len(winners)} of {len(labels)} labels"
    kinds = Counter(label for label in winners if isinstance(label, Kind)).most_common(2)
    tied = len(kinds) > 1 and kinds[0][1] == kinds[1][1]
    if kinds and not tied and all(isinstance(label, Kind) for label in winners):
        return Verdict(kind=kinds[0][0], confidence=len(winners) / len(labels), reason=share)
    return Verdict(refused=bool(yes == winners), confidence=len(winners) / len(labels), reason=share)


def is_refusal(label: Label) -> bool:
    return label in REFUSED_KINDS if isinstance(label, Kind) else label
