"""Where a mark goes on an image, if nobody says where: on the subject, or where it hides least.

Boxes are in shares of the image; while they are made, they are in pixels.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mossbench.building.candidates import Overlay
from mossbench.building.lettering import stamp_lines, strip_size

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Point = tuple[float, float]
Grid = NDArray[np.float64]
_MARGIN = 0.04
"""Share of the shorter side that is kept free at the edges."""


def find_box(image: Image.Image, mark: Overlay) -> Box:
    """The box for a mark, in shares of the image."""
    if mark.kind in ("caption", "struck"):
        return _shares(_caption_box(image, mark), image)
    return _shares(_centred_box(image, _mark_size(image, mark)), image)


def _caption_box(image: Image.Image, mark: Overlay) -> Box:
    """A strip at the bottom of the image, or at its top if it would hide much more at the bottom; in pixels."""
    width, height = image.size
    shorter_side = min(width, height)
    margin = _MARGIN * shorter_side
    strip_width, strip_height = strip_size(mark, width - 2 * margin, shorter_side)
    detail = _detail(image)
    n_rows = max(1, round(strip_height / height * detail.shape[0]))
    detail_above = float(detail[:n_rows].mean())
    detail_below = float(detail[-n_rows:].mean())
    top = height - strip_height - margin if detail_below <= 1.25 * detail_above else margin
    return (width - strip_width) / 2, top, (width + strip_width) / 2, top + strip_height


def _mark_size(image: Image.Image, mark: Overlay) -> tuple[float, float]:
    """Width and height of a ring, a cross or a stamp, in pixels."""
    width, height = image.size
    shorter_side = min(width, height)
    if mark.kind == "ring":
        return 0.84 * shorter_side, 0.84 * shorter_side
    if mark.kind == "cross":
        return min(0.8 * width, 1.15 * shorter_side), min(0.8 * height, 1.0 * shorter_side)
    lines = stamp_lines(mark)
    n_letters = max(len(line) for line in lines)
    stamp_width = min(0.88 * width, 1.3 * shorter_side, 0.19 * shorter_side * (n_letters + 1.6))
    height_to_width = 0.5 if len(lines) == 1 else 0.62
    return stamp_width, min(0.8 * height, height_to_width * stamp_width)


def _centred_box(image: Image.Image, size: tuple[float, float]) -> Box:
    """A box of this size where the subject seems to be, within the margins of the image; in pixels."""
    width, height = image.size
    box_width, box_height = size
    margin = _MARGIN * min(width, height)
    x, y = _centre(image)
    left = _clamped(x * width - box_width / 2, margin, width - box_width - margin)
    top = _clamped(y * height - box_height / 2, margin, height - box_height - margin)
    return left, top, left + box_width, top + box_height


def _clamped(value: float, low: float, high: float) -> float:
    """The value nearest to it from low to high; if there is none, what lies between them."""
    return max(low, min(high, value)) if low <= high else (low + high) / 2


def _shares(box: Box, image: Image.Image) -> Box:
    """A box in pixels as shares of the image."""
    left, top, right, bottom = box
    width, height = image.size
    return _share(left, width), _share(top, height), _share(right, width), _share(bottom, height)


def _share(edge: float, side: int) -> float:
    """The share of a side at which an edge lies, in pixels from its start."""
    return round(_clamped(edge / side, 0, 1), 4)


def _detail(image: Image.Image) -> Grid:
    """How much there is to see where: the strength of edges, on a grid of 2 to 64 cells a side."""
    small = image.convert("L")
    small.thumbnail((64, 64))
    if min(small.size) < 2:  # a very long image; a gradient needs two cells
        small = small.resize((max(2, small.width), max(2, small.height)))
    grey = np.asarray(small.filter(ImageFilter.GaussianBlur(1)), dtype=float)
    down, across = np.gradient(grey)
    strength: Grid = np.hypot(down, across)
    return strength


def _centre(image: Image.Image) -> Point:
    """Where the subject seems to be: the mean place of strong edges, drawn towards the middle of the image."""
    detail = _detail(image)
    n_rows, n_columns = detail.shape
    ys, xs = np.mgrid[0:n_rows, 0:n_columns]
    x_shares = (xs + 0.5) / n_columns
    y_shares = (ys + 0.5) / n_rows
    nearness_to_middle = np.exp(-((x_shares - 0.5) ** 2 + (y_shares - 0.5) ** 2) / 0.18)
    strong_edges = np.clip(detail - np.quantile(detail, 0.6), 0, None)
    weight = strong_edges * nearness_to_middle
    total = float(weight.sum())
    if total < 1e-9:  # one even surface
        return 0.5, 0.5
    mean_x = float((weight * x_shares).sum() / total)
    mean_y = float((weight * y_shares).sum() / total)
    return mean_x * 0.7 + 0.15, mean_y * 0.7 + 0.15
