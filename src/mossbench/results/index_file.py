"""The SQLite file of an index of runs. It is a cache: one that is not sound is made again.

That is one that is damaged, of another version, or that has something in it that this module did not make.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import mossbench
from mossbench.errors import StorageError

SCHEMA = """
CREATE TABLE made (by TEXT);
CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT UNIQUE, signature TEXT, model TEXT, judge TEXT, data TEXT,
    started TEXT, counted TEXT);
CREATE TABLE samples (digest BLOB PRIMARY KEY, line TEXT) WITHOUT ROWID;
CREATE TABLE labels (name TEXT, value TEXT, digest BLOB, PRIMARY KEY (digest, name)) WITHOUT ROWID;
CREATE TABLE rows (id INTEGER PRIMARY KEY, run INTEGER, side TEXT, sample TEXT, arm TEXT, epoch INTEGER, layer TEXT,
    kind TEXT, refused INTEGER, outcome TEXT, digest BLOB, answer_at INTEGER, verdict_at INTEGER);
CREATE INDEX rows_of_run ON rows (run);
CREATE TABLE kept (what TEXT PRIMARY KEY, made_of TEXT, content TEXT);
CREATE VIRTUAL TABLE texts USING fts5(request, answer, note, description, tokenize="unicode61 remove_diacritics 2");
"""
VERSION = f"{mossbench.__version__} index 5"


class IndexFile:
    """Every operation has a connection of its own, so any thread may ask."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection to a sound file of this version; a StorageError where the disk does not do its part.

        A file that turns out to be damaged is removed, so that the next who asks makes a new one.
        """
        try:
            with closing(self._connect()) as db:
                yield db
        except sqlite3.OperationalError as error:
            raise StorageError(
                f"cannot use the index of runs: {error}; free some space, or delete the index"
            ) from error
        except sqlite3.DatabaseError as error:
            self._remove()
            raise StorageError("the index of runs was damaged and is rebuilt; reload the page") from error

    def _connect(self) -> sqlite3.Connection:
        if self.path.is_symlink() or (self.path.exists() and not self.path.is_file()):
            self._remove()  # sqlite would follow it
        for _ in range(2):
            db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            identity = _identity(self.path)
            try:
                if _is_empty(db):
                    _create_tables(db)
                if _is_ours(db):
                    return db
            except sqlite3.OperationalError:
                db.close()
                raise
            except sqlite3.DatabaseError:
                pass
            db.close()
            if identity == _identity(self.path):  # else another process has made it again by now
                self._remove()
        raise sqlite3.OperationalError("it is damaged again and again")

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                self.path.with_name(self.path.name + end).unlink()


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether the file is whole as far as can be told quickly, of this version, and without anything else in it."""
    db.execute("PRAGMA trusted_schema = OFF")
    version_table = db.execute("SELECT sql FROM sqlite_master WHERE name = 'made'").fetchone()
    foreign = db.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    if foreign or not version_table:
        return False
    version = db.execute("SELECT by FROM made").fetchone()
    return bool(version == (VERSION,))


def _is_empty(db: sqlite3.Connection) -> bool:
    return not db.execute("SELECT 1 FROM sqlite_master").fetchone()


def _create_tables(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.OperationalError):  # somebody else has it open, or the disk cannot: the file works anyhow
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN IMMEDIATE")
    if _is_empty(db):  # else another process was quicker
        for statement in SCHEMA.strip().split(";\n"):
            db.execute(statement.rstrip(";"))
        db.execute("INSERT INTO made VALUES (?)", (VERSION,))
    db.execute("COMMIT")


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one that takes its place; None where there is none."""
    with suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None
