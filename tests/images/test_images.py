import random
import struct
import subprocess
import sys
import threading
import time
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageCms, ImageFile, ImageStat

from mossbench.errors import ImageError, UsageError
from mossbench.images import decoding, preparing
from mossbench.images.decoding import MAX_PIXELS, sniff
from mossbench.images.limits import DEFAULT_LIMITS, GIF, JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import Picture, prepare, thumbnail

QUIRKS = Path(__file__).parents[3] / "shared" / "mossbench-data" / "quirks"
RED, WHITE = (200, 40, 40), (255, 255, 255)


def encode(image, format, **options):
    out = BytesIO()
    image.save(out, format, **options)
    return out.getvalue()


def decode(data):
    return Image.open(BytesIO(data)).convert("RGB")


def noise(width, height):
    """A picture that compresses badly, the same each time."""
    return Image.frombytes("RGB", (width, height), random.Random(1).randbytes(width * height * 3))


def assert_sendable(picture, limits):
    """What every picture that leaves the module keeps."""
    width, height = picture.width, picture.height
    assert picture.media_type in limits.formats
    assert sniff(picture.data) == picture.media_type
    assert len(picture.data) <= (limits.max_bytes or len(picture.data))
    assert len(picture.base64()) <= (limits.max_base64_bytes or len(picture.base64()))
    assert width * height <= (limits.max_pixels or width * height)
    assert max(width, height) <= (limits.max_side or max(width, height))
    with Image.open(BytesIO(picture.data)) as image:
        image.load()
        assert image.size == (width, height)
        assert image.mode in ("RGB", "L", "P") and not image.has_transparency_data
        assert getattr(image, "n_frames", 1) == 1


SMALL = noise(24, 16)
STILL = {  # every format that can be read
    PNG: encode(SMALL, "PNG"),
    JPEG: encode(SMALL, "JPEG"),
    WEBP: encode(SMALL, "WEBP", lossless=True),
    GIF: encode(SMALL, "GIF"),
    "image/bmp": encode(SMALL, "BMP"),
    "image/tiff": encode(SMALL, "TIFF", compression="tiff_lzw"),
    "image/jp2": encode(SMALL, "JPEG2000"),
    "image/x-portable-anymap": encode(SMALL, "PPM"),
}
if "AVIF" in Image.registered_extensions().values():  # not in every build of Pillow
    STILL["image/avif"] = encode(SMALL, "AVIF")


# The bytes say what they are


@pytest.mark.parametrize("media_type", STILL)
def test_the_media_type_is_read_from_the_first_bytes(media_type):
    assert sniff(STILL[media_type]) == media_type
    assert sniff(STILL[media_type][:64]) == media_type


@pytest.mark.parametrize(
    "data", [b"", b"B", b"BM", b"BMW drives by the sea", b"P6", b"RIFF\0\0\0\0WAVE", b"\x89PNG", b"GIF", b"<svg/>"]
)
def test_what_is_no_picture_has_no_media_type(data):
    assert sniff(data) is None


@pytest.mark.parametrize("media_type", STILL)
def test_every_format_that_can_be_read_comes_out_sendable_with_the_same_pixels(media_type):
    picture = prepare(STILL[media_type])
    assert_sendable(picture, DEFAULT_LIMITS)
    assert decode(picture.data).tobytes() == decode(STILL[media_type]).tobytes()


@pytest.mark.parametrize(
    "data",
    [
        STILL[PNG],
        STILL[JPEG],
        STILL[WEBP],
        encode(SMALL.convert("L"), "PNG"),
        encode(SMALL.convert("P"), "PNG"),
        encode(SMALL.convert("L"), "JPEG"),
        encode(SMALL, "JPEG", progressive=True),
        encode(SMALL, "WEBP"),
    ],
    ids=["png", "jpeg", "webp", "grey png", "palette png", "grey jpeg", "progressive jpeg", "lossy webp"],
)
def test_bytes_that_are_fine_pass_through_untouched(data):
    assert prepare(data).data is data


def test_a_picture_knows_its_hash_and_its_data_url():
    picture = Picture(b"abc", WEBP, 1, 1)
    assert picture.data_url() == "data:image/webp;base64,YWJj"
    assert picture.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


# What models see is what people see


def half_clear(mode):
    """Left half red, right half fully transparent black."""
    image = Image.new("RGBA", (16, 8), (0, 0, 0, 0))
    image.paste((*RED, 255), (0, 0, 8, 8))
    return image.convert(mode)


def palette_with_transparency():
    image = Image.new("P", (16, 8), 1)
    image.putpalette([*RED, 0, 0, 0])
    image.paste(0, (0, 0, 8, 8))
    return image


def premultiplied(tiff):
    """The same TIFF, saying that its alpha (tag 338, one short) is already multiplied into the greys."""
    alpha = struct.pack("<HHI", 338, 3, 1)
    assert tiff.count(alpha + b"\x02") == 1
    return tiff.replace(alpha + b"\x02", alpha + b"\x01")


GREY_OF_RED = (88, 88, 88)  # (200 * 299 + 40 * 587 + 40 * 114) / 1000


@pytest.mark.parametrize(
    "data, left",
    [
        (encode(half_clear("RGBA"), "PNG"), RED),
        (encode(half_clear("RGBA"), "WEBP", lossless=True), RED),
        (encode(half_clear("RGBA"), "TIFF"), RED),
        (encode(half_clear("RGBA"), "JPEG2000"), RED),
        (encode(half_clear("LA"), "PNG"), GREY_OF_RED),
        (premultiplied(encode(half_clear("LA"), "TIFF")), GREY_OF_RED),
        (encode(palette_with_transparency(), "PNG", transparency=1), RED),
        (encode(palette_with_transparency(), "PNG", transparency=b"\xff\x00"), RED),
        (encode(palette_with_transparency(), "GIF", transparency=1), RED),
        (encode(palette_with_transparency().convert("RGB"), "PNG", transparency=(0, 0, 0)), RED),
    ],
    ids=[
        "rgba",
        "webp",
        "tiff",
        "jp2",
        "la",
        "premultiplied la",
        "one colour",
        "alphas",
        "gif",
        "rgb with a colour key",
    ],
)
def test_transparency_becomes_white(data, left):
    picture = prepare(data)
    assert_sendable(picture, DEFAULT_LIMITS)
    assert decode(picture.data).getpixel((2, 4)) == left
    assert decode(picture.data).getpixel((13, 4)) == WHITE


def test_half_transparent_is_mixed_with_white():
    picture = prepare(encode(Image.new("RGBA", (4, 4), (0, 0, 0, 128)), "PNG"))
    assert decode(picture.data).getpixel((0, 0)) == (127, 127, 127)


def grey_values(data):
    image = Image.open(BytesIO(prepare(data).data))
    assert image.mode == "L"
    return list(image.tobytes())


def packed(mode, code, values):
    return Image.frombytes(mode, (len(values), 1), struct.pack(f"{len(values)}{code}", *values))


WORDS = (0, 128, 129, 257, 32768, 65535)  # 16 bits: 257 steps to one of 8 bits
BYTES = [0, 0, 1, 1, 128, 255]


@pytest.mark.parametrize(
    "data, expected",
    [
        (encode(packed("I;16", "H", WORDS), "PNG"), BYTES),
        (encode(packed("I;16", "H", WORDS), "TIFF"), BYTES),
        (encode(packed("I;16", "H", WORDS), "PPM"), BYTES),
        (encode(packed("I", "i", (*WORDS, -5)), "TIFF"), [*BYTES, 0]),
        (encode(packed("I", "i", (0, 100_000, 200_000)), "TIFF"), [0, 128, 255]),
        (encode(packed("F", "f", (0, 0.25, 0.5, 1)), "TIFF"), [0, 64, 128, 255]),
        (encode(packed("F", "f", (-1, 0, 64, 255)), "TIFF"), [0, 0, 64, 255]),
        (encode(packed("F", "f", (0, 257, 65535)), "TIFF"), [0, 1, 255]),
        (encode(packed("F", "f", (0, 0, 0)), "TIFF"), [0, 0, 0]),
        (encode(Image.frombytes("1", (8, 1), b"\x0f"), "PNG"), [0] * 4 + [255] * 4),
        (encode(Image.frombytes("1", (8, 1), b"\x0f"), "TIFF", compression="group4"), [0] * 4 + [255] * 4),
    ],
    ids="png16 tiff16 ppm16 int32-of-16-bits int32 float-1 float-255 float-65535 black png1 fax".split(),
)
def test_deep_and_shallow_greys_are_scaled_to_8_bits(data, expected):
    assert grey_values(data) == expected


def test_a_float_picture_of_nan_and_infinity_does_not_crash():
    assert_sendable(prepare(encode(packed("F", "f", (float("nan"), 0, float("inf"))), "TIFF")), DEFAULT_LIMITS)


def test_16_bits_a_colour_are_reduced_to_8():
    row = b"\0" + struct.pack(">6H", 65535, 0, 32768, 0, 257, 65535)
    data = png(width=2, height=1, depth=16, rows=row)
    assert prepare(data).data != data
    assert decode(prepare(data).data).tobytes() == bytes([255, 0, 128, 0, 1, 255])


def as_ycck(data):
    """A CMYK JPEG whose Adobe marker says that its first three inks are stored as luminance and chroma."""
    transform = data.index(b"Adobe") + 11
    return data[:transform] + b"\x02" + data[transform + 1 :]


@pytest.mark.parametrize(
    "data, expected",
    [  # red = (255 - cyan) * (255 - black) / 255, and so on
        (encode(Image.new("CMYK", (16, 16), (255, 0, 0, 51)), "JPEG", quality=100), (0, 204, 204)),
        (encode(Image.new("CMYK", (16, 16), (0, 128, 255, 0)), "JPEG", quality=100), (255, 127, 0)),
        (encode(Image.new("CMYK", (16, 16), (0, 128, 255, 0)), "TIFF"), (255, 127, 0)),
        # luminance 255 - 200 without chroma is an ink of 55 in all three: 255 - 55 = 200
        (as_ycck(encode(Image.new("CMYK", (16, 16), (200, 127, 127, 0)), "JPEG", quality=100)), (200, 200, 200)),
    ],
)
def test_printing_inks_become_screen_colours(data, expected):
    picture = prepare(data)
    assert_sendable(picture, DEFAULT_LIMITS)
    found = decode(picture.data).getpixel((8, 8))
    assert max(abs(a - b) for a, b in zip(found, expected, strict=True)) <= 2  # JPEG rounds


ORIENTATIONS = {  # where the stored pixel (x, y) of a w x h picture is seen, by the EXIF standard
    1: lambda x, y, w, h: (x, y),
    2: lambda x, y, w, h: (w - 1 - x, y),
    3: lambda x, y, w, h: (w - 1 - x, h - 1 - y),
    4: lambda x, y, w, h: (x, h - 1 - y),
    5: lambda x, y, w, h: (y, x),
    6: lambda x, y, w, h: (h - 1 - y, x),
    7: lambda x, y, w, h: (h - 1 - y, w - 1 - x),
    8: lambda x, y, w, h: (y, w - 1 - x),
}


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_pictures_are_turned_upright(orientation, format):
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255)]
    stored = Image.new("RGB", (48, 32))  # 3 x 2 blocks of 16 pixels, so that JPEG does not mix them
    for i, colour in enumerate(colours):
        stored.paste(colour, (i % 3 * 16, i // 3 * 16, i % 3 * 16 + 16, i // 3 * 16 + 16))
    exif = Image.Exif()
    exif[0x0112] = orientation
    seen = decode(prepare(encode(stored, format, exif=exif)).data)
    assert seen.size == ((48, 32) if orientation <= 4 else (32, 48))
    for i, colour in enumerate(colours):
        x, y = ORIENTATIONS[orientation](i % 3, i // 3, 3, 2)
        found = seen.getpixel((x * 16 + 8, y * 16 + 8))
        assert max(abs(a - b) for a, b in zip(found, colour, strict=True)) <= 8, (i, x, y)


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP", "MPO", "TIFF"])
def test_of_several_frames_the_first_is_sent(format):
    first, second = Image.new("RGB", (32, 32), RED), Image.new("RGB", (32, 32), "blue")
    data = encode(first, format, save_all=True, append_images=[second])
    picture = prepare(data, Limits(formats=frozenset({PNG, JPEG, WEBP, GIF})))
    assert_sendable(picture, Limits())
    found = decode(picture.data).getpixel((16, 16))
    assert max(abs(a - b) for a, b in zip(found, RED, strict=True)) <= 3


def test_a_still_gif_passes_only_where_gif_is_accepted():
    assert prepare(STILL[GIF], Limits(formats=frozenset({GIF, PNG}))).data == STILL[GIF]
    assert prepare(STILL[GIF]).media_type == PNG


SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def test_a_rewritten_picture_keeps_its_colour_profile_and_nothing_else():
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 3, "taken at home"
    data = encode(SMALL, "JPEG", icc_profile=SRGB, exif=exif, comment=b"a secret")
    info = Image.open(BytesIO(prepare(data).data)).info
    assert info.pop("icc_profile") == SRGB
    assert set(info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


@pytest.mark.parametrize(
    "image, profile",
    [(SMALL.convert("RGBA"), SRGB + bytes(70_000)), (SMALL.convert("L").convert("I;16"), SRGB)],
    ids=["huge", "of colours on grey"],
)
def test_a_colour_profile_that_does_not_belong_is_dropped(image, profile):
    data = encode(image, "PNG", icc_profile=profile)
    assert "icc_profile" not in Image.open(BytesIO(prepare(data).data)).info


# Within the limits


def test_a_picture_at_the_limit_passes_and_one_byte_over_it_does_not():
    data = STILL[PNG]
    assert prepare(data, Limits(max_bytes=len(data))).data is data
    assert prepare(data, Limits(max_bytes=len(data) - 1)).data != data
    in_base64 = (len(data) + 2) // 3 * 4
    assert prepare(data, Limits(max_base64_bytes=in_base64)).data is data
    assert prepare(data, Limits(max_base64_bytes=in_base64 - 1)).data != data
    assert prepare(data, Limits(max_side=24, max_pixels=24 * 16)).data is data
    assert prepare(data, Limits(max_side=23)).width == 23
    assert prepare(data, Limits(max_pixels=24 * 16 - 1)).width < 24


@pytest.mark.slow
def test_a_png_over_the_default_limit_keeps_its_size_and_nearly_its_pixels():
    image = noise(150, 100).resize((1500, 1000), Image.Resampling.BICUBIC)
    image = ImageChops.add(image, noise(1500, 1000).point(lambda value: value // 10))  # as grainy as a photograph
    data = encode(image, "PNG", compress_level=0)
    limits = Limits(max_base64_bytes=2_000_000)
    assert len(encode(image, "PNG")) > limits.max_file_bytes
    picture = prepare(data, limits)
    assert_sendable(picture, limits)
    assert (picture.media_type, picture.width, picture.height) == (JPEG, 1500, 1000)
    assert_close(picture.data, image, rms=8)


def assert_close(data, image, rms):
    squares = ImageChops.difference(decode(data), image).histogram()
    mean = sum(n * (i % 256) ** 2 for i, n in enumerate(squares)) / (image.width * image.height * 3)
    assert mean**0.5 <= rms


def test_lossless_stays_lossless_when_that_fits():
    image = noise(300, 200)
    for data in (encode(image, "BMP"), encode(image, "TIFF"), encode(image.convert("RGBA"), "PNG")):
        picture = prepare(data)
        assert picture.media_type == PNG
        assert decode(picture.data).tobytes() == image.tobytes()


@pytest.mark.parametrize("media_type", [PNG, JPEG, WEBP])
def test_when_no_quality_fits_the_picture_shrinks_and_uses_what_it_may(media_type):
    limits = Limits(formats=frozenset({media_type}), max_bytes=30_000)
    picture = prepare(encode(noise(600, 400), "BMP"), limits)
    assert_sendable(picture, limits)
    assert len(picture.data) > 0.6 * 30_000
    assert picture.width / picture.height == pytest.approx(1.5, rel=0.03)


def test_a_jpeg_that_must_be_rewritten_stays_a_jpeg():
    assert prepare(encode(noise(300, 200), "JPEG"), Limits(max_side=200)).media_type == JPEG
    assert prepare(encode(noise(300, 200), "JPEG"), Limits(frozenset({PNG, WEBP}))).media_type == WEBP
    assert prepare(encode(noise(300, 200), "JPEG"), Limits(frozenset({PNG}))).media_type == PNG


@pytest.mark.parametrize("size", [(3000, 1), (1, 3000), (17000, 3), (3, 66000)])
def test_slivers_are_within_limits_too(size):
    limits = Limits(formats=frozenset({JPEG, WEBP}), max_pixels=2500)
    assert_sendable(prepare(encode(Image.new("RGB", size, RED), "BMP"), limits), limits)
    for limits in (DEFAULT_LIMITS, Limits(formats=frozenset({WEBP}))):  # WEBP itself ends at 16,383
        assert_sendable(prepare(encode(Image.new("RGB", size, RED), "BMP"), limits), limits)


def test_a_picture_that_cannot_fit_is_an_error_and_not_a_blot():
    with pytest.raises(ImageError, match=r"24 x 16 pixels does not fit 40 bytes as image/jpeg.*raise the limit"):
        prepare(STILL[PNG], Limits(max_bytes=40))
    with pytest.raises(ImageError, match=r"600 x 400 .* not even at 64 x 42"):
        prepare(encode(noise(600, 400), "PNG"), Limits(max_bytes=500))


@pytest.mark.parametrize(
    "limits, message",
    [
        ({"formats": frozenset()}, "at least one of PNG, JPEG, WEBP"),
        ({"formats": frozenset({GIF})}, "image/gif"),
        ({"max_side": 0}, "max_side=0"),
        ({"max_bytes": -1}, "max_bytes=-1"),
    ],
)
def test_limits_that_nothing_can_meet_are_refused_when_written(limits, message):
    with pytest.raises(UsageError, match=message):
        Limits(**limits)


SOME = st.one_of(st.none(), st.integers(1, 100_000))


@pytest.mark.slow
@settings(max_examples=200)
@given(
    size=st.tuples(st.integers(1, 200), st.integers(1, 200)),
    mode=st.sampled_from(["RGB", "L", "RGBA", "P", "1"]),
    source=st.sampled_from(["PNG", "TIFF", "WEBP", "GIF"]),
    limits=st.builds(
        Limits,
        formats=st.frozensets(st.sampled_from([PNG, JPEG, WEBP, GIF])).filter(lambda some: some - {GIF}),
        max_bytes=SOME,
        max_base64_bytes=SOME,
        max_pixels=SOME,
        max_side=st.one_of(st.none(), st.integers(1, 300)),
    ),
)
def test_whatever_the_limits_what_comes_back_is_within_them(size, mode, source, limits):
    data = encode(noise(*size).convert(mode), source)
    try:
        picture = prepare(data, limits)
    except ImageError as error:
        assert "does not fit" in str(error)
        assert limits.max_file_bytes < 20_000  # noise of 64 x 64 pixels fits as anything
    else:
        assert_sendable(picture, limits)


# Damaged and hostile bytes


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "is empty"),
        (b"just text", r"9 bytes that begin with b'just text'; expected PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG drawing; export it as PNG"),
        (b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- c --><SVG/>", "SVG drawing"),
        (b"<!DOCTYPE html><html><svg/></html>", "HTML page; the download went wrong"),
        (b"%PDF-1.7", "PDF document"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC photograph; convert it to JPEG"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"\xff\xd8\xff", "image/jpeg of 3 bytes cannot be decoded: cannot identify image file; replace the file"),
    ],
)
def test_what_is_no_picture_is_named(data, message):
    with pytest.raises(ImageError, match=message):
        prepare(data)


@pytest.mark.parametrize("media_type", STILL)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.8])
def test_truncated_files_are_errors(media_type, share):
    data = STILL[media_type]
    with pytest.raises(ImageError):
        prepare(data[: int(len(data) * share)])


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, *, depth=8, rows=b"", extra=b""):
    """A PNG put together by hand: RGB, with what `rows` gives and any chunks before the pixels."""
    header = struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def gif_with_a_frame_of(side):
    """A GIF of one pixel whose first frame is larger than that."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0)
    return screen + b"," + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x08"


def scan_bomb():
    """A progressive JPEG of 16 megapixels that asks for thousands of passes."""
    data = encode(Image.new("L", (4000, 4000)), "JPEG", progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + 5000 * last + data[-2:]


@pytest.mark.parametrize(
    "data, message",
    [
        (png(60_000, 60_000), "3600000000 pixels"),
        (png(12_000, 12_000), rf"claims 12000 x 12000 pixels; expected at most {MAX_PIXELS:,}"),
        # Pillow warns of this size; a warning, being an error here, would show in the message
        (png(9_500, 10_000), "truncated"),
        (png(1, 1, rows=bytes(4), extra=chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(50_000_000)))), "too large"),
        (png(1, 1, rows=bytes(4), extra=chunk(b"iCCP", b"k\0\0" + zlib.compress(bytes(50_000_000)))), "too large"),
        (scan_bomb(), r"has 50\d\d scans, as a decompression bomb"),
        (gif_with_a_frame_of(65_535), "4294836225 pixels"),
        (gif_with_a_frame_of(11_000), "claims 11000 x 11000 pixels"),
        (b"P6 50000 50000 255\n", "2500000000 pixels"),
    ],
    ids=["png", "png in between", "png below", "text", "profile", "scans", "gif frame", "gif in between", "ppm"],
)
def test_bombs_are_refused_before_they_go_off(data, message):
    with pytest.raises(ImageError, match=message):
        prepare(data)


@pytest.mark.parametrize(
    "data",
    [STILL[PNG][:-12], STILL[PNG][:-13] + b"\0" + STILL[PNG][-12:]],
    ids=["no end", "wrong checksum"],
)
def test_a_png_that_only_pillow_forgives_is_written_anew(data):
    picture = prepare(data)
    assert picture.data != data
    assert_sendable(picture, DEFAULT_LIMITS)
    assert decode(picture.data).tobytes() == SMALL.tobytes()


def test_a_damaged_colour_profile_does_not_spoil_the_picture():
    data = png(1, 1, rows=bytes(4), extra=chunk(b"iCCP", b"k\0\0not compressed"))
    assert_sendable(prepare(data), DEFAULT_LIMITS)


CORRUPTIBLE = [
    *STILL.values(),
    encode(SMALL, "JPEG", progressive=True),
    encode(SMALL.convert("CMYK"), "JPEG"),
    encode(SMALL.convert("P"), "PNG", transparency=3),
    *(encode(SMALL, format, save_all=True, append_images=[SMALL.rotate(90)]) for format in ("PNG", "WEBP", "GIF")),
]


@pytest.mark.slow
@settings(max_examples=400)
@given(
    data=st.sampled_from(CORRUPTIBLE),
    edits=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=6), st.integers(0, 6)), max_size=6),
    end=st.one_of(st.just(1.0), st.floats(0, 1)),
)
def test_damaged_bytes_come_out_sendable_or_are_an_image_error(data, edits, end):
    for place, put, cut in edits:
        at = int(len(data) * place**3)  # mostly near the beginning, where the structure is
        data = data[:at] + put + data[at + cut :]
    data = data[: int(len(data) * end)]
    try:
        picture = prepare(data)
    except ImageError:
        return
    assert_sendable(picture, DEFAULT_LIMITS)


# Beside others


def jpeg_with_damaged_exif():
    """Its one tag claims to be longer than the block: Pillow warns, the picture is fine."""
    entry = struct.pack("<HHII", 0x010E, 2, 1000, 26)
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0" + entry + bytes(4)
    return encode(SMALL, "JPEG", exif=exif)


def test_pillows_warnings_do_not_leak_and_its_settings_stay():
    data = jpeg_with_damaged_exif()
    with pytest.warns(UserWarning):
        Image.open(BytesIO(data)).getexif()
    before = list(warnings.filters), Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES
    assert prepare(data).removed == ("EXIF",)
    assert (list(warnings.filters), Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES) == before


def test_threads_do_not_disturb_each_other():
    jobs = [*STILL.values(), jpeg_with_damaged_exif(), encode(half_clear("RGBA"), "PNG")] * 20
    before = list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(prepare, jobs))
    assert pictures == [prepare(data) for data in jobs]
    assert list(warnings.filters) == before


def test_a_thumbnail_is_a_small_webp():
    data = thumbnail(encode(half_clear("RGBA").resize((640, 320)), "PNG"), 64)
    assert sniff(data) == WEBP
    assert decode(data).size == (64, 32)
    assert min(decode(data).getpixel((60, 16))) >= 250  # on white, as everywhere


@pytest.mark.skipif(not QUIRKS.is_dir(), reason="no published pictures here; pictures of the same modes are made above")
@pytest.mark.parametrize(
    "name, media_type, untouched",
    [
        ("png-RGB-132.png", PNG, True),
        ("png-L-226.png", PNG, True),
        ("png-P-283.png", PNG, True),
        ("png-RGBA-82.png", PNG, False),
        ("webp-RGB-131.png", WEBP, True),
    ],
)
def test_the_odd_ones_of_the_published_set_are_sendable(name, media_type, untouched):
    data = (QUIRKS / name).read_bytes()
    picture = prepare(data)
    assert_sendable(picture, DEFAULT_LIMITS)
    assert picture.media_type == media_type
    assert (picture.data == data) is untouched


def test_all_threads_together_decode_no_more_pixels_than_there_is_room_for():
    budget = decoding.PixelBudget(100)
    lock = threading.Lock()
    n_now = 0
    n_most = 0

    def work(n_pixels):
        nonlocal n_now, n_most
        with budget.take(n_pixels):
            with lock:
                n_now += min(n_pixels, 100)
                n_most = max(n_most, n_now)
            time.sleep(0.001)
            with lock:
                n_now -= min(n_pixels, 100)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [60, 50, 30, 1000, 10, 90, 0, 40] * 5))
    assert n_now == 0 and 50 < n_most <= 100


def test_large_pictures_are_decoded_one_after_the_other_in_one_thread(monkeypatch):
    monkeypatch.setattr(decoding, "LARGE_PIXELS", 100)
    threads, read = set(), preparing.read_picture
    read_in = lambda *args: threads.add(threading.current_thread().name) or read(*args)  # noqa: E731
    monkeypatch.setattr(preparing, "read_picture", read_in)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(prepare, [encode(Image.new("RGB", (50, 40), "red"), "PNG")] * 8))
    assert len(found) == 8 and len(threads) == 1


def test_a_jpeg_that_is_shrunk_anyway_is_decoded_smaller_and_looks_the_same():
    large = Image.radial_gradient("L").resize((2000, 1200)).convert("RGB")
    small = prepare(encode(large, "JPEG"), Limits(max_side=200))
    assert decoding.read_picture(encode(large, "JPEG"), Limits(max_side=200)).image.size == (500, 300)
    seen = Image.open(BytesIO(small.data)).convert("L")
    assert (small.width, small.height) == (200, 120)
    difference = ImageChops.difference(seen, large.convert("L").resize((200, 120), Image.Resampling.LANCZOS))
    assert ImageStat.Stat(difference).mean[0] < 2


HUGE = """
import io
from concurrent.futures import ThreadPoolExecutor
from PIL import Image
from mossbench.images.limits import Limits
from mossbench.images.preparing import prepare
out = io.BytesIO()
Image.new("RGBA", (5_200, 5_200), (9, 9, 9, 99)).save(out, "PNG")
with ThreadPoolExecutor(8) as pool:
    list(pool.map(lambda _: prepare(out.getvalue(), Limits(max_side=500)), range(4)))
with open("/proc/self/status") as file:  # ru_maxrss would begin with what the process that started this one has
    print(next(line.split()[1] for line in file if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="its memory is read from /proc")
def test_several_huge_pictures_take_the_memory_of_one():
    done = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500_000  # kilobytes; four side by side take 850,000
