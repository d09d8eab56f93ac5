"""Search in an index of runs: rows whose request, answer, judge's note or image description have all the words.

What is typed is never syntax. A word finds words that begin with it, a text in double quotes is found as it stands, and
what has no letters, or letters of scripts that put no spaces between words, is found anywhere in a text.
"""

import re
import sqlite3
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mossbench.results.index import RunIndex
from mossbench.results.rates import MOST_GROUPS

PLACES = ("request", "answer", "note", "description")
_OPEN, _CLOSE = "\x02", "\x03"
_OF_ROWS = {
    "kind": "rows.outcome",
    "side": "rows.side",
    "judge": "runs.judge",
    "model": "runs.model",
    "run": "runs.name",
}
"""Filters that are about the row or its run; all others are labels and own columns of samples."""
_SHOWN = "runs.name, runs.model, runs.judge, runs.data, rows.side, rows.sample, rows.arm, rows.epoch, rows.outcome"
Pieces = tuple[tuple[str, bool], ...]


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
        rows, left = "rows", query
        if query.text.strip():  # its words are looked up once: filters and counts are then about few columns
            found, values = _select(Query(query.text, query.where), "rows.id, run, side, outcome, digest")
            db.execute("PRAGMA temp_store = MEMORY")
            db.execute(f"CREATE TEMP TABLE hits AS {found}", values)
            rows, left = "temp.hits AS rows", Query(filters=query.filters)
        counts = _counts(db, left, rows)
        n = sum(counts.get("side", Counter()).values())
        for name in query.filters:
            others = {one: value for one, value in query.filters.items() if one != name}
            counts[name] = _counts(db, Query(filters=others), rows, name).get(name, Counter())
        sql, values = _select(left, "rows.id", rows=rows)
        page = f"{sql} ORDER BY runs.started DESC, runs.name, rows.id LIMIT ? OFFSET ?"
        ids = [one for (one,) in db.execute(page, (*values, limit, min(start, 2**53)))]
        return Found(n, tuple(_hit(db, query, one) for one in ids), counts)


def found_rows(index: RunIndex, query: Query) -> Iterator[dict[str, Any]]:
    """Every row that is found, whole, with the labels and columns of its sample."""
    texts = ", ".join(f"texts.{name}" for name in PLACES)
    names = [*re.findall(r"\.(\w+)", _SHOWN), *PLACES]
    names[0] = "run"
    with index.open() as db:
        sql, values = _select(query, f"{_SHOWN}, {texts}, rows.digest", texts=True)
        for *row, digest in db.execute(f"{sql} ORDER BY runs.started DESC, runs.name, rows.id", values):
            labels = db.execute("SELECT name, value FROM labels WHERE digest = ? ORDER BY name", (digest,))
            yield dict(zip(names, row, strict=True)) | {"labels": dict(labels.fetchall())}


def _terms(text: str) -> tuple[list[str], list[str]]:
    """What FTS is asked for, and what is looked for anywhere in a text."""
    words, anywhere = [], []
    for phrase, word in re.findall(r'"([^"]+)"|(\S+)', text.replace("\x00", " ")):
        term = phrase or word
        if any(map(str.isalnum, term)) and not any(unicodedata.category(letter) == "Lo" for letter in term):
            words.append('"' + term.replace('"', '""') + '"' + ("" if phrase else " *"))
        elif term.strip():
            anywhere.append(term.strip())
    return words, anywhere


def _select(query: Query, what: str, *, texts: bool = False, rows: str = "rows") -> tuple[str, list[Any]]:
    """The statement for those of `rows` that fit the query, with its values: nothing that was typed stands in it."""
    words, anywhere = _terms(query.text)
    places = [query.where] if query.where in PLACES else list(PLACES)
    tests, values = ["rows.outcome != 'not asked'"], list[Any]()  # there is no answer to find
    if words:
        tests.append("texts MATCH ?")
        values.append(f"{{{' '.join(places)}}} : ({' AND '.join(words)})")
    for term in anywhere:
        tests.append("(" + " OR ".join(f"instr(texts.{place}, ?)" for place in places) + ")")
        values += [term] * len(places)
    for name, value in query.filters.items():
        if name in _OF_ROWS:
            tests.append(f"{_OF_ROWS[name]} = ?")
            values.append(value)
        else:
            tests.append("rows.digest IN (SELECT digest FROM labels WHERE name = ? AND value = ?)")
            values += [name, value]
    joined = "JOIN texts ON texts.rowid = rows.id " if texts or words or anywhere else ""
    return f"SELECT {what} FROM {rows} JOIN runs ON runs.id = rows.run {joined}WHERE {' AND '.join(tests)}", values


def _counts(db: sqlite3.Connection, query: Query, rows: str, only: str | None = None) -> dict[str, Counter[str]]:
    """How many rows have each value: of every filter, or of `only` one."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    of_rows = {name: column for name, column in _OF_ROWS.items() if only in (None, name)}
    if of_rows:
        sql, values = _select(query, f"{', '.join(of_rows.values())}, COUNT(*)", rows=rows)
        for *said, n in db.execute(f"{sql} GROUP BY {', '.join(of_rows.values())}", values):
            for name, value in zip(of_rows, said, strict=True):
                found[name][value] += n
    if only not in of_rows:
        sql, values = _select(query, "rows.digest AS digest, COUNT(*) AS n", rows=rows)
        wanted, named = ("WHERE name = ?", [only]) if only else ("", [])
        labels = f"SELECT name, value, SUM(n) FROM ({sql} GROUP BY 1) JOIN labels USING (digest) {wanted} GROUP BY 1, 2"
        for name, value, n in db.execute(labels, [*values, *named]):
            found[name][value] = n
    return {name: some for name, some in found.items() if name in _OF_ROWS or len(some) <= MOST_GROUPS}


def _hit(db: sqlite3.Connection, query: Query, row: int) -> Hit:
    words, anywhere = _terms(query.text)
    shown = db.execute(
        f"SELECT {_SHOWN} FROM rows JOIN runs ON runs.id = rows.run WHERE rows.id = ?", (row,)
    ).fetchone()
    places = [query.where] if query.where in PLACES else list(PLACES)
    columns, tests, values = ", ".join(PLACES), "rowid = ?", list[Any]([row])
    if words:
        columns = ", ".join(f"highlight(texts, {i}, '{_OPEN}', '{_CLOSE}')" for i in range(len(PLACES)))
        tests, values = "texts MATCH ? AND rowid = ?", [f"{{{' '.join(places)}}} : ({' AND '.join(words)})", row]
    texts = db.execute(f"SELECT {columns} FROM texts WHERE {tests}", values).fetchone() or ("",) * len(PLACES)
    found = zip(PLACES, texts, strict=True)
    by_place = {name: pieces(text, anywhere if name in places else []) for name, text in found}
    return Hit(*(*shown, by_place))


def pieces(marked: str, anywhere: list[str]) -> Pieces:
    """A text with marks in pieces; what is looked for anywhere is marked too, where nothing else is."""
    found: list[tuple[str, bool]] = []
    for i, part in enumerate(re.split(f"{_OPEN}(.*?){_CLOSE}", marked, flags=re.DOTALL)):
        part = part.replace(_OPEN, "").replace(_CLOSE, "")
        some = re.split(f"({'|'.join(map(re.escape, anywhere))})", part) if anywhere and not i % 2 else [part]
        found += [(one, bool(i % 2 or j % 2)) for j, one in enumerate(some) if one]
    return tuple(found)


def cropped(parts: Pieces, longest: int = 260) -> Pieces:
    """The part of a text around the first hit, or its beginning, with dots where something was left out."""
    first = next((i for i, (_, hit) in enumerate(parts) if hit), 0)
    before = "".join(text for text, _ in parts[:first])
    found: list[tuple[str, bool]] = [("…" + before[-80:] if len(before) > 80 else before, False)] if before else []
    left = longest - sum(len(text) for text, _ in found)
    for text, hit in parts[first:]:
        if left <= 0:
            break
        found.append((text if len(text) <= left else text[:left] + "…", hit))
        left -= len(text)
    return tuple(found)
