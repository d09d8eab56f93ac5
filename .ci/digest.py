"""One hash of files, and of all files below folders: `python .ci/digest.py PATH ...`.

The Makefiles of studio/ and judge-training/ write it to `tested.sha256` when their tests have passed, and leave the
tests out while the files still have that hash. So nothing depends on commits, tags or the depth of a checkout, and a
file that is new, gone, renamed or changed always has the tests run. What tools leave behind (hidden folders such as
.venv, and compiled files) does not count, nor does `tested.sha256` itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

RECORD = "tested.sha256"
LEFT_BEHIND = ("__pycache__", "build", "dist")
"""Folders that tools write."""


def source_files(path: Path) -> Iterator[Path]:
    """The file itself, or all files below a folder, in an order that is the same everywhere."""
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise SystemExit(f"no file or folder {path}: name what is to be hashed")
    for parent, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in LEFT_BEHIND)
        for name in sorted(names):
            if name != RECORD:
                yield Path(parent, name)


def digest(paths: list[Path]) -> str:
    """A hash of the names and contents of all files; where the folders lie does not matter."""
    total = hashlib.sha256()
    for number, path in enumerate(paths):
        for file in source_files(path):
            content = hashlib.sha256(file.read_bytes()).hexdigest()
            name = file.relative_to(path).as_posix()
            total.update(f"{number} {name} {content}\n".encode())
    return total.hexdigest()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("usage: python .ci/digest.py PATH ...")
    print(digest([Path(name) for name in sys.argv[1:]]))
