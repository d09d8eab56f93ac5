"""Records of imported logs: a trace (one request with its answer), a line that could not be read, an import.

A trace is stored redacted. Its user and its conversation are pseudonyms: they say which traces belong together, and not
to whom.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field

from mossbench.outcomes import Answer, Exchange, Text
from mossbench.samples import Record, Side, Value


class TraceImage(Record):
    """An image of a request."""

    file: str = ""
    """Its file in the folder of traces; empty where the log only names it, or where it cannot be read."""
    named: Text = ""
    """The path or address in the log, redacted; empty for an image that was inline."""
    fault: Text = ""
    """Why it could not be stored; empty where it was, or where it was not looked for."""


class Turn(Record):
    """What was said before the request: by the user, the model, or a tool."""

    role: Literal["user", "assistant", "tool", "other"]
    text: Text = ""
    images: tuple[TraceImage, ...] = ()


class Trace(Record):
    """The last request of a logged call, with what went before it, and its answer."""

    id: str
    source: Text
    """Name of the log file."""
    line: int
    """Where it begins in that file: the line, or the number of the row in Parquet."""
    format: str
    at: str = ""
    """When it was asked, in ISO format and UTC; empty where the log does not say it."""
    imported: str = ""
    """The day of the import, in ISO format."""
    model: Text = ""
    """The model that answered, or else the one that was asked."""
    model_asked: Text = ""
    user: str = ""
    """A pseudonym."""
    conversation: str = ""
    """A pseudonym."""
    system: Text = ""
    history: tuple[Turn, ...] = ()
    request: Text
    images: tuple[TraceImage, ...] = ()
    answer: Answer
    asked: str
    """Digest of what was asked: requests with the same one are identical."""
    columns: dict[str, Value] = Field(default_factory=dict)

    @property
    def day(self) -> str:
        """The day on which it was asked; empty where that is not known."""
        return self.at[:10]

    def exchange(self) -> Exchange:
        """The exchange that judges read."""
        return Exchange(side=Side.BENIGN, sample=self.id, request=self.request, answer=self.answer)


def digest_of_request(history: tuple[Turn, ...], request: str, images: tuple[TraceImage, ...]) -> str:
    """A digest of a request with what went before it; blanks at the ends and between words do not count."""
    digest = hashlib.sha256()
    for turn in history:
        digest.update(f"{turn.role}\x00{_plain(turn.text)}\x00{_names(turn.images)}\x01".encode("utf-8", "replace"))
    digest.update(f"{_plain(request)}\x00{_names(images)}".encode("utf-8", "replace"))
    return digest.hexdigest()[:16]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _names(images: tuple[TraceImage, ...]) -> str:
    return "\x00".join(image.file or image.named for image in images)


class UnreadLine(Record):
    """A line of a log that could not be read, with the reason."""

    source: Text
    line: int
    nth: int = 0
    """What of this line was set aside before it."""
    n_bytes: int
    """Of the line; 0 where that is not known."""
    reason: Text
    start: Text = ""
    """How it begins, redacted."""
    imported: str = ""


class ImportedFile(Record):
    """What one file gave."""

    source: Text
    formats: dict[str, int]
    """Traces by format."""
    n_traces: int
    """Traces that were added."""
    n_repeated: int
    """Traces that were there already."""
    n_unread: int
    unread: Text = ""
    """The most common reason, redacted."""
    n_unknown: int = 0
    """Of those that were not read, the records of no known format."""
    skipped: dict[str, int] = Field(default_factory=dict)
    """Records that are no answer to a user, by what they are."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """How much was redacted, by kind."""
    images: dict[str, int] = Field(default_factory=dict)
    """Images by what became of them: stored, named only, unreadable."""
    n_undated: int = 0
    """Traces whose time cannot be read: they have none."""
    undated: Text = ""
    """The first of these times, as it stands in the log."""
    columns_kept: dict[str, int] = Field(default_factory=dict)
    """Columns that are kept as they are, redacted, with the traces that have them; the first ones."""
    columns_dropped: dict[str, int] = Field(default_factory=dict)
    """Columns that are dropped, as their names say that they tell who somebody is."""


class WrittenFile(Record):
    """A file or folder with texts of traces that a command wrote where the user said: outside of the folder."""

    what: Literal["rows", "twins", "dataset"]
    """Rows to label, a sheet for harmful twins, or a dataset."""
    path: str


class TracesInfo(Record):
    """What is known of a folder of traces: traces.json."""

    mossbench: str
    salt: str
    """Makes pseudonyms of users and conversations."""
    own_patterns: dict[str, str] = Field(default_factory=dict)
    """Own patterns of redaction, by name."""
    imports: tuple[ImportedFile, ...] = ()
    n_purged: int = 0
    written: tuple[WrittenFile, ...] = ()
    drawn_by: str = ""
    """The judge by whose suspicion requests were drawn to be sorted; empty where none were drawn."""
