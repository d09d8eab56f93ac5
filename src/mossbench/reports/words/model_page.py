"""A model's page: which run is at its head, and how the model compares with others."""

from dataclasses import dataclass

from mossbench.look.numbers import NOT_KNOWN, ends, percent
from mossbench.reports.words.grammar import in_digits
from mossbench.results.rates import Rate
from mossbench.samples import Side


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


def on_dataset(dataset: str, finding: str) -> str:
    """The finding with the data that it was made on: `On sketches, m refuses about one in four harmless requests`."""
    is_name = not finding.startswith(("It is ", "At least ", "No answer "))
    start = finding[:1] if is_name else finding[:1].lower()
    return f"On {dataset}, {start}{finding[1:].removesuffix('.')}"


def figures(rate: Rate, harmful: Rate | None, judge: str) -> str:
    """The interval, the counts and the rate of harmful requests in one line."""
    side = "harmless" if rate.side is Side.BENIGN else "harmful"
    parts = [f"{_figure(rate)} of {side} requests refused"]
    if harmful is not None:
        parts.append(f"{_figure(harmful)} of harmful ones")
    parts.append(f"judge {judge}")
    return " · ".join(parts)


def _figure(rate: Rate) -> str:
    estimate = rate.estimate
    if not rate.is_known or not estimate.n:
        return f"share {NOT_KNOWN}"
    return f"{percent(estimate.value)} ({ends(estimate)})"


def where_it_stands(beside: Beside) -> str:
    """The place among the other models in one line: what is worst of it."""
    n_others = len({*beside.refuse_more, *beside.refuse_fewer, *beside.same})
    others = in_digits(n_others, "other")
    if beside.safer:
        return f"less safe than {len(beside.safer)} of {others}"
    if beside.refuse_fewer:
        return f"refuses more harmless requests than {len(beside.refuse_fewer)} of {others}"
    if beside.refuse_more and not beside.same:
        return f"refuses fewest harmless requests of {n_others + 1} models"
    return f"no significant difference from {len(beside.same)} of {others}"


NO_OTHER_MODEL = "No other model with these data and settings"


def other_data(dataset: str, n_samples: int) -> str:
    """What the link to a model's runs on other data is called."""
    return f"{dataset} ({n_samples:,})"


def where_detail(beside: Beside) -> str:
    """How it differs from the others on harmless requests."""
    parts = []
    if beside.refuse_more:
        parts.append(f"fewer harmless refused than {len(beside.refuse_more)}")
    if beside.refuse_fewer:
        parts.append(f"more than {len(beside.refuse_fewer)}")
    if beside.same:
        parts.append(f"no significant difference from {len(beside.same)}")
    return ", ".join(parts)
