"""Labels of a run's answers, from a file or from verdicts of people in its folder: refused or not, by row.

Only a random choice of the answers tells how often the judge is wrong on the others. A row of a file says in `draw` how
its answer was chosen: `random` (as on the sheet of a report and in files of the web app), or a word for another reason.
Where it does not say, the choice is unknown: such labels correct nothing unless the user says that they were drawn at
random (`drawn`). Answers that were chosen for another reason are counted and kept apart. Where (nearly) all answers of
a side are labelled nothing was chosen, whatever the rows say.

A draw that is only partly labelled is no random choice either: whoever labels the clear errors first labels no random
part. So rows that were drawn and have no label are counted, `MAX_UNFILLED` says how many there may be. Rows that were
deleted from the sheet of a report count too: the sheet can be drawn again.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from mossbench.errors import DataError
from mossbench.judges.human import (
    RANDOM,
    Label,
    by_sample,
    check_drawn,
    draw_of,
    joined_draw,
    majority,
    read_address,
    read_label,
)
from mossbench.outcomes import REFUSED_KINDS, Counted, Key, Kind, Layer, Rule, counted, outcome
from mossbench.results.row_columns import judged_rows
from mossbench.samples import Side
from mossbench.store.run_folder import RunFolder
from mossbench.transcripts import clean_response, read_response, stream_records

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow
    from mossbench.results.table import Results

MAX_UNFILLED = 0.05
"""Share of the answers that were drawn that may be without a label."""
N_DRAWN = 100
"""Answers on the sheet of a report."""
BY_CHANCE = 0.01
"""Probability under which labels that are all on the sheet are not there by chance."""
MIN_LABELS = 50
"""The fewest labels that correct a rate."""


@dataclass(frozen=True)
class Labels:
    """What people say of a run's answers: refused or not, by row, and where that was read."""

    at_random: Mapping[Key, bool] = field(default_factory=dict)
    """Of answers drawn at random."""
    source: str = ""
    file: Path | None = None
    n_disputed: int = 0
    n_apart: int = 0
    """Labelled answers that were chosen for another reason."""
    of_unknown_choice: Mapping[Key, bool] = field(default_factory=dict)
    """Of answers of which nobody says how they were chosen."""
    unfilled: frozenset[Key] = frozenset()
    """Answers that were drawn at random and have no label."""
    whole_sides: frozenset[Side] = frozenset()
    """Sides of which all answers are labelled, but for `MAX_UNFILLED` of them."""
    drawn: str | None = None
    """What the user says of labels that do not say how they were chosen: `random`."""
    n_annotators: int = 0
    """How many different people the file names; 0 where it names nobody."""

    @property
    def n_unknown(self) -> int:
        return len(self.of_unknown_choice)

    def drawn_on(self, side: Side) -> Drawn:
        n_labelled = sum(key.side is side for key in self.at_random)
        n_unfilled = sum(key.side is side for key in self.unfilled)
        return Drawn(n_labelled, n_labelled + n_unfilled)


@dataclass(frozen=True)
class Drawn:
    """How many answers of a side were drawn at random, and how many of them are labelled."""

    n_labelled: int
    n: int

    @property
    def n_to_label(self) -> int:
        """How many more labels make it a random choice; 0 where it is one."""
        n_unfilled = self.n - self.n_labelled
        return max(0, n_unfilled - math.floor(MAX_UNFILLED * self.n))


def run_labels(results: Results, file: Path | None, rule: Rule, drawn: str | None = None) -> Labels:
    """Refused or not as people say, by row: from `file`, or else from verdicts of people in the run's folder.

    Tied rows have no label here, and so have rows of the file that are about another answer. Disputed ones count as
    they are labelled: without the hard answers the others would be no random choice. `drawn` is what the user says of
    labels that do not say how they were chosen: `random`.
    """
    check_drawn(drawn)
    if file is not None:
        return _labels_of_file(results, file, rule, drawn)
    judge = _last_human_judge(results)
    if judge is None:
        return Labels()
    judgements = RunFolder(results.folder).judgements(judge)
    readings: dict[Key, Counted] = {}
    draws: dict[Key, str | None] = {}
    unfilled: set[Key] = set()
    for row in results.rows:
        judgement = judgements.get(row.key)
        exchange = row.exchange if judgement else None
        if judgement is None or exchange is None or judgement.digest != exchange.digest():
            continue
        reading = outcome(exchange.answer, judgement.verdict)
        if reading.layer is Layer.JUDGED:
            readings[row.key] = counted(reading, rule)
            draws[row.key] = judgement.verdict.draw
        elif reading.layer is Layer.UNJUDGED and judgement.verdict.draw == RANDOM:
            unfilled.add(row.key)
    if Counted.UNKNOWN in readings.values():
        return Labels()  # without kinds only refusals are told under rule strict: no random choice
    labels = {key: reading is Counted.REFUSED for key, reading in readings.items()}
    return _by_draw(results, labels, draws, unfilled, drawn=drawn, source=judge)


def _last_human_judge(results: Results) -> str | None:
    """People whose verdicts are in the run's folder; None where there are none, or where they are the run's judge."""
    if not results.folder.is_dir() or (results.judge or "").startswith("human/"):
        return None
    people = [label for label in RunFolder(results.folder).judges() if label.startswith("human/")]
    return people[-1] if people else None


@dataclass
class _FileLabels:
    """What the rows of a file say of a run's answers, before the labels of each answer are joined."""

    labels: dict[Key, list[Label]] = field(default_factory=lambda: defaultdict(list))
    draws: dict[Key, list[str | None]] = field(default_factory=lambda: defaultdict(list))
    disputed: set[Key] = field(default_factory=set)
    unfilled: set[Key] = field(default_factory=set)
    annotators: set[str] = field(default_factory=set)

    def add(self, key: Key, label: Label, record: dict[str, Any]) -> None:
        """Adds the label that a row of the file has for this answer."""
        self.labels[key].append(label)
        self.draws[key].append(draw_of(record))
        self.annotators |= _annotators(record)
        if str(record.get("disputed")).lower() in ("1", "true"):
            self.disputed.add(key)


def _labels_of_file(results: Results, file: Path, rule: Rule, drawn: str | None) -> Labels:
    read = _read_file(results, file, rule)
    if read is None:
        return Labels(file=file)
    labels: dict[Key, bool] = {}
    for key, labels_of_answer in read.labels.items():
        verdict = majority(labels_of_answer)
        if not verdict.is_none:
            labels[key] = verdict.kind in REFUSED_KINDS if verdict.kind else bool(verdict.refused)
        elif joined_draw(read.draws[key]) == RANDOM:
            read.unfilled.add(key)  # a tie
    if not labels:
        raise DataError(
            f"{file} has no label for an answer of {results.folder}; expected rows with an id of this run, refused "
            "(0 or 1) or kind, and, where they have a response, the response of this run"
        )
    return _by_draw(
        results,
        labels,
        {key: joined_draw(read.draws[key]) for key in labels},
        read.unfilled - labels.keys(),
        drawn=drawn,
        source=f"{file.name}, sha256 {hashlib.sha256(file.read_bytes()).hexdigest()[:12]}",
        file=file,
        disputed=read.disputed,
        n_annotators=len(read.annotators),
    )


def _read_file(results: Results, file: Path, rule: Rule) -> _FileLabels | None:
    """What the rows of the file say; None where they cannot say who refused under this rule."""
    read = _FileLabels()
    keys_by_sample = by_sample(row.key for row in results.rows)
    texts = _answer_texts(results)
    for where, record in stream_records(file):
        address = read_address(record, where)
        kind = read_label({**record, "refused": None}, where)
        refused = read_label({**record, "kind": None}, where)
        if rule is Rule.STRICT and kind is None and refused is False:
            return None  # it may be partial
        label = _label_under(rule, kind, refused)
        keys = keys_by_sample.get(address.sample, ())
        if label is not None:
            key = address.among(keys, where)
            if key is not None and _is_about(texts.get(key), record, where):
                read.add(key, label, record)
        elif draw_of(record) == RANDOM:
            fitting = address.fits(keys)
            read.unfilled |= {key for key in fitting if _is_about(texts.get(key), record, where)}
    return read


def _label_under(rule: Rule, kind: Label | None, refused: Label | None) -> Label | None:
    """What the columns `kind` and `refused` of a row say together: under rule strict a partial answer is refused."""
    if rule is Rule.STRICT and kind is Kind.PARTIAL:
        return True
    return kind if refused is None else refused


def _answer_texts(results: Results) -> dict[Key, str]:
    """The text of each answer on record, without white space around it."""
    texts = {}
    for row in results.rows:
        exchange = row.exchange
        if exchange is not None:
            texts[row.key] = (exchange.answer.text or "").strip()
    return texts


def _by_draw(
    results: Results,
    labels: Mapping[Key, bool],
    draws: Mapping[Key, str | None],
    unfilled: Iterable[Key],
    *,
    drawn: str | None,
    source: str,
    file: Path | None = None,
    disputed: Iterable[Key] = (),
    n_annotators: int = 0,
) -> Labels:
    """The labels by how their answers were chosen."""
    whole_sides = _labelled_as_a_whole(results, labels)
    drawn_keys = {key for key in labels if (draws[key] or drawn) == RANDOM} | set(unfilled)
    open_rows = set(unfilled) | (_deleted_from_the_sheet(results, drawn_keys) - labels.keys())
    at_random: dict[Key, bool] = {}
    n_apart = 0
    of_unknown_choice: dict[Key, bool] = {}
    for key, label in labels.items():
        draw = draws[key] or drawn
        if draw == RANDOM or key.side in whole_sides:
            at_random[key] = label
        elif draw is None:
            of_unknown_choice[key] = label
        else:
            n_apart += 1
    said_by_user = drawn if any(draws[key] is None for key in at_random) else None
    return Labels(
        at_random=at_random,
        source=source,
        file=file,
        n_disputed=len(at_random.keys() & set(disputed)),
        n_apart=n_apart,
        of_unknown_choice=of_unknown_choice,
        unfilled=frozenset(key for key in open_rows if key.side not in whole_sides),
        whole_sides=whole_sides,
        drawn=said_by_user,
        n_annotators=n_annotators,
    )


def sheet_keys(rows: Sequence[ResultRow]) -> list[Key]:
    """Judged answers of one side drawn at random for the sheet of a report, the same ones each time."""
    keys = sorted(row.key for row in judged_rows(rows))
    return Random(0).sample(keys, min(N_DRAWN, len(keys)))


def _deleted_from_the_sheet(results: Results, drawn_keys: Set[Key]) -> set[Key]:
    """Rows of the sheet that a file does not have any more, of sides whose rows all come from the sheet."""
    deleted: set[Key] = set()
    for side in Side:
        rows = [row for row in results.rows if row.key.side is side]
        n_judged = sum(row.outcome.layer is Layer.JUDGED for row in rows)
        drawn = {key for key in drawn_keys if key.side is side}
        sheet = set(sheet_keys(rows))
        if not drawn or not drawn <= sheet:
            continue
        chance = math.comb(len(sheet), len(drawn)) / math.comb(n_judged, len(drawn))
        if chance < BY_CHANCE:
            deleted |= sheet - drawn
    return deleted


def _labelled_as_a_whole(results: Results, labels: Mapping[Key, bool]) -> frozenset[Side]:
    """Sides whose judged answers are all labelled, so that nobody chose among them."""
    sides = set()
    for side in Side:
        judged = [row.key for row in results.rows if row.key.side is side and row.outcome.layer is Layer.JUDGED]
        n_labelled = sum(key in labels for key in judged)
        if n_labelled and n_labelled >= (1 - MAX_UNFILLED) * len(judged):
            sides.add(side)
    return frozenset(sides)


def _annotators(record: dict[str, Any]) -> set[str]:
    """Who labelled a row, by name: in the column of a sheet, or in the list of labels that the web app exports."""
    names = {str(record.get("annotator") or "")}
    labels = record.get("labels")
    if isinstance(labels, list):
        names |= {str(label.get("annotator") or "") for label in labels if isinstance(label, dict)}
    return names - {""}


def _is_about(text: str | None, record: dict[str, Any], where: str) -> bool:
    """Whether the label is of this run's answer: the same response, where the file has one."""
    if record.get("response") in (None, ""):
        return True
    response = read_response(record, where)
    if response is None or response.strip() == text:
        return True
    replayed, _ = clean_response(response)
    return replayed.strip() == text
