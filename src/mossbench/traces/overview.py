"""What a page shows of a folder of traces: how far the sorting is, the rate, and refused requests to choose from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from mossbench.annotation.store import Store
from mossbench.errors import UsageError
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.traces.cases import RefusedRequest, refused_requests
from mossbench.traces.folder import ANNOTATIONS, TracesFolder
from mossbench.traces.population import Stratum, population_of
from mossbench.traces.rates import TracesRate, rate_traces
from mossbench.traces.sorting import readings_of


@dataclass(frozen=True)
class TracesOverview:
    """A folder of traces at a glance."""

    n_traces: int
    n_unread: int
    strata: tuple[tuple[Stratum, int], ...]
    n_sorted: int
    """Different requests that somebody sorted."""
    n_queued: int
    """Requests in the queue of the page, and of these how many somebody sorted there."""
    n_queue_done: int
    rate: TracesRate | None
    """None where nothing is sorted."""
    refused: tuple[RefusedRequest, ...]
    """Harmless requests that were refused, the most often first; all refused ones where nothing is sorted."""


def traces_overview(folder: str | Path, *, by: str = "day", n_refused: int = 100) -> TracesOverview:
    """What is known of the traces now."""
    traces = TracesFolder.open(folder)
    population = population_of(traces, load_judge(DEFAULT_JUDGE), by=by)
    strata = Counter(row.stratum for row in population.rows)
    readings = readings_of(traces)
    rate = None
    if readings:
        try:
            rate = rate_traces(folder, by=by)
        except UsageError:
            rate = None
    n_queued = 0
    n_done = 0
    if (traces.path / ANNOTATIONS).exists():
        store = Store(traces.path / ANNOTATIONS)
        n_queued = len(store.items())
        n_done = len({label.item for label in store.labels()})
    return TracesOverview(
        n_traces=len(population.rows) + population.n_failed,
        n_unread=sum(1 for _ in traces.unread()),
        strata=tuple((stratum, strata[stratum]) for stratum in Stratum if strata[stratum]),
        n_sorted=len(readings),
        n_queued=n_queued,
        n_queue_done=n_done,
        rate=rate,
        refused=refused_requests(traces, is_sorted=bool(readings))[:n_refused],
    )
