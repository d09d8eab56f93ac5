"""Pictures that ship as a patch: a base picture, a small one, and the place where the small one lies on it.

The composed picture is a PNG whose bytes depend on its pixels alone: the compression is our own and simple (runs of
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
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import digest_of, read_file

Array = Any
"""numpy's ndarray; numpy is imported where it is used."""
_composing_locks = [threading.Lock() for _ in range(256)]
"""By the first byte of the hash, so that each picture is composed once and different ones at the same time."""


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
    """The composed picture as a file in the cache, written if it is not there yet; other threads wait for it."""
    file = cache_folder("pictures") / f"{patched.sha256[:16]}-{Path(name).name}"
    with _composing_locks[int(patched.sha256[:2], 16)]:
        with suppress(OSError):
            if digest_of(file) == patched.sha256:  # the file may be damaged
                return file
        try:
            base = read_file(root / patched.base)
            patch = read_file(root / patched.patch)
        except OSError as error:
            fault = f"cannot read the image {error.filename}: {error.strerror}"
            raise DataError(f"{fault}; install mossbench again") from error
        data = compose(base, patch, patched.left, patched.top)
        if hashlib.sha256(data).hexdigest() != patched.sha256:
            raise DataError(f"{name} is not the image that it should be: {root} was changed; install mossbench again")
        write_atomically(file, data, durable=False)  # several processes may write it at the same time
    return file


def compose(base: bytes, patch: bytes, left: int, top: int) -> bytes:
    """`patch` laid onto `base` with its upper left corner at (left, top), as PNG."""
    from io import BytesIO

    import numpy as np
    from PIL import Image

    with Image.open(BytesIO(base)) as base_image, Image.open(BytesIO(patch)) as patch_image:
        composed = base_image.convert("RGB")
        composed.paste(patch_image.convert("RGB"), (left, top))
    return png(np.asarray(composed))


def png(pixels: Array) -> bytes:
    """Rows of RGB pixels as a PNG, the same bytes everywhere; each row is stored as its difference to the one above."""
    import numpy as np

    height, width, _ = pixels.shape
    rows = np.full((height, 1 + width * 3), 2, np.uint8)  # 2: the filter "up"
    flat = pixels.reshape(height, -1)
    rows[:, 1:] = flat
    rows[1:, 1:] -= flat[:-1]
    raw = rows.tobytes()
    pixel_data = b"\x78\x01" + _deflate(np.frombuffer(raw, np.uint8)) + struct.pack(">I", zlib.adler32(raw))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + _png_chunk(b"IHDR", header) + _png_chunk(b"IDAT", pixel_data) + _png_chunk(b"IEND", b"")


def _png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


LONGEST = 258
"""Bytes in the longest repetition of a deflate stream; the shortest has 3."""


def _deflate(data: Array) -> bytes:
    """One deflate block with the fixed codes: each run of equal bytes is its first byte and repetitions of it."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], data[1:] != data[:-1])))
    n_repeated = np.diff(starts, append=len(data)) - 1  # bytes of each run after its first
    n_longest = n_repeated // LONGEST  # repetitions of the longest kind
    tail = n_repeated - n_longest * LONGEST  # bytes that are left after them
    is_tail_repeated = tail >= 3  # else they are written one by one
    n_codes = 1 + n_longest + np.where(is_tail_repeated, 1, tail)
    ends = np.cumsum(n_codes)
    symbol = np.repeat(data[starts].astype(np.int16), n_codes)  # literals; 256 + n means n repetitions
    long_runs = np.flatnonzero(n_longest)
    n_in_long_runs = n_longest[long_runs]
    first_repetition = (ends - n_codes + 1)[long_runs]
    index_in_run = np.arange(n_in_long_runs.sum()) - np.repeat(
        np.cumsum(n_in_long_runs) - n_in_long_runs, n_in_long_runs
    )
    symbol[np.repeat(first_repetition, n_in_long_runs) + index_in_run] = 256 + LONGEST
    symbol[ends[is_tail_repeated] - 1] = 256 + tail[is_tail_repeated]
    value, width = (table[symbol] for table in _codes())
    offset = 3 + np.cumsum(width) - width  # in bits; the first three say: last block, fixed codes
    return _pack_bits(value, offset, 3 + int(width.sum()) + 7)  # ends with the seven zero bits of "end of block"


def _pack_bits(value: Array, offset: Array, n_bits: int) -> bytes:
    """Codes of at most 25 bits, each written from its offset on, after the three bits of the block's header."""
    import numpy as np

    word = offset >> 5
    firsts = np.flatnonzero(np.concatenate(([True], word[1:] != word[:-1])))  # a code begins in every word of 32 bits
    # No two codes share a bit, so that adding them sets their bits.
    sums = np.add.reduceat(value << (offset & 31), firsts)
    out = np.append(sums & 0xFFFFFFFF, 0)
    out[1:] += sums >> 32
    out[0] |= 0b011
    return bytes(out.astype("<u4").tobytes()[: (n_bits + 7) // 8])


@cache
def _codes() -> Array:
    """Bits and their number for each literal byte, and at 256 + n for n repetitions of the byte before."""
    import numpy as np

    codes = [_literal_code(byte) for byte in range(256)]
    codes += [(0, 0)] * 3  # fewer than three repetitions have no code
    codes += [_repetition_code(n) for n in range(3, LONGEST + 1)]
    return np.array(codes, np.int64).T.copy()


def _literal_code(byte: int) -> tuple[int, int]:
    """Bits and their number for a byte."""
    if byte < 144:
        return _reverse_bits(0x30 + byte, 8), 8
    return _reverse_bits(0x190 + byte - 144, 9), 9


def _repetition_code(n: int) -> tuple[int, int]:
    """Bits and their number for `n` repetitions of the byte before."""
    symbol, extra, n_extra = _length_symbol(n)
    width = 7 if symbol < 280 else 8
    code = symbol - 256 if symbol < 280 else 0xC0 + symbol - 280
    return _reverse_bits(code, width) | extra << width, width + n_extra + 5  # five zero bits: distance 1


def _length_symbol(n: int) -> tuple[int, int, int]:
    """Symbol, extra bits and their number for a repetition of `n` bytes."""
    if n == LONGEST:
        return 285, 0, 0
    if n < 11:
        return 254 + n, 0, 0
    n_extra = (n - 3).bit_length() - 3
    return 257 + 4 * n_extra + (n - 3 >> n_extra), (n - 3) & (1 << n_extra) - 1, n_extra


def _reverse_bits(code: int, width: int) -> int:
    return int(f"{code:0{width}b}"[::-1], 2)
