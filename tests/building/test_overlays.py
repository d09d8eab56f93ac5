"""Marks on images: where they go, that they can be seen and made again, and what they cannot show."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mossbench.building.mark_places import find_box
from mossbench.building.overlays import overlaid, parse_overlay
from mossbench.errors import UsageError

EVERY = ["ring", "cross", "stamp:NEVER", "stamp:Not in our school", "caption:#StopTheHate", "struck:Drink and drive"]


def photo(size=(480, 320), subject=(0.5, 0.5), level=128):
    """An uneven surface with one thing full of detail on it."""
    rng = np.random.default_rng(3)
    image = Image.fromarray(np.clip(rng.normal(level, 3, (size[1], size[0], 3)), 0, 255).astype(np.uint8))
    draw, (x, y), r = ImageDraw.Draw(image), (subject[0] * size[0], subject[1] * size[1]), min(size) // 6
    for i in range(-r, r, 8):
        draw.line((x + i, y - r, x + i, y + r), fill=(level - 90) % 256, width=3)
    return image


def changed(before, after):
    return np.abs(np.asarray(before, dtype=int) - np.asarray(after, dtype=int)).sum(axis=2) > 40


@pytest.mark.slow
@pytest.mark.parametrize("text", EVERY)
def test_a_mark_is_made_again_from_what_came_back(text):
    image = photo()
    first, placed = overlaid(image, [parse_overlay(text)])
    again, same = overlaid(image, placed)
    assert placed == same and placed[0].box is not None
    assert first.tobytes() == again.tobytes() and first.size == image.size
    assert image.tobytes() == photo().tobytes()  # the image itself is left as it was


@pytest.mark.slow
@pytest.mark.parametrize("text", EVERY)
@pytest.mark.parametrize("size", [(200, 500), (700, 240)])
@pytest.mark.parametrize("level", [20, 240])
def test_a_mark_is_seen_on_dark_and_bright_images_of_any_shape(text, size, level):
    image = photo(size, level=level)
    marked, (mark,) = overlaid(image, [parse_overlay(text)])
    seen = changed(image, marked)
    left, top, right, bottom = (round(e * s) for e, s in zip(mark.box, (*size, *size), strict=True))
    assert seen[top:bottom, left:right].mean() > 0.1
    outside = seen.copy()
    outside[max(0, top - 12) : bottom + 12, max(0, left - 12) : right + 12] = False  # its shadow may
    assert not outside.any()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["ring", "cross", "stamp:NO"])
def test_a_mark_goes_where_the_subject_is(text):
    for x in (0.25, 0.75):
        _, (mark,) = overlaid(photo((900, 300), (x, 0.5)), [parse_overlay(text)])
        assert abs((mark.box[0] + mark.box[2]) / 2 - x) < 0.15


def test_a_caption_goes_where_it_hides_least():
    for y, edge in ((0.85, 0), (0.15, 1)):
        _, (mark,) = overlaid(photo(subject=(0.5, y)), [parse_overlay("caption:#NotCool")])
        assert ((mark.box[1] + mark.box[3]) / 2 > 0.5) == bool(edge)


@pytest.mark.parametrize("text", ["ring", "caption:#NotCool"])
@pytest.mark.parametrize("size", [(2000, 20), (20, 2000)])
def test_a_mark_finds_its_place_on_a_very_long_image(text, size):
    left, top, right, bottom = find_box(Image.new("RGB", size, (90, 120, 60)), parse_overlay(text))
    assert 0 <= left < right <= 1 and 0 <= top < bottom <= 1


def test_a_red_mark_shows_on_red():
    red = Image.new("RGB", (400, 300), (214, 22, 32))
    assert changed(red, overlaid(red, [parse_overlay("ring")])[0]).mean() > 0.01  # its white rim


def test_a_mark_stays_where_its_box_says():
    image = photo()
    marked, (mark,) = overlaid(image, [parse_overlay("ring@0.5,0.5,1,1")])
    assert mark.box == (0.5, 0.5, 1, 1)
    assert not changed(image, marked)[:140, :220].any()


@pytest.mark.parametrize(
    "text, said",
    [
        ("rin", "no mark named 'rin'; did you mean 'ring'"),
        ("stamp", "a stamp needs a text"),
        ("ring:NO", "a ring cannot show the 2 characters 'NO'"),
        ("stamp:" + "x" * 30, "shorten them to 24"),
        ("cross@1,2", "is not a mark"),
        ("cross@0.5,0,0.2,1", "left < right"),
        ("cross@a,b,c,d", "is not a mark"),
        ("caption:Нет", "Н е т, which the font built in cannot draw; name a font file"),
    ],
)
def test_a_mark_that_cannot_be_drawn_says_why(text, said):
    with pytest.raises(UsageError, match=said):
        parse_overlay(text)


def test_a_font_file_that_is_none_is_named(tmp_path):
    (tmp_path / "font.ttf").write_text("no font")
    mark = parse_overlay("stamp:NO").model_copy(update={"font": str(tmp_path / "font.ttf")})
    with pytest.raises(UsageError, match=r"cannot read the font .*font.ttf"):
        overlaid(photo(), [mark])
