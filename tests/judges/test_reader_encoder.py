"""The encoder of `reader`: what it reads of long texts, and that it gives the same bits on every machine."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mossbench.judges.reader.encoder import KINDS, Encoder, exponential, gelu, rounded_rows
from mossbench.judges.reader.pieces import (
    ANSWER_END,
    ANSWER_START,
    ANSWER_TURN,
    REQUEST_END,
    REQUEST_START,
    Pieces,
    turning_text,
)

EXPECTED = Path(__file__).with_name("reader_bits.txt")
VOCABULARY = ["[UNK]", "[CLS]", "[SEP]", "un", "##seen", "seen", "the", "!", "'", "i", "can", "t"]
PIECES = Pieces({piece: index for index, piece in enumerate(VOCABULARY)})


def test_words_are_cut_into_the_longest_known_pieces():
    assert PIECES.of_text("The unseen!") == [6, 3, 4, 7]
    assert PIECES.of_text("Zebra seen") == [0, 5]
    assert PIECES.of_text("séén") == [5]
    assert PIECES.of_text("x" * 1000) == [0]


def test_a_short_answer_is_read_whole():
    pieces, sides = PIECES.read("the", "the seen")
    assert pieces == [1, 6, 2, 6, 5, 2]
    assert sides == [0, 0, 0, 1, 1, 1]


def test_of_a_long_answer_start_turn_and_end_are_read():
    answer = "the " * 300 + "However, I can't. " + "seen " * 90_000
    parts = PIECES.parts("the " * 500, answer)
    assert len(parts.request) == REQUEST_START + REQUEST_END
    assert [len(part) for part in parts.answer] == [ANSWER_START, ANSWER_TURN, ANSWER_END]
    assert set(parts.answer[0]) == {6} and set(parts.answer[2]) == {5}


def test_a_strong_turn_counts_before_a_weak_one():
    answer = "the " * 100 + "However, it rains. " + "the " * 60 + "I'm sorry, I stop. " + "the " * 100
    assert turning_text(answer).lstrip().startswith("I'm sorry")


def test_a_long_answer_without_a_turn_is_read_at_start_and_end():
    assert len(PIECES.parts("the", "the " * 500).answer) == 2


def small_network():
    """A network of two layers with weights drawn at random."""
    rng = np.random.default_rng(1)
    width = 24
    stored = {"vocabulary": np.array(VOCABULARY)}

    def add(name, shape):
        stored[f"{name}.weight"] = rng.integers(-127, 128, size=shape).astype(np.int8)
        stored[f"{name}.scale"] = rng.uniform(0.001, 0.01, size=shape[0]).astype(np.float32)

    add("word", (len(VOCABULARY), width))
    for name, n_rows in (("pos", 256), ("side", 2)):
        stored[f"{name}.weight"] = rng.normal(size=(n_rows, width)).astype(np.float16)
    for number in range(2):
        for name in "qkvo":
            add(f"layers.{number}.{name}", (width, width))
        add(f"layers.{number}.f1", (4 * width, width))
        add(f"layers.{number}.f2", (width, 4 * width))
        for name, n_rows in (("q", width), ("k", width), ("v", width), ("o", width), ("f1", 4 * width), ("f2", width)):
            stored[f"layers.{number}.{name}.bias"] = np.zeros(n_rows, dtype=np.float16)
    for name in ("n", "layers.0.n1", "layers.0.n2", "layers.1.n1", "layers.1.n2"):
        stored[f"{name}.weight"] = np.ones(width, dtype=np.float16)
        stored[f"{name}.bias"] = np.zeros(width, dtype=np.float16)
    add("head", (len(KINDS), 2 * width))
    stored["head.bias"] = np.zeros(len(KINDS), dtype=np.float16)
    return Encoder(stored)


def test_chances_add_up_to_one():
    chances = small_network().chances("the", "the unseen")
    assert list(chances) == list(KINDS)
    assert sum(chances.values()) == pytest.approx(1)


def test_the_order_in_which_a_library_adds_does_not_matter():
    """Whole numbers of one byte: their products add up exactly, so that any order gives the same bits."""
    rng = np.random.default_rng(2)
    left, _ = rounded_rows(rng.normal(size=(5, 768)).astype(np.float32))
    right, _ = rounded_rows(rng.normal(size=(768, 7)).astype(np.float32))
    order = rng.permutation(768)
    exact = left.astype(np.int64) @ right.astype(np.int64)
    assert (left @ right == exact).all()
    assert (left[:, order] @ right[order] == exact).all()


def test_exponential_and_activation_are_close_to_the_exact_ones():
    x = np.linspace(-20, 0, 4001, dtype=np.float32)
    assert np.abs(exponential(x) - np.exp(x.astype(np.float64))).max() < 1e-6
    z = np.linspace(-6, 6, 4001, dtype=np.float32)
    smooth = 0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))
    assert np.abs(gelu(z) - smooth).max() < 0.02


@pytest.mark.parametrize("setting", [{"OPENBLAS_CORETYPE": "Haswell"}, {"OPENBLAS_NUM_THREADS": "1"}, {}], ids=str)
def test_the_shipped_encoder_gives_the_same_bits_with_other_code_paths_and_threads(setting):
    code = (
        "from mossbench.judges.reader.encoder import shipped\n"
        "chances = shipped().chances('Write a toast.', 'My pen stays in the drawer. ' * 20)\n"
        "print([chance.hex() for chance in chances.values()])"
    )
    environment = os.environ | {"OPENBLAS_CORETYPE": "", "OPENBLAS_NUM_THREADS": "2"} | setting
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == EXPECTED.read_text("utf-8")
