"""The error tree: what a user can fix.

    MossbenchError          one message, no traceback; exit code 1
    ├── UsageError          the call itself is wrong: unknown name, bad option; exit code 2
    │   └── MissingExtra    an optional package is not installed
    ├── DataError           a dataset cannot be read as it stands
    ├── ImageError          a picture cannot be used (recorded on its row as FAILED)
    ├── ModelError          a model cannot be loaded or started; exit code 2
    ├── SubmissionError     a submission that a board cannot take; lists every fault
    │   └── NotASubmission  a file that is something else; lists the steps that make a submission of it
    ├── RunError            a run folder is in the way, differs, or is damaged
    └── StorageError        the disk is full or may not be written

A message names the thing, its value and what was expected; `way_out` is what to do about it, as data (`ways_out`):
Python ends the message with a call, the command line with a command. What goes wrong with one item of a run is not
raised but recorded on its row (`outcomes.Failure`). Everything else is a bug of ours and keeps its traceback.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum

from mossbench.messages import Message
from mossbench.ways_out import Install, WayOut, as_call

MOST_OF_A_WORD = 500
MOST_OF_A_LINE = 1500
"""Characters of a message that are shown; of what is longer the beginning and the end, where the way out stands."""


class Code(StrEnum):
    """What a program can tell an error by where its class does not say it; words of messages may change."""

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
        ways_out = tuple(way_out for message in messages for way_out in message.ways_out)
        return replace(self.message, text="; ".join(message.text for message in messages), ways_out=ways_out)

    def add_note(self, note: str | Message) -> None:
        """Adds what a user is told after the message, such as how much of a run is safe."""
        message = Message(note) if isinstance(note, str) else note
        self.notes.append(message)
        super().add_note(str(message))


def message_of(error: Exception) -> Message:
    """What any error says: of ours with its ways out."""
    return error.message if isinstance(error, MossbenchError) else Message(str(error))


def shortened(text: str, most: int = 200) -> str:
    """A value for a message: of a long one the beginning, the end and its length."""
    if len(text) <= most:
        return text
    n_first = most * 2 // 3
    n_last = most - n_first
    return f"{text[:n_first]}… ({len(text):,} characters) …{text[-n_last:]}"


def short_message(message: str) -> str:
    """The message with its overlong words and lines shortened: nobody reads a value of 200,000 characters."""
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

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra [{extra}], which is not installed", way_out=Install(install_command(extra))
        )


class DataError(MossbenchError):
    """A dataset, transcript or label file that cannot be read as it stands."""


class ImageError(MossbenchError):
    """Bytes that are not a picture we can send: truncated, hostile, too large to shrink, not a picture."""


class ModelError(MossbenchError):
    """A model that cannot be loaded or started: not there, damaged, of an unknown family, too big."""

    exit_code = 2


class SubmissionError(MossbenchError):
    """A submission that a board cannot take, with everything that is wrong with it."""

    def __init__(self, message: str | Message, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        numbered = "".join(f"\n  {number}. {fault}" for number, fault in enumerate(self.faults, 1))
        super().__init__(f"{message}{numbered}" if numbered else message)


class NotASubmission(SubmissionError):
    """A file that is something else than a submission; `faults` are the calls that make one of it."""

    def __init__(self, file: object, what: str, steps: Iterable[WayOut], unchanged: str) -> None:
        self.what = what
        heading = f"{file} is {what}, not a submission; {unchanged}. Make one of it, with your own DATA and NAME:"
        message = Message(heading, steps=tuple(steps))
        super().__init__(message, ())
        self.faults = tuple(map(as_call, message.steps))


class RunError(MossbenchError):
    """A run folder that is in the way, differs from what was asked, or is damaged."""


class RunWarning(UserWarning):
    """Rows of a run failed or have no verdict: said by `warnings`, since what was answered is there all the same."""


class StorageError(MossbenchError):
    """The disk is full or the place may not be written."""


@contextmanager
def needing(what: str, extra: str) -> Iterator[None]:
    """Around the imports of an extra: where it is not installed, one sentence says so, with the command."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(what, extra) from error


def install_command(extra: str) -> str:
    """The command that adds an extra to this installation: from the place that it came from, as its record says."""
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
    if "dir_info" not in record:
        scheme = f"{record['vcs_info']['vcs']}+" if "vcs_info" in record else ""
        return f"pip install 'mossbench[{extra}]{f' @ {scheme}{url}' if url else ''}'"
    checkout = Path(url2pathname(url.removeprefix("file://")))
    if Path(sys.prefix) != checkout / ".venv":
        return f"pip install {'-e ' if record['dir_info'].get('editable') else ''}'{checkout}[{extra}]'"
    where = "" if Path.cwd() == checkout else f"-C '{checkout}' "
    return f"make {where}install EXTRAS={extra}"


def n_of(n: int, noun: str) -> str:
    """`no rows`, `1 row`, `2,000 rows`."""
    return f"{f'{n:,}' if n else 'no'} {noun}{'' if n == 1 else 's'}"


def some(names: Iterable[str], most: int) -> str:
    """The first of these names, and how many more there are, for a message."""
    listed = list(names)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def bad_option(name: str, problem: str, way_out: WayOut | tuple[WayOut, ...] = ()) -> UsageError:
    """The error for an option, by its name in Python: `bad_option("epochs", "is 0, expected at least 1")`."""
    return UsageError(Message(problem, option=name), way_out=way_out)


def unknown_name(
    what: str, name: str, known: Iterable[str], see: str = "", *, way_out: WayOut | tuple[WayOut, ...] = ()
) -> UsageError:
    """The error for a name that is not in a table, with those there that begin so, or else the nearest."""
    by_lower = {one.lower(): one for one in known}
    asked = str(name).lower()[:200]  # what is longer is like none of them
    near = [one for one in by_lower if asked and one.startswith(asked)][:3]
    near = near or difflib.get_close_matches(asked, by_lower, n=1)
    message = f"no {what} named {shortened(repr(name))}"
    if near:
        message += f"; did you mean {' or '.join(repr(by_lower[one]) for one in near)}?"
    if see:
        message += f" {see}" if near else f"; {see}"
    return UsageError(message, code=Code.NOT_FOUND, way_out=way_out)


class Interrupted(RunError):
    """The user stopped the run."""

    exit_code = 130  # the shell's code for Ctrl-C
