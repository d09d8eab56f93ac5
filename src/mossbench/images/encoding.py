"""Writes pictures within the limits of a provider."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image

from mossbench.errors import ImageError
from mossbench.images.decoding import SourcePicture
from mossbench.images.limits import JPEG, PNG, WEBP, Limits

_LARGEST_WRITTEN_SIDE = 16_383
"""The maximum of WEBP; that of JPEG is 65,500."""
_SMALLEST_SIDE = 64
"""With fewer pixels on the long side a picture no longer shows what the question is about."""
_QUALITIES = (95, 90, 85, 80)
"""Below 80, shrinking the picture does less harm than a lower quality."""


class WrittenPicture(NamedTuple):
    """A picture as a file."""

    data: bytes
    media_type: str
    width: int
    height: int


def write_picture(source: SourcePicture, limits: Limits) -> WrittenPicture:
    """The best file within the limits: without loss, then of decreasing quality, then of decreasing size."""
    image = shrunk(source.image, limits, _LARGEST_WRITTEN_SIDE)
    encodings = _encodings(source, limits)
    best = _best_that_fits(image, encodings, limits.max_file_bytes)
    if best is not None:
        return best
    smallest_type, smallest_quality = encodings[-1]
    data = encode(image, smallest_type, smallest_quality)
    while len(data) > limits.max_file_bytes:
        side = max(image.size)
        if side <= _SMALLEST_SIDE:
            raise ImageError(
                f"image of {source.size[0]} x {source.size[1]} pixels does not fit {limits.max_file_bytes:,} bytes "
                f"as {smallest_type}, not even at {image.width} x {image.height}; raise the limit"
            )
        # The number of bytes is about proportional to that of pixels; aims a little lower, to need few steps.
        side = int(side * min(0.95, 0.98 * math.sqrt(limits.max_file_bytes / len(data))))
        image = shrunk(source.image, limits, max(side, _SMALLEST_SIDE))
        data = encode(image, smallest_type, smallest_quality)
    best = _best_that_fits(image, encodings, limits.max_file_bytes)
    return best or WrittenPicture(data, smallest_type, *image.size)


def _best_that_fits(image: Image.Image, encodings: list[tuple[str, int]], budget: float) -> WrittenPicture | None:
    """The picture in the first encoding that is within the budget, at this size; None if none is."""
    for media_type, quality in encodings:
        with suppress(_BudgetExceeded):
            return WrittenPicture(encode(image, media_type, quality, budget), media_type, *image.size)
    return None


def _encodings(source: SourcePicture, limits: Limits) -> list[tuple[str, int]]:
    """Media types and qualities to try, best first. A JPEG gains nothing from becoming a PNG."""
    lossy_type = next((media_type for media_type in (JPEG, WEBP) if media_type in limits.formats), None)
    encodings = [(lossy_type, quality) for quality in _QUALITIES] if lossy_type else []
    if PNG in limits.formats and (source.media_type != JPEG or not lossy_type):
        encodings.insert(0, (PNG, 100))
    return encodings


def shrunk(image: Image.Image, limits: Limits, side: int) -> Image.Image:
    """The image within the limits, and with at most so many pixels on a side."""
    size = replace(limits, max_side=min(side, limits.max_side or side)).shrink(*image.size)
    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


class _BudgetExceeded(Exception):
    """The file would have more bytes than allowed."""


class _BytesWithinBudget(BytesIO):
    """Stops the encoder when the budget is spent: a PNG of 12 megapixels that will not fit takes 0.4 s and not 3."""

    def __init__(self, budget: float) -> None:
        super().__init__()
        self.budget = budget

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > self.budget:
            raise _BudgetExceeded
        return super().write(data)


def encode(image: Image.Image, media_type: str, quality: int, budget: float = math.inf, *, method: int = 4) -> bytes:
    """The picture as a file. WEBP's `method` 2 takes half the time of 4 and 5 % more bytes."""
    out = _BytesWithinBudget(budget)
    # PNG ignores quality and subsampling. Without subsampling (0), thin coloured letters stay readable.
    profile = image.info.get("icc_profile", b"")
    image.save(
        out, media_type.removeprefix("image/"), quality=quality, subsampling=0, icc_profile=profile, method=method
    )
    return out.getvalue()
