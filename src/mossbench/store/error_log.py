"""errors.log beside a run: the tracebacks of a user's own model or judge, each once, with the rows that it stopped."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mossbench.outcomes import Key


class ErrorLog:
    """Written only when there is something to write. A log that cannot be written must not cost the run."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._first_row: dict[str, str] = {}
        """The row that a traceback was first written for, by the traceback."""

    def add(self, key: Key, trace: str | None) -> None:
        """Notes the traceback of a row, where it has one."""
        if not trace:
            return
        row = f"{key.side} {key.sample}, arm {key.arm}, epoch {key.epoch}"
        if trace in self._first_row:
            text = f"as for {self._first_row[trace]}\n"
        else:
            text = trace
            self._first_row[trace] = row
        with suppress(OSError), self._path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"{datetime.now():%Y-%m-%d %H:%M:%S} {row}: {text}")
