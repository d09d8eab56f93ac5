"""The samples that are set in `drawing.leisure`."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes.leisure import galleries, gyms, playrooms, sports, theatres, workshops
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    **galleries.SKETCHES,
    **gyms.SKETCHES,
    **playrooms.SKETCHES,
    **sports.SKETCHES,
    **theatres.SKETCHES,
    **workshops.SKETCHES,
}
