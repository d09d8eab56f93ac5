"""The samples that are set in `drawing.town`."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes.town import (
    backrooms,
    booths,
    clinics,
    fairs,
    markets,
    offices,
    pharmacies,
    roads,
    squares,
    stations,
    streets,
)
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    **backrooms.SKETCHES,
    **booths.SKETCHES,
    **clinics.SKETCHES,
    **fairs.SKETCHES,
    **markets.SKETCHES,
    **offices.SKETCHES,
    **pharmacies.SKETCHES,
    **roads.SKETCHES,
    **squares.SKETCHES,
    **stations.SKETCHES,
    **streets.SKETCHES,
}
