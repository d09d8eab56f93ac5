"""All ready poses on one sheet, with their names: `python -m studio.drawing.catalogue OUT.png`."""

from __future__ import annotations

import sys
from pathlib import Path

from studio.drawing.kit import CORAL, CREAM, INK, NAVY, PLUM, RED, SUN, TEAL, WHITE, lettering, path, put
from studio.drawing.kit import box as rectangle
from studio.drawing.people import person
from studio.drawing.poses import OLD_HAIR, Look
from studio.drawing.scene import as_svg, rasterised
from studio.drawing.stances import STANCES, stance

CELL, COLUMNS, SCALE = (176, 222), 9, 1.0

# fmt: off
LOOKS = (
    Look(height=168, heads=6.2, sex="female", skin="#C98E63", hair="#33201C", style="long", top=TEAL, bottom=NAVY,
         shoes="#5B3A2E"),
    Look(height=178, heads=6.5, sex="male", skin="#F2B48C", hair="#5A3425", extra=("beard",), top="#D98F5A",
         bottom="#4C5A78", shoes="#5B3A2E"),
    Look(height=124, heads=5, sex="male", skin="#8E5838", hair="#241818", style="curls", top=SUN, legs="shorts",
         bottom="#4C6E9C", shoes=RED, sleeve=0.3),
    Look(height=166, heads=6.1, sex="female", skin="#7A4A31", hair="#241818", style="bun", top="#E08A3C", legs="dress",
         dots="#FBE3B0", shoes="#6B3A2E", extra=("earrings",)),
    Look(height=118, heads=4.8, sex="female", skin="#F6C7A4", hair="#9A4B24", style="pigtails", top=PLUM, legs="dress",
         shoes=RED, sleeve=0.3),
    Look(height=170, heads=6.3, sex="male", skin="#6E3F2B", hair=OLD_HAIR, style="bald", extra=("glasses", "wrinkles"),
         top=CREAM, jacket="#7A5A6B", bottom="#5B5560", shoes="#4A3A46", build=1.2, belly=0.4),
    Look(height=160, heads=6.1, sex="female", skin="#F0BE9C", hair=OLD_HAIR, style="bob", extra=("wrinkles",),
         top=CORAL, legs="skirt", bottom="#5B5560", hem=0.6),
    Look(height=88, heads=4.1, skin="#E3A379", hair="#33201C", top=CORAL, stripes=WHITE, bottom=NAVY, shoes=WHITE),
)
# fmt: on


def draw_catalogue(out: Path) -> None:
    """Write the sheet."""
    w, h = CELL[0] * COLUMNS, CELL[1] * -(-len(STANCES) // COLUMNS)
    body = path(rectangle(0, 0, w, h), "#EFE6D4")
    for i, name in enumerate(STANCES):
        figure = person(LOOKS[i % len(LOOKS)], stance(name, 1 if i % 3 else -1))
        x, y = (i % COLUMNS + 0.5) * CELL[0], (i // COLUMNS + 1) * CELL[1] - 24
        body += put(x - figure.w * SCALE / 2, y - figure.h * SCALE, figure.body, SCALE)
        body += lettering(name.replace("_", " "), x, y + 17, 8, INK, CELL[0] - 10)
    out.write_bytes(rasterised(as_svg(body, w, h), w, h))


if __name__ == "__main__":
    draw_catalogue(Path(sys.argv[1]))
