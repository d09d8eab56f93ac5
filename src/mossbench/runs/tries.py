"""What `mossbench try` measured of a model, kept for the dry run: tokens for an image, tokens and seconds.

It lies in the user's cache, a file for each model and endpoint, and holds no text; without it a forecast assumes.
"""

import hashlib
from contextlib import suppress
from datetime import date
from pathlib import Path

from pydantic import Field, ValidationError

from mossbench.errors import StorageError
from mossbench.outcomes import Exchange
from mossbench.plumbing.reading import read_file
from mossbench.plumbing.storage import cache_folder, slug, to_json, write_atomically
from mossbench.samples import Record
from mossbench.store.prices import text_tokens


class Measured(Record):
    """Means over the tries of one model at one endpoint."""

    n: int = Field(ge=1)
    image_tokens: float | None = None
    """Input tokens less those of the text, which are estimated; None: no try had an image."""
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
    n, past = (before.n, before.model_dump()) if before else (0, {})
    now = {"output_tokens": answer.usage.output_tokens, "seconds": answer.seconds}
    if exchange.picture is not None:
        now["image_tokens"] = max(0, answer.usage.input_tokens - text_tokens(exchange.request, exchange.system))
    mean = {
        name: value if past.get(name) is None else (past[name] * n + value) / (n + 1) for name, value in now.items()
    }
    found = Measured.model_validate({**past, **mean, "n": n + 1, "on": date.today().isoformat()})
    with suppress(StorageError):
        write_atomically(_path(model, base_url), to_json(found))


def _path(model: str, base_url: str | None) -> Path:
    digest = hashlib.sha256(f"{model} {base_url or ''}".encode()).hexdigest()[:12]
    return cache_folder("tries") / f"{slug(model)}-{digest}.json"
