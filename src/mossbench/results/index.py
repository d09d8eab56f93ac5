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
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter

from mossbench.errors import MossbenchError, StorageError, message_of
from mossbench.messages import on_command_line
from mossbench.outcomes import Exchange, Judgement, Key, Kind, Layer, Outcome
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.results.index_file import IndexFile
from mossbench.results.listing import Signature
from mossbench.results.rates import LONGEST_GROUP, Rate
from mossbench.results.rows import ResultRow, StoredFiles, StoredLines, StoredRow
from mossbench.results.table import Results, load_results
from mossbench.samples import FLAGS, Sample, Side, value_text
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo

_INSERT_ROW = f"INSERT INTO rows VALUES ({', '.join('?' * 13)})"
_INSERT_TEXTS = "INSERT INTO texts (rowid, request, answer, note, description) VALUES (?, ?, ?, ?, ?)"
_SELECT_ROWS = (
    "SELECT side, arm, epoch, layer, kind, refused, digest, answer_at, verdict_at FROM rows "
    "JOIN runs ON runs.id = rows.run WHERE name = ? AND signature = ? ORDER BY rows.id"
)
_TAXONOMIES = ("stimulus", "harm")
LABELS = (*_TAXONOMIES, *FLAGS)
_YES_OR_NO = {True: "yes", False: "no", None: None}
Value = TypeVar("Value")


@dataclass(frozen=True)
class CountedRun:
    """What counting a run's rows gave, or why they cannot be counted."""

    judge: str | None
    rates: dict[Side, Rate]
    """Over all rows of each side, under the default rule."""
    layers: dict[Layer, int]
    other_arms: dict[str, int]
    n_in_part_epochs: int = 0
    """As `Results` has it."""
    drift: str = ""
    error: str = ""
    """As pages show it, which alone read the index: with commands."""


_COUNTED = TypeAdapter(CountedRun)


class RunIndex(IndexFile):
    """The index of a folder of runs; every operation has a connection of its own, so any thread may ask."""

    def __init__(self, runs: Path) -> None:
        super().__init__(_path_of_index(runs))
        self.runs = runs
        self._samples: dict[bytes, Sample] = {}
        self.known: dict[tuple[Side, str], Sample] = {}
        """Samples of datasets that are in memory: rows of runs on them share these."""

    def signatures(self) -> dict[str, Signature]:
        """The runs that are here, by name, with what their files were like."""
        with self.open() as db:
            runs = db.execute("SELECT name, signature FROM runs").fetchall()
        return {name: _signature_of_json(text) for name, text in runs}

    def counted(self, name: str, signature: Signature) -> CountedRun | None:
        """What is known of a run whose files are like that; None where it is not here so."""
        query = "SELECT counted FROM runs WHERE name = ? AND signature = ?"
        record = None
        with suppress(StorageError), self.open() as db:
            record = db.execute(query, (name, json.dumps(signature))).fetchone()
        return _COUNTED.validate_python(json.loads(record[0])) if record else None

    def add(self, name: str, signature: Signature, model: str) -> CountedRun:
        """Reads a run, which is to be found by `model`, and puts it in, if the disk can; what counting it gave."""
        try:
            results = load_results(self.runs / name, stored=True)
        except (MossbenchError, OSError, ValueError) as error:
            counted = CountedRun(None, {}, {}, {}, error=on_command_line(message_of(error)))
            self._put(_RunRecord(name, signature, model, "", "", counted), ())
            return counted
        rates = {rate.side: rate for rate in results.rates(by=None)}
        counted = CountedRun(
            results.judge, rates, results.layers(), results.other_arms, results.n_in_part_epochs, results.drift
        )
        record = _RunRecord(name, signature, model, results.info.dataset.name, results.info.started, counted)
        self._put(record, _entries(results))
        return counted

    def _put(self, run: _RunRecord, entries: Iterable[_Entry]) -> None:
        """Puts a run in, all of it or nothing; nothing where the disk cannot."""
        with suppress(StorageError), self.open() as db:
            db.execute("BEGIN IMMEDIATE")
            _delete(db, [run.name])
            run_id = db.execute("INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", run.columns()).lastrowid
            (first,) = db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM rows").fetchone()
            for row_id, (counts, words, places, digest, line, labels) in enumerate(entries, start=first):
                db.execute(_INSERT_ROW, (row_id, run_id, *counts, digest, *places))
                db.execute(_INSERT_TEXTS, (row_id, *words))
                is_new = db.execute("INSERT OR IGNORE INTO samples VALUES (?, ?)", (digest, line)).rowcount
                if is_new:
                    labels_of_sample = [(label, value, digest) for label, value in labels]
                    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", labels_of_sample)
            db.execute("COMMIT")

    def forget(self, names: list[str]) -> None:
        with self.open() as db:
            db.execute("BEGIN IMMEDIATE")
            _delete(db, names)
            for table in ("samples", "labels"):
                db.execute(f"DELETE FROM {table} WHERE digest NOT IN (SELECT digest FROM rows)")
            db.execute("COMMIT")

    def kept(self, name: str, made_of: Hashable, kind: type[Value], make: Callable[[], Value]) -> Value:
        """The value of that type which `make` gives; read from the index where it was made of the same before."""
        digest = hashlib.sha256(repr(made_of).encode()).hexdigest()
        adapter = TypeAdapter(kind)
        with suppress(StorageError, ValueError), self.open() as db:
            query = "SELECT content FROM kept WHERE what = ? AND made_of = ?"
            record = db.execute(query, (name, digest)).fetchone()
            if record:
                return adapter.validate_python(parse_json(str(record[0])))
        value = make()
        with suppress(StorageError), self.open() as db:
            content = json.dumps(adapter.dump_python(value, mode="json"))
            db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (name, digest, content))
        return value

    def results(self, name: str, signature: Signature, info: RunInfo, counted: CountedRun) -> Results:
        """The run's results, with rows that read their texts when they are asked; read whole where it is not here."""
        folder = RunFolder(self.runs / name)
        verdicts_path = folder.verdicts_path(counted.judge) if counted.judge else folder.path
        files = StoredFiles(StoredLines(folder.answers_path, Exchange), StoredLines(verdicts_path, Judgement))
        rows: tuple[StoredRow, ...] = ()
        with suppress(StorageError), self.open() as db:
            records = db.execute(_SELECT_ROWS, (name, json.dumps(signature)))
            rows = tuple(self._row(db, files, *record) for record in records)
        if not rows:
            return load_results(folder.path)
        names_of_arms = {row.key.arm for row in rows}
        arms = tuple(arm for arm in info.arms if arm.name in names_of_arms)
        info = info.model_copy(update={"arms": arms})
        return Results(
            folder.path,
            info,
            counted.judge,
            rows,
            counted.drift,
            counted.other_arms,
            counted.n_in_part_epochs,
        )

    def _row(
        self,
        db: sqlite3.Connection,
        files: StoredFiles,
        side: str,
        arm: str,
        epoch: int,
        layer: str,
        kind: str | None,
        refused: int | None,
        digest: bytes,
        answer_place: int | None,
        verdict_place: int | None,
    ) -> StoredRow:
        """A row of the table `rows`, whose columns are those of `_SELECT_ROWS`."""
        sample = self._samples.get(digest)
        if sample is None:
            sample = self._read_sample(db, digest)
        key = Key(Side(side), sample.id, sys.intern(arm), epoch)
        return StoredRow(key, sample, _outcome(layer, kind, refused), files, answer_place, verdict_place)

    def _read_sample(self, db: sqlite3.Connection, digest: bytes) -> Sample:
        (line,) = db.execute("SELECT line FROM samples WHERE digest = ?", (digest,)).fetchone()
        sample = Sample.model_validate_json(line)
        in_memory = self.known.get(sample.key)
        if in_memory is not None and in_memory == sample:
            sample = in_memory
        self._samples[digest] = sample
        return sample


def _path_of_index(runs: Path) -> Path:
    if os.access(runs, os.W_OK):
        return runs / ".index.db"
    digest = hashlib.sha256(str(runs.resolve()).encode()).hexdigest()[:16]
    return cache_folder("indexes") / f"{digest}.db"


@cache
def _outcome(layer: str, kind: str | None, refused: int | None) -> Outcome:
    return Outcome(Layer(layer), Kind(kind) if kind else None, None if refused is None else bool(refused))


def _delete(db: sqlite3.Connection, names: list[str]) -> None:
    for name in names:
        run = db.execute("SELECT id FROM runs WHERE name = ?", (name,)).fetchone()
        if run:
            db.execute("DELETE FROM texts WHERE rowid IN (SELECT id FROM rows WHERE run = ?)", run)
            db.execute("DELETE FROM rows WHERE run = ?", run)
            db.execute("DELETE FROM runs WHERE id = ?", run)


def _signature_of_json(text: str) -> Signature:
    return tuple((name, size, changed) for name, size, changed in json.loads(text))


class _RunRecord(NamedTuple):
    """A run as the table `runs` has it."""

    name: str
    signature: Signature
    model: str
    data: str
    started: str
    counted: CountedRun

    def columns(self) -> tuple[str, ...]:
        """In the order of the table, after the id."""
        judge = self.counted.judge or ""
        counted = json.dumps(asdict(self.counted))
        return self.name, json.dumps(self.signature), self.model, judge, self.data, self.started, counted


class _Entry(NamedTuple):
    """A row of a run as the index has it."""

    counts: tuple[str | int | None, ...]
    """Its key and how it counts: side, sample, arm, epoch, layer, kind, refused, outcome."""
    words: tuple[str, ...]
    """What is searched: request, answer, note, description."""
    places: tuple[int | None, int | None]
    """Where the lines of its answer and of its verdict begin."""
    digest: bytes
    """Of its sample."""
    line: str
    """Its sample as JSON, with the sample's first row; empty with the others."""
    labels: list[tuple[str, str]]
    """Of its sample, with the first row too."""


def _entries(results: Results) -> Iterator[_Entry]:
    digests: dict[tuple[Side, str], bytes] = {}
    for row in results.rows:
        sample = row.sample
        line = ""
        labels: list[tuple[str, str]] = []
        digest = digests.get(sample.key)
        if digest is None:
            line = sample.model_dump_json(exclude_defaults=True)
            labels = _labels(sample)
            digest = hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest()[:16]
            digests[sample.key] = digest
        places = (row.answer_place, row.verdict_place) if isinstance(row, StoredRow) else (None, None)
        yield _Entry(_counts(row), _words(row), places, digest, line, labels)


def _counts(row: ResultRow) -> tuple[str | int | None, ...]:
    outcome = row.outcome
    kind = str(outcome.kind) if outcome.kind else None
    refused = None if outcome.refused is None else int(outcome.refused)
    return *row.key, str(outcome.layer), kind, refused, outcome.label


def _words(row: ResultRow) -> tuple[str, ...]:
    request = row.sample.question
    answer = ""
    exchange = row.exchange  # is read from the run's files each time
    if exchange is not None:
        request = exchange.request
        answer = exchange.answer.text or ""
    verdict = row.verdict
    note = verdict.reason if verdict else ""
    description = row.sample.description or row.sample.short_description
    return _clean(request), _clean(answer), _clean(note), _clean(description)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\x00", " ")


def _labels(sample: Sample) -> list[tuple[str, str]]:
    """What hits can be filtered by: labels that a sample has, and its own columns that hold names and not texts."""
    texts: dict[str, str | None] = {name: sample.label(name) for name in _TAXONOMIES}
    for flag in FLAGS:
        texts[flag] = _YES_OR_NO[getattr(sample, flag)]
    for name, value in sample.metadata.items():
        if name not in _TAXONOMIES:
            texts[f"column.{name}"] = value_text(value)
    cleaned = [(_clean(name), _clean(text)) for name, text in texts.items() if text]
    return [(name, text) for name, text in cleaned if len(text) <= LONGEST_GROUP]
