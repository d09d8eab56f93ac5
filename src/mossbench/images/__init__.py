"""Images: read safely, made ready for a model (`preparing`), or changed on purpose (`retouching`)."""

from mossbench.images.preparing import (
    DEFAULT_LIMITS,
    GIF,
    JPEG,
    MAX_PIXELS,
    PNG,
    WEBP,
    Limits,
    Picture,
    decoded,
    prepare,
    several,
    sniff,
    thumbnail,
    thumbnails,
)

__all__ = [
    "DEFAULT_LIMITS",
    "GIF",
    "JPEG",
    "Limits",
    "MAX_PIXELS",
    "PNG",
    "Picture",
    "WEBP",
    "decoded",
    "prepare",
    "several",
    "sniff",
    "thumbnail",
    "thumbnails",
]
