"""Removes from a picture's file what is not the picture: positions, names, comments, thumbnails, bytes after its end.

Nothing is decoded or encoded again: the parts with the pixels and their colours are copied unchanged.
"""

from collections.abc import Callable, Iterator

_Part = tuple[str | None, bytes]
"""The name under which a part of a file is removed, or None if it is kept; and its bytes."""

_PNG_KEPT = "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT".split()
_WEBP_KEPT = ("VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP")
_WEBP_EXIF = 0x08
_WEBP_XMP = 0x04
_JPEG_KEPT = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}  # without the last, colours are read wrongly
_JPEG_NAMES = {b"Exif": "EXIF", b"http": "XMP", b"Phot": "IPTC", b"MPF\0": "MPF"}
_GIF_NAMES = {0xF9: None, 0xFE: "comment", 0x01: "text"}  # the first says how the frame is shown
_TRAILING = "bytes after the end"


def stripped(data: bytes, media_type: str) -> tuple[bytes, tuple[str, ...]] | None:
    """The file without its metadata, and the names of what was removed; None if its parts cannot be read."""
    reader = _READERS.get(media_type)
    if reader is None:
        return None
    try:
        parts = list(reader(data))
    except (IndexError, ValueError):
        return None
    removed = tuple(dict.fromkeys(name for name, _ in parts if name is not None))
    if not removed:
        return data, ()
    remaining = b"".join(part for name, part in parts if name is None)
    return (_with_webp_header(remaining) if media_type == "image/webp" else remaining), removed


def _piece(data: bytes, start: int, length: int) -> bytes:
    """Bytes of the file; a ValueError if it is cut off."""
    if start + length > len(data):
        raise ValueError("cut off")
    return data[start : start + length]


def _png_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:8]
    position = 8
    name = ""
    while name != "IEND":
        name = _piece(data, position + 4, 4).decode("latin-1")
        chunk = _piece(data, position, 12 + int.from_bytes(data[position : position + 4], "big"))
        yield None if name in _PNG_KEPT else name, chunk
        position += len(chunk)
    if data[position:]:
        yield _TRAILING, data[position:]


def _jpeg_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:2]
    position = 2
    while True:
        if data[position] != 0xFF:
            raise ValueError("no marker")
        marker = data[position + 1]
        if marker == 0xFF:  # padding
            position += 1
            continue
        if marker == 0xD9:  # end of the image
            break
        segment = _jpeg_segment(data, position, marker)
        yield _jpeg_name(marker, segment[4:]), segment
        position += len(segment)
    yield None, data[position : position + 2]
    if data[position + 2 :]:
        yield _TRAILING, data[position + 2 :]


def _jpeg_segment(data: bytes, position: int, marker: int) -> bytes:
    has_length = marker != 0x01 and not _is_jpeg_restart(marker)
    length = 2 + int.from_bytes(_piece(data, position + 2, 2), "big") if has_length else 2
    segment = _piece(data, position, length)
    if marker != 0xDA:
        return segment
    end = position + length  # a scan goes on to the next marker that is not part of it
    while data[end] != 0xFF or data[end + 1] == 0 or _is_jpeg_restart(data[end + 1]):
        end = data.index(b"\xff", end + 1)
    return data[position:end]


def _is_jpeg_restart(marker: int) -> bool:
    return 0xD0 <= marker <= 0xD7


def _jpeg_name(marker: int, content: bytes) -> str | None:
    if marker == 0xFE:
        return "comment"
    if not 0xE0 <= marker <= 0xEF or content.startswith(_JPEG_KEPT.get(marker, b"\0\0none")):
        return None
    return _JPEG_NAMES.get(content[:4], f"APP{marker - 0xE0}")


def _webp_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:12]
    position = 12
    end = 8 + int.from_bytes(data[4:8], "little")
    while position < end:
        name = _piece(data, position, 4).decode("latin-1")
        size = int.from_bytes(_piece(data, position + 4, 4), "little")
        chunk_end = position + 8 + size
        chunk = _piece(data, position, 8 + size) + data[chunk_end : chunk_end + size % 2]  # padded to an even length
        yield None if name in _WEBP_KEPT else name.strip(), chunk
        position += len(chunk)
    if data[position:]:
        yield _TRAILING, data[position:]


def _with_webp_header(remaining: bytes) -> bytes:
    """The file with its new length, and without the flags for removed parts."""
    out = bytearray(remaining)
    out[4:8] = (len(out) - 8).to_bytes(4, "little")
    if out[12:16] == b"VP8X":
        out[20] &= ~(_WEBP_EXIF | _WEBP_XMP) & 0xFF
    return bytes(out)


def _gif_parts(data: bytes) -> Iterator[_Part]:
    position = 13 + _gif_colour_table_size(data[10])
    yield None, _piece(data, 0, position)
    while data[position] != 0x3B:  # end of the image
        if data[position] == 0x21:  # an extension
            end = _gif_blocks_end(data, position + 2)
            name = _GIF_NAMES.get(data[position + 1], "application data")
        elif data[position] == 0x2C:  # a frame
            end = _gif_blocks_end(data, position + 11 + _gif_colour_table_size(data[position + 9]))
            name = None
        else:
            raise ValueError("no block")
        yield name, data[position:end]
        position = end
    yield None, b"\x3b"
    if data[position + 1 :]:
        yield _TRAILING, data[position + 1 :]


def _gif_colour_table_size(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_blocks_end(data: bytes, position: int) -> int:
    while data[position]:
        position += data[position] + 1
    return position + 1


_READERS: dict[str, Callable[[bytes], Iterator[_Part]]] = {
    "image/png": _png_parts,
    "image/jpeg": _jpeg_parts,
    "image/webp": _webp_parts,
    "image/gif": _gif_parts,
}
