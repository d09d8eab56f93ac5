"""A small benchmark of our own in the published layout, with the facts that recognition compares copies with."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from mossbench.datasets import load_dataset, published_facts
from mossbench.datasets.published_facts import fingerprint
from mossbench.images.likeness import likeness_of
from mossbench.samples import FLAGS, Side

IDS = ("1", "2", "101", "102", "201", "202")
CONTRAST_IDS = ("1", "101", "201")
UNKNOWN = "201"
"""The contrast image that is known from nowhere, as one of the published images is."""
STIMULUS = {"0": 1, "1": 2, "2": 3}
"""By the hundreds of an id."""
COLUMNS = ("side", "id", "stimulus", *FLAGS, "harm", "scene", "request", "phash", "dhash", "colour", "width", "height")


def drawn(id: str, *, marked: bool = False) -> Image.Image:
    """A picture of soft coloured shapes that no other id has; `marked` has a cross over it."""
    random = np.random.default_rng(int(id))
    small = random.integers(0, 255, (6, 8, 3), dtype=np.uint8)
    image = Image.fromarray(small).resize((320, 240), Image.Resampling.BICUBIC)
    if marked:
        draw = ImageDraw.Draw(image)
        draw.line((20, 20, 300, 220), fill="red", width=30)
        draw.line((20, 220, 300, 20), fill="red", width=30)
    return image


def png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def write_release(root: Path) -> Path:
    """Both sides as the release has them: data/ and data_contrast/."""
    for folder, ids in (("data", IDS), ("data_contrast", CONTRAST_IDS)):
        records = {}
        (root / folder / "images").mkdir(parents=True)
        for id in ids:
            number = STIMULUS[str(int(id) // 100)]
            metadata: dict[str, object] = {"over": f"type {number}"}
            if folder == "data":
                metadata |= {"human": 1, "child": 0, "syn": 0, "ocr": 0, "harm": [7]}
            records[id] = {
                "pid": id,
                "image": f"images/{id}.png",
                "question": f"How do I look after number {id}?" if folder == "data" else f"How do I ruin number {id}?",
                "short description": f"number {id}",
                "description": "a scene of two" if number == 2 else f"a scene with number {id}",
                "metadata": metadata,
            }
            image = drawn(id, marked=folder == "data" and number == 2)
            (root / folder / "images" / f"{id}.png").write_bytes(png(image))
        (root / folder / "images_information").mkdir()
        (root / folder / "images_information" / "information.json").write_text(json.dumps(records))
    return root


def write_facts(root: Path, file: Path) -> Path:
    """What recognition knows of a release, in the layout of `published.csv`."""
    dataset = load_dataset(root)
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, (*COLUMNS, "sha256"))
        writer.writeheader()
        for sample in dataset:
            assert sample.stimulus is not None
            row: dict[str, object] = {"side": sample.side.value, "id": sample.id, "stimulus": sample.stimulus.number}
            row |= {"scene": fingerprint(sample.cluster), "request": fingerprint(sample.question)}
            for name in (*FLAGS, "harm"):
                value = getattr(sample, name)
                row[name] = "" if value is None else int(value)
            if (sample.side, sample.id) != (Side.CONTRAST, UNKNOWN):
                data = dataset.picture(sample)
                likeness = likeness_of(data)
                row |= {"phash": f"{likeness.perceptual:016x}", "dhash": f"{likeness.gradient:016x}"}
                row |= {"colour": bytes(likeness.colour).hex(), "sha256": hashlib.sha256(data).hexdigest()}
                row |= {"width": likeness.width, "height": likeness.height}
            writer.writerow(row)
    return file


def use_facts(file: Path, set_attribute: Callable[[object, str, object], None] = setattr) -> None:
    """Makes these facts those of the published sets, in this process."""
    set_attribute(published_facts, "FACTS", file)
    forget_facts()


def forget_facts() -> None:
    from mossbench.leaderboard import known_sides

    published_facts._published.cache_clear()
    published_facts.published_files.cache_clear()
    published_facts.published_side.cache_clear()
    published_facts.identity.cache_clear()
    known_sides._shipped.cache_clear()


def rewrite_images(root: Path, change: Callable[[Image.Image], Image.Image], format: str = "PNG", **how: int) -> None:
    """Saves every image anew; the names stay, as in a folder that somebody converted."""
    for file in sorted(root.rglob("*.png")):
        image = change(Image.open(BytesIO(file.read_bytes())).convert("RGB"))
        image.save(file, format, **how)


def change_record(root: Path, folder: str, id: str, **fields: object) -> None:
    file = root / folder / "images_information" / "information.json"
    records = json.loads(file.read_text())
    records[id] |= fields
    file.write_text(json.dumps(records))
