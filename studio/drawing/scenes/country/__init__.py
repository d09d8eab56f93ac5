"""The samples that are set in `drawing.country`."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes.country import (
    camping,
    farm,
    fields,
    flowerbeds,
    gardens,
    outings,
    parks,
    sands,
    shore,
    winter,
    zoo,
)
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    **camping.SKETCHES,
    **farm.SKETCHES,
    **fields.SKETCHES,
    **flowerbeds.SKETCHES,
    **gardens.SKETCHES,
    **outings.SKETCHES,
    **parks.SKETCHES,
    **sands.SKETCHES,
    **shore.SKETCHES,
    **winter.SKETCHES,
    **zoo.SKETCHES,
}
