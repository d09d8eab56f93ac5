"""Marks that turn an image against what it shows: ring, cross, stamp, caption, struck-out caption, on any image.

A mark has a box in shares of the image. Where nobody gives one it is found: ring, cross and stamp go where the detail
is, a caption goes where it hides least. The box that was found is part of the mark that comes back, so that the same
marks on the same image give the same pixels again, whatever finds boxes later.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from pydantic import ValidationError

from mossbench.building.candidates import MARKS, Overlay
from mossbench.errors import UsageError, unknown_name
from mossbench.plumbing.reading import record_fault

RED, DEEP, WHITE, BLACK = (214, 22, 32), (150, 8, 18), (255, 255, 255), (0, 0, 0)
_MARGIN = 0.04  # of the short side, kept free
_LONGEST = {"stamp": 24, "caption": 70, "struck": 70}
_LEAN = 9.0  # degrees that a stamp is turned by
_Point = tuple[float, float]
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
        raise UsageError(f"{text!r} is no mark: {fault}; as in cross@0.2,0.1,0.9,0.8 or stamp:NEVER") from error
    check_words(mark)
    return mark


def check_words(mark: Overlay) -> None:
    """A UsageError where a mark's words are too long for it, or have letters that its font lacks."""
    if len(mark.text) > _LONGEST.get(mark.kind, 0):
        way_out = f"shorten them to {_LONGEST[mark.kind]}" if mark.kind in _LONGEST else "take stamp, caption or struck"
        raise UsageError(f"a {mark.kind} cannot show the {len(mark.text)} characters {mark.text!r}; {way_out}")
    if mark.text:
        _check_letters(mark)


def overlaid(image: Image.Image, marks: Sequence[Overlay]) -> tuple[Image.Image, tuple[Overlay, ...]]:
    """The image with its marks, RGB, and the marks with the boxes that they lie in."""
    image, placed = image.convert("RGB"), []
    for mark in marks:
        check_words(mark)
        placed.append(mark if mark.box else mark.model_copy(update={"box": _place(image, mark)}))
    for mark in placed:
        _draw(image, mark)
    return image, tuple(placed)


# Where a mark goes


def _place(image: Image.Image, mark: Overlay) -> tuple[float, float, float, float]:
    w, h = image.size
    short = min(w, h)
    if mark.kind in ("caption", "struck"):
        wide, high = _strip(mark, w - 2 * _MARGIN * short, short)
        detail = _detail(image)
        rows = max(1, round(high / h * detail.shape[0]))
        low = float(detail[-rows:].mean()) <= 1.25 * float(detail[:rows].mean())  # below, unless it hides much more
        top = h - high - _MARGIN * short if low else _MARGIN * short
        return _shares(((w - wide) / 2, top, (w + wide) / 2, top + high), image)
    x, y = _centre(image)
    if mark.kind == "stamp":
        wide = min(0.88 * w, 1.3 * short, 0.19 * short * (max(map(len, _stamp_lines(mark))) + 1.6))
        size = (wide, min(0.8 * h, (0.5 if len(_stamp_lines(mark)) == 1 else 0.62) * wide))
    elif mark.kind == "ring":
        size = (0.84 * short, 0.84 * short)
    else:
        size = (min(0.8 * w, 1.15 * short), min(0.8 * h, 1.0 * short))
    left = _clamped(x * w - size[0] / 2, _MARGIN * short, w - size[0] - _MARGIN * short)
    top = _clamped(y * h - size[1] / 2, _MARGIN * short, h - size[1] - _MARGIN * short)
    return _shares((left, top, left + size[0], top + size[1]), image)


def _clamped(value: float, low: float, high: float) -> float:
    return max(low, min(high, value)) if low <= high else (low + high) / 2


def _shares(box: tuple[float, float, float, float], image: Image.Image) -> tuple[float, float, float, float]:
    left, top, right, bottom = (
        round(_clamped(edge / side, 0, 1), 4) for edge, side in zip(box, image.size * 2, strict=True)
    )
    return left, top, right, bottom


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
    px, py = (xs + 0.5) / detail.shape[1], (ys + 0.5) / detail.shape[0]
    weight = weight * np.exp(-((px - 0.5) ** 2 + (py - 0.5) ** 2) / 0.18)
    total = float(weight.sum())
    if total < 1e-9:  # one even surface
        return 0.5, 0.5
    return float((weight * px).sum() / total) * 0.7 + 0.15, float((weight * py).sum() / total) * 0.7 + 0.15


# How a mark is drawn: on a layer of its own, larger than it will be, so that edges come out smooth


def _draw(image: Image.Image, mark: Overlay) -> None:
    assert mark.box is not None
    w, h = image.size
    left, top, right, bottom = (round(edge * side) for edge, side in zip(mark.box, (w, h, w, h), strict=True))
    size = max(8, right - left), max(8, bottom - top)
    scale = 4 if max(size) <= 600 else 3 if max(size) <= 1200 else 2
    layer = _DRAWN[mark.kind]((size[0] * scale, size[1] * scale), mark, image.crop((left, top, right, bottom)))
    layer = layer.resize(size, Image.Resampling.LANCZOS)
    soft = max(1.0, min(size) * 0.012)
    pad = math.ceil(3 * soft)
    around = Image.new("L", (size[0] + 2 * pad, size[1] + 2 * pad))
    around.paste(layer.getchannel("A"), (pad, pad))
    shadow = around.filter(ImageFilter.GaussianBlur(soft)).point(lambda value: int(value * 0.45))
    image.paste(BLACK, (left - pad + round(soft / 2), top - pad + round(soft)), shadow)
    image.paste(layer.convert("RGB"), (left, top), layer.getchannel("A"))


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
    (w, h), side = size, min(size) * 0.97
    x, y, r = w / 2, h / 2, side / 2
    band = side * 0.1
    draw.ellipse((x - r, y - r, x + r, y + r), fill=255)
    draw.ellipse((x - r + band, y - r + band, x + r - band, y + r - band), fill=0)
    reach = (r - band / 2) * math.sqrt(0.5)
    draw.line((x - reach, y - reach, x + reach, y + reach), fill=255, width=round(band * 0.9))
    return _layer(mask, RED, side * 0.006)


def _cross(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """Two strokes of a broad felt pen: a little bent, thicker in the middle, with round ends."""
    mask = Image.new("L", size)
    (w, h), u = size, min(size)
    a, b = 0.1 * u, 0.055 * u
    _stroke(mask, (a, a), (w - a * 1.2, h - a), bend=0.035 * u, width=b)
    _stroke(mask, (w - a, a * 1.15), (a * 1.1, h - a * 0.9), bend=-0.045 * u, width=b * 0.94)
    return _layer(mask, RED, u * 0.006)


def _stroke(mask: Image.Image, start: _Point, end: _Point, *, bend: float, width: float) -> None:
    """A stroke from start to end; `bend` is how far its middle lies beside the straight line."""
    draw = ImageDraw.Draw(mask)
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    steps = max(2, round(length / 2))
    for i in range(steps + 1):
        t = i / steps
        off = bend * math.sin(math.pi * t)
        x, y = start[0] + dx * t - dy / length * off, start[1] + dy * t + dx / length * off
        r = width * (0.78 + 0.3 * math.sin(math.pi * min(1, t * 1.15)) + 0.02 * math.sin(9 * t))
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)


def _stamp(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """Words in a double frame, aslant, with the worn patches of a rubber stamp, on a little haze to be read by."""
    (w, h), lean = size, math.radians(_LEAN)
    lines = _stamp_lines(mark)
    wide = w / (math.cos(lean) + 0.3 * math.sin(lean)) * 0.98
    font, bold = _fitted(mark, lines, wide * 0.82, h * 0.5 / len(lines))
    draw = ImageDraw.Draw(Image.new("L", (1, 1)))
    _, top, _, bottom = draw.textbbox((0, 0), "H", font=font, stroke_width=bold)
    step = (bottom - top) * 1.32
    high = step * len(lines) + (bottom - top) * 0.62
    plate, haze = (Image.new("L", (round(wide), round(high))) for _ in range(2))
    draw, edge, thick = ImageDraw.Draw(plate), (plate.width - 1, plate.height - 1), max(2.0, step * 0.085)
    inner = thick * 1.8
    draw.rounded_rectangle((0, 0, *edge), thick * 2.4, outline=255, width=round(thick))
    inside = (inner, inner, edge[0] - inner, edge[1] - inner)
    draw.rounded_rectangle(inside, thick * 1.4, outline=255, width=max(1, round(thick / 2)))
    ImageDraw.Draw(haze).rounded_rectangle((0, 0, *edge), thick * 2.4, fill=96)
    for number, line in enumerate(lines):
        left, _, right, _ = draw.textbbox((0, 0), line, font=font, stroke_width=bold)
        middle = plate.height / 2 + step * (number - (len(lines) - 1) / 2)
        place = (plate.width - (right - left)) / 2 - left, middle - (top + bottom) / 2
        draw.text(place, line, fill=255, font=font, stroke_width=bold)
    plate = ImageChops.multiply(plate, _worn(plate.size))
    dark = float(np.asarray(under.convert("L"), dtype=float).mean()) < 120
    layer = _layer(_leaning(plate, size), RED if dark else DEEP, max(1, step * 0.018))
    behind = Image.merge("RGBA", (*Image.new("RGB", size, WHITE).split(), _leaning(haze, size)))
    return Image.alpha_composite(behind, layer)


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
    mixed = Image.blend(coarse, fine, 0.55)
    return mixed.point(lambda value: 60 if value < 66 else 255 if value > 84 else 60 + (value - 66) * 10)


def _caption(size: tuple[int, int], mark: Overlay, under: Image.Image) -> Image.Image:
    """White words on a dark strip, in one line or two; struck out with a red line through each."""
    w, h = size
    layer, struck = Image.new("RGBA", size), Image.new("L", size)
    draw = ImageDraw.Draw(layer)
    lines = _caption_lines(mark, w / h)
    draw.rounded_rectangle((0, 0, w - 1, h - 1), h * 0.16 / len(lines), fill=(12, 12, 14, 218))
    font, bold = _fitted(mark, lines, w * 0.9, h * _LETTERS / len(lines))
    _, top, _, bottom = draw.textbbox((0, 0), "Hx", font=font, stroke_width=bold)
    tall = bottom - top
    for number, line in enumerate(lines):
        left, _, right, _ = draw.textbbox((0, 0), line, font=font, stroke_width=bold)
        middle = h / 2 + h * 0.8 / len(lines) * (number - (len(lines) - 1) / 2)
        x = (w - (right - left)) / 2 - left
        draw.text((x, middle - (top + bottom) / 2), line, fill=(*WHITE, 255), font=font, stroke_width=bold)
        if mark.kind == "struck":
            ends = max(tall * 0.25, x + left - tall * 0.35), min(w - tall * 0.25, x + right + tall * 0.35)
            start, end = (ends[0], middle + tall * 0.14), (ends[1], middle - tall * 0.06)
            _stroke(struck, start, end, bend=-tall * 0.05, width=max(1.0, tall * 0.1))
    layer.paste((*RED, 255), (0, 0), struck)
    return layer


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


def _fitted(mark: Overlay, lines: Sequence[str], w: float, h: float) -> tuple[_Font, int]:
    """The largest font in which every line is at most so wide and capitals are at most so high, and its boldness."""
    probe = _font(mark, 200)
    widest = max(probe.getbbox(line, stroke_width=6)[2] for line in lines)
    _, top, _, bottom = probe.getbbox("H", stroke_width=6)
    size = 200 * min(w / widest, h / (bottom - top))
    return _font(mark, size), round(size * 0.03)


_LETTERS = 0.5
"""Height of capitals as a share of a line of the strip."""


def _strip(mark: Overlay, widest: float, short: float) -> tuple[float, float]:
    """Width and height of a caption's strip: as wide as its words need, in two lines where one would be too small."""
    line = 0.14 * short
    lines = _caption_lines(mark, widest / line)
    font, bold = _fitted(mark, lines, widest * 0.9, line * _LETTERS)
    return max(font.getbbox(one, stroke_width=bold)[2] for one in lines) / 0.9 + 1, line * (len(lines) * 0.85 + 0.15)


def _caption_lines(mark: Overlay, ratio: float) -> list[str]:
    """The words in one line, or in two where one would be much too small for a strip of that width to height."""
    text = " ".join(mark.text.split())
    font = _font(mark, 100)
    high = font.getbbox("H")[3] - font.getbbox("H")[1]
    return _halves(mark, text) if font.getbbox(text)[2] / high * _LETTERS > 1.2 * ratio else [text]


def _halves(mark: Overlay, text: str) -> list[str]:
    """The text in two lines that are about as long; in one where it is a single word."""
    words, font = text.split(), _font(mark, 100)
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(splits, key=lambda two: max(font.getbbox(part)[2] for part in two))) if splits else [text]


def _check_letters(mark: Overlay) -> None:
    """A UsageError for letters that the font does not have: they would come out as empty boxes."""
    font = _font(mark, 40)
    missing = bytes(font.getmask("\ufffe"))  # no font has this one
    shown = mark.text.upper() if mark.kind == "stamp" else mark.text
    unknown = sorted({letter for letter in shown if not letter.isspace() and bytes(font.getmask(letter)) == missing})
    if unknown:
        name, way_out = Path(mark.font).name if mark.font else "built in", "name a font file that has them"
        raise UsageError(
            f"the words {mark.text!r} have {' '.join(unknown)}, which the font {name} cannot draw; {way_out}"
        )
