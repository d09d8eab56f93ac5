"""Search in an index of runs: rows whose request, answer, judge's note or image description have all the words.

What is typed is never syntax. A word finds words that begin with it, a text in double quotes is found as it stands, and
what has no letters, or letters of scripts that put no spaces between words, is found anywhere in a text.
"""

import re
import sqlite3
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from mossbench.results.index import RunIndex
from mossbench.results.rates import MOST_GROUPS

PLACES = ("request", "answer", "note", "description")
_OPEN = "\x02"
_CLOSE = "\x03"
"""Marks around what FTS found."""
_BEFORE_HIT = 80
"""Characters that are shown before the first hit."""
_LARGEST_OFFSET = 2**53
"""SQLite takes no larger ones than 2**63."""
_NEWEST_FIRST = "ORDER BY runs.started DESC, runs.name, rows.id"
_ROW_FILTERS = {
    "kind": "rows.outcome",
    "side": "rows.side",
    "judge": "runs.judge",
    "model": "runs.model",
    "run": "runs.name",
}
"""Filters that are about the row or its run; all others are labels and own columns of samples."""
_HIT_COLUMNS = (
    "runs.name, runs.model, runs.judge, runs.data, rows.side, rows.sample, rows.arm, rows.epoch, rows.outcome"
)
"""The columns of a `Hit`, in its order."""
Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it is a hit."""


@dataclass(frozen=True)
class Query:
    text: str = ""
    where: str = ""
    """One of PLACES; empty: all of them."""
    filters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hit:
    """A row that was found; its texts in pieces, each with whether it is what was searched for."""

    run: str
    model: str
    judge: str
    data: str
    side: str
    sample: str
    arm: str
    epoch: int
    outcome: str
    texts: dict[str, Pieces]


@dataclass(frozen=True)
class Found:
    n: int
    hits: tuple[Hit, ...]
    counts: dict[str, Counter[str]]
    """By filter, how many rows have each value, under all other filters."""


def search(index: RunIndex, query: Query, *, start: int = 0, limit: int = 20) -> Found:
    """How many rows were found, those of one page, those of the newest run first, and the counts for filters."""
    with index.open() as db:
        table = "rows"
        remaining = query
        if query.text.strip():  # its words are looked up once: filters and counts are then about few columns
            hits = _select(Query(query.text, query.where), "rows.id, run, side, outcome, digest")
            db.execute("PRAGMA temp_store = MEMORY")
            db.execute(f"CREATE TEMP TABLE hits AS {hits.sql}", hits.values)
            table = "temp.hits AS rows"
            remaining = Query(filters=query.filters)
        counts = _counts(db, remaining, table)
        n = sum(counts.get("side", Counter()).values())
        for name in query.filters:
            other_filters = {key: value for key, value in query.filters.items() if key != name}
            counts[name] = _counts(db, Query(filters=other_filters), table, name).get(name, Counter())
        page = _select(remaining, "rows.id", table=table)
        sql = f"{page.sql} {_NEWEST_FIRST} LIMIT ? OFFSET ?"
        row_ids = [row_id for (row_id,) in db.execute(sql, (*page.values, limit, min(start, _LARGEST_OFFSET)))]
        return Found(n, tuple(_hit(db, query, row_id) for row_id in row_ids), counts)


def found_rows(index: RunIndex, query: Query) -> Iterator[dict[str, Any]]:
    """Every row that is found, whole, with the labels and columns of its sample."""
    texts = ", ".join(f"texts.{place}" for place in PLACES)
    names = [*(field.name for field in fields(Hit) if field.name != "texts"), *PLACES]
    statement = _select(query, f"{_HIT_COLUMNS}, {texts}, rows.digest", with_texts=True)
    with index.open() as db:
        for *row, digest in db.execute(f"{statement.sql} {_NEWEST_FIRST}", statement.values):
            labels = db.execute("SELECT name, value FROM labels WHERE digest = ? ORDER BY name", (digest,))
            record = dict(zip(names, row, strict=True))
            record["labels"] = dict(labels.fetchall())
            yield record


@dataclass(frozen=True)
class _Terms:
    """What was typed, as it is searched for."""

    words: tuple[str, ...]
    """What FTS is asked for, quoted."""
    anywhere: tuple[str, ...]
    """What is looked for anywhere in a text."""
    places: tuple[str, ...]
    """The texts in which it is looked for."""

    @property
    def match(self) -> str:
        """The expression of FTS for all words."""
        return f"{{{' '.join(self.places)}}} : ({' AND '.join(self.words)})"


@dataclass(frozen=True)
class _Statement:
    """A statement of SQL and the values of its question marks: nothing that was typed stands in it."""

    sql: str
    values: list[str | int]


def _terms(query: Query) -> _Terms:
    words = []
    anywhere = []
    for phrase, word in re.findall(r'"([^"]+)"|(\S+)', query.text.replace("\x00", " ")):
        term = phrase or word
        if _has_words(term):
            quoted = '"' + term.replace('"', '""') + '"'
            words.append(quoted if phrase else f"{quoted} *")
        elif term.strip():
            anywhere.append(term.strip())
    places = (query.where,) if query.where in PLACES else PLACES
    return _Terms(tuple(words), tuple(anywhere), places)


def _has_words(term: str) -> bool:
    """Whether FTS knows its words: it has letters or digits, and none of a script without spaces between words."""
    has_letters = any(letter.isalnum() for letter in term)
    return has_letters and not any(unicodedata.category(letter) == "Lo" for letter in term)


def _select(query: Query, columns: str, *, with_texts: bool = False, table: str = "rows") -> _Statement:
    """The statement for those rows of the table that fit the query."""
    terms = _terms(query)
    tests = ["rows.outcome != 'not asked'"]  # there is no answer to find
    values: list[str | int] = []
    if terms.words:
        tests.append("texts MATCH ?")
        values.append(terms.match)
    for term in terms.anywhere:
        tests.append("(" + " OR ".join(f"instr(texts.{place}, ?)" for place in terms.places) + ")")
        values += [term] * len(terms.places)
    for name, value in query.filters.items():
        if name in _ROW_FILTERS:
            tests.append(f"{_ROW_FILTERS[name]} = ?")
            values.append(value)
        else:
            tests.append("rows.digest IN (SELECT digest FROM labels WHERE name = ? AND value = ?)")
            values += [name, value]
    joined = ""
    if with_texts or terms.words or terms.anywhere:
        joined = "JOIN texts ON texts.rowid = rows.id "
    sql = f"SELECT {columns} FROM {table} JOIN runs ON runs.id = rows.run {joined}WHERE {' AND '.join(tests)}"
    return _Statement(sql, values)


def _counts(db: sqlite3.Connection, query: Query, table: str, only: str | None = None) -> dict[str, Counter[str]]:
    """How many rows have each value: of every filter, or of `only` one."""
    counts: dict[str, Counter[str]] = {}
    if only is None:
        counts = _counts_of_rows(db, query, table, _ROW_FILTERS) | _counts_of_labels(db, query, table, None)
    elif only in _ROW_FILTERS:
        counts = _counts_of_rows(db, query, table, {only: _ROW_FILTERS[only]})
    else:
        counts = _counts_of_labels(db, query, table, only)
    return {name: values for name, values in counts.items() if name in _ROW_FILTERS or len(values) <= MOST_GROUPS}


def _counts_of_rows(
    db: sqlite3.Connection, query: Query, table: str, columns: Mapping[str, str]
) -> dict[str, Counter[str]]:
    """By filter, how many rows have each value of its column."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    listed = ", ".join(columns.values())
    statement = _select(query, f"{listed}, COUNT(*)", table=table)
    for *row, n in db.execute(f"{statement.sql} GROUP BY {listed}", statement.values):
        for name, value in zip(columns, row, strict=True):
            counts[name][value] += n
    return dict(counts)


def _counts_of_labels(db: sqlite3.Connection, query: Query, table: str, only: str | None) -> dict[str, Counter[str]]:
    """By label of the samples, how many rows have each value: of every label, or of `only` one."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    samples = _select(query, "rows.digest AS digest, COUNT(*) AS n", table=table)
    condition = ""
    values = list(samples.values)
    if only is not None:
        condition = "WHERE name = ?"
        values.append(only)
    labelled = f"({samples.sql} GROUP BY 1) JOIN labels USING (digest)"
    sql = f"SELECT name, value, SUM(n) FROM {labelled} {condition} GROUP BY 1, 2"
    for name, value, n in db.execute(sql, values):
        counts[name][value] = n
    return dict(counts)


def _hit(db: sqlite3.Connection, query: Query, row_id: int) -> Hit:
    terms = _terms(query)
    hit_row = db.execute(
        f"SELECT {_HIT_COLUMNS} FROM rows JOIN runs ON runs.id = rows.run WHERE rows.id = ?", (row_id,)
    ).fetchone()
    if terms.words:
        columns = ", ".join(f"highlight(texts, {number}, '{_OPEN}', '{_CLOSE}')" for number in range(len(PLACES)))
        sql = f"SELECT {columns} FROM texts WHERE texts MATCH ? AND rowid = ?"
        texts = db.execute(sql, (terms.match, row_id)).fetchone()
    else:
        texts = db.execute(f"SELECT {', '.join(PLACES)} FROM texts WHERE rowid = ?", (row_id,)).fetchone()
    by_place = {}
    for place, text in zip(PLACES, texts or ("",) * len(PLACES), strict=True):
        by_place[place] = pieces(text, terms.anywhere if place in terms.places else ())
    run, model, judge, data, side, sample, arm, epoch, outcome = hit_row
    return Hit(
        run=run,
        model=model,
        judge=judge,
        data=data,
        side=side,
        sample=sample,
        arm=arm,
        epoch=epoch,
        outcome=outcome,
        texts=by_place,
    )


def pieces(marked: str, anywhere: Sequence[str]) -> Pieces:
    """A text with marks in pieces; what is looked for anywhere is marked too, where nothing else is."""
    parts: list[tuple[str, bool]] = []
    # A pattern in parentheses makes every second part one that was found.
    for number, part in enumerate(re.split(f"{_OPEN}(.*?){_CLOSE}", marked, flags=re.DOTALL)):
        is_marked = number % 2 == 1
        text = part.replace(_OPEN, "").replace(_CLOSE, "")
        if is_marked or not anywhere:
            parts.append((text, is_marked))
            continue
        pattern = "|".join(map(re.escape, anywhere))
        for place, piece in enumerate(re.split(f"({pattern})", text)):
            parts.append((piece, place % 2 == 1))
    return tuple((text, is_hit) for text, is_hit in parts if text)


def cropped(parts: Pieces, longest: int = 260) -> Pieces:
    """The part of a text around the first hit, or its beginning, with dots where something was left out."""
    first = next((place for place, (_, is_hit) in enumerate(parts) if is_hit), 0)
    kept_parts: list[tuple[str, bool]] = []
    before = "".join(text for text, _ in parts[:first])
    if len(before) > _BEFORE_HIT:
        before = "…" + before[-_BEFORE_HIT:]
    if before:
        kept_parts.append((before, False))
    n_letters_left = longest - len(before)
    for text, is_hit in parts[first:]:
        if n_letters_left <= 0:
            break
        is_cut = len(text) > n_letters_left
        kept_text = text[:n_letters_left] + "…" if is_cut else text
        kept_parts.append((kept_text, is_hit))
        n_letters_left -= len(text)
    return tuple(kept_parts)
