"""Search: requests, answers, judges' notes and image descriptions of all runs, with filters, counts and downloads."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from starlette.responses import Response, StreamingResponse

from mossbench.datasets.arms import Arm
from mossbench.plumbing.spreadsheets import cell
from mossbench.reports.words import search_page as words
from mossbench.results import search as searching
from mossbench.results.index import LABELS, RunIndex
from mossbench.samples import Side
from mossbench.web.data import Data
from mossbench.web.filters import TITLES
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenText,
    Query,
    address,
    page,
    picture_address,
    run_address,
    shelf_of,
)

router = APIRouter()
HITS_PER_PAGE = 20
ROWS_PER_PART = 200
"""Rows of a download that are sent at once."""
PLACES = {"request": "Request", "answer": "Answer", "note": "Judge’s note", "description": "Image description"}
_TITLES = {"kind": "Kind", "side": "Side", "model": "Model", "judge": "Judge", "run": "Run"} | TITLES
_WORDS = {side.value: word for side, word in SIDES.items()}


class Option(NamedTuple):
    """One value of a filter."""

    value: str
    words: str
    n: int
    """Rows that are left with this value."""


@dataclass(frozen=True)
class SearchFilter:
    name: str
    title: str
    chosen: str
    options: Sequence[Option]


@dataclass(frozen=True)
class HitShown:
    """A row that was found."""

    hit: searching.Hit
    side: str
    explorer: str
    """The explorer at its sample."""
    report: str
    pictures: Sequence[str]
    """The addresses of its picture, small and large; none where it is unknown what was shown."""
    alt: str
    texts: Mapping[str, searching.Pieces]
    no_answer: str
    """Shown for an answer without a text."""
    other_texts: Sequence[tuple[str, searching.Pieces]]
    """Notes and descriptions in which something was found, with their titles."""


@dataclass(frozen=True)
class SearchPage:
    """What search.html shows."""

    query: Query
    places: Mapping[str, str]
    """Texts that can be searched alone."""
    n: int
    """Hits on all pages."""
    start: int
    """Index of the first one on this page."""
    step: int
    hits: Sequence[HitShown]
    filters: Sequence[SearchFilter]
    n_runs: int
    heading: str
    searched: str
    n_results: str
    nothing_found: str
    """Shown where there is no hit."""
    address: Callable[..., str] = partial(address, "/search")
    """The address of this page with other choices."""


@router.get("/search")
def search_page(
    request: Request,
    q: Annotated[str, QueryParameter(max_length=400)] = "",
    where: ChosenText = None,
    start: Annotated[int, QueryParameter(ge=0)] = 0,
    format: Literal["html", "csv", "jsonl"] = "html",
) -> Response:
    shelf = shelf_of(request)
    index = shelf.searchable()
    chosen = _chosen(request.query_params)
    query = searching.Query(q, where or "", chosen)
    if format != "html":
        return _export(index, query, format)
    results = searching.search(index, query, start=start, limit=HITS_PER_PAGE)
    data_and_run: dict[str, tuple[Data, LoadedRun]] = {}
    for data in shelf.data():
        data_and_run.update((run.name, (data, run)) for run in data.runs)
    n_runs = len(index.signatures())
    content = SearchPage(
        query={"q": q, "where": where, **chosen},
        places=PLACES,
        n=results.n,
        start=start,
        step=HITS_PER_PAGE,
        hits=[_shown_hit(hit, *data_and_run.get(hit.run, (None, None))) for hit in results.hits],
        filters=_filters(results, chosen),
        n_runs=n_runs,
        heading=words.heading(q, results.n, has_filters=bool(chosen)),
        searched=words.searched(n_runs),
        n_results=words.results(results.n),
        nothing_found=words.nothing_found(q, PLACES.get(where or "", ""), has_filters=bool(chosen)),
    )
    return page(request, "search.html", "Search", content)


def _chosen(query: Mapping[str, str]) -> dict[str, str]:
    """The filters that are in use."""
    return {name: value for name, value in query.items() if value and (name in _TITLES or name.startswith("column."))}


def _filters(results: searching.Found, chosen: Mapping[str, str]) -> list[SearchFilter]:
    """Filters by which hits differ, and all that are chosen; each value with the number of hits it leaves."""
    own_columns = sorted(results.counts.keys() - _TITLES.keys())
    names = [name for name in (*_TITLES, *own_columns) if name in results.counts]
    filters = []
    for name in dict.fromkeys((*names, *chosen)):
        if name in chosen or len(results.counts[name]) > 1:
            title = _TITLES.get(name) or name.removeprefix("column.")
            options = _options(name, chosen.get(name, ""), results.counts.get(name, {}))
            filters.append(SearchFilter(name, title, chosen.get(name, ""), options))
    return filters


def _options(name: str, chosen: str, counts: Mapping[str, int]) -> list[Option]:
    """The values, the most frequent first; and the chosen one, even if no hit has it."""
    options = []
    for value, n in Counter({chosen: 0, **counts}).most_common():
        if value:
            value_in_words = _WORDS.get(value, value) if name == "side" else value
            options.append(Option(value, value_in_words, n))
    return options


def _shown_hit(hit: searching.Hit, data: Data | None, run: LoadedRun | None) -> HitShown:
    texts = {name: searching.cropped(parts) for name, parts in hit.texts.items()}
    names_with_hits = {name for name, parts in hit.texts.items() if any(is_hit for _, is_hit in parts)}
    sample = data.by_key.get((Side(hit.side), hit.sample)) if data else None
    arm = _arm_named(hit.arm, run) if run else None
    pictures: list[str] = []
    if data and arm:
        pictures = [picture_address(data, sample, size, arm) for size in (240, FULL_SIZE)]
    return HitShown(
        hit=hit,
        side=_WORDS[hit.side],
        explorer=address("/explorer", models=[hit.run], side=hit.side, id=hit.sample),
        report=run_address(hit.run),
        pictures=pictures,
        alt=sample.alt if sample else "",
        texts=texts,
        no_answer=words.no_answer(hit.outcome),
        other_texts=[(PLACES[name], texts[name]) for name in ("note", "description") if name in names_with_hits],
    )


def _arm_named(name: str, run: LoadedRun) -> Arm | None:
    for arm in run.info.arms if run.info else ():
        if arm.name == name:
            return arm
    return None


def _export(index: RunIndex, query: searching.Query, format: Literal["csv", "jsonl"]) -> Response:
    """A download of all hits, sent while they are read, so that a long one takes no memory."""
    rows = searching.found_rows(index, query)
    headers = {"content-disposition": f'attachment; filename="search.{format}"'}
    lines: Iterator[str]
    if format == "jsonl":
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        media_type = "application/jsonl; charset=utf-8"
    else:
        lines = _csv(rows)
        media_type = "text/csv; charset=utf-8"
    parts = iter(lambda: "".join(islice(lines, ROWS_PER_PART)), "")  # each part goes through two threads
    return StreamingResponse(parts, media_type=media_type, headers=headers)


def _csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Lines with a column for each label that all data have, and one for own columns, which differ by run, as JSON."""
    for number, row in enumerate(rows):
        labels = row.pop("labels")
        own = {name.removeprefix("column."): value for name, value in labels.items() if name not in LABELS}
        line = row | {name: labels.get(name, "") for name in LABELS}
        line["columns"] = json.dumps(own, ensure_ascii=False)
        text = StringIO()
        writer = csv.writer(text)
        if number == 0:
            writer.writerow(line)
        writer.writerow([cell(value) for value in line.values()])
        yield text.getvalue()
