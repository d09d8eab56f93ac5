"""Contact sheets of a set: `python -m studio.drawing.sheet SET OUT.png [--columns 3] [--rows 8] [--width 336]`.

More pictures than fit on one page go to OUT-2.png and so on. Nothing is written on the sheets, so that they can be
shown to viewers who should name what they see.
"""

from __future__ import annotations

import sys
from pathlib import Path

GAP = 8
"""Pixels between two pictures."""


def contact_sheets(folder: Path, out: Path, columns: int = 3, rows: int = 8, width: int = 336) -> list[Path]:
    """The benign pictures of a set side by side, in the order of their records; the pages that were written."""
    from PIL import Image

    from mossbench.samples import Sample, Side

    lines = (folder / "metadata.jsonl").read_text("utf-8").splitlines()
    pictures = [s.image for s in map(Sample.model_validate_json, lines) if s.side is Side.BENIGN and s.image]
    height, each, pages = width * 2 // 3, columns * rows, []
    out.parent.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(pictures), each):
        page = pictures[first : first + each]
        n_rows = -(-len(page) // columns)
        sheet = Image.new("RGB", ((width + GAP) * columns + GAP, (height + GAP) * n_rows + GAP), "#FFFDF6")
        for i, name in enumerate(page):
            with Image.open(folder / name) as picture:
                small = picture.resize((width, height), Image.Resampling.LANCZOS)
            sheet.paste(small, (GAP + i % columns * (width + GAP), GAP + i // columns * (height + GAP)))
        pages.append(out if first == 0 else out.with_stem(f"{out.stem}-{first // each + 1}"))
        sheet.quantize(256).save(pages[-1], "PNG", optimize=True)  # a quarter of the bytes
    return pages


def main(arguments: list[str]) -> int:
    """Write the sheets that the arguments ask for; the exit status."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m studio.drawing.sheet", description="Contact sheets of a set.")
    parser.add_argument("set", type=Path)
    parser.add_argument("out", type=Path)
    for name, default in (("--columns", 3), ("--rows", 8), ("--width", 336)):
        parser.add_argument(name, type=int, default=default)
    asked = parser.parse_args(arguments)
    pages = contact_sheets(asked.set, asked.out, asked.columns, asked.rows, asked.width)
    print(", ".join(map(str, pages)), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
