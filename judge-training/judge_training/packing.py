"""Weights as bytes: how a network is kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def packed(name: str, weight: Any) -> dict[str, Any]:
    """A matrix as whole numbers of one byte with a scale for each row; places, sides and vectors as half floats."""
    is_matrix = weight.ndim == 2 and not name.startswith(("pos", "side"))
    if not is_matrix:
        return {name: weight.astype(np.float16)}
    scale = np.maximum(np.abs(weight).max(1), 1e-12) / 127
    whole = np.rint(weight / scale[:, None]).astype(np.int8)
    return {name: whole, scale_of(name): scale.astype(np.float32)}


def unpacked(stored: Mapping[str, Any], name: str) -> Any:
    weight = stored[name].astype(np.float32)
    scale = stored.get(scale_of(name))
    return weight if scale is None else weight * scale[:, None]


def scale_of(name: str) -> str:
    return name.removesuffix("weight") + "scale"
