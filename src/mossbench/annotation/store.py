"""The store: items to label and everything that people did with them, in one SQLite file.

Invariants: a label that was acknowledged is on disk (write-ahead log, full sync), nothing is ever changed or removed
but notes that are to be forgotten, and undo is a record of its own. Every operation is one transaction on its own
connection, so that any number of threads and processes can work on one file.
"""

import json
import random
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from mossbench.annotation.people import SQL, Annotator, People, id_of_annotator, now
from mossbench.errors import Code, UsageError

Action = Literal["label", "skip"]
TIME_TO_LABEL = timedelta(minutes=15)
"""How long an item that somebody looks at is not given to others."""
MAX_NOTE_LENGTH = 2000
"""Characters."""
NOT_QUEUED = 0
"""How many people are to label an item that only a plan hands out."""
SECOND_LOOK = "again "
"""How the key of an item begins that is an answer shown again; only plans see such items and their labels."""


@dataclass(frozen=True)
class Item:
    """Something to label."""

    ref: str
    """Its name in addresses: random, so that nobody can guess one."""
    body: dict[str, Any]
    """What people see of it, and what an export needs."""
    wanted: int = 1
    """How many people are to label it."""


@dataclass(frozen=True)
class Label:
    """Somebody's current label of an item."""

    item: str
    """The `ref` of the item."""
    annotator: str
    """The name of who gave it."""
    value: dict[str, Any]
    """What they chose; empty for a skip."""
    note: str
    at: str
    """When, in ISO format."""


@dataclass(frozen=True)
class Act:
    """The last thing that somebody did with an item."""

    item: str
    annotator: int
    action: Literal["shown", "label", "skip", "undo"]
    at: str
    value: dict[str, Any]
    """Of a label; else empty."""
    was_labelled: bool
    """Whether anybody ever labelled the item, also if they took it back."""


@dataclass(frozen=True)
class Progress:
    """How far one annotator is."""

    n_done: int
    """Items that they labelled."""
    n_skipped: int
    n_open: int
    """Items that they can still label."""
    n_waiting: int
    """Labels that only other people can give."""

    @property
    def n(self) -> int:
        return self.n_done + self.n_skipped + self.n_open


class Store(People):
    """One file of items, annotators and events; created if it does not exist."""

    # Items

    def add_items(
        self,
        items: Iterable[tuple[str, dict[str, Any]]],
        *,
        double: float,
        seed: int,
        raters: int = 2,
        people: Sequence[str] = (),
    ) -> int:
        """Adds items that are new, shuffled by `seed`; how many that is, with those that now want more labels.

        An item is a key, by which it is added only once, and its body. The share `double` of them is to be labelled by
        `raters` people, the others by one. With `people`, each item is for as many of them, by turns, and nobody else
        gets it. Where `double` is 1, items that are in the queue already want as many labels, too.
        """
        people = list(dict.fromkeys(people))
        _check_raters(double, raters, people)
        with self._write() as db:
            queued_sources = {row[0] for row in db.execute("SELECT source FROM items WHERE wanted > 0")}
            stored_sources = {row[0] for row in db.execute("SELECT source FROM items")}
            all_items = dict(items)
            new_items = [(source, body) for source, body in all_items.items() if source not in queued_sources]
            rng = random.Random(seed)
            rng.shuffle(new_items)
            double_labelled = set(rng.sample(range(len(new_items)), round(double * len(new_items))))
            n_labels_of: dict[str, int] = {}
            first_place = db.execute("SELECT coalesce(max(place), 0) + 1 FROM items").fetchone()[0]
            for i, (source, body) in enumerate(new_items):
                n_labels = raters if i in double_labelled else 1
                row = (secrets.token_hex(8), source, first_place + i, n_labels, json.dumps(body))
                if source in stored_sources:  # drawn by a plan before: now it has its random place too
                    db.execute(SQL["queue_item"], (first_place + i, n_labels, json.dumps(body), source))
                else:
                    db.execute(SQL["add_item"], row)
                n_labels_of[source] = n_labels
            n_raised = 0
            if double == 1:
                for source in filter(queued_sources.__contains__, all_items):
                    n_raised += db.execute(SQL["raise_wanted"], (raters, source, raters)).rowcount
                    n_labels_of[source] = raters
            _assign(db, n_labels_of, people)
        return len(new_items) + n_raised

    def add_planned(self, items: Mapping[str, dict[str, Any]]) -> dict[str, str]:
        """Adds items that a plan hands out and the queue does not; an item that exists stays as it is.

        Returns:
            The `ref` of each item by its key.
        """
        with self._write() as db:
            refs = {row["source"]: row["ref"] for row in db.execute("SELECT source, ref FROM items")}
            place = db.execute("SELECT coalesce(max(place), 0) + 1 FROM items").fetchone()[0]
            for source, body in items.items():
                if source not in refs:
                    refs[source] = secrets.token_hex(8)
                    db.execute(SQL["add_item"], (refs[source], source, place, NOT_QUEUED, json.dumps(body)))
                    place += 1
        return {source: refs[source] for source in items}

    def items(self) -> dict[str, Item]:
        """All items in their order, without those that are an answer shown again."""
        return {row["ref"]: _item(row) for row in self._rows("items")}

    def item(self, ref: str) -> Item:
        with self._open() as db:
            return _item(self._row(db, ref))

    def _row(self, db: sqlite3.Connection, ref: str) -> sqlite3.Row:
        row: sqlite3.Row | None = db.execute("SELECT * FROM items WHERE ref = ?", (ref,)).fetchone()
        if row is None:
            raise UsageError(f"no item {ref[:40]!r} to label", code=Code.NOT_FOUND)
        return row

    # The queue

    def next_item(self, who: Annotator, ahead: Sequence[str] = ()) -> Item | None:
        """The item that they took back last, else the first they were given and left open, else the next to label.

        `ahead` are items whose labels are not saved yet: the result is the one that follows them. The page asks for it
        early, so that nobody waits between two labels.
        """
        reserved_since = (datetime.now(UTC) - TIME_TO_LABEL).isoformat()
        with self._write() as db:
            taken_up = {"me": who.id, "ahead": json.dumps(list(ahead))}
            begun: sqlite3.Row | None = db.execute(SQL["taken_up"], taken_up).fetchone()
            if begun is not None:
                return _item(begun)
            row = db.execute(SQL["free"], {"me": who.id, "fresh": reserved_since}).fetchone()
            if row is None:
                return None
            _append(db, row["id"], who.id, "shown")
        return _item(row)

    def acts(self, refs: Collection[str]) -> list[Act]:
        """The last thing that each person did with each of these items, oldest first."""
        rows = self._rows("acts")
        wanted_refs = set(refs)
        return [
            Act(
                item=row["ref"],
                annotator=row["annotator"],
                action=row["action"],
                at=row["at"],
                value=json.loads(row["value"] or "{}"),
                was_labelled=bool(row["was_labelled"]),
            )
            for row in rows
            if row["ref"] in wanted_refs
        ]

    def show(self, who: Annotator, ref: str) -> Item:
        """The item, which is theirs from now on."""
        with self._write() as db:
            row = self._row(db, ref)
            _append(db, row["id"], who.id, "shown")
        return _item(row)

    def is_assigned(self, who: Annotator, ref: str) -> bool:
        """Whether `next_item` ever gave them the item, or they labelled or skipped it."""
        return bool(self._rows("assigned", me=who.id, ref=ref))

    def record(
        self,
        who: Annotator,
        ref: str,
        action: Action,
        value: dict[str, Any] | None = None,
        note: str = "",
        *,
        only_assigned: bool = False,
    ) -> None:
        """Appends a label or a skip; when this returns, it is on disk.

        A labelled item cannot be skipped, and the same label again is ignored: both come from a page that is out of
        date. With `only_assigned`, a UsageError if the item was never given to them: knowing its address is not enough.
        """
        _check_note(note)
        with self._write() as db:
            if only_assigned and db.execute(SQL["assigned"], {"me": who.id, "ref": ref}).fetchone() is None:
                raise not_assigned(ref)
            item_id = self._row(db, ref)["id"]
            last = db.execute(SQL["last_two"], {"me": who.id, "ref": ref}).fetchone()
            if last is not None:
                is_same = last["action"] == action and last["value"] == _json(value) and last["note"] == note
                is_skip_of_labelled = last["action"] == "label" and action == "skip"
                if is_same or is_skip_of_labelled:
                    return
            _append(db, item_id, who.id, action, value, note)

    def undo(self, who: Annotator) -> str | None:
        """Takes back their last label or skip, as a record of its own; the item that is open again, if any."""
        with self._write() as db:
            row = db.execute(SQL["last_done"], {"me": who.id}).fetchone()
            if row is not None:
                _append(db, row["item"], who.id, "undo")
        return row["ref"] if row else None

    def reopen_skipped(self, who: Annotator) -> int:
        """Takes back all their skips; how many that is."""
        with self._write() as db:
            rows = db.execute(SQL["skipped"], {"me": who.id}).fetchall()
            for row in rows:
                _append(db, row["item"], who.id, "undo")
        return len(rows)

    def progress(self, who: Annotator) -> Progress:
        (counts,) = self._rows("progress", me=who.id)
        n_open = counts["open"]
        return Progress(counts["done"], counts["skipped"], n_open, n_waiting=max(0, counts["missing"] - n_open))

    def last_label(self, who: Annotator) -> Label | None:
        """Their last label, if they did nothing since but look at the next item."""
        rows = self._rows("last_event", me=who.id)
        return next((_label(row, who.name) for row in rows if row["action"] == "label"), None)

    def earlier_label(self, who: Annotator, ref: str) -> Label | None:
        """Their label of an item before the current one: a label that they took back, or that a later one replaced.

        A skip that was taken back has a note and no value.
        """
        earlier = self._rows("last_two", me=who.id, ref=ref)[1:]
        return next((_label(row, who.name) for row in earlier if row["action"] != "undo"), None)

    def labels_by(self, who: Annotator) -> tuple[Label, ...]:
        """Their current labels and skips, the last one first; a skip has no value."""
        return tuple(_label(row, who.name) for row in self._rows("labels_by", me=who.id))

    # Results

    def labels(self) -> tuple[Label, ...]:
        """The current labels of everybody, oldest first."""
        return tuple(_label(row, row["name"]) for row in self._rows("labels"))

    def decide(self, ref: str, author: str, value: dict[str, Any] | None, note: str = "") -> None:
        """Settles an item, whose labels stay; the value None takes the decision back."""
        _check_note(note)
        with self._write() as db:
            _add_decision(db, self._row(db, ref)["id"], author, value, note)

    def forget_notes(self, sources: Collection[str]) -> int:
        """Deletes the notes at the items with these keys for good, also from what the file holds unused; how many.

        Labels and decisions stay.
        """
        n_deleted = 0
        with self._open() as db:
            db.execute("PRAGMA secure_delete = ON")
            db.execute("BEGIN IMMEDIATE")
            guards = db.execute(SQL["guards"]).fetchall()  # they refuse every change
            for guard in guards:
                db.execute(f"DROP TRIGGER {guard['name']}")
            for source in sources:
                n_deleted += db.execute(SQL["forget_notes"], (source,)).rowcount
                n_deleted += db.execute(SQL["forget_reasons"], (source,)).rowcount
            for guard in guards:
                db.execute(guard["sql"])
            db.execute("COMMIT")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return n_deleted

    def decisions(self) -> dict[str, Label]:
        """The current decisions by item, the last one first."""
        return {row["ref"]: _label(row, row["name"]) for row in self._rows("decisions")}

    def decision_history(self, ref: str) -> tuple[Label, ...]:
        """Every decision on an item, the first one first; one that takes another back has no value."""
        self.item(ref)  # a UsageError if there is none
        return tuple(_label(row, row["name"]) for row in self._rows("decided", ref=ref))

    def undo_decision(self, author: str) -> str | None:
        """Takes back the last decision of a person; the item that is open again, if any."""
        with self._write() as db:  # reads and writes in one: what somebody decides meanwhile stays
            rows = db.execute(SQL["decisions"]).fetchall()
            last_row = next((row for row in rows if row["name"] == author), None)
            if last_row is None:
                return None
            _add_decision(db, last_row["item"], author, None)
        return str(last_row["ref"])


def _check_raters(double: float, raters: int, people: Sequence[str]) -> None:
    if not 0 <= double <= 1:
        raise UsageError(f"the share that several people label is {double}, expected 0 to 1")
    if raters < 1:
        raise UsageError(f"an answer is to have {raters} labels, expected at least 1")
    if people and double and raters > len(people):
        named = "1 person is" if len(people) == 1 else f"{len(people)} people are"
        raise UsageError(f"an answer is to have {raters} labels, but {named} named; name more, or ask for fewer labels")


def _assign(db: sqlite3.Connection, n_labels_of: Mapping[str, int], people: Sequence[str]) -> None:
    """Gives each item to as many people as are to label it, by turns, so that all have about as many."""
    if not people:
        return
    ids = [id_of_annotator(db, name) for name in people]
    turn = 0
    for source, n_labels in n_labels_of.items():
        for _ in range(n_labels):
            db.execute(SQL["assign"], (ids[turn % len(ids)], source))
            turn += 1


def not_assigned(ref: str) -> UsageError:
    """The error for a missing item and for an item of others: it does not show which of them it is."""
    message = f"item {ref[:40]!r} is not assigned to you; label the items that the page shows. Nothing was changed"
    return UsageError(message, code=Code.NOT_FOUND)


def _check_note(note: str) -> None:
    """A UsageError if a note is too long: what somebody wrote is never cut."""
    if len(note) > MAX_NOTE_LENGTH:
        raise UsageError(f"the note has {len(note)} characters, the maximum is {MAX_NOTE_LENGTH}; shorten it")


def _append(
    db: sqlite3.Connection,
    item_id: int,
    annotator_id: int,
    action: str,
    value: dict[str, Any] | None = None,
    note: str = "",
) -> None:
    """Adds an event, of the ids that the tables have."""
    db.execute(SQL["add_event"], (item_id, annotator_id, action, _json(value), note, now()))


def _add_decision(
    db: sqlite3.Connection, item_id: int, author: str, value: dict[str, Any] | None, note: str = ""
) -> None:
    """Adds a decision on an item, by the id that the table has."""
    db.execute(SQL["add_decision"], (item_id, author, _json(value), note, now()))


def _item(row: sqlite3.Row) -> Item:
    return Item(row["ref"], json.loads(row["body"]), row["wanted"])


def _label(row: sqlite3.Row, name: str) -> Label:
    return Label(row["ref"], name, json.loads(row["value"] or "{}"), row["note"], row["at"])


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value)
