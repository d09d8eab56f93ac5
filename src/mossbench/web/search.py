"""Search: requests, answers, judges' notes and image descriptions of all runs, with filters, counts and downloads."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from mossbench.plumbing.sheets import cell
from mossbench.results import search as searching
from mossbench.results.index import LABELS, RunIndex
from mossbench.web.pages import SIDES, ChosenText, address, page, shelf_of

router = APIRouter()
STEP = 20
AT_ONCE = 200
"""Rows of a file that are sent at once."""
PLACES = {"request": "Request", "answer": "Answer", "note": "Judge’s note", "description": "Image description"}
_TITLES = {"kind": "Kind", "side": "Side", "model": "Model", "judge": "Judge", "run": "Run", "stimulus": "Stimulus"}
_TITLES |= {"harm": "Harm class", "human": "People", "child": "Child", "syn": "Drawn or generated"}
_TITLES |= {"ocr": "Text in the image"}
_WORDS = {side.value: word for side, word in SIDES.items()}


@router.get("/search")
def search_page(
    request: Request,
    q: Annotated[str, Query(max_length=400)] = "",
    where: ChosenText = None,
    start: Annotated[int, Query(ge=0)] = 0,
    format: Literal["html", "csv", "jsonl"] = "html",
) -> Response:
    index = shelf_of(request).searchable()
    given = request.query_params.items()
    chosen = {name: value for name, value in given if value and (name in _TITLES or name.startswith("column."))}
    asked = searching.Query(q, where or "", chosen)
    if format != "html":
        return _export(index, asked, format)
    found = searching.search(index, asked, start=start, limit=STEP)
    query = {"q": q, "where": where, **chosen}
    return page(
        request,
        "search.html",
        "Search",
        q=q,
        where=where or "",
        places=list(PLACES.items()),
        n=found.n,
        start=start,
        hits=[_shown(hit) for hit in found.hits],
        filters=_filters(found, chosen),
        chosen=chosen,
        csv=address("/search", **query, format="csv"),
        jsonl=address("/search", **query, format="jsonl"),
        before=address("/search", **query, start=max(start - STEP, 0) or None) if start else "",
        after=address("/search", **query, start=start + STEP) if start + STEP < found.n else "",
        n_runs=len(index.signatures()),
    )


def _filters(found: searching.Found, chosen: dict[str, str]) -> list[dict[str, Any]]:
    """Filters that tell hits apart, and all that are chosen, each value with how many it would leave."""
    names = [name for name in (*_TITLES, *sorted(found.counts.keys() - _TITLES.keys())) if name in found.counts]
    return [
        {
            "name": name,
            "title": _TITLES.get(name) or name.removeprefix("column."),
            "chosen": chosen.get(name, ""),
            "options": [
                (value, f"{_WORDS[value] if name == 'side' and value in _WORDS else value} ({n:,})")
                for value, n in sorted({chosen.get(name, ""): 0, **found.counts.get(name, {})}.items())
                if value
            ],
        }
        for name in dict.fromkeys((*names, *chosen))
        if name in chosen or len(found.counts[name]) > 1
    ]


def _shown(hit: searching.Hit) -> dict[str, Any]:
    own = {"models": [hit.run], "side": hit.side, "id": hit.sample}
    shown = {name: searching.cropped(parts) for name, parts in hit.texts.items()}
    marked = {name for name, parts in hit.texts.items() if any(is_hit for _, is_hit in parts)}
    return {
        "hit": hit,
        "side": _WORDS[hit.side],
        "sample": address("/explorer", **own),
        "report": f"/runs/{quote(hit.run, safe='')}",
        "texts": shown,
        "also": [(PLACES[name], shown[name]) for name in ("note", "description") if name in marked],
    }


def _export(index: RunIndex, asked: searching.Query, format: str) -> Response:
    """Everything that was found, as it is read: a file of any length takes no memory."""
    rows = searching.found_rows(index, asked)
    headers = {"content-disposition": f'attachment; filename="search.{format}"'}
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows) if format == "jsonl" else _csv(rows)
    parts = iter(lambda: "".join(islice(lines, AT_ONCE)), "")  # each part goes through two threads
    kind = "application/jsonl" if format == "jsonl" else "text/csv"
    return StreamingResponse(parts, media_type=f"{kind}; charset=utf-8", headers=headers)


def _csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Labels that all data have are columns; own columns, which differ from run to run, are JSON in one."""
    first = True
    for row in rows:
        labels = row.pop("labels")
        own = {name.removeprefix("column."): value for name, value in labels.items() if name not in LABELS}
        line = {
            **row,
            **{name: labels.get(name, "") for name in LABELS},
            "columns": json.dumps(own, ensure_ascii=False),
        }
        text = StringIO()
        writer = csv.writer(text)
        if first:
            writer.writerow(line)
        writer.writerow([cell(value) for value in line.values()])
        first = False
        yield text.getvalue()
