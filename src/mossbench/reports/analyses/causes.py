"""Causes on the page: what was changed, what that did, which rivals it excludes, and what cannot be told."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from mossbench.analyses.causes import LEFT_OUT, Cause, Causes
from mossbench.analyses.claims import GUARD, LEAST, LEVEL, WORTH
from mossbench.datasets.arms import PLAIN
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_said, p_value, percent, points, quoted
from mossbench.reports.analyses.counterfactuals import effect_row
from mossbench.reports.analyses.reading_rivals import (
    INCONCLUSIVE,
    inconclusive_sentences,
    is_inconclusive,
    reading_table,
)
from mossbench.reports.analyses.section import PAGES, Section, table
from mossbench.reports.dots import Dot, dots

WORDS = PAGES["causes"]
_PHRASES = tomllib.loads(Path(__file__).with_name("causes.toml").read_text("utf-8"))
SAYS: dict[str, dict[str, str]] = _PHRASES["says"]
CHANGES: dict[str, tuple[str, str]] = _PHRASES["changes"]
COMPARISONS: dict[str, str] = _PHRASES["comparisons"]
TOLD_BY: dict[str, str] = _PHRASES["told_by"]
SIZES: dict[str, Any] = {"level": 100 * LEVEL, "guard": 100 * GUARD, "worth": 100 * WORTH, "least": 100 * LEAST}
FEW = 10
"""Requests under which a claim carries a caution."""
RIVAL = "another explanation"
ONLY = "only the change"


def section(record: Causes) -> Section:
    named = [_paragraph(cause) for cause in record.causes if cause.named]
    readings = reading_table(record.readings)
    return Section(
        WORDS["title"],
        _finding(record),
        (*(text.format(**SIZES) for text in WORDS["text"]), *named, *map(_unexplained, record.changed)),
        (
            table(WORDS["causes"], map(_row, record.causes), **SIZES),
            table(WORDS["comparisons"], _comparisons(record)),
            *([readings] if readings.rows else []),
            table(WORDS["changes"], _changes(record)),
        ),
        tuple(_cautions(record)),
    )


def chart(record: Causes) -> Chart | None:
    told = [one for one in record.causes if one.share.n and not math.isnan(one.p)]
    drawn = [Dot(SAYS[one.name]["name"], one.share, strong=one.named) for one in told]
    title = _finding(record).partition(". ")[0].rstrip(".")
    return themed(dots(drawn, title, WORDS["chart"], width=520)) if drawn else None


def _finding(record: Causes) -> str:
    if not record.rate.n:
        return "No answer counts, so no cause can be named."
    named = " ".join(_sentence(cause) for cause in record.causes if cause.named)
    changed = " ".join(map(_change, record.changed)) + " Why is not shown." if record.changed else ""
    refuses = _refuses(record)
    if not record.tellable:
        return " ".join(filter(None, (WORDS["cannot"], named, changed, refuses)))
    if named or changed:
        return " ".join(filter(None, (named, changed)))
    if record.base.n and record.base.low > 0.5:
        return f"No cause is shown: it refuses {quoted(record.base)} even of harmless words with harmless images."
    return f"No cause is shown. {refuses}"


def _refuses(record: Causes) -> str:
    """How often it refuses the plain requests; bounds where answers are missing, which nobody knows."""
    missing = next((one.missing for one in record.readings if one.arm == PLAIN.name), 0.0)
    if not missing:
        return f"It refuses {quoted(record.rate)} of the harmless requests."
    low = record.rate.value * (1 - missing)
    return (
        f"It refuses between {percent(low)} and {percent(low + missing)} of the harmless requests: "
        f"{percent(missing)} of the answers are missing."
    )


def _sentence(cause: Cause) -> str:
    """What was changed and what that did, with its size."""
    parts = {one.name: points(one.share).lstrip("+") for one in cause.comparisons}
    return SAYS[cause.name]["sentence"].format(**parts, size=points(cause.share).lstrip("+"))


def _change(cause: Cause) -> str:
    """What was changed and what that did, which says nothing of why."""
    verb, what = CHANGES[cause.name]
    share = cause.share
    if cause.changes == "rises":
        verb = {"fall": "rise", "rise": "fall"}[verb]
        share = replace(share, value=-share.value, low=-share.high, high=-share.low)
    return f"Refusals {verb} by {points(share).lstrip('+')} points when {what}."


def _unexplained(cause: Cause) -> str:
    lost = [COMPARISONS[one.name] for one in cause.comparisons[1:] if one.lost]
    why = f" What would exclude other explanations does not hold: {'; '.join(lost)}." if lost else ""
    p = cause.p_change_adjusted if cause.changes == "falls" else cause.p_reverse_adjusted
    return f"Only the change is shown: {_change(cause)} Adjusted {p_said(p)}.{why}"


def _paragraph(cause: Cause) -> str:
    words = SAYS[cause.name]
    on = f"{cause.share.n} {cause.stimulus.title if cause.stimulus else 'harmless'} requests"
    rests = f"Measured on {on}, {cause.n_answers:,} answers; adjusted {p_said(cause.p_adjusted)}."
    told = f"Excluded: {words['excluded']}. Not told apart: {words['not_told']}."
    return f"{words['name']}: {_sentence(cause)} {rests} {told}"


def _verdict(cause: Cause) -> str:
    if cause.named or cause.changes:
        return "shown" if cause.named else ONLY
    if is_inconclusive(cause) or cause.n_images == 1:
        return INCONCLUSIVE
    if math.isnan(cause.p) or not cause.excluded:
        return "cannot tell"
    described = cause.within is not None and cause.comparisons[-1].name == "left out"
    return "not shown" if described or cause.share.high < WORTH else RIVAL


def _row(cause: Cause) -> tuple[str, ...]:
    unknown, verdict = math.isnan(cause.p), _verdict(cause)
    on = cause.stimulus.title if cause.stimulus else "all"
    return (
        SAYS[cause.name]["name"],
        verdict,
        points(cause.share) if cause.share.n and not unknown else "–",
        p_value(cause.p_adjusted) if not (unknown or verdict in (RIVAL, ONLY, INCONCLUSIVE)) else "–",
        f"{cause.share.n} {on}",
        f"{cause.n_answers:,}",
        _to_tell(cause) if verdict == "cannot tell" else "–",
    )


def _to_tell(cause: Cause) -> str:
    if cause.n_needed:
        return f"{cause.n_needed:,} answers"
    return f"{cause.n_requests_needed:,} requests" if cause.n_requests_needed else "–"


def _comparisons(record: Causes) -> Iterator[tuple[str, ...]]:
    for cause in record.causes:
        for one in (one for one in cause.comparisons if not math.isnan(one.p)):
            size = points(one.share) if one.share.n else "–"
            yield SAYS[cause.name]["name"], COMPARISONS[one.name], size, p_value(one.p)


def _changes(record: Causes) -> Iterator[tuple[str, ...]]:
    for one in (one for one in record.changes if one.rate.n):
        name, *numbers = effect_row(one)[:4]
        yield name, "All" if one.group == "all" else one.group, *numbers


def _cautions(record: Causes) -> Iterator[str]:
    says: dict[str, str] = WORDS["cautions"]
    yield from inconclusive_sentences(record.causes, {name: words["name"] for name, words in SAYS.items()})
    for cause in record.causes:
        if cause.named and cause.share.n < FEW:
            yield says["few"].format(name=SAYS[cause.name]["name"], n=cause.share.n)
    if record.base.n and record.base.low > 0.1:
        yield says["base"].format(base=quoted(record.base))
    if record.missed is not None and any(one.name == "negation" and one.named for one in record.causes):
        yield says["missed"].format(missed=quoted(record.missed))
    if record.repeats > 0.98 and record.epochs > 1:
        yield says["repeats"].format(repeats=percent(record.repeats), epochs=record.epochs)
    if record.epochs == 1:
        yield says["once"]
    if any(cause.name == LEFT_OUT for cause in record.causes):
        yield says["left-out"]
    if any(cause.n_images == 1 for cause in record.causes):
        yield says["one-image"]
    if missing := [f"{SAYS[c.name]['name']} ({TOLD_BY[c.name]})" for c in record.causes if math.isnan(c.p)]:
        yield says["unknown"].format(missing="; ".join(missing))
