"""The published sets, and files of other datasets, from the hub through `huggingface_hub`.

`official` means one commit of the hub: the one that was fetched first, and checked. If the hub has a newer commit, it
replaces the one in use only if it is the published set too, or if the user names it; so a later run never has other
samples than an earlier one unless the user asked for that.

A complete cached snapshot is used without any network. `HF_ENDPOINT` (a mirror), `HF_HUB_OFFLINE`, `HF_HOME` and
`HF_TOKEN` work as usual, since the client itself reads them. Every failure is one DataError with the way out.
"""

import dataclasses
import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import Dataset
from mossbench.datasets.official import find_tables, load_official_folder
from mossbench.datasets.recognition import NAME
from mossbench.errors import DataError, n_of, needing
from mossbench.messages import Message
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.tls import find_tls_fault
from mossbench.samples import Side
from mossbench.ways_out import FetchDataset, LoadData

REPOSITORY = "AIcell/MOSSBench"
_PATTERNS = ["*.csv", "*.json", "images/*", "contrast_images/*", "oversensitivity/*", "contrast/*"]
_SNAPSHOT_OPTIONS: dict[str, Any] = {"repo_type": "dataset", "allow_patterns": _PATTERNS}
"""Tables and picture folders; not images.zip, which has the same pictures."""
_STORAGE_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)
_STORAGE_FAULT = "storage fault"
_EXPLAINED_ERRORS = (
    "RevisionNotFoundError",
    "GatedRepoError",
    "RepositoryNotFoundError",
    "LocalEntryNotFoundError",
    "EntryNotFoundError",
    "HFValidationError",
)
"""Errors of the hub's client for which `_client_fault` has a message of its own."""
_COMMIT = re.compile("[0-9a-f]{40}")
_PATIENCE = 20.0
"""Seconds to wait for the hub's first answer."""
_LOCAL_COPY = LoadData("PATH/TO/FOLDER", to="use a local copy")


def _ways_out(revision: str | None = None) -> Message:
    """What to do if the published set cannot be fetched; with HF_HUB_OFFLINE set, trying again cannot help."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return Message("Unset HF_HUB_OFFLINE, which blocks downloads", (_LOCAL_COPY,))
    fetch_again = FetchDataset("official", revision or "", to="try again (it resumes)")
    return Message("Set HF_ENDPOINT to a mirror", (fetch_again, _LOCAL_COPY))


def load_official() -> Dataset:
    """The published set at the commit in use, if any: from the cache if it is complete there, else downloaded."""
    return cached_official() or _take_into_use(_fetch(commit_in_use()))


def fetch_official(*, revision: str | None = None) -> Dataset:
    """The published set as the hub has it now, or at a revision; files that are already here are not fetched again.

    Without a revision, another commit is taken into use only if it is the published set: otherwise the one in use
    stays, and a note says what the hub has.
    """
    cached = cached_official()
    in_use = commit_in_use() or (cached.revision if cached is not None else None)
    fetched = _fetch(revision)
    if revision is not None or in_use is None or fetched.revision == in_use:
        return _take_into_use(fetched)
    if set(fetched.copies) == set(Side):
        replaces = f"the hub has a new commit, {fetched.revision}, which replaces {in_use}"
        return _take_into_use(_with_note(fetched, f"{replaces}; it has the same samples"))
    current = cached if cached is not None else _fetch(in_use)
    return _with_note(_take_into_use(current), _why_not_replaced(current, fetched))


def _why_not_replaced(current: Dataset, fetched: Dataset) -> str:
    recognitions = fetched.recognitions.values()
    differences = [recognition.why_not for recognition in recognitions if recognition.copy is None]
    differences += [f"{side}: no sample" for side in Side if side not in fetched.sides]
    return (
        f"the hub has a new commit, {fetched.revision}, which is not the published set "
        f"({'; '.join(differences)}); {current.revision} stays in use; to use the new one anyway, fetch "
        "'official' at that revision"
    )


def commit_in_use() -> str | None:
    """The commit that `official` means on this machine; None before it was fetched, or if the record is damaged."""
    try:
        commit = _commit_file().read_text("ascii").strip()
    except (OSError, ValueError, ImportError):
        return None
    return commit if _COMMIT.fullmatch(commit) else None


def _commit_file() -> Path:
    """The record of the commit in use: a git reference among those of the hub's client, which also cleans it up."""
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    folder = repo_folder_name(repo_id=REPOSITORY, repo_type="dataset")
    return Path(constants.HF_HUB_CACHE) / folder / "refs" / "mossbench"


def _take_into_use(dataset: Dataset) -> Dataset:
    """Records a fetched commit as the one that `official` means."""
    with suppress(OSError):  # if it cannot be written, the client's own `main` is used
        _commit_file().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_commit_file(), str(dataset.revision))
    return dataset


def _with_note(dataset: Dataset, note: str) -> Dataset:
    return dataclasses.replace(dataset, notes=(*dataset.notes, note))


def _fetch(revision: str | None) -> Dataset:
    with needing("fetching the published set", "hub"):
        from huggingface_hub import constants, snapshot_download

    with _client_errors(REPOSITORY, revision, _ways_out(revision)) as request:
        if not constants.HF_HUB_OFFLINE and not _answers(revision):
            no_answer = f"cannot fetch {request}: no answer within {_PATIENCE:g} s"
            raise DataError(_advised(no_answer, _ways_out(revision)))
        folder = Path(snapshot_download(REPOSITORY, revision=revision, **_SNAPSHOT_OPTIONS))
        try:
            dataset = _load_snapshot(folder)
        except DataError:
            # The client does not fetch files again that it has, even if they are damaged.
            folder = Path(snapshot_download(REPOSITORY, revision=revision, force_download=True, **_SNAPSHOT_OPTIONS))
            dataset = _load_snapshot(folder)
    missing = missing_pictures(dataset)
    if missing:
        at_revision = f"the hub dataset {REPOSITORY} at {dataset.revision}"
        incomplete = f"{at_revision} has {n_of(len(missing), 'missing image')}; the first is {missing[0]}"
        raise DataError(_advised(incomplete, _ways_out()))
    return dataset


def missing_pictures(dataset: Dataset) -> list[str]:
    """The image paths of samples whose first image is not on disk."""
    with_image = [(sample, sample.image) for sample in dataset.samples if sample.image is not None]
    return [image for sample, image in with_image if not os.path.isfile(dataset.picture_path(sample))]


def cached_official() -> Dataset | None:
    """The cached set; None if there is none, or if it is incomplete."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError
    except ImportError:  # fetching the set names the missing package
        return None
    try:
        folder = Path(
            snapshot_download(REPOSITORY, revision=commit_in_use(), local_files_only=True, **_SNAPSHOT_OPTIONS)
        )
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    if not find_tables(folder):
        return None
    try:
        dataset = _load_snapshot(folder)
    except DataError:  # a damaged table: fetching it again repairs it, or says what is wrong
        return None
    is_complete = len(dataset.sides) == 2 and not missing_pictures(dataset)  # else the download was interrupted
    return dataset if is_complete else None


def _load_snapshot(folder: Path) -> Dataset:
    if not find_tables(folder):
        empty = f"the hub dataset {REPOSITORY} at {folder.name} has no table of samples"
        raise DataError(_advised(empty, _ways_out()))
    dataset = load_official_folder(folder)
    # A folder of the hub's cache has the name of its commit, which is no name for a dataset.
    name = dataset.name if dataset.name == NAME else f"MOSSBench-{folder.name[:7]}"
    return dataclasses.replace(dataset, name=name, source=f"hub:{REPOSITORY}", revision=folder.name)


def fetch_files(repository: str, patterns: list[str], revision: str | None, folder: Path, name: str) -> str:
    """Fetches the files of a hub dataset that match the patterns into a folder named by the commit; the commit."""
    with needing(f"fetching {name!r} from the hub", "hub"):
        from huggingface_hub import HfApi, constants, snapshot_download

    ways_out = Message("", (FetchDataset(name, to="resume it"),))
    if constants.HF_HUB_OFFLINE:
        fetch = FetchDataset(name, to="then fetch it")
        ways_out = Message("Unset HF_HUB_OFFLINE, which blocks downloads", (fetch,))
    with _client_errors(repository, revision, ways_out):
        commit = HfApi().dataset_info(repository, revision=revision or "main", timeout=_PATIENCE).sha
        snapshot_download(
            repository,
            repo_type="dataset",
            revision=commit,
            allow_patterns=patterns,
            local_dir=folder / str(commit),
        )
        return str(commit)


@contextmanager
def _client_errors(repository: str, revision: str | None, ways_out: Message) -> Iterator[str]:
    """Turns whatever the client raises into one DataError; gives the words for what was asked for."""
    from huggingface_hub import constants

    at_revision = f" at revision {revision!r}" if revision else ""
    try:
        yield f"{repository}{at_revision} from {constants.ENDPOINT}"
    except DataError:
        raise
    except Exception as error:  # the client's transport raises errors of its own kind, which differ between versions
        raise DataError(_client_fault(error, repository, revision, ways_out)) from error


def _client_fault(error: Exception, repository: str, revision: str | None, ways_out: Message) -> Message:
    """What went wrong in the hub's client, and what to do about it."""
    from huggingface_hub import constants

    place = f"{repository} from {constants.ENDPOINT}"
    request = f"{repository} at revision {revision!r} from {constants.ENDPOINT}" if revision else place
    tls = find_tls_fault(error)
    if tls is not None:
        return Message(f"cannot fetch {request}: {tls.message}; {tls.way_out}")
    match _kind_of_error(error):
        case "RevisionNotFoundError":
            return Message(f"the hub dataset {place} has no revision {revision or 'main'!r}; name another one")
        case "HFValidationError":
            return Message(f"{revision!r} is not a revision of {place}: {first_line(error)}")
        case kind if kind == _STORAGE_FAULT:
            reason = getattr(error, "strerror", "")
            folder = getattr(error, "filename", None) or constants.HF_HUB_CACHE
            return Message(f"cannot store {request} in {folder}: {reason}; set HF_HOME to another folder")
        case "GatedRepoError":
            fault = (
                f"the hub dataset {repository} is gated: log in at {constants.ENDPOINT}/datasets/{repository}, accept "
                "its terms there, and set HF_TOKEN to a token of your account"
            )
        case "RepositoryNotFoundError":
            fault = f"the hub dataset {request} does not exist, or needs a token (HF_TOKEN)"
        case "LocalEntryNotFoundError":
            offline = "HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else ""
            reason = offline or first_line(error.__cause__ or error)
            fault = f"cannot fetch {request}, and no complete copy is cached: {reason}"
        case "EntryNotFoundError":
            url = str(getattr(getattr(error, "response", None), "url", ""))
            file = url.partition("/resolve/")[2].partition("/")[2]  # after the revision
            fault = f"the hub dataset {request} lists the file {file} but does not have it"
        case _:
            fault = f"cannot fetch {request}: {first_line(error)}"
    return _advised(fault, ways_out)


def _kind_of_error(error: Exception) -> str:
    """The nearest class of the error that has a message of its own; empty if none has."""
    from huggingface_hub import constants

    for error_class in type(error).__mro__:
        if error_class.__name__ in _EXPLAINED_ERRORS:
            return error_class.__name__
    if isinstance(error, OSError) and error.errno in _STORAGE_FAULTS:
        return _STORAGE_FAULT
    return "LocalEntryNotFoundError" if constants.HF_HUB_OFFLINE else ""


def _advised(text: str, ways_out: Message) -> Message:
    """The ways out, after a text that says what went wrong."""
    return replace(ways_out, text=f"{text}. {ways_out.text}" if ways_out.text else text)


def _answers(revision: str | None) -> bool:
    """Whether the hub answers in time; the download itself would wait for minutes."""
    from huggingface_hub import HfApi

    try:
        HfApi().dataset_info(REPOSITORY, revision=revision or "main", timeout=_PATIENCE)
    except Exception as error:  # the transport's own errors; the download reports all except a timeout
        return "timeout" not in type(error).__name__.lower()
    return True


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__
