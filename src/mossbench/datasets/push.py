"""Uploads files to the hub through `huggingface_hub`: first only listed, then sent in one commit of what was listed.

A dataset gets a repository that is private until its owner makes it public. Results of a model, and files for somebody
else's repository, are sent as a pull request. The address, creator and date of publication in croissant.json are known
only now and are added here.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from mossbench.datasets.copying import Copying, copying_of
from mossbench.datasets.croissant import FILE as CROISSANT
from mossbench.datasets.files import ABOUT, read_about
from mossbench.datasets.hub import first_line
from mossbench.errors import DataError, UsageError, n_of, needing
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.untrusted_files import parse_json, read_file

EVAL_RESULTS = ".eval_results"


@dataclass(frozen=True)
class Push:
    repository: str
    endpoint: str
    kind: str
    files: dict[str, int]
    """Name in the repository -> bytes."""
    as_request: bool
    """Whether it is a pull request."""
    address: str = ""
    """Of the commit or the pull request; empty if nothing was sent."""

    def __repr__(self) -> str:
        return f"<Push to {self.repository}: {len(self.files)} files, {self.address or 'not sent'}>"


def push(
    folder: str | Path,
    repository: str,
    *,
    kind: Literal["dataset", "model"] = "dataset",
    request: bool = False,
    send: bool = False,
) -> Push:
    """Uploads files to a repository of the hub; by default only lists them, without any connection.

    Args:
        folder: For a dataset, all files except hidden ones; for a model, only `.eval_results/*.yaml`, or such a file.
        repository: As in org/name; for a dataset it is created if it does not exist.
        kind: Kind of the repository.
        request: Open a pull request; always done for a model.
        send: Upload the files.
    """
    with needing("pushing to the hub", "hub"):
        from huggingface_hub import constants
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", repository, re.ASCII):
        raise UsageError(f"{repository!r} is not a repository of the hub; expected org/name")
    folder = Path(folder)
    files: dict[str, Path | bytes] = {**_files_to_push(folder, kind)}
    _check_terms(folder)
    croissant_file = files.get(CROISSANT)
    if isinstance(croissant_file, Path):
        files[CROISSANT] = _with_publication(croissant_file, repository, constants.ENDPOINT)
    sizes: dict[str, int] = {}
    for name, content in files.items():
        sizes[name] = len(content) if isinstance(content, bytes) else content.stat().st_size
    planned = Push(repository, constants.ENDPOINT, kind, sizes, as_request=request or kind == "model")
    return replace(planned, address=_send(planned, files)) if send else planned


def _send(planned: Push, files: dict[str, Path | bytes]) -> str:
    """Commits the files, or opens a pull request with them; its address."""
    from huggingface_hub import CommitOperationAdd, HfApi

    api = HfApi(planned.endpoint, library_name="mossbench")
    try:
        if not planned.as_request:
            api.create_repo(planned.repository, repo_type=planned.kind, private=True, exist_ok=True)
        commit = api.create_commit(
            planned.repository,
            [CommitOperationAdd(name, content) for name, content in files.items()],
            commit_message=f"{n_of(len(files), 'file')}, written by mossbench",
            repo_type=planned.kind,
            create_pr=planned.as_request,
        )
    except Exception as error:  # the client's transport raises errors of its own kind, which differ between versions
        place = f"{planned.repository} at {planned.endpoint}"
        way_out = "check the name and HF_TOKEN, and whether the upload arrived"
        raise DataError(f"cannot push to {place}: {first_line(error)}; {way_out}") from error
    return str(commit.pr_url or commit.commit_url)


def _check_terms(folder: Path) -> None:
    """A UsageError if the licence of an exported dataset does not allow to publish it."""
    about = read_about(folder / ABOUT)
    licence = about.get("licence", "")
    stated = about.get("copying")
    if copying_of(stated, licence) is not Copying.ALL:
        flag = "" if stated is None else f", and {Copying.ALL.value!r} as `copying`"
        way_out = f"if its authors allow it, write their terms into {ABOUT}{flag}"
        raise UsageError(f"{str(folder)!r} may not be published: its licence is {licence!r}; {way_out}")


def _files_to_push(folder: Path, kind: str) -> dict[str, Path]:
    """Name in the repository -> file."""
    if kind == "model":
        paths = [folder] if folder.is_file() else sorted(folder.glob(f"{EVAL_RESULTS}/*.yaml"))
        files = {f"{EVAL_RESULTS}/{path.name}": path for path in paths if path.suffix == ".yaml"}
    else:
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        files = {path.relative_to(folder).as_posix(): path for path in paths if not _is_hidden(path, folder)}
    if not files:
        missing = f"no {EVAL_RESULTS}/*.yaml" if kind == "model" else "no file"
        raise UsageError(f"{missing} in {str(folder)!r} to push; pass the folder that was written")
    return files


def _is_hidden(path: Path, folder: Path) -> bool:
    """Whether the file, or a folder below `folder` that it is in, is hidden."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _with_publication(path: Path, repository: str, endpoint: str) -> bytes:
    """The content of croissant.json with address, creator and date; what is in the file already stays."""
    publication = {
        "url": f"{endpoint}/datasets/{repository}",
        "creator": {"@type": "sc:Organization", "name": repository.partition("/")[0]},
        "datePublished": datetime.now(UTC).date().isoformat(),
    }
    try:
        return to_json(publication | parse_json(read_file(path))).encode()
    except (ValueError, TypeError) as error:
        raise DataError(f"{path} is damaged: {error}; write the dataset again") from error
