"""Claims that are inconclusive because of how answers were read, or because answers are missing."""

from collections.abc import Iterable, Iterator

from mossbench.analyses.claims import Claim, ReadingRival
from mossbench.analyses.misreading import MOST_MISSING
from mossbench.look.numbers import percent, points
from mossbench.reports.words.runs import arm_title


def inconclusive_sentence(name: str, claim: Claim, rival: ReadingRival) -> str:
    """Why the claim with this name is inconclusive."""
    return f"{name}: inconclusive ({points(claim.share)} points as the judge read the answers). {_reason(rival)}"


def _reason(rival: ReadingRival) -> str:
    points_left = f" {points(rival.share)} points are left, which is not significant." if rival.share else ""
    if rival.kind == "same words":
        return (
            "The judge read the same words as a refusal under some requests and as an answer under others. "
            f"Read the same everywhere, as most of them were:{points_left}"
        )
    if rival.kind == "missing":
        return (
            f"Answers are missing (failed, unread, not asked, or asking for an image). Counted against it:{points_left}"
        )
    return (
        "The arms send different requests, and a judge that misses up to "
        f"{percent(rival.missed)} of refusals and reads up to {percent(rival.invented)} of other answers as "
        "refusals, as measured, could turn one refusal rate into these two. Label some answers of both arms to "
        "exclude that."
    )


def inconclusive_sentences(claims: Iterable[Claim], names: dict[str, str]) -> Iterator[str]:
    """A sentence for each claim that the way of reading answers may explain, and one for all with too few answers."""
    names_by_arm: dict[str, list[str]] = {}
    """Claims that rest on an arm with too many missing answers."""
    for claim in claims:
        rival = claim.reading_rival
        if rival is None or not claim.is_lost_to_reading:
            continue
        if rival.kind == "too many missing":
            names_by_arm.setdefault(arm_title(rival.arm or ""), []).append(names[claim.name])
        else:
            yield inconclusive_sentence(names[claim.name], claim, rival)
    if names_by_arm:
        undecided = "; ".join("; ".join(claim_names) for claim_names in names_by_arm.values())
        yield (
            f"More than {percent(MOST_MISSING)} of the answers under {', '.join(names_by_arm)} are missing (failed, "
            f"unread or not asked). Inconclusive for that reason: {undecided}."
        )
