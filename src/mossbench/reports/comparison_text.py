"""Comparisons and gates in words and tables, and what the page of a comparison shows."""

import math
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_in_table, p_said
from mossbench.look.page import markdown, markdown_table
from mossbench.look.texts import sentences as say_of
from mossbench.messages import on_command_line
from mossbench.outcomes import MAX_FAILED
from mossbench.plumbing.sheets import cell, csv_text
from mossbench.reports.tables import SHORT, SIDES, short_name, text_table
from mossbench.results.comparisons import Comparison, Flip
from mossbench.results.differences import Difference
from mossbench.results.gate_checks import GateCheck, State
from mossbench.results.gates import Gate
from mossbench.results.missing import Missing
from mossbench.samples import Side

WORDS: dict[State, str] = {"pass": "PASS", "fail": "FAIL", "undecided": "CANNOT DECIDE"}
LONGEST_ANSWER = 300
"""Characters of an answer in a terminal; the whole is in JSON."""
_say = say_of(__file__)


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
        statistic = "–" if math.isnan(test.statistic) else f"{test.statistic:.2f}"
        yield _say("overall", side=SIDES[side], test=test, q=statistic)
    disagreeing = [difference.group for difference in comparison.differences if difference.interval_differs]
    if disagreeing:
        yield _say("disagree", names=dict.fromkeys(SHORT.get(group, group) for group in disagreeing))


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
    reason = _cut(missing.reason).rstrip(".") if missing.reason else ""
    why = f"; most common reason: {reason}" if reason else ""
    return f"{run}: {missing.n} of {missing.n_rows} rows ({layers}{why})"


def headline(found: Comparison) -> str:
    """What was found, in one sentence; with several other runs, how many differ from the first on harmless requests."""
    sides = {side: [one for one in found.differences if one.group == "all" and one.side is side] for side in Side}
    first = short_name(found.runs[0])
    if len(found.runs) > 2:
        told = {side: (sum(one.told_apart for one in ones), len(ones)) for side, ones in sides.items() if ones}
        counts = ", ".join(f"{n} of {of} on {SIDES[side]}" for side, (n, of) in told.items())
        return f"Runs shown to differ from {first}: {counts} requests"
    shown = [one for ones in sides.values() for one in ones if one.told_apart]
    second = short_name(found.runs[1])
    if not shown and any(one.is_inconclusive for ones in sides.values() for one in ones):
        return f"Inconclusive: rows of {first} or {second} are missing"
    if not shown:
        return f"No difference between {second} and {first} is shown"
    says = [f"{'more' if one.estimate.value > 0 else 'fewer'} {SIDES[one.side]}" for one in shown]
    return f"{second} refuses {' and '.join(says)} requests than {first}"


def comparison_page(found: Comparison, *, n_flips: int) -> RenderableType:
    parts: list[RenderableType] = [Text(text) for text in sentences(found)]
    parts += [*_tables(found), *_flip_parts(found, n_flips), Text(making(found))]
    return Group(*parts)


def comparison_markdown(found: Comparison, *, n_flips: int) -> str:
    lines = [f"- {markdown(text)}" for text in sentences(found)]
    rows = []
    for one in found.differences:
        first, *cells = _cells(one)
        name = f"{SIDES[one.side]}, {first}" + (f" ({short_name(one.second)})" if len(found.runs) > 2 else "")
        rows.append((name, *cells))
    lines += ["", *markdown_table(COLUMNS, rows)]
    for title, flips in _directions(found):
        lines += [f"**{markdown(title)}: {len(flips)}**", ""]
        for flip in flips[:n_flips]:
            answers = zip(flip.outcomes, flip.answers, strict=True)
            lines += [f"- {markdown(_flip_line(flip))}", *(f"  - {markdown(f'{o}: {_cut(a)}')}" for o, a in answers)]
        lines += [""] if n_flips else []
    return "\n".join([*lines, "  \n".join(map(markdown, making(found).splitlines()))])


def flips_csv(found: Comparison) -> str:
    names = "second side sample epoch stimulus question refused_by".split()
    head = [*names, "first_outcome", "second_outcome", "first_answer", "second_answer"]
    flips = [[*(getattr(one, name) for name in names), *one.outcomes, *one.answers] for one in found.flips]
    return csv_text([head, *(map(cell, flip) for flip in flips)])


def making(found: Comparison) -> str:
    unpaired = ", ".join(f"{short_name(name)} {n}" for name, n in found.n_unpaired.items() if n)
    return _say("making", found=found, unpaired=unpaired)


def gate_line(decision: Gate, who: str = "") -> str:
    """One line: the decision and, for each limit, rate, interval, rows, limit and what would help."""
    parts = "; ".join(check_words(check) for check in decision.checks)
    made = f"{decision.mode}, rule {decision.rule}, data {decision.data}, judge {decision.judge}"
    name = f"{decision.name}: " if decision.name else ""
    return f"{WORDS[decision.state]} {name}{who or short_name(decision.model)} ({made}): {parts}"


CHECKED = {"refusal": "harmless refused", "safety": "harmful refused", "increase": "increase over the baseline"}


def check_words(check: GateCheck) -> str:
    """A limit, what was measured, on what that was decided, and what would help."""
    unit = "points" if check.name == "increase" else "%"
    bound = "least" if check.name == "safety" else "most"
    limit = f"limit at {bound} {100 * check.limit:g} {unit}"
    if check.reason:
        return f"{CHECKED[check.name]}: {on_command_line(check.reason)} ({limit}){_unused_words(check)}"
    n, n_left_out = check.estimate.n, check.estimate.n_left_out
    measured = f"{CHECKED[check.name]} {_measured_words(check)}, n = {n}, {n_left_out} left out"
    return f"{measured}{_decided_words(check)}, {limit}{_verdict_words(check)}{_unused_words(check)}"


def _unused_words(check: GateCheck) -> str:
    """Why labels of the run did not decide, where there are some."""
    return f"; labels not used: {check.labels_unused.removesuffix('.')}" if check.labels_unused else ""


def _measured_words(check: GateCheck) -> str:
    estimate = check.estimate
    if check.name == "increase":
        return f"{points_between(estimate)} points"
    value = "" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f} % "
    return f"{value}[{100 * estimate.low:.1f} to {100 * estimate.high:.1f}]"


def _decided_words(check: GateCheck) -> str:
    """On what it was decided, where that is not the interval of labels by people."""
    interval = f"[{100 * check.low:.1f} to {100 * check.high:.1f}]"
    if check.judge_range is not None:
        misses, invents = (f"{100 * share:.0f} %" for share in (check.judge_range.misses, check.judge_range.invents))
        return f", decided on {interval}: if the judge misses up to {misses} of refusals and invents up to {invents}"
    if check.decided_on in ("labels", "controls"):
        on = {"labels": "labels of this run", "controls": "the judge's errors on control models"}
        return f", decided on {interval}: corrected by {on[check.decided_on]}"
    return "" if check.decided_on == "people" or check.name == "increase" else ", decided as read"


def _verdict_words(check: GateCheck) -> str:
    if check.state == "pass":
        return ""
    beyond = check.high < check.limit if check.name == "safety" else check.low > check.limit
    if check.n_needed is not None:
        return f": not shown to be within the limit; about {check.n_needed:,} samples at this rate would show it"
    if check.n_labels is not None:
        return (
            f": not shown to be within the limit; about {check.n_labels:,} labelled answers of this run, drawn at "
            "random, would show it at this rate"
        )
    return ": outside the limit" if beyond else ": not shown to be within the limit"


COLUMNS = ("samples", "1st/2nd %", "difference", "flips", "pairs", "p")


def _cells(one: Difference) -> tuple[str, ...]:
    rates = "/".join("–" if math.isnan(rate) else f"{100 * rate:.1f}" for rate in one.rates)
    pairs = f"{one.estimate.n}/{one.estimate.n + one.estimate.n_left_out}"
    flips = f"{one.only_first}/{one.only_second}"
    gap = points_between(one.estimate, digits=0)
    return SHORT.get(one.group, one.group), rates, gap, flips, pairs, p_in_table(one.p_adjusted)


def _tables(found: Comparison) -> Iterator[RenderableType]:
    for second in found.runs[1:]:
        yield Text(f"\n1st {short_name(found.runs[0])}, 2nd {short_name(second)}", style="bold")
        table = text_table(*COLUMNS, padding=(0, 1, 0, 0))
        for side in Side:
            members = [one for one in found.differences if (one.second, one.side) == (second, side)]
            if members:
                table.add_row(Text(SIDES[side], style="bold"))
            for one in members:
                first, *cells = _cells(one)
                total = one.group == "all"
                table.add_row(f"  {first}", *cells, style="bold" if total else None, end_section=total)
        yield table


def _directions(found: Comparison) -> Iterator[tuple[str, list[Flip]]]:
    for second in found.runs[1:]:
        for side in Side:
            for refuser, other in ((second, found.runs[0]), (found.runs[0], second)):
                flips = [f for f in found.flips if (f.second, f.side, f.refused_by) == (second, side, refuser)]
                if flips:
                    who = f"{short_name(refuser)} and answered by {short_name(other)}"
                    yield f"{SIDES[side].capitalize()}, refused by {who}", flips


def _flip_parts(found: Comparison, n_flips: int) -> Iterator[RenderableType]:
    for title, flips in _directions(found):
        yield Text(f"{title}: {len(flips)}" + ("" if n_flips else "; list them with --flips N"), style="bold")
        for flip in flips[:n_flips]:
            yield Text(f"  {_flip_line(flip)}")
            for outcome, answer in zip(flip.outcomes, flip.answers, strict=True):
                yield Text(f"    {outcome}: {_cut(answer)}", style="dim")
        if 0 < n_flips < len(flips):
            yield Text(f"  … {len(flips) - n_flips} more: raise --flips, or use --format csv or json")
        if n_flips:
            yield Text()


def _flip_line(flip: Flip) -> str:
    epoch = f", epoch {flip.epoch}" if flip.epoch > 1 else ""
    return f"{flip.sample}{epoch} ({flip.stimulus}; {flip.outcomes[0]} / {flip.outcomes[1]}) {_cut(flip.question)}"


def _cut(text: str | None) -> str:
    """One line of a text, cut where it is long; what is not there is said to be."""
    if text is None:
        return "(no answer)"
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LONGEST_ANSWER else f"{line[:LONGEST_ANSWER]}… ({len(line)} characters)"
