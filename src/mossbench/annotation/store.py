"""The store: items to label and everything that people did with them, in one SQLite file.

What always holds: a label that was acknowledged is on disk (write-ahead log, full sync), nothing is ever changed or
removed, and undo is a record of its own. Every operation is one transaction on a connection of its own, so that any
number of threads and processes can work on one file.
"""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from mossbench.annotation.people import Annotator, People, now
from mossbench.errors import Code, UsageError

Action = Literal["label", "skip"]
CLAIM = timedelta(minutes=15)
"""How long an item that somebody looks at is kept from others who could label it instead."""
LONGEST_NOTE = 2000


@dataclass(frozen=True)
class Item:
    """Something to label. `body` is what people see and what an export needs; `ref` is what addresses say."""

    ref: str
    body: dict[str, Any]
    wanted: int = 1


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


class Store(People):
    """One file of items, annotators and events; made when it is not there."""

    # Items

    def add_items(
        self, items: Iterable[tuple[str, dict[str, Any]]], *, double: float, seed: int, raters: int = 2
    ) -> int:
        """How many items were new. They are mixed by `seed`; the share `double` is to be labelled by `raters` people.

        Of each item there is what it is, by which it is added only once, and its body.
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

    def said(self, who: Annotator) -> tuple[Label, ...]:
        """All their labels and skips as they hold, the last one first; a skip has no value."""
        found = """SELECT i.ref, e.* FROM current c JOIN events e ON e.id = c.event JOIN items i ON i.id = c.item
            WHERE c.annotator = ? AND c.action IN ('label', 'skip') ORDER BY e.id DESC"""
        with self._open() as db:
            return tuple(_label(row, who.name) for row in db.execute(found, (who.id,)))

    # What came of it

    def labels(self) -> tuple[Label, ...]:
        """The labels that hold, in the order in which they were given."""
        found = """SELECT i.ref, a.name, e.* FROM current c JOIN events e ON e.id = c.event
            JOIN items i ON i.id = c.item JOIN annotators a ON a.id = c.annotator
            WHERE c.action = 'label' ORDER BY e.id"""
        with self._open() as db:
            return tuple(_label(row, row["name"]) for row in db.execute(found))

    def decide(self, ref: str, author: str, value: dict[str, Any] | None, note: str = "") -> None:
        """Settles an item, beside its labels, which stay; None takes that back."""
        with self._write() as db:
            row = self._row(db, ref)
            values = (row["id"], author, _json(value), note[:LONGEST_NOTE], now())
            db.execute("INSERT INTO decisions (item, author, value, note, at) VALUES (?, ?, ?, ?, ?)", values)

    def decisions(self) -> dict[str, Label]:
        """The decisions that hold, by item."""
        found = """SELECT i.ref, d.* FROM decisions d JOIN items i ON i.id = d.item
            WHERE d.id IN (SELECT max(id) FROM decisions GROUP BY item) AND d.value IS NOT NULL"""
        with self._open() as db:
            return {row["ref"]: _label(row, row["author"]) for row in db.execute(found)}

    def decided(self, ref: str) -> tuple[Label, ...]:
        """Every decision on an item, the first one first; one that takes another back has no value."""
        with self._open() as db:
            rows = db.execute("SELECT * FROM decisions WHERE item = ? ORDER BY id", (self._row(db, ref)["id"],))
            return tuple(_label({**dict(row), "ref": ref}, row["author"]) for row in rows)

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
        (item, annotator, action, _json(value), note, now()),
    )


def _said(db: sqlite3.Connection, who: Annotator, ref: str) -> list[sqlite3.Row]:
    """The last two things that somebody did with an item other than to look at it, the last one first."""
    found = """SELECT i.ref, e.* FROM events e JOIN items i ON i.id = e.item
        WHERE i.ref = ? AND e.annotator = ? AND e.action <> 'shown' ORDER BY e.id DESC LIMIT 2"""
    return db.execute(found, (ref, who.id)).fetchall()


def _item(row: sqlite3.Row) -> Item:
    return Item(row["ref"], json.loads(row["body"]), row["wanted"])


def _label(row: sqlite3.Row | dict[str, Any], name: str) -> Label:
    return Label(row["ref"], name, json.loads(row["value"] or "{}"), row["note"], row["at"])


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value)
