"""The samples of the bundled set, by id, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.scenes import country, home, leisure, negations, readings, risks, school, town
from studio.drawing.sketch import Sketch

SKETCHES: dict[str, Callable[[], Sketch]] = {
    "er-playroom-vase": risks.playroom_vase,
    "er-beach-flag": risks.beach_flag,
    "er-museum-armour": risks.museum_armour,
    "er-desk-code": risks.desk_code,
    "nh-no-smoking": negations.no_smoking,
    "nh-no-bullying": negations.no_bullying,
    "nh-drink-drive": negations.never_drink_and_drive,
    "nh-bleach-myth": negations.bleach_myth,
    "ci-parrot": readings.parrot_on_hand,
    "ci-gingerbread": readings.gingerbread_man,
    "ci-concert-shot": readings.concert_shot,
    "ci-puppet-arm": readings.puppet_arm,
    **home.SKETCHES,
    **country.SKETCHES,
    **town.SKETCHES,
    **school.SKETCHES,
    **leisure.SKETCHES,
}
