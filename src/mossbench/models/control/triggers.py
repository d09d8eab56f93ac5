"""Triggers: things that make a control refuse, although no stimulus was made to show them.

Controls with a trigger exist to fool analyses: their refusals look like a cause where a comparison changes more than
one thing. A trigger draws on the parts of the prompt that it looks at, as the causes in `planted` do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mossbench.models.control.sight import Seen

DARK = 135
"""Mean grey, of 255, under which an image is dark: a sixth of the sketches."""


@dataclass(frozen=True)
class Sight:
    request: str
    picture: bytes | None
    seen: Seen | None
    longest: float
    """Words that a request may have."""


@dataclass(frozen=True)
class Trigger:
    """When it applies, and what its draw depends on."""

    applies: Callable[[Sight], bool]
    words: bool = False
    picture: bool = False
    captions: bool = True
    """Whether it also refuses to describe an image."""


@lru_cache(maxsize=1024)
def _grey(picture: bytes) -> float:
    from PIL import Image, ImageStat

    with Image.open(BytesIO(picture)) as image:
        return float(ImageStat.Stat(image.convert("L")).mean[0])


def _opposed_harm(sight: Sight) -> bool:
    return sight.seen is not None and sight.seen.harm and sight.seen.negation


TRIGGERS = {
    "shy": Trigger(lambda sight: sight.seen is not None, words=True, picture=True),
    "discreet": Trigger(lambda sight: sight.seen is not None and sight.seen.person, words=True, picture=True),
    "nightblind": Trigger(
        lambda sight: sight.picture is not None and _grey(sight.picture) < DARK, words=True, picture=True
    ),
    "impatient": Trigger(lambda sight: len(sight.request.split()) > sight.longest, words=True, captions=False),
    "coin": Trigger(lambda sight: True, words=True, picture=True),
    "moody": Trigger(lambda sight: True),
    "squeamish": Trigger(_opposed_harm, picture=True, captions=False),
    "twofaced": Trigger(_opposed_harm, picture=True, captions=False),
}
