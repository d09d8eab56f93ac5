"""The database of a labelling desk and the people in it: names, roles, and the tokens with which they sign in.

A guest labels; a reviewer also sees the labels of others, settles disagreements and downloads the result. The owner of
the app is not in this database.

The table `events` records everything that people did and is append-only: triggers refuse changes. `current` is derived
from it (the last event of each annotator on each item) and is updated by a trigger, in the same transaction.
"""

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from mossbench.errors import Code, DataError, StorageError, UsageError

MIGRATIONS = [path.read_text("utf-8") for path in sorted(Path(__file__).with_name("tables").glob("*.sql"))]
"""Numbered steps that create the tables, each applied once; a released step is never changed."""
INVITED = "by-link-"
"""Prefix of the tokens of people who were invited."""
MAX_NAME_LENGTH = 60
"""Characters."""
_QUERIES = Path(__file__).with_name("queries.sql").read_text("utf-8")
SQL: dict[str, str] = dict(re.findall(r"^-- (\w+)\b[^\n]*\n([A-Z].+?);", _QUERIES, re.DOTALL | re.MULTILINE))
"""Queries by name."""
Role = Literal["guest", "reviewer"]
Seat = Literal["named", "invited", "revoked", "unknown"]
"""What a token stands for: somebody who gave their name, a valid link, a revoked one, or nothing known."""


@dataclass(frozen=True)
class Annotator:
    id: int
    name: str
    role: Role = "guest"


@dataclass(frozen=True)
class Person:
    """Somebody who labelled or was invited, as the owner sees them."""

    name: str
    role: Role
    n_labels: int
    last: str
    """When they last did something; empty if they never did."""
    link: Literal["open", "revoked", "none"]
    n_open: int = 0
    """Items that they can still label."""
    is_assigned: bool = False
    """Whether items were assigned to them by name; others get what is assigned to nobody."""

    @property
    def n_in_all(self) -> int:
        """Items that they labelled or can still label."""
        return self.n_labels + self.n_open


class People:
    """The people of one database file, which is created if it does not exist."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot create the folder of {self.path}: {error.strerror}") from error
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            _migrate(db, str(self.path))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise StorageError(
                f"cannot open {self.path}: {error}; check that you have permission to write there"
            ) from error
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
        """A transaction: all of it is saved, or nothing."""
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def _rows(self, query: str, *values: Any, **named: Any) -> list[sqlite3.Row]:
        with self._open() as db:
            return db.execute(SQL[query], named or values).fetchall()

    def join(self, name: str, *, invited: bool = False, role: Role | None = None, may_exist: bool = False) -> str:
        """Adds an annotator and returns the token that they sign in with; only its hash is stored.

        Somebody who is invited again gets a new token, and their earlier links are revoked. With `may_exist` somebody
        who has joined gets one too, and links stay: for whoever has the file. Names that differ only in capitals and
        blanks are the same. `role` is given with an invitation; without it, an existing annotator keeps their role.
        """
        name = _checked_name(" ".join(name.split()))
        token = (INVITED if invited else "") + secrets.token_urlsafe(18)
        with self._write() as db:
            row = _find_annotator(db, name)
            if row is not None and not (invited or may_exist):
                raise UsageError(
                    f"{row['name']!r} is taken; choose another name, or ask for a new link to continue under this one"
                )
            annotator_id = row["id"] if row else db.execute(SQL["add_annotator"], (name, now())).lastrowid
            if invited:
                db.execute(SQL["revoke"], (now(), annotator_id))
            if role:
                db.execute(SQL["set_role"], (role, annotator_id))
            db.execute(SQL["add_token"], (_hash(token), annotator_id, now(), int(invited)))
        return token

    def revoke(self, name: str) -> int:
        """Revokes all links of somebody, whose labels stay; how many links that is."""
        with self._write() as db:
            return db.execute(SQL["revoke"], (now(), self._person(db, name)["id"])).rowcount

    def set_role(self, name: str, role: Role) -> None:
        with self._write() as db:
            db.execute(SQL["set_role"], (role, self._person(db, name)["id"]))

    def _person(self, db: sqlite3.Connection, name: str) -> sqlite3.Row:
        row = _find_annotator(db, name)
        if row is None:
            raise UsageError(f"no user named {name[:80]!r}", code=Code.NOT_FOUND)
        return row

    def annotator(self, token: str) -> Annotator | None:
        """The annotator with this token; None if nobody has it, or if it was revoked."""
        return next((Annotator(*row) for row in self._rows("by_token", _hash(token))), None)

    def seat(self, token: str) -> Seat:
        """What a token stands for."""
        rows = self._rows("seat", _hash(token))
        if not rows:
            return "unknown"
        row = rows[0]
        if row["revoked"] is not None:
            return "revoked"
        # Files of earlier versions do not say how a token was given; the token itself does.
        is_from_link = row["link"] == 1 or token.startswith(INVITED)
        return "invited" if is_from_link else "named"

    def people(self) -> tuple[Person, ...]:
        """Everybody, in the order in which they joined."""
        return tuple(
            Person(
                name=row["name"],
                role=row["role"],
                n_labels=row["n_labels"],
                last=row["last"],
                link=row["link"],
                n_open=row["open"],
                is_assigned=bool(row["is_assigned"]),
            )
            for row in self._rows("people")
        )

    def annotators(self) -> dict[str, int]:
        """Name -> number of labels."""
        return {person.name: person.n_labels for person in self.people()}


def _migrate(db: sqlite3.Connection, name: str) -> None:
    """Brings the tables up to date; a DataError if a newer version of this program wrote them."""
    version = _version_of_tables(db)
    while version < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        if _version_of_tables(db) == version:  # else another process was quicker
            for statement in _statements(MIGRATIONS[version]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
        version = _version_of_tables(db)
    if version > len(MIGRATIONS):
        raise DataError(f"{name} was written by a newer mossbench (version {version} of its tables); update mossbench")


def _version_of_tables(db: sqlite3.Connection) -> int:
    """How many migrations the tables have had."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: sqlite3's `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def id_of_annotator(db: sqlite3.Connection, name: str) -> int:
    """The number of the annotator of that name, who is added if there is none."""
    name = " ".join(name.split())
    row = _find_annotator(db, _checked_name(name))
    return int(row["id"] if row else db.execute(SQL["add_annotator"], (name, now())).lastrowid or 0)


def _checked_name(name: str) -> str:
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise UsageError(f"the name is {name[:80]!r}, expected 1 to {MAX_NAME_LENGTH} visible characters")
    return name


def _find_annotator(db: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    """The annotator of that name, first as it is written, then with other capitals."""
    rows: list[sqlite3.Row] = db.execute(SQL["by_name"], (name,)).fetchall()
    return next((row for row in rows if row["name"].casefold() == name.casefold()), None)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    return datetime.now(UTC).isoformat()
