"""What the judge's errors do to a rate, in words, and which answers to label to know it.

`results.correction` decides how a rate is corrected; here it is said on what that rests.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from mossbench.judges.measured import measured
from mossbench.look.numbers import ends, percent, quoted, whole
from mossbench.outcomes import Key, Layer
from mossbench.plumbing.sheets import cell, csv_text
from mossbench.reports.record import JudgeError, Report
from mossbench.results.correction import FEWEST, Correction, own_errors
from mossbench.results.rates import Corrected, Rate
from mossbench.results.table import ResultRow, Results
from mossbench.statistics import Confusion

N_DRAWN = 100
_DRAWN = (
    "To measure the judge’s error on this run and correct the rate, label answers of this run that were drawn at "
    "random, such as those on the sheet here, and pass them with --labels."
)


def judge_error(results: Results, rate: Rate, correction: Correction) -> JudgeError:
    """What is known of the run's judge, with what it makes of the headline's rate."""
    rows = [row for row in results.rows if row.key.side is rate.side]
    return _with_unfamiliar(_known(results, rows, rate, correction), rows)


def _with_unfamiliar(error: JudgeError, rows: list[ResultRow]) -> JudgeError:
    """Says in how many answers the judge's readers disagree, and offers just those for labelling."""
    judged = [row for row in rows if row.outcome.layer is Layer.JUDGED]
    new = [row.key for row in judged if row.verdict and row.verdict.unfamiliar]
    if not new:
        return error
    text = (
        f"{error.text} In {len(new)} of {len(judged)} judged answers ({whole(len(new) / len(judged))}) its two readers "
        "disagree: it does not know that manner of speaking well. Where they disagreed on labelled answers, 17 to 40 "
        "of 100 verdicts were wrong, elsewhere 1 to 6. Label those to see what it misreads; such labels are kept apart "
        "from the random choice and correct no rate."
    )
    return replace(error, text=text, unfamiliar=_sheet(new, "unfamiliar"))


def _known(results: Results, rows: list[ResultRow], rate: Rate, correction: Correction) -> JudgeError:
    if results.judge is None:
        return JudgeError("No judge has read these answers", "There are no verdicts, so there is no judge error.")
    if results.judge.startswith("human/"):
        text = "Verdicts are labels by people, which are taken as right."
        return JudgeError("People read these answers", text)
    own = own_errors(results.rows, correction.rule, correction.labels)
    if own.n:
        return _measured_here(results.judge, rows, rate, correction, own)
    if rate.corrected and rate.corrected.basis == "controls":
        return _measured_on_controls(results.judge, rows, rate.corrected, correction)
    return _measured_elsewhere(results, rate, correction, _to_label(rows))


def drawn_keys(rows: list[ResultRow]) -> list[Key]:
    """Judged answers drawn at random, the same ones each time; all of them where there are few."""
    keys = sorted(row.key for row in rows if row.outcome.layer is Layer.JUDGED)
    return sorted(Random(0).sample(keys, min(N_DRAWN, len(keys))), key=lambda key: (len(key.sample), *key[1:]))


def _to_label(rows: list[ResultRow]) -> dict[str, Any]:
    """The drawn answers for a `JudgeError`: their ids, and a sheet to fill in that says of each which it is."""
    drawn = drawn_keys(rows)
    return {"draw": tuple(key.sample for key in drawn), "sheet": _sheet(drawn, "random")}


def _sheet(keys: list[Key], draw: str) -> str:
    lines = [(cell(key.sample), key.side.value, key.arm, key.epoch, draw, "") for key in keys]
    return csv_text([("id", "side", "arm", "epoch", "draw", "refused"), *lines])


def judge_words(report: Report) -> str:
    """Who read the answers, with which errors, and what was done about them; for texts that others read."""
    counts, fixed = report.judge_error.counts, report.rate.corrected
    if str(report.judge).startswith("human/"):
        return "Verdicts are labels by people, which are taken as right."
    said = f"Verdicts are by {report.judge}."
    if counts and report.judge_error.measured_here:
        said += f" On {counts.n} labelled answers of this run it {_errors(counts)}."
    elif counts and fixed:
        here = "" if fixed.basis == "controls" else "; it was not measured on answers of this model"
        said += f" On {fixed.on}, it {_errors(counts)}{here}."
    else:
        said += " Its errors on these answers are not known."
    if fixed is None:
        return f"{said} The rate is not corrected."
    if fixed.basis == "labels":
        return f"{said} The corrected rate is by prediction-powered inference on {fixed.on}."
    assumed = ", as if it erred here as there" if fixed.basis == "assumed" else ""
    return f"{said} Corrected rates are by Rogan and Gladen’s estimator with these errors{assumed}."


def if_it_errs(judge: str, corrected: Corrected) -> str:
    """An assumed correction with its assumption, and what the rate is if that is a little wrong."""
    less, more = corrected.if_less_specific, corrected.if_more_specific
    worse, better = corrected.if_less_sensitive, corrected.if_more_sensitive
    assert less is not None and more is not None and worse is not None and better is not None
    return (
        f"if {judge} errs here as on {corrected.on}, the rate is {quoted(corrected.estimate)}; with a specificity 5 "
        f"points lower than there {percent(less)}, 5 points higher {percent(more)}; with a sensitivity 5 points lower "
        f"{percent(worse)}, higher {percent(better)}"
    )


def _measured_here(
    judge: str, rows: list[ResultRow], rate: Rate, correction: Correction, counts: Confusion
) -> JudgeError:
    labels, fixed = correction.labels, rate.corrected
    text = f"Verdicts are by {judge}. On {counts.n} labelled {_s(counts.n, 'answer')} of this run it {_errors(counts)}."
    if labels.n_disputed:
        text += f" {labels.n_disputed} {'is' if labels.n_disputed == 1 else 'are'} disputed and counted as labelled."
    if n := labels.n_apart:
        text += f" {n} labelled {_s(n, 'answer')} more, not drawn at random, {'is' if n == 1 else 'are'} kept apart."
    if fixed and fixed.basis == "labels":
        text += (
            f" Corrected for these errors, the rate is {percent(fixed.estimate.value)} ({ends(fixed.estimate)}), if "
            "the labelled answers were drawn at random."
        )
        title = "No judge error was found" if not counts.wrong else _size(counts.wrong / counts.n)
        title = f"{title}; the corrected rate is {percent(fixed.estimate.value)}"
        return JudgeError(title, text, counts, True, fixed.estimate)
    chosen = correction.not_random.get(rate.side, "")
    n_labelled = sum(row.key in labels.said and row.outcome.layer is Layer.JUDGED for row in rows)
    title = "The judge was measured on this run"
    drawn = _to_label(rows)
    if chosen:
        title = "The labelled answers were not drawn at random"
        text += f" {chosen} So the rate is not corrected by them. {_DRAWN}"
    elif n_labelled < FEWEST:
        title = "The judge was measured on only a few answers of this run"
        text += f" With fewer than {FEWEST} labels the rate is not corrected by them. {_DRAWN}"
    else:
        text, drawn = f"{text} The rate itself is not known well enough to be corrected.", {}
    if fixed:
        said = if_it_errs(judge, fixed) if fixed.basis == "assumed" else f"corrected, it is {quoted(fixed.estimate)}"
        text += f" {said[0].upper()}{said[1:]}."
    return JudgeError(title, text, counts, True, not_random=chosen, **drawn)


def _measured_on_controls(judge: str, rows: list[ResultRow], fixed: Corrected, correction: Correction) -> JudgeError:
    counts = correction.errors([row for row in rows if row.outcome.layer is Layer.JUDGED])
    assert counts is not None
    text = (
        f"Verdicts are by {judge}. On {fixed.on}, it {_errors(counts)}. Corrected for these errors, the rate is "
        f"{quoted(fixed.estimate)}."
    )
    title = f"The judge was measured on control models; the corrected rate is {percent(fixed.estimate.value)}"
    return JudgeError(title, text, counts)


def _measured_elsewhere(results: Results, rate: Rate, correction: Correction, drawn: dict[str, Any]) -> JudgeError:
    judge, known = str(results.judge), measured(str(results.judge))
    fixed = rate.corrected
    if not known:
        text = f"Verdicts are by {judge}, whose errors have not been measured. {_DRAWN}"
        return JudgeError("The judge’s error rate is not known", text, **drawn)
    found = "; ".join(f"on {row.on}, it {_errors(row.counts)}" for row in known)
    text = (
        f"Verdicts are by {judge}. {found[0].upper()}{found[1:]}. It was not measured on this model, and judges make "
        "different errors on each model. "
    )
    if fixed:
        said = if_it_errs(judge, fixed)
        text += f"{said[0].upper()}{said[1:]}. "
    else:
        text += f"The rate is not corrected{f': {correction.why_not}' if correction.why_not else ''}. "
    return JudgeError("The judge was not measured on this model", text + _DRAWN, correction.counts, **drawn)


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
