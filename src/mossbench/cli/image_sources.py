"""Where the images of `mossbench build image` come from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import mossbench
from mossbench.cli.printing import note
from mossbench.errors import n_of

if TYPE_CHECKING:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.imaging import Source


@dataclass(frozen=True)
class ImageOrigin:
    """Where images come from: one of photos, a model, a dataset's stand-ins or a composer."""

    photos: Path | None
    model: str | None
    base_url: str | None
    size: str
    stand_ins: str | None
    composer: str | None

    @property
    def n_named(self) -> int:
        origins = (self.photos, self.model, self.stand_ins, self.composer)
        return sum(origin is not None for origin in origins)


def write_photo_sheet(folder: BuildFolder, photos: Path) -> bool:
    """Writes the table of photos that their owner fills in, unless it is there; says whether it was written."""
    from mossbench.building import sources

    if (photos / sources.PHOTOS).exists():
        return False
    candidates = [candidate for candidate in folder.candidates().values() if folder.missing_images(candidate)]
    path = sources.write_photo_sheet(photos, candidates)
    lines = n_of(len(candidates), "line")
    note(f"wrote {path} with {lines}: fill in file, licence, source and people, then run this again")
    return True


@dataclass(frozen=True)
class ImageSource:
    images: Source
    max_at_once: int = 1
    """How many may be asked for at once."""


def image_source(folder: BuildFolder, origin: ImageOrigin) -> ImageSource:
    from mossbench.building import sources
    from mossbench.building.imaging import recipes

    if origin.photos is not None:
        return ImageSource(sources.photo_source(origin.photos))
    if origin.model is not None:
        from mossbench.models.drawing import load_image_model

        model = load_image_model(origin.model, base_url=origin.base_url, size=origin.size)
        return ImageSource(sources.model_source(model, folder.settings().seed), model.max_at_once)
    if origin.composer is not None:
        from mossbench.building.studio import drawings_at_once, studio_source

        return ImageSource(studio_source(folder.path), drawings_at_once())
    dataset = mossbench.load_dataset(origin.stand_ins or "sketches")
    used = [recipe.origin.partition(":")[2] for recipe in recipes(folder).values() if not recipe.variant]
    return ImageSource(sources.stand_in_source(dataset, used))
