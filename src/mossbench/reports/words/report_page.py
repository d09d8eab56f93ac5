"""The page of a report: titles, notes and labels that depend on the numbers."""

import math
from collections.abc import Sequence

from mossbench.look.numbers import NOT_KNOWN, percent, quoted, stated, whole
from mossbench.outcomes import Counted
from mossbench.reports.record import Card, Report
from mossbench.reports.words.grammar import has_have, in_digits
from mossbench.reports.words.rates import REQUESTS
from mossbench.reports.words.runs import arm_title
from mossbench.results.rates import JudgeRange, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate

_MARKS = {
    Counted.COMPLIED: "Round marks: helped.",
    Counted.REFUSED: "Angular marks: refusals.",
    Counted.LEFT_OUT: "Strokes without a mark: not counted.",
}


def page_title(reports: Sequence[Report]) -> str:
    return reports[0].about if len(reports) == 1 else f"{len(reports)} runs"


def compared_marks(harmful_name: str | None) -> str:
    """What the marks of several runs mean. `harmful_name`: the name of the harmful requests; None if there are none."""
    return f"; round marks: harmless, diamonds: {harmful_name}" if harmful_name else ""


def cautions_title(report: Report) -> str:
    return "Before you quote the number" if report.rate.estimate.n else "Before you read on"


def rate_spoken(report: Report) -> str:
    """The chart of the headline's rate, for screen readers."""
    rates = [f"{REQUESTS[report.side]} {stated(report.rate.estimate, report.rate.refused)}"]
    harmful = report.harmful
    if harmful is not None and not math.isnan(harmful.estimate.value):
        rates.append(f"{report.harmful_name} {stated(harmful.estimate, harmful.refused)}")
    return f"Refusal rate on a scale from 0 to 100 percent: {', '.join(rates)}."


def layers_spoken(report: Report, layers: Sequence[tuple[str, int]]) -> str:
    """The bar of outcomes, for screen readers. `layers`: name and number of rows of each group."""
    counts = ", ".join(f"{n} {name.lower()}" for name, n in layers)
    return f"{counts} of {report.n_rows} {REQUESTS[report.side]}. The table below has every kind."


def rates_spoken(named_rates: Sequence[tuple[str, Rate]]) -> str:
    """A chart of several rates, for screen readers; each sentence ends with a space."""
    return "".join(f"{name}: {stated(rate.estimate, rate.refused)}. " for name, rate in named_rates)


def compared_spoken(named_rates: Sequence[tuple[str, Rate]]) -> str:
    """The chart of several runs, for screen readers: no number for a rate that is not known."""
    texts = []
    for name, rate in named_rates:
        texts.append(f"{name}: {stated(rate.estimate, rate.refused) if rate.is_known else NOT_KNOWN}. ")
    return "".join(texts)


def layer_marks(groups: Sequence[Counted]) -> str:
    """What the marks of the bar mean, for the groups that it has."""
    return " ".join(_MARKS.get(counted, "") for counted in groups)


def why_failed(n: int) -> str:
    return f"Why {in_digits(n, 'row')} of the run failed"


def why_unjudged(n: int) -> str:
    return f"Why {in_digits(n, 'answer')} of the run {has_have(n)} no verdict"


def rules_note(report: Report, *, bounds_only: bool) -> str:
    """Below the counting rules. `bounds_only`: at least one rule gives only bounds of the rate."""
    parts = []
    if not math.isnan(report.rate.compliance.value):
        parts.append(f"Compliance, the share that was not refused: {quoted(report.rate.compliance)}.")
    if report.macro.n and not math.isnan(report.macro.value):
        parts.append(f"With equal weight for every stimulus, the rate is {quoted(report.macro)}.")
    if bounds_only:
        parts.append("Where a rate has no value, only its bounds are known: some rows may count either way.")
    return " ".join(parts)


def twins_intro(has_twins: bool) -> str:
    """How to read the table of the two sides."""
    marks = (
        "For a good model the round mark (harmless) is on the left and the diamond (harmful) on the right; the larger "
        "the distance, the better it distinguishes them."
    )
    if not has_twins:
        return marks
    return f"A harmful twin is the same scene with a request that should be refused. {marks}"


def counts_line(groups: Sequence[tuple[str, int]]) -> str:
    """`87 helped, 33 refusals`."""
    return ", ".join(f"{n:,} {name.lower()}" for name, n in groups)


def judge_line(report: Report) -> str:
    """The rate without the judge's errors, where these are known."""
    if report.rate.corrected:
        return f"corrected for its errors: {quoted(report.rate.corrected.estimate)}"
    if report.rate.judge_range:
        return "no correction for this model"
    return ""


def range_line(rates: Sequence[Rate]) -> str:
    """The lowest and the highest of the rates that have a value."""
    values = [rate.estimate.value for rate in rates if not math.isnan(rate.estimate.value)]
    if not values:
        return ""
    lowest = percent(min(values))
    highest = percent(max(values))
    return lowest if lowest == highest else f"{lowest} to {highest}"


def highest_and_lowest(rates: Sequence[Rate]) -> str:
    """The groups with the highest and the lowest rate, as measured."""
    known_rates = [rate for rate in rates if rate.estimate.n and not math.isnan(rate.estimate.value)]
    if not known_rates:
        return ""
    highest = max(known_rates, key=lambda rate: rate.estimate.value)
    lowest = min(known_rates, key=lambda rate: rate.estimate.value)
    if highest.estimate.value == lowest.estimate.value:
        return f"{percent(highest.estimate.value)} everywhere"
    return (
        f"from {percent(lowest.estimate.value)} ({lowest.group}) to {percent(highest.estimate.value)} "
        f"({highest.group}) as measured"
    )


def sides_line(harmless: Estimate, harmful: Estimate) -> str:
    return f"{percent(harmless.value)} of harmless, {percent(harmful.value)} of harmful requests refused"


def answers_line(n: int) -> str:
    return in_digits(n, "answer")


def method_line(report: Report) -> str:
    return f"judge {report.judge}, rule {report.rule}" if report.judge else "not judged"


def to_label(n: int) -> str:
    return f"{in_digits(n, 'answer')} to label, drawn at random"


def judge_range_name(judge_range: JudgeRange) -> str:
    misses = whole(judge_range.misses)
    invents = whole(judge_range.invents)
    return f"If the judge misses up to {misses} of refusals and reads up to {invents} of other answers as refusals"


def judge_range_note(judge_range: JudgeRange) -> str:
    return f"This range is not a correction: these are the judge’s largest measured errors ({judge_range.on})."


def cards_note(n_shown: int, n_all: int, *, has_search: bool) -> str:
    """How many of the answers have a card; empty if all have one."""
    if n_all <= n_shown:
        return ""
    search = " and in the search" if has_search else ""
    return f"{n_shown:,} of {n_all:,}, drawn at random. All rows are in the run’s answers.jsonl{search}."


def card_facts(card: Card, harmful_name: str) -> list[str]:
    """What a card shows next to the id. `harmful_name`: the name of the harmful requests."""
    facts = []
    is_harmful = card.side is Side.CONTRAST
    if is_harmful:
        facts.append(harmful_name.removesuffix("s"))
    if card.stimulus:
        facts.append(card.stimulus)
    if card.harm:
        harm = "harm asked for" if is_harmful else "suspected harm"
        facts.append(f"{harm}: {card.harm.lower()}")
    if card.arm != "plain":
        facts.append(f"arm {arm_title(card.arm)}")
    if card.epoch > 1:
        facts.append(f"epoch {card.epoch}")
    return facts


def prompt_title(arm: str) -> str:
    return f"System prompt of arm {arm_title(arm)}"
