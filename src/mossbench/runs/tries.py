"""What `mossbench try` measured of a model, kept for the dry run: tokens for an image, tokens and seconds.

It lies in the user's cache, a file for each model and endpoint, and holds no text; without it a forecast assumes.
"""

import hashlib
from contextlib import suppress
from datetime import date
from pathlib import Path

from pydantic import Field, ValidationError

from mossbench.errors import StorageError
from mossbench.outcomes import Exchange, Usage
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Record
from mossbench.store.prices import text_tokens


class Measured(Record):
    """Means over the tries of one model at one endpoint."""

    n: int = Field(ge=1)
    image_tokens: float | None = None
    """Input tokens less those of the text, which are estimated; None: no try had an image."""
    n_images: int | None = Field(default=None, ge=0)
    """Tries that had an image; None in files of versions before this field, which took all tries for such."""
    output_tokens: float = Field(ge=0)
    seconds: float = Field(ge=0)
    on: str
    """Day of the last try."""


def measured(model: str, base_url: str | None) -> Measured | None:
    """What tries of this model have measured; None where there were none, or the file is damaged."""
    with suppress(OSError, StorageError, ValidationError):
        return Measured.model_validate_json(read_file(_path(model, base_url)))
    return None


def remember(model: str, base_url: str | None, exchange: Exchange) -> None:
    """Adds a try that was answered and counted; where the cache is closed, nothing is kept."""
    answer = exchange.answer
    if answer.error is not None or answer.usage is None or answer.seconds is None:
        return
    before = measured(model, base_url)
    updated = _with_try(before, _image_tokens(exchange, answer.usage), answer.usage.output_tokens, answer.seconds)
    with suppress(StorageError):
        write_atomically(_path(model, base_url), to_json(updated))


def _with_try(before: Measured | None, image_tokens: float | None, output_tokens: int, seconds: float) -> Measured:
    """The means with one more try."""
    today = date.today().isoformat()
    if before is None:
        return Measured(
            n=1,
            image_tokens=image_tokens,
            n_images=0 if image_tokens is None else 1,
            output_tokens=output_tokens,
            seconds=seconds,
            on=today,
        )
    mean_image_tokens = before.image_tokens
    n_images = _n_images(before)
    if image_tokens is not None:
        mean_image_tokens = _mean_with(before.image_tokens, n_images, image_tokens)
        n_images += 1
    return Measured(
        n=before.n + 1,
        image_tokens=mean_image_tokens,
        n_images=n_images,
        output_tokens=_mean_with(before.output_tokens, before.n, output_tokens),
        seconds=_mean_with(before.seconds, before.n, seconds),
        on=today,
    )


def _n_images(measured: Measured) -> int:
    """How many tries the mean of image tokens is over."""
    if measured.image_tokens is None:
        return 0
    return measured.n if measured.n_images is None else measured.n_images


def _mean_with(mean: float | None, n: int, value: float) -> float:
    """The mean of `n` values and one more; None: there was no mean yet."""
    if mean is None:
        return value
    return (mean * n + value) / (n + 1)


def _image_tokens(exchange: Exchange, usage: Usage) -> int | None:
    """Input tokens less those of the text; None where no image was sent."""
    if exchange.picture is None:
        return None
    return max(0, usage.input_tokens - text_tokens(exchange.request, exchange.system))


def _path(model: str, base_url: str | None) -> Path:
    digest = hashlib.sha256(f"{model} {base_url or ''}".encode()).hexdigest()[:12]
    return cache_folder("tries") / f"{slug(model)}-{digest}.json"
