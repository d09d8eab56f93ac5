"""Compositions as files: the images that `compose` gives, and what is known to be in them."""

import gzip
import json
import pickle

import numpy as np
import pytest
from PIL import Image

from studio.__main__ import main
from studio.drawing.scenes import SKETCHES
from studio.training.assets import load, parts
from studio.training.compose import compose
from studio.training.compositions import is_shown

FEW = ("er-toy-syringe", "nh-no-bullying", "ci-kill-hours")


@pytest.fixture(scope="module")
def assets(tmp_path_factory):
    """The parts of a few sketches, as `assets` writes those of all."""
    path = tmp_path_factory.mktemp("assets") / "assets.pickle.gz"
    found = [parts(name, index) for index, name in enumerate(FEW)]
    path.write_bytes(gzip.compress(pickle.dumps(found)))
    return path


def test_each_seed_is_an_image_with_what_it_shows(assets, tmp_path):
    assert set(FEW) <= set(SKETCHES)
    out = tmp_path / "out"
    assert main(["compositions", str(assets), str(out), "--first", "7", "--count", "6"]) == 0
    written = json.loads((out / "compositions.json").read_text())
    assert [composition["seed"] for composition in written] == [7, 8, 9, 10, 11, 12]
    for composition in written:
        expected = compose(load(assets), composition["seed"], harmed=False)
        with Image.open(out / composition["file"]) as image:
            assert (np.asarray(image) == expected.picture).all()
        assert set(composition["shows"]) == {"alarm", "harm", "referent", "negation", "person", "animal"}
    shown = [composition["shows"] for composition in written]
    assert all(len({str(one[name]) for one in shown}) > 1 for name in ("alarm", "harm", "referent"))


@pytest.mark.parametrize(
    ("labels", "shown"), [([1, 0], True), ([1, -1], True), ([0, -1], None), ([0, 0], False), ([], False)]
)
def test_a_class_is_shown_not_shown_or_not_clear(labels, shown):
    assert is_shown(np.array(labels)) is shown


def test_without_assets_the_error_says_what_draws_them(tmp_path, capsys):
    arguments = ["compositions", str(tmp_path / "none"), str(tmp_path), "--first", "1", "--count", "1"]
    assert main(arguments) == 2
    assert f"`mossbench-studio assets {tmp_path / 'none'}` draws it" in capsys.readouterr().err
