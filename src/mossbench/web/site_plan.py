"""A list of what a site will publish, so that its owner can decide whether everybody may see it."""

from __future__ import annotations

from mossbench.errors import n_of
from mossbench.leaderboard.names import public_name
from mossbench.web.data import Data
from mossbench.web.leaderboard import board_submissions
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.shelf import Shelf, wait_until_read


def plan_of(shelf: Shelf) -> list[str]:
    """What the site will publish, a line for each run, submission and dataset."""
    lines = [_planned_run(run) for run in shelf.runs()]
    folder = shelf.settings.board_path
    submissions, faults = wait_until_read(lambda: board_submissions(shelf))
    for submission in submissions:
        lines.append(f"submission {submission.model} in {folder}: its rates, without answers")
    for fault in faults:
        lines.append(f"the name of a damaged file in {folder}, and its error: {fault}")
    for data in data_shown(shelf):
        images = "requests and images" if data.dataset is not None else "requests, without images"
        lines.append(f"dataset {data.title}: {n_of(len(data.samples), 'sample')}, {images}")
    lines.append("the published figures, which come with mossbench")
    return lines


def _planned_run(run: LoadedRun) -> str:
    if run.results is None:
        return f"run {run.name}: its name and why it cannot be read"
    model = public_name(run.results.model)
    rows = n_of(run.n_rows, "row")
    return f"run {run.name} of {model}: {rows} with requests, answers and verdicts, and its report"


def data_shown(shelf: Shelf) -> list[Data]:
    """Data that a run asked or that the settings name; other installed data are left out."""
    named = {dataset.key for dataset in shelf.datasets()[1 : 1 + len(shelf.settings.data)]}
    return [data for data in shelf.data() if data.runs or data.key in named]
