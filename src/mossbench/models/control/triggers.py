"""Gates: things that make a control refuse and that no stimulus was made to show.

Models with a gate are there to fool analyses: what they refuse looks like a cause where a comparison lets more than one
thing change. What each gate looks at is also what it draws on, as in `planted`.
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
class Gate:
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


GATES = {
    "shy": Gate(lambda sight: sight.seen is not None, words=True, picture=True),
    "discreet": Gate(lambda sight: sight.seen is not None and sight.seen.person, words=True, picture=True),
    "nightblind": Gate(
        lambda sight: sight.picture is not None and _grey(sight.picture) < DARK, words=True, picture=True
    ),
    "impatient": Gate(lambda sight: len(sight.request.split()) > sight.longest, words=True, captions=False),
    "coin": Gate(lambda sight: True, words=True, picture=True),
    "moody": Gate(lambda sight: True),
    "squeamish": Gate(_opposed_harm, picture=True, captions=False),
    "twofaced": Gate(_opposed_harm, picture=True, captions=False),
}
