"""Neutral images: pictures of nothing, one for each sample, that match the sample's own image except in content.

A neutral image has the width, height, format and about the number of bytes of the image that it replaces, so that a
model that reacts to any of these treats both the same. It shows one of eight kinds of patterns; a hash of the sample
selects kind and colours. Faint noise, different in each image, brings it to the number of bytes. Pixels depend on the
sample and the size alone. Bytes also depend on the encoder, as for every image that is written again.
"""

import hashlib
import math
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image

from mossbench.images.limits import JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import Picture, prepare

KINDS = ("near-white", "grey", "colour", "gradient", "noise", "stripes", "checks", "weave")
SIZE = (768, 512)
"""Size of a neutral image for a sample that has no image."""
FULL = 0.97
"""The number of bytes to aim for, as a share of that of the other image: a little less, so that no limit is passed."""
NEAR = 0.03
"""Tolerance around that number, as a share of it."""
_MAX_STEPS = 12
_FAINT = 2.0
"""Standard deviation of the noise if there is no number of bytes to match."""
_STRONGEST = 74.0
"""Maximum standard deviation of the noise, which then has all values."""
_QUALITY = 95
Array = Any
"""numpy's ndarray; numpy is imported where it is used."""


def neutral_like(picture: Picture, drawn_for: str) -> Picture:
    """A neutral image to replace `picture`: of its size and format, and of its number of bytes within 5 %.

    If even an empty image of that size has more bytes than the picture, as with pictures of a few pixels, it is the
    smallest one.
    """
    canvas = _Canvas(picture.width, picture.height, drawn_for)
    data = _encode_to_size(canvas, picture.media_type, FULL * len(picture.data))
    return Picture(data, picture.media_type, picture.width, picture.height)


def neutral_alone(limits: Limits, drawn_for: str) -> Picture:
    """A neutral image for a sample that has no image of its own."""
    canvas = _Canvas(*SIZE, drawn_for)
    return prepare(_encode(canvas.pixels(1.0, _FAINT), PNG), limits)


def kind_of(drawn_for: str) -> str:
    """Which of the kinds is drawn for a sample."""
    return KINDS[_number(drawn_for, "kind") % len(KINDS)]


class _Canvas:
    """The colour, pattern and noise of a neutral image, of which the last two can be made stronger or weaker."""

    def __init__(self, width: int, height: int, drawn_for: str) -> None:
        import numpy as np

        kind = kind_of(drawn_for)
        self._colour = np.array(_colour(kind, drawn_for), np.float32)
        self._pattern = _pattern(kind, width, height, drawn_for)[:, :, None]
        self._noise = _noise(width, height, "faint", drawn_for)
        self._without_noise: dict[float, Array] = {}
        """The values without noise, by the contrast that was asked for last."""

    def pixels(self, contrast: float, noise: float) -> Array:
        """Rows of RGB pixels, with the pattern at this share of its contrast and noise of this standard deviation."""
        import numpy as np

        if contrast not in self._without_noise:  # the search for the strength of the noise asks for one contrast
            self._without_noise = {contrast: self._colour + contrast * self._pattern}
        values = noise * self._noise
        values += self._without_noise[contrast]
        np.rint(values, out=values)
        np.clip(values, 0, 255, out=values)  # in place: images have millions of values
        return values.astype(np.uint8)


def _encode_to_size(canvas: _Canvas, media_type: str, target: float) -> bytes:
    """The image as a file of about `target` bytes: with more noise, or if it is too large without, a weaker pattern."""

    def with_noise(noise: float) -> bytes:
        return _encode(canvas.pixels(1.0, noise), media_type)

    def with_contrast(contrast: float) -> bytes:
        return _encode(canvas.pixels(contrast, 0.0), media_type)

    is_too_large_without_noise = len(with_noise(0.0)) > target * (1 + NEAR)
    if is_too_large_without_noise:
        weaker = _search_strength(with_contrast, target, lowest=0.001, start=0.3, highest=1.0)
        return min(weaker, *_one_colour(canvas, media_type), key=lambda data: abs(len(data) - target))
    return _search_strength(with_noise, target, lowest=0.02, start=2.0, highest=_STRONGEST)


def _search_strength(
    encode: Callable[[float], bytes], target: float, *, lowest: float, start: float, highest: float
) -> bytes:
    """The file with the number of bytes nearest to the target; files grow with the strength that `encode` takes."""
    strength = start
    best = b""
    for _ in range(_MAX_STEPS):
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
    files = [_encode(pixels, media_type)]
    if media_type == PNG:
        out = BytesIO()
        Image.fromarray(pixels).quantize(2).save(out, "PNG", optimize=True)
        files.append(out.getvalue())
    return files


def _encode(pixels: Array, media_type: str) -> bytes:
    """The pixels as a file, with the settings of `images.preparing`; PNG at its usual compression."""
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
    """The background colour, slightly tinted."""
    red = _share(drawn_for, "red")
    green = _share(drawn_for, "green")
    blue = _share(drawn_for, "blue")
    if kind == "near-white":
        return 244 + 10 * red, 244 + 10 * green, 244 + 10 * blue
    grey = 100 + 110 * _share(drawn_for, "grey")
    tint = 6.0 if kind == "grey" else 40.0
    return grey + tint * (red - 0.5), grey + tint * (green - 0.5), grey + tint * (blue - 0.5)


def _pattern(kind: str, width: int, height: int, drawn_for: str) -> Array:
    """The value that is added to all channels of a pixel, by row and column; 0 for kinds without a pattern.

    Patterns are fine and have little contrast: from a distance they look like one colour.
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
    """A number from 0 to 1 that depends on the sample and the word."""
    return _number(drawn_for, word) / 2**64


def _number(drawn_for: str, word: str) -> int:
    drawn = hashlib.sha256(f"{word}\x00{drawn_for}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(drawn[:8], "big")
