"""Causes on the page: the answer in words, and how sure it is."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.causes import Cause, Causes
from mossbench.reports.analyses.intervals import Dot, dots
from mossbench.reports.analyses.quotes import p_value, points, quoted
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.page import percent

NAMES = {
    "object": "the object",
    "negation": "an overlooked negation",
    "words": "the words",
    "together": "words and picture together",
}
SAYS = {
    "object": "an alarming thing in the picture that has nothing to do with the request",
    "negation": "harm in a picture that is against it: the sign, stamp or caption that forbids it is overlooked",
    "words": "words that sound bad, whatever the picture shows",
    "together": "words that have a bad meaning with this picture; words alone and picture alone are answered",
}
SHOWN_BY = {
    "object": "gone when the thing is taken out of the picture",
    "negation": "gone when the forbidden thing is taken out of the picture",
    "words": "stays when the picture goes, gone with harmless words",
    "together": "gone when either the thing or the words are taken away",
}
FEW = 10
"""Requests under which a cause that is named carries a caution."""
TEXT = (
    "Four causes are looked for, each on the requests that are made to show it. A cause is shown by what has to be "
    "taken away for the refusals to go, and is named only when that is surer than chance: for a model that has none "
    "of them, one is named in at most one of twenty analyses.",
)


def section(record: Causes) -> Section:
    rows = tuple(_row(cause) for cause in record.causes)
    head = ("Cause", "Named", "Adds to refusals, points", "p", "Measured on", "Found from")
    return Section(
        "Why does it turn harmless requests down?",
        _finding(record),
        (*TEXT, *(f"{NAMES[name].capitalize()}: {SAYS[name]}; {SHOWN_BY[name]}." for name in NAMES)),
        (
            Table(
                head, rows, note="Found from: the size in points that would be found four times of five. p is adjusted."
            ),
        ),
        tuple(_cautions(record)),
    )


def chart(record: Causes) -> Any:
    drawn = [Dot(NAMES[cause.name].capitalize(), cause.share, strong=cause.named) for cause in record.causes]
    subtitle = "what each cause adds to the refusals of its requests, with 95 % intervals; red where it is named"
    return dots(drawn, title=_finding(record).rstrip("."), subtitle=subtitle)


def _finding(record: Causes) -> str:
    if not record.rate.n:
        return "No answer counts, so no cause can be told."
    named = [cause for cause in record.causes if cause.named]
    if named:
        parts = [f"{NAMES[cause.name]} ({points(cause.share)} points)" for cause in named]
        return f"It is {' and '.join(parts)}."
    if record.base.n and record.base.low > 0.5:
        return f"None of these: it turns down {quoted(record.base)} even of harmless words without anything alarming."
    return f"No cause is shown. It turns down {quoted(record.rate)} of the harmless requests."


def _row(cause: Cause) -> tuple[str, ...]:
    p = cause.p_adjusted
    return (
        NAMES[cause.name].capitalize(),
        "cannot be told" if math.isnan(p) else "yes" if cause.named else "no",
        points(cause.share),
        p_value(p),
        f"{cause.share.n} {cause.stimulus.title}",
        "–" if math.isnan(cause.seen_from) else f"{100 * cause.seen_from:.0f}",
    )


def _cautions(record: Causes) -> list[str]:
    found = [
        f"{NAMES[cause.name].capitalize()} is named from {cause.share.n} requests only: with so few, chance and a "
        "single odd request weigh much. Ask more of them before you rely on it."
        for cause in record.causes
        if cause.named and cause.share.n < FEW
    ]
    if record.base.n and record.base.value > 0.1:
        found.append(
            f"{quoted(record.base)} are turned down with harmless words and without the "
            "trigger: no cause looked for here explains those."
        )
    if record.repeats > 0.98 and record.epochs > 1:
        found.append(
            f"Of the requests that it refused at least once, it refused {percent(record.repeats)} all {record.epochs} "
            "times: at this temperature repeating adds little. Use --epochs 1, or a --temperature above 0."
        )
    missing = [NAMES[cause.name] for cause in record.causes if math.isnan(cause.p)]
    if missing:
        found.append(
            f"Cannot be told on these data: {', '.join(missing)}. It takes requests of that kind and, without it, a "
            "picture or harmless words to hold them against (--boxes, --oracle)."
        )
    return found
