"""Prepares pictures for a model: read safely, converted to a plain format, shrunk to the limits of a provider.

Invariants of a `Picture`: it can be decoded, its media type is that of its bytes (names and extensions are ignored), it
is not animated, upright and opaque, and it is within the limits for which it was prepared. Bytes that meet all of this
are kept, without their metadata; others are encoded again, without loss if that fits. Whatever is wrong with the bytes
is an `ImageError`. Safe to call from several threads; changes no global setting of Pillow. All threads together decode
a limited number of pixels at a time: large pictures one after the other, others in parallel.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from typing import Any, TypeVar, cast

from PIL import ExifTags, Image, ImageFile

from mossbench.errors import ImageError, UsageError
from mossbench.images.stripping import stripped

_T = TypeVar("_T")
PNG = "image/png"
JPEG = "image/jpeg"
WEBP = "image/webp"
GIF = "image/gif"

MAX_PIXELS = 100_000_000  # larger pictures are not decoded; a copy of this size takes 400 MB of memory
_LARGE_PIXELS = 25_000_000  # larger pictures are decoded one after the other
_MAX_SCANNED_PIXELS = 4_000_000_000  # scans x pixels of a JPEG: some 5 s; ten scans are usual, thousands an attack
_LARGEST_WRITTEN_SIDE = 16_383  # the maximum of WEBP; that of JPEG is 65,500
_STRIP = 256  # rows
_SMALLEST_SIDE = 64  # with fewer pixels on the long side a picture no longer shows what the question is about
_QUALITIES = (95, 90, 85, 80)  # below 80, shrinking the picture does less harm than a lower quality
_MAX_PROFILE_BYTES = 65_536  # the usual colour profiles have 500 to 4,000
_PROFILE_SPACES = {"RGB": b"RGB ", "L": b"GRAY"}

_READABLE = tuple(  # how the bytes begin, media type, Pillow's name
    (re.compile(pattern, re.DOTALL), media_type, name)
    for pattern, media_type, name in (
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
_UNREADABLE = tuple(  # how the bytes begin, what they are, the way out
    (re.compile(pattern, re.DOTALL | re.IGNORECASE), what, way_out)
    for pattern, what, way_out in (
        (rb"....ftyp(?:hei|hev|mif1|msf1)", "a HEIC photograph", "convert it to JPEG"),
        (rb"%PDF-", "a PDF document", "export the page as PNG"),
        (rb"<(?:!doctype html|html)", "an HTML page", "the download went wrong; fetch the image itself"),
        (rb"<(?:svg|.*<svg)", "an SVG drawing", "export it as PNG"),
        (rb"version https://git-lfs", "a Git LFS pointer", "run git lfs pull"),
    )
)


@dataclass(frozen=True)
class Limits:
    """What a provider accepts; None where it sets no limit."""

    formats: frozenset[str] = frozenset({PNG, JPEG, WEBP})
    """Media types; at least one of PNG, JPEG and WEBP."""
    max_bytes: int | None = None
    max_base64_bytes: int | None = None
    max_pixels: int | None = None
    """Width times height."""
    max_side: int | None = None
    keep_metadata: bool = False
    """Whether a file that need not be encoded again keeps its EXIF data, comments and the like."""
    as_of: str = field(default="check", compare=False)
    """Month in which the source was read; `check` if it was not."""
    source: str = field(default="the vendor's guide to images", compare=False)
    anew: bool = False
    """Whether every file is encoded again, so that nothing shows what it was before."""

    def __post_init__(self) -> None:
        if not self.formats & {PNG, JPEG, WEBP}:
            raise UsageError(
                f"limits on images allow {sorted(self.formats)}; at least one of PNG, JPEG, WEBP is needed"
            )
        for name in ("max_bytes", "max_base64_bytes", "max_pixels", "max_side"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"limit on images {name}={value}: expected at least 1, or None for no limit")

    @property
    def budget(self) -> float:
        """Maximum number of bytes of a file, before base64."""
        max_bytes = math.inf if self.max_bytes is None else self.max_bytes
        return max_bytes if self.max_base64_bytes is None else min(max_bytes, self.max_base64_bytes // 4 * 3)

    def with_one_format(self) -> Limits:
        """The same limits, but with all images encoded again in one format."""
        format = next(media_type for media_type in (JPEG, PNG, WEBP) if media_type in self.formats)
        return replace(self, formats=frozenset({format}), anew=True)

    def shrink(self, width: int, height: int) -> tuple[int, int]:
        """The largest size within the limits, with the same proportions; the same size if it is within them."""
        max_side = self.max_side or math.inf
        max_pixels = self.max_pixels or math.inf
        # More than one step only for very narrow pictures: a side of one pixel cannot shrink with the other.
        while max(width, height) > max_side or width * height > max_pixels:
            scale = min(max_side / max(width, height), math.sqrt(max_pixels / (width * height)))
            width = max(1, int(width * scale))
            height = max(1, int(height * scale))
        return width, height


DEFAULT_LIMITS = Limits(max_base64_bytes=5 * 1024 * 1024, max_side=8000)
"""What every large provider accepts."""


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

    # Cached, since the same picture is sent for its twin, for every arm and for every epoch.
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


def several(pictures: Sequence[Picture]) -> Picture | None:
    """The first of the pictures, with the others in `more`; None if there is none."""
    if not pictures:
        return None
    return replace(pictures[0], more=tuple(pictures[1:])) if len(pictures) > 1 else pictures[0]


def sniff(data: bytes) -> str | None:
    """The media type of a picture from its first bytes; None if it cannot be read. Decodes nothing."""
    return next((media_type for pattern, media_type, _ in _READABLE if pattern.match(data)), None)


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
    return _within_memory(data, lambda: _prepare(data, limits))


def _prepare(data: bytes, limits: Limits) -> Picture:
    source = _read(data, limits)
    width, height = source.size
    is_within_limits = len(data) <= limits.budget and limits.shrink(width, height) == (width, height)
    is_accepted = source.is_plain and source.media_type in limits.formats and not limits.anew
    without_metadata = (data, ()) if limits.keep_metadata else stripped(data, source.media_type)
    if without_metadata is None:
        return _write(source, limits)
    bare_data, removed = without_metadata
    if is_accepted and is_within_limits:
        return Picture(bare_data, source.media_type, width, height, removed)
    return replace(_write(source, limits), removed=removed)


def decoded(data: bytes) -> Image.Image:
    """The pixels of the picture: first frame, upright, opaque, in mode RGB or L."""
    return _within_memory(data, lambda: _read(data).image)


def thumbnail(data: bytes, side: int) -> bytes:
    """A small WEBP of the picture, at most `side` pixels wide and high."""
    return thumbnails(data, (side,))[side]


def thumbnails(data: bytes, sides: Sequence[int]) -> dict[int, bytes]:
    """Small WEBPs in several sizes; each is made from the next larger one, so that the picture is decoded once."""

    def shrink() -> dict[int, bytes]:
        image = _read(data, Limits(max_side=max(sides, default=1))).image
        files = {}
        for side in sorted(sides, reverse=True):
            image = _shrunk(image, Limits(), side)
            files[side] = _encode(image, WEBP, 80, method=2)
        return files

    return _within_memory(data, shrink)


# Reading: everything that depends on an untrusted file happens inside `_read`.


class _PixelBudget:
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


_pixel_budget = _PixelBudget(MAX_PIXELS // 2)
_large_pictures_pool = ThreadPoolExecutor(1, "large-pictures")
"""One thread, which reuses its memory; several threads would each keep their own."""


def _pillow_format(data: bytes) -> str:
    """Pillow's name of the format, from the first bytes; empty if it cannot be read."""
    return next((name for pattern, _, name in _READABLE if pattern.match(data)), "")


def _within_memory(data: bytes, work: Callable[[], _T]) -> _T:
    """What the work on a picture returns, after waiting for memory for the pixels that its header claims."""
    try:
        with _pillow_warnings_muted(), Image.open(BytesIO(data), formats=[_pillow_format(data)]) as image:
            n_pixels = image.width * image.height
    except Exception:  # as in `_read`, which says what is wrong
        n_pixels = 0
    if n_pixels > _LARGE_PIXELS:
        return _large_pictures_pool.submit(work).result()
    with _pixel_budget.take(n_pixels):
        return work()


@dataclass(frozen=True)
class _Source:
    image: Image.Image
    """First frame, upright, opaque, RGB or L, no metadata but the colour profile."""
    size: tuple[int, int]
    """Of the picture; `image` may have been shrunk while it was decoded."""
    media_type: str
    is_plain: bool
    """Whether every decoder shows exactly this picture for the original bytes."""


def _read(data: bytes, limits: Limits | None = None) -> _Source:
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


def _decode(image: ImageFile.ImageFile, data: bytes, media_type: str, limits: Limits | None) -> _Source:
    _refuse_bombs(image.size, data, media_type)
    is_animated = getattr(image, "is_animated", False)  # before load(), since this rewinds a GIF
    size = image.size
    if limits is not None:
        width, height = limits.shrink(*size)
        if (width, height) != size:
            image.draft(None, (2 * width, 2 * height))  # JPEG only; twice as large, for a better result
    image.load()
    turn = _TURNS.get(_orientation(image))
    is_opaque_8_bit = image.mode in ("RGB", "L", "P") and not image.has_transparency_data
    is_still_and_upright = not is_animated and turn is None
    pixels = _opaque_8_bit(image if turn is None else image.transpose(turn))
    profile = image.info.get("icc_profile") or b""  # None for a damaged one
    is_usual_profile = len(profile) <= _MAX_PROFILE_BYTES and profile[16:20] == _PROFILE_SPACES[pixels.mode]
    pixels.info = {"icc_profile": profile} if is_usual_profile else {}  # no comments, no positions, no thumbnails
    return _Source(
        image=pixels,
        size=size if turn is None or turn in _MIRRORS else size[::-1],
        media_type=media_type,
        is_plain=is_opaque_8_bit and is_still_and_upright and _strict_decoders_agree(data, media_type),
    )


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


_JPEG_SCAN = re.compile(rb"\xff\xda\0[\x08\x0a\x0c\x0e][\x01-\x04]")


def _refuse_bombs(size: tuple[int, int], data: bytes, media_type: str) -> None:
    pixels = size[0] * size[1]
    if pixels > MAX_PIXELS:
        raise ImageError(
            f"{media_type} claims {size[0]} x {size[1]} pixels; expected at most {MAX_PIXELS:,}; shrink it"
        )
    scans = len(_JPEG_SCAN.findall(data)) if media_type == JPEG else 1
    if scans * pixels > _MAX_SCANNED_PIXELS:
        raise ImageError(f"{media_type} has {scans} scans, as a decompression bomb has; save it as a baseline JPEG")


_TURNS = {  # by EXIF orientation; 1 is upright
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_MIRRORS = {_TURNS[2], _TURNS[3], _TURNS[4]}  # width stays width


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # as many types as in `_read`; damaged metadata do no harm to the picture
        return 1
    return value if isinstance(value, int) else 1


def _strict_decoders_agree(data: bytes, media_type: str) -> bool:
    """False for a PNG that Pillow accepts but other decoders may not: wrong checksums, no end, 16 bits a channel."""
    if media_type != PNG:
        return True
    try:
        Image.open(BytesIO(data), formats=["PNG"]).verify()
    except Exception:  # as in `_read`
        return False
    return data[24] <= 8


def _opaque_8_bit(image: Image.Image) -> Image.Image:
    """The same picture in mode RGB or L, with white for transparent pixels."""
    if image.mode[0] in "IF":  # I, I;16, I;16B, F
        return _scaled_to_8_bit(image)
    if image.has_transparency_data:
        flat = Image.new("RGB", image.size)
        for top in range(0, image.height, _STRIP):  # in strips: three copies of a whole picture may take a gigabyte
            strip = image.crop((0, top, image.width, min(top + _STRIP, image.height)))
            rgba = (strip.convert("LA") if strip.mode == "La" else strip).convert("RGBA")
            flat.paste(Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB"), (0, top))
        return flat
    mode = "L" if image.mode in ("1", "L") else "RGB"
    return image if image.mode == mode else image.convert(mode)


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
    for pattern, title, way_out in _UNREADABLE:
        if pattern.match(head):
            return f"not an image that models accept, but {title}; {way_out}"
    return f"not an image: {len(data):,} bytes that begin with {data[:12]!r}; expected PNG, JPEG, WEBP or the like"


# Writing


def _write(source: _Source, limits: Limits) -> Picture:
    """The best file within the limits: without loss, then of decreasing quality, then of decreasing size."""
    image = _shrunk(source.image, limits, _LARGEST_WRITTEN_SIDE)
    encodings = _encodings(source, limits)
    best = _best_that_fits(image, encodings, limits.budget)
    if best is not None:
        return best
    smallest_type, smallest_quality = encodings[-1]
    data = _encode(image, smallest_type, smallest_quality)
    while len(data) > limits.budget:
        side = max(image.size)
        if side <= _SMALLEST_SIDE:
            raise ImageError(
                f"image of {source.size[0]} x {source.size[1]} pixels does not fit {limits.budget:,} bytes "
                f"as {smallest_type}, not even at {image.width} x {image.height}; raise the limit"
            )
        # The number of bytes is about proportional to that of pixels; aims a little lower, to need few steps.
        side = int(side * min(0.95, 0.98 * math.sqrt(limits.budget / len(data))))
        image = _shrunk(source.image, limits, max(side, _SMALLEST_SIDE))
        data = _encode(image, smallest_type, smallest_quality)
    best = _best_that_fits(image, encodings, limits.budget)
    return best or Picture(data, smallest_type, *image.size)


def _best_that_fits(image: Image.Image, encodings: list[tuple[str, int]], budget: float) -> Picture | None:
    """The picture in the first encoding that is within the budget, at this size; None if none is."""
    for media_type, quality in encodings:
        with suppress(_BudgetExceeded):
            return Picture(_encode(image, media_type, quality, budget), media_type, *image.size)
    return None


def _encodings(source: _Source, limits: Limits) -> list[tuple[str, int]]:
    """Media types and qualities to try, best first. A JPEG gains nothing from becoming a PNG."""
    lossy_type = next((media_type for media_type in (JPEG, WEBP) if media_type in limits.formats), None)
    encodings = [(lossy_type, quality) for quality in _QUALITIES] if lossy_type else []
    if PNG in limits.formats and (source.media_type != JPEG or not lossy_type):
        encodings.insert(0, (PNG, 100))
    return encodings


def _shrunk(image: Image.Image, limits: Limits, side: int) -> Image.Image:
    size = replace(limits, max_side=min(side, limits.max_side or side)).shrink(*image.size)
    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


class _BudgetExceeded(Exception):
    """The file would have more bytes than allowed."""


class _BytesWithinBudget(BytesIO):
    """Stops the encoder when the budget is spent: a PNG of 12 megapixels that will not fit takes 0.4 s and not 3."""

    def __init__(self, budget: float) -> None:
        super().__init__()
        self.budget = budget

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > self.budget:
            raise _BudgetExceeded
        return super().write(data)


def _encode(image: Image.Image, media_type: str, quality: int, budget: float = math.inf, *, method: int = 4) -> bytes:
    """The picture as a file. WEBP's `method` 2 takes half the time of 4 and 5 % more bytes."""
    out = _BytesWithinBudget(budget)
    # PNG ignores quality and subsampling. Without subsampling (0), thin coloured letters stay readable.
    profile = image.info.get("icc_profile", b"")
    image.save(
        out, media_type.removeprefix("image/"), quality=quality, subsampling=0, icc_profile=profile, method=method
    )
    return out.getvalue()
