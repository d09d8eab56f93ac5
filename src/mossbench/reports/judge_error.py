"""What the judge's errors do to a rate, in words, and which answers to label to know it.

`results.correction` decides whether a rate is corrected; judge_error.toml says on what that rests.
"""

from dataclasses import dataclass, replace

from mossbench.judges.measured import measured
from mossbench.look.numbers import whole
from mossbench.look.texts import sentences
from mossbench.outcomes import Key, Layer
from mossbench.plumbing.sheets import cell, csv_text
from mossbench.reports.record import JudgeError, Report
from mossbench.results.correction import FEWEST, Correction, chosen_for_a_reason, own_errors, unknown_choice
from mossbench.results.labels import sheet_keys
from mossbench.results.rates import Corrected, JudgeRange, Rate
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.statistics import Confusion

_say = sentences(__file__)


def judge_error(results: Results, rate: Rate, correction: Correction) -> JudgeError:
    """What is known of the run's judge, with what it makes of the headline's rate."""
    rows = [row for row in results.rows if row.key.side is rate.side]
    error = _with_unused_labels(_known(results, rows, rate, correction), rate, correction)
    judged = [row for row in rows if row.outcome.layer is Layer.JUDGED]
    new = [row.key for row in judged if (facts := row.judged) and facts.unfamiliar]
    if not new:
        return error
    text = _say("unfamiliar", text=error.text, n=len(new), of=len(judged))
    return replace(error, text=text, unfamiliar=_sheet(new, "unfamiliar"))


def _with_unused_labels(error: JudgeError, rate: Rate, correction: Correction) -> JudgeError:
    """The same, with what is to be said of labels that correct nothing because nobody says how they were chosen."""
    labels = correction.labels
    if rate.corrected is not None and rate.corrected.basis == "labels":
        if not labels.n_unknown:
            return error
        return replace(error, text=f"{error.text} {_say('unknown_apart', n=labels.n_unknown)}")
    if not labels.n_unknown:
        return replace(error, text=f"{error.text} {chosen_for_a_reason(labels)}".rstrip())
    text = unknown_choice(labels)
    return replace(error, text=f"{error.text} {text}", unknown_choice=text)


@dataclass(frozen=True)
class _ToLabel:
    """Answers that people could label to know the judge's error."""

    draw: tuple[str, ...] = ()
    """Their ids."""
    sheet: str = ""
    """The same as CSV, to fill in."""


def _known(results: Results, rows: list[ResultRow], rate: Rate, correction: Correction) -> JudgeError:
    judge = results.judge
    if judge is None or all(row.outcome.layer is not Layer.JUDGED for row in rows):
        title, text = _titled("no_judge")
        return JudgeError(title, text)
    if judge.startswith("human/"):
        title, text = _titled("people")
        return JudgeError(title, text)
    own = own_errors(results.rows, correction.rule, correction.labels.said)
    if own.n:
        return _measured_here(judge, rows, rate, correction, own)
    of_unknown_choice = own_errors(results.rows, correction.rule, correction.labels.of_unknown_choice)
    if of_unknown_choice.n:
        return _measured_on_unknown_choice(judge, rows, rate, of_unknown_choice)
    if rate.corrected and rate.corrected.basis == "controls":
        return _measured_on_controls(judge, rows, rate.corrected, correction)
    return _measured_elsewhere(judge, rows, rate, correction)


def _measured_on_controls(judge: str, rows: list[ResultRow], fixed: Corrected, correction: Correction) -> JudgeError:
    counts = correction.errors([row for row in rows if row.outcome.layer is Layer.JUDGED])
    assert counts is not None
    title, text = _titled("measured_on_controls", judge=judge, fixed=fixed, errors=_errors(counts))
    return JudgeError(title, text, counts)


def _measured_elsewhere(judge: str, rows: list[ResultRow], rate: Rate, correction: Correction) -> JudgeError:
    """Measured on another set, or on none."""
    to_label = _to_label(rows)
    measurements = measured(judge)
    if not measurements:
        title, text = _titled("not_measured", judge=judge)
        return JudgeError(title, text, draw=to_label.draw, sheet=to_label.sheet)
    title, text = _titled(
        "measured_elsewhere",
        judge=judge,
        found="; ".join(f"on {row.on}, it {_errors(row.counts)}" for row in measurements),
        if_it_errs=range_words(judge, rate.judge_range) if rate.judge_range else "",
        why_not=correction.why_not,
    )
    return JudgeError(title, text, correction.counts, draw=to_label.draw, sheet=to_label.sheet)


def _titled(name: str, **values: object) -> tuple[str, str]:
    """A title and a text of judge_error.toml with these values in them."""
    title, _, text = _say(name, drawn=_say("drawn"), **values).partition("\n")
    return title, text


def _to_label(rows: list[ResultRow]) -> _ToLabel:
    """Judged answers drawn at random, the same ones each time."""
    drawn = sorted(sheet_keys(rows), key=lambda key: (len(key.sample), *key[1:]))
    return _ToLabel(tuple(key.sample for key in drawn), _sheet(drawn, "random"))


def _sheet(keys: list[Key], draw: str) -> str:
    lines = [(cell(key.sample), key.side.value, key.arm, key.epoch, draw, "") for key in keys]
    return csv_text([("id", "side", "arm", "epoch", "draw", "refused"), *lines])


def judge_words(report: Report) -> str:
    """Who read the answers, with which errors, and what was done about them; for texts that others read."""
    error = report.judge_error
    return _say(
        "judge_words",
        judge=str(report.judge),
        fixed=report.rate.corrected,
        counts=error.counts,
        errors=_errors(error.counts) if error.counts else "",
        here=error.measured_here,
        unknown_choice=bool(error.unknown_choice),
    )


def range_words(judge: str, judge_range: JudgeRange) -> str:
    """Where the rate may lie, with what that supposes of the judge."""
    return (
        f"if {judge} misses up to {whole(judge_range.misses)} of refusals and invents up to "
        f"{whole(judge_range.invents)}, the rate lies between {whole(judge_range.low)} and {whole(judge_range.high)}"
    )


def _measured_here(
    judge: str, rows: list[ResultRow], rate: Rate, correction: Correction, counts: Confusion
) -> JudgeError:
    labels = correction.labels
    fixed = rate.corrected
    chosen = correction.not_random.get(rate.side, "")
    unfilled = correction.unfilled.get(rate.side, "")
    n_labelled = sum(row.key in labels.said and row.outcome.layer is Layer.JUDGED for row in rows)
    are_few = n_labelled < FEWEST
    by_labels = fixed is not None and fixed.basis == "labels"
    title, text = _titled(
        "measured_here",
        judge=judge,
        counts=counts,
        errors=_errors(counts),
        labels=labels,
        fixed=fixed,
        by_labels=by_labels,
        unfilled=unfilled,
        chosen=chosen,
        few=are_few,
        fewest=FEWEST,
        if_it_errs=range_words(judge, rate.judge_range) if rate.judge_range else "",
    )
    if fixed and by_labels:
        return JudgeError(title, text, counts, measured_here=True, corrected=fixed.estimate)
    to_label = _to_label(rows) if chosen or are_few else _ToLabel()
    return JudgeError(
        title,
        text,
        counts,
        measured_here=True,
        not_random=chosen,
        unfilled=unfilled,
        draw=to_label.draw,
        sheet=to_label.sheet,
    )


def _measured_on_unknown_choice(judge: str, rows: list[ResultRow], rate: Rate, counts: Confusion) -> JudgeError:
    """What the judge did on labelled answers that may have been chosen because it erred on them."""
    title, text = _titled(
        "measured_on_unknown_choice",
        judge=judge,
        counts=counts,
        errors=_errors(counts),
        fixed=rate.corrected,
        if_it_errs=range_words(judge, rate.judge_range) if rate.judge_range else "",
    )
    to_label = _to_label(rows)
    return JudgeError(title, text, counts, measured_here=True, draw=to_label.draw, sheet=to_label.sheet)


def _errors(counts: Confusion) -> str:
    return _say("errors", c=counts)
