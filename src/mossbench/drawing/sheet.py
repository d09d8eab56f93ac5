"""A contact sheet of a drawn set: `python -m mossbench.drawing.sheet SET PICTURE.png`."""

from __future__ import annotations

import sys
from pathlib import Path

CELL, GAP, COLUMNS = (336, 224), 8, 3
"""Pixels of one picture, pixels between two, and how many stand side by side."""


def contact_sheet(folder: Path, out: Path) -> int:
    """Write the benign pictures of a set side by side, in the order of their records; the number of pictures."""
    from PIL import Image

    from mossbench.samples import Sample, Side

    lines = (folder / "metadata.jsonl").read_text("utf-8").splitlines()
    samples = [s for s in map(Sample.model_validate_json, lines) if s.side is Side.BENIGN and s.image]
    rows = -(-len(samples) // COLUMNS)
    width, height = CELL[0] + GAP, CELL[1] + GAP
    sheet = Image.new("RGB", (width * COLUMNS + GAP, height * rows + GAP), "#FFFDF6")
    for i, sample in enumerate(samples):
        with Image.open(folder / str(sample.image)) as picture:
            small = picture.resize(CELL, Image.Resampling.LANCZOS)
        sheet.paste(small, (GAP + i % COLUMNS * width, GAP + i // COLUMNS * height))
    out.parent.mkdir(parents=True, exist_ok=True)
    sheet.quantize(256).save(out, "PNG", optimize=True)  # a quarter of the bytes
    return len(samples)


if __name__ == "__main__":
    print(contact_sheet(Path(sys.argv[1]), Path(sys.argv[2])), "pictures", file=sys.stderr)
