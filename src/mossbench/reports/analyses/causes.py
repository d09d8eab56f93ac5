"""Causes on the page: what was changed, what that did, which rivals it excludes, and what cannot be told."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mossbench.analyses.causes import LEFT_OUT, Cause, Causes
from mossbench.analyses.claims import GUARD, LEAST, LEVEL, WORTH, ToTell, Verdict
from mossbench.datasets.arms import PLAIN
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_said, p_value, percent, points, quoted
from mossbench.reports.analyses.counterfactuals import effect_row
from mossbench.reports.analyses.reading_rivals import inconclusive_sentences, reading_table
from mossbench.reports.analyses.section import PAGES, Section, table
from mossbench.reports.dots import Dot, dots

WORDS = PAGES["causes"]
_PHRASES = tomllib.loads(Path(__file__).with_name("causes.toml").read_text("utf-8"))
SAYS: dict[str, dict[str, str]] = _PHRASES["says"]
CHANGES: dict[str, tuple[str, str]] = _PHRASES["changes"]
COMPARISONS: dict[str, str] = _PHRASES["comparisons"]
TOLD_BY: dict[str, str] = _PHRASES["told_by"]
SIZES: dict[str, float] = {"level": 100 * LEVEL, "guard": 100 * GUARD, "worth": 100 * WORTH, "least": 100 * LEAST}
FEW = 10
"""Requests under which a claim carries a caution."""
WITHOUT_P = (Verdict.ANOTHER_EXPLANATION, Verdict.ONLY_CHANGE, Verdict.INCONCLUSIVE)
"""Verdicts that do not rest on the p of the claim."""


def section(record: Causes) -> Section:
    named = [_paragraph(cause) for cause in record.causes if cause.named]
    readings = reading_table(record.readings)
    return Section(
        WORDS["title"],
        _finding(record),
        (*(text.format(**SIZES) for text in WORDS["text"]), *named, *map(_unexplained, record.changed)),
        (
            table(WORDS["causes"], map(_row, record.causes), least=SIZES["least"], worth=SIZES["worth"]),
            table(WORDS["comparisons"], _comparisons(record)),
            *([readings] if readings.rows else []),
            table(WORDS["changes"], _changes(record)),
        ),
        tuple(_cautions(record)),
    )


def chart(record: Causes) -> Chart | None:
    told = [one for one in record.causes if one.share.n and not math.isnan(one.p)]
    drawn = [Dot(SAYS[one.name]["name"], one.share, strong=one.named) for one in told]
    title = _finding_sentences(record)[0].removesuffix(".")
    return themed(dots(drawn, title, WORDS["chart"], width=520)) if drawn else None


def _finding(record: Causes) -> str:
    return " ".join(_finding_sentences(record))


def _finding_sentences(record: Causes) -> list[str]:
    """What was found, the most important sentence first."""
    if not record.rate.n:
        return ["No answer counts, so no cause can be named."]
    shown = [_sentence(cause) for cause in record.causes if cause.named]
    if record.changed:
        shown += [_change(cause) for cause in record.changed]
        shown.append("Why is not shown.")
    if not record.tellable:
        return [WORDS["cannot"], *shown, _refuses(record)]
    if shown:
        return shown
    if record.base.n and record.base.low > 0.5:
        return [f"No cause is shown: it refuses {quoted(record.base)} even of harmless words with harmless images."]
    return ["No cause is shown.", _refuses(record)]


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
    lost = [COMPARISONS[comparison.name] for comparison in cause.guards_lost]
    why = f" What would exclude other explanations does not hold: {'; '.join(lost)}." if lost else ""
    p = cause.p_change_adjusted if cause.changes == "falls" else cause.p_reverse_adjusted
    return f"Only the change is shown: {_change(cause)} Adjusted {p_said(p)}.{why}"


def _paragraph(cause: Cause) -> str:
    words = SAYS[cause.name]
    on = f"{cause.share.n} {cause.stimulus.title if cause.stimulus else 'harmless'} requests"
    rests = f"Measured on {on}, {cause.n_answers:,} answers; adjusted {p_said(cause.p_adjusted)}."
    told = f"Excluded: {words['excluded']}. Not told apart: {words['not_told']}."
    return f"{words['name']}: {_sentence(cause)} {rests} {told}"


def _row(cause: Cause) -> tuple[str, ...]:
    conclusion = cause.conclusion
    is_unknown = math.isnan(cause.p)
    has_p = not is_unknown and conclusion.verdict not in WITHOUT_P
    requests = cause.stimulus.title if cause.stimulus else "all"
    return (
        SAYS[cause.name]["name"],
        str(conclusion.verdict),
        points(conclusion.size) if conclusion.size.n and not is_unknown else "–",
        p_value(cause.p_adjusted) if has_p else "–",
        f"{cause.share.n} {requests}",
        f"{cause.n_answers:,}",
        _needed(conclusion.needed),
    )


def _needed(needed: ToTell | None) -> str:
    """What would decide a claim: answers to the same requests, or else more requests."""
    if needed is not None and needed.answers:
        return f"{needed.answers:,} answers"
    if needed is not None and needed.requests:
        return f"{needed.requests:,} requests"
    return "–"


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
