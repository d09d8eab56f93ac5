"""Weights of the encoder as bytes."""

import numpy as np

from judge_training.combine import packed


def test_weights_come_back_from_bytes_within_half_a_step():
    weight = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
    kept = packed("w", weight)
    assert kept["w"].dtype == np.int8
    again = kept["w"].astype(np.float32) * kept["w|scale"][:, None]
    assert np.abs(again - weight).max() <= np.abs(weight).max() / 127 / 2 * 1.01
