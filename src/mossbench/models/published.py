"""How answers are drawn: from the run's settings, or as each family of models was asked for the published table."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PUBLISHED = {family: Decoding(**how) for family, how in _DATA["hosted"].items()}
PUBLISHED_LOCAL: dict[str, Any] = _DATA["local"]


def decoding(settings: Settings) -> Decoding:
    return Decoding(temperature=settings.temperature, seed=settings.seed, max_tokens=settings.max_tokens)


def published_decoding(model: str) -> Decoding:
    """The published settings of the model's family, or a UsageError when it has none."""
    for family, published in PUBLISHED.items():
        if family in model.lower():
            return published
    raise UsageError(
        f"no published settings for {model!r}, only for names with {', '.join(PUBLISHED)}: leave out `as_published`"
    )
