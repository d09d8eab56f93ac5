"""The error tree: what a user can fix.

    MossbenchError          one message, no traceback; exit code 1
    ├── UsageError          the call itself is wrong: unknown name, bad option; exit code 2
    │   └── MissingExtra    an optional package is not installed
    ├── DataError           a dataset cannot be read
    ├── ImageError          an image cannot be used (recorded on its row as FAILED)
    ├── ModelError          a model cannot be loaded or started; exit code 2
    ├── SubmissionError     a submission that a board cannot accept; lists every fault
    │   └── NotASubmission  a file that is something else; lists the steps that make a submission from it
    ├── RunError            a run folder already exists, has other settings, or is damaged
    └── StorageError        the disk is full, or the folder may not be written

A message names the thing, its value and what was expected; `way_out` is what to do about it, as data (`ways_out`):
Python ends the message with a call, the command line with a command. An error with one item of a run is not raised but
recorded on its row (`outcomes.Failure`). Everything else is a bug in mossbench and keeps its traceback.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from itertools import chain

from mossbench.messages import Message
from mossbench.ways_out import Install, WayOut, as_call

MOST_OF_A_WORD = 500
MOST_OF_A_LINE = 1500
"""Characters shown of a message; of a longer one the beginning and the end, where the way out is."""


class Code(StrEnum):
    """For programs: what went wrong where the error's class does not say it; the words of messages may change."""

    NOT_FOUND = "not found"
    NOT_DONE = "not done yet"


class MossbenchError(Exception):
    """Something the user can fix; the message says how."""

    exit_code = 1

    def __init__(
        self, message: str | Message = "", *, code: Code | None = None, way_out: WayOut | tuple[WayOut, ...] = ()
    ) -> None:
        ways_out = way_out if isinstance(way_out, tuple) else (way_out,)
        if isinstance(message, Message):
            ways_out = (*message.ways_out, *ways_out)
        else:
            message = Message(message)
        self.message = replace(message, text=short_message(message.text), ways_out=ways_out)
        self.code = code
        self.notes: list[Message] = []
        super().__init__(str(self.message))

    @property
    def message_with_notes(self) -> Message:
        """The message and what was added to it, as one, for where an error is kept and not raised."""
        messages = [self.message, *self.notes]
        text = "; ".join(message.text for message in messages)
        ways_out = tuple(chain.from_iterable(message.ways_out for message in messages))
        return replace(self.message, text=text, ways_out=ways_out)

    def add_note(self, note: str | Message) -> None:
        """Adds a message to show after this one, such as how much of a run is saved."""
        message = Message(note) if isinstance(note, str) else note
        self.notes.append(message)
        super().add_note(str(message))


def message_of(error: Exception) -> Message:
    """The message of any error; one of ours has its ways out."""
    return error.message if isinstance(error, MossbenchError) else Message(str(error))


def shortened(text: str, most: int = 200) -> str:
    """A value for a message; a long one is cut to its beginning, its end and its length."""
    if len(text) <= most:
        return text
    n_first = most * 2 // 3
    n_last = most - n_first
    return f"{text[:n_first]}… ({len(text):,} characters) …{text[-n_last:]}"


def short_message(message: str) -> str:
    """The message with very long words and lines shortened: nobody reads a value of 200,000 characters."""
    if len(message) <= MOST_OF_A_WORD:
        return message
    words = rf"\S{{{MOST_OF_A_WORD + 1},}}"
    text = re.sub(words, lambda match: shortened(match[0]), message)
    return "\n".join(shortened(line, MOST_OF_A_LINE) for line in text.split("\n"))


class UsageError(MossbenchError):
    """A wrong call: an unknown name, a malformed option, flags that contradict each other."""

    exit_code = 2


class MissingExtra(UsageError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs the extra [{extra}], which is not installed", way_out=Install(install_command(extra))
        )


class DataError(MossbenchError):
    """A dataset, transcript or label file that cannot be read."""


class ImageError(MossbenchError):
    """An image that cannot be sent: truncated, hostile, too large to shrink, or not an image at all."""


class ModelError(MossbenchError):
    """A model that cannot be loaded or started: missing, damaged, of an unknown family, or too big."""

    exit_code = 2


class SubmissionError(MossbenchError):
    """A submission that a board cannot accept, with everything that is wrong with it."""

    def __init__(self, message: str | Message, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        numbered = "".join(f"\n  {number}. {fault}" for number, fault in enumerate(self.faults, 1))
        super().__init__(f"{message}{numbered}" if numbered else message)


class NotASubmission(SubmissionError):
    """A file that is not a submission but something else; `faults` are the calls that make a submission from it."""

    def __init__(self, file: object, what: str, steps: Iterable[WayOut], unchanged: str) -> None:
        self.what = what
        heading = f"{file} is {what}, not a submission; {unchanged}. Make one of it, with your own DATA and NAME:"
        message = Message(heading, steps=tuple(steps))
        super().__init__(message, ())
        self.faults = tuple(map(as_call, message.steps))


class RunError(MossbenchError):
    """A run folder that already exists, has other settings, or is damaged."""


class RunWarning(UserWarning):
    """Some rows of a run failed or have no verdict: a warning and no error, since the other rows have answers."""


class StorageError(MossbenchError):
    """The disk is full, or the folder may not be written."""


@contextmanager
def needing(feature: str, extra: str) -> Iterator[None]:
    """Around the imports of an extra: raises MissingExtra, with the command to install it, where it is missing."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(feature, extra) from error


def install_command(extra: str) -> str:
    """The command that adds an extra to this installation, from the place where it was installed from."""
    import json
    import sys
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.request import url2pathname

    try:
        record = json.loads(distribution("mossbench").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # run from its sources
        return f"make install EXTRAS={extra}"
    url = record.get("url", "")
    if not url and "dir_info" not in record:
        return f"pip install 'mossbench[{extra}]'"
    if "dir_info" not in record:
        scheme = f"{record['vcs_info']['vcs']}+" if "vcs_info" in record else ""
        return f"pip install 'mossbench[{extra}] @ {scheme}{url}'"
    checkout = Path(url2pathname(url.removeprefix("file://")))
    if Path(sys.prefix) != checkout / ".venv":
        editable = "-e " if record["dir_info"].get("editable") else ""
        return f"pip install {editable}'{checkout}[{extra}]'"
    folder = "" if Path.cwd() == checkout else f"-C '{checkout}' "
    return f"make {folder}install EXTRAS={extra}"


def n_of(n: int, noun: str) -> str:
    """`no rows`, `1 row`, `2,000 rows`."""
    count = f"{n:,}" if n else "no"
    return f"{count} {noun}" if n == 1 else f"{count} {noun}s"


def some(names: Iterable[str], most: int) -> str:
    """The first of these names, and how many more there are, for a message."""
    listed = list(names)
    text = ", ".join(listed[:most])
    return f"{text} and {len(listed) - most} more" if len(listed) > most else text


def bad_option(name: str, problem: str, way_out: WayOut | tuple[WayOut, ...] = ()) -> UsageError:
    """The error for an option, by its name in Python: `bad_option("epochs", "is 0, expected at least 1")`."""
    return UsageError(Message(problem, option=name), way_out=way_out)


def unknown_name(
    kind: str, name: str, known_names: Iterable[str], see: str = "", *, way_out: WayOut | tuple[WayOut, ...] = ()
) -> UsageError:
    """The error for a name that is not in a table, with the names that begin with it, or else the nearest one."""
    by_lower = {known_name.lower(): known_name for known_name in known_names}
    beginning = str(name).lower()[:200]  # longer names are not near any of them
    near = [lower for lower in by_lower if beginning and lower.startswith(beginning)][:3]
    near = near or difflib.get_close_matches(beginning, by_lower, n=1)
    message = f"no {kind} named {shortened(repr(name))}"
    if near:
        message += f"; did you mean {' or '.join(repr(by_lower[lower]) for lower in near)}?"
    if see:
        message += f" {see}" if near else f"; {see}"
    return UsageError(message, code=Code.NOT_FOUND, way_out=way_out)


class Interrupted(RunError):
    """The user stopped the run."""

    exit_code = 130  # the shell's code for Ctrl-C
