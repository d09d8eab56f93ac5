"""Writes compositions as files, with what is known to be in them: `mossbench-studio compositions ASSETS OUT ...`.

    mossbench-studio compositions build/assets.pickle.gz OUT --first 2000000000 --count 600

ASSETS is what `mossbench-studio assets` wrote. OUT gets a PNG for each seed from the first one on, as it is composed
(not re-encoded, shrunk or tinted), and `compositions.json`: seed, file, and for each class whether it is shown, which
is null where that is not clear, as for an animal on a poster. bench/sight.py reads them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from PIL import Image

from mossbench.errors import UsageError
from studio.training.assets import Parts, load
from studio.training.compose import ANIMAL, FIRST_THING, NEGATION, PERSON, Array, compose

WRITTEN = "compositions.json"
GROUPS = ("alarm", "harm", "referent")


@dataclass(frozen=True)
class Written:
    seed: int
    file: str
    shows: dict[str, bool | None]


def main(arguments: list[str]) -> int:
    """Write what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(
        prog="mossbench-studio compositions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("assets", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, required=True, help="the first seed")
    parser.add_argument("--count", type=int, required=True, help="how many seeds")
    parser.add_argument("--workers", type=int, default=2, help="processes side by side")
    options = parser.parse_args(arguments)
    if not options.assets.is_file():
        raise UsageError(f"no file {options.assets}; `mossbench-studio assets {options.assets}` draws it")
    seeds = range(options.first, options.first + options.count)
    options.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.workers) as pool:
        compositions = list(pool.map(partial(write_composition, options.assets, options.out), seeds, chunksize=4))
    content = [asdict(composition) for composition in compositions]
    (options.out / WRITTEN).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return 0


@cache
def parts_of(assets: Path) -> list[Parts]:
    """Read once in each process."""
    return load(assets)


def write_composition(assets: Path, out: Path, seed: int) -> Written:
    """Write the image of a seed."""
    all_parts = parts_of(assets)
    composition = compose(all_parts, seed, harmed=False)
    file = f"{seed}.png"
    Image.fromarray(composition.picture).save(out / file)
    return Written(seed, file, shown_classes(all_parts, composition.labels))


def shown_classes(all_parts: Sequence[Parts], labels: Array) -> dict[str, bool | None]:
    """Whether each class is in a composition; None where that is not clear."""
    classes = {"person": [PERSON], "animal": [ANIMAL], "negation": [NEGATION]}
    for group in GROUPS:
        classes[group] = [FIRST_THING + index for index, parts in enumerate(all_parts) if parts.group == group]
    return {name: is_shown(labels[indices]) for name, indices in classes.items()}


def is_shown(labels: Array) -> bool | None:
    """Whether any of these labels is 1; None if none is, and one of them is not clear."""
    if 1 in labels:
        return True
    return None if labels.any() else False
