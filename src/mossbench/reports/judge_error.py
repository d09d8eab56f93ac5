"""What is known of the judge's errors and what they do to a rate, and which answers to label to know it.

`results.correction` decides whether a rate is corrected; `words.judges` says on what that rests.
"""

from collections.abc import Sequence
from dataclasses import replace

from mossbench.judges.measured import measured
from mossbench.outcomes import Key, Layer
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.reports.record import JudgeError
from mossbench.reports.words import judges as words
from mossbench.reports.words.labelled import told_by_labels
from mossbench.results.correction import Correction
from mossbench.results.judge_range import own_errors
from mossbench.results.label_notes import chosen_for_a_reason, unknown_choice
from mossbench.results.labels import MIN_LABELS, sheet_keys
from mossbench.results.rates import Corrected, Rate
from mossbench.results.row_columns import judged_rows, of_side, unfamiliar_rows
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.statistics import Confusion


def judge_error(results: Results, rate: Rate, correction: Correction) -> JudgeError:
    """What is known of the run's judge, with what it makes of the headline's rate."""
    rows = of_side(results.rows, rate.side)
    error = _with_unused_labels(_known(results, rows, rate, correction), rate, correction)
    judged = judged_rows(rows)
    unfamiliar = [row.key for row in unfamiliar_rows(judged)]
    if not unfamiliar:
        return error
    text = f"{error.text} {words.unfamiliar(len(unfamiliar), len(judged))}"
    return replace(error, text=text, unfamiliar=_sheet(unfamiliar, "unfamiliar"))


def _with_unused_labels(error: JudgeError, rate: Rate, correction: Correction) -> JudgeError:
    """The same, with what is to be said of labels that correct nothing because nobody says how they were chosen."""
    labels = correction.labels
    if rate.corrected is not None and rate.corrected.basis == "labels":
        if not labels.n_unknown:
            return error
        return replace(error, text=f"{error.text} {words.unknown_apart(labels.n_unknown)}")
    if not labels.n_unknown:
        return replace(error, text=f"{error.text} {chosen_for_a_reason(labels)}".rstrip())
    text = unknown_choice(labels)
    return replace(error, text=f"{error.text} {text}", unknown_choice=text)


def _known(results: Results, rows: Sequence[ResultRow], rate: Rate, correction: Correction) -> JudgeError:
    judge = results.judge
    if judge is None or not judged_rows(rows):
        return _with_words(words.no_judge())
    if judge.startswith("human/"):
        return _with_words(words.people())
    if rate.corrected is not None and rate.corrected.is_by_plan:
        judge_words = told_by_labels(judge, correction.labelled[rate.side])
        return replace(_with_words(judge_words), corrected=rate.corrected.estimate)
    own = own_errors(results.rows, correction.rule, correction.labels.at_random)
    if own.n:
        return _measured_here(judge, rows, rate, correction, own)
    of_unknown_choice = own_errors(results.rows, correction.rule, correction.labels.of_unknown_choice)
    if of_unknown_choice.n:
        return _measured_on_unknown_choice(judge, rows, rate, of_unknown_choice)
    if rate.corrected and rate.corrected.basis == "controls":
        return _measured_on_controls(judge, rows, rate.corrected, correction)
    return _measured_elsewhere(judge, rows, rate, correction)


def _measured_on_controls(
    judge: str, rows: Sequence[ResultRow], corrected: Corrected, correction: Correction
) -> JudgeError:
    counts = correction.expected_errors(judged_rows(rows))
    assert counts is not None
    return replace(_with_words(words.measured_on_controls(judge, counts, corrected)), counts=counts)


def _measured_elsewhere(judge: str, rows: Sequence[ResultRow], rate: Rate, correction: Correction) -> JudgeError:
    """Measured on another set, or on none."""
    measurements = measured(judge)
    if not measurements:
        return _with_sheet(_with_words(words.not_measured(judge)), rows)
    judge_words = words.measured_elsewhere(judge, rate.judge_range, correction.why_not)
    return _with_sheet(replace(_with_words(judge_words), sources=measurements, counts=correction.counts), rows)


def _with_words(judge_words: words.JudgeWords) -> JudgeError:
    return JudgeError(judge_words.title, judge_words.text)


def _with_sheet(error: JudgeError, rows: Sequence[ResultRow]) -> JudgeError:
    """The same, with answers that people could label to know the judge's error: drawn at random, the same each time."""
    drawn = sorted(sheet_keys(rows), key=lambda key: (len(key.sample), *key[1:]))
    return replace(error, draw=tuple(key.sample for key in drawn), sheet=_sheet(drawn, "random"))


def _sheet(keys: list[Key], draw: str) -> str:
    lines = [(cell(key.sample), key.side.value, key.arm, key.epoch, draw, "") for key in keys]
    return csv_text([("id", "side", "arm", "epoch", "draw", "refused"), *lines])


def _measured_here(
    judge: str, rows: Sequence[ResultRow], rate: Rate, correction: Correction, counts: Confusion
) -> JudgeError:
    labels = correction.labels
    n_labelled = sum(row.key in labels.at_random and row.outcome.layer is Layer.JUDGED for row in rows)
    measured_here = words.MeasuredHere(
        judge=judge,
        counts=counts,
        labels=labels,
        rate=rate,
        not_random=correction.why_not_random.get(rate.side, ""),
        unfilled=correction.why_partly_labelled.get(rate.side, ""),
        are_few=n_labelled < MIN_LABELS,
    )
    error = replace(_with_words(words.measured_here(measured_here)), counts=counts, measured_here=True)
    corrected = measured_here.corrected_by_labels
    if corrected is not None:
        return replace(error, corrected=corrected.estimate)
    error = replace(error, not_random=measured_here.not_random, unfilled=measured_here.unfilled)
    if measured_here.not_random or measured_here.are_few:
        return _with_sheet(error, rows)
    return error


def _measured_on_unknown_choice(judge: str, rows: Sequence[ResultRow], rate: Rate, counts: Confusion) -> JudgeError:
    """What the judge did on labelled answers that may have been chosen because it erred on them."""
    judge_words = words.measured_on_unknown_choice(judge, counts, rate)
    return _with_sheet(replace(_with_words(judge_words), counts=counts, measured_here=True), rows)
