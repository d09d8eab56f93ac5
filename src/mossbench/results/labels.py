"""Labels of a run's answers, from a file or from verdicts of people in its folder: refused or not, by row.

Only a random choice of the answers tells how often the judge is wrong on the others. A row of a file says in `draw` how
its answer was chosen: `random`, or empty as in files without that column, or a word for another reason. Answers that
were chosen for another reason are counted and kept apart.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.errors import DataError
from mossbench.judges.human import Label, by_sample, draw_of, majority, read_address, read_label
from mossbench.outcomes import REFUSED_KINDS, Counted, Key, Kind, Layer, Rule, counted, outcome
from mossbench.runs.folder import RunFolder
from mossbench.transcripts import read_response, stream_records

if TYPE_CHECKING:
    from mossbench.results.table import Results


@dataclass(frozen=True)
class Labels:
    """What people say of a run's answers: refused or not, by row, and where that was read."""

    said: Mapping[Key, bool] = field(default_factory=dict)
    """Of answers drawn at random."""
    source: str = ""
    file: Path | None = None
    n_disputed: int = 0
    n_apart: int = 0
    """Labelled answers that were chosen for another reason."""


def run_labels(results: Results, file: Path | None, rule: Rule) -> Labels:
    """Refused or not as people say, by row: from `file`, or else from verdicts of people in the run's folder.

    Tied rows have no label here, and so have rows of the file that are about another answer. Disputed ones count as
    they are labelled: without the hard answers the others would be no random choice.
    """
    if file is not None:
        return _labels_of_file(results, file, rule)
    folder = RunFolder(results.folder)
    people = [label for label in folder.judges() if label.startswith("human/")] if results.folder.is_dir() else []
    if not people or (results.judge or "").startswith("human/"):
        return Labels()
    judgements, readings, apart = folder.judgements(people[-1]), dict[Key, Counted](), set[Key]()
    for row in results.rows:
        judgement = judgements.get(row.key)
        if row.exchange is None or judgement is None or judgement.digest != row.exchange.digest():
            continue
        found = outcome(row.exchange.answer, judgement.verdict)
        if found.layer is Layer.JUDGED:
            readings[row.key] = counted(found, rule)
            apart |= {row.key} if judgement.verdict.draw else set()
    if Counted.UNKNOWN in readings.values():
        return Labels()  # without kinds only refusals are told under rule strict: no random choice
    said = {key: reading is Counted.REFUSED for key, reading in readings.items() if key not in apart}
    return Labels(said, people[-1], n_apart=len(apart))


def _labels_of_file(results: Results, file: Path, rule: Rule) -> Labels:
    found: dict[Key, list[Label]] = defaultdict(list)
    asked = by_sample(row.key for row in results.rows)
    texts = {row.key: (row.exchange.answer.text or "").strip() for row in results.rows if row.exchange}
    disputed, at_random = set(), set()
    for where, record in stream_records(file):
        address = read_address(record, where)
        kind = read_label({**record, "refused": None}, where)
        label = read_label({**record, "kind": None}, where)
        if rule is Rule.STRICT:
            if kind is None and label is False:
                return Labels(file=file)  # it may be partial: these labels cannot say who refused under this rule
            label = True if kind is Kind.PARTIAL else label
        label = kind if label is None else label
        key = None if label is None else address.among(asked.get(address.sample, ()), where)
        if label is not None and key is not None and _is_about(texts.get(key), record, where):
            found[key].append(label)
            at_random |= {key} if draw_of(record) is None else set()
            disputed |= {key} if str(record.get("disputed")).lower() in ("1", "true") else set()
    labels: dict[Key, bool] = {}
    for key, given in found.items():
        verdict = majority(given)
        if not verdict.is_none:
            labels[key] = verdict.kind in REFUSED_KINDS if verdict.kind else bool(verdict.refused)
    if not labels:
        raise DataError(
            f"{file} has no label for an answer of {results.folder}; expected rows with an id of this run, refused "
            "(0 or 1) or kind, and, where they have a response, the response of this run"
        )
    source = f"{file.name}, sha256 {hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
    said = {key: label for key, label in labels.items() if key in at_random}
    return Labels(said, source, file, len(disputed & said.keys()), len(labels) - len(said))


def _is_about(text: str | None, record: dict[str, Any], where: str) -> bool:
    """Whether the label is of this run's answer: the same response, where the file has one."""
    response = read_response(record, where) if record.get("response") not in (None, "") else None
    return response is None or response.strip() == text
