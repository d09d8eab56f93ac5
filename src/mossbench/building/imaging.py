"""Images of candidates: from a source, without metadata, with their marks; recipes.jsonl says how each was made.

The twin of a Negated Harm candidate shows the image as it came; the candidate's own image is that one under its mark.
So a marked image can be drawn again (`overlaid`) from the files and the recipe alone.
"""

import hashlib
import io
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import PIL
from PIL import Image
from pydantic import Field

from mossbench.building.candidates import Candidate, Overlay, State, now
from mossbench.building.folder import BuildFolder, Variant, list_candidates
from mossbench.building.overlays import overlaid
from mossbench.building.standing import standings
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.images.preparing import decoded, sniff
from mossbench.images.stripping import stripped
from mossbench.plumbing.reading import read_file
from mossbench.plumbing.storage import write_atomically
from mossbench.samples import Record

MAX_SIDE = 1536
"""Pixels; larger photos are shrunk: no provider looks at more, and files stay small."""
_DONE = (State.REJECTED, State.RETIRED)
"""Where candidates stand whose images are made only when they are named; released ones are so made again."""
SourceName = Literal["photo", "endpoint", "diffusers", "stand-in", "studio"]


class Sourced(Record):
    """An image as its source gave it, and what has to be said of it."""

    data: bytes
    source: SourceName
    origin: str
    """File name and where it is from, model and endpoint, or set and sample."""
    licence: str
    people: bool | None = None
    """Whether it shows people, as its owner said; None: nobody said."""
    prompt: str = ""


class Recipe(Record):
    """How one image was made; of several lines about one image the last holds."""

    candidate: str
    variant: Variant = ""
    source: SourceName
    origin: str
    licence: str
    people: bool | None = None
    prompt: str = ""
    source_sha256: str
    """Of the file as the source gave it."""
    removed: tuple[str, ...] = ()
    """Metadata that the file had, such as EXIF; none is kept."""
    marks: tuple[Overlay, ...] = ()
    pixels: str
    """SHA-256 of the image's size and pixels, whatever wrote the file."""
    pillow: str = PIL.__version__
    at: str = Field(default_factory=now)


Source = Callable[[Candidate, Variant, str], Sourced | None]
"""(candidate, variant, what to show) -> the image, or None where the source has none for it."""


@dataclass(frozen=True)
class Imaged:
    """What became of the candidates without an image."""

    made: tuple[str, ...]
    without: tuple[str, ...]
    failed: dict[str, str] = field(default_factory=dict)
    """Candidate -> why; the others are not affected."""


def make_images(
    folder: BuildFolder,
    source: Source,
    *,
    ids: Collection[str] | None = None,
    again: bool = False,
    mark: Overlay | None = None,
    at_once: int = 1,
) -> Imaged:
    """Images for the candidates that lack theirs. What is made is kept when a later one fails, or this is stopped.

    With `again` those that are there are made again, and the old ones go to images/replaced. A `mark` takes the place
    of the candidates' own.
    """
    folder.settings()
    with folder.held():
        known = {one.candidate.id: one for one in standings(folder)}
        if unknown := sorted(set(ids or ()) - set(known)):
            raise UsageError(f"no candidate {unknown[0]!r} in {folder.path}", way_out=list_candidates(folder))
        wanted = [
            one.candidate
            for id, one in known.items()
            if (id in ids if ids is not None else one.state not in _DONE)
            and (folder.missing_images(one.candidate) or (again and (ids is not None or one.state != State.RELEASED)))
        ]
        made, without, failed = list[str](), list[str](), dict[str, str]()
        pool = ThreadPoolExecutor(at_once)
        try:
            for one, found in zip(wanted, pool.map(lambda one: _fetched(one, source), wanted), strict=True):
                try:
                    if isinstance(found, MossbenchError):
                        raise found
                    images = _composed(one, found, mark)
                    _keep(folder, images)
                    (made if images else without).append(one.id)
                except MossbenchError as error:
                    failed[one.id] = str(error)
        finally:
            pool.shutdown(cancel_futures=True)  # who stops this does not wait for all that was to come
    return Imaged(tuple(made), tuple(without), failed)


def wanted_scenes(one: Candidate) -> dict[Variant, str]:
    """What a source is asked for; for a marked candidate its twin's image alone, which the mark is laid on."""
    twin: dict[Variant, str] = {"contrast": one.contrast.scene} if one.contrast.scene != one.scene else {}
    scenes: dict[Variant, str] = twin if twin and one.overlay else {"": one.scene, **twin}
    return {**scenes, "counterfactual": one.counterfactual}


def _fetched(one: Candidate, source: Source) -> dict[Variant, Sourced] | MossbenchError:
    """What the source has for a candidate."""
    found: dict[Variant, Sourced] = {}
    try:
        for variant, scene in wanted_scenes(one).items():
            image = source(one, variant, scene)
            if image is not None:
                found[variant] = image
            elif variant != "counterfactual":
                return {}
    except MossbenchError as error:
        return error
    return found


def _composed(one: Candidate, found: dict[Variant, Sourced], mark: Overlay | None) -> list[tuple[Recipe, Image.Image]]:
    images = [_plain(one.id, variant, sourced) for variant, sourced in found.items()]
    overlay = mark or one.overlay
    if overlay is not None and one.overlay is not None:
        for recipe, image in images[:]:
            if recipe.variant == "contrast":
                marked, placed = overlaid(image, [overlay])
                update = {"variant": "", "marks": placed, "pixels": pixel_hash(marked)}
                images.append((recipe.model_copy(update=update), marked))
    return images


def _plain(id: str, variant: Variant, sourced: Sourced) -> tuple[Recipe, Image.Image]:
    """The image upright, opaque, no larger than needed and without metadata."""
    try:
        image = decoded(sourced.data).convert("RGB")
    except MossbenchError as error:
        raise DataError(f"{sourced.origin}: {error}") from error
    image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    bare = stripped(sourced.data, sniff(sourced.data) or "")
    recipe = Recipe(
        candidate=id,
        variant=variant,
        source=sourced.source,
        origin=sourced.origin,
        licence=sourced.licence,
        people=sourced.people,
        prompt=sourced.prompt,
        source_sha256=hashlib.sha256(sourced.data).hexdigest(),
        removed=bare[1] if bare else (),
        pixels=pixel_hash(image),
    )
    return recipe, image


def pixel_hash(image: Image.Image) -> str:
    return hashlib.sha256(f"{image.size}".encode() + image.convert("RGB").tobytes()).hexdigest()


def _keep(folder: BuildFolder, images: list[tuple[Recipe, Image.Image]]) -> None:
    """Recipes first: a recipe without its image is made again, an image without a recipe could not be released."""
    folder.append("recipes", [recipe for recipe, _ in images])
    for recipe, image in images:
        path = folder.image_path(recipe.candidate, recipe.variant)
        if path.exists():
            old = path.parent / "replaced" / f"{path.stem}-{hashlib.sha256(read_file(path)).hexdigest()[:8]}.png"
            write_atomically(old, read_file(path))
        out = io.BytesIO()
        image.save(out, "PNG")
        write_atomically(path, out.getvalue())


def recipes(folder: BuildFolder) -> dict[tuple[str, Variant], Recipe]:
    return {(one.candidate, one.variant): one for one in folder.read("recipes", Recipe)}
