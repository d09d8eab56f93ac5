"""Training pictures: parts of the sketches put together anew, with labels that are known because we put them there.

Half of the pictures are a sketch with its props moved, left out and its trigger exchanged; the other half are props of
many sketches on the background of another. No composition is a picture of the set.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance

from studio.training.assets import ANIMALS, SIZE, Parts, Sprite

CELL = 8
CELLS = (-(-SIZE[1] // CELL), SIZE[0] // CELL)
PERSON, ANIMAL, NEGATION = 0, 1, 2
FIRST_THING = 3
"""After the things come the kinds of animal, which the net learns apart."""
UNSURE = -1
_SEEN_PIXELS = 60
"""Visible pixels (at SIZE) from which on a thing is in the picture; fewer, but some, is neither yes nor no."""
_ANIMAL_PIXELS = 120
"""Far birds are specks."""
_SEEN_SHARE = 0.4
_LIKE_ANIMALS = re.compile(
    r"teddy|inflatable|rubber|basket of toys|toy box|children's pictures|picture card|bird table|^booth$|^keeper$|"
    r"mask|monster|butterfly|snail|worms|horse|whale|rabbit|donkey|duck|crab|elephant|ivory|animal|fish\b|"
    r"\b(bears|bee|bug|cat|cow|dogs|owl)\b"
)
"""Toys, pictures, small creatures and a keeper's fish: whether these are animals is neither yes nor no."""
_PAINTED = {
    "nh-bleach-myth": np.s_[208:231, 94:182],
    "nh-no-bullying": np.s_[48:81, 316:374],
    "er-toy-syringe": np.s_[56:97, 312:385],
    "ci-kill-hours": np.s_[42:82, 278:394],
}
"""Backgrounds with an animal on them, and where; nor are these."""

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Composition:
    picture: Array
    """Rows of RGB pixels at SIZE."""
    cells: Array
    """Row, column, class: 1, 0 or UNSURE."""
    labels: Array
    """Class: whether it is in the picture; 1, 0 or UNSURE."""


def compose(all_parts: list[Parts], seed: int, *, harmed: bool = True, animals: float = 0) -> Composition:
    """The composition of that seed; `harmed` also re-encodes, shrinks and tints some of them, as senders do.

    `animals` is the share of compositions that get one more animal.
    """
    rng = np.random.default_rng(seed)
    base = all_parts[rng.integers(len(all_parts))]
    moved = _own(base, rng) if rng.random() < 0.5 else _foreign(all_parts, rng)
    count = rng.choice([0, 1, 2], p=[0.35, 0.4, 0.25]) + (0 if any(s.thing >= 0 for s in moved) else rng.integers(2))
    for _ in range(count):
        parts = all_parts[rng.integers(len(all_parts))]
        moved.append(_moved(_variant(parts, rng), rng, 250, 40, front=rng.random() < 0.7))
    if animals and rng.random() < animals:
        moved.append(_moved(_animal(all_parts, rng), rng, 250, 40, front=rng.random() < 0.7))
    if rng.random() < 0.25:
        moved = [s for s in moved if not s.person]
    sprites = sorted(moved, key=lambda s: s.z)
    picture, owner = _drawn(base, sprites)
    cells, labels = _labels(sprites, owner, FIRST_THING + len(all_parts))
    if base.id in _PAINTED:
        painted = np.zeros_like(owner, bool)
        painted[_PAINTED[base.id]] = owner[_PAINTED[base.id]] == -1
        if painted.any():
            _mark(cells, labels, painted, ANIMAL, False)
    return Composition(_harm(picture, rng) if harmed else picture, cells, labels)


def _own(parts: Parts, rng: np.random.Generator) -> list[Sprite]:
    """The sketch's own props, some left out, some moved, and one variant of its trigger near its place."""
    kept = [s for s in parts.sprites if rng.random() > 0.2]
    placed = [_moved(s, rng, 30, 6) if rng.random() < 0.6 else s for s in kept]
    trigger = _variant(parts, rng)
    return [*placed, _moved(trigger, rng, 20, 6) if rng.random() < 0.7 else trigger]


def _foreign(all_parts: list[Parts], rng: np.random.Generator) -> list[Sprite]:
    """Props of sketches that have nothing to do with each other."""
    out = []
    for _ in range(rng.integers(3, 12)):
        parts = all_parts[rng.integers(len(all_parts))]
        if parts.sprites:
            out.append(_moved(parts.sprites[rng.integers(len(parts.sprites))], rng, 250, 20))
    return out


def _animal(all_parts: list[Parts], rng: np.random.Generator) -> Sprite:
    """Some animal: every kind is as likely, however many of it there are."""
    found = [s for p in all_parts for s in (*p.sprites, *p.variants.values()) if s.animal]
    kind = ANIMALS[rng.integers(len(ANIMALS))]
    some = [s for s in found if s.name == kind]
    return some[rng.integers(len(some))]


def _variant(parts: Parts, rng: np.random.Generator) -> Sprite:
    names = list(parts.variants)
    weights = [0.5, 0.5] if len(names) == 2 else [0.4, 0.3, 0.3]
    return parts.variants[names[rng.choice(len(names), p=weights)]]


def _moved(sprite: Sprite, rng: np.random.Generator, dx: int, dy: int, front: bool = False) -> Sprite:
    """The sprite elsewhere, a little larger or smaller, its feet kept near the ground that it stood on."""
    h, w = sprite.rgba.shape[:2]
    scale = float(np.exp(rng.normal(0, 0.09)))
    new_w, new_h = max(2, round(w * scale)), max(2, round(h * scale))
    image = Image.fromarray(sprite.rgba).resize((new_w, new_h), Image.Resampling.BILINEAR)
    negation = sprite.negation
    if negation is not None:
        negation = np.asarray(Image.fromarray(negation).resize((new_w, new_h), Image.Resampling.NEAREST))
    left = int(np.clip(sprite.left + rng.integers(-dx, dx + 1), -new_w // 4, SIZE[0] - new_w * 3 // 4))
    top = sprite.top + h - new_h + int(rng.integers(-dy, dy + 1))
    return Sprite(
        sprite.name,
        np.asarray(image),
        left,
        top,
        sprite.z + (100 if front else 0),
        sprite.person,
        sprite.animal,
        sprite.thing,
        negation,
        sprite.poster,
    )


def _drawn(base: Parts, sprites: list[Sprite]) -> tuple[Array, Array]:
    """The pixels, and for each the index of the sprite that is seen there; -1 for none."""
    page = Image.fromarray(base.back)
    owner = np.full((SIZE[1], SIZE[0]), -1, np.int16)
    for i, sprite in enumerate(sprites):
        image = Image.fromarray(sprite.rgba)
        page.paste(image, (sprite.left, sprite.top), image)
        place, part = _on_page(sprite)
        owner[place][sprite.rgba[part][..., 3] > 128] = i
    picture = np.asarray(page)
    if base.front is not None:
        black, white = (f.astype(np.float32) for f in base.front)
        gain = (white - black) / 255
        picture = (picture * gain + black).round().clip(0, 255).astype(np.uint8)
        owner[gain.max(-1) < 0.4] = -1
    return picture, owner


def _on_page(sprite: Sprite) -> tuple[Any, Any]:
    """The part of the page that the sprite covers, and the part of the sprite that is on the page."""
    h, w = sprite.rgba.shape[:2]
    y, x = sprite.top, sprite.left
    y0, y1, x0, x1 = max(y, 0), min(y + h, SIZE[1]), max(x, 0), min(x + w, SIZE[0])
    return np.s_[y0 : max(y0, y1), x0 : max(x0, x1)], np.s_[y0 - y : max(y0, y1) - y, x0 - x : max(x0, x1) - x]


def _labels(sprites: list[Sprite], owner: Array, first_kind: int) -> tuple[Array, Array]:
    cells = np.zeros((*CELLS, first_kind + len(ANIMALS)), np.int8)
    labels = np.zeros(first_kind + len(ANIMALS), np.int8)
    for i, sprite in enumerate(sprites):
        mask = owner == i
        seen, area = int(mask.sum()), int((sprite.rgba[..., 3] > 128).sum())
        if not seen:
            continue
        for which in _classes(sprite, first_kind):
            part = _negated(sprite, mask) if which == NEGATION else mask
            least = _ANIMAL_PIXELS if which == ANIMAL or which >= first_kind else _SEEN_PIXELS
            _mark(cells, labels, part, which, seen >= max(least, _SEEN_SHARE * area))
        # a no has no effect where there is a yes
        if sprite.poster:
            _mark(cells, labels, mask, PERSON, False)
        if _LIKE_ANIMALS.search(sprite.name):
            _mark(cells, labels, mask, ANIMAL, False)
    return cells, labels


def _classes(sprite: Sprite, first_kind: int) -> list[int]:
    out = [PERSON] if sprite.person else []
    out += [ANIMAL, first_kind + ANIMALS.index(sprite.name)] if sprite.animal else []
    out += [NEGATION] if sprite.negation is not None else []
    return [*out, FIRST_THING + sprite.thing] if sprite.thing >= 0 else out


def _negated(sprite: Sprite, mask: Array) -> Array:
    """The visible part of the negation mark."""
    assert sprite.negation is not None
    out = np.zeros_like(mask)
    place, part = _on_page(sprite)
    out[place] = sprite.negation[part] > 0
    return out & mask


def _mark(cells: Array, labels: Array, mask: Array, which: int, sure: bool) -> None:
    """Cells that are mostly covered are 1, partly covered ones UNSURE; a sure yes is never taken back."""
    whole = np.zeros((CELLS[0] * CELL, CELLS[1] * CELL), bool)
    whole[: SIZE[1]] = mask
    share = whole.reshape(CELLS[0], CELL, CELLS[1], CELL).mean((1, 3))
    layer = cells[..., which]
    layer[(share > 0.02) & (layer == 0)] = UNSURE
    if sure:
        layer[share > 0.4] = 1
        labels[which] = 1
    elif labels[which] == 0:
        labels[which] = UNSURE


def _harm(picture: Array, rng: np.random.Generator) -> Array:
    image = Image.fromarray(picture)
    if rng.random() < 0.3:
        image = ImageEnhance.Brightness(image).enhance(float(rng.uniform(0.9, 1.1)))
    if rng.random() < 0.35:
        part = float(rng.uniform(0.45, 0.95))
        small = image.resize((round(SIZE[0] * part), round(SIZE[1] * part)), Image.Resampling.BICUBIC)
        image = small.resize(SIZE, Image.Resampling.BILINEAR)
    if rng.random() < 0.4:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=int(rng.integers(35, 96)))
        image = Image.open(io.BytesIO(out.getvalue()))
    return np.asarray(image)
