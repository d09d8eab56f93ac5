"""Files with one record in each line: read line by line, or written as a whole; `line_writer` appends to them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TypeVar, cast

from pydantic import ValidationError

from mossbench.errors import RunError
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import is_json, open_file, record_fault
from mossbench.samples import Record

Line = TypeVar("Line", bound=Record)
MOST_PARSED = 20_000
"""Maximum number of lines in the cache of parsed lines, so that a large run does not fill the memory."""

_parsed: ContextVar[dict[tuple[type[Record], bytes], Record] | None] = ContextVar("parsed", default=None)
"""The lines that were parsed within `parsed_once`, by the class of the record and the bytes; None outside of it."""


@contextmanager
def parsed_once() -> Iterator[None]:
    """Inside of this block, a line that is read several times is parsed once."""
    if _parsed.get() is not None:  # within another such block
        yield
        return
    token = _parsed.set({})
    try:
        yield
    finally:
        _parsed.reset(token)


def lines_of(records: Iterable[Record]) -> bytes:
    """The content of a file with these records."""
    return "".join(record.model_dump_json() + "\n" for record in records).encode()


def write_lines(path: Path, records: Iterable[Record]) -> None:
    write_atomically(path, (record.model_dump_json().encode() + b"\n" for record in records))


def read_lines(path: Path, record: type[Line]) -> Iterator[Line]:
    """The records in a file of lines; none if there is no file; a torn last line is skipped.

    A last line that is whole counts also without its line end, as editors leave it.
    """
    return (line for _, line in read_places(path, record))


def read_places(path: Path, record: type[Line]) -> Iterator[tuple[int, Line]]:
    """The records as `read_lines` gives them, each with the position in the file at which its line begins."""
    if not path.exists():
        return
    try:
        file = open_file(path)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    next_position = 0
    with file:
        for number, line in enumerate(_raw_lines(file, path), start=1):
            if not line.endswith(b"\n") and not is_json(line):
                return  # torn: its writer was killed
            position = next_position
            next_position += len(line)
            if not line.strip():
                continue
            try:
                yield position, _parse(line, record)
            except ValidationError as error:
                raise RunError(
                    f"{path}, line {number}: {record_fault(error)}; the file was changed by hand or by another "
                    "version: restore it, or remove that line"
                ) from error


def _raw_lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    try:
        yield from file
    except OSError as error:
        raise RunError(f"{path} cannot be read to its end: {error.strerror}") from error


def _parse(line: bytes, record: type[Line]) -> Line:
    cache = _parsed.get()
    if cache is None:
        return record.model_validate_json(line)
    parsed = cache.get((record, line))
    if parsed is None:
        if len(cache) >= MOST_PARSED:
            cache.clear()
        parsed = record.model_validate_json(line)
        cache[record, line] = parsed
    return cast(Line, parsed)
