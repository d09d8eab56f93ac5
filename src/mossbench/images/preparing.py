"""Prepares pictures for a model: read safely, converted to a plain format, shrunk to the limits of a provider.

Invariants of a `Picture`: it can be decoded, its media type is that of its bytes (names and extensions are ignored), it
is not animated, upright and opaque, and it is within the limits for which it was prepared. Bytes that meet all of this
are kept, without their metadata; others are encoded again, without loss if that fits. `decoding` reads the bytes,
`encoding` writes them.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from PIL import Image

from mossbench.images.decoding import read_picture, within_memory
from mossbench.images.encoding import encode, shrunk, write_picture
from mossbench.images.limits import DEFAULT_LIMITS, WEBP
from mossbench.images.limits import Limits as Limits  # a public name of the package
from mossbench.images.stripping import stripped


@dataclass(frozen=True)
class Picture:
    """A picture as it can be sent."""

    data: bytes
    media_type: str
    width: int
    height: int
    removed: tuple[str, ...] = ()
    """What was removed from the file: EXIF, comments, bytes after its end."""
    more: tuple[Picture, ...] = ()
    """Pictures that come after it, in order, if it is the first of several that a judge is shown."""

    # Cached, since the same picture is sent for its twin, under every arm and in every epoch.
    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def _base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")

    @cached_property
    def _data_url(self) -> str:
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"

    def base64(self) -> str:
        return self._base64

    def data_url(self) -> str:
        return self._data_url


def joined_pictures(pictures: Sequence[Picture]) -> Picture | None:
    """The first of the pictures, with the others in `more`; None if there is none."""
    if not pictures:
        return None
    first, *others = pictures
    return replace(first, more=tuple(others)) if others else first


def prepare(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Picture:
    """The picture in `data` in a form that a provider with these limits accepts.

    The whole picture is decoded in any case. Its bytes are kept if they have an accepted format and are within the
    limits, complete, upright, opaque, not animated, 8 bits; what the file has in addition (positions, names, comments)
    is removed. Otherwise the first frame is turned upright, flattened on white and encoded again: as PNG if the source
    was no JPEG and that fits, else as JPEG (WEBP if JPEG is not accepted) of decreasing quality, else with fewer
    pixels.

    Raises:
        ImageError: Not a picture, damaged, hostile, or too large for the limits even at the smallest useful size.
    """
    return within_memory(data, lambda: _prepare(data, limits))


def _prepare(data: bytes, limits: Limits) -> Picture:
    source = read_picture(data, limits)
    without_metadata = (data, ()) if limits.keep_metadata else stripped(data, source.media_type)
    if without_metadata is None:
        return Picture(*write_picture(source, limits))
    bare_data, removed = without_metadata
    width, height = source.size
    is_within_limits = len(data) <= limits.max_file_bytes and limits.shrink(width, height) == (width, height)
    is_accepted = source.is_plain and source.media_type in limits.formats and not limits.encode_again
    if is_accepted and is_within_limits:
        return Picture(bare_data, source.media_type, width, height, removed)
    return Picture(*write_picture(source, limits), removed)


def decoded(data: bytes) -> Image.Image:
    """The pixels of the picture: first frame, upright, opaque, in mode RGB or L."""
    return within_memory(data, lambda: read_picture(data).image)


def thumbnail(data: bytes, side: int) -> bytes:
    """A small WEBP of the picture, at most `side` pixels wide and high."""
    return thumbnails(data, (side,))[side]


def thumbnails(data: bytes, sides: Sequence[int]) -> dict[int, bytes]:
    """Small WEBPs in several sizes; each is made from the next larger one, so that the picture is decoded once."""

    def shrink() -> dict[int, bytes]:
        image = read_picture(data, Limits(max_side=max(sides, default=1))).image
        files = {}
        for side in sorted(sides, reverse=True):
            image = shrunk(image, Limits(), side)
            files[side] = encode(image, WEBP, 80, method=2)
        return files

    return within_memory(data, shrink)
