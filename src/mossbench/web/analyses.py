"""Analyses: the pages that `mossbench analyse` wrote beside runs, shown in the app."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.analyses.listing import AnalysisPage, Finding, list_analyses
from mossbench.errors import Code, UsageError
from mossbench.look.embedding import main_part
from mossbench.plumbing.untrusted_files import read_file
from mossbench.reports.words.run_lines import more_findings
from mossbench.web.pages import Link, download, model_address, page, shelf_of
from mossbench.web.shelf import Shelf

router = APIRouter()
LARGEST = 20_000_000
"""Bytes of a page that is shown; one of eight analyses with their charts has under one million."""
MOST_MODELS = 3
"""To whose pages an analysis leads."""


@dataclass(frozen=True)
class ShownAnalysis:
    """What analysis_shown.html shows."""

    found: AnalysisPage
    content: str
    """The main part of the page that was written, as HTML that was made safe."""
    run: str
    """The run in whose folder it lies; empty where that is not a run."""
    json: str
    models: Sequence[Link]
    """The first models that it is about and that have a page."""


@dataclass(frozen=True)
class AnalysisLine:
    """One of the analyses that the list of runs shows."""

    link: str
    folder: str
    models: str
    what: str
    written: str
    findings: Sequence[Finding]

    @property
    def more_findings(self) -> str:
        """The findings beyond the three that are shown."""
        n_done = sum(finding.is_done for finding in self.findings)
        return more_findings(n_done - 3)


@router.get("/runs/{name}/analyses/{file}")
def analysis(request: Request, name: str, file: str) -> Response:
    """The page of that name in the folder of a run, or with .json what it was made from."""
    shelf = shelf_of(request)
    stem = file.removesuffix(".json")
    written = _analysis_named(shelf, name, stem)
    if written is None:
        raise UsageError(f"no analysis {file!r} of {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    if file != stem:
        return download(_text(written, ".json"), f"{stem}.json", "application/json")
    key = ("analysis", name, stem, written.path.stat().st_mtime_ns)
    content = shelf.slow(key, lambda: main_part(_text(written, ".html")), "Reading the analysis")
    models_of_runs = {run.name: run.results.model if run.results else "" for run in shelf.runs()}
    with_page = [model for model in dict.fromkeys(written.models) if model in models_of_runs.values()]
    shown = ShownAnalysis(
        found=written,
        content=content or "This file holds no page of mossbench analyse.",
        run=name if name in models_of_runs else "",
        json=f"{address_of(written)}.json",
        models=[(model, model_address(model)) for model in with_page[:MOST_MODELS]],
    )
    return page(request, "analysis_shown.html", "Runs", shown)


def _analysis_named(shelf: Shelf, folder: str, stem: str) -> AnalysisPage | None:
    """The last of that name, should there be several."""
    by_name = {(written.folder, written.stem): written for written in list_analyses(shelf.settings.runs)}
    return by_name.get((folder, stem))


def address_of(written: AnalysisPage) -> str:
    folder = quote(written.folder, safe="", errors="replace")
    stem = quote(written.stem, safe="", errors="replace")
    return f"/runs/{folder}/analyses/{stem}"


def analysis_lines(shelf: Shelf) -> list[AnalysisLine]:
    return [_line(written) for written in list_analyses(shelf.settings.runs)]


def _line(written: AnalysisPage) -> AnalysisLine:
    names = dict.fromkeys(finding.analysis for finding in written.findings)
    return AnalysisLine(
        link=address_of(written),
        folder=written.folder,
        models=", ".join(written.models) or written.folder,
        what=", ".join(names) or written.stem,
        written=written.written,
        findings=[finding for finding in written.findings if finding.text],
    )


def _text(written: AnalysisPage, suffix: str) -> str:
    path = written.path.with_suffix(suffix)
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path.name} is larger than {LARGEST:,} bytes; open the file itself")
        return read_file(path).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path.name} of {written.folder!r} cannot be read", code=Code.NOT_FOUND) from error
