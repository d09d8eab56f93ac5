"""A picture's file without what is not the picture: positions, names, comments, thumbnails, bytes after its end.

Nothing is decoded or written anew: the parts that make the pixels and their colours are copied as they are.
"""

from collections.abc import Callable, Iterator

_Part = tuple[str | None, bytes]
"""Bytes of a file, and under which name they go if they are left out; None for what is kept."""

_PNG_KEPT = "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT".split()
_WEBP_KEPT = ("VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP")
_WEBP_EXIF, _WEBP_XMP = 0x08, 0x04
_JPEG_KEPT = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}  # without the last, colours are read wrongly
_JPEG_NAMES = {b"Exif": "EXIF", b"http": "XMP", b"Phot": "IPTC", b"MPF\0": "MPF"}
_GIF_NAMES = {0xF9: None, 0xFE: "comment", 0x01: "text"}  # the first is how the frame is shown
_BEHIND = "bytes after the end"


def stripped(data: bytes, media_type: str) -> tuple[bytes, tuple[str, ...]] | None:
    """The file without its metadata, and what was left out; None where its parts cannot be told."""
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
    kept = b"".join(part for name, part in parts if name is None)
    return (_webp_head(kept) if media_type == "image/webp" else kept), removed


def _piece(data: bytes, start: int, length: int) -> bytes:
    if start + length > len(data):
        raise ValueError("cut off")
    return data[start : start + length]


def _png_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:8]
    at, name = 8, ""
    while name != "IEND":
        name = _piece(data, at + 4, 4).decode("latin-1")
        chunk = _piece(data, at, 12 + int.from_bytes(data[at : at + 4], "big"))
        yield None if name in _PNG_KEPT else name, chunk
        at += len(chunk)
    if data[at:]:
        yield _BEHIND, data[at:]


def _jpeg_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:2]
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("no marker")
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        if marker == 0xD9:
            break
        length = 2 if marker == 0x01 or 0xD0 <= marker <= 0xD7 else 2 + int.from_bytes(_piece(data, at + 2, 2), "big")
        segment = _piece(data, at, length)
        if marker == 0xDA:  # a scan: up to the next marker that is none of its own
            end = at + length
            while data[end] != 0xFF or data[end + 1] == 0 or 0xD0 <= data[end + 1] <= 0xD7:
                end = data.index(b"\xff", end + 1)
            segment = data[at:end]
        yield _jpeg_name(marker, segment[4:]), segment
        at += len(segment)
    yield None, data[at : at + 2]
    if data[at + 2 :]:
        yield _BEHIND, data[at + 2 :]


def _jpeg_name(marker: int, content: bytes) -> str | None:
    if marker == 0xFE:
        return "comment"
    if not 0xE0 <= marker <= 0xEF or content.startswith(_JPEG_KEPT.get(marker, b"\0\0none")):
        return None
    return _JPEG_NAMES.get(content[:4], f"APP{marker - 0xE0}")


def _webp_parts(data: bytes) -> Iterator[_Part]:
    yield None, data[:12]
    at, end = 12, 8 + int.from_bytes(data[4:8], "little")
    while at < end:
        name, size = _piece(data, at, 4).decode("latin-1"), int.from_bytes(_piece(data, at + 4, 4), "little")
        chunk = _piece(data, at, 8 + size) + data[at + 8 + size : at + 8 + size + size % 2]
        yield None if name in _WEBP_KEPT else name.strip(), chunk
        at += len(chunk)
    if data[at:]:
        yield _BEHIND, data[at:]


def _webp_head(kept: bytes) -> bytes:
    """The file with its new length, and without the flags of what is gone."""
    out = bytearray(kept)
    out[4:8] = (len(out) - 8).to_bytes(4, "little")
    if out[12:16] == b"VP8X":
        out[20] &= ~(_WEBP_EXIF | _WEBP_XMP) & 0xFF
    return bytes(out)


def _gif_parts(data: bytes) -> Iterator[_Part]:
    at = 13 + _gif_table(data[10])
    yield None, _piece(data, 0, at)
    while data[at] != 0x3B:
        if data[at] == 0x21:
            end = _gif_blocks_end(data, at + 2)
            name = _GIF_NAMES.get(data[at + 1], "application data")
        elif data[at] == 0x2C:
            end, name = _gif_blocks_end(data, at + 11 + _gif_table(data[at + 9])), None
        else:
            raise ValueError("no block")
        yield name, data[at:end]
        at = end
    yield None, b"\x3b"
    if data[at + 1 :]:
        yield _BEHIND, data[at + 1 :]


def _gif_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_blocks_end(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1


_READERS: dict[str, Callable[[bytes], Iterator[_Part]]] = {
    "image/png": _png_parts,
    "image/jpeg": _jpeg_parts,
    "image/webp": _webp_parts,
    "image/gif": _gif_parts,
}
