"""Arrays that were made of files, kept beside them until one of the files changes.

It is a cache: one that cannot be read, is of another version or of other files is not used, and one that cannot be
written is left out. Numbers that only this machine has (inode, time of the last change of a file's entry) are part of
what must be equal, so a file that came with a copied folder is never believed.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import mossbench
from mossbench.errors import MossbenchError
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import open_file

if TYPE_CHECKING:
    import numpy as np

Arrays: TypeAlias = "Mapping[str, np.ndarray[Any, Any]]"
_ABOUT = "about"
FORMAT = 1
"""Moves when what is kept changes; so does the version of mossbench."""


def load_arrays(path: Path, made_of: object) -> Arrays | None:
    """The arrays that were kept there, if they were made of this by this version; else None."""
    import numpy as np

    try:
        with open_file(path) as file, np.load(file, allow_pickle=False) as content:
            if content[_ABOUT].tobytes() != _about(made_of):
                return None
            return {name: content[name] for name in content.files if name != _ABOUT}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def keep_arrays(path: Path, made_of: object, arrays: Arrays) -> None:
    import numpy as np

    about = np.frombuffer(_about(made_of), dtype=np.uint8)
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **{_ABOUT: about}, **arrays)
    with suppress(MossbenchError, OSError):  # a folder that may not be written is read each time
        write_atomically(path, content.getvalue(), durable=False, make_folder=False)


def _about(made_of: object) -> bytes:
    return json.dumps([mossbench.__version__, FORMAT, made_of], default=str).encode()
