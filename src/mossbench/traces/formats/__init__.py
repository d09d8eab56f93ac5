"""The formats of logs: a small module for each, told from the content of a record."""

from __future__ import annotations

from mossbench.errors import unknown_name
from mossbench.traces.formats import calls, langfuse, litellm, messages, otlp
from mossbench.traces.raw import Format, Record

FORMATS: dict[str, Format] = {
    format.name: format for format in (otlp.FORMAT, litellm.FORMAT, langfuse.FORMAT, messages.FORMAT, calls.FORMAT)
}
"""Formats by name, in the order in which a record is compared with them."""
TABLE = "table"
"""The format of CSV, of Parquet, and of records of one's own whose columns are named."""
NAMES = (*FORMATS, TABLE)


def format_named(name: str) -> Format | None:
    """The format of this name; None for tables, whose columns are known only with their rows."""
    if name == TABLE:
        return None
    if name not in FORMATS:
        raise unknown_name("format of logs", name, NAMES, f"formats are {', '.join(NAMES)}")
    return FORMATS[name]


def format_of(record: Record, likely: Format | None = None) -> Format | None:
    """The format that a record looks like, first the `likely` one; None where it looks like none."""
    if likely is not None and likely.looks_like(record):
        return likely
    return next((format for format in FORMATS.values() if format.looks_like(record)), None)
