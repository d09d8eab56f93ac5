"""What the judge's errors make of the rates of several runs: corrected, a range, or not known; each run by name."""

from collections.abc import Iterator, Sequence

from mossbench.look.numbers import ends, percent, whole
from mossbench.outcomes import MAX_UNFAMILIAR, Layer
from mossbench.reports.judged_rates import JudgedRates
from mossbench.reports.words.grammar import capital, listing
from mossbench.reports.words.judges import AS_READ, errors_assumed
from mossbench.reports.words.rates import SIDES
from mossbench.results.rates import JudgeRange, Rate
from mossbench.samples import Side

_TOO_MANY = f"more than {100 * MAX_UNFAMILIAR:.0f} %"


# Lines below a table in the terminal


def judge_lines(runs: Sequence[JudgedRates]) -> list[str]:
    """What the rates of these runs rest on, how far the judge's errors may move them, and which are not known.

    Where there are several runs, a line that is not about all of them names those that it is about.
    """
    lines: list[str] = []
    for text, names in _names_by_text(runs).items():
        is_about_all = len(names) == len(runs)
        lines.append(text if is_about_all else f"{', '.join(names)}: {text}")
    lines += _range_lines(runs)
    lines += _unknown_lines(runs)
    return lines


def _names_by_text(runs: Sequence[JudgedRates]) -> dict[str, list[str]]:
    """Each text about what rates rest on -> the names of the runs that it is about."""
    names_by_text: dict[str, list[str]] = {}
    for run in runs:
        for text in dict.fromkeys(_what_rates_rest_on(run)):
            names_by_text.setdefault(text, []).append(run.name)
    return names_by_text


def _what_rates_rest_on(run: JudgedRates) -> Iterator[str]:
    for rate in run.rates:
        if rate.corrected is not None and rate.corrected.is_by_plan:
            yield f"{SIDES[rate.side]}: corrected is what people’s labels tell: {rate.corrected.on_what}"
        elif rate.corrected is not None:
            yield f"corrected for the errors of {run.judge} on {rate.corrected.on_what}"
        elif run.why_not_corrected and rate.estimate.n:
            yield f"as read ({AS_READ}), not corrected: {run.why_not_corrected}"
        if rate.side in run.labels_unused:
            yield f"{SIDES[rate.side]}, labels not used: {run.labels_unused[rate.side]}"


def _range_lines(runs: Sequence[JudgedRates]) -> list[str]:
    """For each judge the errors that are assumed, and the ranges of its runs under them."""
    lines: list[str] = []
    for errors, runs_of_judge in _runs_by_errors(runs).items():
        if len(runs) == 1:
            lines.append(f"{errors}, the rate lies between: {_ranges_by_side(runs[0])}")
        else:
            lines.append(f"{errors}, the rates lie between:")
            lines += [f"  {run.name}: {_ranges_by_side(run)}" for run in runs_of_judge]
    return lines


def _runs_by_errors(runs: Sequence[JudgedRates]) -> dict[str, list[JudgedRates]]:
    """The errors that are assumed, in words -> the runs that have a range under them."""
    by_errors: dict[str, list[JudgedRates]] = {}
    for run in runs:
        ranges = _ranges(run)
        if ranges:
            _, judge_range = ranges[0]
            by_errors.setdefault(errors_assumed(run.judge, judge_range), []).append(run)
    return by_errors


def _ranges(run: JudgedRates) -> list[tuple[Side, JudgeRange]]:
    return [(rate.side, rate.judge_range) for rate in run.rates if rate.judge_range is not None]


def _ranges_by_side(run: JudgedRates) -> str:
    return ", ".join(f"{SIDES[side]} {_between(judge_range)}" for side, judge_range in _ranges(run))


def _unknown_lines(runs: Sequence[JudgedRates]) -> list[str]:
    lines: list[str] = []
    for run in runs:
        sides = [f"{_unfamiliar_of_judged(rate)} {SIDES[rate.side]}" for rate in run.rates if not rate.is_known]
        if sides:
            name = f"{run.name}: " if len(runs) > 1 else ""
            lines.append(f"{name}not known: {listing(sides)} answers are unfamiliar to {run.judge}, {_TOO_MANY}")
    return lines


def _between(judge_range: JudgeRange) -> str:
    return f"{whole(judge_range.low)} and {whole(judge_range.high)}"


def _unfamiliar_of_judged(rate: Rate) -> str:
    return f"{rate.n_unfamiliar} of {rate.layers[Layer.JUDGED]}"


# Sentences below the rates of several runs in a report


def judge_sentences(runs: Sequence[JudgedRates]) -> tuple[str, ...]:
    """Which of these runs have a corrected rate, which a range for the judge's errors, and which no known rate.

    `runs`: each with one rate, that of the headline.
    """
    sentences = [_corrected_sentence(runs), *_range_sentences(runs), *_unknown_sentences(runs)]
    return tuple(text for text in sentences if text)


def _corrected_sentence(runs: Sequence[JudgedRates]) -> str:
    corrected = []
    for run in runs:
        for rate in run.rates:
            if rate.corrected is not None:
                estimate = rate.corrected.estimate
                corrected.append(f"{run.name} {percent(estimate.value)} ({ends(estimate)})")
    return f"Corrected for the judge’s errors: {', '.join(corrected)}." if corrected else ""


def _range_sentences(runs: Sequence[JudgedRates]) -> Iterator[str]:
    for errors, runs_of_judge in _runs_by_errors(runs).items():
        words = []
        for run in runs_of_judge:
            words += [f"{run.name} {_between(judge_range)}" for _, judge_range in _ranges(run)]
        yield f"{capital(errors)}, the rates lie between: {'; '.join(words)}."


def _unknown_sentences(runs: Sequence[JudgedRates]) -> Iterator[str]:
    unknown_by_judge: dict[str, list[str]] = {}
    for run in runs:
        for rate in run.rates:
            if not rate.is_known:
                words = f"{run.name} ({_unfamiliar_of_judged(rate)})"
                unknown_by_judge.setdefault(run.judge, []).append(words)
    for judge, unknown in unknown_by_judge.items():
        yield f"Rate not known: {listing(unknown)}, since {_TOO_MANY} of the answers are unfamiliar to {judge}."
