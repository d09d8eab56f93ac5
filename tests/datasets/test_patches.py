"""Pictures that ship as patches: composed, cached, and the same bytes everywhere."""

import errno
import hashlib
import os
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mossbench.datasets.dataset import Dataset
from mossbench.datasets.patches import Patched, compose, png
from mossbench.errors import DataError, StorageError
from mossbench.samples import Sample, Side


@pytest.fixture(autouse=True)
def cache_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def decoded(data):
    with Image.open(BytesIO(data)) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGB"))


def encoded(pixels):
    out = BytesIO()
    Image.fromarray(pixels).save(out, "WEBP", lossless=True)
    return out.getvalue()


@given(st.integers(1, 40), st.integers(1, 400), st.integers(1, 256), st.integers(1, 300), st.integers(0, 2**32))
def test_a_written_picture_decodes_to_its_pixels(height, width, colours, run, seed):
    rng = np.random.default_rng(seed)
    some = rng.integers(0, colours, (height * width * 3 // run + 1), dtype=np.uint8)
    pixels = np.repeat(some, run)[: height * width * 3].reshape(height, width, 3)
    assert (decoded(png(pixels)) == pixels).all()


@pytest.mark.parametrize(
    "n", [1, 2, 3, 4, 10, 11, 12, 18, 19, 34, 35, 66, 67, 130, 131, 256, 257, 258, 259, 260, 516, 517]
)
def test_runs_of_every_kind_of_length_survive(n):
    row = np.concatenate([np.full(n, 7), [200], np.zeros(3 * 600 - n - 1)]).astype(np.uint8)
    assert (decoded(png(row.reshape(1, 600, 3))) == row.reshape(1, 600, 3)).all()


def test_the_bytes_are_pinned():
    """No encoder's version may move them: they go into the hash of the bundled set."""
    pixels = np.tile(np.arange(96, dtype=np.uint8).reshape(1, 32, 3), (20, 1, 1))
    assert hashlib.sha256(png(pixels)).hexdigest() == "3c654e61d6bad137113357abedce3a61d31dfb669a47f99356a4061a27137ad0"


def test_flat_pictures_become_small():
    assert len(png(np.full((683, 1024, 3), 90, np.uint8))) < 20_000


def made(folder):
    base, patch = np.full((40, 60, 3), 9, np.uint8), np.full((10, 12, 3), 200, np.uint8)
    (folder / "whole.webp").write_bytes(encoded(base))
    (folder / "part.webp").write_bytes(encoded(patch))
    base[5:15, 7:19] = 200
    patched = Patched("whole.webp", "part.webp", 7, 5, hashlib.sha256(png(base)).hexdigest())
    sample = Sample(id="1", side=Side.BENIGN, question="What is it?", image="whole.webp", counterfactual="made.png")
    return Dataset("d", (sample,), folder, patches={"made.png": patched}), base


def test_a_patched_picture_is_a_file_like_any_other(tmp_path):
    dataset, pixels = made(tmp_path)
    path = dataset.counterfactual_path(dataset.samples[0])
    assert (decoded(path.read_bytes()) == pixels).all()
    before = path.stat().st_mtime_ns
    assert dataset.counterfactual_path(dataset.samples[0]) == path and path.stat().st_mtime_ns == before


def test_a_dataset_hashes_alike_whether_its_pictures_are_patched_or_whole(tmp_path):
    patched, pixels = made(tmp_path)
    (tmp_path / "made.png").write_bytes(png(pixels))
    assert patched == Dataset("d", patched.samples, tmp_path)


def test_a_patch_that_was_changed_is_found(tmp_path):
    dataset, _ = made(tmp_path)
    (tmp_path / "part.webp").write_bytes(encoded(np.zeros((10, 12, 3), np.uint8)))
    with pytest.raises(DataError, match=r"made.png is not the image that it should be.*install mossbench again"):
        dataset.counterfactual_path(dataset.samples[0])


def test_a_patch_that_is_missing_is_named(tmp_path):
    dataset, _ = made(tmp_path)
    (tmp_path / "part.webp").unlink()
    with pytest.raises(DataError, match=r"part\.webp"):
        dataset.counterfactual_path(dataset.samples[0])


def test_without_a_home_that_can_be_written_pictures_go_to_the_temporary_folder(tmp_path, monkeypatch):
    (tmp_path / "closed").write_text("a file where the cache should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "closed"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dataset, pixels = made(tmp_path)
    path = dataset.counterfactual_path(dataset.samples[0])
    assert tmp_path in Path(path).parents and (decoded(path.read_bytes()) == pixels).all()


def test_composing_lays_the_patch_where_it_belongs():
    base, patch = np.zeros((4, 6, 3), np.uint8), np.full((2, 2, 3), 255, np.uint8)
    whole = decoded(compose(encoded(base), encoded(patch), 3, 1))
    assert {tuple(p) for p in np.argwhere(whole[:, :, 0])} == {(1, 3), (1, 4), (2, 3), (2, 4)}


@pytest.mark.parametrize("rubbish", [b"", b"rubbish", png(np.zeros((40, 60, 3), np.uint8))])
def test_whatever_lies_in_the_cache_the_image_is_the_one_that_it_should_be(tmp_path, rubbish):
    dataset, pixels = made(tmp_path)
    dataset.counterfactual_path(dataset.samples[0]).write_bytes(rubbish)
    path = dataset.counterfactual_path(dataset.samples[0])
    assert (decoded(path.read_bytes()) == pixels).all()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_cache_that_is_full_is_told_and_nothing_is_left_in_it(tmp_path, monkeypatch):
    dataset, _ = made(tmp_path)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StorageError, match="No space left on device.*free some space"):
        dataset.counterfactual_path(dataset.samples[0])
    assert not list((tmp_path / "cache" / "mossbench" / "pictures").iterdir())
