"""Images of candidates from the studio: a project of its own in the repository, called as a program.

    mossbench-studio compose SCENES.py OUT [ID ...] [--variant VARIANT ...]

It runs the scenes that somebody wrote, and writes images and `composed.json` to a folder, which are read here. So
mossbench imports nothing of it, and an error in somebody's scene is one candidate without an image.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from mossbench.building.candidates import Candidate
from mossbench.building.folder import Variant
from mossbench.building.imaging import Source, Sourced, wanted_scenes
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Record
from mossbench.ways_out import Command

PROGRAM = "mossbench-studio"
CHECKOUT = Path(__file__).parents[3]
"""The repository, where mossbench is used from a checkout of it."""
SCENES = "scenes.py"
COMPOSED = "composed.json"
MOST_AT_ONCE = 4
"""Programs that draw side by side; each takes a core."""


class ComposedImage(Record):
    candidate: str
    variant: Variant
    file: str
    scene: str
    """The name of the scene."""
    people: bool


class FailedImage(Record):
    candidate: str
    variant: Variant
    error: str


class Composed(Record):
    """composed.json, which the program writes."""

    names: tuple[str, ...]
    """What the file of scenes defines."""
    images: tuple[ComposedImage, ...]
    failed: tuple[FailedImage, ...]


@dataclass(frozen=True)
class Studio:
    """How the studio's program is called."""

    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    """What its environment has beside our own."""

    def run(self, *arguments: str) -> None:
        """Run the program to its end; raises what it says if it fails."""
        try:
            process = subprocess.run(
                [*self.command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=sys.__stderr__,  # what somebody's scenes print is not part of our output
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, **self.variables},
            )
        except OSError as error:
            raise UsageError(
                f"the studio's program {self.command[0]} cannot be started: {error.strerror}; install the studio again"
            ) from None
        if process.returncode == 0:
            return
        lines = process.stderr.strip().splitlines() or [f"it ended with status {process.returncode} and no message"]
        message = f"the studio could not draw: {lines[-1].removeprefix('error: ')}"
        if process.returncode == UsageError.exit_code:
            raise UsageError(message)
        raise MossbenchError(message)


def find_studio() -> Studio:
    """The program beside this Python, the studio of this checkout, or the program on the PATH."""
    beside = shutil.which(PROGRAM, path=str(Path(sys.executable).parent))
    if beside:
        return Studio((beside,))
    folder = CHECKOUT / "studio"
    if (folder / "__main__.py").is_file():
        return _studio_of_checkout(folder)
    on_path = shutil.which(PROGRAM)
    if on_path:
        return Studio((on_path,))
    raise UsageError(
        f"{PROGRAM} not found: the studio is a separate project in mossbench's repository, not part of the package",
        way_out=Command("pip install -e studio", to="add it to this environment, in a checkout,"),
    )


def _studio_of_checkout(folder: Path) -> Studio:
    """With the Python that `make -C studio install` has made, or else this one; both import the checkout's files."""
    scripts = "Scripts" if os.name == "nt" else "bin"
    own = shutil.which("python", path=str(folder / ".venv" / scripts))
    is_installed = (folder / ".venv" / "installed").is_file()
    python = own if own and is_installed else sys.executable
    search = [os.environ.get("PYTHONPATH", ""), str(folder.parent)]
    variables = {
        "PYTHONPATH": os.pathsep.join(filter(None, search)),
        "PYTHONSAFEPATH": "1",  # a folder named studio where somebody stands is not the studio
    }
    return Studio((python, "-m", "studio"), variables)


def drawings_at_once() -> int:
    """How many programs may draw side by side."""
    return min(os.cpu_count() or 1, MOST_AT_ONCE)


def studio_source(folder: Path) -> Source:
    """Images composed by the studio: scenes.py has a function of the variant for each candidate's id."""
    studio = find_studio()
    scenes = folder / SCENES
    if not scenes.is_file():
        raise UsageError(f"no {scenes}: write a function there for each candidate, such as er_3f9a1c2b(variant)")
    names = _defined_names(studio, scenes)

    # A candidate's images are drawn together, and then asked for one by one.
    @lru_cache(maxsize=2 * MOST_AT_ONCE)
    def images_of(candidate: str, variants: tuple[Variant, ...]) -> dict[Variant, Sourced | MossbenchError]:
        return _drawn_images(studio, scenes, candidate, variants)

    def source(candidate: Candidate, variant: Variant, scene: str) -> Sourced | None:
        if candidate.id.replace("-", "_") not in names:
            return None
        image = images_of(candidate.id, tuple(wanted_scenes(candidate))).get(variant)
        if isinstance(image, MossbenchError):
            raise image
        return image

    return source


def _defined_names(studio: Studio, scenes: Path) -> frozenset[str]:
    """What the file of scenes defines: where it has nothing for a candidate, the studio need not be asked."""
    with TemporaryDirectory() as out:
        return frozenset(_compose(studio, scenes, Path(out)).names)


def _drawn_images(
    studio: Studio, scenes: Path, candidate: str, variants: tuple[Variant, ...]
) -> dict[Variant, Sourced | MossbenchError]:
    """Each variant's image, or why it could not be drawn; a variant that the scenes do not have is left out."""
    images: dict[Variant, Sourced | MossbenchError] = {}
    with TemporaryDirectory() as out:
        options = [f"--variant={variant}" for variant in variants]
        composed = _compose(studio, scenes, Path(out), candidate, *options)
        for image in composed.images:
            images[image.variant] = Sourced(
                data=read_file(Path(out) / image.file),
                source="studio",
                origin=image.scene,
                licence="as the dataset",
                people=image.people,
            )
    for failed in composed.failed:
        images[failed.variant] = DataError(failed.error)
    return images


def _compose(studio: Studio, scenes: Path, out: Path, *arguments: str) -> Composed:
    # Absolute: no path is taken for an option.
    studio.run("compose", str(scenes.absolute()), str(out), *arguments)
    if not (out / COMPOSED).is_file():
        raise DataError(f"the studio could not draw: {studio.command[0]} wrote no {COMPOSED}; install the studio again")
    try:
        return Composed.model_validate_json(read_file(out / COMPOSED))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(
            f"{COMPOSED} of {studio.command[0]}: {where}: {first['msg']}; "
            "this studio is of another version: use that of the checkout from which mossbench is installed"
        ) from None
