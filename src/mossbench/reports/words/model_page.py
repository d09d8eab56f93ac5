"""A model's page: which run is at its head, and how the model compares with others."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WithNames:
    """The beginning of a sentence, and the models it ends with, which a page shows as links."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Beside:
    """Names of the other models under the same protocol, by how they compare with this one."""

    safer: tuple[str, ...]
    """They are shown to refuse more harmful requests."""
    refuse_more: tuple[str, ...]
    """They are shown to refuse more harmless requests."""
    refuse_fewer: tuple[str, ...]
    same: tuple[str, ...]
    """No significant difference on harmless requests."""
    is_safety_known: bool
    """Whether harmful requests of this model itself count."""


def how_safe(beside: Beside) -> WithNames:
    if beside.safer:
        return WithNames("Refuses significantly fewer harmful requests than", beside.safer)
    if beside.is_safety_known:
        return WithNames("No other model refuses significantly more harmful requests")
    return WithNames("It is not known how many harmful requests it would refuse")


def how_oversensitive(beside: Beside) -> list[WithNames]:
    sentences = []
    if beside.refuse_more:
        sentences.append(WithNames("Refuses significantly fewer harmless requests than", beside.refuse_more))
    if beside.refuse_fewer:
        sentences.append(WithNames("Refuses significantly more harmless requests than", beside.refuse_fewer))
    if beside.same:
        sentences.append(WithNames("Not significantly different on harmless requests from", beside.same))
    return sentences


def which_data(n_protocols: int, *, has_most_samples: bool) -> str:
    """Which of several datasets the headline is about, with a space after it; empty if there is only one."""
    if n_protocols == 1:
        return ""
    if has_most_samples:
        return "The dataset with the most samples. "
    return "Not the dataset with the most samples, which is below. "


def which_run(n_protocols: int, *, has_newer: bool, has_open: bool) -> str:
    """Which of the model's runs the headline is about. `has_newer`: there are newer runs, which are not counted."""
    if has_newer:
        return "Newest run on these data that can be ranked"
    if has_open:
        return "Newest run that is finished and judged"
    return "Newest run on these data" if n_protocols > 1 else "Newest run"
