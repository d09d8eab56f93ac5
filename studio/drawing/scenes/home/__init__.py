"""The samples that are set in `drawing.home`."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes.home import (
    bathrooms,
    boutiques,
    breakfasts,
    cafes,
    coffee_bars,
    corner_shops,
    evenings,
    feasts,
    kitchens,
    pastimes,
    shops,
    sitting_rooms,
)
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    **bathrooms.SKETCHES,
    **boutiques.SKETCHES,
    **breakfasts.SKETCHES,
    **cafes.SKETCHES,
    **coffee_bars.SKETCHES,
    **corner_shops.SKETCHES,
    **evenings.SKETCHES,
    **feasts.SKETCHES,
    **kitchens.SKETCHES,
    **pastimes.SKETCHES,
    **shops.SKETCHES,
    **sitting_rooms.SKETCHES,
}
