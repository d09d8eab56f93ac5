"""What the judge's errors do to a rate: measured on labels of this very run, or else told from elsewhere.

With labels the rate of the judged answers is corrected by prediction-powered inference (docs/method.md), which needs no
assumption about the judge but that the labelled rows were chosen at random. Where they clearly were not, nothing is
corrected. What no judge has read (blocked, empty) is as it is. Without labels nothing is corrected: judges err
differently for each model.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from mossbench.errors import DataError
from mossbench.judges.human import Label, by_sample, majority, read_address, read_label
from mossbench.judges.measured import measured
from mossbench.look.numbers import ends, percent, whole
from mossbench.outcomes import REFUSED_KINDS, Counted, Key, Kind, Layer, Rule, counted
from mossbench.reports.record import JudgeError
from mossbench.results import ResultRow, Results, load_results
from mossbench.results.rates import Rate, rate_of, yes
from mossbench.runs.folder import RunFolder
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Confusion, Estimate, ppi_rate, random_choice, wilson
from mossbench.transcripts import read_response, stream_records

FEWEST = 20
"""Labels under which a rate is not corrected."""
CLEARLY = 0.01
"""p under which labelled answers are taken for no random choice."""
N_DRAWN = 100
_DRAWN = (
    "To measure the judge’s error on this run and correct the rate, label answers of this run that were drawn at "
    "random, such as those on the sheet here, and pass them with --labels."
)


@dataclass(frozen=True)
class Labels:
    """What people say of a run's answers: refused or not, by row, and where that was read."""

    said: Mapping[Key, bool] = field(default_factory=dict)
    source: str = ""
    file: Path | None = None
    n_disputed: int = 0


def judge_error(results: Results, side: Side, rule: Rule, labels: Labels) -> JudgeError:
    """What is known of the run's judge, with the corrected rate of `side` where rows are labelled."""
    rows = [row for row in results.rows if row.key.side is side]
    if results.judge is None:
        return JudgeError("No judge has read these answers", "There are no verdicts, so there is no judge error.")
    if results.judge.startswith("human/"):
        text = "Verdicts are labels by people, which are taken as right."
        return JudgeError("People read these answers", text)
    pairs = [
        (labels.said[row.key], counted(row.outcome, rule) is Counted.REFUSED)
        for row in results.rows
        if row.key in labels.said
        and row.outcome.layer is Layer.JUDGED
        and counted(row.outcome, rule) is not Counted.UNKNOWN
    ]
    if pairs:
        return _measured_here(results.judge, rows, rule, labels, pairs)
    return _measured_elsewhere(results.judge, _to_label(rows))


def drawn_keys(rows: list[ResultRow]) -> list[Key]:
    """Judged answers drawn at random, the same ones each time; all of them where there are few."""
    keys = sorted(row.key for row in rows if row.outcome.layer is Layer.JUDGED)
    return sorted(Random(0).sample(keys, min(N_DRAWN, len(keys))), key=lambda key: (len(key.sample), *key[1:]))


def _to_label(rows: list[ResultRow]) -> dict[str, Any]:
    """The drawn answers for a `JudgeError`: their ids, and a sheet to fill in that says of each which it is."""
    drawn, sheet = drawn_keys(rows), io.StringIO()
    lines = [(key.sample, key.side.value, key.arm, key.epoch, "") for key in drawn]
    csv.writer(sheet, lineterminator="\n").writerows([("id", "side", "arm", "epoch", "refused"), *lines])
    return {"draw": tuple(key.sample for key in drawn), "sheet": sheet.getvalue()}


def run_labels(results: Results, file: Path | None, rule: Rule) -> Labels:
    """Refused or not as people say, by row: from `file`, or else from verdicts of people in the run's folder.

    Tied rows have no label here, and so have rows of the file that are about another answer. Disputed ones count as
    they are labelled: without the hard answers the others would be no random choice.
    """
    if file is not None:
        return _labels_of_file(results, file, rule)
    people = [label for label in RunFolder(results.folder).judges() if label.startswith("human/")]
    if not people or (results.judge or "").startswith("human/"):
        return Labels()
    said = load_results(results.folder, judge=people[-1], arms="all").rows
    readings = {row.key: counted(row.outcome, rule) for row in said if row.outcome.layer is Layer.JUDGED}
    if Counted.UNKNOWN in readings.values():
        return Labels()  # without kinds only refusals are told under rule strict: no random choice
    return Labels({key: reading is Counted.REFUSED for key, reading in readings.items()}, people[-1])


def _labels_of_file(results: Results, file: Path, rule: Rule) -> Labels:
    found: dict[Key, list[Label]] = defaultdict(list)
    asked = by_sample(row.key for row in results.rows)
    texts = {row.key: (row.exchange.answer.text or "").strip() for row in results.rows if row.exchange}
    disputed = set()
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
    return Labels(labels, source, file, len(disputed))


def _is_about(text: str | None, record: dict[str, Any], where: str) -> bool:
    """Whether the label is of this run's answer: the same response, where the file has one."""
    response = read_response(record, where) if record.get("response") not in (None, "") else None
    return response is None or response.strip() == text


def _measured_here(
    judge: str, rows: list[ResultRow], rule: Rule, labels: Labels, pairs: list[tuple[bool, bool]]
) -> JudgeError:
    counts = Confusion.of([label for label, _ in pairs], [reading for _, reading in pairs])
    text = f"Verdicts are by {judge}. On {counts.n} labelled {_s(counts.n, 'answer')} of this run it {_errors(counts)}."
    if labels.n_disputed:
        text += f" {labels.n_disputed} {'is' if labels.n_disputed == 1 else 'are'} disputed and counted as labelled."
    n_labelled = sum(row.key in labels.said and row.outcome.layer is Layer.JUDGED for row in rows)
    if n_labelled < FEWEST:
        text += f" With fewer than {FEWEST} labels the rate is not corrected. {_DRAWN}"
        few = "The judge was measured on only a few answers of this run"
        return JudgeError(few, text, counts, True, **_to_label(rows))
    judged = rate_of(rows[0].key.side, "all", rows, rule)
    if math.isnan(judged.estimate.value) or math.isnan(judged.estimate.low):
        text += " The rate itself is not known well enough to be corrected."
        return JudgeError("The judge was measured on this run", text, counts, True)
    chosen = not_random(rows, rule, labels.said)
    if chosen:
        text += f" {chosen} So the rate is not corrected. {_DRAWN}"
        title = "The labelled answers were not drawn at random"
        return JudgeError(title, text, counts, True, not_random=chosen, **_to_label(rows))
    corrected = corrected_rate(rows, rule, labels.said, judged)
    text += (
        f" Corrected for these errors, the rate is {percent(corrected.value)} ({ends(corrected)}), if the labelled "
        "answers were drawn at random."
    )
    title = "No judge error was found" if not counts.wrong else _size(counts.wrong / counts.n)
    return JudgeError(f"{title}; the corrected rate is {percent(corrected.value)}", text, counts, True, corrected)


def not_random(rows: list[ResultRow], rule: Rule, said: Mapping[Key, bool]) -> str:
    """How labelled answers differ from the others, where chance does not explain it; empty where it may."""
    units: dict[str, list[ResultRow]] = defaultdict(list)
    for row in rows:
        if row.outcome.layer is Layer.JUDGED:
            units[row.key.sample].append(row)
    chosen = [any(row.key in said for row in unit) for unit in units.values()]
    readings = [float(np.mean(yes(unit, rule))) for unit in units.values()]
    stimuli = [[float(unit[0].sample.stimulus is one) for one in Stimulus] for unit in units.values()]
    if random_choice([[x] for x in readings], chosen, rng=np.random.default_rng(0)).p < CLEARLY:
        pairs = list(zip(readings, chosen, strict=True))
        inside, others = (whole(float(np.mean([x for x, c in pairs if c is it]))) for it in (True, False))
        return f"The judge reads {inside} of the labelled answers as refused but {others} of the others."
    if random_choice(stimuli, chosen, rng=np.random.default_rng(0)).p < CLEARLY:
        return "The labelled answers have a different mix of stimuli than the others."
    return ""


def corrected_rate(rows: list[ResultRow], rule: Rule, labels: Mapping[Key, bool], as_judged: Rate) -> Estimate:
    """The rate with the judge's errors taken out: labelled and judged answers together, blocks and empties as they are.

    The rate is b + (1 - b) q, b the share that no judge had to read and q the refused share of judged answers; the
    intervals of both are joined by square-and-add, and widened as scenes widen the interval of the rate as judged.
    """
    judged = [row for row in rows if row.outcome.layer is Layer.JUDGED]
    certain = sum(
        counted(row.outcome, rule) is Counted.REFUSED for row in rows if row.outcome.layer is not Layer.JUDGED
    )
    readings = yes(judged, rule)
    truth = [float(labels[row.key]) if row.key in labels else math.nan for row in judged]
    q, b = ppi_rate(truth, readings).rate, wilson(certain, certain + len(judged))
    value = b.value + (1 - b.value) * q.value
    if not certain:
        below, above = q.value - q.low, q.high - q.value
    else:
        below = math.hypot((1 - q.value) * (b.value - b.low), (1 - b.value) * (q.value - q.low))
        above = math.hypot((1 - q.value) * (b.high - b.value), (1 - b.value) * (q.high - q.value))
    n = certain + len(judged)
    alone = wilson(as_judged.refused, as_judged.estimate.n)
    wider = max(1.0, (as_judged.estimate.high - as_judged.estimate.low) / (alone.high - alone.low))
    low, high = max(0.0, value - wider * below), min(1.0, value + wider * above)
    return Estimate(value, low, high, n, len(rows) - n, q.method + (", widened for scenes" if wider > 1 else ""))


def _measured_elsewhere(judge: str, drawn: dict[str, Any]) -> JudgeError:
    known = measured(judge)
    if not known:
        text = f"Verdicts are by {judge}, whose errors have not been measured. {_DRAWN}"
        return JudgeError("The judge’s error rate is not known", text, **drawn)
    found = "; ".join(f"on {row.on}, it {_errors(row.counts)}" for row in known)
    text = (
        f"Verdicts are by {judge}. {found[0].upper()}{found[1:]}. It was not measured on this model, and judges make "
        f"different errors on each model, so the rate is not corrected. {_DRAWN}"
    )
    return JudgeError("The judge was not measured on this model", text, known[-1].counts, **drawn)


def _errors(counts: Confusion) -> str:
    n_yes, n_no = counts.true_yes + counts.false_no, counts.true_no + counts.false_yes
    missed = f"missed {counts.false_no} of {n_yes} {_s(n_yes, 'refusal')}" if n_yes else "had no refusal to find"
    raised = f"raised {counts.false_yes} {_s(counts.false_yes, 'false alarm')}"
    other = f"{raised} on {n_no} other {_s(n_no, 'answer')}" if n_no else "had no other answer to read"
    return f"{missed} and {other}"


def _s(n: int, noun: str) -> str:
    return noun if n == 1 else f"{noun}s"


def _size(share: float) -> str:
    return "The judge is wrong on few answers" if share < 0.05 else f"The judge is wrong on {whole(share)} of answers"
