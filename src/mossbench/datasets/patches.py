"""Pictures that ship as a patch: a whole picture, a small one, and the place where the small one lies on it.

The composed picture is a PNG whose bytes follow from its pixels alone: the compression is our own and simple (runs of
equal bytes), because that of a library may change with its version, and with it the hash of a dataset.
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.errors import DataError

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Patched:
    """How one picture is composed; paths are relative to the dataset's root."""

    base: str
    patch: str
    left: int
    top: int
    sha256: str
    """Of the composed picture's bytes."""


def composed_file(root: Path, name: str, patched: Patched) -> Path:
    """The composed picture as a file in the cache, made when it is not there yet."""
    file = _folder() / f"{patched.sha256[:16]}-{Path(name).name}"
    if file.is_file():
        return file
    try:
        base, patch = ((root / part).read_bytes() for part in (patched.base, patched.patch))
    except OSError as error:
        raise DataError(
            f"cannot read the picture {error.filename}: {error.strerror}; install mossbench again"
        ) from error
    data = compose(base, patch, patched.left, patched.top)
    if hashlib.sha256(data).hexdigest() != patched.sha256:
        raise DataError(f"{name} does not come out as it should: {root} was changed; install mossbench again")
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as partial:  # several processes may make it at once
        partial.write(data)
    os.replace(partial.name, file)
    return file


def _folder() -> Path:
    """Where composed pictures are kept: the user's cache, or the folder for temporary files when that is closed."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mossbench" / "pictures"
    for folder in (home, Path(tempfile.gettempdir()) / f"mossbench-pictures-{os.environ.get('USER', 'user')}"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise DataError(f"no place to keep pictures: neither {home} nor the folder for temporary files can be written")


def compose(base: bytes, patch: bytes, left: int, top: int) -> bytes:
    """`patch` laid onto `base` with its upper left corner at (left, top), as PNG."""
    from io import BytesIO

    import numpy as np
    from PIL import Image

    with Image.open(BytesIO(base)) as picture, Image.open(BytesIO(patch)) as small:
        whole = picture.convert("RGB")
        whole.paste(small.convert("RGB"), (left, top))
    return png(np.asarray(whole))


def png(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """Rows of RGB pixels as a PNG, the same bytes everywhere; each row is stored as its difference to the one above."""
    import numpy as np

    height, width, _ = pixels.shape
    rows = np.full((height, 1 + width * 3), 2, np.uint8)  # 2: the filter "up"
    flat = pixels.reshape(height, -1)
    rows[:, 1:] = flat
    rows[1:, 1:] -= flat[:-1]
    raw = rows.tobytes()
    packed = b"\x78\x01" + _deflated(np.frombuffer(raw, np.uint8)) + struct.pack(">I", zlib.adler32(raw))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


LONGEST = 258
"""Bytes that one repetition in a deflate stream can stand for; the shortest is 3."""


def _deflated(data: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """One deflate block with the fixed codes: each run of equal bytes is its first byte and repetitions of it."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], data[1:] != data[:-1])))
    rest = np.diff(np.append(starts, len(data))) - 1  # bytes of each run after its first
    full, tail = rest // LONGEST, rest % LONGEST
    n_codes = 1 + full + np.where(tail >= 3, 1, tail)
    run = np.repeat(np.arange(len(starts)), n_codes)
    place = np.arange(len(run)) - np.repeat(np.cumsum(n_codes) - n_codes, n_codes)
    symbol = data[starts][run].astype(np.int64)  # literals; 256 + n stands for n repetitions
    symbol[(place >= 1) & (place <= full[run])] = 256 + LONGEST
    last = (place == full[run] + 1) & (tail[run] >= 3)
    symbol[last] = 256 + tail[run][last]
    table = np.array(_codes(), np.int64)
    value, width = table[symbol, 0], table[symbol, 1]
    offset = 3 + np.cumsum(width) - width
    bits = np.zeros(3 + int(width.sum()) + 7, np.uint8)  # ends with the seven zero bits of "end of block"
    bits[:2] = 1  # last block, fixed codes
    for k in range(int(width.max())):
        has = width > k
        bits[offset[has] + k] = value[has] >> k & 1
    return np.packbits(bits, bitorder="little").tobytes()


@cache
def _codes() -> tuple[tuple[int, int], ...]:
    """Bits and their number for each literal byte, and at 256 + n for n repetitions of the byte before."""
    out = []
    for byte in range(256):
        code, width = (0x30 + byte, 8) if byte < 144 else (0x190 + byte - 144, 9)
        out.append((_reversed(code, width), width))
    out += [(0, 0)] * 3  # fewer than three repetitions have no code
    for n in range(3, LONGEST + 1):
        symbol, extra, n_extra = _length_symbol(n)
        code, width = (symbol - 256, 7) if symbol < 280 else (0xC0 + symbol - 280, 8)
        out.append((_reversed(code, width) | extra << width, width + n_extra + 5))  # five zero bits: distance 1
    return tuple(out)


def _length_symbol(n: int) -> tuple[int, int, int]:
    """Symbol, extra bits and their number for a repetition of `n` bytes."""
    if n == LONGEST:
        return 285, 0, 0
    if n < 11:
        return 254 + n, 0, 0
    n_extra = (n - 3).bit_length() - 3
    return 257 + 4 * n_extra + (n - 3 >> n_extra), (n - 3) & (1 << n_extra) - 1, n_extra


def _reversed(code: int, width: int) -> int:
    return int(f"{code:0{width}b}"[::-1], 2)
