"""The samples that are set in `drawing.school`."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes.school import (
    computer_rooms,
    laboratories,
    libraries,
    school_days,
    schoolrooms,
    story_corners,
)
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    **computer_rooms.SKETCHES,
    **laboratories.SKETCHES,
    **libraries.SKETCHES,
    **school_days.SKETCHES,
    **schoolrooms.SKETCHES,
    **story_corners.SKETCHES,
}
