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
MAX_BYTES = 20_000_000
"""Of a page that is shown; one of eight analyses with their charts has under one million."""
MAX_MODEL_LINKS = 3


@dataclass(frozen=True)
class ShownAnalysis:
    """What analysis_shown.html shows."""

    analysis: AnalysisPage
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
    names: str
    """Of the analyses on its page."""
    written: str
    """When, in UTC."""
    findings: Sequence[Finding]

    @property
    def more_findings(self) -> str:
        """The findings beyond the three that are shown."""
        n_done = sum(finding.is_done for finding in self.findings)
        return more_findings(n_done - 3)


@router.get("/runs/{name}/analyses/{file}")
def analysis_page(request: Request, name: str, file: str) -> Response:
    """The page of that name in the folder of a run, or with .json what it was made from."""
    shelf = shelf_of(request)
    stem = file.removesuffix(".json")
    analysis = _analysis_named(shelf, name, stem)
    if analysis is None:
        raise UsageError(f"no analysis {file!r} of {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    if file != stem:
        return download(_read_text(analysis, ".json"), f"{stem}.json", "application/json")
    return page(request, "analysis_shown.html", "Runs", make_analysis(shelf, analysis))


def make_analysis(shelf: Shelf, analysis: AnalysisPage) -> ShownAnalysis:
    """What analysis_shown.html shows of an analysis."""
    name = analysis.folder
    stem = analysis.stem
    key = ("analysis", name, stem, analysis.path.stat().st_mtime_ns)
    content = shelf.compute_once(key, lambda: main_part(_read_text(analysis, ".html")), "Reading the analysis")
    models_by_run = {run.name: run.results.model if run.results else "" for run in shelf.runs()}
    models_with_page = [model for model in dict.fromkeys(analysis.models) if model in models_by_run.values()]
    return ShownAnalysis(
        analysis=analysis,
        content=content or "This file holds no page of mossbench analyse.",
        run=name if name in models_by_run else "",
        json=f"{address_of(analysis)}.json",
        models=[(model, model_address(model)) for model in models_with_page[:MAX_MODEL_LINKS]],
    )


def _analysis_named(shelf: Shelf, folder: str, stem: str) -> AnalysisPage | None:
    """The last of that name, should there be several."""
    by_name = {(analysis.folder, analysis.stem): analysis for analysis in list_analyses(shelf.settings.runs)}
    return by_name.get((folder, stem))


def address_of(analysis: AnalysisPage) -> str:
    folder = quote(analysis.folder, safe="", errors="replace")
    stem = quote(analysis.stem, safe="", errors="replace")
    return f"/runs/{folder}/analyses/{stem}"


def analysis_lines(shelf: Shelf) -> list[AnalysisLine]:
    return [_analysis_line(analysis) for analysis in list_analyses(shelf.settings.runs)]


def _analysis_line(analysis: AnalysisPage) -> AnalysisLine:
    names = dict.fromkeys(finding.analysis for finding in analysis.findings)
    return AnalysisLine(
        link=address_of(analysis),
        folder=analysis.folder,
        models=", ".join(analysis.models) or analysis.folder,
        names=", ".join(names) or analysis.stem,
        written=analysis.written,
        findings=[finding for finding in analysis.findings if finding.text],
    )


def _read_text(analysis: AnalysisPage, suffix: str) -> str:
    path = analysis.path.with_suffix(suffix)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path.name} is larger than {MAX_BYTES:,} bytes; open the file itself")
        return read_file(path).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path.name} of {analysis.folder!r} cannot be read", code=Code.NOT_FOUND) from error
