"""Sentences of the page of traces."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mossbench.errors import n_of
from mossbench.look.numbers import percent
from mossbench.traces.overview import TracesOverview


def traces_heading(overview: TracesOverview) -> str:
    """The finding, in at most ten words."""
    if overview.rate is None or math.isnan(overview.rate.rate.value):
        return f"{n_of(overview.n_traces, 'trace')}, not sorted: no rate yet"
    if not overview.rate.is_known:
        return "The rate of over-refusal is not known"
    return f"{percent(overview.rate.rate.value)} of harmless requests were refused"


def strata_text(overview: TracesOverview) -> str:
    """What is in the log, before anybody has sorted it."""
    parts = [f"{n:,} {stratum.value}" for stratum, n in overview.strata]
    text = f"{n_of(overview.n_traces, 'trace')}: {', '.join(parts)}, as the judge reads them."
    if overview.n_unread:
        text += f" {n_of(overview.n_unread, 'line')} of the log could not be read."
    return text


def queue_text(overview: TracesOverview) -> str:
    """How far people are with sorting."""
    if not overview.n_queued:
        return "No requests are in the queue to sort."
    is_or_are = "is" if overview.n_queue_done == 1 else "are"
    return f"{overview.n_queue_done:,} of {n_of(overview.n_queued, 'request')} in the queue {is_or_are} sorted."


def refused_heading(overview: TracesOverview) -> str:
    """What the list of refused requests has."""
    if overview.rate is None:
        return "Refused requests, not sorted yet: some may be harmful"
    return "Refused harmless requests, the most often refused first"


def dataset_command(folder: str, ids: Sequence[str]) -> str:
    """The command that makes a dataset of the chosen requests, or of all."""
    chosen = f" --ids {','.join(ids)}" if ids else ""
    return f"mossbench traces to-dataset {folder} --out refused --twins twins.csv{chosen}"
