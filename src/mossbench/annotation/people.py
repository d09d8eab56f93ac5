"""The file of a desk and the people at it: names, and the tokens that they come in with."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mossbench.annotation.migrations import migrate
from mossbench.errors import DataError, StorageError, UsageError

INVITED = "by-link-"
"""How tokens begin of those who were invited."""
LONGEST_NAME = 60


@dataclass(frozen=True)
class Annotator:
    id: int
    name: str


class People:
    """Who may work on one file; it is made when it is not there."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make the folder of {self.path}: {error.strerror}") from error
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            migrate(db, str(self.path))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise StorageError(f"cannot open {self.path}: {error}; check that you may write there") from error
        db.row_factory = sqlite3.Row
        try:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            yield db
        except sqlite3.OperationalError as error:
            raise StorageError(f"{self.path}: {error}; what was saved before is kept") from error
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path} is damaged or not a file of annotations: {error}") from error
        finally:
            db.close()

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds whole or not at all."""
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def join(self, name: str, *, invited: bool = False) -> str:
        """The token of a new annotator; of one who is invited, also a further one. Tokens are kept hashed.

        Names are the same where they differ in blanks at the ends and in capitals alone.
        """
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise UsageError(f"the name is {name[:80]!r}, expected 1 to {LONGEST_NAME} characters")
        token = (INVITED if invited else "") + secrets.token_urlsafe(18)
        with self._write() as db:
            known = db.execute("SELECT id, name FROM annotators ORDER BY name = ? DESC, id", (name,)).fetchall()
            row = next((one for one in known if one["name"].casefold() == name.casefold()), None)
            if row is not None and not invited:
                raise UsageError(
                    f"{row['name']!r} is taken; choose another name, or ask for a new link to continue under this one"
                )
            insert = "INSERT INTO annotators (name, created) VALUES (?, ?)"
            id = row["id"] if row else db.execute(insert, (name, now())).lastrowid
            db.execute("INSERT INTO tokens VALUES (?, ?, ?)", (_hash(token), id, now()))
        return token

    def annotator(self, token: str) -> Annotator | None:
        """Who has this token; None when nobody has."""
        with self._open() as db:
            found = "SELECT a.* FROM tokens t JOIN annotators a ON a.id = t.annotator WHERE t.hash = ?"
            row = db.execute(found, (_hash(token),)).fetchone()
        return Annotator(row["id"], row["name"]) if row else None

    def annotators(self) -> dict[str, int]:
        """Names, and how many labels each has given."""
        counted = """SELECT a.name, count(c.item) AS n FROM annotators a
            LEFT JOIN current c ON c.annotator = a.id AND c.action = 'label' GROUP BY a.id ORDER BY a.id"""
        with self._open() as db:
            return {row["name"]: row["n"] for row in db.execute(counted)}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    return datetime.now(UTC).isoformat()
