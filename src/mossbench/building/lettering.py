"""The lettering of marks: fonts that fit, and words in one line or two."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from mossbench.building.candidates import Overlay
from mossbench.errors import UsageError

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
CAPITAL_SHARE = 0.5
"""Height of capitals as a share of the height of a line in a caption."""
_MAX_CHARS_OF_STAMP_LINE = 11
"""A longer text of a stamp is in two lines."""
_PROBE_SIZE = 200
"""The size of the font at which texts are measured to find the size that fits."""
_STROKE_SHARE = 0.03
"""Share of the font's size by which strokes are thickened."""


class TextBox(NamedTuple):
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


class Lettering(NamedTuple):
    """A font of one size, with strokes that are thickened a little."""

    font: Font
    stroke: int
    """Pixels by which strokes are thickened."""

    def box(self, text: str) -> TextBox:
        draw = ImageDraw.Draw(Image.new("L", (1, 1)))
        return TextBox(*draw.textbbox((0, 0), text, font=self.font, stroke_width=self.stroke))


def fitted_lettering(mark: Overlay, lines: Sequence[str], max_width: float, max_capital: float) -> Lettering:
    """The largest font in which lines are at most `max_width` wide and capitals at most `max_capital` high."""
    probe = _font(mark, _PROBE_SIZE)
    probe_stroke = round(_PROBE_SIZE * _STROKE_SHARE)
    widest = max(probe.getbbox(line, stroke_width=probe_stroke)[2] for line in lines)
    _, top, _, bottom = probe.getbbox("H", stroke_width=probe_stroke)
    size = _PROBE_SIZE * min(max_width / widest, max_capital / (bottom - top))
    return Lettering(_font(mark, size), round(size * _STROKE_SHARE))


def strip_size(mark: Overlay, max_width: float, shorter_side: float) -> tuple[float, float]:
    """Width and height of a caption's strip on an image with this shorter side: as wide as its words need."""
    line_height = 0.14 * shorter_side
    lines = caption_lines(mark, max_width / line_height)
    font, stroke = fitted_lettering(mark, lines, max_width * 0.9, line_height * CAPITAL_SHARE)
    words_width = max(font.getbbox(line, stroke_width=stroke)[2] for line in lines)
    return words_width / 0.9 + 1, line_height * (len(lines) * 0.85 + 0.15)


def stamp_lines(mark: Overlay) -> list[str]:
    """The words of a stamp in capitals, in one line or two."""
    text = " ".join(mark.text.upper().split())
    return _halves(mark, text) if len(text) > _MAX_CHARS_OF_STAMP_LINE else [text]


def caption_lines(mark: Overlay, strip_ratio: float) -> list[str]:
    """The words of a caption in one line, or in two if one would be small. `strip_ratio`: width to height of a line."""
    text = " ".join(mark.text.split())
    font = _font(mark, 100)
    _, top, _, bottom = font.getbbox("H")
    text_ratio = font.getbbox(text)[2] / (bottom - top) * CAPITAL_SHARE
    return _halves(mark, text) if text_ratio > 1.2 * strip_ratio else [text]


def _halves(mark: Overlay, text: str) -> list[str]:
    """The text in two lines of about the same length; in one if it is a single word."""
    font = _font(mark, 100)
    words = text.split()
    if len(words) < 2:
        return [text]
    splits = [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
    return min(splits, key=lambda lines: max(font.getbbox(line)[2] for line in lines))


def check_letters(mark: Overlay) -> None:
    """A UsageError for letters that the font does not have: they would come out as empty boxes."""
    font = _font(mark, 40)
    empty_box = bytes(font.getmask("\ufffe"))  # no font has this character
    text = mark.text.upper() if mark.kind == "stamp" else mark.text
    letters = {letter for letter in text if not letter.isspace()}
    unknown = sorted(letter for letter in letters if bytes(font.getmask(letter)) == empty_box)
    if unknown:
        name = Path(mark.font).name if mark.font else "built in"
        way_out = "name a font file that has them"
        raise UsageError(
            f"the words {mark.text!r} have {' '.join(unknown)}, which the font {name} cannot draw; {way_out}"
        )


def _font(mark: Overlay, size: float) -> Font:
    """The mark's font file, or the built-in font."""
    if mark.font is None:
        return ImageFont.load_default(max(6, size))
    try:
        return ImageFont.truetype(mark.font, max(6, round(size)))
    except OSError as error:
        raise UsageError(f"cannot read the font {mark.font!r}: {error}; name a .ttf or .otf file") from error
