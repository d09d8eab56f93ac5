"""Fetching a peer's set: from the hub through its client, from GitHub over HTTPS; resumed file by file.

Files lie in a folder named by the commit; `fetched.json` beside it, written last, with their hashes, puts the set in
place. Until then, and when anything goes wrong, the set is as it was before.
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
from mossbench.datasets.peers import FETCHED, Fetched, load_peer, peer_folder, read_peer, read_set
from mossbench.errors import DataError
from mossbench.plumbing.storage import locked, storage_errors, write_atomically
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.plumbing.tls import find_tls_fault
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.ways_out import FetchDataset, LoadData

API, RAW = "https://api.github.com", "https://raw.githubusercontent.com"
_PATIENCE = 30.0
"""Seconds to wait for an answer."""
_AT_ONCE = 8


def fetch_peer(name: str, *, revision: str | None = None) -> Dataset:
    """The set after its download; files that are already here are not fetched again."""
    peer, folder = read_peer(name), peer_folder(name)
    if peer.layout == "not verified":
        raise DataError(
            f"{name!r} cannot be fetched: nobody has verified what the files of {peer.page} hold. Get it there on its "
            f"terms ({peer.licence})",
            way_out=LoadData("FILE", (("question", "X"),), to="then use your copy"),
        )
    with locked(folder / ".lock", f"{name!r} is being fetched by another process; wait until that has ended"):
        host, _, repository = peer.home.partition(":")
        fetch = fetch_files if host == "hub" else _fetch_github
        with storage_errors(folder):
            commit = fetch(repository, list(peer.files), revision or peer.revision or None, folder, name)
            _unpack(folder / commit)
        now, pinned = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", commit == peer.revision
        paths = [path for path in sorted((folder / commit).rglob("*")) if path.is_file()]
        named = {path.relative_to(folder / commit).as_posix(): path for path in paths}
        own = ".cache/"  # the hub client's
        files = {name: hashlib.sha256(read_bytes(path)).hexdigest() for name, path in named.items() if name[:7] != own}
        record = Fetched(home=peer.home, revision=commit, pinned=pinned, at=now, files=files)
        lacking = [one for one in peer.files if not any(fnmatch(path, one) for path in record.files)]
        if lacking or not len(read_set(peer, folder, record)):
            what = f"has no file {lacking[0]!r}" if lacking else "has no record that can be read"
            raise DataError(f"{peer.page} at {commit} {what}; its layout is known at {peer.revision or 'no revision'}")
        write_atomically(folder / FETCHED, record.model_dump_json(indent=1) + "\n")
    return load_peer(name)


def _unpack(folder: Path) -> None:
    """Parquet files as JSONL beside them, with the images that they hold as files."""
    from mossbench.images.preparing import sniff

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
    """The commit, after its files were fetched; each is compared with the hash that git has for it."""
    commit = revision or "HEAD"
    again = FetchDataset(name, to="resume it")
    try:
        if not re.fullmatch("[0-9a-f]{40}", commit):
            commit = str(parse_json(_get(f"{API}/repos/{repository}/commits/{quote(commit, safe='')}", again))["sha"])
        tree = parse_json(_get(f"{API}/repos/{repository}/git/trees/{commit}?recursive=1", again))
        blobs = {one["path"]: one["sha"] for one in tree["tree"] if one["type"] == "blob"}
        wanted = {path: sha for path, sha in blobs.items() if any(fnmatch(path, one) for one in patterns)}
        if tree["truncated"] or not all(map(stays_inside, (commit, *wanted))):
            raise ValueError("it is not whole, or leads elsewhere")
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"cannot use GitHub's list of the files of {repository}: {error!r}", way_out=again) from error

    def fetch(path: str) -> None:
        place = folder / commit / path
        if place.is_file() and _git_hash(read_bytes(place)) == wanted[path]:
            return
        data = _get(f"{RAW}/{repository}/{commit}/{quote(path)}", again)
        if _git_hash(data) != wanted[path]:
            raise DataError(f"{path} of {repository} came damaged", way_out=again)
        write_atomically(place, data, durable=False)

    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        list(pool.map(fetch, wanted))  # the first fault ends it; what was fetched stays
    return commit


def _git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\x00" % len(data) + data).hexdigest()


def _get(url: str, again: FetchDataset) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "mossbench"})
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            return bytes(answer.read())
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, HTTPError):
            error.close()
        tls = find_tls_fault(error)
        if tls is not None:
            raise DataError(f"cannot fetch {url}: {tls.message}; {tls.way_out}") from error
        raise DataError(f"cannot fetch {url}: {error}", way_out=again) from error
