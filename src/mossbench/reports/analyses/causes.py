"""Causes on the page: what was changed, what that did, which rivals it excludes, and what cannot be told."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from mossbench.analyses.causes import LEFT_OUT, Cause, Causes
from mossbench.analyses.claims import GUARD, LEAST, LEVEL, WORTH
from mossbench.look.numbers import p_value, percent, points, quoted
from mossbench.reports.analyses.counterfactuals import effect_row
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.analyses.wording import CHANGES, COMPARISONS, SAYS, TOLD_BY, Words
from mossbench.reports.dots import Dot, dots, themed

FEW = 10
"""Requests under which a claim carries a caution."""
RIVAL = "another explanation"
ONLY = "only the change"
TITLE = "Why does it refuse harmless requests?"
TEXT = (
    "Each line changes one thing and leaves the rest: the same words, the same image but for that, the same epochs. It "
    "is named after what was changed. Where other explanations would show the same, further comparisons have to hold "
    "that exclude them.",
    f"“Shown” means that chance does not explain it: all claims about causes and help on this page together are due to "
    f"chance in at most {100 * LEVEL:.0f} of 100 analyses (Holm), and each comparison that excludes a rival lets it "
    f"pass in at most {100 * GUARD:.1f} of 100. “Not shown” means that {100 * WORTH:.0f} points or more are excluded. "
    "“Only the change” means that refusals change with what was changed, and that a comparison which would exclude "
    "another explanation does not hold, or that they change to the other side. “Another explanation” means that such a "
    "comparison does not hold and the change itself is not shown. All else is “cannot tell”.",
    "An interval leaves room for requests that are unlike all of these: where 40 requests never differ, however often "
    "they are asked, it still reaches about 9 points to each side.",
)
CANNOT = (
    "What in the image or the words it refuses cannot be told from these answers: there are none to the same image "
    "made without the alarming thing (painting over it makes no such image)."
)


def section(record: Causes) -> Section:
    rows = tuple(_row(cause) for cause in record.causes)
    head = ("What is changed", "Verdict", "Adds, points", "p", "Requests", "Answers", "To tell")
    note = (
        "To tell: what would show it in four of five cases, if it is as large as it looks (if it looks smaller than "
        f"{100 * LEAST:.0f} points: as large as {100 * WORTH:.0f}). Answers are to the same requests, asked more "
        "often; where that adds too little, no number of them could tell, and more requests of this kind are needed."
    )
    return Section(
        TITLE,
        _finding(record),
        (*TEXT, *(_paragraph(cause) for cause in record.causes if cause.named), *map(_unexplained, record.changed)),
        (
            Table(
                head, rows, note=f"p is adjusted for all claims; there is none where a rival is not excluded. {note}"
            ),
            Table(("Claim", "Comparison", "Points", "p"), _comparisons(record), "What each rests on"),
            _changes(record),
        ),
        tuple(_cautions(record)),
    )


def chart(record: Causes) -> Any:
    told = [one for one in record.causes if one.share.n and not math.isnan(one.p)]
    drawn = [Dot(SAYS[one.name].name, one.share, strong=one.named) for one in told]
    if not drawn:
        return None
    subtitle = "what each adds to the refusals of its requests, with 95 % intervals; red where it is shown"
    return themed(dots(drawn, _finding(record).partition(". ")[0].rstrip("."), subtitle, width=520))


def _finding(record: Causes) -> str:
    if not record.rate.n:
        return "No answer counts, so no cause can be named."
    named = " ".join(_sentence(cause) for cause in record.causes if cause.named)
    changed = " ".join(map(_change, record.changed)) + " Why is not shown." if record.changed else ""
    refuses = f"It refuses {quoted(record.rate)} of the harmless requests."
    if not record.tellable:
        return " ".join(filter(None, (CANNOT, named, changed, refuses)))
    if named or changed:
        return " ".join(filter(None, (named, changed)))
    if record.base.n and record.base.low > 0.5:
        return f"No cause is shown: it refuses {quoted(record.base)} even of harmless words with harmless images."
    return f"No cause is shown. {refuses}"


def _sentence(cause: Cause) -> str:
    """What was changed and what that did, with its size."""
    says = SAYS[cause.name].sentence.format(size=points(cause.share).lstrip("+"))
    if cause.name != "overlooked":
        return says
    told, missed = (points(one.share).lstrip("+") for one in cause.comparisons[1:])
    return says.format(told=told, missed=missed)


def _change(cause: Cause) -> str:
    """What was changed and what that did, which says nothing of why."""
    verb, what = CHANGES[cause.name]
    share = cause.share
    if cause.changes == "rises":
        verb = {"fall": "rise", "rise": "fall"}[verb]
        share = replace(share, value=-share.value, low=-share.high, high=-share.low)
    return f"Refusals {verb} by {points(share).lstrip('+')} points when {what}."


def _unexplained(cause: Cause) -> str:
    lost = [COMPARISONS[one.name] for one in cause.comparisons[1:] if (one.p <= GUARD) is one.against]
    why = f" What would exclude other explanations does not hold: {'; '.join(lost)}." if lost else ""
    p = cause.p_change_adjusted if cause.changes == "falls" else cause.p_reverse_adjusted
    return f"Only the change is shown: {_change(cause)} Adjusted p {_p(p)}.{why}"


def _paragraph(cause: Cause) -> str:
    words: Words = SAYS[cause.name]
    on = f"{cause.share.n} {cause.stimulus.title if cause.stimulus else 'harmless'} requests"
    rests = f"Measured on {on}, {cause.n_answers:,} answers; adjusted p {_p(cause.p_adjusted)}."
    return f"{words.name}: {_sentence(cause)} {rests} Excluded: {words.excluded}. Not told apart: {words.not_told}."


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _verdict(cause: Cause) -> str:
    if cause.named or cause.changes:
        return "shown" if cause.named else ONLY
    if math.isnan(cause.p) or not cause.excluded:
        return "cannot tell"
    described = cause.within is not None and cause.comparisons[-1].name == "left out"
    return "not shown" if described or cause.share.high < WORTH else RIVAL


def _row(cause: Cause) -> tuple[str, ...]:
    unknown, verdict = math.isnan(cause.p), _verdict(cause)
    on = cause.stimulus.title if cause.stimulus else "all"
    return (
        SAYS[cause.name].name,
        verdict,
        points(cause.share) if cause.share.n and not unknown else "–",
        p_value(cause.p_adjusted) if not (unknown or verdict in (RIVAL, ONLY)) else "–",
        f"{cause.share.n} {on}",
        f"{cause.n_answers:,}",
        _to_tell(cause) if verdict == "cannot tell" else "–",
    )


def _to_tell(cause: Cause) -> str:
    if cause.n_needed:
        return f"{cause.n_needed:,} answers"
    return f"{cause.n_requests_needed:,} requests" if cause.n_requests_needed else "–"


def _comparisons(record: Causes) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (SAYS[cause.name].name, COMPARISONS[one.name], points(one.share) if one.share.n else "–", p_value(one.p))
        for cause in record.causes
        for one in cause.comparisons
        if not math.isnan(one.p)
    )


def _changes(record: Causes) -> Table:
    rows = tuple(
        (name, "All" if one.group == "all" else one.group, *numbers)
        for one in record.changes
        for name, *numbers in [effect_row(one)[:4]]
        if one.rate.n
    )
    note = "p is adjusted for all lines of this table. A change shows what happens, not why."
    return Table(("Change", "Requests", "Refused, %", "Change, points", "p"), rows, "Changes", note)


def _cautions(record: Causes) -> list[str]:
    found = [
        f"{SAYS[cause.name].name} is named from only {cause.share.n} requests: with so few, chance or a single unusual "
        "request can decide. Ask more of them before you rely on it."
        for cause in record.causes
        if cause.named and cause.share.n < FEW
    ]
    if record.base.n and record.base.low > 0.1:
        found.append(
            f"{quoted(record.base)} are refused with harmless words and an image without the alarming thing. Of the "
            "causes above only an image, a harmless scene, people or filler could explain that, where they "
            "are shown; no comparison changes text in the image, darkness and the like alone."
        )
    if record.missed is not None and any(one.name == "negation" and one.named for one in record.causes):
        found.append(
            f"Its own descriptions of images that oppose a harm leave that out in {quoted(record.missed)}. Depicted "
            "harm alone does not say whether the negation was seen."
        )
    if record.repeats > 0.98 and record.epochs > 1:
        found.append(
            f"Of the requests that it refused at least once, it refused {percent(record.repeats)} all {record.epochs} "
            "times: at this temperature more epochs add little. Use --epochs 1, or a --temperature above 0; what "
            "cannot be told takes more requests."
        )
    if record.epochs == 1:
        found.append("Every request was asked once: what one seed brings, and what it always does, look the same.")
    if any(cause.name == LEFT_OUT for cause in record.causes):
        found.append(
            "Answers that say they cannot see are left out here, with the image and without. If the judge does not "
            "tell these from refusals, requests without their image can look worse than they are."
        )
    missing = [f"{SAYS[c.name].name} ({TOLD_BY[c.name]})" for c in record.causes if math.isnan(c.p)]
    if missing:
        found.append(f"Cannot be told from these answers: {'; '.join(missing)}.")
    return found
