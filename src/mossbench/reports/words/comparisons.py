"""Comparisons of runs in words: which run refuses more, or why that is not known."""

import math
from collections.abc import Iterator, Sequence

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_said
from mossbench.outcomes import MAX_FAILED, MAX_UNFAMILIAR
from mossbench.reports.tables import SHORT, SIDES, short_name
from mossbench.reports.words.grammar import in_digits, listing
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.results.missing import Missing
from mossbench.results.unfamiliar import UnfamiliarAnswers
from mossbench.samples import Side
from mossbench.statistics import Significance

LONGEST_ANSWER = 300
"""Characters of an answer that a terminal shows; JSON has all of it."""


HOW_TO_READ_THE_TABLE = (
    "Difference: rate of the second run minus rate of the first, in points, with Tango's 95 % interval.",
    "Rates and differences are over the pairs that count, as the judge reads them.",
    "Flips: pairs refused by the first run only / by the second only. Pairs: those that count / all.",
    "p: exact, from swapping the runs in whole scenes (in samples, where no scene is shared).",
    "Holm corrects p on each side: of all samples over the other runs, of groups over all groups and other runs.",
)
_HOLM_OVER_PAIRS = (
    "Holm corrects p on each side: of all samples over all pairs of runs, of groups over all groups and pairs."
)

"""What the columns of the table of differences hold."""


def sentences(comparison: Comparison) -> Iterator[str]:
    """What differs in how the runs were asked, then the findings."""
    for difference_in_asking in comparison.asked_differently:
        yield f"{difference_in_asking}."
    yield from findings(comparison)


def findings(comparison: Comparison) -> Iterator[str]:
    """A sentence for each two runs that are compared, on each side; then what concerns all runs together."""
    for difference in comparison.differences:
        if difference.group != "all":
            continue
        sentence = finding(difference)
        if comparison.every_pair:
            pair = f"{short_name(difference.first)} and {short_name(difference.second)}"
            sentence = f"{pair}, {sentence[0].lower()}{sentence[1:]}"
        yield sentence
        missing = missing_in_runs(difference)
        if missing and difference.estimate.n and not difference.is_inconclusive:
            yield f"Each missing row is counted against a difference: {'; '.join(missing)}."
    if len(comparison.runs) > 2:
        for side in Side:
            yield from known_and_unknown_rates(side, comparison)
    for side, test in comparison.overall.items():
        yield overall_test(side, test)
    disagreeing = [difference.group for difference in comparison.differences if difference.interval_differs]
    if disagreeing:
        yield interval_and_p_disagree(disagreeing)


def overall_test(side: Side, test: Significance) -> str:
    """The test of whether any of several runs differs from the others."""
    statistic = "–" if math.isnan(test.statistic) else f"{test.statistic:.2f}"
    samples = "sample that counts" if test.n == 1 else "samples that count"
    shuffled = "; runs shuffled in whole scenes" if test.unit == "cluster" else ""
    return (
        f"{SIDES[side].capitalize()} requests, all runs together: does any run differ? Cochran's Q = {statistic}, "
        f"{p_said(test.p)}, over {test.n} {samples} in every run{shuffled}."
    )


def interval_and_p_disagree(groups: Sequence[str]) -> str:
    names = ", ".join(dict.fromkeys(SHORT.get(group, group) for group in groups))
    return (
        f"Interval and p disagree ({names}). p decides: it is exact and corrected for the number of tests; an "
        "interval is approximate and for one difference alone."
    )


def finding(difference: Difference) -> str:
    """Which of two runs refuses more requests of a side, or why that is not known."""
    side = SIDES[difference.side].capitalize()
    if not difference.estimate.n:
        left_out = difference.estimate.n_left_out
        return f"{side} requests: no pair counts ({left_out} left out), so no comparison is possible."
    if difference.is_inconclusive:
        return f"{side} requests: inconclusive. {why_inconclusive(difference)}"
    first = short_name(difference.first)
    second = short_name(difference.second)
    return f"{side} requests: {_who_refuses_more(difference, first, second)}"


def _who_refuses_more(difference: Difference, first: str, second: str) -> str:
    estimate = difference.estimate
    rates = _rates_on_pairs(difference)
    size = f"{points_between(estimate)} points, {p_said(difference.p_adjusted)}"
    if difference.is_significant:
        more = second if estimate.value > 0 else first
        return f"{more} refuses more ({rates}); {size}."
    if difference.n_needed is None:
        return f"no difference was observed between {first} and {second} ({rates})."
    return (
        f"no significant difference between {first} and {second} ({rates}; {size}). About "
        f"{difference.n_needed:,} samples give 80 % power at the observed difference."
    )


def _rates_on_pairs(difference: Difference) -> str:
    first, second = (f"{100 * rate:.1f} %" for rate in difference.rates)
    return f"{first} and {second} of {in_digits(difference.estimate.n, 'pair')}"


def why_inconclusive(difference: Difference) -> str:
    """Which rates are not known, or how many rows are missing in which run and why; and what the others show."""
    if difference.unfamiliar:
        return _why_unfamiliar(difference)
    missing = "; ".join(missing_in_runs(difference))
    if difference.too_many_missing:
        reason = f"More than {100 * MAX_FAILED:g} % of the rows of a run are missing: {missing}."
    else:
        reason = f"With every missing row counted against it, the difference may be chance: {missing}."
    return f"{reason} The pairs that count have {_rates_on_pairs(difference)}."


def _why_unfamiliar(difference: Difference) -> str:
    reasons = []
    for answers in difference.unfamiliar:
        counts = f"{answers.n_unfamiliar} of {answers.n_judged} answers"
        reasons.append(f"{short_name(answers.run)}: {counts} are unfamiliar to {answers.judge}")
    return f"A difference may come from the judge: {'; '.join(reasons)}."


def known_and_unknown_rates(side: Side, comparison: Comparison) -> Iterator[str]:
    """Which runs have too many answers that are unfamiliar to the judge, and which have not; nothing if none has."""
    unknown: dict[str, UnfamiliarAnswers] = {}
    for difference in comparison.differences:
        if difference.side is side:
            unknown.update({answers.run: answers for answers in difference.unfamiliar})
    if not unknown:
        return
    counts = [f"{short_name(run)} ({answers.n_unfamiliar} of {answers.n_judged})" for run, answers in unknown.items()]
    known_runs = [short_name(run) for run in comparison.runs if run not in unknown]
    yield (
        f"{SIDES[side].capitalize()} requests, rate not known: {listing(counts)}, since more than "
        f"{100 * MAX_UNFAMILIAR:.0f} % of the answers are unfamiliar to {comparison.judge}. Known: "
        f"{listing(known_runs) or 'none'}."
    )


def missing_in_runs(difference: Difference) -> list[str]:
    """The rows that are missing in each of the two runs; a run without missing rows is left out."""
    runs = zip((difference.first, difference.second), difference.missing, strict=True)
    return [missing_words(short_name(name), missing) for name, missing in runs if missing.n]


def missing_words(run: str, missing: Missing) -> str:
    """`b: 40 of 120 rows (40 without a verdict; most common reason: the answer is not in English)`."""
    counts = {"failed": missing.n_failed, "without a verdict": missing.n_unjudged, "not asked": missing.n_not_asked}
    details = ", ".join(f"{n} {layer}" for layer, n in counts.items() if n)
    reason = one_line(missing.reason).rstrip(".") if missing.reason else ""
    if reason:
        details += f"; most common reason: {reason}"
    return f"{run}: {missing.n} of {missing.n_rows} rows ({details})"


def headline(comparison: Comparison) -> str:
    """The finding in one sentence; of three runs or more, how many differ from the first."""
    overall = [difference for difference in comparison.differences if difference.group == "all"]
    overall.sort(key=lambda difference: list(Side).index(difference.side))
    first = short_name(comparison.runs[0])
    if comparison.every_pair and len(comparison.runs) > 2:
        return _headline_of_pairs(overall, n_pairs=len(comparison.pairs))
    if len(comparison.runs) > 2:
        return _headline_of_several(overall, first, n_others=len(comparison.runs) - 1)
    return _headline_of_two(overall, first, short_name(comparison.runs[1]))


def _headline_of_two(overall: Sequence[Difference], first: str, second: str) -> str:
    """Which of two runs refuses more on which side, or why that is not known."""
    significant = [difference for difference in overall if difference.is_significant]
    inconclusive = [difference for difference in overall if difference.is_inconclusive]
    if not significant and any(difference.unfamiliar for difference in inconclusive):
        return "Inconclusive: too many answers are unfamiliar to the judge"
    if not significant and inconclusive:
        return f"Inconclusive: rows of {first} or {second} are missing"
    if not significant:
        return f"No significant difference between {second} and {first}"
    changes = []
    for difference in significant:
        more_or_fewer = "more" if difference.estimate.value > 0 else "fewer"
        changes.append(f"{more_or_fewer} {SIDES[difference.side]}")
    return f"{second} refuses {' and '.join(changes)} requests than {first}"


def _headline_of_several(overall: Sequence[Difference], first: str, *, n_others: int) -> str:
    """How many runs differ from the first, and of how many others that is not known."""
    different = {difference.second for difference in overall if difference.is_significant}
    inconclusive = {difference.second for difference in overall if difference.is_inconclusive} - different
    text = f"{len(different)} of {n_others} runs differ significantly from {first}"
    return f"{text}; {len(inconclusive)} inconclusive" if inconclusive else text


def _headline_of_pairs(overall: Sequence[Difference], *, n_pairs: int) -> str:
    """How many pairs of runs differ, and of how many others that is not known."""
    different = {(row.first, row.second) for row in overall if row.is_significant}
    inconclusive = {(row.first, row.second) for row in overall if row.is_inconclusive} - different
    text = f"{len(different)} of {n_pairs} pairs of runs differ significantly"
    return f"{text}; {len(inconclusive)} inconclusive" if inconclusive else text


def comparison_method(comparison: Comparison) -> str:
    """The data, judge and rule of a comparison, and how to read its numbers."""
    unpaired = ", ".join(f"{short_name(name)} {n}" for name, n in comparison.n_unpaired.items() if n)
    without_partner = f" · rows without a partner: {unpaired}" if unpaired else ""
    made_of = f"data {comparison.data} · judge {comparison.judge} · rule {comparison.rule}{without_partner}"
    how_to_read = [*HOW_TO_READ_THE_TABLE]
    if comparison.every_pair:
        how_to_read[-1] = _HOLM_OVER_PAIRS
    return "\n".join([made_of, *how_to_read])


def one_line(text: str | None) -> str:
    """The text on one line, cut if it is long; `(no answer)` if there is none."""
    if text is None:
        return "(no answer)"
    printable = "".join(char if char.isprintable() else " " for char in text)
    line = " ".join(printable.split())
    if len(line) <= LONGEST_ANSWER:
        return line
    return f"{line[:LONGEST_ANSWER]}… ({len(line)} characters)"
