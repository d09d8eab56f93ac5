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
STEP = 20
AT_ONCE = 200
"""Rows of a file that are sent at once."""
PLACES = {"request": "Request", "answer": "Answer", "note": "Judge’s note", "description": "Image description"}
_TITLES = {"kind": "Kind", "side": "Side", "model": "Model", "judge": "Judge", "run": "Run"} | TITLES
_WORDS = {side.value: word for side, word in SIDES.items()}


class Option(NamedTuple):
    """One value of a filter."""

    value: str
    words: str
    n: int
    """Rows that it would leave."""


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
    sample: str
    """The explorer at its sample."""
    report: str
    pictures: Sequence[str]
    """The addresses of its picture, small and large; none where it is not known what was shown."""
    alt: str
    texts: Mapping[str, searching.Pieces]
    no_answer: str
    """What stands in the place of an answer without words."""
    also: Sequence[tuple[str, searching.Pieces]]
    """Other texts in which something was found, with their titles."""


@dataclass(frozen=True)
class SearchPage:
    """What search.html shows."""

    query: Query
    places: Mapping[str, str]
    """Texts that can be searched alone."""
    n: int
    start: int
    step: int
    hits: Sequence[HitShown]
    filters: Sequence[SearchFilter]
    n_runs: int
    heading: str
    searched: str
    n_results: str
    nothing_found: str
    """What is said where there is no row."""
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
    found = searching.search(index, query, start=start, limit=STEP)
    places: dict[str, tuple[Data, LoadedRun]] = {}
    for data in shelf.data():
        places.update((run.name, (data, run)) for run in data.runs)
    n_runs = len(index.signatures())
    shown = SearchPage(
        query={"q": q, "where": where, **chosen},
        places=PLACES,
        n=found.n,
        start=start,
        step=STEP,
        hits=[_shown(hit, *places.get(hit.run, (None, None))) for hit in found.hits],
        filters=_filters(found, chosen),
        n_runs=n_runs,
        heading=words.heading(q, found.n, has_filters=bool(chosen)),
        searched=words.searched(n_runs),
        n_results=words.results(found.n),
        nothing_found=words.nothing_found(q, PLACES.get(where or "", ""), has_filters=bool(chosen)),
    )
    return page(request, "search.html", "Search", shown)


def _chosen(given: Mapping[str, str]) -> dict[str, str]:
    """The filters that are in use."""
    return {name: value for name, value in given.items() if value and (name in _TITLES or name.startswith("column."))}


def _filters(found: searching.Found, chosen: Mapping[str, str]) -> list[SearchFilter]:
    """Filters that tell hits apart, and all that are chosen, each value with how many it would leave."""
    own = sorted(found.counts.keys() - _TITLES.keys())
    names = [name for name in (*_TITLES, *own) if name in found.counts]
    filters = []
    for name in dict.fromkeys((*names, *chosen)):
        if name in chosen or len(found.counts[name]) > 1:
            title = _TITLES.get(name) or name.removeprefix("column.")
            options = _options(name, chosen.get(name, ""), found.counts.get(name, {}))
            filters.append(SearchFilter(name, title, chosen.get(name, ""), options))
    return filters


def _options(name: str, chosen: str, counts: Mapping[str, int]) -> list[Option]:
    """The values that are there, the most frequent first; and the chosen one, also where nothing has it."""
    options = []
    for value, n in Counter({chosen: 0, **counts}).most_common():
        if value:
            words = _WORDS.get(value, value) if name == "side" else value
            options.append(Option(value, words, n))
    return options


def _shown(hit: searching.Hit, data: Data | None, run: LoadedRun | None) -> HitShown:
    texts = {name: searching.cropped(parts) for name, parts in hit.texts.items()}
    marked = {name for name, parts in hit.texts.items() if any(is_hit for _, is_hit in parts)}
    sample = data.by_key.get((Side(hit.side), hit.sample)) if data else None
    arm = _arm_named(hit.arm, run) if run else None
    pictures: list[str] = []
    if data and arm:
        pictures = [picture_address(data, sample, size, arm) for size in (240, FULL_SIZE)]
    return HitShown(
        hit=hit,
        side=_WORDS[hit.side],
        sample=address("/explorer", models=[hit.run], side=hit.side, id=hit.sample),
        report=run_address(hit.run),
        pictures=pictures,
        alt=sample.alt if sample else "",
        texts=texts,
        no_answer=words.no_answer(hit.outcome),
        also=[(PLACES[name], texts[name]) for name in ("note", "description") if name in marked],
    )


def _arm_named(name: str, run: LoadedRun) -> Arm | None:
    for arm in run.info.arms if run.info else ():
        if arm.name == name:
            return arm
    return None


def _export(index: RunIndex, query: searching.Query, format: Literal["csv", "jsonl"]) -> Response:
    """Everything that was found, as it is read: a file of any length takes no memory."""
    rows = searching.found_rows(index, query)
    headers = {"content-disposition": f'attachment; filename="search.{format}"'}
    lines: Iterator[str]
    if format == "jsonl":
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        media_type = "application/jsonl; charset=utf-8"
    else:
        lines = _csv(rows)
        media_type = "text/csv; charset=utf-8"
    parts = iter(lambda: "".join(islice(lines, AT_ONCE)), "")  # each part goes through two threads
    return StreamingResponse(parts, media_type=media_type, headers=headers)


def _csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Labels that all data have are columns; own columns, which differ from run to run, are JSON in one."""
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
