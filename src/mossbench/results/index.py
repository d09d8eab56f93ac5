"""An index of runs: a SQLite file of the rows of each run, how they count, where their lines lie, and their words.

It is a cache, beside the runs or, where that folder may not be written, in the user's cache. What it says of a run
holds while the run's files are as they were (`signature_of`). A run is put in within one transaction, so that readers
in any process find all of it or nothing of it, also after a kill. A file that is damaged, of another version or not
made by this module is made again. Texts of answers are read from the run's own files, when somebody asks for them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

import mossbench
from mossbench.errors import MossbenchError, StorageError
from mossbench.outcomes import Exchange, Judgement, Key, Kind, Layer, Outcome
from mossbench.plumbing.reading import parse_json
from mossbench.plumbing.storage import cache_folder
from mossbench.results.listing import Signature
from mossbench.results.rates import LONGEST_GROUP, Rate
from mossbench.results.rows import StoredLines, StoredRow
from mossbench.results.table import Results, load_results
from mossbench.samples import Sample, Side, value_text
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo

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
VERSION = f"{mossbench.__version__} index 3"
LABELS = ("stimulus", "harm", "human", "child", "syn", "ocr")


@dataclass(frozen=True)
class CountedRun:
    """What counting a run's rows gave, or why they cannot be counted."""

    judge: str | None
    rates: dict[Side, Rate]
    """Over all rows of each side, under the default rule."""
    layers: dict[Layer, int]
    other_arms: dict[str, int]
    drift: str = ""
    error: str = ""


_COUNTED = TypeAdapter(CountedRun)


class RunIndex:
    """The index of a folder of runs; every operation has a connection of its own, so any thread may ask."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self.path = runs / ".index.db"
        if not os.access(runs, os.W_OK):
            digest = hashlib.sha256(str(runs.resolve()).encode()).hexdigest()[:16]
            self.path = cache_folder("indexes") / f"{digest}.db"
        self._samples: dict[bytes, Sample] = {}
        self.known: dict[tuple[Side, str], Sample] = {}
        """Samples of datasets that are in memory: rows of runs on them share these."""

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
            raise StorageError("the index of runs is damaged and is made again; load the page again") from error

    def _connect(self) -> sqlite3.Connection:
        if self.path.is_symlink() or (self.path.exists() and not self.path.is_file()):
            self._remove()  # sqlite would follow it
        for _ in range(2):
            db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            file = _file(self.path)
            try:
                if _is_empty(db):
                    _make(db)
                if _is_ours(db):
                    return db
            except sqlite3.OperationalError:
                db.close()
                raise
            except sqlite3.DatabaseError:
                pass
            db.close()
            if file == _file(self.path):  # else another process has made it again by now
                self._remove()
        raise sqlite3.OperationalError("it is damaged again and again")

    def _remove(self) -> None:
        for path in (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm", "-journal"))):
            with suppress(OSError):
                path.unlink()

    def signatures(self) -> dict[str, Signature]:
        """The runs that are here, by name, with what their files were like."""
        with self.open() as db:
            found = db.execute("SELECT name, signature FROM runs").fetchall()
        return {name: tuple(tuple(one) for one in json.loads(text)) for name, text in found}

    def counted(self, name: str, signature: Signature) -> CountedRun | None:
        """What is known of a run whose files are like that; None where it is not here so."""
        found = None
        with suppress(StorageError), self.open() as db:
            query = "SELECT counted FROM runs WHERE name = ? AND signature = ?"
            found = db.execute(query, (name, json.dumps(signature))).fetchone()
        return _COUNTED.validate_python(json.loads(found[0])) if found else None

    def add(self, name: str, signature: Signature, model: str) -> CountedRun:
        """Reads a run, which is to be found by `model`, and puts it in, if the disk can; what counting it gave."""
        try:
            results = load_results(self.runs / name, stored=True)
        except (MossbenchError, OSError, ValueError) as error:
            counted = CountedRun(None, {}, {}, {}, error=str(error))
            of, entries = ("", ""), iter(list[tuple[Any, ...]]())
        else:
            rates = {rate.side: rate for rate in results.rates(by=None)}
            counted = CountedRun(results.judge, rates, results.layers(), results.other_arms, results.drift)
            of, entries = (results.info.dataset.name, results.info.started), _entries(results)
        run = (name, json.dumps(signature), model, counted.judge or "", *of, json.dumps(asdict(counted)))
        with suppress(StorageError), self.open() as db:
            db.execute("BEGIN IMMEDIATE")
            _delete(db, [name])
            number = db.execute("INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", run).lastrowid
            first = db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM rows").fetchone()[0]
            for i, (row, words, places, digest, line, labels) in enumerate(entries, start=first):
                db.execute(f"INSERT INTO rows VALUES ({', '.join('?' * 13)})", (i, number, *row, digest, *places))
                db.execute(
                    "INSERT INTO texts (rowid, request, answer, note, description) VALUES (?, ?, ?, ?, ?)", (i, *words)
                )
                if db.execute("INSERT OR IGNORE INTO samples VALUES (?, ?)", (digest, line)).rowcount:
                    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", [(*one, digest) for one in labels])
            db.execute("COMMIT")
        return counted

    def forget(self, names: list[str]) -> None:
        with self.open() as db:
            db.execute("BEGIN IMMEDIATE")
            _delete(db, names)
            for table in ("samples", "labels"):
                db.execute(f"DELETE FROM {table} WHERE digest NOT IN (SELECT digest FROM rows)")
            db.execute("COMMIT")

    def kept(self, what: str, made_of: Hashable, kind: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, of that type: taken from here where it was made of the same, by whatever process."""
        digest, adapter = hashlib.sha256(repr(made_of).encode()).hexdigest(), TypeAdapter(kind)
        with suppress(StorageError, ValueError), self.open() as db:
            query = "SELECT content FROM kept WHERE what = ? AND made_of = ?"
            if found := db.execute(query, (what, digest)).fetchone():
                return adapter.validate_python(parse_json(str(found[0])))
        made = make()
        with suppress(StorageError), self.open() as db:
            content = json.dumps(adapter.dump_python(made, mode="json"))
            db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (what, digest, content))
        return made

    def results(self, name: str, signature: Signature, info: RunInfo, counted: CountedRun) -> Results:
        """The run's results, with rows that read their texts when they are asked; read whole where it is not here."""
        query = (
            "SELECT side, arm, epoch, layer, kind, refused, digest, answer_at, verdict_at FROM rows "
            "JOIN runs ON runs.id = rows.run WHERE name = ? AND signature = ? ORDER BY rows.id"
        )
        folder, rows = RunFolder(self.runs / name), tuple[StoredRow, ...]()
        verdicts = folder.verdicts_path(counted.judge) if counted.judge else folder.path
        files = StoredLines(folder.answers_path, Exchange), StoredLines(verdicts, Judgement)

        def row(db: sqlite3.Connection, side: str, arm: str, epoch: int, *said: Any) -> StoredRow:
            *counts, digest, answer_at, verdict_at = said
            if (sample := self._samples.get(digest)) is None:
                (line,) = db.execute("SELECT line FROM samples WHERE digest = ?", (digest,)).fetchone()
                sample = Sample.model_validate_json(line)
                same = self.known.get(sample.key)
                sample = self._samples[digest] = same if same == sample else sample
            key = Key(Side(side), sample.id, sys.intern(arm), epoch)
            return StoredRow(key, sample, _outcome(*counts), files, (answer_at, verdict_at))

        with suppress(StorageError), self.open() as db:
            rows = tuple(row(db, *one) for one in db.execute(query, (name, json.dumps(signature))))
        if not rows:
            return load_results(folder.path)
        arms = {row.key.arm for row in rows}
        info = info.model_copy(update={"arms": tuple(arm for arm in info.arms if arm.name in arms)})
        return Results(folder.path, info, counted.judge, rows, counted.drift, counted.other_arms)


@cache
def _outcome(layer: str, kind: str | None, refused: int | None) -> Outcome:
    return Outcome(Layer(layer), Kind(kind) if kind else None, None if refused is None else bool(refused))


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether the file is whole as far as can be told quickly, of this version, and without anything else in it."""
    db.execute("PRAGMA trusted_schema = OFF")
    made = db.execute("SELECT sql FROM sqlite_master WHERE name = 'made'").fetchone()
    odd = db.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    return bool(made) and not odd and db.execute("SELECT by FROM made").fetchone() == (VERSION,)


def _is_empty(db: sqlite3.Connection) -> bool:
    return not db.execute("SELECT 1 FROM sqlite_master").fetchone()


def _make(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.OperationalError):  # somebody else has it open, or the disk cannot: the file works anyhow
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN IMMEDIATE")
    if _is_empty(db):  # else another process was quicker
        for statement in SCHEMA.strip().split(";\n"):
            db.execute(statement.rstrip(";"))
        db.execute("INSERT INTO made VALUES (?)", (VERSION,))
    db.execute("COMMIT")


def _file(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        return path.stat().st_dev, path.stat().st_ino
    return None


def _delete(db: sqlite3.Connection, names: list[str]) -> None:
    for name in names:
        found = db.execute("SELECT id FROM runs WHERE name = ?", (name,)).fetchone()
        if found:
            db.execute("DELETE FROM texts WHERE rowid IN (SELECT id FROM rows WHERE run = ?)", found)
            db.execute("DELETE FROM rows WHERE run = ?", found)
            db.execute("DELETE FROM runs WHERE id = ?", found)


def _entries(results: Results) -> Iterator[tuple[Any, ...]]:
    """Each row as the index has it: how it counts, its words and places, and its sample with its labels."""
    known: dict[int, bytes] = {}
    for row in results.rows:
        sample, outcome, key = row.sample, row.outcome, tuple(row.key)
        line, labels = "", list[tuple[str, str]]()  # told with its first row
        if id(sample) not in known:
            line, labels = sample.model_dump_json(exclude_defaults=True), _labels(sample)
            known[id(sample)] = hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest()[:16]
        refused = None if outcome.refused is None else int(outcome.refused)
        text = row.exchange.answer.text if row.exchange else None
        words = (
            row.exchange.request if row.exchange else sample.question,
            text or "",
            row.verdict.reason if row.verdict else "",
            sample.description or sample.short_description,
        )
        counts = (*key, str(outcome.layer), outcome.kind and str(outcome.kind), refused, outcome.label)
        places = row.places if isinstance(row, StoredRow) else (None, None)
        yield counts, tuple(map(_clean, words)), places, known[id(sample)], line, labels


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\x00", " ")


def _labels(sample: Sample) -> list[tuple[str, str]]:
    """What hits can be filtered by: labels that a sample has, and its own columns that hold names and not texts."""
    said = {name: sample.label(name) if name in LABELS[:2] else getattr(sample, name) for name in LABELS}
    named = {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in said.items()}
    own = {f"column.{name}": value_text(value) for name, value in sample.metadata.items() if name not in LABELS[:2]}
    found = {name: _clean(str(value)) for name, value in {**named, **own}.items() if value not in (None, "")}
    return [(_clean(name), value) for name, value in found.items() if len(value) <= LONGEST_GROUP]
