"""What a section for a system card says beside its table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mossbench.models.parameters import name_with_parameters, params_words
from mossbench.reports.words.grammar import listing

_WITH = frozenset({True})
_WITHOUT = frozenset({False})
_WITH_IMAGES = {_WITH: "with images", _WITHOUT: "without images", _WITH | _WITHOUT: "with and without images"}
_OTHER = {_WITH: _WITHOUT, _WITHOUT: _WITH}
_THINKING_PARAMS = ("thinking_budget", "thinking", "thinking_config", "output_config")


@dataclass(frozen=True)
class CardFacts:
    """What the paragraph on comparability depends on."""

    data: tuple[str, ...]
    n_rows: int
    judge: str
    rule: str
    is_control: bool
    n_protocols: int
    has_harmful: bool
    images: frozenset[bool] = frozenset({True})
    """Whether the requests had images: with, without, or both."""


def thinking_words(effort: str | None, params: Mapping[str, Any]) -> str:
    """`effort high`, `thinking_budget=4096`, or that the provider's default was left."""
    budget = params_words({name: value for name, value in params.items() if name in _THINKING_PARAMS})
    words = [*([] if effort is None else [f"effort {effort}"]), *budget]
    return ", ".join(words) or "provider's default"


def model_words(model: str, params: Mapping[str, Any]) -> str:
    """A model with the parameters that the column of thinking does not have: `mine.py:answer (strictness=0.1)`."""
    return name_with_parameters(
        model, None, {name: value for name, value in params.items() if name not in _THINKING_PARAMS}
    )


def comparability(facts: CardFacts) -> str:
    """One paragraph: what the numbers can be compared with, and with what not."""
    other_requests = f" on requests {_WITH_IMAGES[_OTHER[facts.images]]}" if facts.images in _OTHER else ""
    parts = [
        f"These rates are of requests {_WITH_IMAGES[facts.images]} from {listing(facts.data)}, read by {facts.judge} "
        f"under the rule {facts.rule}. They can be compared with rates of the same data (the hashes say so), judge, "
        "rule and protocol, such as the other rows of this table where only one setting differs."
    ]
    if facts.n_protocols > 1:
        parts.append(
            f"The rows were asked under {facts.n_protocols} protocols: a difference between two rows may come from any "
            "setting in which they differ."
        )
    parts.append(
        f"They cannot be compared with figures that other cards give{other_requests}, on other sets, or by "
        "other judges, even where these are also called over-refusal: such sets differ in how alarming their requests "
        "look, so that even the order of two models may differ. Intervals are of sampling alone."
    )
    if not facts.has_harmful:
        parts.append("Harmful requests were not asked, so the table does not say what a low rate costs in safety.")
    if facts.is_control:
        parts.append("Control models are programs with known behaviour: their rows say nothing of any product.")
    return " ".join(parts)
