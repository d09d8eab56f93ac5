"""Analyses: the pages that `mossbench analyse` wrote beside runs, shown in the app."""

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.analyses.listing import AnalysisPage, list_analyses
from mossbench.errors import Code, UsageError
from mossbench.look.embedding import main_part
from mossbench.plumbing.reading import read_file
from mossbench.web.pages import download, model_address, page, shelf_of

router = APIRouter()
LARGEST = 20_000_000
"""Bytes of a page that is shown; one of eight analyses with their charts has under one million."""


@router.get("/runs/{name}/analyses/{file}")
def analysis(request: Request, name: str, file: str) -> Response:
    """The page of that name in the folder of a run, or with .json what it was made from."""
    stem = file.removesuffix(".json")
    found = {(one.folder, one.stem): one for one in list_analyses(shelf_of(request).settings.runs)}.get((name, stem))
    if found is None:
        raise UsageError(f"no analysis {file!r} of {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    if file != stem:
        return download(_text(found, ".json"), f"{stem}.json", "application/json")
    key = ("analysis", name, stem, found.path.stat().st_mtime_ns)
    content = shelf_of(request).slow(key, lambda: main_part(_text(found, ".html")), "Reading the analysis")
    runs = {one.name: one.results.model if one.results else "" for one in shelf_of(request).runs()}
    models = [(one, model_address(one)) for one in dict.fromkeys(found.models) if one in runs.values()]
    shown = content or "This file holds no page of mossbench analyse."
    ways: dict[str, Any] = {
        "run": name if name in runs else "",
        "json": f"{address_of(found)}.json",
        "models": models[:3],
    }
    return page(request, "analysis_shown.html", "Runs", content=shown, found=found, **ways)


def address_of(found: AnalysisPage) -> str:
    folder, stem = (quote(name, safe="", errors="replace") for name in (found.folder, found.stem))
    return f"/runs/{folder}/analyses/{stem}"


def analysis_lines(request: Request) -> list[dict[str, Any]]:
    return [
        {
            "link": address_of(one),
            "folder": one.folder,
            "models": ", ".join(one.models) or one.folder,
            "what": ", ".join(dict.fromkeys(found.analysis for found in one.findings)) or one.stem,
            "written": one.written,
            "findings": [found for found in one.findings if found.text],
        }
        for one in list_analyses(shelf_of(request).settings.runs)
    ]


def _text(found: AnalysisPage, suffix: str) -> str:
    path = found.path.with_suffix(suffix)
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path.name} is larger than {LARGEST:,} bytes; open the file itself")
        return read_file(path).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path.name} of {found.folder!r} cannot be read", code=Code.NOT_FOUND) from error
