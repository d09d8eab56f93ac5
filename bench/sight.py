"""How well the control models recognise images, and which other images they take for a sketch.

    python -m studio.training.assets build/assets.pickle.gz
    python bench/sight.py [build/assets.pickle.gz] [--compositions 600] [--workers 2] [--others FOLDER …]

Compositions that were not used in training, each looked at four times: as drawn (512 x 342), as JPEG, at half that
size, and both. It is not always clear whether an image shows an animal or a person, as on posters; such images are left
out and counted. `--others` are folders of images that are not sketches: how many are taken for one, as they are, and
cut to 3 : 2 so that their shape does not give them away. Prints the tables of docs/controls.md.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: the processes share the cores

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageOps

from mossbench.models.control.sight import look
from mossbench.statistics import wilson

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))

FIRST_SEED = 2 * 10**9
SENT = {"as drawn": (1, None), "JPEG": (1, 70), "half": (2, None), "half and JPEG": (2, 70)}
"""By what the sides are divided, and the quality as JPEG."""
CLASSES = ("alarm", "harm", "referent", "negation", "person", "animal")
ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"}


def encoded(image: Image.Image, part: int = 1, quality: int | None = None) -> bytes:
    out = BytesIO()
    image = image.resize((image.width // part, image.height // part), Image.Resampling.BICUBIC)
    image.save(out, "JPEG", quality=quality) if quality else image.save(out, "PNG")
    return out.getvalue()


@cache
def parts_of(path: Path):
    from studio.training.assets import load

    return load(path)


def truth(parts, labels) -> dict[str, bool | None]:
    """Whether each class is in a composition; None where that is not sure."""
    from studio.training.compose import ANIMAL, FIRST_THING, NEGATION, PERSON

    of = {"person": [PERSON], "animal": [ANIMAL], "negation": [NEGATION]}
    of |= {group: [FIRST_THING + i for i, p in enumerate(parts) if p.group == group] for group in CLASSES[:3]}
    return {name: True if 1 in labels[of[name]] else None if labels[of[name]].any() else False for name in CLASSES}


def judged(path: Path, seed: int) -> dict[tuple[str, str], bool | None]:
    """By sending and class, whether the eyes are right about one composition, and under "sketch" whether they see."""
    from studio.training.compose import compose

    parts = parts_of(path)
    composed = compose(parts, seed, harmed=False)
    expected, found = truth(parts, composed.labels), {}
    for sent, how in SENT.items():
        seen = look(encoded(Image.fromarray(composed.picture), *how))
        found[sent, "sketch"] = seen.sketch
        for name, value in expected.items():
            found[sent, name] = None if value is None or not seen.sketch else getattr(seen, name) is value
    return found


def passes(path: Path) -> tuple[bool, bool] | None:
    """Whether a picture passes for a sketch as it is, and cut to 3 : 2; None where it cannot be read."""
    try:
        data = path.read_bytes()
        with Image.open(BytesIO(data)) as image:
            width = min(image.width, image.height * 3 // 2)
            cut = ImageOps.fit(image.convert("RGB"), (max(width, 3), max(width * 2 // 3, 2)))
        return look(data).sketch, look(encoded(cut)).sketch
    except OSError:
        return None


def shown(answers: list[bool | None]) -> str:
    """Percent of those that are known, with its interval and how many they are."""
    known = [a for a in answers if a is not None]
    share = wilson(sum(known), len(known))
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f}), {share.n}" if share.n else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assets", type=Path, nargs="?", default=ROOT / "build" / "assets.pickle.gz")
    parser.add_argument("--compositions", type=int, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--others", type=Path, nargs="+", default=[], help="folders of images that are not sketches")
    options = parser.parse_args()
    if not options.assets.is_file():
        sys.exit(f"{options.assets} is not there; `python -m studio.training.assets {options.assets}` draws it.")
    if missing := [str(folder) for folder in options.others if not folder.is_dir()]:
        sys.exit(f"--others: no folder {', '.join(missing)}; give folders of images.")
    with TemporaryDirectory() as notes:  # what is seen here need not be remembered
        os.environ["XDG_CACHE_HOME"] = notes
        with ProcessPoolExecutor(options.workers) as pool:
            report(pool, options)


def report(pool: ProcessPoolExecutor, options: argparse.Namespace) -> None:
    seeds = range(FIRST_SEED, FIRST_SEED + options.compositions)
    rows = list(pool.map(partial(judged, options.assets), seeds, chunksize=4))
    print(f"{len(rows)} compositions, seeds from {FIRST_SEED}: percent right (95 % interval), of how many\n")
    print("| sent | " + " | ".join(("sketch", *CLASSES)) + " |\n|---" + "|---" * (1 + len(CLASSES)) + "|")
    for sent in SENT:
        cells = [shown([row[sent, name] for row in rows]) for name in ("sketch", *CLASSES)]
        print(f"| {sent} | " + " | ".join(cells) + " |")
    for folder in options.others:
        paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in ENDINGS)
        found = list(pool.map(passes, paths, chunksize=4))
        whole, cut = ([answer and answer[i] for answer in found] for i in (0, 1))
        print(
            f"\n{folder.name}: {shown(whole)} pass for a sketch, cut to 3 : 2 {shown(cut)}; unread {found.count(None)}"
        )
        for path, answer in zip(paths, found, strict=True):
            if answer and any(answer):
                print(f"  {path.relative_to(folder)}")


if __name__ == "__main__":
    main()
