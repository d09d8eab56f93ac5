"""Suites: models × system prompts × datasets × arms from one file, each cell a run of its own, with gates on them.

What a suite asks of a run stands in its run.json (`InSuite`), gates included. `runs.suite_files` reads the file,
`runs.suite_cells` makes the cells.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, Protocol, Unpack

from mossbench.datasets import AnyData
from mossbench.errors import Interrupted, MossbenchError, RunError
from mossbench.judges import load_judge
from mossbench.messages import NOTHING, Message
from mossbench.models import load_model
from mossbench.models.model import AnyModel
from mossbench.models.presets import with_retired_models
from mossbench.plumbing.places import PlaceLost
from mossbench.results.gates import Gate, saved_gates
from mossbench.results.table import Results, load_results, too_many_failed
from mossbench.runs.forecast import Forecast, forecast_run
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.inputs import model_options
from mossbench.runs.judging import judge_run
from mossbench.runs.progress import OnProgress
from mossbench.runs.row_asking import answered
from mossbench.runs.running import RunKeywords, run
from mossbench.runs.suite_cells import Cell, CellState, Suite, suite_cells
from mossbench.store.run_folder import RunFolder

Watch = Callable[[Cell], AbstractContextManager[OnProgress | None]]
"""Gives a context for a cell that is run, whose value hears of its progress."""


@dataclass(frozen=True)
class CellRun:
    """What became of a cell."""

    cell: Cell
    state: CellState
    results: tuple[Results, ...]
    """Under each judge; none where the cell could not be run."""
    error: Message = NOTHING
    gates: tuple[Gate, ...] = ()

    def __repr__(self) -> str:
        return f"<CellRun {self.cell.folder}: {self.state}>"

    def trouble(self, max_failed: float) -> Message:
        """Why its rates are not to be relied on; `NOTHING` when nothing is wrong."""
        if self.error:
            return self.error
        results = self.results[0]
        return results.unfinished() or Message(too_many_failed([row.outcome for row in results.rows], max_failed))


@dataclass(frozen=True)
class SuiteRun:
    """A suite with what became of each cell."""

    suite: Suite
    cells: tuple[CellRun, ...]

    def __repr__(self) -> str:
        return f"<SuiteRun {self.suite.name}: {self.state}, {len(self.cells)} cells>"

    @property
    def state(self) -> Literal["pass", "fail", "undecided"]:
        """As of one gate: undecided as soon as something cannot be decided; a cell without gates has to be whole."""
        gates = chain.from_iterable(cell_run.gates for cell_run in self.cells)
        gate_states = {gate.state for gate in gates}
        without_gates = [cell_run for cell_run in self.cells if not cell_run.gates]
        is_troubled = any(cell_run.trouble(self.suite.max_failed) for cell_run in without_gates)
        if is_troubled or "undecided" in gate_states:
            return "undecided"
        return "fail" if "fail" in gate_states else "pass"


@dataclass(frozen=True)
class CellForecast:
    """What a cell would still take."""

    cell: Cell
    state: CellState
    forecast: Forecast
    """Of the rows that have no answer yet, with what the first judge asks about them."""

    def __repr__(self) -> str:
        return f"<CellForecast {self.cell.folder}: {self.state}, {self.forecast.n_requests} requests>"


class StartRun(Protocol):
    """What runs a cell: `run`, or a function with its keywords."""

    def __call__(self, model: AnyModel, data: AnyData, **keywords: Unpack[RunKeywords]) -> Results: ...


def run_suite(suite: Suite, *, watch: Watch | None = None, start: StartRun = run) -> SuiteRun:
    """Runs the cells that are not finished, one after another, and decides the gates.

    A cell that cannot be run leaves the others alone: it is `stopped`, and its gates are undecided.

    Args:
        suite: What `load_suite` gives.
        watch: Gives a context for each cell that is run, whose value hears of its progress.
        start: What runs a cell, in place of `run` and with its keywords: other engines come in here.
    """
    images = ImageCache()
    cells = suite_cells(suite)
    for cell in cells:  # all of them before the first is asked: a key that the last one lacks must not cost the others
        with suppress(RunError):  # one that is damaged says so in its turn, and leaves the others alone
            if cell.state != "skipped":
                _load_cell(cell)
    cell_runs: list[CellRun] = []
    for cell in cells:
        try:
            cell_runs.append(_run_cell(suite, cell, images, watch, start))
        except Interrupted as error:
            n_left = len(cells) - len(cell_runs)
            error.add_note(
                f"{len(cell_runs)} of {len(cells)} cells are done; resume with the same command for the {n_left} left"
            )
            raise
        except PlaceLost as error:
            if not Path(suite.out).is_dir():  # all cells are gone: what is asked now would begin them again elsewhere
                error.add_note(f"{len(cell_runs)} of {len(cells)} cells were done; the others were not run")
                raise
            cell_runs.append(_stopped(cell, error))
        except MossbenchError as error:
            cell_runs.append(_stopped(cell, error))
    # Only now: a gate may compare a cell with one that was run after it.
    decided = [replace(cell_run, gates=_gates(cell_run)) for cell_run in cell_runs]
    return SuiteRun(suite, tuple(decided))


def _run_cell(suite: Suite, cell: Cell, images: ImageCache, watch: Watch | None, start: StartRun) -> CellRun:
    """Asks and judges what a cell still needs, and counts it under each judge."""
    state = cell.state
    if state != "skipped":
        with watch(cell) if watch else nullcontext() as progress:
            start(
                model=cell.model,
                data=cell.data,
                out=cell.folder,
                resume=True,
                images=images,
                suite=cell.names,
                judge=cell.judges[0],
                prices=suite.prices,
                progress=progress,
                **cell.options,
            )
            for judge in cell.judges[1:]:
                judge_run(cell.folder, judge)
    _save_names_and_gates(cell)
    results = tuple(load_results(cell.folder, judge=label) for label in cell.judge_labels())
    return CellRun(cell, state, results)


def _models_that_may_be_asked(cell: Cell) -> AbstractContextManager[None]:
    """A cell that has begun keeps a model that its vendor has retired since; a new one may not begin with it."""
    return with_retired_models() if cell.has_begun else nullcontext()


def _load_cell(cell: Cell) -> None:
    """Loads what a cell is asked and judged with, so that what is wrong with it is said before any other is asked."""
    with _models_that_may_be_asked(cell):
        load_model(cell.model, **model_options(cell.options))
        for judge in cell.judges:
            load_judge(judge)


def _stopped(cell: Cell, error: MossbenchError) -> CellRun:
    """A cell that could not be run, with the reason and what is kept of it."""
    return CellRun(cell, "stopped", (), error.message_with_notes)


def _save_names_and_gates(cell: Cell) -> None:
    """Writes down what the suite says of the run now: its gates may have changed since it was run."""
    folder = RunFolder(cell.folder)
    if folder.info().suite != cell.names:
        with folder.held():
            folder.write_info(folder.info().model_copy(update={"suite": cell.names}))


def _gates(cell_run: CellRun) -> tuple[Gate, ...]:
    """The gates that hold for a cell, decided; all undecided where it could not be run."""
    if cell_run.results:
        return saved_gates(cell_run.results[0])
    cell = cell_run.cell
    return tuple(Gate.undecided(limits, cell.folder.name, cell.model, cell_run.error) for limits in cell.names.gates)


def forecast_suite(suite: Suite, *, engine: str = "") -> tuple[CellForecast, ...]:
    """What each cell would still take on this engine; sends nothing."""
    images = ImageCache()
    forecasts = []
    for cell in suite_cells(suite):
        with _models_that_may_be_asked(cell):
            forecast = forecast_run(
                cell.model,
                cell.data,
                judge=cell.judges[0],
                done=answered(RunFolder(cell.folder)),
                images=images,
                prices=suite.prices,
                engine=engine,
                **cell.options,
            )
        forecasts.append(CellForecast(cell, cell.state, forecast))
    return tuple(forecasts)
