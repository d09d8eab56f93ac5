"""Weights of the encoder as bytes."""

import numpy as np

from judge_training.packing import packed, unpacked


def test_a_matrix_comes_back_from_bytes_within_half_a_step():
    weight = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
    stored = packed("layers.0.q.weight", weight)
    assert stored["layers.0.q.weight"].dtype == np.int8
    again = unpacked(stored, "layers.0.q.weight")
    assert np.abs(again - weight).max() <= np.abs(weight).max() / 127 / 2 * 1.01


def test_each_row_has_a_scale_of_its_own():
    weight = np.array([[1.0, -2.0], [0.001, 0.002]], dtype=np.float32)
    again = unpacked(packed("head.weight", weight), "head.weight")
    assert np.allclose(again, weight, rtol=0.01)


def test_places_and_vectors_are_half_floats():
    stored = packed("pos.weight", np.ones((3, 4), dtype=np.float32)) | packed("n.bias", np.zeros(4, dtype=np.float32))
    assert {name: array.dtype for name, array in stored.items()} == {"pos.weight": np.float16, "n.bias": np.float16}
    assert (unpacked(stored, "pos.weight") == 1).all()
