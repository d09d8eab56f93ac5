"""Run folders side by side: which there are, and renaming, archiving and deleting them. A run's name is its folder's.

An archived run lies in `archive` beside the others: lists, boards and pages leave it out, and it can be taken back.
"""

import os
import shutil
from pathlib import Path
from shlex import quote

from mossbench.errors import RunError, UsageError, n_of, unknown_name
from mossbench.plumbing.storage import storage_errors
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import Command

ARCHIVE = "archive"


def run_folders(folder: Path) -> list[Path]:
    """The run folders in a folder; links that lead out of it are none."""
    if not folder.is_dir():
        return []
    root = folder.resolve()
    return [path for path in folder.iterdir() if _is_run_below(root, path)]


def find_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """The folder of the run with this path, or with this name in `runs`; a UsageError where there is none."""
    path = Path(run)
    if path.name in ("", ".."):  # "." and "..": a run needs the name of its folder to be moved
        path = Path(os.path.abspath(path))
    runs = Path(runs)
    for folder in (path, runs / path):
        if _has_run(folder):
            return folder
    names = [folder.name for folder in run_folders(runs)]
    if _has_run(runs / ARCHIVE / path):
        raise unknown_name(f"run in {str(runs)!r}", str(run), names, "it is archived", way_out=_restore(run))
    raise unknown_name(f"run in {str(runs)!r}", str(run), names, f"{n_of(len(names), 'run')} in all")


def rename_run(run: str | Path, name: str, runs: str | Path = "runs") -> Path:
    """Gives a run another name.

    Returns:
        Its new path.
    """
    folder = find_run(run, runs)
    check_name(name)
    return _move(folder, folder.parent / name)


def check_name(name: str) -> None:
    """A UsageError where a run cannot have this name."""
    has_slash = "\\" in name or name != Path(name).name
    if not name or has_slash or name.startswith(".") or name == ARCHIVE:
        raise UsageError(
            f"{name!r} is not a valid name for a run; use one without slashes and without a dot at the start"
        )


def archive_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """Moves a run to the archive, where lists and pages leave it out.

    Returns:
        Its new path.
    """
    folder = find_run(run, runs)
    if _archive_of(folder) is not None and folder.parent != Path(runs):
        raise UsageError(f"the run in {str(folder)!r} is already archived", way_out=_restore(folder))
    return _move(folder, folder.parent / ARCHIVE / folder.name)


def restore_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """Takes an archived run back, beside the other runs.

    Returns:
        Its new path.
    """
    folder = find_run(run, Path(runs) / ARCHIVE)
    archive = _archive_of(folder)
    if archive is None:
        raise UsageError(f"the run in {str(folder)!r} is not archived; there is nothing to restore")
    return _move(folder, archive.parent / folder.name)


def delete_run(run: str | Path, runs: str | Path = "runs") -> None:
    """Deletes a run and all its files."""
    folder = find_run(run, runs)
    hidden = folder.parent / f".deleted-{folder.name}"
    with storage_errors(hidden):
        if hidden.is_dir():  # what is left of a deletion that was stopped
            shutil.rmtree(hidden)
        # Renamed first: whoever lists runs while the files are being deleted sees a whole run or none.
        _move(folder, hidden)
        shutil.rmtree(hidden)


def _restore(run: str | Path) -> Command:
    return Command(f"mossbench runs restore {quote(str(run))}", to="restore it")


def _archive_of(folder: Path) -> Path | None:
    """The archive in which a run lies; None if it lies in none."""
    parent = folder.parent
    if not parent.name:  # a relative path of one part
        parent = folder.absolute().parent
    return parent if parent.name == ARCHIVE else None


def _has_run(folder: Path) -> bool:
    return RunFolder(folder).info_path.is_file()


def _is_run_below(root: Path, path: Path) -> bool:
    """Whether there is a run at the path, and the path does not lead out of the root."""
    try:
        return path.resolve().is_relative_to(root) and _has_run(path)
    except (OSError, RuntimeError):  # a link that leads to itself; a folder that may not be entered
        return False


def _move(folder: Path, new_path: Path) -> Path:
    """Moves a run; an error where a process writes to it, or something is at the new path already. Its new path."""
    if folder.is_symlink():
        raise UsageError(f"{str(folder)!r} is a link to {str(folder.readlink())!r}; name the run's own folder")
    if new_path.exists():
        raise RunError(f"{str(new_path)!r} already exists; choose another name, or move it first")
    with RunFolder(folder).held():
        pass  # it could be locked, so no other process writes to it
    with storage_errors(new_path.parent):
        new_path.parent.mkdir(exist_ok=True)
        folder.rename(new_path)
    return new_path
