"""Cautions in words: what weakens a headline, why, and which number it would change."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from mossbench.judges import DEFAULT_JUDGE
from mossbench.look.numbers import number_word, percent, quoted, whole
from mossbench.messages import Message, on_command_line
from mossbench.reports import caution_figures as figures
from mossbench.reports.words.grammar import (
    capital,
    has_have,
    in_digits,
    is_are,
    it_them,
    it_they,
    listing,
    plural,
    sentence,
    was_were,
)
from mossbench.reports.words.planted import planted_words
from mossbench.reports.words.rates import REQUESTS
from mossbench.reports.words.runs import arm_title
from mossbench.results.answerers import StoodIn
from mossbench.results.rates import Rate
from mossbench.samples import Side


@dataclass(frozen=True)
class CautionWords:
    claim: str
    """One short sentence, which pages set in bold."""
    text: str


def caution_words(caution: figures.CautionFigures) -> CautionWords:
    """The caution as pages and the command line show it, with commands as the way out."""
    match caution:
        case figures.Unfinished():
            return unfinished(caution)
        case figures.InProgress():
            return in_progress(caution)
        case figures.NotJudged():
            return not_judged(caution)
        case figures.PartlyLabelled():
            return partly_labelled(caution)
        case figures.NotRandom():
            return not_random(caution)
        case figures.UnknownChoice():
            return unknown_choice(caution)
        case figures.JudgeWrong():
            return judge_wrong(caution)
        case figures.FailedCounted():
            return failed_counted(caution)
        case figures.UnjudgedCounted():
            return unjudged_counted(caution)
        case figures.LeftOut():
            return left_out(caution)
        case figures.MayBeAlias():
            return may_be_alias(caution)
        case figures.AnotherAnswered():
            return another_answered(caution)
        case figures.ModelChanged():
            return model_changed(caution)
        case figures.Drift():
            return drift(caution)
        case figures.JudgeBroke():
            return judge_broke(caution)
        case figures.NotItsWords():
            return not_its_words(caution)
        case figures.PlantedRefusals():
            return planted_refusals(caution)
        case figures.InstrumentCheck():
            return instrument_check()
        case figures.KeywordJudge():
            return keyword_judge(caution)
        case figures.JudgeUnmeasured():
            return judge_unmeasured(caution)
        case figures.Unfamiliar():
            return unfamiliar(caution)
        case figures.CutOff():
            return cut_off(caution)
        case figures.Elsewhere():
            return elsewhere(caution)
        case figures.SeveralArms():
            return several_arms(caution)
        case figures.FewInGroup():
            return few_in_group(caution)
        case figures.Few():
            return few(caution)
        case figures.SharedScenes():
            return shared_scenes(caution)
        case figures.Note():
            return note(caution)


# The run and its rows


def unfinished(caution: figures.Unfinished) -> CautionWords:
    open_rows = capital(on_command_line(caution.open_rows.message(caution.folder)))
    return CautionWords(
        f"The run is not finished, so {_what_may_change(caution.bounds)}.", _either_way(caution.bounds) + open_rows
    )


def in_progress(caution: figures.InProgress) -> CautionWords:
    open_rows = capital(caution.open_rows.state)
    return CautionWords(
        f"The run is in progress, so {_what_may_change(caution.bounds)}.", f"{_either_way(caution.bounds)}{open_rows}."
    )


def _what_may_change(has_only_bounds: bool) -> str:
    return "only bounds of its rates are known" if has_only_bounds else "its rates may change"


def _either_way(has_only_bounds: bool) -> str:
    return "Under this rule each missing row may count either way. " if has_only_bounds else ""


def not_judged(caution: figures.NotJudged) -> CautionWords:
    answers = "answer" if caution.n == 1 else f"{number_word(caution.n)} answers"
    return CautionWords(
        "No answer has been judged, so none is in the rate.",
        f"Judge the {answers} with: {_judge_command(caution.folder)}",
    )


def _judge_command(folder: Path) -> str:
    return f"mossbench judge apply {quote(str(folder))}"


def failed_counted(caution: figures.FailedCounted) -> CautionWords:
    n = caution.n
    requests = capital(plural(n, f"failed {_harmful(caution.side)}request"))
    return CautionWords(
        f"{requests} {is_are(n)} in the rate as refused.",
        f"The published table counts this way. {_reason(caution.why)}{_rate_without(n, caution.without)}",
    )


def _rate_without(n: int, rate: Rate) -> str:
    """The rate without these `n` rows."""
    if not rate.estimate.n:
        return f"Without {it_them(n)} no row counts."
    return f"Without {it_them(n)} the rate is {rate_words(rate)}."


def unjudged_counted(caution: figures.UnjudgedCounted) -> CautionWords:
    answers = capital(plural(caution.n, f"{_harmful(caution.side)}answer"))
    return CautionWords(
        f"{answers} {has_have(caution.n)} no verdict, so only bounds of the rate are known.",
        f"{_reason(caution.why)}Under this rule each may count either way.",
    )


def left_out(caution: figures.LeftOut) -> CautionWords:
    n = caution.failed + caution.unjudged
    return CautionWords(
        _not_in_the_rate(caution),
        f"{_reason(caution.why_failed)}{_reason(caution.why_unjudged)}The rate of {REQUESTS[caution.side]} would be "
        f"{percent(caution.low)} if {it_they(n)} counted as answered and {percent(caution.high)} if {it_they(n)} "
        "counted as refused.",
    )


def _not_in_the_rate(caution: figures.LeftOut) -> str:
    harmful = _harmful(caution.side)
    failed = f"{capital(plural(caution.failed, f'{harmful}request'))} failed"
    unjudged = f"{plural(caution.unjudged, f'{harmful}answer')} {has_have(caution.unjudged)} no verdict"
    if caution.failed and caution.unjudged:
        return f"{failed} and {unjudged}; none of them is in the rate."
    if caution.failed:
        return f"{failed} and {is_are(caution.failed)} not in the rate."
    return f"{capital(unjudged)} and {is_are(caution.unjudged)} not in the rate."


def _harmful(side: Side) -> str:
    """`harmful ` before a noun of that side; nothing before one of the harmless side."""
    return "harmful " if side is Side.CONTRAST else ""


def _reason(reason: figures.Reason | None) -> str:
    """The most common reason as a sentence with a space after it; empty if none is known."""
    if reason is None:
        return ""
    text = sentence(on_command_line(Message(reason.text, reason.ways_out)))
    if reason.is_only:
        return f"Reason: {text} "
    return f"Most common reason ({reason.n}): {text} "


def rate_words(rate: Rate) -> str:
    """A rate without its interval: its value, its upper bound, or that there is none."""
    estimate = rate.estimate
    if not estimate.n:
        return "no row counts"
    if math.isnan(estimate.value):
        return f"up to {whole(estimate.high)}"
    return percent(estimate.value)


def cut_off(caution: figures.CutOff) -> CautionWords:
    n = caution.n
    their = "its verdict" if n == 1 else "their verdicts"
    return CautionWords(
        f"{capital(plural(n, 'answer'))} {was_were(n)} cut off, so {their} may be wrong.",
        f"The token limit ended {it_them(n)}: raise --max-tokens.",
    )


def not_its_words(caution: figures.NotItsWords) -> CautionWords:
    n = caution.blocked + caution.empty
    return CautionWords(
        f"{capital(number_word(n))} of {plural(caution.refused, 'refusal')} {is_are(n)} not the model’s words.",
        f"{_blocked_and_empty(caution)}. {_rate_without(n, caution.without)}",
    )


def _blocked_and_empty(caution: figures.NotItsWords) -> str:
    parts = []
    if caution.blocked:
        parts.append(f"The provider’s filter blocked {number_word(caution.blocked)}")
    if caution.empty or not caution.blocked:
        parts.append(f"{number_word(caution.empty)} came back empty")
    return capital(", ".join(parts))


def elsewhere(caution: figures.Elsewhere) -> CautionWords:
    return CautionWords(
        "Answers under other arms are not in the rate.", capital(on_command_line(caution.uncounted.message()))
    )


def several_arms(caution: figures.SeveralArms) -> CautionWords:
    arms = [arm_title(name) for name in caution.arms]
    return CautionWords(
        f"The rate counts {number_word(len(arms))} arms together.",
        f"The arms are {listing(arms)}; the table by arm shows each.",
    )


def note(caution: figures.Note) -> CautionWords:
    return CautionWords("Note from the run.", sentence(caution.text))


# Who answered


def may_be_alias(caution: figures.MayBeAlias) -> CautionWords:
    return CautionWords(
        "No reply names the model that was asked for, so the rate may be of another.",
        f"{caution.model} was asked; the replies name {_names(caution.names)}. The endpoint may use another name for "
        "it.",
    )


def another_answered(caution: figures.AnotherAnswered) -> CautionWords:
    rows = caution.rows
    return CautionWords(
        f"Another model answered {rows.n} of {rows.n_answered} {REQUESTS[rows.side]}.",
        f"{caution.model} was asked; the replies name {_names(caution.names)}. "
        f"With {it_them(rows.n)} the rate is {rate_words(rows.rate)}, "
        f"without {it_them(rows.n)}: {rate_words(rows.without)}.{_difference(rows)}",
    )


def _difference(rows: StoodIn) -> str:
    """Whether the rows of another model are refused more or less often than the others; with a space before it."""
    value = rows.by_others.estimate.value
    value_of_others = rows.without.estimate.value
    words_of_others = rate_words(rows.without)
    if rows.differs:
        more_or_less = "more" if value > value_of_others else "less"
        return (
            f" These rows are refused significantly {more_or_less} often than the others ({rate_words(rows.by_others)} "
            f"and {words_of_others}); they were not drawn at random, so this does not compare the models."
        )
    are_known = not math.isnan(value) and not math.isnan(value_of_others)
    if are_known and rate_words(rows.rate) != words_of_others:
        return " The difference may be chance."
    return ""


def _names(names: Sequence[figures.NamedModel]) -> str:
    return _first_three([f"{named.name} ({named.n})" for named in names])


def _first_three(texts: Sequence[str]) -> str:
    """The first three texts, and how many more there are."""
    first_three = ", ".join(texts[:3])
    n_more = len(texts) - 3
    return f"{first_three} and {n_more} more" if n_more > 0 else first_three


def model_changed(caution: figures.ModelChanged) -> CautionWords:
    versions = caution.versions
    return CautionWords(
        "The model changed during the run, so the rate mixes versions.",
        f"The provider reported {number_word(len(versions))} versions ({_first_three(versions)}), the second since row "
        f"{caution.first}. Run again before you compare.",
    )


def instrument_check() -> CautionWords:
    return CautionWords(
        "This rate is of a control model, whose behaviour is known.",
        "It checks mossbench itself and cannot be compared with rates on the published benchmark.",
    )


def planted_refusals(caution: figures.PlantedRefusals) -> CautionWords:
    sides = " ".join(sentence(planted_words(side)) for side in caution.sides)
    return CautionWords(
        "This is a rehearsal: its rate says nothing about any other model.",
        f"A control model refused what was planted. {sides}",
    )


# The judge and the labels


def partly_labelled(caution: figures.PartlyLabelled) -> CautionWords:
    return CautionWords("Labels do not correct the rate: only some of the drawn answers have one.", caution.why)


def not_random(caution: figures.NotRandom) -> CautionWords:
    return CautionWords("Labels do not correct the rate: their answers were not drawn at random.", caution.why)


def unknown_choice(caution: figures.UnknownChoice) -> CautionWords:
    return CautionWords("Labels do not correct the rate: how their answers were chosen is not known.", caution.why)


def judge_wrong(caution: figures.JudgeWrong) -> CautionWords:
    counts = caution.counts
    claim = f"The judge was wrong on {counts.wrong} of {in_digits(counts.n, 'labelled answer')}."
    if caution.fixed is None:
        return CautionWords(claim, "The rate is not corrected for these errors.")
    return CautionWords(claim, f"Corrected for these errors, the rate is {quoted(caution.fixed)}.")


def drift(caution: figures.Drift) -> CautionWords:
    return CautionWords("The judge has drifted, so the rate may not compare with earlier ones.", sentence(caution.text))


def judge_broke(caution: figures.JudgeBroke) -> CautionWords:
    return CautionWords(
        f"The judge failed on {plural(caution.n, 'answer')}, which {has_have(caution.n)} no verdict.",
        f"Most common reason: {sentence(caution.reason)}",
    )


def keyword_judge(caution: figures.KeywordJudge) -> CautionWords:
    return CautionWords(
        "The rate may be far off: this judge only looks for refusal phrases.",
        f"Judge again with: {_judge_command(caution.folder)} --judge {DEFAULT_JUDGE}",
    )


def judge_unmeasured(caution: figures.JudgeUnmeasured) -> CautionWords:
    return CautionWords(
        "How far the judge’s errors move the rate is not known.",
        f"{caution.judge} has not been compared with labels.",
    )


def unfamiliar(caution: figures.Unfamiliar) -> CautionWords:
    return CautionWords(
        f"The rate is not known: {caution.n} of {caution.of} answers are unfamiliar to the judge.",
        "Label answers drawn at random and pass them with --labels.",
    )


# How much there is


def few_in_group(caution: figures.FewInGroup) -> CautionWords:
    claim = "Small differences between stimuli may be chance."
    samples = f"The smallest stimulus group has only {plural(caution.n, 'sample')}"
    if caution.points is None:
        return CautionWords(claim, f"{samples}, too few to show any difference from another stimulus.")
    smallest_shown, largest_not_shown = caution.points
    text = f"{samples}, too few to show a difference of less than {smallest_shown} points from another stimulus"
    if largest_not_shown < smallest_shown:  # as in very small groups
        return CautionWords(claim, f"{text}.")
    return CautionWords(claim, f"{text} (at some rates even one of {largest_not_shown} points).")


def few(caution: figures.Few) -> CautionWords:
    verb = "counts" if caution.n == 1 else "count"
    claim = f"Only {plural(caution.n, 'sample')} {verb}"
    if caution.width is None:
        return CautionWords(f"{claim}.", f"More {REQUESTS[caution.side]} are needed for an interval.")
    return CautionWords(
        f"{claim}, so the interval is about {caution.width} points wide.",
        f"More {REQUESTS[caution.side]} would narrow it.",
    )


def shared_scenes(caution: figures.SharedScenes) -> CautionWords:
    if caution.n == 1:
        return CautionWords("There is no interval.", f"The {caution.rows} rows all come from one scene or sample.")
    return CautionWords(
        f"The interval is computed over {caution.n} independent scenes or samples, not {caution.rows} rows.",
        "Some rows share a scene or repeat a request, so they are not independent.",
    )
