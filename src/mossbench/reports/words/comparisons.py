"""Comparisons of runs in words: who refuses more, or why that is not known."""

import math
from collections.abc import Iterator, Sequence

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_said
from mossbench.outcomes import MAX_FAILED
from mossbench.reports.tables import SHORT, SIDES, short_name
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.results.missing import Missing
from mossbench.samples import Side
from mossbench.statistics import Significance

LONGEST_ANSWER = 300
"""Characters of an answer in a terminal; the whole is in JSON."""


def sentences(comparison: Comparison) -> Iterator[str]:
    """What was asked differently, then the findings."""
    for text in comparison.asked_differently:
        yield f"{text}."
    yield from findings(comparison)


def findings(comparison: Comparison) -> Iterator[str]:
    """A sentence for each side and run that is compared with the first, then what is true of all of them."""
    for difference in comparison.differences:
        if difference.group != "all":
            continue
        yield finding(difference)
        missing = missing_in_runs(difference)
        if missing and difference.estimate.n and not difference.is_inconclusive:
            yield f"Each missing row is counted against a difference: {'; '.join(missing)}."
    for side, test in comparison.overall.items():
        yield overall(side, test)
    disagreeing = [difference.group for difference in comparison.differences if difference.interval_differs]
    if disagreeing:
        yield interval_and_p_disagree(disagreeing)


def overall(side: Side, test: Significance) -> str:
    """Whether any of several runs differs."""
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
    first, second = short_name(difference.first), short_name(difference.second)
    return f"{side} requests: {_who_refuses_more(difference, first, second)}"


def _who_refuses_more(difference: Difference, first: str, second: str) -> str:
    estimate = difference.estimate
    rates = _rates_on_pairs(difference)
    size = f"{points_between(estimate)} points, {p_said(difference.p_adjusted)}"
    if difference.told_apart:
        more = second if estimate.value > 0 else first
        return f"{more} refuses more ({rates}); {size}."
    not_shown = f"the data do not show which of {first} and {second} refuses more ({rates}"
    if difference.n_needed is None:
        return f"{not_shown}); no difference was seen."
    return (
        f"{not_shown}; {size}). If it is as large as it looks, about {difference.n_needed:,} samples would show it, "
        "four times out of five."
    )


def _rates_on_pairs(difference: Difference) -> str:
    first, second = (f"{100 * rate:.1f} %" for rate in difference.rates)
    n = difference.estimate.n
    return f"{first} and {second} of {n} pair{'' if n == 1 else 's'}"


def why_inconclusive(difference: Difference) -> str:
    """How many rows are missing in which run and why, and what the others show."""
    parts = "; ".join(missing_in_runs(difference))
    if difference.too_many_missing:
        why = f"More than {100 * MAX_FAILED:g} % of the rows of a run are missing: {parts}."
    else:
        why = f"With every missing row counted against it, the difference may be chance: {parts}."
    return f"{why} The pairs that count have {_rates_on_pairs(difference)}."


def missing_in_runs(difference: Difference) -> list[str]:
    """What is missing in each of the two runs, where something is."""
    runs = zip((difference.first, difference.second), difference.missing, strict=True)
    return [missing_words(short_name(name), missing) for name, missing in runs if missing.n]


def missing_words(run: str, missing: Missing) -> str:
    """`b: 40 of 120 rows (40 without a verdict; most common reason: the answer is not in English)`."""
    counts = {"failed": missing.n_failed, "without a verdict": missing.n_unjudged, "not asked": missing.n_not_asked}
    layers = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
    reason = one_line(missing.reason).rstrip(".") if missing.reason else ""
    why = f"; most common reason: {reason}" if reason else ""
    return f"{run}: {missing.n} of {missing.n_rows} rows ({layers}{why})"


def headline(comparison: Comparison) -> str:
    """What was found, in one sentence; with several other runs, how many differ from the first on harmless requests."""
    overall = [difference for difference in comparison.differences if difference.group == "all"]
    overall.sort(key=lambda difference: list(Side).index(difference.side))
    first = short_name(comparison.runs[0])
    if len(comparison.runs) > 2:
        return f"Runs shown to differ from {first}: {_numbers_that_differ(overall)} requests"
    second = short_name(comparison.runs[1])
    shown = [difference for difference in overall if difference.told_apart]
    if not shown and any(difference.is_inconclusive for difference in overall):
        return f"Inconclusive: rows of {first} or {second} are missing"
    if not shown:
        return f"No difference between {second} and {first} is shown"
    changes = [f"{'more' if one.estimate.value > 0 else 'fewer'} {SIDES[one.side]}" for one in shown]
    return f"{second} refuses {' and '.join(changes)} requests than {first}"


def _numbers_that_differ(overall: Sequence[Difference]) -> str:
    """`1 of 3 on harmless, 0 of 3 on harmful`; sides that were asked."""
    counts = []
    for side in Side:
        on_side = [difference for difference in overall if difference.side is side]
        if on_side:
            n_shown = sum(difference.told_apart for difference in on_side)
            counts.append(f"{n_shown} of {len(on_side)} on {SIDES[side]}")
    return ", ".join(counts)


def making(comparison: Comparison) -> str:
    """On what a comparison was made, and how its numbers are to be read."""
    unpaired = ", ".join(f"{short_name(name)} {n}" for name, n in comparison.n_unpaired.items() if n)
    without_partner = f" · rows without a partner: {unpaired}" if unpaired else ""
    return (
        f"data {comparison.data} · judge {comparison.judge} · rule {comparison.rule}{without_partner}\n"
        "Differences are second minus first, in points, over pairs that count, as the judge reads them; flips: refused "
        "by the first only, by the second only; 95 % intervals by Tango; exact p by swapping runs in whole scenes (in "
        "samples, where no scene is shared), Holm over stimuli and runs"
    )


def one_line(text: str | None) -> str:
    """One line of a text, cut where it is long; what is not there is said to be."""
    if text is None:
        return "(no answer)"
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LONGEST_ANSWER else f"{line[:LONGEST_ANSWER]}… ({len(line)} characters)"
