"""Downloads a set of other authors: from the hub through its client, from GitHub over HTTPS.

A download resumes file by file. Files lie in a folder named by the commit; `fetched.json` beside it has their hashes
and is written last. Only then is the set replaced: if anything goes wrong, it is as it was before.
"""

import hashlib
import http.client
import json
import re
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote

from mossbench.datasets.dataset import SUFFIXES, Dataset, stays_inside
from mossbench.datasets.hub import fetch_files
from mossbench.datasets.peers import FETCHED, Fetched, PeerSet, load_set, read_set, shipped_set
from mossbench.errors import DataError, UsageError
from mossbench.plumbing.locks import locked
from mossbench.plumbing.storage import storage_errors, write_atomically
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.plumbing.tls import find_tls_fault
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.ways_out import FetchDataset, LoadData

API = "https://api.github.com"
RAW = "https://raw.githubusercontent.com"
_PATIENCE = 30.0
"""Seconds to wait for an answer."""
_MAX_CONNECTIONS = 8
_HUB_CLIENT_FILES = ".cache/"
"""Folder in which the hub's client keeps files of its own."""


def fetch_peer(name: str, *, revision: str | None = None) -> Dataset:
    """The set after its download; files that are already here are not fetched again."""
    return fetch_set(shipped_set(name), revision=revision)


def fetch_set(peer_set: PeerSet, *, revision: str | None = None) -> Dataset:
    """As `fetch_peer`, of any set."""
    peer = peer_set.peer
    folder = peer_set.root
    name = peer_set.spec
    if peer.is_in_folder:
        raise UsageError(f"the files of {name!r} are those in {folder}; there is nothing to fetch")
    if peer.layout == "not verified":
        raise DataError(
            f"{name!r} cannot be fetched: the layout of its files at {peer.page} is not verified. Download it "
            f"there under its terms ({peer.licence})",
            way_out=LoadData("FILE", (("question", "X"),), to="then use your copy"),
        )
    with locked(folder / ".lock", f"{name!r} is being fetched by another process; wait until it is done"):
        host, _, repository = peer.home.partition(":")
        fetch = fetch_files if host == "hub" else _fetch_github
        with storage_errors(folder):
            commit = fetch(repository, list(peer.files), revision or peer.revision or None, folder, name)
            _unpack(folder / commit)
        record = Fetched(
            home=peer.home,
            revision=commit,
            pinned=commit == peer.revision,
            at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            files=_hash_files(folder / commit),
        )
        _check_layout(peer_set, record)
        write_atomically(folder / FETCHED, record.model_dump_json(indent=1) + "\n")
    return load_set(peer_set)


def _hash_files(folder: Path) -> dict[str, str]:
    """SHA-256 of the fetched files, by their paths in the folder."""
    hashes: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(_HUB_CLIENT_FILES):
            hashes[name] = hashlib.sha256(read_bytes(path)).hexdigest()
    return hashes


def _check_layout(peer_set: PeerSet, record: Fetched) -> None:
    """A DataError if a file is missing that the layout has, or if no sample can be read."""
    for pattern in peer_set.peer.files:
        if not any(fnmatch(path, pattern) for path in record.files):
            raise _unknown_layout(peer_set, record, f"has no file {pattern!r}")
    if not len(read_set(peer_set, record)):
        raise _unknown_layout(peer_set, record, "has no record that can be read")


def _unknown_layout(peer_set: PeerSet, record: Fetched, fault: str) -> DataError:
    peer = peer_set.peer
    message = f"{peer.page} at {record.revision} {fault}"
    if not peer.revision:
        return DataError(f"{message}, and no revision with the expected layout is pinned")
    way_out = FetchDataset(peer_set.spec, peer.revision, to="fetch the revision with the expected layout")
    return DataError(message, way_out=way_out)


def _unpack(folder: Path) -> None:
    """Writes each Parquet file as JSONL beside it, and the images in it as files."""
    from mossbench.images.decoding import sniff

    for path in folder.rglob("*.parquet"):
        lines = []
        for row in read_rows(path):
            for column, value in row.values.items():
                if isinstance(value, dict) and isinstance(value.get("bytes"), bytes):
                    suffix = SUFFIXES.get(sniff(value["bytes"]) or "", (".bin",))[0]
                    image = path.with_suffix("") / f"{column}-{row.line}{suffix}"
                    write_atomically(image, value["bytes"], durable=False)
                    row.values[column] = image.relative_to(folder).as_posix()
            lines.append(json.dumps(row.values, ensure_ascii=False, default=str) + "\n")
        write_atomically(path.with_suffix(".parquet.jsonl"), "".join(lines))


def _fetch_github(repository: str, patterns: list[str], revision: str | None, folder: Path, name: str) -> str:
    """Fetches the files that match the patterns and compares each with its hash in git; the commit."""
    resume = FetchDataset(name, to="resume it")
    try:
        commit, hashes = _list_github_files(repository, patterns, revision or "HEAD", resume)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"cannot use GitHub's list of the files of {repository}: {error!r}", way_out=resume) from error

    def fetch(path: str) -> None:
        file = folder / commit / path
        if file.is_file() and _git_hash(read_bytes(file)) == hashes[path]:
            return
        data = _get(f"{RAW}/{repository}/{commit}/{quote(path)}", resume)
        if _git_hash(data) != hashes[path]:
            raise DataError(f"{path} of {repository} was damaged during the download", way_out=resume)
        write_atomically(file, data, durable=False)

    with ThreadPoolExecutor(max_workers=_MAX_CONNECTIONS) as pool:
        list(pool.map(fetch, hashes))  # stops at the first error; fetched files stay
    return commit


def _list_github_files(
    repository: str, patterns: list[str], revision: str, way_out: FetchDataset
) -> tuple[str, dict[str, str]]:
    """The commit, and the git hashes of its files that match the patterns; a ValueError if the list is unusable."""
    commit = revision
    if not re.fullmatch("[0-9a-f]{40}", revision):
        described = parse_json(_get(f"{API}/repos/{repository}/commits/{quote(revision, safe='')}", way_out))
        commit = str(described["sha"])
    tree = parse_json(_get(f"{API}/repos/{repository}/git/trees/{commit}?recursive=1", way_out))
    hashes: dict[str, str] = {}
    for entry in tree["tree"]:
        if entry["type"] == "blob" and any(fnmatch(entry["path"], pattern) for pattern in patterns):
            hashes[entry["path"]] = entry["sha"]
    if tree["truncated"] or not all(map(stays_inside, (commit, *hashes))):
        raise ValueError("the list is incomplete, or has a path outside the repository")
    return commit, hashes


def _git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\x00" % len(data) + data).hexdigest()


def _get(url: str, way_out: FetchDataset) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "mossbench"})
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as response:
            return bytes(response.read())
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, HTTPError):
            error.close()
        tls = find_tls_fault(error)
        if tls is not None:
            raise DataError(f"cannot fetch {url}: {tls.message}; {tls.way_out}") from error
        raise DataError(f"cannot fetch {url}: {error}", way_out=way_out) from error
