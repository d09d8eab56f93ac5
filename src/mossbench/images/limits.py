"""What a provider accepts of a picture: formats, bytes, pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from mossbench.errors import UsageError

PNG = "image/png"
JPEG = "image/jpeg"
WEBP = "image/webp"
GIF = "image/gif"


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
    encode_again: bool = False
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
    def max_file_bytes(self) -> float:
        """Maximum number of bytes of a file, before base64."""
        max_bytes = math.inf if self.max_bytes is None else self.max_bytes
        if self.max_base64_bytes is None:
            return max_bytes
        return min(max_bytes, self.max_base64_bytes // 4 * 3)

    def with_one_format(self) -> Limits:
        """The same limits, but with all images encoded again in one format."""
        media_type = next(media_type for media_type in (JPEG, PNG, WEBP) if media_type in self.formats)
        return replace(self, formats=frozenset({media_type}), encode_again=True)

    def shrink(self, width: int, height: int) -> tuple[int, int]:
        """The largest size within the limits, with the same proportions; the same size if it is within them."""
        max_side = self.max_side or math.inf
        max_pixels = self.max_pixels or math.inf
        # One step is enough but for very narrow pictures: a side of one pixel cannot shrink with the other.
        while max(width, height) > max_side or width * height > max_pixels:
            scale = min(max_side / max(width, height), math.sqrt(max_pixels / (width * height)))
            width = max(1, int(width * scale))
            height = max(1, int(height * scale))
        return width, height


DEFAULT_LIMITS = Limits(max_base64_bytes=5 * 1024 * 1024, max_side=8000)
"""What every large provider accepts."""
