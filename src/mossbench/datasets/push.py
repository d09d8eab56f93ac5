"""Files to the hub, through `huggingface_hub`: first only listed, then sent in one commit of just what was listed.

A dataset gets a repository that is private until its owner opens it. Results of a model, and files for somebody else's
repository, go as a pull request. Croissant's address, creator and day of publication are known only now and added.
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
from mossbench.plumbing.storage import to_json
from mossbench.plumbing.untrusted_files import parse_json, read_file

EVAL_RESULTS = ".eval_results"


@dataclass(frozen=True)
class Push:
    repository: str
    endpoint: str
    kind: str
    files: dict[str, int]
    """Names in the repository -> bytes."""
    as_request: bool
    address: str = ""
    """Of the commit or the pull request; empty: nothing was sent."""

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
    """What was sent to a repository of the hub; by default nothing is, and nobody is asked.

    Args:
        folder: Of a dataset all files, but hidden ones; of a model only `.eval_results/*.yaml`, or such a file itself.
        repository: As in org/name; a dataset's is made where there is none.
        kind: What the repository is of.
        request: Open a pull request; always so for a model.
        send: Really send it.
    """
    with needing("pushing to the hub", "hub"):
        from huggingface_hub import CommitOperationAdd, HfApi, constants
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", repository, re.ASCII):
        raise UsageError(f"{repository!r} is no repository of the hub; expected org/name")
    files: dict[str, Path | bytes] = {**_files(Path(folder), kind)}
    about = read_about(Path(folder) / ABOUT)
    licence = about.get("licence", "")
    stated = about.get("copying")
    if copying_of(stated, licence) is not Copying.ALL:
        flag = "" if stated is None else f", and {Copying.ALL.value!r} as `copying`"
        way_out = f"where its authors allow it, write their terms into {ABOUT}{flag}"
        raise UsageError(f"{str(folder)!r} may not be passed on: its licence is {licence!r}; {way_out}")
    if isinstance(described := files.get(CROISSANT), Path):
        files[CROISSANT] = _told(described, repository, constants.ENDPOINT)
    sizes = {name: len(one) if isinstance(one, bytes) else one.stat().st_size for name, one in files.items()}
    request = request or kind == "model"
    planned = Push(repository, constants.ENDPOINT, kind, sizes, request)
    if not send:
        return planned
    api = HfApi(constants.ENDPOINT, library_name="mossbench")
    try:
        if not request:
            api.create_repo(repository, repo_type=kind, private=True, exist_ok=True)
        adds, said = [CommitOperationAdd(*one) for one in files.items()], n_of(len(files), "file")
        done = api.create_commit(
            repository, adds, commit_message=f"{said}, written by mossbench", repo_type=kind, create_pr=request
        )
    except Exception as error:  # the client's transport raises errors of its own kind, which differ between versions
        where, way_out = f"{repository} at {constants.ENDPOINT}", "check the name and HF_TOKEN, and look if it arrived"
        raise DataError(f"cannot push to {where}: {first_line(error)}; {way_out}") from error
    return replace(planned, address=str(done.pr_url or done.commit_url))


def _files(folder: Path, kind: str) -> dict[str, Path]:
    if kind == "model":
        found = [folder] if folder.is_file() else sorted(folder.glob(f"{EVAL_RESULTS}/*.yaml"))
        files = {f"{EVAL_RESULTS}/{path.name}": path for path in found if path.suffix == ".yaml"}
    else:
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        names = {path.relative_to(folder): path for path in found}
        files = {name.as_posix(): path for name, path in names.items() if not any(p[0] == "." for p in name.parts)}
    if not files:
        what = f"no {EVAL_RESULTS}/*.yaml" if kind == "model" else "no file"
        raise UsageError(f"{what} in {str(folder)!r} to push; name the folder that was written")
    return files


def _told(path: Path, repository: str, endpoint: str) -> bytes:
    """Croissant's file with what is known now; what it says already stays."""
    today = datetime.now(UTC).date().isoformat()
    creator = {"@type": "sc:Organization", "name": repository.partition("/")[0]}
    now = {"url": f"{endpoint}/datasets/{repository}", "creator": creator, "datePublished": today}
    try:
        return to_json(now | parse_json(read_file(path))).encode()
    except (ValueError, TypeError) as error:
        raise DataError(f"{path} is damaged: {error}; write the dataset again") from error
