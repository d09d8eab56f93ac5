"""What a suite has left in a folder: its runs by the suite's names for them; and the folders of earlier nights.

A folder may have several runs of one cell, where a setting of it was changed. A link that leads out of it is no run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from mossbench.errors import MossbenchError, UsageError, n_of
from mossbench.messages import Message
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import InSuite

DATE = "{date}"
"""In the name of a folder: today's date, such as 2026-11-09."""
_PLACEHOLDER = re.compile(r"\{\w*\}")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
CellNames = tuple[str, str, str, str]
"""The suite's names for the parts of a cell: model, prompt, data, arm."""


def names_of_cell(cell: InSuite) -> CellNames:
    return (cell.model, cell.prompt, cell.data, cell.arm)


@dataclass(frozen=True)
class FoundCell:
    """A run of a cell in a folder."""

    folder: Path
    names: InSuite
    started: str


@dataclass(frozen=True)
class SuiteFolder:
    """The runs in a folder that are cells of a suite."""

    path: Path
    cells: Mapping[CellNames, Sequence[FoundCell]]
    """The newest run of a cell first."""
    damaged: Mapping[Path, Message] = field(default_factory=dict)
    """Runs whose run.json cannot be read, and why."""

    def candidates(self, cell: InSuite, folder_name: str = "") -> list[FoundCell]:
        """The runs of this cell: the one in a folder of this name first, then the newest."""
        found_cells = self.cells.get(names_of_cell(cell), ())
        return sorted(found_cells, key=lambda cell: cell.folder.name != folder_name)


def read_suite_folder(path: str | Path) -> SuiteFolder:
    """The cells in a folder that an earlier suite wrote its runs to; a UsageError where there are none."""
    folder = Path(path)
    expected = "expected the folder that an earlier suite wrote its runs to (its --out)"
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise UsageError(f"{str(path)!r} {what}; {expected}")
    if RunFolder(folder).info_path.is_file():
        raise UsageError(f"{str(path)!r} is a single run; {expected}")
    cells: dict[CellNames, list[FoundCell]] = {}
    damaged: dict[Path, Message] = {}
    paths = sorted(run_folders(folder))
    for run_path in paths:
        try:
            info = RunFolder(run_path).info()
        except MossbenchError as error:
            damaged[run_path] = error.message
            continue
        if info.suite is not None:
            cell = FoundCell(run_path, info.suite, info.started)
            cells.setdefault(names_of_cell(info.suite), []).append(cell)
    if not cells and not damaged:
        has = f"has {n_of(len(paths), 'run')}, none of them of a suite" if paths else "has no runs"
        raise UsageError(f"{str(path)!r} {has}; {expected}")
    for found_cells in cells.values():
        found_cells.sort(key=lambda cell: cell.started, reverse=True)
    return SuiteFolder(folder, cells, damaged)


def is_suite_folder(path: Path) -> bool:
    """Whether the folder has runs of a suite, and is no run itself."""
    if RunFolder(path).info_path.is_file():
        return False
    try:
        return bool(read_suite_folder(path).cells)
    except UsageError:
        return False


def with_date(out: str, today: date) -> str:
    """The name of a folder with today's date in place of `{date}`; a UsageError for any other word in braces."""
    for placeholder in _PLACEHOLDER.findall(out):
        if placeholder != DATE:
            raise UsageError(f"--out {out!r} has {placeholder}, which is not known; only {DATE} is replaced")
    return out.replace(DATE, today.isoformat())


def earlier_nights(tonight: Path) -> list[Path]:
    """Folders named as tonight's with an earlier date in place of its date, the oldest first.

    Empty where the folder's path has no date. Of `nightly/2026-11-09/small` these are `nightly/*/small`.
    """
    parts = tonight.parts
    dated_places = [place for place, part in enumerate(parts) if _ISO_DATE.search(part)]
    if not dated_places:
        return []
    place = dated_places[-1]
    match = _ISO_DATE.search(parts[place])
    assert match is not None
    before = parts[place][: match.start()]
    after = parts[place][match.end() :]
    parent = Path(*parts[:place])
    dates: dict[str, Path] = {}
    for sibling in parent.iterdir() if parent.is_dir() else ():
        middle = sibling.name[len(before) : len(sibling.name) - len(after)]
        is_like_tonight = sibling.name == f"{before}{middle}{after}" and _ISO_DATE.fullmatch(middle)
        folder = sibling.joinpath(*parts[place + 1 :])
        if is_like_tonight and middle < match[0] and folder.is_dir():
            dates[middle] = folder
    return [dates[day] for day in sorted(dates)]
