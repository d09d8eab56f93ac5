"""First step: examples, and the base encoder's vocabulary and weights, as arrays that the training reads.

    python -m judge_training.pieces BASE OUT [LABELLED.jsonl SOURCE]

BASE is a folder of all-MiniLM-L6-v2 (Apache-2.0): vocab.txt and model.safetensors. Its vocabulary is cut to frequent
English pieces and those of the examples. LABELLED holds further answers (question, response, kind, source), of which
the rows of SOURCE are used: only texts whose licence lets weights be fitted on them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.judges.earlier.tandem.encoder import KINDS
from mossbench.judges.earlier.tandem.tokens import Pieces

EXAMPLES = Path(__file__).parents[1] / "examples"
AWKWARD = Path(__file__).parents[2] / "tests" / "judges"  # what the rules were written on
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FREQUENT, FREQUENT_INSIDE = 11_500, 16_000  # ranks in the base vocabulary, of whole words and of pieces inside words
LONGEST = 256  # pieces
Row = dict[str, Any]


def examples() -> list[Row]:
    """Our own examples: source, request, answer, and the kinds that its readers gave."""
    found = []
    for path in [*sorted(EXAMPLES.glob("*.jsonl")), *sorted(AWKWARD.glob("rules_*.jsonl"))]:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.append(
                {
                    "source": path.stem,
                    "id": row["id"],
                    "request": row["request"],
                    "answer": row["answer"],
                    "kinds": row.get("kinds") or [row["kind"]],
                    "hard": bool(row.get("hard")),
                }
            )
    return found


def labelled(path: Path, source: str) -> list[Row]:
    """The rows of one source of a file of labelled answers."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [
        {
            "source": source,
            "id": row["id"],
            "request": row["question"],
            "answer": row["response"],
            "kinds": [row["kind"]],
            "hard": bool(row["hard"]),
        }
        for row in rows
        if row["source"] == source and row["response"] and not row["disputed"]
    ]


def kept(vocabulary: list[str], rows: list[Row]) -> list[int]:
    """The numbers of the pieces that are kept."""
    pieces = Pieces({piece: index for index, piece in enumerate(vocabulary)})
    used = {index for row in rows for text in (row["request"], row["answer"]) for index in pieces.all(text)}
    for index, piece in enumerate(vocabulary):
        limit = FREQUENT_INSIDE if piece.startswith("##") else FREQUENT
        if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]") or (
            index < limit and piece.isascii() and not piece.startswith("[unused")
        ):
            used.add(index)
    return sorted(used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("extra", nargs="*", help="a file of labelled answers and the source to take of it")
    options = parser.parse_args()
    from safetensors.numpy import load_file

    model = options.base / "model.safetensors"
    if hashlib.sha256(model.read_bytes()).hexdigest() != BASE_SHA256:
        raise SystemExit(f"{model} is not the base that was published")
    rows = examples() + (labelled(Path(options.extra[0]), options.extra[1]) if options.extra else [])
    vocabulary = (options.base / "vocab.txt").read_text("utf-8").splitlines()
    keep = kept(vocabulary, rows)
    options.out.mkdir(parents=True, exist_ok=True)
    weights = {
        name: (weight[keep] if name.endswith("word_embeddings.weight") else weight[:LONGEST]).astype(np.float16)
        if "embeddings.weight" in name
        else weight.astype(np.float16)
        for name, weight in load_file(model).items()
        if "pooler" not in name and "position_ids" not in name
    }
    np.savez(options.out / "base.npz", **weights)
    pieces = Pieces({vocabulary[old]: new for new, old in enumerate(keep)})
    for row in rows:
        row["pieces"], row["sides"] = pieces.read(row.pop("request"), row.pop("answer"))
    data = {"vocabulary": [vocabulary[old] for old in keep], "kinds": [kind.value for kind in KINDS], "rows": rows}
    (options.out / "data.json").write_text(json.dumps(data), "utf-8")
    print(f"{len(rows)} answers, {len(keep)} pieces")


if __name__ == "__main__":
    main()
