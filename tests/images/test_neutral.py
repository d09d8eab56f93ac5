"""Neutral images: one for each sample, like its own image in all but what it shows."""

import asyncio
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import mossbench as mb
from mossbench.datasets.arms import ARMS, Arm, joined
from mossbench.images.limits import DEFAULT_LIMITS, JPEG, PNG, WEBP, Limits
from mossbench.images.neutral import KINDS, kind_of, neutral_alone, neutral_like
from mossbench.images.preparing import prepare
from mossbench.models.control.sight import look
from mossbench.runs.image_cache import PictureShelf

FORMATS = {"JPEG": JPEG, "PNG": PNG, "WEBP": WEBP}


def a_scene(seed, size, name):
    """Something with areas, edges and a little noise, as a file."""
    rng = np.random.default_rng(seed)
    width, height = size
    areas = np.kron(rng.integers(0, 255, (4, 4, 3)), np.ones((height // 4 + 1, width // 4 + 1, 1)))[:height, :width]
    pixels = np.clip(areas + rng.normal(0, 4, areas.shape), 0, 255).astype(np.uint8)
    out = BytesIO()
    Image.fromarray(pixels).save(out, name)
    return out.getvalue()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("size", [(400, 300), (120, 200)])
def test_a_neutral_image_has_size_format_and_bytes_of_the_other(name, size):
    for seed in range(4):
        own = prepare(a_scene(seed, size, name))
        made = neutral_like(own, f"set\x00{seed}")
        assert (made.width, made.height, made.media_type) == (*size, FORMATS[name])
        assert 0.8 <= len(made.data) / len(own.data) <= 1.2
        assert prepare(made.data).data == made.data, "it passes as it is"


def test_all_eight_kinds_are_drawn_and_no_two_images_are_alike():
    names = [f"set\x00{i}" for i in range(80)]
    assert {kind_of(name) for name in names} == set(KINDS) and len(KINDS) == 8
    own = prepare(a_scene(1, (90, 60), "JPEG"))
    made = {neutral_like(own, name).sha256 for name in names}
    assert len(made) == len(names)
    assert neutral_like(own, names[0]).data == neutral_like(own, names[0]).data


def test_the_same_sample_has_the_same_pixels_whatever_draws_random_numbers():
    np.random.seed(3)  # noqa: NPY002
    made = neutral_like(prepare(a_scene(1, (40, 30), "PNG")), "set\x00benign\x001")
    pixels = np.asarray(Image.open(BytesIO(made.data)).convert("RGB")).astype(int)
    assert kind_of("set\x00benign\x001") in KINDS
    again = neutral_like(prepare(a_scene(1, (40, 30), "PNG")), "set\x00benign\x001")
    assert (pixels == np.asarray(Image.open(BytesIO(again.data)).convert("RGB"))).all()


@pytest.mark.parametrize("side", [1, 8, 64])
def test_tiny_and_flat_images_have_neutral_ones_too(side):
    out = BytesIO()
    Image.new("RGB", (side, side), "red").save(out, "PNG")
    own = prepare(out.getvalue())
    made = neutral_like(own, "x")
    assert (made.width, made.height) == (side, side) and len(made.data) <= 1.3 * len(own.data)


def test_a_sample_without_an_image_has_one_of_the_usual_size():
    one = neutral_alone(DEFAULT_LIMITS, "a")
    assert (one.width, one.height) == (768, 512)
    assert one.sha256 != neutral_alone(DEFAULT_LIMITS, "b").sha256
    assert neutral_alone(Limits(formats=frozenset({WEBP})), "a").media_type == WEBP


@pytest.mark.parametrize("alike", [True, False])
def test_what_is_sent_for_a_sketch_is_like_its_own_image(alike):
    data = mb.load_dataset("sketches")
    shelf = PictureShelf(data, DEFAULT_LIMITS, one_format=alike)
    hashes = set()

    async def both(sample):
        return await shelf.fetch(sample), await shelf.fetch(sample, ARMS["blank"])

    for sample in [sample for sample in data if sample.side == "benign"][:6]:
        own, neutral = asyncio.run(both(sample))
        assert (neutral.width, neutral.height, neutral.media_type) == (own.width, own.height, own.media_type)
        assert 0.8 <= len(neutral.data) / len(own.data) <= 1.2
        assert not look(neutral.data).evidence and look(neutral.data).sketch, "a control sees that there is nothing"
        hashes.add(neutral.sha256)
    assert len(hashes) == 6


def test_a_run_records_neutral_images_as_drawn_ones(small):
    mb.run(lambda prompt: "Fine.", small, arm="blank", judge=None, out="r")
    rows = mb.load_results("r").rows
    assert {row.exchange.picture.ref for row in rows} == {""}
    assert len({row.exchange.picture.sha256 for row in rows if row.key.side == "benign"}) > 1
    assert {arm.picture for arm in mb.load_results("r").info.arms} == {"neutral"}


def test_a_run_that_was_begun_with_the_white_image_goes_on_with_it():
    old = Arm(name="blank", picture="blank")
    assert joined([ARMS["blank"], old]) == (old,)
    assert joined([ARMS["blank"]])[0].picture == "neutral"
