"""A cache of images that can be sent unchanged, so that later processes need not decode them to check.

Each is a line in the user's cache: the hash of its bytes, and the limits; the name of the file depends on our code and
the version of Pillow.
"""

import hashlib
import re
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path

from PIL import __version__ as pillow

from mossbench.errors import StorageError
from mossbench.images import preparing, stripping
from mossbench.images.limits import Limits
from mossbench.images.preparing import Picture, prepare
from mossbench.plumbing.cache_folders import cache_folder

_MOST_BYTES = 8_000_000  # some 80,000 images; then the cache is emptied
_LINE = re.compile(r"^(\w{64} \w{12}) (image/\w+) (\d+) (\d+)\n", re.MULTILINE)


def prepared(data: bytes, limits: Limits) -> Picture:
    """The same picture as `prepare` returns, from the cache if it is in there."""
    try:
        file = cache_folder("images") / f"fine-{_code_version()}"
    except StorageError:  # the cache only saves time
        return prepare(data, limits)
    cache = _read_cache(file)
    key = f"{hashlib.sha256(data).hexdigest()} {_digest(limits)}"
    if key in cache:
        return Picture(data, *cache[key])
    picture = prepare(data, limits)
    if picture.data == data and not picture.removed:
        cache[key] = (picture.media_type, picture.width, picture.height)
        with suppress(OSError), file.open("ab") as lines:
            lines.write(f"{key} {picture.media_type} {picture.width} {picture.height}\n".encode())
    return picture


@cache
def _read_cache(file: Path) -> dict[str, tuple[str, int, int]]:
    """Hash and limits -> media type, width and height."""
    with suppress(OSError):
        if file.stat().st_size > _MOST_BYTES:
            file.unlink()
        lines = _LINE.findall(file.read_text("ascii", errors="replace"))
        return {key: (media_type, int(width), int(height)) for key, media_type, width, height in lines}
    return {}


@cache
def _digest(limits: Limits) -> str:
    values = {field.name: getattr(limits, field.name) for field in fields(limits) if field.compare}
    return hashlib.sha256(repr({**values, "formats": sorted(limits.formats)}).encode()).hexdigest()[:12]


@cache
def _code_version() -> str:
    """A hash of the code that decides whether an image can be sent unchanged, and of the version of Pillow."""
    code = [Path(str(module.__file__)).read_bytes() for module in (preparing, stripping)]
    return hashlib.sha256(b"".join((*code, pillow.encode()))).hexdigest()[:12]
