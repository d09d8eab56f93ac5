"""Reads files from untrusted sources: only regular files, and JSON of any depth, with failures as `OSError`."""

import errno
import hashlib
import json
import os
import stat
import tomllib
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from mossbench.errors import UsageError, shortened

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "an object with keys and values",
    "enum": "{expected}",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_type": "a whole number",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_attributes_type": "an object with keys and values",
    "model_type": "an object with keys and values",
    "string_pattern_mismatch": "a text that matches {pattern}",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "{min_length} or more characters",
    "string_type": "a text",
    "too_long": "at most {max_length} values",
    "too_short": "{min_length} or more values",
    "tuple_type": "a list",
}
"""What a record's field may hold, by the type of pydantic's error; names in braces are values of its context."""


def as_path(value: object, title: str) -> Path:
    """The value as a path; a UsageError if it is something else. `title` names it in the message."""
    if isinstance(value, (str, os.PathLike)) and not isinstance(os.fspath(value), bytes):
        return Path(value)
    shown = shortened(repr(value), 80)
    raise UsageError(f"the {title} is {shown} ({type(value).__name__}), expected a path: a text or a Path")


def open_file(path: Path) -> IO[bytes]:
    """The file, opened to be read; an OSError for a FIFO, a socket or a device, which might never answer."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        check_regular(os.fstat(handle).st_mode, path)
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def read_file(path: Path) -> bytes:
    """The bytes of a file, as `open_file` opens it."""
    with open_file(path) as file:
        return file.read()


def count_lines(path: Path) -> int:
    """How many ends of lines a file has."""
    with open_file(path) as file:
        return sum(block.count(b"\n") for block in iter(partial(file.read, 1 << 20), b""))


def state_of(path: str | Path | int) -> tuple[int, ...]:
    """Numbers that change if a file changes or is replaced, even by one of its size and time; an OSError if missing."""
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def digest_of(path: Path) -> str:
    """SHA-256 of a file; it is read again only if it has changed."""
    return _digest(path, state_of(path))


@lru_cache(maxsize=20_000)
def _digest(path: Path, _state: tuple[int, ...]) -> str:
    digest = hashlib.sha256()
    with open_file(path) as file:
        for block in iter(partial(file.read, 1 << 20), b""):  # a large file as a whole would fill the memory
            digest.update(block)
    return digest.hexdigest()


def check_regular(mode: int, path: Path) -> None:
    """An OSError unless the `st_mode` is that of a regular file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def parse_json(text: str | bytes, **options: Any) -> Any:
    """The value; a ValueError also if it is nested too deeply for Python."""
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None


def is_json(line: bytes) -> bool:
    """Whether the last line of a file is whole: a line of which only the beginning was written is no JSON.

    One that is nested too deeply to be read was written by none of our steps.
    """
    try:
        parse_json(line)
    except ValueError:
        return False
    return True


def parse_toml(text: str) -> dict[str, Any]:
    """The table; a TOMLDecodeError, which is a ValueError, also if it is nested too deeply for Python."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("nested too deeply to be read") from None


def fault_text(error: Exception) -> str:
    """What is wrong with a file, for a message: the first fault of a record, else the text of the error."""
    from pydantic import ValidationError

    return record_fault(error) if isinstance(error, ValidationError) else str(error)


def record_fault(error: "ValidationError") -> str:
    """The first fault of a record: its field, the value, and what was expected."""
    fault = error.errors()[0]
    if fault["type"] == "json_invalid":
        reason = str(fault["ctx"]["error"])
        return "nested too deeply to be read" if reason.startswith("recursion limit") else f"not JSON: {reason}"
    place = ".".join(map(str, fault["loc"]))
    if not place and fault["type"] == "value_error":  # about several fields, which the message names
        return _own_message(fault)
    return f"{shortened(place, 80) or 'its content'} {fault_words(fault)}"


def fault_words(fault: "ErrorDetails") -> str:
    """What is wrong with a field of a record, to follow its name: "is 0, expected at least 1"."""
    if fault["type"] == "missing":
        return "is missing"
    return f"is {shortened(repr(fault['input']), 80)}{expected_words(fault)}"


def expected_words(fault: "ErrorDetails") -> str:
    """What was expected instead of a value, to follow it: ", expected at least 1"."""
    if fault["type"] == "value_error":
        return f": {_own_message(fault)}"
    if fault["type"] == "extra_forbidden":
        return ", but there is no field of this name"
    if fault["type"] in _EXPECTED:
        return f", expected {_EXPECTED[fault['type']].format(**fault.get('ctx', {}))}"
    return f", expected {fault['msg'].removeprefix('Input should be ')}"


def _own_message(fault: "ErrorDetails") -> str:
    """The message of one of our own checks."""
    return fault["msg"].removeprefix("Value error, ")


def path_fault(error: Exception) -> str | None:
    """Why the system rejects a path, in one line; None for an error that is not about a path."""
    if isinstance(error, RuntimeError) and "ymlink loop" in str(error):  # pathlib's, before Python 3.13
        return str(error)
    if not isinstance(error, OSError) or error.filename is None:
        return None
    name = str(error.filename)
    shown = name if len(name) <= 200 else f"{name[:100]}…{name[-60:]} ({len(name)} characters)"
    return f"cannot use {shown!r}: {error.strerror}"
