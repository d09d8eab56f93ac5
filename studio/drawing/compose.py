"""Draws scenes of one's own, for candidates of a new set: `mossbench-studio compose SCENES.py OUT [ID ...]`.

SCENES.py is Python that is run as it stands. It has a function for each candidate, `er_3f9a1c2b(variant)` for the
candidate er-3f9a1c2b, which gives a `Scene`, or None where there is none for that variant: "" is the image itself,
"contrast" that of the harmful twin, "counterfactual" the one without what looks alarming. It is called for each
`--variant`, or for all three.

OUT gets a PNG for each image of the candidates that are named, and `composed.json`:

    names    what SCENES.py defines; without an ID nothing is drawn, and this is all that is asked
    images   candidate, variant, file, name of the scene, and whether it shows people
    failed   candidate, variant and why: a function that raises costs its own image, and no other
"""

from __future__ import annotations

import argparse
import json
import runpy
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError
from studio.drawing.kit import HUMAN, require_packages
from studio.drawing.scene import Scene, render

COMPOSED = "composed.json"
VARIANTS = ("", "contrast", "counterfactual")


@dataclass(frozen=True)
class Image:
    candidate: str
    variant: str
    file: str
    scene: str
    people: bool


@dataclass(frozen=True)
class Failed:
    candidate: str
    variant: str
    error: str


def main(arguments: list[str]) -> int:
    """Draw what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(
        prog="mossbench-studio compose", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenes", type=Path, metavar="SCENES.py")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("candidates", nargs="*", metavar="ID")
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="repeat for more; all without it")
    options = parser.parse_args(arguments)
    require_packages()
    compose(options.scenes, options.out, options.candidates, options.variant or VARIANTS)
    return 0


def compose(scenes: Path, out: Path, candidates: Sequence[str], variants: Sequence[str]) -> None:
    """Write the images of these candidates and composed.json."""
    defined = run_scenes(scenes)
    names = sorted(name for name in defined if not name.startswith("__"))
    images: list[Image] = []
    failed: list[Failed] = []
    out.mkdir(parents=True, exist_ok=True)
    for candidate in candidates:
        name = candidate.replace("-", "_")
        if name not in defined:
            raise UsageError(f"{scenes} has no function {name}(variant) for the candidate {candidate!r}; write one")
        for variant in variants:
            try:
                scene = called(defined[name], variant)
            except (Exception, SystemExit) as error:  # of somebody else's code: it may be anything
                failed.append(Failed(candidate, variant, reason(error, scenes)))
                continue
            if scene is not None:
                images.append(draw_image(scene, candidate, variant, out))
    content = {
        "names": names,
        "images": [asdict(image) for image in images],
        "failed": [asdict(one) for one in failed],
    }
    (out / COMPOSED).write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def run_scenes(path: Path) -> dict[str, Any]:
    """What a file of scenes defines."""
    if not path.is_file():
        raise UsageError(f"no file {path}; expected Python with a function of the variant for each candidate")
    try:
        return runpy.run_path(str(path))
    except (Exception, SystemExit) as error:  # of somebody else's code: it may be anything
        raise UsageError(f"{reason(error, path)}; correct {path}") from error


def called(function: Any, variant: str) -> Scene | None:
    """The scene that a function gives for a variant."""
    scene = function(variant)
    if scene is not None and not isinstance(scene, Scene):
        raise TypeError(f"it gives a {type(scene).__name__}; expected a studio.drawing.scene.Scene, or None")
    return scene


def draw_image(scene: Scene, candidate: str, variant: str, out: Path) -> Image:
    """Write the image of a scene."""
    file = f"{candidate}.{variant}.png" if variant else f"{candidate}.png"
    (out / file).write_bytes(render(scene))
    return Image(candidate, variant, file, scene.name, scene.shows(HUMAN))


def reason(error: BaseException, path: Path) -> str:
    """What went wrong in a file of scenes, and in which of its lines."""
    text = f"{type(error).__name__}: {error}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    if lines:
        return f"{path.name}, line {lines[-1]}: {text}"
    return f"{path.name}: {text}"
