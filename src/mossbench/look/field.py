"""The layout of a scatter plot of models by two rates: the ends of its axes, and the places of the names.

Across, positions are shares of the width, which may vary; down, they are pixels, so that text keeps its size. A name is
drawn beside its dot if it overlaps no other name and no dot at any width of the drawing. A name without such a place is
only in the table below the plot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEIGHT = 360
"""Pixels from the top to the bottom of the axes."""
LINE = 17
"""Height of a line of small text, in pixels."""
LETTER = 7.1
"""Average width of a letter of small text, in pixels."""
DOT = 7
"""Radius of a dot in pixels, with the space around it."""
MAX_POINTS_IN_LINE_ORDER = 12
"""With more points, the names of the important ones are placed first."""
WIDE = (580, 1160)
"""The least and greatest width of the wide drawing, in pixels."""
NARROW = (240, 660)
"""The least and greatest width of the narrow drawing, in pixels."""
LINE_STEPS_ACROSS = {10: 2, 20: 5, 40: 10, 60: 20, 80: 20, 100: 25}
"""The end of the axis across, in per cent -> per cent between its grid lines."""
LINE_STEPS_DOWN = {75: 5, 50: 10, 0: 25}
"""The lower end of the axis down, in per cent -> per cent between its grid lines."""
_GAP_ON_LINE = 12
"""Pixels from the middle of a dot to a name on the same line."""
_GAP_WITH_LEADER = 18
"""Pixels from the middle of a dot to a name above or below, which a thin line connects with it."""
_LINES_CLEAR_OF_BANDS = 3
"""How many lines above or below its dot a name may be if it covers no interval."""
_LINES_AT_MOST = 8
"""How many lines above or below its dot a name may be if it has to cover an interval."""
_MAX_NAME_SHARE = 0.62
"""Share of the least width that a name may take; longer names are cut."""
_OVERHANG_LEFT = 4
_OVERHANG_RIGHT = 8
_OVERHANG_BELOW = 4
"""Pixels by which a name may leave the drawing on these sides: its margin has room for them."""


@dataclass(frozen=True)
class Box:
    """A rectangle: across, each end is a share of the width and an offset in pixels; down, it is in pixels."""

    left: float
    right: float
    left_offset: float
    right_offset: float
    top: float
    bottom: float

    def is_left_of(self, box: "Box", widths: Sequence[int]) -> bool:
        """Whether it ends before the other box begins, at every width."""
        for width in widths:
            if self.right * width + self.right_offset >= box.left * width + box.left_offset:
                return False
        return True

    def overlaps(self, box: "Box", widths: Sequence[int]) -> bool:
        """Whether two boxes may meet at a width between two `widths`."""
        if self.bottom <= box.top or box.bottom <= self.top:
            return False
        # Both ends are linear in the width: boxes in the same order at both widths do not meet between them.
        return not (self.is_left_of(box, widths) or box.is_left_of(self, widths))


@dataclass(frozen=True)
class Name:
    """A name beside its dot; `dx` and `dy` are pixels from the middle of the dot."""

    text: str
    dx: int
    dy: int
    end: bool
    """Whether the text ends at `dx`, instead of beginning there."""


def top_of(highs: Sequence[float]) -> tuple[int, int]:
    """The least end of the axis across that includes all rates `highs`, and the step of its lines, in per cent."""
    highest = min(max(highs, default=1.0), 1.0)
    top = next(top for top in LINE_STEPS_ACROSS if top / 100 >= highest)
    return top, LINE_STEPS_ACROSS[top]


def bottom_of(lows: Sequence[float]) -> tuple[int, int]:
    """The lower end of an axis up to 100 % that includes all rates `lows`, and the step of its lines, in per cent.

    It is as high as possible: on a whole axis, models that are all safe would crowd at the top.
    """
    for bottom, step in LINE_STEPS_DOWN.items():
        if not any(100 * low < bottom for low in lows):  # NaN, an unknown end, is below nothing
            return bottom, step
    raise ValueError("a rate is below 0")


def place_names(
    points: Sequence[tuple[str, float, float]],
    widths: tuple[int, int],
    first: Sequence[int] = (),
    bands: Sequence[Box] = (),
) -> list[Name | None]:
    """Where each name is drawn; None if there is no place for it.

    `points`: name, share of the width, pixels from the top. `first`: indexes of the important points. `bands`: the
    intervals, which names cover only if there is no other place.
    """
    dots = [Box(x, x, -DOT, DOT, y - DOT, y + DOT) for _, x, y in points]
    taken: list[Box] = []
    names: list[Name | None] = [None] * len(points)
    for i in _naming_order(points, first):
        obstacles = [*taken, *dots[:i], *dots[i + 1 :]]
        place = _free_place(points[i], widths, _LINES_CLEAR_OF_BANDS, [*obstacles, *bands])
        if place is None:
            place = _free_place(points[i], widths, _LINES_AT_MOST, obstacles)
        if place is not None:
            names[i], box = place
            taken.append(box)
    return names


def _naming_order(points: Sequence[tuple[str, float, float]], first: Sequence[int]) -> list[int]:
    """Line by line from the right: names of dots in one line then fan out without crossing each other.

    Among many points, the points in `first` come before the others.
    """
    is_crowded = len(points) > MAX_POINTS_IN_LINE_ORDER

    def order(i: int) -> tuple[bool, float, float]:
        _, x, y = points[i]
        return (is_crowded and i not in first, y // LINE, -x)

    return sorted(range(len(points)), key=order)


def _free_place(
    point: tuple[str, float, float], widths: tuple[int, int], n_lines: int, obstacles: Sequence[Box]
) -> tuple[Name, Box] | None:
    """The nearest place for a name at most `n_lines` from its dot; None if all overlap an obstacle."""
    for name, box in _places(*point, widths, n_lines):
        if not any(box.overlaps(obstacle, widths) for obstacle in obstacles):
            return name, box
    return None


def _places(text: str, x: float, y: float, widths: tuple[int, int], n_lines: int) -> Iterator[tuple[Name, Box]]:
    """The places for a name within the drawing, at most `n_lines` from its dot; the nearest first."""
    text = _shorten(text, int(_MAX_NAME_SHARE * widths[0] / LETTER))
    size = LETTER * len(text)
    for steps in sorted(range(-n_lines, n_lines + 1), key=abs):
        dx = _GAP_ON_LINE if steps == 0 else _GAP_WITH_LEADER
        dy = steps * LINE
        top = y + dy - LINE / 2
        if top <= -LINE or top + LINE >= HEIGHT + _OVERHANG_BELOW:
            continue
        for end in (False, True):
            left = -dx - size if end else dx
            right = left + size
            if _is_within(x, left, right, widths):
                yield Name(text, -dx if end else dx, dy, end), Box(x, x, left, right, top, top + LINE)


def _is_within(x: float, left: float, right: float, widths: tuple[int, int]) -> bool:
    """Whether a text from `left` to `right` of a dot at `x` is within the drawing, at each width."""
    for width in widths:
        if x * width + left <= -_OVERHANG_LEFT or x * width + right >= width + _OVERHANG_RIGHT:
            return False
    return True


def _shorten(text: str, max_letters: int) -> str:
    """The name in at most `max_letters`: without its provider, and cut if that is still too long."""
    if len(text) <= max_letters:
        return text
    name = text.rpartition("/")[2]
    return name if len(name) <= max_letters else f"{name[: max_letters - 1]}…"
