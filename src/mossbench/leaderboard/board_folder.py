"""The folder of a board: the submissions in it, one file each, read, checked and added."""

from pathlib import Path

import mossbench
from mossbench.datasets import Dataset
from mossbench.errors import NotASubmission, SubmissionError, UsageError, n_of
from mossbench.leaderboard.bundle_evidence import CheckBundle
from mossbench.leaderboard.checking import board_faults, check_submission, submission_in
from mossbench.leaderboard.known_sides import shipped_name
from mossbench.leaderboard.names import same_name
from mossbench.leaderboard.other_files import other_file
from mossbench.leaderboard.submission_faults import fault_messages
from mossbench.leaderboard.submission_records import Submission, submitted_protocol, submitted_subject
from mossbench.outcomes import MAX_FAILED
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.storage import create_atomically, write_atomically
from mossbench.plumbing.untrusted_files import read_file
from mossbench.protocols import digest
from mossbench.samples import Side

TEMPLATE = Path(__file__).with_name("repository")
"""The files of a board in a git repository; `dot-` stands for a dot, which some tools leave out."""


def load_board(folder: str | Path, *, check_bundle: CheckBundle | None = None) -> tuple[Submission, ...]:
    """The submissions in a board's folder, checked again, all or none; none when there is no folder yet.

    `read_board` sets damaged files aside instead.
    """
    submissions, damaged = read_board(folder, check_bundle=check_bundle)
    for path, faults in damaged.items():
        raise SubmissionError(f"{path} on the board is damaged or was changed; fix or remove it:", faults)
    return submissions


def bundle_of(path: Path) -> Path:
    """Where the bundle of a submission on a board lies, if it has one."""
    return path.with_suffix(".zip")


def read_board(
    folder: str | Path, *, check_bundle: CheckBundle | None = None
) -> tuple[tuple[Submission, ...], dict[Path, tuple[str, ...]]]:
    """The submissions in a board's folder that are sound, and the faults of the files that are not.

    Without `check_bundle` bundles are not looked at, and what they would verify counts as claimed.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is a file, expected the folder of a board")
    sound: list[Submission] = []
    damaged: dict[Path, tuple[str, ...]] = {}
    for path in sorted(folder.glob("*.json")):
        submission, faults = check_submission(path, check_shipped_names=False)
        if submission is not None and not faults:
            submission, faults = _with_bundle(submission, bundle_of(path), check_bundle)
        if submission is None or faults:
            damaged[path] = faults
        else:
            sound.append(submission)
    return tuple(sound), damaged


def _with_bundle(
    submission: Submission, bundle: Path, check_bundle: CheckBundle | None
) -> tuple[Submission, tuple[str, ...]]:
    """The submission with what its bundle shows, and what is wrong with the bundle."""
    if check_bundle is None or not bundle.exists():
        return submission, ()
    try:
        return submission.with_evidence(check_bundle(submission, bundle)), ()
    except SubmissionError as error:
        return submission, (str(error),)


def check_board(
    folder: str | Path,
    *,
    data: Dataset | None = None,
    max_failed: float = MAX_FAILED,
    check_bundle: CheckBundle | None = None,
) -> dict[Path, tuple[str, ...]]:
    """What is wrong with each file in a board's folder, as if it were added now; nothing: an empty tuple.

    Samples must be those of `data` or of what is shipped: files do not vouch for each other.
    """
    if not Path(folder).is_dir():
        not_a_submission = other_file(Path(folder))
        if not_a_submission is not None:
            raise NotASubmission(folder, not_a_submission.what, not_a_submission.steps, "nothing was checked")
        raise UsageError(f"no folder {str(folder)!r}; name the folder with the submissions of a board")
    submissions = {path: submission_in(path) for path in sorted(Path(folder).glob("*.json"))}
    faults = _faults_of_unread_files(Path(folder))
    for path, submission in submissions.items():
        is_shipped = submission is not None and shipped_name(submission, Side.BENIGN) is not None
        own_data = None if is_shipped else data
        _, own_faults = check_submission(path, others=(), data=own_data, max_failed=max_failed)
        faults[path] = own_faults
        if submission is not None and not own_faults:
            faults[path] += _with_bundle(submission, bundle_of(path), check_bundle)[1]
        if submission is not None:
            on_board = [entry for entry in submissions.values() if entry and entry is not submission]
            faults[path] += fault_messages(board_faults(submission, on_board))
    return faults


def _faults_of_unread_files(folder: Path) -> dict[Path, tuple[str, ...]]:
    """Of every file in the folder, also of submissions, the fault that it has unless it is read."""
    faults: dict[Path, tuple[str, ...]] = {}
    for path in sorted(folder.rglob("[!.]*")):
        is_bundle = path.suffix == ".zip" and path.parent == folder and path.with_suffix(".json").is_file()
        if path.is_file() and path.name != "README.md" and not is_bundle:
            reads = f"a board reads only NAME.json, and its bundle NAME.zip, in {folder}"
            faults[path] = (f"{path.relative_to(folder)} is ignored: {reads}",)
    return faults


def init_board(folder: str | Path) -> tuple[Path, ...]:
    """Write the files of a board in a git repository; a UsageError, and nothing is written, where one exists."""
    texts: dict[Path, str] = {}
    for template in sorted(TEMPLATE.rglob("*")):
        if template.is_file():
            name = str(template.relative_to(TEMPLATE)).replace("dot-", ".")
            texts[Path(folder, name)] = template.read_text("utf-8")
    existing = [str(path) for path in texts if path.exists()]
    if existing:
        raise UsageError(f"{', '.join(existing)} already exist; name a new folder, or move these files away")
    for path, text in texts.items():
        write_atomically(path, text.replace("VERSION", mossbench.__version__))
    return tuple(texts)


def add_submission(
    file: str | Path,
    folder: str | Path,
    *,
    data: Dataset | None = None,
    max_failed: float = MAX_FAILED,
    bundle: Path | None = None,
    check_bundle: CheckBundle | None = None,
) -> Path:
    """Add a submission to the board in a folder; a SubmissionError with every fault leaves the board unchanged.

    Samples must be known: from `data`, from what is shipped (sketches, official), or from the board. A `bundle` that
    `check_bundle` agrees with is kept beside the submission.
    """
    on_board, _ = read_board(folder)
    submission, faults = check_submission(file, others=on_board, data=data, max_failed=max_failed)
    path = Path(folder) / "unnamed"
    if submission is not None and not faults and bundle is not None:
        submission, faults = _with_bundle(submission, bundle, check_bundle)
    if submission is not None and not faults:
        path = Path(folder) / _file_name(submission)
        if not create_atomically(path, submission.to_json()):
            faults = (f"{submission.model} is on this board already; remove {path.name} first to replace it",)
    if faults:
        not_a_submission = other_file(Path(file), folder)
        if not_a_submission is not None:
            unchanged = f"the board in {folder} is unchanged"
            raise NotASubmission(file, not_a_submission.what, not_a_submission.steps, unchanged)
        n = n_of(len(faults), "fault")
        raise SubmissionError(f"{file} was rejected, {n}; the board in {folder} is unchanged:", faults)
    if bundle is not None:
        write_atomically(bundle_of(path), read_file(bundle))
    return path


def _file_name(submission: Submission) -> str:
    """One name for each row that a board can have, so that of two that are added at once only one can be there."""
    name = same_name(submission.model)
    protocol = submitted_protocol(submission).ranked()
    key = f"{name}\x00{submitted_subject(submission).endpoint}\x00{protocol}"
    if protocol.effort is not None or protocol.params:
        key += f"\x00{protocol.effort}\x00{protocol.params}"
    return f"{slug(f'{name} {submission.arm}')[:60]}-{digest(key)}.json"
