"""The explorer of samples: captions, and why there is nothing to show."""

from collections.abc import Sequence
from typing import Literal

from mossbench.reports.words.grammar import in_digits

Show = Literal["all", "differ", "only"]
"""Which samples are shown: all, those on which models differ, or those that only one model refused."""
_SHOWN: dict[Show, str] = {"all": "", "differ": " where models differ", "only": " refused by one only"}


def stripes_caption(n: int, side: str, *, is_filtered: bool, has_ids: bool, can_open: bool) -> str:
    """The caption of the drawing of all samples. `has_ids`: each sample has a stripe of its own."""
    if n == 1:
        matching = " that matches the filters" if is_filtered else ""
        return f"One {side} sample{matching}."
    matching = " that match the filters" if is_filtered else ""
    order = "one stripe each" if has_ids else "in their order"
    select = "; select one to open it" if can_open else ""
    return f"All {n:,} {side} samples{matching}, {order}{select}."


def stripes_notes(*, has_frame: bool, has_several_answers: bool) -> str:
    """Notes after the caption. `has_frame`: the stripe of the sample shown below has a frame."""
    notes = ""
    if has_frame:
        notes += " Frame: the sample shown below."
    if has_several_answers:
        notes += " Of several answers to a sample the first is drawn and counted."
    return notes


def place_words(place: int | None, n: int, show: Show, side: str) -> str:
    """The sample's place among the `n` that are shown; `place` counts from 0, None if it is not one of them."""
    if place is None:
        return f"not among the {n} shown · {side}"
    return f"{place + 1} of {n}{_SHOWN[show]} · {side}"


def no_samples(show: Show, side: str, *, is_filtered: bool, n_runs: int, is_against_one: bool) -> str:
    """Why no sample is shown. `is_against_one`: the run is compared with one other run, not with all others."""
    sample = f"No {side} sample that matches the filters" if is_filtered else f"No {side} sample"
    if show == "differ":
        if n_runs < 2:
            return "Choose at least two models to see where they differ."
        return f"{sample} counts as refused for one of these models and as not refused for another."
    if show == "only":
        if n_runs < 2 and not is_against_one:
            return "Choose at least two models to see what one of them alone refused."
        compared_with = "the other" if is_against_one else "all others shown"
        return f"{sample} counts as refused for this model and as not refused for {compared_with}."
    if is_filtered:
        return f"No {side} sample matches all filters."
    return f"This dataset has no {side} samples."


def twin_title(*, is_harmful: bool) -> str:
    return "Harmful twin" if is_harmful else "Harmless twin"


def refused_by(names: Sequence[str], n: int) -> str:
    """How many of the `n` models whose answer counts refused the sample, with the names of one or two."""
    if n == 0:
        return ""
    if not names:
        return "Not refused." if n == 1 else f"Refused by none of {n}."
    return twin_refused_by(names, n)


def twin_refused_by(names: Sequence[str], n: int) -> str:
    """How many of the `n` models whose answer counts refused the twin, with the names of one or two."""
    if n == 0:
        return "No answer of these models to it counts."
    text = f"Refused by {len(names)} of {n}"
    if n > 1 and 0 < len(names) < 3:
        text += f": {', '.join(names)}"
    return f"{text}."


def twin_refused_in(n_refused: int, n: int) -> str:
    """The same on a page of a site, which has runs and not models."""
    if n == 0:
        return "No answer of these models to it counts."
    return f"Refused in {n_refused} of {in_digits(n, 'run')}."
