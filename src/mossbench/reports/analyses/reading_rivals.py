"""In words: why a claim is inconclusive because of how answers were read, and how those of each arm were."""

from collections.abc import Iterable, Iterator

from mossbench.analyses.claims import Claim, ReadingRival
from mossbench.analyses.misreading import MOST_MISSING, VERY_SHORT, ArmReading
from mossbench.look.numbers import one, percent, points
from mossbench.reports.analyses.section import Table
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
        without = [name for some in lacking.values() for name in some]
        yield (
            f"More than {percent(MOST_MISSING)} of the answers under {', '.join(lacking)} are missing (failed, unread "
            f"or not asked). Inconclusive for that reason: {'; '.join(without)}."
        )


def reading_table(readings: Iterable[ArmReading]) -> Table:
    """How the answers under each arm were read; empty where all were read, none is very short and all are alike."""
    rows = [
        (arm_title(arm.arm), f"{arm.n:,}", *map(one, (arm.missing, arm.unread, arm.very_short, arm.read_differently)))
        for arm in readings
        if arm.missing or arm.very_short or arm.read_differently
    ]
    return Table(
        ("Arm", "Rows", "Missing, %", "Unread, %", "Very short, %", "Same words read differently, %"),
        tuple(rows),
        "How answers were read",
        f"Missing: failed, not asked or unread. Very short: at most {VERY_SHORT} words. Read differently: in words "
        "that were read as a refusal in some rows of the run and not in others. Arms that differ here may differ in "
        "how they were read and not in what was answered: no claim is made that this could explain.",
    )
