"""The published sets, and files of others, from the hub, through `huggingface_hub`: cached, the commit recorded.

`official` means one commit of the hub: the one that was fetched first, and checked. When the hub has another one, the
commit in use is exchanged only for one that is the published set too, or that somebody names; so no run is made on
other samples than the one before it unless that was asked for.

A complete cached snapshot is used without any network. `HF_ENDPOINT` (a mirror), `HF_HUB_OFFLINE`, `HF_HOME` and
`HF_TOKEN` are honoured, since the client itself reads them. Whatever goes wrong ends as one DataError with the way out.
"""

import dataclasses
import errno
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import Dataset
from mossbench.datasets.official import find_tables, load_official_folder
from mossbench.datasets.recognition import NAME
from mossbench.errors import DataError, needing
from mossbench.messages import Message
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.tls import find_tls_fault
from mossbench.samples import Side
from mossbench.ways_out import FetchDataset, LoadData

REPOSITORY = "AIcell/MOSSBench"
_PATTERNS = ["*.csv", "*.json", "images/*", "contrast_images/*", "oversensitivity/*", "contrast/*"]
_WANTED: dict[str, Any] = {"repo_type": "dataset", "allow_patterns": _PATTERNS}
"""Tables and picture folders; not images.zip, which holds the same pictures again."""
_STORAGE_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)
_SAID: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_NAMING_REVISION = ("RevisionNotFoundError", "HFValidationError")
"""Messages that have a place of their own for the revision."""
_WITH_THEIR_OWN_WAY_OUT = (*_NAMING_REVISION, "Storage")
_COMMIT = re.compile("[0-9a-f]{40}")
_PATIENCE = 20.0
"""Seconds to wait for the hub's first answer."""
_LOCAL_COPY = LoadData("PATH/TO/FOLDER", to="use a local copy")


def _ways_out(revision: str | None = None) -> Message:
    """What to do where the published set cannot be fetched; with HF_HUB_OFFLINE set no other try can help."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return Message("Unset HF_HUB_OFFLINE, which forbids to fetch anything", (_LOCAL_COPY,))
    again = FetchDataset("official", revision or "", to="try again (it resumes)")
    return Message("Set HF_ENDPOINT to a mirror", (again, _LOCAL_COPY))


def load_official() -> Dataset:
    """The published set: from the cache when it is complete there, else downloaded, at the commit in use if any."""
    return cached_official() or _use(_fetch(commit_in_use()))


def fetch_official(*, revision: str | None = None) -> Dataset:
    """The published set as the hub has it now, or at a revision; files that are already here are not fetched again.

    Without a revision another commit is taken into use only when it is the published set: else the one in use stays,
    and a note says what the hub has.
    """
    before = cached_official()
    in_use = commit_in_use() or (before.revision if before is not None else None)
    fetched = _fetch(revision)
    if revision is not None or in_use is None or fetched.revision == in_use:
        return _use(fetched)
    if set(fetched.copies) == set(Side):
        moved = f"the hub has another commit now, {fetched.revision}, which replaces {in_use}"
        return _use(_with_note(fetched, f"{moved}; it has the same samples"))
    kept = before if before is not None else _fetch(in_use)
    return _with_note(_use(kept), _why_kept(kept, fetched))


def _why_kept(kept: Dataset, fetched: Dataset) -> str:
    differences = [found.why_not for found in fetched.recognitions.values() if found.copy is None]
    differences += [f"{side}: no sample" for side in Side if side not in fetched.sides]
    return (
        f"the hub has another commit now, {fetched.revision}, which is not the published set "
        f"({'; '.join(differences)}); {kept.revision} stays in use; to use the other all the same, fetch 'official' at "
        "that revision"
    )


def commit_in_use() -> str | None:
    """The commit that `official` means on this machine; None before it was fetched, or where the record is damaged."""
    try:
        commit = _use_file().read_text("ascii").strip()
    except (OSError, ValueError, ImportError):
        return None
    return commit if _COMMIT.fullmatch(commit) else None


def _use_file() -> Path:
    """A reference of our own among those that the hub's client keeps: it resolves it, and cleans up after it."""
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    folder = repo_folder_name(repo_id=REPOSITORY, repo_type="dataset")
    return Path(constants.HF_HUB_CACHE) / folder / "refs" / "mossbench"


def _use(dataset: Dataset) -> Dataset:
    """Takes a fetched commit into use."""
    with suppress(OSError):  # where it cannot be written, the client's own `main` is used
        _use_file().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_use_file(), str(dataset.revision))
    return dataset


def _with_note(dataset: Dataset, note: str) -> Dataset:
    return dataclasses.replace(dataset, notes=(*dataset.notes, note))


def _fetch(revision: str | None) -> Dataset:
    with needing("fetching the published set", "hub"):
        from huggingface_hub import constants, snapshot_download

    with _telling(REPOSITORY, revision, _ways_out(revision)) as asked:
        if not constants.HF_HUB_OFFLINE and not _answers(revision):
            silent = f"cannot fetch {asked}: no answer within {_PATIENCE:g} s"
            raise DataError(_advised(silent, _ways_out(revision)))
        folder = Path(snapshot_download(REPOSITORY, revision=revision, **_WANTED))
        try:
            dataset = _load_snapshot(folder)
        except DataError:
            # The client keeps files that are there, also damaged ones.
            folder = Path(snapshot_download(REPOSITORY, revision=revision, force_download=True, **_WANTED))
            dataset = _load_snapshot(folder)
    missing = missing_pictures(dataset)
    if missing:
        lacking = f"lacks {len(missing)} of its images, the first is {missing[0]}"
        raise DataError(_advised(f"the hub dataset {REPOSITORY} at {dataset.revision} {lacking}", _ways_out()))
    return dataset


def missing_pictures(dataset: Dataset) -> list[str]:
    return [s.image for s in dataset.samples if s.image is not None and not os.path.isfile(dataset.picture_path(s))]


def cached_official() -> Dataset | None:
    """The cached set, or None when there is none or it is not complete."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError
    except ImportError:  # what asks for the set says what is missing
        return None
    try:
        folder = Path(snapshot_download(REPOSITORY, revision=commit_in_use(), local_files_only=True, **_WANTED))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    if not find_tables(folder):
        return None
    try:
        dataset = _load_snapshot(folder)
    except DataError:  # a damaged table: fetching it again mends it, or says what is wrong
        return None
    # A download that was broken off may have left one side only.
    return None if len(dataset.sides) < 2 or missing_pictures(dataset) else dataset


def _load_snapshot(folder: Path) -> Dataset:
    if not find_tables(folder):
        empty = f"the hub dataset {REPOSITORY} at {folder.name} holds no table of samples"
        raise DataError(_advised(empty, _ways_out()))
    dataset = load_official_folder(folder)
    # A folder of the hub's cache is called by its commit, which is no name for a dataset.
    name = dataset.name if dataset.name == NAME else f"MOSSBench-{folder.name[:7]}"
    return dataclasses.replace(dataset, name=name, source=f"hub:{REPOSITORY}", revision=folder.name)


def fetch_files(repository: str, patterns: list[str], revision: str | None, folder: Path, name: str) -> str:
    """The commit of any hub dataset, after its files that fit the patterns were fetched into a folder named by it."""
    with needing(f"fetching {name!r} from the hub", "hub"):
        from huggingface_hub import HfApi, constants, snapshot_download

    again = Message("", (FetchDataset(name, to="resume it"),))
    if constants.HF_HUB_OFFLINE:
        then = FetchDataset(name, to="then fetch it")
        again = Message("Unset HF_HUB_OFFLINE, which forbids to fetch anything", (then,))
    with _telling(repository, revision, again):
        commit = HfApi().dataset_info(repository, revision=revision or "main", timeout=_PATIENCE).sha
        how: dict[str, Any] = {**_WANTED, "revision": commit, "allow_patterns": patterns}
        snapshot_download(repository, **how, local_dir=folder / str(commit))
        return str(commit)


@contextmanager
def _telling(repository: str, revision: str | None, ways_out: Message) -> Iterator[str]:
    """Turns whatever the client raises into one DataError; gives how messages name what was asked for."""
    from huggingface_hub import constants

    place = f"{repository} from {constants.ENDPOINT}"
    asked = f"{repository} at revision {revision!r} from {constants.ENDPOINT}" if revision else place
    try:
        yield asked
    except DataError:
        raise
    except Exception as error:  # the client's transport raises errors of its own kind, which differ between versions
        tls = find_tls_fault(error)
        if tls is not None:
            raise DataError(f"cannot fetch {asked}: {tls.message}; {tls.way_out}") from error
        name, line = next(one.__name__ for one in type(error).__mro__ if one.__name__ in _SAID), first_line(error)
        if name == "Exception" and isinstance(error, OSError) and error.errno in _STORAGE_FAULTS:
            name, line = "Storage", str(error.strerror)
        if name == "Exception" and constants.HF_HUB_OFFLINE:
            name = "LocalEntryNotFoundError"
        url = str(getattr(getattr(error, "response", None), "url", ""))
        said = _SAID[name].format(
            asked=place if name in _NAMING_REVISION else asked,
            repository=repository,
            endpoint=constants.ENDPOINT,
            revision=revision if name == "HFValidationError" else revision or "main",
            reason="HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else first_line(error.__cause__ or error),
            file=url.partition("/resolve/")[2].partition("/")[2],  # after the revision
            place=getattr(error, "filename", None) or constants.HF_HUB_CACHE,
            line=line,
        )
        if name in _WITH_THEIR_OWN_WAY_OUT:
            raise DataError(said) from error
        raise DataError(_advised(said, ways_out)) from error


def _advised(text: str, ways_out: Message) -> Message:
    """What went wrong, and what to do about it."""
    return replace(ways_out, text=f"{text}. {ways_out.text}" if ways_out.text else text)


def _answers(revision: str | None) -> bool:
    """Whether the hub says anything in time; the download itself would wait for minutes on one that never does."""
    from huggingface_hub import HfApi

    try:
        HfApi().dataset_info(REPOSITORY, revision=revision or "main", timeout=_PATIENCE)
    except Exception as error:  # the transport's own errors; all but silence are told by the download
        return "timeout" not in type(error).__name__.lower()
    return True


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__
