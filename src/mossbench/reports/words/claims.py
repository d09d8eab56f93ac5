"""Why a claim is inconclusive because of how answers were read."""

from collections.abc import Iterable, Iterator

from mossbench.analyses.claims import Claim, ReadingRival
from mossbench.analyses.misreading import MOST_MISSING
from mossbench.look.numbers import percent, points
from mossbench.reports.words.runs import arm_title


def inconclusive_sentence(name: str, claim: Claim, rival: ReadingRival) -> str:
    """Why a claim, which is called `name`, is inconclusive."""
    return f"{name}: inconclusive ({points(claim.share)} points as read). {_why(rival)}"


def _why(rival: ReadingRival) -> str:
    left = f" {points(rival.share)} points are left, which are not shown." if rival.share else ""
    if rival.kind == "same words":
        return (
            "The judge read the same words as a refusal under some requests and as an answer under others. "
            f"Read alike everywhere, as most of them were:{left}"
        )
    if rival.kind == "missing":
        return f"Answers are missing (failed, unread, not asked, or asking for an image). Counted against it:{left}"
    return (
        "The arms send different requests, and a judge that misses up to "
        f"{percent(rival.missed)} of refusals and invents up to {percent(rival.invented)}, as it was measured to, "
        "could read one refusal rate as these two. Label some answers of both arms to exclude that."
    )


def inconclusive_sentences(claims: Iterable[Claim], names: dict[str, str]) -> Iterator[str]:
    """A sentence for each claim that is lost to how answers were read; one for all where too many are missing."""
    lacking: dict[str, list[str]] = {}
    for claim in claims:
        rival = claim.reading_rival
        if rival is None or not claim.is_lost_to_reading:
            continue
        if rival.kind == "too many missing":
            lacking.setdefault(arm_title(rival.arm or ""), []).append(names[claim.name])
        else:
            yield inconclusive_sentence(names[claim.name], claim, rival)
    if lacking:
        undecided = "; ".join("; ".join(claim_names) for claim_names in lacking.values())
        yield (
            f"More than {percent(MOST_MISSING)} of the answers under {', '.join(lacking)} are missing (failed, unread "
            f"or not asked). Inconclusive for that reason: {undecided}."
        )
