"""Pictures of samples in several sizes, with a cache."""

import hashlib
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm, PictureChoice, Shown
from mossbench.errors import Code, DataError, UsageError
from mossbench.images.preparing import thumbnail
from mossbench.plumbing.untrusted_files import state_of
from mossbench.samples import Sample, Side
from mossbench.web.pages import shelf_of

router = APIRouter()
Size = Annotated[Literal[240, 480, 1024, 2048], BeforeValidator(int)]
ALWAYS = "private, max-age=31536000, immutable"
"""The header cache-control for addresses that contain the hash of their content."""


@router.get("/picture")
def picture_of_sample(
    request: Request, data: str, side: Side, id: str, size: Size = 480, shown: PictureChoice = "own"
) -> Response:
    """The picture that an arm shows for the sample, as WEBP, at most `size` pixels wide and high."""
    dataset = _dataset_of(request, data)
    return picture_response(request, dataset, dataset.sample(side, id), size, choice=shown, cache=ALWAYS)


def _dataset_of(request: Request, key: str) -> Dataset:
    for data in shelf_of(request).data():
        if data.key == key and data.dataset is not None:
            return data.dataset
    raise UsageError(f"no dataset {key!r} with images here", code=Code.NOT_FOUND)


def picture_response(
    request: Request,
    dataset: Dataset,
    sample: Sample,
    size: int,
    *,
    choice: PictureChoice = "own",
    at: int = 0,
    cache: str,
) -> Response:
    """Picture number `at`, from 0, of those that the choice shows for the sample."""
    arm = Arm(name=choice, picture=choice)
    pictures = arm.shown(sample, dataset).each() if arm.fits(sample) else ()
    if not 0 <= at < len(pictures):
        raise UsageError(f"no image of sample {sample.id!r} for the choice {choice!r}", code=Code.NOT_FOUND)
    picture = pictures[at]
    path = picture.path(sample, dataset)  # raises when it leads out of the dataset's folder
    if picture.image and dataset.changed(sample, picture.image):
        raise DataError(f"the image of sample {sample.id!r} has changed since it was hashed", code=Code.NOT_FOUND)
    try:
        content, etag = cached_thumbnail(path, picture, size, state_of(path) if path else ())
    except OSError as error:
        raise DataError(f"the image of sample {sample.id!r} is missing", code=Code.NOT_FOUND) from error
    headers = {"etag": etag, "cache-control": cache}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="image/webp", headers=headers)


def warm_up() -> None:
    """Loads the image library, which takes 0.3 s, before a page waits for the first picture."""
    from PIL import Image

    pixel = BytesIO()
    Image.new("RGB", (1, 1)).save(pixel, "PNG")
    thumbnail(pixel.getvalue(), 1)


@lru_cache(maxsize=1500)
def cached_thumbnail(path: Path | None, picture: Shown, size: int, _state: tuple[int, ...]) -> tuple[bytes, str]:
    """The content and its etag; `_state` is that of the file, so that a changed file is read again."""
    content = thumbnail(picture.read(path), size)
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'
