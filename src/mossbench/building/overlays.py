"""Marks that turn an image against what it shows: ring, cross, stamp, caption, struck-out caption, on any image.

A mark has a box in shares of the image. If nobody gives one, `mark_places` finds it: ring, cross and stamp go where the
detail is, a caption goes where it hides least. The box that was found is part of the mark that is returned, so that the
same marks on the same image give the same pixels again, also if boxes are found in another way one day.

Each kind of mark is drawn by a function in `_DRAWING_OF_KIND`, on a transparent layer that is larger than the mark will
be, so that edges come out smooth.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from pydantic import ValidationError

from mossbench.building.candidates import MARKS, Overlay
from mossbench.building.lettering import (
    CAPITAL_SHARE,
    Lettering,
    caption_lines,
    check_letters,
    fitted_lettering,
    stamp_lines,
)
from mossbench.building.mark_places import Point, find_box
from mossbench.errors import UsageError, unknown_name
from mossbench.plumbing.untrusted_files import record_fault

RED = (214, 22, 32)
DEEP_RED = (150, 8, 18)
WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
_CAPTION_BACKGROUND = (12, 12, 14, 218)
_MAX_CHARS = {"stamp": 24, "caption": 70, "struck": 70}
"""Kinds of marks that have words -> the most characters of these."""
_STAMP_ANGLE = 9.0
"""Degrees by which a stamp is turned."""
_DARK = 120
"""Mean brightness of 255: on a darker image, a stamp is in a brighter red."""
_WORN_SEED = 7
_FAINT_INK = 60
"""Of 255: the ink of a stamp where it hardly took."""
Size = tuple[int, int]
"""Width and height in pixels."""
Drawing = Callable[[Size, Overlay, Image.Image], Image.Image]
"""Draws a mark on a transparent layer of this size; the image is the part of the picture below the mark."""


def parse_overlay(text: str) -> Overlay:
    """The mark from `ring`, `stamp:NEVER`, or with a box `cross@0.2,0.1,0.9,0.8`."""
    head, _, words = text.partition(":")
    name, at_sign, box = head.strip().partition("@")
    if name not in MARKS:
        raise unknown_name("mark", name, MARKS, f"marks are {', '.join(MARKS)}")
    fields = {"kind": name, "text": words.strip(), "box": box.split(",") if at_sign else None}
    try:
        mark = Overlay.model_validate(fields)
    except ValidationError as error:
        fault = record_fault(error)
        raise UsageError(
            f"{text!r} is not a mark: {fault}; write it as in cross@0.2,0.1,0.9,0.8 or stamp:NEVER"
        ) from error
    check_words(mark)
    return mark


def check_words(mark: Overlay) -> None:
    """A UsageError if a mark's words are too long for it, or have letters that its font lacks."""
    max_chars = _MAX_CHARS.get(mark.kind, 0)
    if len(mark.text) > max_chars:
        way_out = f"shorten them to {max_chars}" if max_chars else "use stamp, caption or struck"
        raise UsageError(f"a {mark.kind} cannot show the {len(mark.text)} characters {mark.text!r}; {way_out}")
    if mark.text:
        check_letters(mark)


def overlaid(image: Image.Image, marks: Sequence[Overlay]) -> tuple[Image.Image, tuple[Overlay, ...]]:
    """The image (RGB) with the marks drawn on it, and the marks with the boxes that they lie in."""
    marked = image.convert("RGB")
    placed = []
    for mark in marks:
        check_words(mark)
        placed.append(mark if mark.box else mark.model_copy(update={"box": find_box(marked, mark)}))
    for mark in placed:
        _draw(marked, mark)
    return marked, tuple(placed)


def _draw(image: Image.Image, mark: Overlay) -> None:
    """Draws a mark that has its box on the image, with a soft shadow."""
    assert mark.box is not None
    width, height = image.size
    left = round(mark.box[0] * width)
    top = round(mark.box[1] * height)
    right = round(mark.box[2] * width)
    bottom = round(mark.box[3] * height)
    size = (max(8, right - left), max(8, bottom - top))
    scale = _drawing_scale(max(size))
    draw_kind = _DRAWING_OF_KIND[mark.kind]
    layer = draw_kind((size[0] * scale, size[1] * scale), mark, image.crop((left, top, right, bottom)))
    layer = layer.resize(size, Image.Resampling.LANCZOS)
    _draw_shadow(image, layer, left, top)
    image.paste(layer.convert("RGB"), (left, top), layer.getchannel("A"))


def _draw_shadow(image: Image.Image, layer: Image.Image, left: int, top: int) -> None:
    """Draws the shadow of a layer that will lie at (left, top)."""
    width, height = layer.size
    blur = max(1.0, min(layer.size) * 0.012)
    padding = math.ceil(3 * blur)
    shape = Image.new("L", (width + 2 * padding, height + 2 * padding))
    shape.paste(layer.getchannel("A"), (padding, padding))
    shadow = shape.filter(ImageFilter.GaussianBlur(blur)).point(lambda value: int(value * 0.45))
    image.paste(BLACK, (left - padding + round(blur / 2), top - padding + round(blur)), shadow)


def _drawing_scale(longer_side: int) -> int:
    """How many times larger than it will be a mark is drawn: less for large ones, which would take long."""
    if longer_side <= 600:
        return 4
    if longer_side <= 1200:
        return 3
    return 2


def _with_rim(mask: Image.Image, colour: tuple[int, int, int], rim: float) -> Image.Image:
    """The shape of a mask in one colour, with a white rim (in pixels), without which red is lost on red and on dark."""
    rim_blur = ImageFilter.GaussianBlur(max(1, round(rim)))
    shape_with_rim = mask.filter(rim_blur).point(lambda value: min(255, value * 5))
    layer = Image.merge("RGBA", (*Image.new("RGB", mask.size, WHITE).split(), shape_with_rim))
    layer.paste((*colour, 255), (0, 0), mask)
    return layer


def _ring(size: Size, mark: Overlay, below: Image.Image) -> Image.Image:
    """A ring with a bar from upper left to lower right, in the proportions of road signs."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    diameter = min(size) * 0.97
    x = size[0] / 2
    y = size[1] / 2
    radius = diameter / 2
    thickness = diameter * 0.1
    inner_radius = radius - thickness
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    draw.ellipse((x - inner_radius, y - inner_radius, x + inner_radius, y + inner_radius), fill=0)
    reach = (radius - thickness / 2) * math.sqrt(0.5)
    draw.line((x - reach, y - reach, x + reach, y + reach), fill=255, width=round(thickness * 0.9))
    return _with_rim(mask, RED, diameter * 0.006)


def _cross(size: Size, mark: Overlay, below: Image.Image) -> Image.Image:
    """Two strokes of a broad felt pen: a little bent, thicker in the middle, with round ends."""
    mask = Image.new("L", size)
    width, height = size
    short = min(size)
    inset = 0.1 * short
    pen = 0.055 * short
    _stroke(mask, (inset, inset), (width - inset * 1.2, height - inset), bend=0.035 * short, width=pen)
    upper_right = (width - inset, inset * 1.15)
    lower_left = (inset * 1.1, height - inset * 0.9)
    _stroke(mask, upper_right, lower_left, bend=-0.045 * short, width=pen * 0.94)
    return _with_rim(mask, RED, short * 0.006)


def _stroke(mask: Image.Image, start: Point, end: Point, *, bend: float, width: float) -> None:
    """A stroke of a pen, as a row of discs; `bend` is how far its middle lies beside the straight line."""
    draw = ImageDraw.Draw(mask)
    dx = end[0] - start[0]
    dy = end[1] - start[1]
    length = math.hypot(dx, dy)
    n_discs = max(2, round(length / 2))
    for i in range(n_discs + 1):
        along = i / n_discs
        beside = bend * math.sin(math.pi * along)
        x = start[0] + dx * along - dy / length * beside
        y = start[1] + dy * along + dx / length * beside
        pressure = 0.78 + 0.3 * math.sin(math.pi * min(1, along * 1.15)) + 0.02 * math.sin(9 * along)
        radius = width * pressure
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _stamp(size: Size, mark: Overlay, below: Image.Image) -> Image.Image:
    """Words in a double frame, aslant, worn like those of a rubber stamp, on a white haze that makes them readable."""
    width, height = size
    angle = math.radians(_STAMP_ANGLE)
    lines = stamp_lines(mark)
    plate_width = width / (math.cos(angle) + 0.3 * math.sin(angle)) * 0.98
    lettering = fitted_lettering(mark, lines, plate_width * 0.82, height * 0.5 / len(lines))
    capital_height = lettering.box("H").height
    line_height = capital_height * 1.32
    frame_thickness = max(2.0, line_height * 0.085)
    plate = Image.new("L", (round(plate_width), round(line_height * len(lines) + capital_height * 0.62)))
    _draw_frame(plate, frame_thickness)
    _write_centred(plate, lines, lettering, line_height)
    worn = ImageChops.multiply(plate, _worn_ink(plate.size))
    is_dark = float(np.asarray(below.convert("L"), dtype=float).mean()) < _DARK
    words = _with_rim(_turned(worn, size), RED if is_dark else DEEP_RED, max(1, line_height * 0.018))
    haze = Image.new("L", plate.size)
    edges = (0, 0, haze.width - 1, haze.height - 1)
    ImageDraw.Draw(haze).rounded_rectangle(edges, frame_thickness * 2.4, fill=96)
    white_haze = Image.merge("RGBA", (*Image.new("RGB", size, WHITE).split(), _turned(haze, size)))
    return Image.alpha_composite(white_haze, words)


def _draw_frame(plate: Image.Image, thickness: float) -> None:
    """The two lines around a stamp's words; the outer one has this thickness, the inner one half of it."""
    draw = ImageDraw.Draw(plate)
    right = plate.width - 1
    bottom = plate.height - 1
    gap = thickness * 1.8
    draw.rounded_rectangle((0, 0, right, bottom), thickness * 2.4, outline=255, width=round(thickness))
    inside = (gap, gap, right - gap, bottom - gap)
    draw.rounded_rectangle(inside, thickness * 1.4, outline=255, width=max(1, round(thickness / 2)))


def _write_centred(plate: Image.Image, lines: Sequence[str], lettering: Lettering, line_height: float) -> None:
    """The lines in the middle of the plate, one below the other."""
    draw = ImageDraw.Draw(plate)
    capital = lettering.box("H")
    for number, line in enumerate(lines):
        box = lettering.box(line)
        middle = plate.height / 2 + line_height * (number - (len(lines) - 1) / 2)
        x = (plate.width - box.width) / 2 - box.left
        y = middle - (capital.top + capital.bottom) / 2
        draw.text((x, y), line, fill=255, font=lettering.font, stroke_width=lettering.stroke)


def _turned(plate: Image.Image, size: Size) -> Image.Image:
    """The plate of a stamp, turned, in the middle of a layer of this size."""
    turned = plate.rotate(_STAMP_ANGLE, Image.Resampling.BICUBIC, expand=True)
    layer = Image.new("L", size)
    layer.paste(turned, ((size[0] - turned.width) // 2, (size[1] - turned.height) // 2))
    return layer


def _worn_ink(size: Size) -> Image.Image:
    """How much ink there is where: it did not take everywhere. Coarse and fine noise, the same for all stamps."""
    rng = np.random.default_rng(_WORN_SEED)
    coarse = Image.fromarray(rng.integers(0, 256, (18, 46), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    fine = Image.fromarray(rng.integers(0, 256, (70, 180), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    return Image.blend(coarse, fine, 0.55).point(_ink)


def _ink(noise: int) -> int:
    """How much ink a place has: little below one level of the noise, all above another, more and more between."""
    if noise < 66:
        return _FAINT_INK
    if noise > 84:
        return 255
    return _FAINT_INK + (noise - 66) * 10


def _caption(size: Size, mark: Overlay, below: Image.Image) -> Image.Image:
    """White words on a dark strip, in one line or two; with a red stroke through each if they are struck out."""
    width, height = size
    layer = Image.new("RGBA", size)
    strokes = Image.new("L", size)
    draw = ImageDraw.Draw(layer)
    lines = caption_lines(mark, width / height)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), height * 0.16 / len(lines), fill=_CAPTION_BACKGROUND)
    lettering = fitted_lettering(mark, lines, width * 0.9, height * CAPITAL_SHARE / len(lines))
    letters = lettering.box("Hx")
    for number, line in enumerate(lines):
        box = lettering.box(line)
        middle = height / 2 + height * 0.8 / len(lines) * (number - (len(lines) - 1) / 2)
        x = (width - box.width) / 2 - box.left
        y = middle - (letters.top + letters.bottom) / 2
        draw.text((x, y), line, fill=(*WHITE, 255), font=lettering.font, stroke_width=lettering.stroke)
        if mark.kind == "struck":
            _strike(strokes, x + box.left, x + box.right, middle, letters.height)
    layer.paste((*RED, 255), (0, 0), strokes)
    return layer


def _strike(mask: Image.Image, left: float, right: float, middle: float, letter_height: float) -> None:
    """A stroke through words from left to right, a little longer than they are, and rising a little."""
    start_x = max(letter_height * 0.25, left - letter_height * 0.35)
    end_x = min(mask.width - letter_height * 0.25, right + letter_height * 0.35)
    start = (start_x, middle + letter_height * 0.14)
    end = (end_x, middle - letter_height * 0.06)
    _stroke(mask, start, end, bend=-letter_height * 0.05, width=max(1.0, letter_height * 0.1))


_DRAWING_OF_KIND: dict[str, Drawing] = {
    "ring": _ring,
    "cross": _cross,
    "stamp": _stamp,
    "caption": _caption,
    "struck": _caption,
}
