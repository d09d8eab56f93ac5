"""Files that people take to a board and that are no submissions: what they are, and how to make one of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mossbench.errors import MossbenchError
from mossbench.leaderboard.submission_reading import MAX_BYTES, outline_wrong
from mossbench.plumbing.untrusted_files import read_file
from mossbench.transcripts.recorded_answers import is_bare_map, read_id, read_response, stream_records
from mossbench.ways_out import AddSubmission, ImportResults, RunRecorded, WayOut, WriteSubmission, as_command

TRANSCRIPTS = (".jsonl", ".ndjson", ".csv", ".js")
DATA = "DATA"
NAME = "NAME"
BOARD = "BOARD"
"""Stand for what only the user knows: the data that were asked, the model, and the folder of the board."""


@dataclass(frozen=True)
class OtherFile:
    """A file that is no submission, and the steps that make one of it."""

    what: str
    """What it is, in words."""
    steps: tuple[WayOut, ...]

    @property
    def words(self) -> str:
        """All of it in one line, for a list of faults: with commands, since boards are kept by them."""
        steps = ", then ".join(map(as_command, self.steps))
        return f"is {self.what}, not a submission; make one from it: {steps}"


def other_file(path: Path, board: str | Path = BOARD, shown: str = "") -> OtherFile | None:
    """What a file is that is no submission, and how to bring it onto `board`; None where that is not known.

    `shown` is the name that its user knows it by, where that is not its path here.
    """
    if path.is_dir():
        return _run(path, board) if (path / "run.json").is_file() else None
    if not path.is_file():
        return None
    if path.suffix.lower() in TRANSCRIPTS:
        return _transcript(path, path, board)
    named = Path(shown) if shown else path
    if path.suffix.lower() == ".eval":
        steps = _from_import(named, ImportResults(str(named), _run_folder(named)), board, data="")
        return OtherFile("an Inspect log", steps)
    content = _json_content(path)
    if isinstance(content, list) or (isinstance(content, dict) and is_bare_map(content)):
        return _bare_records(path, named, content, board)
    return _json_file(named, content, board) if isinstance(content, dict) else None


def _json_file(named: Path, content: dict[str, object], board: str | Path) -> OtherFile | None:
    """A JSON object that some program wrote; None where it says that it is a submission, or it is not known."""
    from mossbench.published.every_eval_ever_reading import is_content_of_record  # takes time to import

    if content.get("format") is not None or "sides" in content:
        return None
    if isinstance(content.get("responses"), dict):
        return _published(named, content, board)
    if is_content_of_record(content):
        description = "a record of Every Eval Ever, which boards cannot check; it can be read as a run"
        return OtherFile(description, (ImportResults(str(named), _run_folder(named)),))
    if {"config", "arms", "dataset"} <= content.keys():
        return _run(named.parent, board)
    return None


def _published(path: Path, content: Mapping[str, object], board: str | Path) -> OtherFile:
    stated = content.get("model")
    model = stated if isinstance(stated, str) and stated.strip() else NAME
    first = ImportResults(str(path), _run_folder(path), data=DATA, model=model)
    return OtherFile("a file of results in the published layout", _from_import(path, first, board))


def _bare_records(
    path: Path, named: Path, content: list[object] | dict[str, object], board: str | Path
) -> OtherFile | None:
    """Records without what the published layout has around them: to be imported only if they have verdicts."""
    records = content if isinstance(content, list) else list(content.values())
    transcript = _transcript(path, named, board)
    if transcript is None or not all(isinstance(record, dict) and "rejected" in record for record in records):
        return transcript
    return OtherFile("a file of recorded answers with verdicts", _published(named, {}, board).steps)


def _transcript(path: Path, named: Path, board: str | Path) -> OtherFile | None:
    """A file of recorded answers at `path`, which its user knows as `named`; None where it is none."""
    try:
        place, record = next(stream_records(path))
        read_id(record, place)
        read_response(record, place)
    except (MossbenchError, StopIteration, OSError):
        return None
    first = RunRecorded(str(named), DATA, NAME, _run_folder(named))
    return OtherFile("a file of recorded answers", _from_import(named, first, board))


def _run(folder: Path, board: str | Path) -> OtherFile:
    return OtherFile("a run", _from_run(str(folder), folder.resolve().name, board))


def _from_import(path: Path, first: WayOut, board: str | Path, data: str = DATA) -> tuple[WayOut, ...]:
    """The step that makes a run of a file, and those that bring the run onto a board."""
    return (first, *_from_run(_run_folder(path), path.stem, board, data))


def _from_run(run: str, stem: str, board: str | Path, data: str = DATA) -> tuple[WayOut, ...]:
    """The steps that bring a run onto a board."""
    submission = f"{stem}-submission.json"
    return (WriteSubmission(run, submission), AddSubmission(submission, Path(board), data))


def _run_folder(path: Path) -> str:
    return f"runs/{path.stem}"


def _json_content(path: Path) -> object:
    """The JSON in a file, read as leniently as others write it; None where there is none."""
    try:
        raw = read_file(path)
        if len(raw) > MAX_BYTES or outline_wrong(raw):
            return None
        return json.loads(raw.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
