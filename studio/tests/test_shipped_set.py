"""The shipped set is what the scenes draw."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mossbench
from mossbench.datasets.sketches import load_sketches
from mossbench.samples import Side
from studio.drawing.scenes import SKETCHES
from studio.drawing.sketch import draw, write_set

ROOT = Path(mossbench.__file__).parent / "datasets" / "sketches_data"
DATASET = load_sketches()


def test_the_set_lists_the_scenes_in_order():
    assert [s.id for s in DATASET if s.side is Side.BENIGN] == list(SKETCHES)


def test_a_sketch_has_the_id_that_it_is_listed_under():
    assert [name for name, make in SKETCHES.items() if make().id != name] == []


@pytest.mark.parametrize("name", list(SKETCHES)[:: max(len(SKETCHES) // 6, 1)])
def test_a_scene_drawn_again_gives_the_shipped_pixels(name, tmp_path):
    drawn = draw(SKETCHES[name]())
    assert len(drawn.files) == 2 + name.startswith("nh-")
    for path, data in drawn.files.items():
        (tmp_path / "again.webp").write_bytes(data)
        with Image.open(tmp_path / "again.webp") as again, Image.open(ROOT / path) as shipped:
            assert (np.asarray(again) == np.asarray(shipped)).all(), path
    assert {k: DATASET.patches[k] for k in drawn.patches} == drawn.patches


def test_shipped_records_follow_from_the_scenes():
    pairs = [make().samples() for make in SKETCHES.values()]
    assert list(DATASET.samples) == [sample for side in zip(*pairs, strict=True) for sample in side]


def test_whole_pictures_have_the_bytes_that_patches_compose_to(tmp_path):
    name = next(n for n in SKETCHES if n.startswith("nh-"))
    write_set([draw(SKETCHES[name](), whole=True)], tmp_path)
    for sample in load_sketches(tmp_path):
        shipped = DATASET.sample(sample.side, sample.id)
        assert load_sketches(tmp_path).digest(sample) == DATASET.digest(shipped)
        data = DATASET.picture_path(shipped).read_bytes()
        assert hashlib.sha256(data).hexdigest() == hashlib.sha256((tmp_path / sample.image).read_bytes()).hexdigest()
