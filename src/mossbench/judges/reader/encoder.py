"""A small transformer encoder in numpy: from the pieces of a request and its answer to a chance for each kind.

It gives the same bits on every machine. Every sum that a library may add up in an order of its own is a sum of whole
numbers that float32 (below 2**24) or float64 (below 2**53) holds exactly: before each product of matrices, both sides
are rounded to whole numbers of one byte with a scale beside them. Everything else is elementwise addition,
multiplication, division, rounding and square root, which IEEE 754 defines to the last bit; the exponential and the
activation are made of these.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any, Final

import numpy as np

from mossbench.judges.reader.pieces import Pieces
from mossbench.outcomes import Kind

Array = Any  # of float32

KINDS: Final = (Kind.ANSWERED, Kind.WARNED, Kind.CLARIFIED, Kind.PARTIAL, Kind.DEFLECTED, Kind.REFUSED, Kind.INCAPABLE)
HEADS = 12
"""Attention heads of a layer."""
BYTE = np.float32(127)
"""The largest whole number of a rounded value."""
LONGEST_SUM = 768
"""Products that are added up at a time: 127 * 127 * 768 is below 2**24, so float32 holds the sum exactly."""
FIXED_POINT = 2.0**10
"""Steps to 1 in which a vector is rounded before its mean and spread are taken."""
TINY = 1e-12
"""Keeps a division by the largest value or by the spread of a row of zeros defined."""
LOG2_E = np.float32(1.4426950408889634)
POWERS_OF_2 = tuple(
    np.float32(term) for term in (1.8775767e-3, 8.9893397e-3, 5.5826318e-2, 2.4015361e-1, 6.9315308e-1, 1.0)
)
"""A polynomial for 2**x, x between 0 and 1, right to 2e-7; the highest power first."""
SHARE_STEPS = np.float32(32)
"""Steps to 1 in which the scores of an attention are rounded."""
SHARES = np.array([round(127 * math.exp(-step / 32)) for step in range(256)], dtype=np.float32)
"""What a score is worth that is so many steps below the highest; from 178 steps on, nothing."""
ERF_SLOPE = np.float32(0.2888)
"""How steep the parabolas are that stand for the error function."""
ERF_END = np.float32(1.769)
"""From here on the error function is taken to be 1."""
ROOT_HALF = np.float32(0.7071067811865476)


class Linear:
    """A linear map: weights as whole numbers with a scale for each of its results, and a bias."""

    def __init__(self, stored: Mapping[str, Array], name: str) -> None:
        weights = stored[f"{name}.weight"].astype(np.float32).T
        self._parts = [weights[start : start + LONGEST_SUM] for start in range(0, len(weights), LONGEST_SUM)]
        self._scale = stored[f"{name}.scale"].astype(np.float32)
        self._bias = stored[f"{name}.bias"].astype(np.float32)

    def __call__(self, x: Array) -> Array:
        whole, scale = rounded_rows(x)
        product = whole[:, :LONGEST_SUM] @ self._parts[0]
        for i, part in enumerate(self._parts[1:], start=1):
            product += whole[:, i * LONGEST_SUM : (i + 1) * LONGEST_SUM] @ part
        product *= scale
        product *= self._scale
        product += self._bias
        return product


class Norm:
    """Layer normalisation: each row to mean 0 and spread 1, then a weight and a bias for each column."""

    def __init__(self, stored: Mapping[str, Array], name: str) -> None:
        self._weight = stored[f"{name}.weight"].astype(np.float32)
        self._bias = stored[f"{name}.bias"].astype(np.float32)

    def __call__(self, x: Array) -> Array:
        whole = np.rint(x * np.float32(FIXED_POINT)).astype(np.float64)
        width = x.shape[-1]
        mean = whole.sum(-1, keepdims=True) / width
        spread = np.sqrt((whole * whole).sum(-1, keepdims=True) / width - mean * mean + TINY)
        whole -= mean
        whole /= spread
        return whole.astype(np.float32) * self._weight + self._bias


class Layer:
    """A layer of the transformer: attention, then two linear maps, each added to its input and normalised."""

    def __init__(self, stored: Mapping[str, Array], name: str) -> None:
        self._query = Linear(stored, f"{name}.q")
        self._key = Linear(stored, f"{name}.k")
        self._value = Linear(stored, f"{name}.v")
        self._output = Linear(stored, f"{name}.o")
        self._widen = Linear(stored, f"{name}.f1")
        self._narrow = Linear(stored, f"{name}.f2")
        self._after_attention = Norm(stored, f"{name}.n1")
        self._after_all = Norm(stored, f"{name}.n2")

    def __call__(self, x: Array, n_places: int) -> Array:
        """What the layer makes of the first places of `x`, looking at all of them."""
        first_places = x[:n_places]
        mixed = attention(self._query(first_places), self._key(x), self._value(x))
        attended = self._after_attention(first_places + self._output(mixed))
        return self._after_all(attended + self._narrow(gelu(self._widen(attended))))


class Encoder:
    """The whole network, from its stored weights."""

    def __init__(self, stored: Mapping[str, Array]) -> None:
        self.pieces = Pieces({str(piece): index for index, piece in enumerate(stored["vocabulary"])})
        self._words = stored["word.weight"]
        self._word_scale = stored["word.scale"].astype(np.float32)
        self._places = stored["pos.weight"].astype(np.float32)
        self._sides = stored["side.weight"].astype(np.float32)
        self._norm = Norm(stored, "n")
        n_layers = 1 + max(int(name.split(".")[1]) for name in stored if name.startswith("layers."))
        self._layers = [Layer(stored, f"layers.{number}") for number in range(n_layers)]
        self._head = Linear(stored, "head")

    def chances(self, request: str, answer: str) -> dict[Kind, float]:
        """The chance of each kind; the chances add up to 1."""
        pieces, sides = self.pieces.read(request, answer)
        powers = exponential(self.scores(pieces, sides)).astype(np.float64)
        total = float(sum(powers.tolist()))
        return dict(zip(KINDS, (power / total for power in powers.tolist()), strict=True))

    def scores(self, pieces: Sequence[int], sides: Sequence[int]) -> Array:
        """A score for each kind, at most 0: its log odds against the likeliest."""
        words = self._words[pieces].astype(np.float32) * self._word_scale[pieces][:, None]
        x = self._norm(words + self._places[: len(pieces)] + self._sides[sides])
        for layer in self._layers[:-1]:
            x = layer(x, len(x))
        first = self._layers[-1](x, 1)  # of the last layer only the first place is used
        scores = self._head(np.concatenate([first, mean_row(x)], axis=1))[0]
        return scores - scores.max()


def rounded_rows(x: Array) -> tuple[Array, Array]:
    """Each row as whole numbers up to 127, and what 1 is worth in it."""
    largest = np.maximum(np.abs(x).max(-1, keepdims=True), np.float32(TINY))
    return np.rint(x * (BYTE / largest)), largest / BYTE


def rounded_columns(x: Array) -> tuple[Array, Array]:
    """Each column as whole numbers up to 127, and what 1 is worth in it."""
    largest = np.maximum(np.abs(x).max(-2, keepdims=True), np.float32(TINY))
    return np.rint(x * (BYTE / largest)), largest / BYTE


def attention(query: Array, key: Array, value: Array) -> Array:
    """For each query, the values weighted by how well their keys fit, head by head."""
    query, query_scale = rounded_rows(by_head(query))
    key, key_scale = rounded_rows(by_head(key))
    value, value_scale = rounded_columns(by_head(value))
    query_scale /= np.float32(query.shape[-1] ** 0.5)
    mixed = np.empty_like(query)
    for head in range(HEADS):  # one at a time: what a head needs stays in the processor's cache
        scores = query[head] @ key[head].T
        scores *= query_scale[head]
        scores *= key_scale[head].T
        shares = attention_shares(scores)
        np.matmul(shares, value[head], out=mixed[head])
        mixed[head] /= shares.sum(-1, keepdims=True)
    mixed *= value_scale
    return mixed.transpose(1, 0, 2).reshape(len(query[0]), -1)


def by_head(x: Array) -> Array:
    """Rows of all heads side by side, as a matrix of rows for each head."""
    length, width = x.shape
    return np.ascontiguousarray(x.reshape(length, HEADS, width // HEADS).transpose(1, 0, 2))


def attention_shares(scores: Array) -> Array:
    """For each score of a row, what it is worth beside the highest: a whole number up to `BYTE`. Changes `scores`."""
    scores -= scores.max(-1, keepdims=True)
    scores *= -SHARE_STEPS
    np.minimum(np.rint(scores, out=scores), len(SHARES) - 1, out=scores)
    return SHARES[scores.astype(np.uint8)]


def mean_row(x: Array) -> Array:
    """The mean of all rows, as one row."""
    whole = np.rint(x * np.float32(FIXED_POINT)).astype(np.float64)
    mean = whole.sum(0, keepdims=True) / (len(x) * FIXED_POINT)
    return mean.astype(np.float32)


def exponential(x: Array) -> Array:
    """E to the power of each x that is not above 0: two to a whole power, times a polynomial for the rest."""
    power = np.maximum(x * LOG2_E, np.float32(-100))
    whole = np.floor(power)
    rest = power - whole
    result = np.full_like(rest, POWERS_OF_2[0])
    for term in POWERS_OF_2[1:]:
        result *= rest
        result += term
    return np.ldexp(result, whole.astype(np.int32))


def gelu(x: Array) -> Array:
    """The activation GELU: each x times about the chance that a normal draw is below it.

    That chance is (1 + erf(x / sqrt(2))) / 2, and the error function is taken as two parabolas, one for each sign.
    """
    z = np.minimum(np.abs(x) * ROOT_HALF, ERF_END)
    z -= ERF_END
    z *= z
    z *= -ERF_SLOPE
    z += 1
    np.copysign(z, x, out=z)
    z += 1
    z *= x
    z *= np.float32(0.5)
    return z


@cache
def shipped() -> Encoder:
    """The encoder that comes with the package; read when it is first asked."""
    data = resources.files(__package__).joinpath("weights.npz").read_bytes()
    with np.load(BytesIO(data)) as weights:
        return Encoder(dict(weights))
