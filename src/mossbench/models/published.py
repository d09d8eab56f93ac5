"""How answers are drawn: from the run's settings, or as each family of models was asked for the published table."""

from __future__ import annotations

from dataclasses import dataclass

from mossbench.errors import UsageError
from mossbench.models.model import Settings


@dataclass(frozen=True)
class Decoding:
    """Parameters of one request; None is not sent."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    safety: str | None = None
    """Threshold of Google's filters."""


# By what the model's name contains. The published runs sent no other parameters, Google's top_k of 0 aside, which
# means none. Anthropic's API knows no seed.
PUBLISHED = {
    "gpt": Decoding(temperature=0.0, top_p=1.0, seed=42),
    "claude": Decoding(temperature=0.0, max_tokens=1024),
    "gemini": Decoding(temperature=1.0, top_p=0.95, max_tokens=8192, safety="BLOCK_MEDIUM_AND_ABOVE"),
    "reka": Decoding(temperature=1.0, top_p=0.9, seed=42),
}

# The open models, run through transformers: no sampling, five beams; max_length counts the prompt too.
PUBLISHED_LOCAL = {
    "do_sample": False,
    "num_beams": 5,
    "max_length": 1000,
    "min_length": 10,
    "repetition_penalty": 1.5,
    "length_penalty": 1.0,
}


def decoding(settings: Settings) -> Decoding:
    """The run's own settings."""
    return Decoding(temperature=settings.temperature, seed=settings.seed, max_tokens=settings.max_tokens)


def published_decoding(model: str) -> Decoding:
    """The published settings of the model's family, or a UsageError when it has none."""
    for family, published in PUBLISHED.items():
        if family in model.lower():
            return published
    raise UsageError(
        f"no published settings for {model!r}, only for names with {', '.join(PUBLISHED)}: leave out `as_published`"
    )
