"""The field: models by two rates in one drawing, per cent across and pixels down, so that text keeps its size.

Each name stands beside its dot where it overlaps no other name and no dot, at every width between two bounds. One for
which there is no such place is left to the table that goes with the drawing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEIGHT = 360
"""Pixels from 0 to 100 % down."""
LINE = 17
"""Height of a line of small text, in pixels."""
LETTER = 7.1
"""Average width of a letter of it, in pixels."""
DOT = 7
"""Pixels from the middle of a dot to its edge."""
MOST_ALL = 12
"""Points up to which all have a chance of a name; of more those that matter come first."""
WIDE = (580, 1160)
"""Between which widths, in pixels, the wide drawing is shown."""
NARROW = (240, 660)
"""Between which widths, in pixels, the narrow one is."""
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
    names: list[Name | None] = [None] * len(points)
    for i in _naming_order(points, first):
        obstacles = [*taken, *dots[:i], *dots[i + 1 :]]
        place = _free_place(points[i], widths, 3, [*obstacles, *bands])
        if place is None:  # no room clear of the intervals
            place = _free_place(points[i], widths, 8, obstacles)
        if place is not None:
            names[i], box = place
            taken.append(box)
    return names


def _naming_order(points: Sequence[tuple[str, float, float]], first: Sequence[int]) -> list[int]:
    """Line by line from the right: names of dots in one line then fan out without crossing each other.

    Among many points those of `first` come before the others.
    """
    is_crowded = len(points) > MOST_ALL

    def order(i: int) -> tuple[bool, float, float]:
        _, x, y = points[i]
        return (is_crowded and i not in first, y // LINE, -x)

    return sorted(range(len(points)), key=order)


def _free_place(
    point: tuple[str, float, float], widths: tuple[int, int], n_lines: int, obstacles: Sequence[Box]
) -> tuple[Name, Box] | None:
    """The nearest place within so many lines of the dot that overlaps no obstacle."""
    for name, box in _places(*point, widths, n_lines):
        if all(_is_apart(box, obstacle, widths) for obstacle in obstacles):
            return name, box
    return None


def _places(text: str, x: float, y: float, widths: tuple[int, int], n_lines: int) -> Iterator[tuple[Name, Box]]:
    """Where a name can stand within the drawing, at most so many lines from its dot; the nearest place first."""
    text = _short_enough(text, int(0.62 * widths[0] / LETTER))
    size = LETTER * len(text)
    for steps in sorted(range(-n_lines, n_lines + 1), key=abs):
        dx = 12 if steps == 0 else 18
        dy = steps * LINE
        top = y + dy - LINE / 2
        if top <= -LINE or top + LINE >= HEIGHT + 4:
            continue
        for end in (False, True):
            left = -dx - size if end else dx
            if all(x * width + left > -4 and x * width + left + size < width + 8 for width in widths):
                yield Name(text, -dx if end else dx, dy, end), (x, x, left, left + size, top, top + LINE)


def _short_enough(text: str, room: int) -> str:
    """The name in at most `room` letters: without its provider, or cut."""
    if len(text) <= room:
        return text
    name = text.rpartition("/")[2]
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _is_apart(box: Box, obstacle: Box, widths: Sequence[int]) -> bool:
    """Whether two boxes do not meet at any width: one above the other, or beside it in the same order at both ends."""
    if box[5] <= obstacle[4] or obstacle[5] <= box[4]:
        return True
    return _is_left_of(box, obstacle, widths) or _is_left_of(obstacle, box, widths)


def _is_left_of(box: Box, obstacle: Box, widths: Sequence[int]) -> bool:
    return all(box[1] * width + box[3] < obstacle[0] * width + obstacle[2] for width in widths)
