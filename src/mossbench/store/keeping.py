"""Run folders side by side: which there are, and renaming, archiving and deleting them. A run's name is its folder's.

An archived run lies in `archive` beside the others: lists, boards and pages leave it out, and it can be taken back.
"""

import os
import shutil
from pathlib import Path

from mossbench.errors import RunError, UsageError, unknown_name
from mossbench.plumbing.storage import storage_errors
from mossbench.store.run_folder import RunFolder

ARCHIVE = "archive"


def run_folders(folder: Path) -> list[Path]:
    """The run folders in a folder; links that lead out of it are none."""
    if not folder.is_dir():
        return []
    root = folder.resolve()
    return [path for path in folder.iterdir() if _is_run(path, root)]


def find_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """The folder of the run with this path, or with this name in `runs`; a UsageError where there is none."""
    path, runs = Path(run), Path(runs)
    for found in (path, runs / path):
        if (found / "run.json").is_file():
            return found
    known = [one.name for one in run_folders(runs)]
    archived = (runs / ARCHIVE / path / "run.json").is_file()
    see = "it is archived: take it back with `mossbench runs restore`" if archived else f"{len(known)} runs are there"
    raise unknown_name(f"run in {str(runs)!r}", str(run), known, see)


def rename_run(run: str | Path, name: str, runs: str | Path = "runs") -> Path:
    """Gives a run another name; where it lies now."""
    folder = find_run(run, runs)
    check_name(name)
    return _moved(folder, folder.parent / name)


def check_name(name: str) -> None:
    """A UsageError where a run cannot have this name."""
    if not name or name != Path(name).name or "\\" in name or name.startswith(".") or name == ARCHIVE:
        raise UsageError(f"{name!r} cannot be a run's name; give one without slashes that does not begin with a dot")


def archive_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """Moves a run to where lists and pages leave it out; where it lies now."""
    folder = find_run(run, runs)
    return _moved(folder, folder.parent / ARCHIVE / folder.name)


def restore_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """Takes an archived run back; where it lies now."""
    folder = find_run(run, Path(runs) / ARCHIVE)
    if folder.parent.name != ARCHIVE:
        raise UsageError(f"the run in {str(folder)!r} is not archived")
    return _moved(folder, folder.parent.parent / folder.name)


def delete_run(run: str | Path, runs: str | Path = "runs") -> None:
    folder = find_run(run, runs)
    # Under another name first: who lists runs meanwhile sees a whole one or none.
    gone = _moved(folder, folder.parent / f".deleted-{folder.name}")
    with storage_errors(gone):
        shutil.rmtree(gone)


def _is_run(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root) and os.path.isfile(path / "run.json")
    except (OSError, RuntimeError):  # a link that leads to itself; a folder that may not be entered
        return False


def _moved(folder: Path, to: Path) -> Path:
    if folder.is_symlink():
        raise UsageError(f"{str(folder)!r} is a link to {str(folder.readlink())!r}; name the run's own folder")
    if to.exists():
        raise RunError(f"{str(to)!r} is there already; choose another name, or move it first")
    with RunFolder(folder).held():
        pass  # nobody writes in it
    with storage_errors(to.parent):
        to.parent.mkdir(exist_ok=True)
        folder.rename(to)
    return to
