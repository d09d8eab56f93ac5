"""Run folders side by side: which there are, and renaming, archiving and deleting them. A run's name is its folder's.

An archived run lies in `archive` beside the others: lists, boards and pages leave it out, and it can be taken back.
"""

import shutil
from pathlib import Path
from shlex import quote

from mossbench.errors import RunError, UsageError, unknown_name
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
    runs = Path(runs)
    for folder in (path, runs / path):
        if _has_run(folder):
            return folder
    names = [folder.name for folder in run_folders(runs)]
    if _has_run(runs / ARCHIVE / path):
        restore = Command(f"mossbench runs restore {quote(str(run))}", to="restore it")
        raise unknown_name(f"run in {str(runs)!r}", str(run), names, "it is archived", way_out=restore)
    raise unknown_name(f"run in {str(runs)!r}", str(run), names, f"there are {len(names)} runs")


def rename_run(run: str | Path, name: str, runs: str | Path = "runs") -> Path:
    """Gives a run another name; where it lies now."""
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
    """Moves a run to where lists and pages leave it out; where it lies now."""
    folder = find_run(run, runs)
    return _move(folder, folder.parent / ARCHIVE / folder.name)


def restore_run(run: str | Path, runs: str | Path = "runs") -> Path:
    """Takes an archived run back; where it lies now."""
    folder = find_run(run, Path(runs) / ARCHIVE)
    archive = folder.parent
    if archive.name != ARCHIVE:
        raise UsageError(f"the run in {str(folder)!r} is not archived; there is nothing to restore")
    return _move(folder, archive.parent / folder.name)


def delete_run(run: str | Path, runs: str | Path = "runs") -> None:
    folder = find_run(run, runs)
    # Under another name first: who lists runs meanwhile sees a whole one or none.
    hidden = _move(folder, folder.parent / f".deleted-{folder.name}")
    with storage_errors(hidden):
        shutil.rmtree(hidden)


def _has_run(folder: Path) -> bool:
    return RunFolder(folder).info_path.is_file()


def _is_run_below(root: Path, path: Path) -> bool:
    """Whether there is a run at the path, and the path does not lead out of the root."""
    try:
        return path.resolve().is_relative_to(root) and _has_run(path)
    except (OSError, RuntimeError):  # a link that leads to itself; a folder that may not be entered
        return False


def _move(folder: Path, new_path: Path) -> Path:
    """Moves a run that nobody writes to; where it lies now."""
    if folder.is_symlink():
        raise UsageError(f"{str(folder)!r} is a link to {str(folder.readlink())!r}; name the run's own folder")
    if new_path.exists():
        raise RunError(f"{str(new_path)!r} already exists; choose another name, or move it first")
    with RunFolder(folder).held():
        pass  # nobody writes in it
    with storage_errors(new_path.parent):
        new_path.parent.mkdir(exist_ok=True)
        folder.rename(new_path)
    return new_path
