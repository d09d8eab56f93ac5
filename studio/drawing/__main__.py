"""Draw the bundled set: `python -m studio.drawing OUT` writes all of it as it ships.

With ids after OUT it draws these samples alone, every picture whole, to look at while working on them.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from mossbench.errors import MossbenchError, unknown_name
from studio.drawing.scenes import SKETCHES
from studio.drawing.sketch import Drawn, draw, write_set


def main(arguments: list[str]) -> int:
    """Draw what the arguments ask for; the exit status."""
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m studio.drawing OUT [ID ...]", file=sys.stderr)
        return 2
    out, ids = Path(arguments[0]), arguments[1:]
    try:
        for name in ids:
            if name not in SKETCHES:
                raise unknown_name("sketch", name, SKETCHES, f"known: {', '.join(SKETCHES)}")
        n = write_set(drawn_in_parallel(ids or list(SKETCHES), whole=bool(ids)), out)
    except MossbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{n} samples in {out}", file=sys.stderr)
    return 0


def drawn_in_parallel(ids: list[str], whole: bool) -> list[Drawn]:
    """The sketches of these ids, drawn by as many processes as there are cores, in their order."""
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(ids))) as pool:
        return list(pool.map(_draw, ids, [whole] * len(ids)))


def _draw(name: str, whole: bool) -> Drawn:
    return draw(SKETCHES[name](), whole)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
