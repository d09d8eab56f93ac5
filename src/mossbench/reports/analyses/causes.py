"""Causes on the page: what was changed, what that did, which rivals it excludes, and what cannot be told.

What is said of each cause is in `reports.words.causes`.
"""

import math
from collections.abc import Iterator

from mossbench.analyses.causes import Cause, Causes
from mossbench.analyses.claims import GUARD_LEVEL, PAGE_LEVEL, Verdict
from mossbench.analyses.needed import MIN_SIZE_TO_PLAN_BY, RELEVANT_SIZE, AmountNeeded
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_value, points
from mossbench.reports.analyses.counterfactuals import effect_row
from mossbench.reports.analyses.kinds_by_arm import reading_table
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.words.causes import (
    COMPARISONS,
    cause_cautions,
    cause_name,
    cause_paragraph,
    finding_sentences,
    unexplained_paragraph,
)

WITHOUT_P = (Verdict.ANOTHER_EXPLANATION, Verdict.ONLY_CHANGE, Verdict.INCONCLUSIVE)
"""Verdicts that do not rest on the p of the claim."""


def section(record: Causes) -> Section:
    shown = [cause_paragraph(cause) for cause in record.causes if cause.is_shown]
    unexplained = [unexplained_paragraph(cause) for cause in record.unexplained]
    return Section(
        title="Why does it refuse harmless requests?",
        finding=" ".join(finding_sentences(record)),
        text=(*_how_to_read(), *shown, *unexplained),
        tables=tuple(_tables(record)),
        cautions=tuple(cause_cautions(record)),
    )


def _how_to_read() -> tuple[str, ...]:
    return (
        "Each line changes one thing and keeps everything else: the same words, otherwise the same image, the same "
        "epochs. It is named after the change. Where other explanations would give the same result, further "
        "comparisons must exclude them.",
        "“Shown” means that chance does not explain it: all claims about causes and help on this page together are due "
        f"to chance in at most {100 * PAGE_LEVEL:.0f} of 100 analyses (Holm), and each comparison that excludes "
        f"another explanation misses it in at most {100 * GUARD_LEVEL:.1f} of 100. “Not shown” means that "
        f"{100 * RELEVANT_SIZE:.0f} points or more are excluded. “Only the change” means that refusals change, "
        "but a comparison that would exclude "
        "another explanation does not hold, or that they change in the other direction. “Another explanation” means "
        "that such a comparison does not hold and the change itself is not shown. “Inconclusive” means that how "
        "answers were read could have made the difference, or that there was only one neutral image; the notes say "
        "which. Everything else is “undecided”.",
        "Intervals allow for requests unlike all of these: where 40 requests never differ, however often they are "
        "asked, the interval still reaches about 9 points to each side.",
    )


def chart(record: Causes) -> Chart | None:
    measured = [cause for cause in record.causes if cause.share.n and not math.isnan(cause.p)]
    if not measured:
        return None
    drawn = [Dot(cause_name(cause), cause.share, strong=cause.is_shown) for cause in measured]
    title = finding_sentences(record)[0].removesuffix(".")
    subtitle = "what each adds to the refusals of its requests, with 95 % intervals; red where it is shown"
    return themed(dots(drawn, title, subtitle, width=520))


def _tables(record: Causes) -> Iterator[Table]:
    yield Table(
        head=("What is changed", "Verdict", "Adds, points", "p", "Requests", "Answers", "Needed to decide"),
        rows=tuple(map(_cause_row, record.causes)),
        note=f"Not shown: {100 * RELEVANT_SIZE:.0f} points or more are excluded. Undecided: neither shown nor "
        "excluded. p is adjusted for all claims; there is none where another explanation is not excluded. Needed to "
        "decide: "
        f"for 80 % power at the observed effect ({100 * RELEVANT_SIZE:.0f} points where that is under "
        f"{100 * MIN_SIZE_TO_PLAN_BY:.0f}). Answers are to the same requests, asked more often. Requests are more of "
        "this kind, where more answers to the same ones would not decide.",
    )
    yield Table(
        title="What each rests on",
        head=("Claim", "Comparison", "Points", "p"),
        rows=tuple(_comparison_rows(record)),
    )
    readings = reading_table(record.readings)
    if readings.rows:
        yield readings
    yield Table(
        title="Changes",
        head=("Change", "Requests", "Refused, %", "Change, points", "p"),
        rows=tuple(_change_rows(record)),
        note="p is adjusted for all lines of this table. A change shows what happens, not why.",
    )


def _verdict_words(verdict: Verdict) -> str:
    return "undecided" if verdict is Verdict.UNDECIDED else str(verdict)


def _cause_row(cause: Cause) -> tuple[str, ...]:
    conclusion = cause.conclusion
    is_unknown = math.isnan(cause.p)
    has_p = not is_unknown and conclusion.verdict not in WITHOUT_P
    requests = cause.stimulus.title if cause.stimulus else "all"
    return (
        cause_name(cause),
        _verdict_words(conclusion.verdict),
        points(conclusion.size) if conclusion.size.n and not is_unknown else "–",
        p_value(cause.p_adjusted) if has_p else "–",
        f"{cause.share.n} {requests}",
        f"{cause.n_answers:,}",
        _needed(conclusion.needed),
    )


def _needed(needed: AmountNeeded | None) -> str:
    """What would decide a claim: answers to the same requests, or else more requests."""
    if needed is not None and needed.answers:
        return f"{needed.answers:,} answers"
    if needed is not None and needed.requests:
        return f"{needed.requests:,} requests"
    return "–"


def _comparison_rows(record: Causes) -> Iterator[tuple[str, ...]]:
    for cause in record.causes:
        for comparison in cause.comparisons:
            if math.isnan(comparison.p):
                continue
            size = points(comparison.share) if comparison.share.n else "–"
            yield cause_name(cause), COMPARISONS[comparison.name], size, p_value(comparison.p)


def _change_rows(record: Causes) -> Iterator[tuple[str, ...]]:
    for effect in record.changes:
        if effect.rate.n:
            name, *numbers = effect_row(effect)[:4]
            yield name, "All" if effect.group == "all" else effect.group, *numbers
