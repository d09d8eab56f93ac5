"""Images as values: the bytes of a file, a Pillow image, an array of pixels, or what the hub's libraries give."""

from __future__ import annotations

from io import BytesIO, IOBase, TextIOBase
from typing import TYPE_CHECKING, Any

from mossbench.images.decoding import sniff

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

_PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
"""Modes of Pillow that a PNG holds without loss; images of other modes are made RGB."""
_N_CHANNELS = (1, 3, 4)
_COMPRESSION = 1  # of 9: writing takes a fifth of the time, files are a little larger


def is_image_value(value: object) -> bool:
    """Whether a value is an image itself, and not the path of one."""
    if isinstance(value, (bytes, bytearray, memoryview)) or _is_pillow(value) or _is_open_file(value):
        return True
    if isinstance(value, dict):  # as the hub's libraries give images that are not decoded
        return isinstance(value.get("bytes"), (bytes, bytearray))
    return _n_dimensions(value) >= 2


def image_bytes(value: Any) -> bytes:
    """The image as the bytes of a file: those that are given, or else a PNG; ValueError if it is no image."""
    if isinstance(value, dict):
        value = value["bytes"]
    if _is_open_file(value):
        value.seek(0)
        value = value.read()
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        if sniff(data) is None:
            raise ValueError(f"{len(data)} bytes that are no image (they begin with {data[:8]!r})")
        return data
    return _png(value if _is_pillow(value) else _image_of_pixels(value))


def _is_pillow(value: object) -> bool:
    from PIL.Image import Image

    return isinstance(value, Image)


def _is_open_file(value: object) -> bool:
    """Whether it is a file that is read as bytes, such as io.BytesIO."""
    return isinstance(value, IOBase) and not isinstance(value, TextIOBase)


def _n_dimensions(value: object) -> int:
    """How many dimensions an array or a tensor has; 0 for anything else."""
    n_dimensions = getattr(value, "ndim", 0)
    is_array = hasattr(value, "__array__") and isinstance(n_dimensions, int)
    return n_dimensions if is_array else 0


def _image_of_pixels(pixels: Any) -> Image:
    """The image of an array of grey, RGB or RGBA pixels; channels may be the last or the first dimension."""
    import numpy as np
    from PIL import Image

    array = np.asarray(pixels)
    shape = " × ".join(map(str, array.shape))
    if array.ndim == 3 and array.shape[-1] not in _N_CHANNELS and array.shape[0] in _N_CHANNELS:
        array = np.moveaxis(array, 0, -1)
    is_image = array.ndim == 2 or (array.ndim == 3 and array.shape[-1] in _N_CHANNELS)
    if not is_image or not array.size:
        raise ValueError(f"an array of {shape}; expected height × width, with 1, 3 or 4 channels at most")
    if array.ndim == 3 and array.shape[-1] == 1:
        array = array[:, :, 0]
    return Image.fromarray(np.ascontiguousarray(_as_bytes(array)))


def _as_bytes(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Pixels from 0 to 255: whole numbers as they are, fractions from 0 to 1 scaled."""
    import numpy as np

    if array.dtype == bool:
        return array.astype(np.uint8) * 255
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise ValueError(f"an array of {array.dtype}; expected whole numbers from 0 to 255, or fractions from 0 to 1")
    lowest = array.min()
    highest = array.max()
    is_fraction = np.issubdtype(array.dtype, np.floating)
    limit = 1 if is_fraction else 255
    if not (lowest >= 0 and highest <= limit):  # also where one of them is NaN
        expected = "fractions from 0 to 1" if is_fraction else "whole numbers from 0 to 255"
        raise ValueError(f"an array of {array.dtype} from {lowest:g} to {highest:g}; expected {expected}")
    scaled = np.rint(array * 255.0) if is_fraction else array
    return scaled.astype(np.uint8)


def _png(image: Image) -> bytes:
    """The image as a PNG, upright, without anything but its pixels."""
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(image)
    if upright.mode not in _PNG_MODES:
        upright = upright.convert("RGB")
    file = BytesIO()
    upright.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()
