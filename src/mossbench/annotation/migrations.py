"""The tables, as numbered steps (tables/) that are applied once each; one that has been released is never changed.

`events` is the record of everything that people did and is append-only: triggers refuse changes. `current` follows
from it (the last event of each annotator on each item) and is kept by a trigger, in the same transaction.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from mossbench.errors import DataError

MIGRATIONS = [path.read_text("utf-8") for path in sorted(Path(__file__).with_name("tables").glob("*.sql"))]


def migrate(db: sqlite3.Connection, name: str) -> None:
    """Brings the tables up to date; a DataError when they are of a newer version than this program."""
    while (version := _version(db)) < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        if _version(db) == version:  # else another process was quicker
            for statement in _statements(MIGRATIONS[version]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
    if version > len(MIGRATIONS):
        raise DataError(f"{name} was written by a newer mossbench (version {version} of its tables); update mossbench")


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
