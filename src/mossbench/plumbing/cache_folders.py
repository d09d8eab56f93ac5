"""Folders for files that can be created again."""

import contextlib
import os
import tempfile
from pathlib import Path

from mossbench.errors import StorageError

_writable_cache_folders: dict[Path, Path] = {}


def cache_folder(name: str) -> Path:
    """A folder for files that can be created again: in the user's cache, or in the temporary folder if that fails."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mossbench"
    used_before = _writable_cache_folders.get(home / name)
    if used_before is not None and os.access(used_before, os.W_OK):
        return used_before
    temporary = Path(tempfile.gettempdir()) / f"mossbench-{os.environ.get('USER', 'user')}"
    for folder in (home / name, temporary / name):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                _writable_cache_folders[home / name] = folder
                return folder
    raise StorageError(f"no writable folder for {name}: tried {home} and temporary files; set XDG_CACHE_HOME")
