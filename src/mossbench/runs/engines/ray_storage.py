"""Storage of a run on a Ray cluster: workers keep each block of exchanges there, as a file of lines.

A folder, or any address that fsspec knows. Where the session that asks is killed, the next one takes them from there.
"""

import uuid
from collections.abc import Sequence
from typing import Any

from mossbench.errors import bad_option, needing
from mossbench.outcomes import Exchange
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.untrusted_files import is_json
from mossbench.protocols import digest
from mossbench.store.config import OPERATIONAL
from mossbench.store.run_info import RunInfo

with needing("engine 'ray'", "ray"):
    import fsspec

FileSystem = Any
"""A file system of fsspec, which has no types."""


def open_storage(url: str) -> tuple[FileSystem, str]:
    """The file system of an address, and the path on it; a UsageError where there is no such file system."""
    try:
        return fsspec.core.url_to_fs(url)  # type: ignore[no-any-return]
    except (ValueError, ImportError) as error:
        raise bad_option("storage", f"is {url!r}, which cannot be written to: {error}") from error


def storage_of_run(url: str, info: RunInfo, folder_name: str) -> str:
    """The address where the blocks of this run go, in whichever session they are asked."""
    settings = info.config.model_dump(mode="json", exclude=OPERATIONAL)
    run_digest = digest(to_json([folder_name, info.started, info.dataset.hashes, settings]))
    return f"{url.rstrip('/')}/{run_digest}"


def store_exchanges(storage: str, exchanges: Sequence[Exchange]) -> None:
    """Writes the exchanges of a block into a new file."""
    files, path = open_storage(storage)
    files.makedirs(path, exist_ok=True)
    lines = [exchange.model_dump_json().encode() + b"\n" for exchange in exchanges]
    files.pipe_file(f"{path}/{uuid.uuid4().hex}.jsonl", b"".join(lines))


def stored_exchanges(storage: str) -> list[Exchange]:
    """The exchanges in all files there; a line that was torn is left out."""
    files, path = open_storage(storage)
    exchanges = []
    for name in files.glob(f"{path}/*.jsonl"):
        for line in files.cat_file(name).splitlines(keepends=True):
            if line.endswith(b"\n") or is_json(line):
                exchanges.append(Exchange.model_validate_json(line))
    return exchanges


def remove_storage(storage: str) -> None:
    """Deletes what is kept of a run whose rows are all written down."""
    files, path = open_storage(storage)
    if files.exists(path):
        files.rm(path, recursive=True)
