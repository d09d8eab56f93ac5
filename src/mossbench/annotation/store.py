"""The store: items to label and everything that people did with them, in one SQLite file.

What always holds: a label that was acknowledged is on disk (write-ahead log, full sync), nothing is ever changed or
removed, and undo is a record of its own. Every operation is one transaction on a connection of its own, so that any
number of threads and processes can work on one file.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from mossbench.annotation.migrations import migrate
from mossbench.errors import Code, DataError, StorageError, UsageError

Action = Literal["label", "skip"]
CLAIM = timedelta(minutes=15)
"""How long an item that somebody looks at is kept from others who could label it instead."""
INVITED = "by-link-"
"""How tokens begin of those who were invited."""
LONGEST_NAME, LONGEST_NOTE = 60, 2000


@dataclass(frozen=True)
class Item:
    """Something to label. `body` is what people see and what an export needs; `ref` is what addresses say."""

    ref: str
    body: dict[str, Any]
    wanted: int = 1


@dataclass(frozen=True)
class Annotator:
    id: int
    name: str


@dataclass(frozen=True)
class Label:
    """What somebody said of an item, as it holds now."""

    item: str
    annotator: str
    value: dict[str, Any]
    note: str
    at: str


@dataclass(frozen=True)
class Progress:
    """How far one annotator is, out of what there is for them."""

    n_done: int
    n_skipped: int
    n_open: int
    n_waiting: int
    """Items that wait for other people."""

    @property
    def n(self) -> int:
        return self.n_done + self.n_skipped + self.n_open


class Store:
    """One file of items, annotators and events; made when it is not there."""

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

    # Items

    def add_items(
        self, items: Iterable[tuple[str, dict[str, Any]]], *, double: float, seed: int, raters: int = 2
    ) -> int:
        """How many items were new. They are mixed by `seed`; the share `double` is to be labelled by `raters` people.

        Args:
            items: What each is, by which it is added only once, and its body.
            double: Share of the new items, 0 to 1.
            seed: Of the order, and of which items are labelled more than once.
            raters: How many people label those.
        """
        if not 0 <= double <= 1:
            raise UsageError(f"the share to label twice is {double}, expected 0 to 1")
        with self._write() as db:
            known = {row[0] for row in db.execute("SELECT source FROM items")}
            new = [(source, body) for source, body in dict(items).items() if source not in known]
            rng = random.Random(seed)
            rng.shuffle(new)
            twice = set(rng.sample(range(len(new)), round(double * len(new))))
            start = db.execute("SELECT coalesce(max(place), 0) + 1 FROM items").fetchone()[0]
            db.executemany(
                "INSERT INTO items (ref, source, place, wanted, body) VALUES (?, ?, ?, ?, ?)",
                [
                    (secrets.token_hex(8), source, start + i, raters if i in twice else 1, json.dumps(body))
                    for i, (source, body) in enumerate(new)
                ],
            )
        return len(new)

    def items(self) -> dict[str, Item]:
        with self._open() as db:
            return {row["ref"]: _item(row) for row in db.execute("SELECT * FROM items ORDER BY place")}

    def item(self, ref: str) -> Item:
        with self._open() as db:
            return _item(self._row(db, ref))

    def _row(self, db: sqlite3.Connection, ref: str) -> sqlite3.Row:
        row: sqlite3.Row | None = db.execute("SELECT * FROM items WHERE ref = ?", (ref,)).fetchone()
        if row is None:
            raise UsageError(f"no item {ref[:40]!r} to label", code=Code.NOT_FOUND)
        return row

    # Annotators

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
            id = row["id"] if row else db.execute(insert, (name, _now())).lastrowid
            db.execute("INSERT INTO tokens VALUES (?, ?, ?)", (_hash(token), id, _now()))
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

    # The queue

    def next_item(self, who: Annotator) -> Item | None:
        """What they took back last, else what they were shown and left open, else the next that needs a label."""
        mine = """SELECT i.*, c.action FROM current c JOIN items i ON i.id = c.item
            WHERE c.annotator = ? AND c.action IN ('undo', 'shown') 
            ORDER BY c.action = 'undo' DESC, c.event DESC LIMIT 1"""
        free = """SELECT i.* FROM items i
            WHERE NOT EXISTS (SELECT 1 FROM current m WHERE m.item = i.id AND m.annotator = :me)
            AND (SELECT count(*) FROM current o WHERE o.item = i.id AND o.annotator <> :me
                 AND (o.action = 'label' OR (o.action = 'shown' AND o.at > :fresh))) < i.wanted
            ORDER BY i.place LIMIT 1"""
        with self._write() as db:
            row = db.execute(mine, (who.id,)).fetchone()
            if row is None:
                fresh = (datetime.now(UTC) - CLAIM).isoformat()
                row = db.execute(free, {"me": who.id, "fresh": fresh}).fetchone()
            if row is None:
                return None
            if "action" not in row.keys() or row["action"] != "shown":
                _append(db, row["id"], who.id, "shown")
        return _item(row)

    def record(
        self, who: Annotator, ref: str, action: Action, value: dict[str, Any] | None = None, note: str = ""
    ) -> None:
        """Appends a label or a skip; when this returns, it is on disk.

        What is labelled cannot be skipped, and the same label again is none: both come from a page that is out of date.
        """
        if len(note) > LONGEST_NOTE:
            raise UsageError(f"the note has {len(note)} characters, at most {LONGEST_NOTE} fit; shorten it")
        with self._write() as db:
            item = self._row(db, ref)["id"]
            for holds in _said(db, who, ref)[:1]:
                same = holds["action"] == action and (holds["value"], holds["note"]) == (_json(value), note)
                if same or (holds["action"], action) == ("label", "skip"):
                    return
            _append(db, item, who.id, action, value, note)

    def undo(self, who: Annotator) -> str | None:
        """Takes back their last label or skip, as a record of its own; the item that is open again, or None."""
        last = """SELECT c.item, i.ref FROM current c JOIN items i ON i.id = c.item
            WHERE c.annotator = ? AND c.action IN ('label', 'skip') ORDER BY c.event DESC LIMIT 1"""
        with self._write() as db:
            row = db.execute(last, (who.id,)).fetchone()
            if row is None:
                return None
            _append(db, row["item"], who.id, "undo")
            ref: str = row["ref"]
        return ref

    def reopen_skipped(self, who: Annotator) -> int:
        """Puts back what they skipped; how many that is."""
        with self._write() as db:
            rows = db.execute("SELECT item FROM current WHERE annotator = ? AND action = 'skip'", (who.id,)).fetchall()
            for row in rows:
                _append(db, row["item"], who.id, "undo")
        return len(rows)

    def progress(self, who: Annotator) -> Progress:
        counts = "SELECT action, count(*) FROM current WHERE annotator = ? GROUP BY action"
        open_ = """SELECT count(*) FROM items i
            WHERE NOT EXISTS (SELECT 1 FROM current m
                WHERE m.item = i.id AND m.annotator = :me AND m.action IN ('label', 'skip'))
            AND (SELECT count(*) FROM current o
                WHERE o.item = i.id AND o.annotator <> :me AND o.action = 'label') < i.wanted"""
        missing = """SELECT coalesce(sum(need), 0) FROM (SELECT max(0, i.wanted - (SELECT count(*) FROM current c
            WHERE c.item = i.id AND c.action = 'label')) AS need FROM items i)"""
        with self._open() as db:
            by_action = dict(tuple(row) for row in db.execute(counts, (who.id,)))
            n_open = db.execute(open_, {"me": who.id}).fetchone()[0]
            n_missing = db.execute(missing).fetchone()[0]
        done, skipped = by_action.get("label", 0), by_action.get("skip", 0)
        return Progress(done, skipped, n_open, max(0, n_missing - n_open))

    def last(self, who: Annotator) -> Label | None:
        """Their last label, where nothing came after it but looking at the next item."""
        found = """SELECT i.ref, e.* FROM events e JOIN items i ON i.id = e.item
            WHERE e.annotator = ? AND e.action <> 'shown' ORDER BY e.id DESC LIMIT 1"""
        with self._open() as db:
            row = db.execute(found, (who.id,)).fetchone()
        return _label(row, who.name) if row and row["action"] == "label" else None

    def said_before(self, who: Annotator, ref: str) -> Label | None:
        """What they said of an item before what holds now: the label that they took back, or that a later one replaced.

        A skip that was taken back has a note and no value.
        """
        with self._open() as db:
            earlier = _said(db, who, ref)[1:]
        return next((_label(row, who.name) for row in earlier if row["action"] != "undo"), None)

    # What came of it

    def labels(self) -> tuple[Label, ...]:
        """The labels that hold, in the order in which they were given."""
        found = """SELECT i.ref, a.name, e.* FROM current c JOIN events e ON e.id = c.event
            JOIN items i ON i.id = c.item JOIN annotators a ON a.id = c.annotator
            WHERE c.action = 'label' ORDER BY e.id"""
        with self._open() as db:
            return tuple(_label(row, row["name"]) for row in db.execute(found))

    def decide(self, ref: str, author: str, value: dict[str, Any] | None, note: str = "") -> None:
        """Settles an item whose labels conflict; None takes that back."""
        with self._write() as db:
            row = self._row(db, ref)
            values = (row["id"], author, _json(value), note[:LONGEST_NOTE], _now())
            db.execute("INSERT INTO decisions (item, author, value, note, at) VALUES (?, ?, ?, ?, ?)", values)

    def decisions(self) -> dict[str, Label]:
        """The decisions that hold, by item."""
        found = """SELECT i.ref, d.* FROM decisions d JOIN items i ON i.id = d.item
            WHERE d.id IN (SELECT max(id) FROM decisions GROUP BY item) AND d.value IS NOT NULL"""
        with self._open() as db:
            return {row["ref"]: _label(row, row["author"]) for row in db.execute(found)}

    def decided_before(self, ref: str) -> str:
        """The note of the last decision on an item, also of one that was taken back."""
        found = "SELECT note FROM decisions WHERE item = ? AND value IS NOT NULL ORDER BY id DESC LIMIT 1"
        with self._open() as db:
            row = db.execute(found, (self._row(db, ref)["id"],)).fetchone()
        return row["note"] if row else ""

    def undo_decision(self, author: str) -> str | None:
        """Takes back the decision that was made last; the item that is open again, or None."""
        with self._open() as db:
            row = db.execute(
                """SELECT i.ref FROM decisions d JOIN items i ON i.id = d.item WHERE d.value IS NOT NULL
                AND d.id IN (SELECT max(id) FROM decisions GROUP BY item) ORDER BY d.id DESC LIMIT 1"""
            ).fetchone()
        if row is None:
            return None
        self.decide(row["ref"], author, None)
        ref: str = row["ref"]
        return ref


def _append(
    db: sqlite3.Connection, item: int, annotator: int, action: str, value: dict[str, Any] | None = None, note: str = ""
) -> None:
    db.execute(
        "INSERT INTO events (item, annotator, action, value, note, at) VALUES (?, ?, ?, ?, ?, ?)",
        (item, annotator, action, _json(value), note, _now()),
    )


def _said(db: sqlite3.Connection, who: Annotator, ref: str) -> list[sqlite3.Row]:
    """The last two things that somebody did with an item other than to look at it, the last one first."""
    found = """SELECT i.ref, e.* FROM events e JOIN items i ON i.id = e.item
        WHERE i.ref = ? AND e.annotator = ? AND e.action <> 'shown' ORDER BY e.id DESC LIMIT 2"""
    return db.execute(found, (ref, who.id)).fetchall()


def _item(row: sqlite3.Row) -> Item:
    return Item(row["ref"], json.loads(row["body"]), row["wanted"])


def _label(row: sqlite3.Row, name: str) -> Label:
    return Label(row["ref"], name, json.loads(row["value"] or "{}"), row["note"], row["at"])


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat()
