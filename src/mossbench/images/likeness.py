"""How an image looks, in a few numbers that stay nearly the same when it is saved again or resized.

The two hashes are those of the package imagehash 4 (`phash` and `dhash`, 64 bits each), so that anyone can check the
figures with it. Both depend on brightness alone; the mean colour distinguishes an image from a recoloured one.

numpy, scipy and Pillow are imported where they are used: commands that look at no image also read the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

_HASH_SIDE = 8
"""A hash has 8 x 8 bits."""
_DCT_SIDE = 32
"""Side of the small image whose lowest frequencies make the perceptual hash."""


@dataclass(frozen=True)
class Likeness:
    """Features of an image that survive saving it in another format or size."""

    perceptual: int
    """64 bits: which of the lowest frequencies are stronger than their median."""
    gradient: int
    """64 bits: where the image gets brighter from left to right."""
    colour: tuple[int, int, int, int]
    """Means of red, green and blue, and of the difference between the strongest and the weakest; 0 to 255 each."""
    width: int
    height: int


def likeness_of(data: bytes) -> Likeness:
    """The likeness of the image in a file; an ImageError if it cannot be read."""
    from mossbench.images.preparing import decoded

    image = decoded(data).convert("RGB")
    grey = image.convert("L")
    return Likeness(
        perceptual=_perceptual(grey),
        gradient=_gradient(grey),
        colour=_colour(image),
        width=image.width,
        height=image.height,
    )


def bits_apart(first: int, second: int) -> int:
    """In how many bits two hashes differ."""
    return (first ^ second).bit_count()


def colours_apart(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> int:
    """The largest difference between the four means of two images (`Likeness.colour`), of 255."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _perceptual(grey: Image.Image) -> int:
    import numpy as np
    from PIL import Image
    from scipy.fft import dct

    small = grey.resize((_DCT_SIDE, _DCT_SIDE), Image.Resampling.LANCZOS)
    frequencies = dct(dct(np.asarray(small, dtype=float), axis=0), axis=1)
    lowest = frequencies[:_HASH_SIDE, :_HASH_SIDE]
    return _as_number(lowest > np.median(lowest))


def _gradient(grey: Image.Image) -> int:
    import numpy as np
    from PIL import Image

    small = grey.resize((_HASH_SIDE + 1, _HASH_SIDE), Image.Resampling.LANCZOS)
    pixels = np.asarray(small, dtype=int)
    return _as_number(pixels[:, 1:] > pixels[:, :-1])


def _as_number(bits: np.ndarray) -> int:
    import numpy as np

    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def _colour(image: Image.Image) -> tuple[int, int, int, int]:
    from PIL import ImageChops, ImageStat

    red, green, blue = image.split()
    strongest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    weakest = ImageChops.darker(ImageChops.darker(red, green), blue)
    spread = ImageChops.subtract(strongest, weakest)
    means = [round(ImageStat.Stat(channel).mean[0]) for channel in (red, green, blue, spread)]
    return means[0], means[1], means[2], means[3]
