"""How well the control models recognise images, and which other images they take for a sketch.

    mossbench-studio assets build/assets.pickle.gz       # the studio: make -C studio install, or pip install -e studio
    python bench/sight.py [build/assets.pickle.gz] [--compositions 600] [--workers 2] [--others FOLDER …]

Compositions that were not used in training, each looked at four times: as drawn (512 x 342), as JPEG, at half that
size, and both. It is not always clear whether an image shows an animal or a person, as on posters; such images are left
out and counted. `--others` are folders of images that are not sketches: how many are taken for one, as they are, and
cut to 3 : 2 so that their shape does not give them away. Prints the tables of studio/training/README.md.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: the processes share the cores

import argparse
import json
import shlex
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image, ImageOps

from mossbench.building.studio import Studio, find_studio
from mossbench.errors import MossbenchError
from mossbench.models.control.sight import look
from mossbench.statistics import wilson

ROOT = Path(__file__).parents[1]
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


def judged(folder: Path, composition: dict[str, Any]) -> dict[tuple[str, str], bool | None]:
    """By sending and class, whether the eyes are right about one composition, and under "sketch" whether they see."""
    with Image.open(folder / composition["file"]) as opened:
        image = opened.convert("RGB")
    is_right: dict[tuple[str, str], bool | None] = {}
    for sent, how in SENT.items():
        sight = look(encoded(image, *how))
        is_right[sent, "sketch"] = sight.sketch
        for name in CLASSES:
            is_shown = composition["shows"][name]
            is_known = is_shown is not None and sight.sketch
            is_right[sent, name] = getattr(sight, name) is is_shown if is_known else None
    return is_right


def compositions(studio: Studio, options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Compositions that were not used in training, which the studio's program writes to the folder."""
    how = {"--first": FIRST_SEED, "--count": options.compositions, "--workers": options.workers}
    flags = [f"{name}={value}" for name, value in how.items()]
    studio.run("compositions", str(options.assets), str(folder), *flags)
    written: list[dict[str, Any]] = json.loads((folder / "compositions.json").read_text("utf-8"))
    return written


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


def percent(answers: list[bool | None]) -> str:
    """Percent of those that are known, with its interval and how many they are."""
    answers_known = [a for a in answers if a is not None]
    share = wilson(sum(answers_known), len(answers_known))
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f}), {share.n}" if share.n else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assets", type=Path, nargs="?", default=ROOT / "build" / "assets.pickle.gz")
    parser.add_argument("--compositions", type=int, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--others", type=Path, nargs="+", default=[], help="folders of images that are not sketches")
    options = parser.parse_args()
    missing = [str(folder) for folder in options.others if not folder.is_dir()]
    if missing:
        sys.exit(f"--others: no folder {', '.join(missing)}; give folders of images.")
    try:
        studio = find_studio()
        if not options.assets.is_file():
            command = shlex.join([*studio.command, "assets", str(options.assets)])
            sys.exit(f"{options.assets} is not there; `{command}` draws it.")
        with TemporaryDirectory() as notes, TemporaryDirectory() as drawn:
            os.environ["XDG_CACHE_HOME"] = notes  # what is seen here need not be remembered
            composed = compositions(studio, options, Path(drawn))
            with ProcessPoolExecutor(options.workers) as pool:
                rows = list(pool.map(partial(judged, Path(drawn)), composed, chunksize=4))
                report(pool, options, rows)
    except MossbenchError as error:
        sys.exit(str(error))


def report(
    pool: ProcessPoolExecutor, options: argparse.Namespace, rows: list[dict[tuple[str, str], bool | None]]
) -> None:
    print(f"{len(rows)} compositions, seeds from {FIRST_SEED}: percent right (95 % interval), of how many\n")
    print("| sent | " + " | ".join(("sketch", *CLASSES)) + " |\n|---" + "|---" * (1 + len(CLASSES)) + "|")
    for sent in SENT:
        cells = [percent([row[sent, name] for row in rows]) for name in ("sketch", *CLASSES)]
        print(f"| {sent} | " + " | ".join(cells) + " |")
    for folder in options.others:
        paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in ENDINGS)
        answers = list(pool.map(passes, paths, chunksize=4))
        whole, cut = ([answer and answer[i] for answer in answers] for i in (0, 1))
        n_unread = answers.count(None)
        print(f"\n{folder.name}: {percent(whole)} pass for a sketch, cut to 3 : 2 {percent(cut)}; unread {n_unread}")
        for path, answer in zip(paths, answers, strict=True):
            if answer and any(answer):
                print(f"  {path.relative_to(folder)}")


if __name__ == "__main__":
    main()
