"""Changes pictures on purpose, to measure the effect of one thing in them: an empty picture, or one with a box hidden.

The same picture and boxes always give the same pixels. The result is a PNG.
"""

from collections.abc import Iterable
from io import BytesIO
from typing import Literal

from PIL import Image, ImageFilter, ImageStat

from mossbench.errors import ImageError
from mossbench.images.preparing import decoded
from mossbench.samples import Region

BLANK_SIZE = (768, 512)


def blank() -> bytes:
    """A white picture."""
    return _png(Image.new("RGB", BLANK_SIZE, "white"))


def hidden(data: bytes, boxes: Iterable[Region], edit: Literal["blurred", "filled"]) -> bytes:
    """The picture with its boxes blurred beyond recognition, or filled with the colour around them."""
    image = decoded(data).convert("RGB")
    for box in boxes:
        edges = (max(0, box.left), max(0, box.top), min(image.width, box.right), min(image.height, box.bottom))
        left, top, right, bottom = edges
        if left >= right or top >= bottom:
            raise ImageError(
                f"the box {box.left}, {box.top}, {box.right}, {box.bottom} lies outside the image of "
                f"{image.width} x {image.height} pixels; give left, top, right, bottom in its own pixels"
            )
        if edit == "filled":
            image.paste(_colour_around(image, edges), edges)
        else:  # by a third of the box, so that no outline remains
            radius = max(4, min(right - left, bottom - top) // 3)
            image.paste(image.crop(edges).filter(ImageFilter.GaussianBlur(radius)), edges)
    return _png(image)


def _colour_around(image: Image.Image, edges: tuple[int, int, int, int]) -> tuple[int, int, int]:
    """The mean colour of a margin of a tenth around the box."""
    left, top, right, bottom = edges
    margin = max(2, (right - left + bottom - top) // 20)
    outer = (
        max(0, left - margin),
        max(0, top - margin),
        min(image.width, right + margin),
        min(image.height, bottom + margin),
    )
    mask = Image.new("L", image.size, 0)
    mask.paste(255, outer)
    mask.paste(0, edges)
    if not mask.getbbox():  # the box is the whole picture
        return (128, 128, 128)
    red, green, blue = (round(value) for value in ImageStat.Stat(image, mask).mean)
    return (red, green, blue)


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
