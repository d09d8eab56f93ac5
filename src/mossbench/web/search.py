"""Search: requests, answers, judges' notes and image descriptions of all runs, with filters, counts and downloads."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from io import StringIO
from itertools import islice
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from mossbench.plumbing.sheets import cell
from mossbench.results import search as searching
from mossbench.results.index import LABELS, RunIndex
from mossbench.samples import Side
from mossbench.web.data import Data
from mossbench.web.filters import TITLES
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import FULL_SIZE, SIDES, ChosenText, address, page, picture_address, shelf_of

router = APIRouter()
STEP = 20
AT_ONCE = 200
"""Rows of a file that are sent at once."""
PLACES = {"request": "Request", "answer": "Answer", "note": "Judge’s note", "description": "Image description"}
_TITLES = {"kind": "Kind", "side": "Side", "model": "Model", "judge": "Judge", "run": "Run"} | TITLES
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
    data = {run.name: (one, run) for one in shelf_of(request).data() for run in one.runs}
    return page(
        request,
        "search.html",
        "Search",
        query={"q": q, "where": where, **chosen},
        address=partial(address, "/search"),
        places=PLACES,
        n=found.n,
        start=start,
        step=STEP,
        hits=[_shown(hit, *data.get(hit.run, (None, None))) for hit in found.hits],
        filters=_filters(found, chosen),
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
                (value, _WORDS.get(value, value) if name == "side" else value, n)
                for value, n in Counter({chosen.get(name, ""): 0, **found.counts.get(name, {})}).most_common()
                if value
            ],
        }
        for name in dict.fromkeys((*names, *chosen))
        if name in chosen or len(found.counts[name]) > 1
    ]


def _shown(hit: searching.Hit, data: Data | None, run: LoadedRun | None) -> dict[str, Any]:
    shown = {name: searching.cropped(parts) for name, parts in hit.texts.items()}
    marked = {name for name, parts in hit.texts.items() if any(is_hit for _, is_hit in parts)}
    sample = data.by_key.get((Side(hit.side), hit.sample)) if data else None
    arm = next((one for one in run.info.arms if one.name == hit.arm), None) if run and run.info else None
    return {
        "hit": hit,
        "side": _WORDS[hit.side],
        "sample": address("/explorer", models=[hit.run], side=hit.side, id=hit.sample),
        "report": f"/runs/{quote(hit.run, safe='')}",
        "pictures": [picture_address(data, sample, size, arm) for size in (240, FULL_SIZE)] if data and arm else [],
        "alt": sample.alt if sample else "",
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
    for at, row in enumerate(rows):
        labels = row.pop("labels")
        own = {name.removeprefix("column."): value for name, value in labels.items() if name not in LABELS}
        line = row | {name: labels.get(name, "") for name in LABELS} | {"columns": json.dumps(own, ensure_ascii=False)}
        text = StringIO()
        writer = csv.writer(text)
        if at == 0:
            writer.writerow(line)
        writer.writerow([cell(value) for value in line.values()])
        yield text.getvalue()
