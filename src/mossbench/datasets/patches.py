"""Pictures that ship as a patch: a whole picture, a small one, and the place where the small one lies on it.

The composed picture is a PNG whose bytes follow from its pixels alone: the compression is our own and simple (runs of
equal bytes), because that of a library may change with its version, and with it the hash of a dataset.
"""

import hashlib
import struct
import threading
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mossbench.errors import DataError
from mossbench.plumbing.storage import cache_folder, write_atomically
from mossbench.plumbing.untrusted_files import digest_of, read_file

Array = Any
"""numpy's ndarray; numpy is imported where it is used."""
_composing = [threading.Lock() for _ in range(256)]


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
    """The composed picture as a file in the cache, made when it is not there yet; who asks for it meanwhile waits."""
    file = cache_folder("pictures") / f"{patched.sha256[:16]}-{Path(name).name}"
    with _composing[int(patched.sha256[:2], 16)]:
        with suppress(OSError):
            if digest_of(file) == patched.sha256:  # a cache may hold anything
                return file
        try:
            base, patch = (read_file(root / part) for part in (patched.base, patched.patch))
        except OSError as error:
            fault = f"cannot read the image {error.filename}: {error.strerror}"
            raise DataError(f"{fault}; install mossbench again") from error
        data = compose(base, patch, patched.left, patched.top)
        if hashlib.sha256(data).hexdigest() != patched.sha256:
            raise DataError(f"{name} is not the image that it should be: {root} was changed; install mossbench again")
        write_atomically(file, data, durable=False)  # several processes may make it at once
    return file


def compose(base: bytes, patch: bytes, left: int, top: int) -> bytes:
    """`patch` laid onto `base` with its upper left corner at (left, top), as PNG."""
    from io import BytesIO

    import numpy as np
    from PIL import Image

    with Image.open(BytesIO(base)) as picture, Image.open(BytesIO(patch)) as small:
        whole = picture.convert("RGB")
        whole.paste(small.convert("RGB"), (left, top))
    return png(np.asarray(whole))


def png(pixels: Array) -> bytes:
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


def _deflated(data: Array) -> bytes:
    """One deflate block with the fixed codes: each run of equal bytes is its first byte and repetitions of it."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], data[1:] != data[:-1])))
    rest = np.diff(starts, append=len(data)) - 1  # bytes of each run after its first
    full = rest // LONGEST
    tail = rest - full * LONGEST
    last, long = tail >= 3, np.flatnonzero(full)
    n_codes = 1 + full + np.where(last, 1, tail)
    ends, many = np.cumsum(n_codes), full[long]
    symbol = np.repeat(data[starts].astype(np.int16), n_codes)  # literals; 256 + n stands for n repetitions
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    symbol[np.repeat((ends - n_codes + 1)[long], many) + within] = 256 + LONGEST
    symbol[ends[last] - 1] = 256 + tail[last]
    value, width = (table[symbol] for table in _codes())
    offset = 3 + np.cumsum(width) - width  # in bits; the first three say: last block, fixed codes
    return _packed(value, offset, 3 + int(width.sum()) + 7)  # ends with the seven zero bits of "end of block"


def _packed(value: Array, offset: Array, n_bits: int) -> bytes:
    """Codes of at most 25 bits, each written from its offset on, after the three bits of the block's head."""
    import numpy as np

    word = offset >> 5
    firsts = np.flatnonzero(np.concatenate(([True], word[1:] != word[:-1])))  # a code begins in every word of 32 bits
    # No two codes share a bit: adding up is as good as setting.
    sums = np.add.reduceat(value << (offset & 31), firsts)
    out = np.append(sums & 0xFFFFFFFF, 0)
    out[1:] += sums >> 32
    out[0] |= 0b011
    return bytes(out.astype("<u4").tobytes()[: (n_bits + 7) // 8])


@cache
def _codes() -> Array:
    """Bits and their number for each literal byte, and at 256 + n for n repetitions of the byte before."""
    import numpy as np

    out = []
    for byte in range(256):
        code, width = (0x30 + byte, 8) if byte < 144 else (0x190 + byte - 144, 9)
        out.append((_reversed(code, width), width))
    out += [(0, 0)] * 3  # fewer than three repetitions have no code
    for n in range(3, LONGEST + 1):
        symbol, extra, n_extra = _length_symbol(n)
        code, width = (symbol - 256, 7) if symbol < 280 else (0xC0 + symbol - 280, 8)
        out.append((_reversed(code, width) | extra << width, width + n_extra + 5))  # five zero bits: distance 1
    return np.array(out, np.int64).T.copy()


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
