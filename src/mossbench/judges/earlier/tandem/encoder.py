"""A small transformer encoder in numpy: from the pieces of a request and its answer to a chance for each kind.

The weights are kept as whole numbers of one byte with a scale for each row; they are unpacked once.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any, Final

import numpy as np

from mossbench.judges.earlier.tandem.tokens import Pieces
from mossbench.outcomes import Kind

Array = Any  # of float32

KINDS: Final = (Kind.ANSWERED, Kind.WARNED, Kind.CLARIFIED, Kind.PARTIAL, Kind.DEFLECTED, Kind.REFUSED, Kind.INCAPABLE)
HEADS = 12
TINY = 1e-12


class Encoder:
    def __init__(self, weights: dict[str, Any]) -> None:
        self.pieces = Pieces({str(piece): index for index, piece in enumerate(weights["vocabulary"])})
        self._w = {
            name: _unpacked(weights, name) for name in weights if name not in ("vocabulary",) and "|" not in name
        }
        self._n_layers = 1 + max(int(name.split(".")[1]) for name in self._w if name.startswith("layers."))

    def chances(self, request: str, answer: str) -> dict[Kind, float]:
        pieces, sides = self.pieces.read(request, answer)
        scores = self._scores(pieces, sides)
        chances = np.exp(scores - scores.max())
        return dict(zip(KINDS, (chances / chances.sum()).tolist(), strict=True))

    def _scores(self, pieces: Sequence[int], sides: Sequence[int]) -> Array:
        w = self._w
        x = w["word.weight"][pieces] + w["pos.weight"][: len(pieces)] + w["side.weight"][sides]
        x = self._norm(x, "n")
        for layer in range(self._n_layers):
            x = self._layer(x, f"layers.{layer}.")
        return self._linear(np.concatenate([x[0], x.mean(0)]), "head")

    def _layer(self, x: Array, name: str) -> Array:
        x = self._norm(x + self._linear(self._attention(x, name), name + "o"), name + "n1")
        return self._norm(x + self._linear(_gelu(self._linear(x, name + "f1")), name + "f2"), name + "n2")

    def _attention(self, x: Array, name: str) -> Array:
        length, width = x.shape
        q, k, v = (
            self._linear(x, name + part).reshape(length, HEADS, width // HEADS).transpose(1, 0, 2) for part in "qkv"
        )
        scores = q @ k.transpose(0, 2, 1) / np.float32((width / HEADS) ** 0.5)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        return mixed.transpose(1, 0, 2).reshape(length, width)

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self._w[name + ".weight"].T + self._w[name + ".bias"]

    def _norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(TINY))
        return centred / spread * self._w[name + ".weight"] + self._w[name + ".bias"]


def _gelu(x: Array) -> Array:
    """Each x times the chance that a normal draw is below x, by a rational approximation that is exact to 2e-7."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    above = np.float32(0.5) * series.astype(np.float32) * np.exp(-z * z)
    return x * np.where(x >= 0, 1 - above, above)


def _unpacked(weights: dict[str, Any], name: str) -> Array:
    stored = weights[name]
    if stored.dtype != np.int8:
        return stored.astype(np.float32)
    return stored.astype(np.float32) * weights[name + "|scale"].astype(np.float32)[:, None]


@cache
def shipped() -> Encoder:
    """The encoder that comes with the package; read when it is first asked."""
    data = resources.files(__package__).joinpath("weights.npz").read_bytes()
    with np.load(BytesIO(data)) as weights:
        return Encoder(dict(weights))
