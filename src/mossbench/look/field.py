"""The layout of the plot on Home, models by two rates: the ends of its axes, and the places of the names.

Across, positions are shares of the width, which may vary; down, they are pixels, so that text keeps its size. A name is
drawn beside its dot if it overlaps no other name and no dot at any width of the drawing. A name without such a place is
only in the table below the plot.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Widths(NamedTuple):
    """Between which widths a drawing may be, in pixels."""

    least: int
    greatest: int


class NamedDot(NamedTuple):
    """A dot of the plot, and the name that it should have."""

    name: str
    x: float
    """Share of the width."""
    y: float
    """Pixels from the top."""


class Axis(NamedTuple):
    """The end of an axis that is chosen by what is drawn, and the step of its grid lines, in per cent."""

    end: int
    step: int


HEIGHT = 360
"""Pixels from the top to the bottom of the axes, where a plot says nothing else."""
LINE = 17
"""Height of a line of small text, in pixels."""
LETTER = 7.1
"""Average width of a letter of small text, in pixels."""
DOT = 7
"""Radius of a dot in pixels, with the space around it."""
MAX_DOTS_IN_LINE_ORDER = 12
"""With more dots, the names of the important ones are placed first."""
WIDE = Widths(580, 1160)
NARROW = Widths(240, 660)
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
_MAX_LETTERS = 28
"""Letters of a name, however wide the drawing is: the whole name is shown with the pointer or the focus on its dot."""
_OVERHANG_LEFT = 4
_OVERHANG_RIGHT = 8
_OVERHANG_BELOW = 4
"""Pixels by which a name may leave the drawing on these sides: its margin has room for them."""


@dataclass(frozen=True)
class Box:
    """A rectangle in a drawing of any width."""

    left: float
    """Share of the width, to which `left_offset` is added."""
    right: float
    """Share of the width, to which `right_offset` is added."""
    left_offset: float
    """Pixels."""
    right_offset: float
    """Pixels."""
    top: float
    """Pixels."""
    bottom: float
    """Pixels."""

    def left_at(self, width: int) -> float:
        """The left end in a drawing of this width, in pixels."""
        return self.left * width + self.left_offset

    def right_at(self, width: int) -> float:
        """The right end in a drawing of this width, in pixels."""
        return self.right * width + self.right_offset

    def is_left_of(self, box: "Box", widths: Widths) -> bool:
        """Whether it ends before the other box begins, at every width."""
        return all(self.right_at(width) < box.left_at(width) for width in widths)

    def overlaps(self, box: "Box", widths: Widths) -> bool:
        """Whether the boxes may overlap at some width of the drawing."""
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
    ends_at_dx: bool
    """Whether the text ends at `dx`, instead of beginning there."""


def axis_across(highs: Sequence[float]) -> Axis:
    """The axis from 0 with the least upper end that includes all rates `highs`."""
    highest = min(max(highs, default=1.0), 1.0)
    end = next(end for end in LINE_STEPS_ACROSS if end / 100 >= highest)
    return Axis(end, LINE_STEPS_ACROSS[end])


def axis_down(lows: Sequence[float]) -> Axis:
    """The axis up to 100 % with the highest lower end that includes all rates `lows`.

    On a whole axis, models that are all safe would crowd at the top.
    """
    for end, step in LINE_STEPS_DOWN.items():
        if not any(100 * low < end for low in lows):  # NaN, an unknown end, is below nothing
            return Axis(end, step)
    raise ValueError("a rate is below 0")


def place_names(
    dots: Sequence[NamedDot],
    widths: Widths,
    important: Sequence[int] = (),
    bands: Sequence[Box] = (),
    height: int = HEIGHT,
) -> list[Name | None]:
    """Where each name is drawn; None if there is no place for it.

    Args:
        dots: With the names that they should have.
        widths: Of the drawing.
        important: Indexes of the dots whose names are placed first where there are many.
        bands: The intervals, which names cover only if there is no other place.
        height: Of the drawing.
    """
    dots = _with_short_names(dots, min(_MAX_LETTERS, int(_MAX_NAME_SHARE * widths.least / LETTER)))
    dot_boxes = [Box(dot.x, dot.x, -DOT, DOT, dot.y - DOT, dot.y + DOT) for dot in dots]
    name_boxes: list[Box] = []
    names: list[Name | None] = [None] * len(dots)
    for i in _naming_order(dots, important):
        other_dots = [*dot_boxes[:i], *dot_boxes[i + 1 :]]
        obstacles = [*name_boxes, *other_dots]
        near_places = _places_beside(dots[i], widths, _LINES_CLEAR_OF_BANDS, height)
        place = _free_place(near_places, widths, [*obstacles, *bands])
        if place is None:
            place = _free_place(_places_beside(dots[i], widths, _LINES_AT_MOST, height), widths, obstacles)
        if place is not None:
            names[i] = place.name
            name_boxes.append(place.box)
    return names


class _NamePlace(NamedTuple):
    """A name beside its dot, and the room that it takes."""

    name: Name
    box: Box


def _naming_order(dots: Sequence[NamedDot], important: Sequence[int]) -> list[int]:
    """Line by line from the right: names of dots in one line then fan out without crossing each other.

    Among many dots, the important ones come before the others.
    """
    is_crowded = len(dots) > MAX_DOTS_IN_LINE_ORDER

    def order(i: int) -> tuple[bool, float, float]:
        comes_later = is_crowded and i not in important
        return comes_later, dots[i].y // LINE, -dots[i].x

    return sorted(range(len(dots)), key=order)


def _free_place(places: Iterable[_NamePlace], widths: Widths, obstacles: Sequence[Box]) -> _NamePlace | None:
    """The first of these places that overlaps no obstacle; None if all do."""
    for place in places:
        if not any(place.box.overlaps(obstacle, widths) for obstacle in obstacles):
            return place
    return None


def _places_beside(dot: NamedDot, widths: Widths, n_lines: int, height: int) -> Iterator[_NamePlace]:
    """The places for the name of a dot within the drawing, at most `n_lines` from it; the nearest first."""
    text = dot.name
    size = LETTER * len(text)
    for steps in sorted(range(-n_lines, n_lines + 1), key=abs):
        gap = _GAP_ON_LINE if steps == 0 else _GAP_WITH_LEADER
        dy = steps * LINE
        top = dot.y + dy - LINE / 2
        bottom = top + LINE
        if top <= -LINE or bottom >= height + _OVERHANG_BELOW:
            continue
        to_the_right = _NamePlace(Name(text, gap, dy, False), Box(dot.x, dot.x, gap, gap + size, top, bottom))
        to_the_left = _NamePlace(Name(text, -gap, dy, True), Box(dot.x, dot.x, -gap - size, -gap, top, bottom))
        for place in (to_the_right, to_the_left):
            if _is_within(place.box, widths):
                yield place


def _is_within(box: Box, widths: Widths) -> bool:
    """Whether the box is within the drawing from left to right, at each width."""
    for width in widths:
        if box.left_at(width) <= -_OVERHANG_LEFT or box.right_at(width) >= width + _OVERHANG_RIGHT:
            return False
    return True


def _with_short_names(dots: Sequence[NamedDot], max_letters: int) -> list[NamedDot]:
    """The dots with names in at most `max_letters`; if one of them loses its provider, all do."""
    if any(len(dot.name) > max_letters for dot in dots):
        dots = [dot._replace(name=dot.name.rpartition("/")[2]) for dot in dots]
    return [dot._replace(name=_without_middle(dot.name, max_letters)) for dot in dots]


def _without_middle(name: str, max_letters: int) -> str:
    if len(name) <= max_letters:
        return name
    n_at_end = (max_letters - 1) // 2
    n_at_start = max_letters - 1 - n_at_end
    return f"{name[:n_at_start]}…{name[len(name) - n_at_end :]}"
