"""Draw the bundled set: `python -m mossbench.drawing OUT [ID ...]` writes metadata.jsonl and the pictures."""

from __future__ import annotations

import sys
from pathlib import Path

from mossbench.drawing.scenes import SKETCHES
from mossbench.drawing.sketch import write_set
from mossbench.errors import MossbenchError, unknown_name


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m mossbench.drawing OUT [ID ...]", file=sys.stderr)
        return 2
    out, ids = Path(arguments[0]), arguments[1:] or list(SKETCHES)
    try:
        for name in ids:
            if name not in SKETCHES:
                raise unknown_name("sketch", name, SKETCHES, f"known: {', '.join(SKETCHES)}")
        n = write_set((SKETCHES[name]() for name in ids), out)
    except MossbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{n} samples in {out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
