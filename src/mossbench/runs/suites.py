"""Suites: models × system prompts × datasets × arms from one file, each cell a run of its own, with gates on them.

A cell is one run config with names for its parts. Its folder is named after these and a digest of what moves its
numbers, so that a finished cell is found again and skipped, a torn one is gone on with, and a cell that was changed is
another one. What a suite asks of a run stands in its run.json (`InSuite`), gates included. `runs.suite_files` reads the
file.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal, cast

from mossbench.datasets import DATASETS, Dataset, load_dataset
from mossbench.errors import Interrupted, MossbenchError, RunError, UsageError, shortened
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.models import load_model
from mossbench.models.keys import without_keys
from mossbench.models.presets import with_retired_models
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.plumbing.places import PlaceLost
from mossbench.plumbing.storage import slug, to_json
from mossbench.protocols import digest
from mossbench.results.gates import Gate, saved_gates
from mossbench.results.table import Results, load_results, too_many_failed
from mossbench.runs.asking import answered
from mossbench.runs.forecast import Forecast, forecast_run
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.inputs import load_inputs, model_options
from mossbench.runs.judging import judge_run
from mossbench.runs.progress import OnProgress
from mossbench.runs.request import check_options
from mossbench.runs.running import run
from mossbench.samples import Record
from mossbench.store.config import OPERATIONAL, GateLimits, InSuite, RunOptions, SavedGate
from mossbench.store.run_folder import RunFolder

NO_PROMPT = "none"
"""The name of the prompt that is none, where a suite does not name its prompts."""
CellState = Literal["ran", "continued", "skipped", "stopped"]


class Choice(Record):
    """One value of an axis: a model or a dataset by its name in the suite, with the settings that go with it."""

    name: str
    value: str
    settings: dict[str, Any] = {}


class SuiteGate(Record):
    """Limits, and the cells that they hold for; None: all."""

    limits: GateLimits
    models: tuple[str, ...] | None = None
    prompts: tuple[str, ...] | None = None
    data: tuple[str, ...] | None = None
    arms: tuple[str, ...] | None = None

    def holds_for(self, names: InSuite) -> bool:
        axes = (self.models, names.model), (self.prompts, names.prompt), (self.data, names.data), (self.arms, names.arm)
        return all(wanted is None or name in wanted for wanted, name in axes)


class Suite(Record):
    name: str
    models: tuple[Choice, ...]
    prompts: dict[str, str | None] = {NO_PROMPT: None}
    data: tuple[Choice, ...] = (Choice(name="sketches", value="sketches"),)
    arms: tuple[str, ...] = ("plain",)
    judges: tuple[str, ...] = (DEFAULT_JUDGE,)
    """The first reads answers as they come, the others afterwards."""
    settings: dict[str, Any] = {}
    """Fields of RunConfig for all cells; a model's own come before them, then those of its data."""
    overrides: dict[str, Any] = {}
    """Fields of RunConfig that come before all others."""
    gates: tuple[SuiteGate, ...] = ()
    out: str = "runs"
    prices: str | None = None
    rule: Rule = Rule.SYSTEM
    max_failed: float = MAX_FAILED

    @property
    def axes(self) -> dict[str, list[str]]:
        models, data = ([one.name for one in some] for some in (self.models, self.data))
        return {"models": models, "prompts": list(self.prompts), "data": data, "arms": list(self.arms)}


@dataclass(frozen=True)
class Cell:
    names: InSuite
    folder: Path
    judges: tuple[str, ...]
    options: dict[str, Any]
    """The keywords of `run`, model and data among them."""

    @property
    def state(self) -> CellState:
        """What would become of it now: `skipped` if finished, `continued` if begun; a RunError if that is damaged."""
        folder = RunFolder(self.folder)
        if not folder.info_path.exists():
            return "ran"
        info = folder.info()
        with with_retired_models():  # only their labels are asked for
            read = all(load_judge(judge).label in info.verdicts for judge in self.judges)
        return "skipped" if info.ended and info.failed == 0 and read else "continued"


@dataclass(frozen=True)
class CellRun:
    cell: Cell
    state: CellState
    results: tuple[Results, ...]
    """Under each judge; none where the cell could not be run."""
    error: str = ""
    gates: tuple[Gate, ...] = ()

    def trouble(self, max_failed: float) -> str:
        """Why its rates are not to be relied on; empty when nothing is wrong."""
        if self.error:
            return self.error
        return self.results[0].unfinished() or too_many_failed([r.outcome for r in self.results[0].rows], max_failed)


@dataclass(frozen=True)
class SuiteRun:
    suite: Suite
    cells: tuple[CellRun, ...]

    @property
    def state(self) -> Literal["pass", "fail", "undecided"]:
        """As of one gate: undecided as soon as something cannot be decided; a cell without gates has to be whole."""
        states = {gate.state for one in self.cells for gate in one.gates}
        troubled = any(one.trouble(self.suite.max_failed) for one in self.cells if not one.gates)
        if troubled or "undecided" in states:
            return "undecided"
        return "fail" if "fail" in states else "pass"


@dataclass(frozen=True)
class CellForecast:
    cell: Cell
    state: CellState
    forecast: Forecast
    """Of the rows that have no answer yet, with what the first judge asks about them."""


def suite_cells(suite: Suite) -> tuple[Cell, ...]:
    """The cells of a suite, in the order of the file; a UsageError where one cannot be, or a gate holds for none."""
    data: dict[str, Dataset] = {}  # by path and columns: the same file with other columns is other data
    cells: dict[tuple[str, ...], Cell] = {}
    for model, (prompt, system), source, arm in product(suite.models, suite.prompts.items(), suite.data, suite.arms):
        names = InSuite(suite=suite.name, model=model.name, prompt=prompt, data=source.name, arm=arm)
        settings = {**suite.settings, **model.settings, **source.settings, **suite.overrides}
        columns = settings.get("columns", {})
        loaded_as = to_json([source.value, columns])
        if loaded_as not in data:
            data[loaded_as] = _load_data(suite, source, columns)
        whole = data[loaded_as]
        options = {"model": model.value, "data": source.value, "arm": arm, "system": system, **settings}
        folder = Path(suite.out) / _folder_name(suite, names, options, whole)
        cells[model.name, prompt, source.name, arm] = Cell(names, folder, suite.judges, options)
    found = [_with_gates(suite, cell, cells) for cell in cells.values()]
    for gate in suite.gates:
        if not any(gate.limits.name == one.name for cell in found for one in cell.names.gates):
            there = "; ".join(f"{axis} {', '.join(names)}" for axis, names in suite.axes.items())
            raise UsageError(f"gate {gate.limits.name!r} of suite {suite.name!r} holds for no cell; there are {there}")
    return tuple(found)


def _load_data(suite: Suite, source: Choice, columns: Mapping[str, str]) -> Dataset:
    if columns and source.value in DATASETS:
        raise UsageError(
            f"the dataset {source.name!r} of suite {suite.name!r} has no columns to name, but these are named for it: "
            f"{shortened(repr(columns))}; write them as the `map` key in the tables of the datasets that need it"
        )
    return load_dataset(source.value, columns=columns)


def _folder_name(suite: Suite, names: InSuite, options: Mapping[str, Any], whole: Dataset) -> str:
    """The names, and a digest of all that moves the numbers: settings, the model's version, the data's hashes."""
    with without_keys(), with_retired_models():  # the cell may be finished; `run_suite` says which may not begin
        of_run = cast(RunOptions, {name: value for name, value in options.items() if name not in ("model", "data")})
        check_options(of_run)
        inputs = load_inputs(options["model"], whole, of_run)
    config = inputs.config
    moves = config.model_dump(mode="json", exclude={*OPERATIONAL, "data"})
    key = to_json([moves, inputs.model.version, inputs.data.select(config.side).hashes])
    several = [names.prompt] if suite.prompts != {NO_PROMPT: None} else []
    parts = [suite.name, names.model, *several, names.data, *([names.arm] if names.arm != "plain" else [])]
    return f"{slug('-'.join(map(slug, parts)))[:80]}-{digest(key)[:8]}"


def _with_gates(suite: Suite, cell: Cell, cells: Mapping[tuple[str, ...], Cell]) -> Cell:
    """The cell with the gates that hold for it, each with the folder of its baseline."""
    found = []
    for gate in suite.gates:
        limits = SavedGate(**gate.limits.model_dump(), across_prompts=gate.limits.baseline in suite.prompts)
        key = _baseline_key(suite, cell.names, gate.limits.baseline)
        if key is not None:
            itself = {"baseline": None, "max_increase": None}
            limits = limits.model_copy(update=itself if cells[key] is cell else {"baseline": cells[key].folder.name})
        if gate.holds_for(cell.names) and limits.is_limit:
            found.append(limits)
    return replace(cell, names=cell.names.model_copy(update={"gates": tuple(found)}))


def _baseline_key(suite: Suite, names: InSuite, baseline: str | None) -> tuple[str, ...] | None:
    """The cell that a baseline names: the same one under that prompt, or of that model; None: a run folder, or none."""
    if baseline in suite.prompts:
        return names.model, baseline, names.data, names.arm
    if baseline in {one.name for one in suite.models}:
        return str(baseline), names.prompt, names.data, names.arm
    return None


Watch = Callable[[Cell], AbstractContextManager[OnProgress | None]]


def run_suite(suite: Suite, *, watch: Watch | None = None, start: Callable[..., Results] = run) -> SuiteRun:
    """Runs the cells that are not finished, one after another, and decides the gates.

    A cell that cannot be run leaves the others alone: it is `stopped`, and its gates are undecided.

    Args:
        suite: What `load_suite` gives.
        watch: Gives a context for each cell that is run, whose value hears of its progress.
        start: What runs a cell, in place of `run` and with its keywords: other engines come in here.
    """
    images, cells, done = ImageCache(), suite_cells(suite), []
    for cell in cells:  # all of them before the first is asked: a key that the last one lacks must not cost the others
        with suppress(RunError):  # one that is damaged says so in its turn, and leaves the others alone
            if cell.state != "skipped":
                _load_cell(cell)
    for cell in cells:
        try:
            if (state := cell.state) != "skipped":
                how = {"out": cell.folder, "resume": True, "images": images, "suite": cell.names}
                with watch(cell) if watch else nullcontext() as progress:
                    start(**cell.options, **how, judge=cell.judges[0], prices=suite.prices, progress=progress)
                    for judge in cell.judges[1:]:
                        judge_run(cell.folder, judge)
            _save(cell)
            with with_retired_models():
                labels = [load_judge(judge).label for judge in cell.judges]
            found = tuple(load_results(cell.folder, judge=label) for label in labels)
            done.append(CellRun(cell, state, found))
        except Interrupted as error:
            said = f"{len(done)} of {len(cells)} cells are done; the same command goes on with the"
            error.add_note(f"{said} {len(cells) - len(done)} left")
            raise
        except PlaceLost as error:
            if not Path(suite.out).is_dir():  # all cells are gone: what is asked now would begin them again elsewhere
                error.add_note(f"{len(done)} of {len(cells)} cells were done; the others were not asked")
                raise
            done.append(_stopped(cell, error))
        except MossbenchError as error:
            done.append(_stopped(cell, error))
    return SuiteRun(suite, tuple(replace(one, gates=_gates(one)) for one in done))


def _with_what_it_began_with(cell: Cell) -> AbstractContextManager[None]:
    """Lets a cell that has begun keep a model that its vendor has retired since; a new one may not begin with it."""
    return with_retired_models() if RunFolder(cell.folder).info_path.exists() else nullcontext()


def _load_cell(cell: Cell) -> None:
    """Loads what a cell is asked and judged with, so that what is wrong with it is said before any other is asked."""
    with _with_what_it_began_with(cell):
        load_model(cell.options["model"], **model_options(cell.options))
        for judge in cell.judges:
            load_judge(judge)


def _stopped(cell: Cell, error: MossbenchError) -> CellRun:
    """A cell that could not be run, with the reason and what is kept of it."""
    return CellRun(cell, "stopped", (), "; ".join([str(error), *getattr(error, "__notes__", ())]))


def _save(cell: Cell) -> None:
    """Writes down what the suite says of the run now: its gates may have changed since it was run."""
    folder = RunFolder(cell.folder)
    if folder.info().suite != cell.names:
        with folder.held():
            folder.write_info(folder.info().model_copy(update={"suite": cell.names}))


def _gates(one: CellRun) -> tuple[Gate, ...]:
    if one.results:
        return saved_gates(one.results[0])
    run, model = one.cell.folder.name, one.cell.options["model"]
    return tuple(Gate.undecided(limits, run, model, one.error) for limits in one.cell.names.gates)


def forecast_suite(suite: Suite, *, engine: str = "") -> tuple[CellForecast, ...]:
    """What each cell would still take on this engine; sends nothing."""
    images, found = ImageCache(), []
    for cell in suite_cells(suite):
        done = answered(RunFolder(cell.folder))
        how: dict[str, Any] = {"judge": cell.judges[0], "done": done, "images": images, "prices": suite.prices}
        with _with_what_it_began_with(cell):
            forecast = forecast_run(**cell.options, **how, engine=engine)
        found.append(CellForecast(cell, cell.state, forecast))
    return tuple(found)
