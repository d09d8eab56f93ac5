"""Neutral images: pictures of nothing, one for each sample, like the sample's own image in all but what it shows.

A neutral image has the width, height, format and about the number of bytes of the image whose place it takes, so that
a model which goes by any of these treats both alike. What it shows is one of eight kinds, drawn with its colours by a
hash of the sample; faint noise, which no two have in common, brings it to the number of bytes. Pixels follow from the
sample and the size alone. Bytes also depend on the encoder, as those of every image that is written anew do.
"""

import hashlib
import math
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image

from mossbench.images.preparing import JPEG, PNG, WEBP, Limits, Picture, prepare

KINDS = ("near-white", "grey", "colour", "gradient", "noise", "stripes", "checks", "weave")
SIZE = (768, 512)
"""Of a neutral image for a sample that has no image."""
FULL = 0.97
"""Of the bytes of the other image, the share that is aimed at: a little less, so that no limit is passed."""
NEAR = 0.03
"""How far from that share is near enough."""
_TURNS = 12
_FAINT = 2.0
"""Standard deviation of the noise where there is no number of bytes to come to."""
_STRONGEST = 74.0
"""Standard deviation of the noise at most: it then takes every value."""
_QUALITY = 95
Array = Any
"""numpy's ndarray; numpy is imported where it is used."""


def neutral_like(picture: Picture, drawn_for: str) -> Picture:
    """A neutral image in the place of `picture`: its size and format, and its bytes within a twentieth.

    Where even an empty image of that size has more bytes than the picture, as with pictures of a few pixels, it is the
    smallest one.
    """
    canvas = _Canvas(picture.width, picture.height, drawn_for)
    data = _near(canvas, picture.media_type, FULL * len(picture.data))
    return Picture(data, picture.media_type, picture.width, picture.height)


def neutral_alone(limits: Limits, drawn_for: str) -> Picture:
    """A neutral image for a sample that has no image of its own to be like."""
    canvas = _Canvas(*SIZE, drawn_for)
    return prepare(_encoded(canvas.pixels(1.0, _FAINT), PNG), limits)


def kind_of(drawn_for: str) -> str:
    """Which of the kinds is drawn for a sample."""
    return KINDS[_number(drawn_for, "kind") % len(KINDS)]


class _Canvas:
    """What is drawn, before it is known how strong pattern and noise may be."""

    def __init__(self, width: int, height: int, drawn_for: str) -> None:
        import numpy as np

        kind = kind_of(drawn_for)
        self._colour = np.array(_colour(kind, drawn_for), np.float32)
        self._pattern = _pattern(kind, width, height, drawn_for)[:, :, None]
        self._noise = _noise(width, height, "faint", drawn_for)

    def pixels(self, contrast: float, noise: float) -> Array:
        """Rows of RGB pixels, with the pattern at this share of its contrast and noise of this standard deviation."""
        import numpy as np

        values = self._colour + contrast * self._pattern + noise * self._noise
        return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def _near(canvas: _Canvas, media_type: str, target: float) -> bytes:
    """The image as a file of about so many bytes: with weaker patterns where these alone take more, else with noise."""

    def with_noise(noise: float) -> bytes:
        return _encoded(canvas.pixels(1.0, noise), media_type)

    def with_contrast(contrast: float) -> bytes:
        return _encoded(canvas.pixels(contrast, 0.0), media_type)

    if len(with_noise(0.0)) > target * (1 + NEAR):
        weaker = _searched(with_contrast, target, lowest=0.001, start=0.3, highest=1.0)
        return min(weaker, *_one_colour(canvas, media_type), key=lambda data: abs(len(data) - target))
    return _searched(with_noise, target, lowest=0.02, start=2.0, highest=_STRONGEST)


def _searched(encode: Callable[[float], bytes], target: float, *, lowest: float, start: float, highest: float) -> bytes:
    """The file whose number of bytes is nearest to the target; it grows with the strength that `encode` takes."""
    strength = start
    best = b""
    for _ in range(_TURNS):
        data = encode(strength)
        if not best or abs(len(data) - target) < abs(len(best) - target):
            best = data
        if abs(len(data) - target) <= NEAR * target:
            break
        if len(data) > target:
            highest = strength
        else:
            lowest = strength
        strength = math.sqrt(lowest * highest)
    return best


def _one_colour(canvas: _Canvas, media_type: str) -> list[bytes]:
    """The smallest files of that size: all pixels of one colour, as PNG also with a palette of one."""
    pixels = canvas.pixels(0.0, 0.0)
    files = [_encoded(pixels, media_type)]
    if media_type == PNG:
        out = BytesIO()
        Image.fromarray(pixels).quantize(2).save(out, "PNG", optimize=True)
        files.append(out.getvalue())
    return files


def _encoded(pixels: Array, media_type: str) -> bytes:
    """Written as `images.preparing` writes images anew; PNG at its usual compression."""
    image = Image.fromarray(pixels)
    out = BytesIO()
    if media_type == PNG:
        image.save(out, "PNG")
    elif media_type == JPEG:
        image.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    elif media_type == WEBP:
        image.save(out, "WEBP", quality=_QUALITY, method=2)
    else:
        raise ValueError(f"no neutral image can be written as {media_type}; expected PNG, JPEG or WEBP")
    return out.getvalue()


def _colour(kind: str, drawn_for: str) -> tuple[float, float, float]:
    """The colour of the ground, with a tint of its own."""
    red, green, blue = (_share(drawn_for, name) for name in ("red", "green", "blue"))
    if kind == "near-white":
        return 244 + 10 * red, 244 + 10 * green, 244 + 10 * blue
    grey = 100 + 110 * _share(drawn_for, "grey")
    tint = 6.0 if kind == "grey" else 40.0
    return grey + tint * (red - 0.5), grey + tint * (green - 0.5), grey + tint * (blue - 0.5)


def _pattern(kind: str, width: int, height: int, drawn_for: str) -> Array:
    """What is added to every channel, by row and column: nothing for flat kinds.

    Patterns are fine and of little contrast: seen from afar they are one colour.
    """
    import numpy as np

    angle = 2 * math.pi * _share(drawn_for, "angle")
    phase = 2 * math.pi * _share(drawn_for, "phase")
    side = max(width, height)
    waves = 2 * math.pi * (64 + 48 * _share(drawn_for, "waves")) / side
    waves = min(waves, 2 * math.pi / 4)  # at least four pixels long
    x = np.arange(width, dtype=np.float32)[None, :]
    y = np.arange(height, dtype=np.float32)[:, None]
    along = x * math.cos(angle) + y * math.sin(angle)
    across = y * math.cos(angle) - x * math.sin(angle)
    if kind == "gradient":
        return (along - along.mean()) * (40 / side)
    if kind == "stripes":
        return 10 * np.sin(waves * along + phase)
    if kind == "checks":
        return 10 * np.sign(np.sin(waves * x + phase)) * np.sign(np.sin(waves * y + phase))
    if kind == "weave":
        return 6 * (np.sin(waves * along + phase) + np.sin(1.3 * waves * across))
    if kind == "noise":
        coarse = _noise(math.ceil(width / 2), math.ceil(height / 2), "coarse", drawn_for)[:, :, 0]
        return 7 * coarse.repeat(2, axis=0).repeat(2, axis=1)[:height, :width]
    return np.zeros((height, width), np.float32)


def _noise(width: int, height: int, name: str, drawn_for: str) -> Array:
    """Independent noise of standard deviation 1, by row, column and channel."""
    import numpy as np

    drawn = hashlib.shake_256(f"{name}\x00{drawn_for}".encode("utf-8", "surrogatepass")).digest(height * width * 3)
    values = np.frombuffer(drawn, np.uint8).reshape(height, width, 3).astype(np.float32)
    return (values - 127.5) / 73.9


def _share(drawn_for: str, word: str) -> float:
    """A number from 0 to 1 that follows from the sample and the word."""
    return _number(drawn_for, word) / 2**64


def _number(drawn_for: str, word: str) -> int:
    drawn = hashlib.sha256(f"{word}\x00{drawn_for}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(drawn[:8], "big")
