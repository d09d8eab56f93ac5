"""The field: models by two rates in one drawing, per cent across and pixels down, so that text keeps its size.

Each name stands beside its dot where it overlaps no other name and no dot, at every width between two bounds. One for
which there is no such place is left to the table that goes with the drawing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEIGHT = 360
"""Pixels from 0 to 100 % down."""
LINE, LETTER, DOT = 17, 7.1, 7
"""Pixels: of a line of small text, of a letter of it on average, and around the middle of a dot."""
MOST_ALL = 12
"""Points up to which all have a chance of a name; of more those that matter come first."""
WIDE, NARROW = (580, 1160), (240, 660)
"""Between which widths, in pixels, a drawing is shown."""
TOPS = {0.1: 2, 0.2: 5, 0.4: 10, 0.6: 20, 0.8: 20, 1.0: 25}
"""Ends of the axis across, and per cent between its lines."""
BOTTOMS = {75: 5, 50: 10, 0: 25}
"""Beginnings of the axis down, and per cent between its lines."""
Box = tuple[float, float, float, float, float, float]
"""The shares of the width where it begins and ends, pixels beside each of them, top and bottom in pixels."""


@dataclass(frozen=True)
class Name:
    """A name beside its dot, in pixels from its middle."""

    text: str
    dx: int
    dy: int
    end: bool
    """Whether it ends there instead of beginning."""


def top_of(highs: Sequence[float]) -> tuple[int, int]:
    """The end of an axis that has all of these, and the step of its lines, in per cent."""
    top = next(top for top in TOPS if top >= min(max(highs, default=1.0), 1.0))
    return round(100 * top), TOPS[top]


def bottom_of(lows: Sequence[float]) -> tuple[int, int]:
    """The beginning of an axis up to 100 % that has all of these: models that are all safe would crowd at its top."""
    return next((bottom, step) for bottom, step in BOTTOMS.items() if not any(100 * low < bottom for low in lows))


def place_names(
    points: Sequence[tuple[str, float, float]],
    widths: tuple[int, int],
    first: Sequence[int] = (),
    bands: Sequence[Box] = (),
) -> list[Name | None]:
    """A place for each name (name, share of the width, pixels from the top), those of `first` chosen before others."""
    dots = [(x, x, -DOT, DOT, y - DOT, y + DOT) for _, x, y in points]
    taken: list[Box] = []
    found: list[Name | None] = [None] * len(points)
    crowded = len(points) > MOST_ALL
    # From the right: names of dots in one line then fan out without crossing each other.
    for i in sorted(
        range(len(points)), key=lambda i: (crowded and i not in first, points[i][2] // LINE, -points[i][1])
    ):
        others = [*taken, *(dot for j, dot in enumerate(dots) if j != i)]
        for avoided, most in (((*others, *bands), 3), (others, 8)):  # clear of intervals where there is room
            for name, box in _places(*points[i], widths, most):
                if found[i] is None and all(_apart(box, one, widths) for one in avoided):
                    found[i] = name
                    taken.append(box)
    return found


def _places(text: str, x: float, y: float, widths: tuple[int, int], most: int) -> Iterator[tuple[Name, Box]]:
    """Where a name can stand within the drawing, at most so many lines from its dot; the nearest place first."""
    room = int(0.62 * widths[0] / LETTER)
    text = text if len(text) <= room else text.rpartition("/")[2]
    text = text if len(text) <= room else f"{text[: room - 1]}…"
    for steps in sorted(range(-most, most + 1), key=abs):
        for end in (False, True):
            dx, dy, size = 12 if steps == 0 else 18, steps * LINE, LETTER * len(text)
            left, top = -dx - size if end else dx, y + dy - LINE / 2
            inside = all(x * w + left > -4 and x * w + left + size < w + 8 for w in widths)
            if inside and -LINE < top and top + LINE < HEIGHT + 4:
                yield Name(text, -dx if end else dx, dy, end), (x, x, left, left + size, top, top + LINE)


def _apart(one: Box, other: Box, widths: Sequence[int]) -> bool:
    """Whether two boxes do not meet at any width: one above the other, or beside it in the same order at both ends."""
    if one[5] <= other[4] or other[5] <= one[4]:
        return True
    before = all(one[1] * w + one[3] < other[0] * w + other[2] for w in widths)
    return before or all(other[1] * w + other[3] < one[0] * w + one[2] for w in widths)
