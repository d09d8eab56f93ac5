"""Reads pictures safely: everything that depends on an untrusted file happens here.

Whatever is wrong with the bytes is an `ImageError`. Safe to call from several threads; changes no global setting of
Pillow. All threads together decode a limited number of pixels at a time: large pictures one after the other, others in
parallel.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple, TypeVar, cast

from PIL import ExifTags, Image, ImageFile

from mossbench.errors import ImageError
from mossbench.images.limits import GIF, JPEG, PNG, WEBP, Limits

_T = TypeVar("_T")

MAX_PIXELS = 100_000_000
"""Larger pictures are not decoded; a copy of this size takes 400 MB of memory."""
LARGE_PIXELS = 25_000_000
"""Larger pictures are decoded one after the other."""
_MAX_SCANNED_PIXELS = 4_000_000_000
"""Scans × pixels of a JPEG: some 5 s; ten scans are usual, thousands an attack."""
_STRIP = 256
"""Rows of a picture that are flattened together."""
_MAX_PROFILE_BYTES = 65_536
"""The usual colour profiles have 500 to 4,000."""
_PROFILE_SPACES = {"RGB": b"RGB ", "L": b"GRAY"}
"""What a colour profile says that it is for, by the mode of the picture."""
_JPEG_SCAN = re.compile(rb"\xff\xda\0[\x08\x0a\x0c\x0e][\x01-\x04]")


class _Format(NamedTuple):
    """A format that can be read."""

    beginning: re.Pattern[bytes]
    """How the bytes begin."""
    media_type: str
    pillow_name: str


_READABLE = tuple(
    _Format(re.compile(pattern, re.DOTALL), media_type, pillow_name)
    for pattern, media_type, pillow_name in (
        (rb"\x89PNG\r\n\x1a\n", PNG, "PNG"),
        (rb"\xff\xd8\xff", JPEG, "JPEG"),
        (rb"RIFF....WEBP", WEBP, "WEBP"),
        (rb"GIF8[79]a", GIF, "GIF"),
        (rb"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0", "image/bmp", "BMP"),
        (rb"II[*+]\0|MM\0[*+]", "image/tiff", "TIFF"),
        (rb"....ftyp(?:....){0,12}?avi[fs]", "image/avif", "AVIF"),
        (rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51", "image/jp2", "JPEG2000"),
        (rb"P[456]\s", "image/x-portable-anymap", "PPM"),
    )
)


class _UnreadableFormat(NamedTuple):
    """A kind of file that people take for a picture."""

    beginning: re.Pattern[bytes]
    """How the bytes begin."""
    title: str
    way_out: str


_UNREADABLE = tuple(
    _UnreadableFormat(re.compile(pattern, re.DOTALL | re.IGNORECASE), title, way_out)
    for pattern, title, way_out in (
        (rb"....ftyp(?:hei|hev|mif1|msf1)", "a HEIC photograph", "convert it to JPEG"),
        (rb"%PDF-", "a PDF document", "export the page as PNG"),
        (rb"<(?:!doctype html|html)", "an HTML page", "the download went wrong; fetch the image itself"),
        (rb"<(?:svg|.*<svg)", "an SVG drawing", "export it as PNG"),
        (rb"version https://git-lfs", "a Git LFS pointer", "run git lfs pull"),
    )
)
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How to turn a picture upright, by its EXIF orientation; 1 is upright."""
_KEEP_WIDTH = {_TURNS[2], _TURNS[3], _TURNS[4]}
"""Turns after which the width is still the width."""


def sniff(data: bytes) -> str | None:
    """The media type of a picture from its first bytes; None if it cannot be read. Decodes nothing."""
    format = _format_of(data)
    return None if format is None else format.media_type


def _format_of(data: bytes) -> _Format | None:
    return next((format for format in _READABLE if format.beginning.match(data)), None)


def _pillow_format(data: bytes) -> str:
    """Pillow's name of the format, from the first bytes; empty if it cannot be read."""
    format = _format_of(data)
    return "" if format is None else format.pillow_name


# How many pixels are decoded at a time


class PixelBudget:
    """How many pixels all threads may decode at a time; a thread that needs more than are free waits."""

    def __init__(self, n_pixels: int) -> None:
        self._n_pixels = n_pixels
        self._n_free = n_pixels
        self._freed = threading.Condition()

    @contextmanager
    def take(self, n_pixels: int) -> Iterator[None]:
        n_taken = min(n_pixels, self._n_pixels)
        with self._freed:
            self._freed.wait_for(lambda: self._n_free >= n_taken)
            self._n_free -= n_taken
        try:
            yield
        finally:
            with self._freed:
                self._n_free += n_taken
                self._freed.notify_all()


_pixel_budget = PixelBudget(MAX_PIXELS // 2)
_large_pictures_pool = ThreadPoolExecutor(1, "large-pictures")
"""One thread, which reuses its memory; several threads would each keep their own."""


def within_memory(data: bytes, work: Callable[[], _T]) -> _T:
    """What the work on a picture returns, after waiting for memory for the pixels that its header claims."""
    try:
        with _pillow_warnings_muted(), Image.open(BytesIO(data), formats=[_pillow_format(data)]) as image:
            n_pixels = image.width * image.height
    except Exception:  # as in `read_picture`, which says what is wrong
        n_pixels = 0
    if n_pixels > LARGE_PIXELS:
        return _large_pictures_pool.submit(work).result()
    with _pixel_budget.take(n_pixels):
        return work()


# Reading


@dataclass(frozen=True)
class SourcePicture:
    """A picture as it was read."""

    image: Image.Image
    """First frame, upright, opaque, RGB or L, no metadata but the colour profile."""
    size: tuple[int, int]
    """Of the picture; `image` may have been shrunk while it was decoded."""
    media_type: str
    is_plain: bool
    """Whether every decoder shows exactly this picture for the original bytes."""


def read_picture(data: bytes, limits: Limits | None = None) -> SourcePicture:
    """The picture; if the limits will shrink it anyway and the format allows, it is decoded at a smaller size."""
    media_type = sniff(data)
    if media_type is None:
        raise ImageError(_why_not_a_picture(data))
    try:
        with _pillow_warnings_muted():
            image = Image.open(BytesIO(data), formats=[_pillow_format(data)])
            return _decode(image, data, media_type, limits)
    except ImageError:
        raise
    except Image.DecompressionBombError as error:  # raised before our own check
        n_pixels = "".join(re.findall(r"\((\d+) pixels", str(error)))
        raise ImageError(
            f"{media_type} claims {n_pixels} pixels; expected at most {MAX_PIXELS:,}; shrink it"
        ) from error
    except Exception as error:  # Pillow raises whatever its decoders raise, from struct.error to MemoryError
        reason = str(error).partition(" <_io")[0].rstrip(".") or type(error).__name__  # without our buffer's address
        raise ImageError(
            f"{media_type} of {len(data):,} bytes cannot be decoded: {reason}; replace the file"
        ) from error


def _decode(image: ImageFile.ImageFile, data: bytes, media_type: str, limits: Limits | None) -> SourcePicture:
    _refuse_bombs(image.size, data, media_type)
    is_animated = getattr(image, "is_animated", False)  # before load(), since this rewinds a GIF
    size = image.size
    if limits is not None:
        _decode_smaller(image, limits)
    image.load()
    turn = _TURNS.get(_orientation(image))
    is_opaque_8_bit = image.mode in ("RGB", "L", "P") and not image.has_transparency_data
    is_still_and_upright = not is_animated and turn is None
    pixels = _opaque_8_bit(image if turn is None else image.transpose(turn))
    pixels.info = _only_profile(image, pixels.mode)
    return SourcePicture(
        image=pixels,
        size=size if turn is None or turn in _KEEP_WIDTH else size[::-1],
        media_type=media_type,
        is_plain=is_opaque_8_bit and is_still_and_upright and _strict_decoders_agree(data, media_type),
    )


def _decode_smaller(image: ImageFile.ImageFile, limits: Limits) -> None:
    """Has a JPEG decoded at a smaller size, if the limits will shrink it anyway; no effect on other formats."""
    width, height = limits.shrink(*image.size)
    if (width, height) != image.size:
        image.draft(None, (2 * width, 2 * height))  # twice as large as needed, for a better result


def _only_profile(image: Image.Image, mode: str) -> dict[str | tuple[int, int], Any]:
    """What is kept of a picture beside its pixels: a usual colour profile. No comments, positions or thumbnails."""
    profile = image.info.get("icc_profile") or b""  # None for a damaged one
    is_usual = len(profile) <= _MAX_PROFILE_BYTES and profile[16:20] == _PROFILE_SPACES[mode]
    return {"icc_profile": profile} if is_usual else {}


@contextmanager
def _pillow_warnings_muted() -> Iterator[None]:
    # Not `catch_warnings`: it replaces the filters of the whole process, and if two threads leave it in the wrong
    # order, the wrong filters remain. Adding one entry to the list and removing it is safe in any order.
    filters = cast(list[Any], warnings.filters)
    muted = ("ignore", None, Warning, re.compile(r"PIL\."), 0)
    filters.insert(0, muted)
    try:
        yield
    finally:
        with suppress(ValueError):  # somebody has emptied the list
            filters.remove(muted)


def _refuse_bombs(size: tuple[int, int], data: bytes, media_type: str) -> None:
    """An ImageError if decoding would take too much memory, or too long."""
    width, height = size
    n_pixels = width * height
    if n_pixels > MAX_PIXELS:
        raise ImageError(f"{media_type} claims {width} x {height} pixels; expected at most {MAX_PIXELS:,}; shrink it")
    n_scans = len(_JPEG_SCAN.findall(data)) if media_type == JPEG else 1
    if n_scans * n_pixels > _MAX_SCANNED_PIXELS:
        raise ImageError(f"{media_type} has {n_scans} scans, as a decompression bomb has; save it as a baseline JPEG")


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # as many types as in `read_picture`; damaged metadata do no harm to the picture
        return 1
    return value if isinstance(value, int) else 1


def _strict_decoders_agree(data: bytes, media_type: str) -> bool:
    """False for a PNG that Pillow accepts but other decoders may not: wrong checksums, no end, 16 bits a channel."""
    if media_type != PNG:
        return True
    try:
        Image.open(BytesIO(data), formats=["PNG"]).verify()
    except Exception:  # as in `read_picture`
        return False
    return data[24] <= 8


def _opaque_8_bit(image: Image.Image) -> Image.Image:
    """The same picture in mode RGB or L, with white for transparent pixels."""
    if image.mode[0] in "IF":  # I, I;16, I;16B, F
        return _scaled_to_8_bit(image)
    if image.has_transparency_data:
        return _flattened_on_white(image)
    mode = "L" if image.mode in ("1", "L") else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _flattened_on_white(image: Image.Image) -> Image.Image:
    """The picture without transparency, in strips: three copies of a whole picture may take a gigabyte."""
    flat = Image.new("RGB", image.size)
    for top in range(0, image.height, _STRIP):
        bottom = min(top + _STRIP, image.height)
        strip = image.crop((0, top, image.width, bottom))
        if strip.mode == "La":  # premultiplied, which has no way to RGBA of its own
            strip = strip.convert("LA")
        rgba = strip.convert("RGBA")
        white = Image.new("RGBA", rgba.size, "white")
        flat.paste(Image.alpha_composite(white, rgba).convert("RGB"), (0, top))
    return flat


def _scaled_to_8_bit(image: Image.Image) -> Image.Image:
    """The picture with white at the maximum of its mode; for floats, of 1, 255 and 65,535 the first that is enough."""
    values = image if image.mode == "F" else image.convert("I")
    brightest = cast(tuple[float, float], values.getextrema())[1]
    scales = (1, 255, 65_535) if image.mode == "F" else (65_535,)
    white = next((scale for scale in scales if brightest <= scale), brightest)
    return values.point(lambda value: value * (255 / white) + 0.5).convert("L")


def _why_not_a_picture(data: bytes) -> str:
    if not data:
        return "the image file is empty; fetch or export it again"
    head = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    for format in _UNREADABLE:
        if format.beginning.match(head):
            return f"not an image that models accept, but {format.title}; {format.way_out}"
    return f"not an image: {len(data):,} bytes that begin with {data[:12]!r}; expected PNG, JPEG, WEBP or the like"
