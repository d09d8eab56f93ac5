"""Nothing but the picture leaves: metadata of every format is gone, the pixels stay."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, PngImagePlugin

import mossbench as mb
from mossbench.images.limits import GIF, JPEG, PNG, WEBP, Limits
from mossbench.images.preparing import prepare
from mossbench.images.stripping import stripped

ANY = Limits(formats=frozenset({PNG, JPEG, WEBP, GIF}))
PHOTO = Image.radial_gradient("L").resize((60, 40)).convert("RGB")
SECRET = b"SECRET-PLACE"


def tags():
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()  # what the picture shows
    exif.get_ifd(0x8825)[1] = "N"
    return exif.tobytes()


def file(format, **options):
    out = BytesIO()
    PHOTO.save(out, format, **options)
    return out.getvalue()


def texts():
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", SECRET.decode())
    info.add_itxt("XML:com.adobe.xmp", SECRET.decode())
    return info


ICC = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
FILES = {
    "png": (PNG, file("PNG", exif=tags(), pnginfo=texts(), icc_profile=ICC), {"tEXt", "iTXt", "eXIf"}),
    "jpeg": (JPEG, file("JPEG", exif=tags(), comment=SECRET, icc_profile=ICC, xmp=SECRET), {"EXIF", "comment", "XMP"}),
    "progressive": (JPEG, file("JPEG", exif=tags(), progressive=True, restart_marker_blocks=2), {"EXIF"}),
    "webp": (WEBP, file("WEBP", exif=tags(), xmp=SECRET, icc_profile=ICC), {"EXIF", "XMP"}),
    "lossless webp": (WEBP, file("WEBP", exif=tags(), lossless=True), {"EXIF"}),
    "gif": (GIF, file("GIF", comment=SECRET), {"comment"}),
    "behind": (JPEG, file("JPEG") + SECRET, {"bytes after the end"}),
    "behind a png": (PNG, file("PNG") + SECRET, {"bytes after the end"}),
}


def pixels(data):
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB").tobytes(), image.info.get("icc_profile")


@pytest.mark.parametrize("name", FILES)
def test_what_is_not_the_picture_is_left_out_and_said(name):
    media_type, data, expected = FILES[name]
    assert SECRET in data
    picture = prepare(data, ANY)
    assert picture.media_type == media_type and SECRET not in picture.data
    assert set(picture.removed) >= expected
    assert pixels(picture.data) == pixels(data)
    assert prepare(picture.data, ANY).data is picture.data
    kept = prepare(data, Limits(formats=ANY.formats, keep_metadata=True))
    assert kept.data is data and kept.removed == ()


def test_what_a_run_sent_says_what_was_left_out(small, capsys):
    for path in (small / "images").iterdir():
        path.write_bytes(FILES["png"][1])
    seen = []

    def answer(prompt):
        seen.append(prompt.picture.data)
        return "A barn."

    results = mb.run(answer, small, out="r")
    assert seen and not any(SECRET in data for data in seen)
    assert all(set(row.exchange.picture.removed) >= {"tEXt", "eXIf"} for row in results.rows)


@given(st.sampled_from(sorted(FILES)), st.integers(0, 3000), st.binary(max_size=4), st.integers(0, 3000))
def test_damaged_files_are_stripped_or_not_told_apart_and_nothing_is_raised(name, at, edit, end):
    media_type, data, _ = FILES[name]
    damaged = (data[:at] + edit + data[at + len(edit) :])[: max(end, 30)]
    found = stripped(damaged, media_type)
    assert found is None or len(found[0]) <= len(damaged)
