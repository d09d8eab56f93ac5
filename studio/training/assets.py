"""The parts that training pictures are put together from: every background and every prop of the sketches, drawn alone.

    mossbench-studio assets build/assets.pickle.gz

Drawn at the size at which controls look at a picture (`sight.SIZE`). A trigger comes in two or three variants: itself,
what stands in its place in the counterfactual picture, and for Negated Harm the same without its negation.
"""

from __future__ import annotations

import argparse
import gzip
import io
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

SIZE = (512, 342)
GROUPS = {"exaggerated_risk": "alarm", "negated_harm": "harm", "counterintuitive": "referent"}
ANIMALS = (
    *("cat", "chick", "crab", "crow", "dog", "duck", "elephant", "giraffe", "goat", "gull", "hedgehog", "hen"),
    *("lying dog", "monkey", "parrot", "pigeon", "rabbit", "robin", "seal", "sheep", "sleeping cat", "sleeping dog"),
    *("sleeping monkey", "squirrel", "three swans"),
)
"""The props that are animals."""
_FILLED = '<rect width="1024" height="683" fill="{}"/>'
Pixels = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Sprite:
    """A prop as RGBA pixels with its place on the page; `thing` is the index of a trigger, -1 for all else."""

    name: str
    rgba: Pixels
    left: int
    top: int
    z: float
    person: bool
    animal: bool
    thing: int = -1
    negation: Pixels | None = None
    """Where the negation mark is, for a Negated Harm trigger that has it."""
    poster: bool = False
    """A poster: somebody may be drawn on it who is not there."""


@dataclass(frozen=True)
class Parts:
    """One sketch in parts. `variants` are the trigger as it is, as it is without harm, and without its negation."""

    id: str
    group: str
    thing: str
    back: Pixels
    front: tuple[Pixels, Pixels] | None
    """What lies over the whole scene (dusk, mist, lamps), drawn over black and over white: every blend in use takes a
    colour to a straight line between the two."""
    sprites: tuple[Sprite, ...]
    variants: dict[str, Sprite]


def load(path: Path) -> list[Parts]:
    """What `write_assets` wrote: our own pickle, made on the spot; never read one from elsewhere."""
    found: list[Parts] = pickle.loads(gzip.decompress(path.read_bytes()))
    return [
        replace(p, variants={k: replace(v, poster=p.group == "harm") for k, v in p.variants.items()}) for p in found
    ]


def parts(name: str, index: int) -> Parts:
    from studio.drawing.scenes import SKETCHES

    sketch = SKETCHES[name]()
    scene, trigger = sketch.scene, sketch.scene.trigger
    label = sketch.samples()[0].triggers[0].label
    sprites = tuple(s for p in scene.placed if not p.trigger and (s := _sprite(scene, p)))
    own = _sprite(scene, trigger)
    assert own is not None
    harmless_scene = scene.swap(sketch.harmless)
    harmless = _sprite(harmless_scene, harmless_scene.trigger)
    assert harmless is not None
    own, poster = replace(own, thing=index), sketch.stimulus == "negated_harm"
    variants = {"own": own, "harmless": harmless}
    if not isinstance(sketch.contrast, str):
        bare_scene = scene.swap(sketch.contrast)
        bare = _sprite(bare_scene, bare_scene.trigger)
        assert bare is not None
        variants["bare"] = replace(bare, thing=index)
        variants["own"] = replace(own, negation=_difference(own, bare))
    variants = {k: replace(v, poster=poster) for k, v in variants.items()}
    front = None
    if over := scene.setting.front:
        front = _page(_FILLED.format("#000") + over)[..., :3], _page(_FILLED.format("#fff") + over)[..., :3]
    back = _page(scene.setting.body)[..., :3]
    return Parts(sketch.id, GROUPS[str(sketch.stimulus)], label, back, front, sprites, variants)


def _page(body: str) -> Pixels:
    """What resvg draws of `body` on a transparent page, RGBA."""
    from studio.drawing.scene import H, W, as_svg, rasterised

    png = rasterised(as_svg(body, W, H), W, H)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA").resize(SIZE, Image.Resampling.BOX))


def _sprite(scene: Any, placed: Any) -> Sprite | None:
    alone = replace(scene, setting=replace(scene.setting, body="", front=""), placed=(placed,))
    svg = alone.svg()
    from studio.drawing.kit import HUMAN
    from studio.drawing.scene import H, W, rasterised

    page = np.asarray(Image.open(io.BytesIO(rasterised(svg, W, H))).convert("RGBA").resize(SIZE, Image.Resampling.BOX))
    rows, columns = np.nonzero(page[..., 3].max(1))[0], np.nonzero(page[..., 3].max(0))[0]
    if not len(rows):
        return None
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    prop = placed.prop
    return Sprite(
        prop.name,
        page[top:bottom, left:right].copy(),
        int(left),
        int(top),
        placed.z,
        HUMAN in prop.shows,
        prop.name in ANIMALS,
    )


def _difference(own: Sprite, bare: Sprite) -> Pixels:
    """Where the trigger with its negation differs from the one without, over the box of the first."""
    page = np.zeros((SIZE[1], SIZE[0], 4), np.int16)
    for sprite, sign in ((own, 1), (bare, -1)):
        h, w = sprite.rgba.shape[:2]
        page[sprite.top : sprite.top + h, sprite.left : sprite.left + w] += sign * sprite.rgba.astype(np.int16)
    h, w = own.rgba.shape[:2]
    box = np.abs(page[own.top : own.top + h, own.left : own.left + w]).max(-1) > 24
    return box.astype(np.uint8)


def main(arguments: list[str]) -> int:
    """Draw the parts of all sketches; the exit status."""
    parser = argparse.ArgumentParser(prog="mossbench-studio assets", description="Draws the parts of all sketches.")
    parser.add_argument("out", type=Path)
    write_assets(parser.parse_args(arguments).out)
    return 0


def write_assets(out: Path) -> None:
    from studio.drawing.kit import require_packages
    from studio.drawing.scenes import SKETCHES

    require_packages()
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(parts, SKETCHES, range(len(SKETCHES))))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(gzip.compress(pickle.dumps(found), 4))
    print(f"{len(found)} sketches, {sum(len(p.sprites) for p in found)} props in {out}")


if __name__ == "__main__":
    from studio.training.assets import main  # under its own name, so that its classes can be read again

    sys.exit(main(sys.argv[1:]))
