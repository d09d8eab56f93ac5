"""First step: the rows and the base encoder as files that the training reads, which needs PyTorch and numpy alone.

python -m judge_training.prepare BASE OUT [--labelled FILE] [--pairs FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judge_training.base import read_base
from judge_training.rows import Row, fingerprint, training_rows
from judge_training.weights import weight_of
from mossbench.judges.reader.asked import asked_part
from mossbench.judges.reader.encoder import KINDS
from mossbench.judges.reader.pieces import Pieces
from mossbench.outcomes import REFUSED_KINDS, Kind

SMOOTHING = 0.02
"""Of each label, spread over all kinds."""
WHATEVER_ASKED = frozenset({Kind.REFUSED, Kind.INCAPABLE})
"""Kinds that an answer keeps when the request is another one, unless it is only a few words long."""


def prepare(rows: Sequence[Row], base: dict[str, Any], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    vocabulary = base["vocabulary"]
    np.savez_compressed(out / "base.npz", **{**base, "vocabulary": np.array(vocabulary)})
    pieces = Pieces({piece: index for index, piece in enumerate(vocabulary)})
    data = {
        "marks": {name: vocabulary.index(f"[{name}]") for name in ("CLS", "SEP", "UNK")},
        "fingerprint": fingerprint(rows),
        "refused": [kind in REFUSED_KINDS for kind in KINDS],
        "rows": [record_of(row, pieces) for row in rows],
    }
    with gzip.open(out / "rows.json.gz", "wt", encoding="utf-8") as file:
        json.dump(data, file)
    print(f"{len(rows)} answers, {len(vocabulary)} pieces in {out}")


def record_of(row: Row, pieces: Pieces) -> dict[str, Any]:
    parts = pieces.parts(asked_part(row.request), row.answer)
    return {
        "source": row.source,
        "request": parts.request,
        "answer": parts.answer,
        "target": target_of(row),
        "weight": weight_of(row),
        "whatever_asked": all(kind in WHATEVER_ASKED for kind in row.kinds),
    }


def target_of(row: Row) -> list[float]:
    """How the readers' kinds are spread, smoothed."""
    share = (1 - SMOOTHING) / len(row.kinds)
    return [SMOOTHING / len(KINDS) + share * row.kinds.count(kind) for kind in KINDS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("out", type=Path)
    parser.add_argument("--labelled", type=Path, help="file of labelled public answers, of which `chatgpt` is used")
    parser.add_argument("--pairs", type=Path, help="file that pairs.py wrote")
    options = parser.parse_args()
    rows = training_rows(options.labelled, pairs=options.pairs)
    prepare(rows, read_base(options.base, rows), options.out)


if __name__ == "__main__":
    main()
