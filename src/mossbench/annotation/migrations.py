"""The tables, as numbered steps that are applied once each; a step that has been released is never changed.

`events` is the record of everything that people did and is append-only: triggers refuse changes. `current` follows
from it (the last event of each annotator on each item) and is kept by a trigger, in the same transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from mossbench.errors import DataError

MIGRATIONS = (
    """
    CREATE TABLE items (
        id INTEGER PRIMARY KEY,
        ref TEXT NOT NULL UNIQUE,       -- what pages and addresses say; tells nothing
        source TEXT NOT NULL UNIQUE,    -- what it is, so that nothing is added twice
        place INTEGER NOT NULL,         -- in the mixed order
        wanted INTEGER NOT NULL,        -- how many people are to label it
        body TEXT NOT NULL
    );
    CREATE INDEX items_by_place ON items (place);
    CREATE TABLE annotators (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL);
    CREATE TABLE tokens (
        hash TEXT PRIMARY KEY, annotator INTEGER NOT NULL REFERENCES annotators, created TEXT NOT NULL
    );
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER NOT NULL REFERENCES items,
        annotator INTEGER NOT NULL REFERENCES annotators,
        action TEXT NOT NULL CHECK (action IN ('shown', 'label', 'skip', 'undo')),
        value TEXT,
        note TEXT NOT NULL DEFAULT '',
        at TEXT NOT NULL,
        CHECK ((action = 'label') = (value IS NOT NULL))
    );
    CREATE TABLE current (
        item INTEGER NOT NULL, annotator INTEGER NOT NULL, event INTEGER NOT NULL,
        action TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (item, annotator)
    ) WITHOUT ROWID;
    CREATE INDEX current_by_annotator ON current (annotator, action, event);
    CREATE TRIGGER events_are_counted AFTER INSERT ON events BEGIN
        INSERT INTO current VALUES (new.item, new.annotator, new.id, new.action, new.at)
        ON CONFLICT (item, annotator) DO UPDATE SET event = new.id, action = new.action, at = new.at;
    END;
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    """,
    """
    CREATE TABLE decisions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER NOT NULL REFERENCES items,
        author TEXT NOT NULL,
        value TEXT,                     -- NULL takes the decision back
        note TEXT NOT NULL DEFAULT '',
        at TEXT NOT NULL
    );
    CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
        BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
    CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
        BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
    """,
    """
    ALTER TABLE annotators ADD COLUMN role TEXT NOT NULL DEFAULT 'guest' CHECK (role IN ('guest', 'reviewer'));
    ALTER TABLE tokens ADD COLUMN link INTEGER;     -- 1 came by a link, 0 gave a name; NULL is not known any more
    ALTER TABLE tokens ADD COLUMN revoked TEXT;     -- when; NULL while it opens
    """,
)


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
