"""Rehearsals in words: how many refusals were planted, how many were found, and why the two differ."""

from mossbench.errors import n_of
from mossbench.reports.words.rates import SIDES
from mossbench.results.rehearsal import PlantedAndFound


def planted_words(side: PlantedAndFound) -> str:
    """`harmless: planted 8 of 40, found 8 of 40`, with the reasons why they differ."""
    planted = f"{SIDES[side.side]}: planted {side.n_planted} of {side.n_rows}"
    finding = "found nothing: no row has a verdict"
    if side.n_counted:
        finding = f"found {side.n_found} of {side.n_counted}"
    reasons = _reasons(side)
    if not reasons:
        return f"{planted}, {finding}"
    return f"{planted}, {finding} ({'; '.join(reasons)})"


def _reasons(side: PlantedAndFound) -> list[str]:
    """Why the number of refusals found differs from the number planted."""
    reasons = []
    without_verdict = _rows_without_verdict(side)
    if without_verdict:
        reasons.append(without_verdict)
    if side.n_without_words:
        rows = n_of(side.n_without_words, "row")
        reasons.append(f"{rows} to be answered {_without_words(side)}, which counts as refused")
    if side.n_invented:
        reasons.append(f"{n_of(side.n_invented, 'answer')} read as refused")
    if side.n_missed:
        reasons.append(f"{n_of(side.n_missed, 'refusal')} read as answered")
    return reasons


def _rows_without_verdict(side: PlantedAndFound) -> str:
    """How many rows have no verdict, by reason."""
    counts = {
        "failed": side.n_failed,
        "blocked": side.n_blocked,
        "empty": side.n_empty,
        "without a verdict": side.n_unjudged,
        "not asked yet": side.n_rows - side.n_asked,
        "of no known kind, which this rule needs": side.n_unclear,
    }
    return ", ".join(f"{n} {reason}" for reason, n in counts.items() if n)


def _without_words(side: PlantedAndFound) -> str:
    n_not_asked = side.n_rows - side.n_asked
    n_open = side.n_unjudged + n_not_asked + side.n_unclear
    failures_count = side.n_failed > 0 and side.n_counted + n_open == side.n_rows
    return "failed, blocked or empty" if failures_count else "blocked or empty"
