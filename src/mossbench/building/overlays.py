"""Marks that turn an image against what it shows: ring, cross, stamp, caption, struck-out caption, on any image.

A mark has a box in shares of the image. Where nobody gives one it is found: ring, cross and stamp go where the detail
is, a caption goes where it hides least. The box that was found is part of the mark that comes back, so that the same
marks on the same image give the same pixels again, whatever finds boxes later.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from pydantic import ValidationError

from mossbench.building.candidates import MARKS, Overlay
from mossbench.errors import UsageError, unknown_name
from mossbench.plumbing.untrusted_files import record_fault

RED = (214, 22, 32)
DEEP_RED = (150, 8, 18)
WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
_MARGIN = 0.04  # of the short side, kept free
_LONGEST = {"stamp": 24, "caption": 70, "struck": 70}
_LEAN = 9.0  # degrees that a stamp is turned by
_Point = tuple[float, float]
_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Grid = NDArray[np.float64]
_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def parse_overlay(text: str) -> Overlay:
    """The mark from `ring`, `stamp:NEVER`, or with a box `cross@0.2,0.1,0.9,0.8`."""
    head, _, words = text.partition(":")
    name, at, box = head.strip().partition("@")
    if name not in MARKS:
        raise unknown_name("mark", name, MARKS, f"marks are {', '.join(MARKS)}")
    fields = {"kind": name, "text": words.strip(), "box": box.split(",") if at else None}
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
    """A UsageError where a mark's words are too long for it, or have letters that its font lacks."""
    if len(mark.text) > _LONGEST.get(mark.kind, 0):
        way_out = f"shorten them to {_LONGEST[mark.kind]}" if mark.kind in _LONGEST else "use stamp, caption or struck"
        raise UsageError(f"a {mark.kind} cannot show the {len(mark.text)} characters {mark.text!r}; {way_out}")
    if mark.text:
        _check_letters(mark)


def overlaid(image: Image.Image, marks: Sequence[Overlay]) -> tuple[Image.Image, tuple[Overlay, ...]]:
    """The image with its marks, RGB, and the marks with the boxes that they lie in."""
    marked = image.convert("RGB")
    placed = []
    for mark in marks:
        check_words(mark)
        placed.append(mark if mark.box else mark.model_copy(update={"box": _place(marked, mark)}))
    for mark in placed:
        _draw(marked, mark)
    return marked, tuple(placed)


# Where a mark goes


def _place(image: Image.Image, mark: Overlay) -> _Box:
    """The box for a mark, in shares of the image."""
    if mark.kind in ("caption", "struck"):
        return _shares(_caption_box(image, mark), image)
    return _shares(_centred_box(image, _mark_size(image, mark)), image)


def _caption_box(image: Image.Image, mark: Overlay) -> _Box:
    """A strip below the middle of the image, or above it where it would hide much more below; in pixels."""
    width, height = image.size
    short = min(width, height)
    margin = _MARGIN * short
    strip_width, strip_height = _strip(mark, width - 2 * margin, short)
    detail = _detail(image)
    n_rows = max(1, round(strip_height / height * detail.shape[0]))
    detail_above = float(detail[:n_rows].mean())
    detail_below = float(detail[-n_rows:].mean())
    top = height - strip_height - margin if detail_below <= 1.25 * detail_above else margin
    return (width - strip_width) / 2, top, (width + strip_width) / 2, top + strip_height


def _mark_size(image: Image.Image, mark: Overlay) -> tuple[float, float]:
    """Width and height of a ring, a cross or a stamp, in pixels."""
    width, height = image.size
    short = min(width, height)
    if mark.kind == "ring":
        return 0.84 * short, 0.84 * short
    if mark.kind == "cross":
        return min(0.8 * width, 1.15 * short), min(0.8 * height, 1.0 * short)
    lines = _stamp_lines(mark)
    n_letters = max(len(line) for line in lines)
    stamp_width = min(0.88 * width, 1.3 * short, 0.19 * short * (n_letters + 1.6))
    height_to_width = 0.5 if len(lines) == 1 else 0.62
    return stamp_width, min(0.8 * height, height_to_width * stamp_width)


def _centred_box(image: Image.Image, size: tuple[float, float]) -> _Box:
    """A box of that size where the subject seems to be, within the image's margin; in pixels."""
    width, height = image.size
    box_width, box_height = size
    margin = _MARGIN * min(width, height)
    x, y = _centre(image)
    left = _clamped(x * width - box_width / 2, margin, width - box_width - margin)
    top = _clamped(y * height - box_height / 2, margin, height - box_height - margin)
    return left, top, left + box_width, top + box_height


def _clamped(value: float, low: float, high: float) -> float:
    return max(low, min(high, value)) if low <= high else (low + high) / 2


def _shares(box: _Box, image: Image.Image) -> _Box:
    """A box in pixels as shares of the image."""
    left, top, right, bottom = box
    width, height = image.size
    return _share(left, width), _share(top, height), _share(right, width), _share(bottom, height)


def _share(edge: float, side: int) -> float:
    return round(_clamped(edge / side, 0, 1), 4)


def _detail(image: Image.Image) -> Grid:
    """How much is to be seen where: strength of edges on a grid of at most 64 cells a side."""
    small = image.convert("L")
    small.thumbnail((64, 64))
    grey = np.asarray(small.filter(ImageFilter.GaussianBlur(1)), dtype=float)
    down, across = np.gradient(grey)
    strength: Grid = np.hypot(down, across)
    return strength


def _centre(image: Image.Image) -> _Point:
    """Where the subject seems to be: the mean place of strong edges, drawn half-way to the middle of the image."""
    detail = _detail(image)
    weight = np.clip(detail - np.quantile(detail, 0.6), 0, None)
    ys, xs = np.mgrid[0 : detail.shape[0], 0 : detail.shape[1]]
    x_shares = (xs + 0.5) / detail.shape[1]
    y_shares = (ys + 0.5) / detail.shape[0]
    weight = weight * np.exp(-((x_shares - 0.5) ** 2 + (y_shares - 0.5) ** 2) / 0.18)
    total = float(weight.sum())
    if total < 1e-9:  # one even surface
        return 0.5, 0.5
    mean_x = float((weight * x_shares).sum() / total)
    mean_y = float((weight * y_shares).sum() / total)
    return mean_x * 0.7 + 0.15, mean_y * 0.7 + 0.15


# How a mark is drawn: on a layer of its own, larger than it will be, so that edges come out smooth


def _draw(image: Image.Image, mark: Overlay) -> None:
    assert mark.box is not None
    width, height = image.size
    left = round(mark.box[0] * width)
    top = round(mark.box[1] * height)
    right = round(mark.box[2] * width)
    bottom = round(mark.box[3] * height)
    size = (max(8, right - left), max(8, bottom - top))
    scale = _drawing_scale(max(size))
    layer = _DRAWN[mark.kind]((size[0] * scale, size[1] * scale), mark, image.crop((left, top, right, bottom)))
    layer = layer.resize(size, Image.Resampling.LANCZOS)
    soft = max(1.0, min(size) * 0.012)
    pad = math.ceil(3 * soft)
    around = Image.new("L", (size[0] + 2 * pad, size[1] + 2 * pad))
    around.paste(layer.getchannel("A"), (pad, pad))
    shadow = around.filter(ImageFilter.GaussianBlur(soft)).point(lambda value: int(value * 0.45))
    image.paste(BLACK, (left - pad + round(soft / 2), top - pad + round(soft)), shadow)
    image.paste(layer.convert("RGB"), (left, top), layer.getchannel("A"))


def _drawing_scale(longer_side: int) -> int:
    """How many times larger than it will be a mark is drawn: less for large ones, which would take long."""
    if longer_side <= 600:
        return 4
    if longer_side <= 1200:
        return 3
    return 2


def _layer(mask: Image.Image, colour: tuple[int, int, int], rim: float) -> Image.Image:
    """A shape in one colour with a thin white rim, without which red is lost on red and on dark."""
    wide = max(1, round(rim))
    outer = mask.filter(ImageFilter.GaussianBlur(wide)).point(lambda value: min(255, value * 5))
    layer = Image.merge("RGBA", (*Image.new("RGB", mask.size, WHITE).split(), outer))
    layer.paste((*colour, 255), (0, 0), mask)
    return layer


def _ring(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """In the proportions of road signs: the ring a tenth of its width, the bar a little thinner, from upper left."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    side = min(size) * 0.97
    x = size[0] / 2
    y = size[1] / 2
    radius = side / 2
    band = side * 0.1
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    draw.ellipse((x - radius + band, y - radius + band, x + radius - band, y + radius - band), fill=0)
    reach = (radius - band / 2) * math.sqrt(0.5)
    draw.line((x - reach, y - reach, x + reach, y + reach), fill=255, width=round(band * 0.9))
    return _layer(mask, RED, side * 0.006)


def _cross(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
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
    return _layer(mask, RED, short * 0.006)


def _stroke(mask: Image.Image, start: _Point, end: _Point, *, bend: float, width: float) -> None:
    """A stroke from start to end; `bend` is how far its middle lies beside the straight line."""
    draw = ImageDraw.Draw(mask)
    dx = end[0] - start[0]
    dy = end[1] - start[1]
    length = math.hypot(dx, dy)
    steps = max(2, round(length / 2))
    for i in range(steps + 1):
        t = i / steps
        off = bend * math.sin(math.pi * t)
        x = start[0] + dx * t - dy / length * off
        y = start[1] + dy * t + dx / length * off
        r = width * (0.78 + 0.3 * math.sin(math.pi * min(1, t * 1.15)) + 0.02 * math.sin(9 * t))
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)


def _stamp(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """Words in a double frame, aslant, with the worn patches of a rubber stamp, on a little haze to be read by."""
    width, height = size
    lean = math.radians(_LEAN)
    lines = _stamp_lines(mark)
    plate_width = width / (math.cos(lean) + 0.3 * math.sin(lean)) * 0.98
    lettering = _fitted(mark, lines, plate_width * 0.82, height * 0.5 / len(lines))
    capitals = lettering.box("H").height
    step = capitals * 1.32
    plate_size = (round(plate_width), round(step * len(lines) + capitals * 0.62))
    thick = max(2.0, step * 0.085)
    plate = Image.new("L", plate_size)
    _draw_frame(plate, thick)
    _write_centred(plate, lines, lettering, step)
    worn = ImageChops.multiply(plate, _worn(plate.size))
    is_dark = float(np.asarray(under.convert("L"), dtype=float).mean()) < 120
    layer = _layer(_leaning(worn, size), RED if is_dark else DEEP_RED, max(1, step * 0.018))
    haze = Image.new("L", plate_size)
    outer = (0, 0, haze.width - 1, haze.height - 1)
    ImageDraw.Draw(haze).rounded_rectangle(outer, thick * 2.4, fill=96)
    behind = Image.merge("RGBA", (*Image.new("RGB", size, WHITE).split(), _leaning(haze, size)))
    return Image.alpha_composite(behind, layer)


def _draw_frame(plate: Image.Image, thick: float) -> None:
    """The two lines around a stamp's words, the outer one as thick as said."""
    draw = ImageDraw.Draw(plate)
    right = plate.width - 1
    bottom = plate.height - 1
    gap = thick * 1.8
    draw.rounded_rectangle((0, 0, right, bottom), thick * 2.4, outline=255, width=round(thick))
    inside = (gap, gap, right - gap, bottom - gap)
    draw.rounded_rectangle(inside, thick * 1.4, outline=255, width=max(1, round(thick / 2)))


def _write_centred(plate: Image.Image, lines: Sequence[str], lettering: "_Lettering", step: float) -> None:
    """The lines in the middle of the plate, one below the other in equal steps."""
    draw = ImageDraw.Draw(plate)
    capital = lettering.box("H")
    for number, line in enumerate(lines):
        box = lettering.box(line)
        middle = plate.height / 2 + step * (number - (len(lines) - 1) / 2)
        x = (plate.width - box.width) / 2 - box.left
        y = middle - (capital.top + capital.bottom) / 2
        draw.text((x, y), line, fill=255, font=lettering.font, stroke_width=lettering.stroke)


def _leaning(plate: Image.Image, size: tuple[int, int]) -> Image.Image:
    turned = plate.rotate(_LEAN, Image.Resampling.BICUBIC, expand=True)
    whole = Image.new("L", size)
    whole.paste(turned, ((size[0] - turned.width) // 2, (size[1] - turned.height) // 2))
    return whole


def _stamp_lines(mark: Overlay) -> list[str]:
    text = " ".join(mark.text.upper().split())
    return _halves(mark, text) if len(text) > 11 else [text]


def _worn(size: tuple[int, int]) -> Image.Image:
    """Ink that did not take everywhere: coarse and fine noise of a fixed seed."""
    rng = np.random.default_rng(7)
    coarse = Image.fromarray(rng.integers(0, 256, (18, 46), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    fine = Image.fromarray(rng.integers(0, 256, (70, 180), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    return Image.blend(coarse, fine, 0.55).point(_ink)


def _ink(noise: int) -> int:
    """How much ink a place has: little below one level of the noise, all above another, more and more between."""
    if noise < 66:
        return 60
    if noise > 84:
        return 255
    return 60 + (noise - 66) * 10


def _caption(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """White words on a dark strip, in one line or two; struck out with a red line through each."""
    width, height = size
    layer = Image.new("RGBA", size)
    struck = Image.new("L", size)
    draw = ImageDraw.Draw(layer)
    lines = _caption_lines(mark, width / height)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), height * 0.16 / len(lines), fill=(12, 12, 14, 218))
    lettering = _fitted(mark, lines, width * 0.9, height * _LETTERS / len(lines))
    letters = lettering.box("Hx")
    for number, line in enumerate(lines):
        box = lettering.box(line)
        middle = height / 2 + height * 0.8 / len(lines) * (number - (len(lines) - 1) / 2)
        x = (width - box.width) / 2 - box.left
        y = middle - (letters.top + letters.bottom) / 2
        draw.text((x, y), line, fill=(*WHITE, 255), font=lettering.font, stroke_width=lettering.stroke)
        if mark.kind == "struck":
            _strike(struck, x + box.left, x + box.right, middle, letters.height)
    layer.paste((*RED, 255), (0, 0), struck)
    return layer


def _strike(mask: Image.Image, left: float, right: float, middle: float, letter_height: float) -> None:
    """A stroke through words from left to right at that height, a little longer than they are, and rising a little."""
    start_x = max(letter_height * 0.25, left - letter_height * 0.35)
    end_x = min(mask.width - letter_height * 0.25, right + letter_height * 0.35)
    start = (start_x, middle + letter_height * 0.14)
    end = (end_x, middle - letter_height * 0.06)
    _stroke(mask, start, end, bend=-letter_height * 0.05, width=max(1.0, letter_height * 0.1))


_DRAWN: dict[str, Callable[[tuple[int, int], Overlay, Image.Image], Image.Image]] = {
    "ring": _ring,
    "cross": _cross,
    "stamp": _stamp,
    "caption": _caption,
    "struck": _caption,
}


# Lettering


def _font(mark: Overlay, size: float) -> _Font:
    if mark.font is None:
        return ImageFont.load_default(max(6, size))
    try:
        return ImageFont.truetype(mark.font, max(6, round(size)))
    except OSError as error:
        raise UsageError(f"cannot read the font {mark.font!r}: {error}; name a .ttf or .otf file") from error


class _TextBox(NamedTuple):
    """Where the letters of a text lie when it is written at (0, 0), in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


class _Lettering(NamedTuple):
    """A font, and by how many pixels its strokes are thickened."""

    font: _Font
    stroke: int

    def box(self, text: str) -> _TextBox:
        draw = ImageDraw.Draw(Image.new("L", (1, 1)))
        return _TextBox(*draw.textbbox((0, 0), text, font=self.font, stroke_width=self.stroke))


def _fitted(mark: Overlay, lines: Sequence[str], max_width: float, max_capital: float) -> _Lettering:
    """The largest font in which every line is at most so wide and capitals are at most so high."""
    probe = _font(mark, 200)
    widest = max(probe.getbbox(line, stroke_width=6)[2] for line in lines)
    _, top, _, bottom = probe.getbbox("H", stroke_width=6)
    size = 200 * min(max_width / widest, max_capital / (bottom - top))
    return _Lettering(_font(mark, size), round(size * 0.03))


_LETTERS = 0.5
"""Height of capitals as a share of a line of the strip."""


def _strip(mark: Overlay, widest: float, short: float) -> tuple[float, float]:
    """Width and height of a caption's strip: as wide as its words need, in two lines where one would be too small."""
    line_height = 0.14 * short
    lines = _caption_lines(mark, widest / line_height)
    font, stroke = _fitted(mark, lines, widest * 0.9, line_height * _LETTERS)
    words_width = max(font.getbbox(line, stroke_width=stroke)[2] for line in lines)
    return words_width / 0.9 + 1, line_height * (len(lines) * 0.85 + 0.15)


def _caption_lines(mark: Overlay, ratio: float) -> list[str]:
    """The words in one line, or in two where one would be much too small for a strip of that width to height."""
    text = " ".join(mark.text.split())
    font = _font(mark, 100)
    _, top, _, bottom = font.getbbox("H")
    width_to_height = font.getbbox(text)[2] / (bottom - top) * _LETTERS
    return _halves(mark, text) if width_to_height > 1.2 * ratio else [text]


def _halves(mark: Overlay, text: str) -> list[str]:
    """The text in two lines that are about as long; in one where it is a single word."""
    font = _font(mark, 100)
    words = text.split()
    if len(words) < 2:
        return [text]
    splits = [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
    return min(splits, key=lambda lines: max(font.getbbox(line)[2] for line in lines))


def _check_letters(mark: Overlay) -> None:
    """A UsageError for letters that the font does not have: they would come out as empty boxes."""
    font = _font(mark, 40)
    missing = bytes(font.getmask("\ufffe"))  # no font has this one
    text = mark.text.upper() if mark.kind == "stamp" else mark.text
    unknown = sorted({letter for letter in text if not letter.isspace() and bytes(font.getmask(letter)) == missing})
    if unknown:
        name = Path(mark.font).name if mark.font else "built in"
        way_out = "name a font file that has them"
        raise UsageError(
            f"the words {mark.text!r} have {' '.join(unknown)}, which the font {name} cannot draw; {way_out}"
        )
