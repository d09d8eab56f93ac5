"""Traces: the over-refusal of a log by day or column, the queue to sort, and refused requests to choose from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.plumbing.untrusted_files import state_of
from mossbench.reports.words.traces import rate_lines
from mossbench.reports.words.traces_page import (
    dataset_command,
    queue_text,
    refused_heading,
    strata_text,
    traces_heading,
)
from mossbench.traces.cases import RefusedRequest
from mossbench.traces.folder import ANNOTATIONS, SORTING, TracesFolder
from mossbench.traces.overview import TracesOverview, traces_overview
from mossbench.traces.population import GROUPS
from mossbench.traces.rates import GroupRate
from mossbench.web.pages import ChosenText, page, shelf_of

router = APIRouter(prefix="/traces")


@dataclass(frozen=True)
class TracesPage:
    """What traces.html shows."""

    heading: str
    figures: str
    lines: Sequence[str]
    """What the rate rests on; empty where there is none."""
    queue: str
    n_queued: int
    groups: Sequence[GroupRate]
    by: str
    columns: Sequence[tuple[str, str]]
    """By which the rate can be broken down."""
    refused_heading: str
    refused: Sequence[RefusedRequest]
    chosen: Sequence[str]
    command: str
    sort_command: str


@router.get("")
def traces_page(
    request: Request, by: ChosenText = None, ids: Annotated[list[str] | None, QueryParameter(max_length=500)] = None
) -> Response:
    path: Path | None = request.app.state.settings.traces
    if path is None:
        raise UsageError("no traces to show; start with: mossbench traces serve TRACES", code=Code.NOT_FOUND)
    folder = TracesFolder.open(path)
    group = by or "day"
    overview = _overview(request, folder, group)
    rate = overview.rate
    named = quote(path.name)
    known_ids = {refused.id for refused in overview.refused}
    chosen = [id for id in ids or () if id in known_ids]
    content = TracesPage(
        heading=traces_heading(overview),
        figures=strata_text(overview),
        lines=rate_lines(rate) if rate is not None else (),
        queue=queue_text(overview),
        n_queued=overview.n_queued,
        groups=rate.groups if rate is not None else (),
        by=group,
        columns=[(name, name.capitalize()) for name in (*GROUPS[1:], *_columns(folder))],
        refused_heading=refused_heading(overview),
        refused=overview.refused,
        chosen=chosen,
        command=dataset_command(named, chosen),
        sort_command=f"mossbench traces sort {named} --column COLUMN",
    )
    return page(request, "traces.html", "Traces", content)


def _overview(request: Request, folder: TracesFolder, by: str) -> TracesOverview:
    """What is known now; counted again when a file has changed."""
    names = (folder.traces_path, folder.path / SORTING, folder.path / ANNOTATIONS, folder.path / f"{ANNOTATIONS}-wal")
    states = tuple(state_of(path) if path.exists() else () for path in names)
    key = ("traces", by, states)
    return shelf_of(request).compute_once(key, partial(traces_overview, folder.path, by=by), "Reading traces")


def _columns(folder: TracesFolder) -> list[str]:
    """The columns of the first traces."""
    columns: dict[str, None] = {}  # a set in order
    for number, trace in enumerate(folder.traces()):
        columns |= dict.fromkeys(trace.columns)
        if number >= 50:
            break
    return list(columns)
