"""The three rows of Home, and its titles, notes and links."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mossbench.look.numbers import ends, number_word, percent
from mossbench.reports.words.gates import CHECK_NAMES
from mossbench.reports.words.grammar import in_digits
from mossbench.results.differences import Difference
from mossbench.results.gate_checks import GateCheck
from mossbench.samples import Side
from mossbench.statistics import Estimate

ItemState = Literal["good", "bad", "attention", "quiet"]
SIDES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}


@dataclass(frozen=True)
class HomeItem:
    """A fact in a row: about whom, what, and what it rests on."""

    state: ItemState
    text: str
    detail: str = ""
    name: str = ""
    """The model or run that it is about; empty if it is about none."""
    whole_name: str = ""
    link: str = ""
    may_be_chance: bool = False
    """Whether the page has to say beside it how often such a change is chance."""


@dataclass(frozen=True)
class HomeRow:
    """One of the three rows. The first of its items is shown, the others are folded."""

    id: str
    title: str
    items: Sequence[HomeItem]
    note_on_more: str = ""
    """What is said of the folded items beside their number."""

    @property
    def more(self) -> str:
        """How many items are folded; empty if none is."""
        n = len(self.items) - 1
        return f"{n} more{self.note_on_more}" if n > 0 else ""


def standing_on(dataset: str, n_harmless: int, n_harmful: int, judge: str) -> str:
    """The data and the judge on which the models are compared: `sketches · 120 + 120 samples · judge rules/4`."""
    parts = [dataset]
    sides = [f"{n:,}" for n in (n_harmless, n_harmful) if n]
    if sides:
        parts.append(f"{' + '.join(sides)} samples")
    parts.append(f"judge {judge}")
    return " · ".join(parts)


def leading_title(*, n_ranked: int, is_safety_known: bool) -> str:
    """Nothing is least among one."""
    if n_ranked == 1:
        return "The only model ranked"
    return "Refuses least without being less safe" if is_safety_known else "Refuses fewest harmless requests"


def both_rates(harmless: Estimate, harmful: Estimate | None) -> str:
    """`refuses 5.0 % of harmless, 95.8 % of harmful`, after the name of a model: requests."""
    if harmful is None:
        return f"refuses {percent(harmless.value)} of harmless; of harmful, not known"
    return f"refuses {percent(harmless.value)} of harmless, {percent(harmful.value)} of harmful"


def both_intervals(harmless: Estimate, harmful: Estimate | None) -> str:
    text = f"95 % intervals {ends(harmless)}"
    return f"{text} and {ends(harmful)}" if harmful else text


NOT_DIFFERENT = ", no significant difference"
"""Of models that may refuse as few."""


def changed_points(difference: Difference) -> str:
    """`refuses 22.5 points more harmless`."""
    value = difference.estimate.value
    more_or_fewer = "more" if value > 0 else "fewer"
    return f"refuses {abs(100 * value):.1f} points {more_or_fewer} {SIDES[difference.side]}"


def changed_detail(difference: Difference, others: Sequence[Difference], when: str, *, has_other_settings: bool) -> str:
    """Its interval, changes of the other side, the days of both runs, and whether settings differ."""
    parts = [_interval_of_change(difference)]
    for other in others:
        value = other.estimate.value
        more_or_fewer = "more" if value > 0 else "fewer"
        parts.append(f"{abs(100 * value):.1f} {more_or_fewer} {SIDES[other.side]}")
    parts.append(when)
    if has_other_settings:
        parts.append("other settings")
    return " · ".join(part for part in parts if part)


def _interval_of_change(difference: Difference) -> str:
    """The interval in points of the direction that is named."""
    estimate = difference.estimate
    sign = -100 if estimate.value < 0 else 100
    low, high = sorted((sign * estimate.low, sign * estimate.high))
    return f"{low:z.1f} to {high:z.1f}".replace("-", "−")


def change_is_good(difference: Difference) -> bool:
    """Fewer refusals are better on harmless requests, more on harmful ones."""
    is_more = difference.estimate.value > 0
    return is_more if difference.side is Side.CONTRAST else not is_more


NO_CHANGE = "No significant change"
NO_EARLIER_RUN = "No earlier run to compare with"


def models_compared(n: int) -> str:
    return f"{in_digits(n, 'model')} compared with the run before"


COMPARED_WITH_BEFORE = "compared with the run before, on the same samples"
NOTHING_TO_DO = "Nothing"
NOTHING_DETAIL = "no gate fails, and no run is left out"


def gate_fails(name: str) -> str:
    return f"fails {f'the gate {name}' if name else 'its gate'}"


def gate_undecided(name: str) -> str:
    return f"{f'gate {name}' if name else 'gate'} cannot be decided"


def gate_detail(check: GateCheck) -> str:
    """The limit and what was measured."""
    if check.name == "increase":
        return f"at most {100 * check.limit:g} points more than the baseline allowed"
    bound = "at least" if check.name == "safety" else "at most"
    limit = f"{CHECK_NAMES[check.name]}: {bound} {100 * check.limit:g} % allowed"
    estimate = check.estimate
    if math.isnan(estimate.value):
        return limit
    return f"{limit}, {percent(estimate.value)} ({ends(estimate)}) measured"


def compare_first(n: int) -> str:
    return f"Compare the first {number_word(n)}"


def which_is_best(n_tied: int) -> str:
    """The one-line result of the part on significance."""
    if n_tied:
        return "no significant difference at the front"
    return "what the verdict rests on"


def field_note(protocol: str, *, has_front: bool) -> str:
    """What is drawn."""
    front = "; the line is the Pareto front as measured: no model there is beaten on both sides" if has_front else ""
    return f"{protocol}. The newest finished run of each model under this protocol, with 95 % intervals{front}."


def axis_begins(bottom: int) -> str:
    """Said of the vertical axis if it begins above 0."""
    return f" from {bottom}" if bottom else ""


def other_protocols(n: int) -> str:
    return f"{in_digits(n, 'other protocol')}, not compared with this one"


def n_models(n: int) -> str:
    return in_digits(n, "model")


def all_runs(n: int) -> str:
    """The link to the list of runs."""
    return "The run" if n == 1 else f"All {n} runs"


def changes_line(n_significant: int, n: int) -> str:
    """The one-line result of the table of changes."""
    if n_significant == 0:
        return f"{in_digits(n, 'comparison')}, none significant"
    return f"{n_significant} of {in_digits(n, 'comparison')} significant"


JUDGING_AGAIN = "Runs that an earlier judge has read are being judged again; what changed since them is shown then."
"""In place of what changed, or before it, while the answers of earlier runs are judged."""
