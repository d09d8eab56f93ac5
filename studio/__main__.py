"""The studio as a program: `mossbench-studio COMMAND ...`, or `python -m studio COMMAND ...`.

    sketches OUT [ID ...]           draws the bundled set, or only these samples
    compose SCENES.py OUT [ID ...]  draws the scenes of a file for candidates of a new set
    assets OUT                      draws every background and prop of the sketches alone, for training
    compositions ASSETS OUT ...     puts such parts together to images whose contents are known

Other programs call it so, and read the files that it writes: `mossbench build image --from studio` and bench/sight.py.
On an error it prints one line and exits with 1, or with 2 where the call is wrong.
"""

from __future__ import annotations

import importlib
import sys

from mossbench.errors import MossbenchError

COMMANDS = {
    "sketches": "studio.drawing.__main__",
    "compose": "studio.drawing.compose",
    "assets": "studio.training.assets",
    "compositions": "studio.training.compositions",
}
"""Command -> the module whose `main` takes its arguments and gives the exit status."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command that the arguments name; the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if not given or given[0] not in COMMANDS:
        command = repr(given[0]) if given else "nothing"
        print(f"error: the command is {command}; expected one of {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    # Imported only now: drawing needs no numpy, and nothing else needs the renderer.
    module = importlib.import_module(COMMANDS[given[0]])
    try:
        status: int = module.main(given[1:])
    except MossbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return status


if __name__ == "__main__":
    sys.exit(main())
