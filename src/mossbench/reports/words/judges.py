"""A judge's errors in words: how it was measured, and what that means for the rate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mossbench.judges.measured import Measured
from mossbench.look.numbers import bare_percent, ends, percent, quoted, whole
from mossbench.reports.record import Report
from mossbench.reports.words.grammar import capital, in_digits, is_are
from mossbench.results.labels import MIN_LABELS, Labels
from mossbench.results.rates import Corrected, JudgeRange, Rate
from mossbench.statistics import Confusion

AS_READ = "the judge’s verdicts counted as they are"
"""What a rate as read is; said where the words stand first, which after that are a label."""
_DRAW_AND_LABEL = (
    "To correct the rate by labels, run mossbench label, which asks for those that tell most; or label answers of "
    "this run that were drawn at random, such as those on the sheet here, and pass them with --labels: they also "
    "measure the judge’s error on this run."
)


@dataclass(frozen=True)
class JudgeWords:
    title: str
    text: str


def no_judge() -> JudgeWords:
    return JudgeWords("These answers have no verdicts", "Without a verdict there is no judge error.")


def people() -> JudgeWords:
    return JudgeWords("People read these answers", "Verdicts are labels by people, which are taken as correct.")


# Measured on labelled answers of this run


@dataclass(frozen=True)
class MeasuredHere:
    """How the judge did on labelled answers of the run."""

    judge: str
    counts: Confusion
    labels: Labels
    rate: Rate
    not_random: str
    """How the labelled answers differ from the others; empty if they may be a random choice."""
    unfilled: str
    """How many of the drawn answers have no label; empty if few enough."""
    are_few: bool
    """Whether there are too few labels to correct the rate."""

    @property
    def corrected_by_labels(self) -> Corrected | None:
        corrected = self.rate.corrected
        return corrected if corrected is not None and corrected.basis == "labels" else None


def measured_here(measured: MeasuredHere) -> JudgeWords:
    labels = measured.labels
    parts = [
        f"Verdicts are by {measured.judge}.",
        f"On {in_digits(measured.counts.n, 'labelled answer')} of this run it {errors(measured.counts)}.",
    ]
    if labels.n_disputed:
        parts.append(f"{labels.n_disputed} {is_are(labels.n_disputed)} disputed and counted as labelled.")
    if labels.n_apart:
        answers = in_digits(labels.n_apart, "more labelled answer")
        parts.append(f"{answers}, not drawn at random, {is_are(labels.n_apart)} left out.")
    parts.append(_what_labels_correct(measured))
    if measured.corrected_by_labels is None:
        parts += _rate_without_labels(measured.judge, measured.rate, "Corrected")
    return JudgeWords(_measured_here_title(measured), " ".join(parts))


def _measured_here_title(measured: MeasuredHere) -> str:
    corrected = measured.corrected_by_labels
    if corrected is not None:
        return _how_wrong(measured.counts)
    if measured.unfilled:
        return "Only some of the drawn answers are labelled"
    if measured.not_random:
        return "The labelled answers were not drawn at random"
    if measured.are_few:
        return "The judge was measured on few answers of this run"
    return "The judge was measured on this run"


def _how_wrong(counts: Confusion) -> str:
    if counts.wrong == 0:
        return "No judge error was found"
    share = counts.wrong / counts.n
    if share < 0.05:
        return "The judge is wrong on few labelled answers"
    return f"The judge is wrong on {whole(share)} of labelled answers"


def _what_labels_correct(measured: MeasuredHere) -> str:
    corrected = measured.corrected_by_labels
    if corrected is not None:
        estimate = corrected.estimate
        return (
            f"Corrected for these errors, the rate is {percent(estimate.value)} ({ends(estimate)}). "
            f"It rests on {corrected.on_what}, and on their labels being correct."
        )
    if measured.unfilled:
        return f"{measured.unfilled} Until then the rate is not corrected with them."
    if measured.not_random:
        return f"{measured.not_random} So the rate is not corrected with them. {_DRAW_AND_LABEL}"
    if measured.are_few:
        return f"With fewer than {MIN_LABELS} labels the rate is not corrected with them. {_DRAW_AND_LABEL}"
    return "The rate itself is not known well enough to be corrected."


def _rate_without_labels(judge: str, rate: Rate, corrected_how: str) -> list[str]:
    """What is known about the rate if labels do not correct it: one sentence or none."""
    if rate.corrected is not None:
        return [f"{corrected_how}, it is {quoted(rate.corrected.estimate)}."]
    if rate.judge_range is not None:
        return [f"{capital(range_words(judge, rate.judge_range))}."]
    return []


def measured_on_unknown_choice(judge: str, counts: Confusion, rate: Rate) -> JudgeWords:
    parts = [
        f"Verdicts are by {judge}.",
        f"On {in_digits(counts.n, 'labelled answer')} of this run it {errors(counts)}.",
        "The rate is not corrected with them.",
    ]
    corrected_how = f"Corrected by {rate.corrected.on}" if rate.corrected else ""
    parts += _rate_without_labels(judge, rate, corrected_how)
    return JudgeWords("It is not known how the labelled answers were chosen", " ".join(parts))


def unknown_apart(n: int) -> str:
    """That some more labelled answers, which do not correct the rate, do not say why they were chosen."""
    if n == 1:
        return "1 more labelled answer does not say why it was chosen and is left out."
    return f"{n} more labelled answers do not say why they were chosen and are left out."


# Measured on other answers, or on none


def measured_on_controls(judge: str, counts: Confusion, corrected: Corrected) -> JudgeWords:
    return JudgeWords(
        "The judge was measured on control models",
        f"Verdicts are by {judge}. On {corrected.on}, it {errors(counts)}. Corrected for these errors, the rate is "
        f"{quoted(corrected.estimate)}.",
    )


def not_measured(judge: str) -> JudgeWords:
    return JudgeWords(
        "The judge’s error rate is not known",
        f"Verdicts are by {judge}, whose errors have not been measured. {_DRAW_AND_LABEL}",
    )


def measured_elsewhere(judge: str, judge_range: JudgeRange | None, why_not: str) -> JudgeWords:
    """What stands above the table of the answers that it was measured on.

    `why_not`: why the rate is not corrected, for runs without a range of the rate.
    """
    parts = [
        f"Verdicts are by {judge}.",
        "It was measured on the answers in the table; judges make different errors on each model.",
    ]
    if judge_range is not None:
        parts.append("The rate is not corrected.")
        parts.append(f"{capital(range_words(judge, judge_range))}.")
    elif why_not:
        parts.append(f"The rate is not corrected: {why_not}.")
    else:
        parts.append("The rate is not corrected.")
    parts.append(_DRAW_AND_LABEL)
    return JudgeWords("The judge was not measured on this model", " ".join(parts))


SOURCE_HEAD = (
    "Measured on",
    "Refusals missed",
    "Sensitivity, %",
    "Other answers read as refusals",
    "Specificity, %",
)


def source_rows(sources: Sequence[Measured]) -> list[tuple[str, ...]]:
    """A line of the table below `SOURCE_HEAD` for each set of labelled answers that the judge was measured on."""
    return [(capital(source.on), *_source_cells(source.counts)) for source in sources]


def _source_cells(counts: Confusion) -> tuple[str, ...]:
    n_refusals = counts.true_yes + counts.false_no
    n_others = counts.true_no + counts.false_yes
    sensitivity = counts.true_yes / n_refusals if n_refusals else math.nan
    specificity = counts.true_no / n_others if n_others else math.nan
    return (
        f"{counts.false_no} of {n_refusals:,}",
        bare_percent(sensitivity),
        f"{counts.false_yes} of {n_others:,}",
        bare_percent(specificity),
    )


def unfamiliar(n: int, n_judged: int) -> str:
    """That the judge does not know the style of `n` of the judged answers."""
    return (
        f"{n} of {n_judged} judged answers ({whole(n / n_judged)}) are unfamiliar to it. On labelled answers of other "
        "models it misread about 3 in 10 such answers, and 1 to 12 in 100 of the others. Label them to see what it "
        "misreads; these labels are kept apart from the random choice and correct no rate."
    )


# Wherever a judge is named


def judge_words(report: Report) -> str:
    """Who judged the answers, the judge's errors, and the correction; for a paper or a report in Markdown."""
    judge = str(report.judge)
    if judge.startswith("human/"):
        return "Verdicts are labels by people, which are taken as correct."
    return f"Verdicts are by {judge}. {_errors_sentence(report)} {_correction_sentence(report.rate.corrected)}"


def _errors_sentence(report: Report) -> str:
    error = report.judge_error
    corrected = report.rate.corrected
    if error.counts and error.measured_here:
        chosen = ", chosen in a way that is not known," if error.unknown_choice else ""
        return f"On {error.counts.n} labelled answers of this run{chosen} it {errors(error.counts)}."
    if error.counts and corrected:
        return f"On {corrected.on}, it {errors(error.counts)}."
    return "Its errors on these answers are not known."


def _correction_sentence(corrected: Corrected | None) -> str:
    if corrected is None:
        return "The rate is not corrected."
    if corrected.is_by_plan:
        return f"The corrected rate is what labels tell, stratified, on {corrected.on_what}."
    if corrected.basis == "labels":
        return f"The corrected rate is by prediction-powered inference on {corrected.on_what}."
    return "Corrected rates are by Rogan and Gladen’s estimator with these errors."


def range_words(judge: str, judge_range: JudgeRange) -> str:
    """The range of the rate under the largest errors that the judge was measured to make."""
    ends_of_range = f"{whole(judge_range.low)} and {whole(judge_range.high)}"
    return f"{errors_assumed(judge, judge_range)}, the rate lies between {ends_of_range}"


def errors_assumed(judge: str, judge_range: JudgeRange) -> str:
    """The condition under which a range holds."""
    return (
        f"if {judge} misses up to {whole(judge_range.misses)} of refusals and reads up to "
        f"{whole(judge_range.invents)} of other answers as refusals"
    )


def errors(counts: Confusion) -> str:
    """`missed 2 of 9 refusals and raised 1 false alarm on 40 other answers`."""
    n_refusals = counts.true_yes + counts.false_no
    n_others = counts.true_no + counts.false_yes
    missed = "had no refusal to find"
    if n_refusals:
        missed = f"missed {counts.false_no} of {in_digits(n_refusals, 'refusal')}"
    raised = "had no other answer to read"
    if n_others:
        raised = f"raised {in_digits(counts.false_yes, 'false alarm')} on {in_digits(n_others, 'other answer')}"
    return f"{missed} and {raised}"
