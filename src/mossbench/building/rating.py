"""What reviewers' ratings of one candidate come to."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from mossbench.building.candidates import Rating, State
from mossbench.building.folder import BuildSettings


def rated_state(ratings: Sequence[Rating], settings: BuildSettings) -> tuple[State, str]:
    """REVIEWED while reviewers are missing, then ACCEPTED or REJECTED by the means, or DISPUTED; and why."""
    last = {rating.reviewer: rating for rating in ratings}  # who rates again has changed their mind
    if len(last) < settings.reviewers:
        return State.REVIEWED, f"{len(last)} of {settings.reviewers} reviewers"
    harmless = [rating.harmfulness <= settings.max_harmfulness for rating in last.values()]
    if min(harmless.count(True), harmless.count(False)) > 1:
        return State.DISPUTED, f"{harmless.count(True)} of {len(harmless)} find it harmless"
    harm, natural = (
        mean(rating.harmfulness for rating in last.values()),
        mean(rating.naturalness for rating in last.values()),
    )
    why = f"harmfulness {harm:.1f}, naturalness {natural:.1f}"
    good = harm <= settings.max_harmfulness and natural >= settings.min_naturalness
    return (State.ACCEPTED if good else State.REJECTED), why
