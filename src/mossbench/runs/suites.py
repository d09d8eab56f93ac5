"""Suites: models × system prompts × datasets × arms from one file, each cell a run of its own, with gates on them.

Each run.json records the suite's names for the run, and its gates (`InSuite`). `runs.suite_files` reads the file,
`runs.suite_cells` makes the cells.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Protocol, Unpack

from mossbench.datasets import AnyData
from mossbench.errors import Interrupted, MossbenchError, RunError, UsageError, n_of
from mossbench.judges import load_judge
from mossbench.messages import NOTHING, Message
from mossbench.models import load_model
from mossbench.models.model import AnyModel
from mossbench.models.presets import with_retired_models
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.places import PlaceLost
from mossbench.results.gates import Gate, saved_gates
from mossbench.results.row_columns import outcomes_of
from mossbench.results.shown_rates import NOT_KNOWN, share_text
from mossbench.results.suite_comparisons import CellToCompare, SuiteComparison, compare_suite
from mossbench.results.suite_folders import SuiteFolder, earlier_nights, is_suite_folder, read_suite_folder
from mossbench.results.table import Results, load_results, too_many_failed
from mossbench.runs.forecast import Forecast, forecast_run
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.inputs import model_options
from mossbench.runs.judging import judge_run
from mossbench.runs.progress import OnProgress
from mossbench.runs.row_asking import answered_keys
from mossbench.runs.running import RunKeywords, run
from mossbench.runs.suite_cells import Cell, CellState, Suite, count_alarms, read_baseline, suite_cells
from mossbench.runs.suite_costs import CostLimit, check_prices_known, cost_limit_of, spent_in, spent_on
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import SetOption

Watch = Callable[[Cell], AbstractContextManager[OnProgress | None]]
"""Makes a context manager for a cell that is run; its value is called with the progress."""


@dataclass(frozen=True)
class CellRun:
    """The outcome of a cell."""

    cell: Cell
    state: CellState
    results: tuple[Results, ...]
    """Under each judge; empty if the cell could not be run."""
    error: Message = NOTHING
    gates: tuple[Gate, ...] = ()
    seconds: float = 0.0
    """That this session took for it."""
    spent: float | None = None
    """US dollars of its answers and verdicts in all sessions; None: not known."""
    judged_before: tuple[str, ...] = ()
    """Judges of an earlier session, where this one has judged its answers again by another."""

    def __repr__(self) -> str:
        return f"<CellRun {self.cell.folder}: {self.state}>"

    def trouble(self, max_failed: float) -> Message:
        """Why the cell's rates are not reliable; `NOTHING` if nothing is wrong."""
        if self.error:
            return self.error
        results = self.results[0]
        open_rows = results.open_rows()
        if open_rows is not None and open_rows.max_cost is not None:
            higher = "raise the limit in the suite (max_cost or max_cost_per_cell) and run the same command again"
            return Message(f"{open_rows.state}; {higher}; it includes what is already spent")
        return results.unfinished() or Message(too_many_failed(outcomes_of(results.rows).counts(), max_failed))


@dataclass(frozen=True)
class SuiteRun(Framed):
    """A suite and the outcome of each cell."""

    suite: Suite
    cells: tuple[CellRun, ...]
    comparison: SuiteComparison | None = None
    """With the folder that the suite was compared with; None: with none."""

    def __repr__(self) -> str:
        return f"<SuiteRun {self.suite.name}: {self.state}, {n_of(len(self.cells), 'cell')}>"

    def title(self) -> str:
        return repr(self).strip("<>")

    def lines(self) -> list[dict[str, Any]]:
        lines = []
        for cell_run in self.cells:
            gates = [f"{gate.name or 'gate'}: {gate.state}" for gate in cell_run.gates]
            line = {"cell": cell_run.cell.folder.name, "state": cell_run.state, "gates": "; ".join(gates) or None}
            for results in cell_run.results[:1]:
                for rate in results.rates(by=None):
                    line[f"{rate.side.adjective}: refused"] = share_text(rate.estimate) if rate.is_known else NOT_KNOWN
            lines.append(line)
        return lines

    @property
    def state(self) -> Literal["pass", "fail", "undecided"]:
        """Undecided if a gate is, a comparison is, or a cell without gates is unreliable; else whether all passed.

        A change for the worse that is shown fails, also where something else is undecided.
        """
        if self.comparison is not None and self.comparison.state == "fail":
            return "fail"
        gates = chain.from_iterable(cell_run.gates for cell_run in self.cells)
        gate_states = {gate.state for gate in gates}
        without_gates = [cell_run for cell_run in self.cells if not cell_run.gates]
        is_troubled = any(cell_run.trouble(self.suite.max_failed) for cell_run in without_gates)
        is_comparison_undecided = self.comparison is not None and self.comparison.state == "undecided"
        if is_troubled or is_comparison_undecided or "undecided" in gate_states:
            return "undecided"
        return "fail" if "fail" in gate_states else "pass"


@dataclass(frozen=True)
class CellForecast:
    """What it would still take to finish a cell."""

    cell: Cell
    state: CellState
    forecast: Forecast
    """For the rows without an answer, and for the first judge's requests about them."""

    def __repr__(self) -> str:
        return f"<CellForecast {self.cell.folder}: {self.state}, {n_of(self.forecast.n_requests, 'request')}>"


class StartRun(Protocol):
    """A function that runs a cell: `run`, or another one with the same keywords."""

    def __call__(self, model: AnyModel, data: AnyData, **keywords: Unpack[RunKeywords]) -> Results: ...


def run_suite(suite: Suite, *, watch: Watch | None = None, start: StartRun = run) -> SuiteRun:
    """Runs the cells that are not finished, one after another, and decides the gates.

    If a cell cannot be run, it is `stopped`, its gates are undecided, and the other cells are run.

    Args:
        suite: What `load_suite` gives.
        watch: Makes a context manager for each cell that is run; its value is called with the progress.
        start: Runs a cell in place of `run`, with the same keywords, for example on another engine.
    """
    images = ImageCache()
    cells = suite_cells(suite)
    compared_with = folder_to_compare_with(suite)
    for cell in cells:  # all before the first is asked: a key missing for the last cell must not cost the others
        with suppress(RunError):  # a damaged cell is reported when it is its turn, and does not stop the others
            if cell.state != "skipped":
                _load_cell(cell)
                check_prices_known(suite, cell)
    cell_runs: list[CellRun] = []
    for cell in cells:
        try:
            limit = cost_limit_of(suite, cell, cells)
            cell_runs.append(_run_cell(suite, cell, images, watch, start, limit))
        except Interrupted as error:
            n_done = _count_done(cell_runs)
            n_left = len(cells) - n_done
            error.add_note(
                f"{n_done} of {len(cells)} cells are done; resume with the same command for the {n_left} left"
            )
            raise
        except PlaceLost as error:
            if not Path(suite.out).is_dir():  # all cells are gone: going on would start them again in a new folder
                error.add_note(
                    f"{_count_done(cell_runs)} of {len(cells)} cells were done; the others were not finished"
                )
                raise
            cell_runs.append(_stopped(cell, error))
        except MossbenchError as error:
            cell_runs.append(_stopped(cell, error))
    # Only now: a gate may compare a cell with one that was run after it.
    decided = [replace(cell_run, gates=_gates(cell_run)) for cell_run in cell_runs]
    comparison = None if compared_with is None else _compare(suite, decided, compared_with)
    return SuiteRun(suite, tuple(decided), comparison)


def folder_to_compare_with(suite: Suite) -> SuiteFolder | None:
    """The earlier run of the suite that this one is compared with; a UsageError where there is none."""
    if suite.compare_with is None:
        return None
    if Path(suite.compare_with).resolve() == Path(suite.out).resolve():
        way_out = SetOption("out", "nightly/{date}", to="write tonight's runs elsewhere")
        raise UsageError(f"the suite in {suite.out!r} would be compared with itself", way_out=way_out)
    return read_baseline(suite.compare_with)


def _compare(suite: Suite, cell_runs: Sequence[CellRun], baseline: SuiteFolder) -> SuiteComparison:
    """Each cell beside its partner in the baseline, with earlier nights where the folder's name has a date."""
    cells = []
    for cell_run in cell_runs:
        cell = cell_run.cell
        results = cell_run.results[0] if cell_run.results else None
        cells.append(CellToCompare(cell.names, cell.folder, results, cell_run.error))
    earlier = []
    for folder in earlier_nights(Path(suite.out)):
        is_baseline = folder.resolve() == baseline.path.resolve()
        if not is_baseline and is_suite_folder(folder):
            earlier.append(read_suite_folder(folder))
    return compare_suite(
        cells,
        baseline,
        earlier=earlier,
        looks=suite.looks,
        n_other_tests=count_alarms([cell_run.cell for cell_run in cell_runs]) if suite.looks > 1 else 0,
        rule=suite.rule,
    )


def _count_done(cell_runs: Sequence[CellRun]) -> int:
    """The number of cells that were run to the end: a stopped cell is run again by the next command."""
    return sum(cell_run.state != "stopped" for cell_run in cell_runs)


def _run_cell(
    suite: Suite, cell: Cell, images: ImageCache, watch: Watch | None, start: StartRun, limit: CostLimit | None
) -> CellRun:
    """Asks and judges what a cell still needs, and counts it under each judge."""
    state = cell.state
    judged_before = cell.judged_before()
    began = monotonic()
    if state != "skipped":
        if limit is not None:
            limit.check()
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
                max_cost=None if limit is None else limit.dollars,
                **cell.options,
            )
            for judge in cell.judges[1:]:
                judge_run(cell.folder, judge)
    _save_names_and_gates(cell)
    results = tuple(load_results(cell.folder, judge=label) for label in cell.judge_labels())
    return CellRun(
        cell,
        state,
        results,
        seconds=monotonic() - began,
        spent=spent_in(cell.folder, results),
        judged_before=judged_before,
    )


def _models_that_may_be_asked(cell: Cell) -> AbstractContextManager[None]:
    """A context in which a cell that has begun keeps a model that is now retired; a new cell may not start with one."""
    return with_retired_models() if cell.has_begun else nullcontext()


def _load_cell(cell: Cell) -> None:
    """Loads the model and judges of a cell, so that a fault in them is reported before any cell is asked."""
    with _models_that_may_be_asked(cell):
        load_model(cell.model, **model_options(cell.options))
        for judge in cell.judges:
            load_judge(judge)


def _stopped(cell: Cell, error: MossbenchError) -> CellRun:
    """A cell that could not be run, with the reason and the error's notes, such as how to resume the run."""
    spent = spent_on(cell) if cell.has_begun else None
    return CellRun(cell, "stopped", (), error.message_with_notes, spent=spent)


def _save_names_and_gates(cell: Cell) -> None:
    """Saves the suite's names and gates in run.json: the gates may have changed since the cell was run."""
    folder = RunFolder(cell.folder)
    if folder.info().suite != cell.names:
        with folder.held():
            folder.write_info(folder.info().model_copy(update={"suite": cell.names}))


def _gates(cell_run: CellRun) -> tuple[Gate, ...]:
    """The decided gates of a cell; all undecided if the cell could not be run."""
    if cell_run.results:
        return saved_gates(cell_run.results[0])
    cell = cell_run.cell
    return tuple(Gate.undecided(limits, cell.folder.name, cell.model, cell_run.error) for limits in cell.names.gates)


def forecast_suite(suite: Suite, *, engine: str = "") -> tuple[CellForecast, ...]:
    """What it would still take to finish each cell on this engine; sends nothing."""
    images = ImageCache()
    forecasts = []
    for cell in suite_cells(suite):
        with _models_that_may_be_asked(cell):
            forecast = forecast_run(
                cell.model,
                cell.data,
                judge=cell.judges[0],
                done=answered_keys(RunFolder(cell.folder)),
                images=images,
                prices=suite.prices,
                engine=engine,
                **cell.options,
            )
        forecasts.append(CellForecast(cell, cell.state, forecast))
    return tuple(forecasts)
