"""Images of candidates: from a source, without metadata, with their marks; recipes.jsonl says how each was made.

The twin of a Negated Harm candidate shows the image as it came; the candidate's own image is that one under its mark.
So a marked image can be drawn again (`overlaid`) from the files and the recipe alone.
"""

import hashlib
import io
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import PIL
from PIL import Image
from pydantic import Field

from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Candidate, Overlay, State, now
from mossbench.building.folder import AnyBuild, BuildFolder, Variant, list_candidates, open_build
from mossbench.building.overlays import overlaid
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.images.decoding import sniff
from mossbench.images.preparing import decoded
from mossbench.images.stripping import stripped
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import read_file
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


class MadeImage(NamedTuple):
    recipe: Recipe
    image: Image.Image


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
    folder: AnyBuild,
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
    folder = open_build(folder)
    folder.settings()
    with folder.held():
        candidates = _candidates_to_image(folder, ids, again=again)
        ids_made: list[str] = []
        ids_without: list[str] = []
        failed: dict[str, str] = {}
        pool = ThreadPoolExecutor(at_once)
        try:
            fetched = pool.map(lambda candidate: _fetch(candidate, source), candidates)
            for candidate, sourced in zip(candidates, fetched, strict=True):
                try:
                    images = _compose(candidate, sourced, mark)
                    _keep(folder, images)
                except MossbenchError as error:
                    failed[candidate.id] = str(error)
                    continue
                if images:
                    ids_made.append(candidate.id)
                else:
                    ids_without.append(candidate.id)
        finally:
            pool.shutdown(cancel_futures=True)  # who stops this does not wait for all that was to come
    return Imaged(tuple(ids_made), tuple(ids_without), failed)


def _candidates_to_image(folder: BuildFolder, ids: Collection[str] | None, *, again: bool) -> list[Candidate]:
    """The candidates that images are made for: those that are named, or all that are not done; a UsageError for others.

    Where their images are there they are only made `again`; of a released candidate only if it is named.
    """
    by_id = {standing.candidate.id: standing for standing in standings(folder)}
    unknown = sorted(set(ids or ()) - set(by_id))
    if unknown:
        raise UsageError(f"no candidate {unknown[0]!r} in {folder.path}", way_out=list_candidates(folder))
    candidates = []
    for id, standing in by_id.items():
        if ids is None:
            is_chosen = standing.state not in _DONE
            may_replace = again and standing.state != State.RELEASED
        else:
            is_chosen = id in ids
            may_replace = again
        if is_chosen and (may_replace or folder.missing_images(standing.candidate)):
            candidates.append(standing.candidate)
    return candidates


def wanted_scenes(candidate: Candidate) -> dict[Variant, str]:
    """What a source is asked for; for a marked candidate its twin's image alone, which the mark is laid on."""
    scenes: dict[Variant, str] = {}
    has_own_twin = candidate.contrast.scene != candidate.scene
    if not (has_own_twin and candidate.overlay):
        scenes[""] = candidate.scene
    if has_own_twin:
        scenes["contrast"] = candidate.contrast.scene
    scenes["counterfactual"] = candidate.counterfactual
    return scenes


def _fetch(candidate: Candidate, source: Source) -> dict[Variant, Sourced] | MossbenchError:
    """What the source has for a candidate; nothing where it lacks an image that is needed."""
    images: dict[Variant, Sourced] = {}
    try:
        for variant, scene in wanted_scenes(candidate).items():
            image = source(candidate, variant, scene)
            if image is not None:
                images[variant] = image
            elif variant != "counterfactual":
                return {}
    except MossbenchError as error:
        return error
    return images


def _compose(
    candidate: Candidate, sourced: dict[Variant, Sourced] | MossbenchError, mark: Overlay | None
) -> list[MadeImage]:
    """The images of a candidate; raises what its source could not do."""
    if isinstance(sourced, MossbenchError):
        raise sourced
    images = [_plain(candidate.id, variant, image) for variant, image in sourced.items()]
    if candidate.overlay is None:
        return images
    overlay = mark or candidate.overlay
    return images + [_marked(image, overlay) for image in images if image.recipe.variant == "contrast"]


def _marked(twin: MadeImage, overlay: Overlay) -> MadeImage:
    """The candidate's own image: that of its twin with the mark on it."""
    image, placed = overlaid(twin.image, [overlay])
    update = {"variant": "", "marks": placed, "pixels": pixel_hash(image)}
    return MadeImage(twin.recipe.model_copy(update=update), image)


def _plain(id: str, variant: Variant, sourced: Sourced) -> MadeImage:
    """The image upright, opaque, no larger than needed and without metadata."""
    try:
        image = decoded(sourced.data).convert("RGB")
    except MossbenchError as error:
        raise DataError(f"{sourced.origin}: {error}") from error
    image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    without_metadata = stripped(sourced.data, sniff(sourced.data) or "")
    recipe = Recipe(
        candidate=id,
        variant=variant,
        source=sourced.source,
        origin=sourced.origin,
        licence=sourced.licence,
        people=sourced.people,
        prompt=sourced.prompt,
        source_sha256=hashlib.sha256(sourced.data).hexdigest(),
        removed=without_metadata[1] if without_metadata else (),
        pixels=pixel_hash(image),
    )
    return MadeImage(recipe, image)


def pixel_hash(image: Image.Image) -> str:
    return hashlib.sha256(f"{image.size}".encode() + image.convert("RGB").tobytes()).hexdigest()


def _keep(folder: BuildFolder, images: list[MadeImage]) -> None:
    """Recipes first: a recipe without its image is made again, an image without a recipe could not be released."""
    folder.append("recipes", [image.recipe for image in images])
    for made_image in images:
        recipe = made_image.recipe
        path = folder.image_path(recipe.candidate, recipe.variant)
        if path.exists():
            old = read_file(path)
            write_atomically(path.parent / "replaced" / f"{path.stem}-{hashlib.sha256(old).hexdigest()[:8]}.png", old)
        png = io.BytesIO()
        made_image.image.save(png, "PNG")
        write_atomically(path, png.getvalue())


def recipes(folder: BuildFolder) -> dict[tuple[str, Variant], Recipe]:
    """(candidate, variant) -> how its image was made."""
    return {(recipe.candidate, recipe.variant): recipe for recipe in folder.read("recipes", Recipe)}
