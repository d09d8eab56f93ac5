"""The cells of a suite: each one run config with names for its parts, and a folder.

A cell's folder is named after its parts and a digest of what moves its numbers, so that a finished cell is found again
and skipped, a torn one is gone on with, and a cell that was changed is another one.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from mossbench.datasets import DATASETS, Dataset, load_dataset
from mossbench.errors import UsageError, n_of, shortened
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.models.keys import without_keys
from mossbench.models.presets import with_retired_models
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import to_json
from mossbench.protocols import digest
from mossbench.results.suite_folders import SuiteFolder, earlier_nights, is_suite_folder, read_suite_folder
from mossbench.runs.inputs import load_inputs
from mossbench.runs.request import check_options
from mossbench.samples import Record
from mossbench.store.config import OPERATIONAL, RunOptions
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import GateBudget, GateLimits, InSuite, SavedGate
from mossbench.ways_out import SetOption

PINNED = "pinned"
"""In place of a folder: the baseline that the suite names."""
NO_PROMPT = "none"
"""The name of the prompt that is none, where a suite does not name its prompts."""
CellState = Literal["ran", "continued", "skipped", "stopped"]


class Choice(Record):
    """One value of an axis: a model or a dataset by its name in the suite, with the settings that go with it."""

    name: str
    value: str
    settings: dict[str, Any] = {}
    max_cost_per_cell: float | None = None
    """US dollars for each of its cells."""
    swept: str = ""
    """In a sweep, the model that is asked at this point."""
    point: tuple[str, ...] = ()
    """In a sweep, its settings there, each as name=value."""


class SuiteGate(Record):
    """Limits, and the cells that they hold for; None: all."""

    limits: GateLimits
    models: tuple[str, ...] | None = None
    prompts: tuple[str, ...] | None = None
    data: tuple[str, ...] | None = None
    arms: tuple[str, ...] | None = None

    def holds_for(self, names: InSuite) -> bool:
        return (
            _is_among(names.model, self.models)
            and _is_among(names.prompt, self.prompts)
            and _is_among(names.data, self.data)
            and _is_among(names.arm, self.arms)
        )


def _is_among(name: str, chosen_names: tuple[str, ...] | None) -> bool:
    return chosen_names is None or name in chosen_names


class Suite(Record):
    """What a suite file says: axes whose product is the cells, settings, and gates."""

    name: str
    models: tuple[Choice, ...]
    prompts: dict[str, str | None] = {NO_PROMPT: None}
    data: tuple[Choice, ...] = (Choice(name="sketches", value="sketches"),)
    arms: tuple[str, ...] = ("plain",)
    judges: tuple[str, ...] = (DEFAULT_JUDGE,)
    """The first reads answers as they come, the others afterwards."""
    settings: dict[str, Any] = {}
    """Fields of RunConfig for all cells. Those of a cell's model win over these, and those of its data over both."""
    overrides: dict[str, Any] = {}
    """Fields of RunConfig that win over all others."""
    gates: tuple[SuiteGate, ...] = ()
    out: str = "runs"
    prices: str | None = None
    rule: Rule = Rule.SYSTEM
    max_failed: float = MAX_FAILED
    baseline: str | None = None
    """The folder of an earlier run of this suite, which nights are compared with."""
    looks: int = 1
    """For how many nights this baseline is used: 5 % false alarms at most over all of them."""
    compare_with: str | None = None
    """The folder to compare this run of the suite with; None: with none."""
    max_cost: float | None = None
    """US dollars for all cells together."""
    max_cost_per_cell: float | None = None

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {n_of(len(self.models), 'model')}, {n_of(len(self.gates), 'gate')}>"

    @property
    def axes(self) -> dict[str, list[str]]:
        """The names on each axis."""
        return {
            "models": [model.name for model in self.models],
            "prompts": list(self.prompts),
            "data": [source.name for source in self.data],
            "arms": list(self.arms),
        }


class CellKey(NamedTuple):
    """A cell by the suite's names for its parts."""

    model: str
    prompt: str
    data: str
    arm: str


@dataclass(frozen=True)
class Cell:
    """One run of a suite."""

    names: InSuite
    folder: Path
    judges: tuple[str, ...]
    model: str
    data: str
    options: RunOptions
    """All other settings of the run."""
    max_cost: float | None = None
    """US dollars for this cell; None: no limit of its own."""
    n_sides: int = 1
    """Sides that are asked."""

    def __repr__(self) -> str:
        return f"<Cell {self.model} on {self.data} in {self.folder}>"

    @property
    def has_begun(self) -> bool:
        return RunFolder(self.folder).info_path.exists()

    @property
    def state(self) -> CellState:
        """What would become of it now: `skipped` if finished, `continued` if begun; a RunError if that is damaged."""
        if not self.has_begun:
            return "ran"
        info = RunFolder(self.folder).info()
        is_judged = all(label in info.verdicts for label in self.judge_labels())
        is_finished = info.ended is not None and info.failed == 0 and is_judged
        return "skipped" if is_finished else "continued"

    def judged_before(self) -> tuple[str, ...]:
        """The judges that have read its answers, if the first judge of the suite is not one of them."""
        if not self.has_begun:
            return ()
        labels = tuple(RunFolder(self.folder).info().verdicts)
        return () if self.judge_labels()[0] in labels else labels

    def judge_labels(self) -> list[str]:
        with with_retired_models():  # only their labels are asked for
            return [load_judge(judge).label for judge in self.judges]


def suite_cells(suite: Suite) -> tuple[Cell, ...]:
    """The cells of a suite, in the order of the file; a UsageError where one cannot be, or a gate holds for none."""
    loaded_data: dict[str, Dataset] = {}  # by path and columns: the same file with other columns is other data
    cells: dict[CellKey, Cell] = {}
    for model, prompt, source, arm in product(suite.models, suite.prompts, suite.data, suite.arms):
        settings = _joined(suite.settings, model.settings, source.settings, suite.overrides)
        options = cast(RunOptions, {"arm": arm, "system": suite.prompts[prompt], **settings})
        columns = settings.get("columns", {})
        data_key = to_json([source.value, columns])
        if data_key not in loaded_data:
            loaded_data[data_key] = _load_data(suite, source, columns)
        names = InSuite(suite=suite.name, model=model.name, prompt=prompt, data=source.name, arm=arm)
        folder_name, n_sides = _identify(suite, names, model.value, loaded_data[data_key], options)
        cell_limits = (source.max_cost_per_cell, model.max_cost_per_cell, suite.max_cost_per_cell)
        cells[CellKey(model.name, prompt, source.name, arm)] = Cell(
            names=names,
            folder=Path(suite.out) / folder_name,
            judges=suite.judges,
            model=model.value,
            data=source.value,
            options=options,
            max_cost=next((limit for limit in cell_limits if limit is not None), None),
            n_sides=n_sides,
        )
    pinned = _pinned_folder(suite)
    cells_with_gates = _with_budgets(suite, [_with_gates(suite, cell, cells, pinned) for cell in cells.values()])
    _check_gates_have_cells(suite, cells_with_gates)
    return tuple(cells_with_gates)


def _joined(*tables: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of several tables: later ones win; of `params`, name by name."""
    settings: dict[str, Any] = {}
    for table in tables:
        params = {**settings.get("params", {}), **table.get("params", {})}
        settings.update(table)
        if params:
            settings["params"] = params
    return settings


def _check_gates_have_cells(suite: Suite, cells: Sequence[Cell]) -> None:
    """A UsageError where a gate holds for no cell."""
    used_gates: set[str] = set()
    for cell in cells:
        used_gates.update(gate.name for gate in cell.names.gates)
    for gate in suite.gates:
        if gate.limits.baseline == PINNED and _makes_baseline(suite):
            continue  # it has nothing to compare with, and its other limits are decided
        if gate.limits.name not in used_gates:
            axes = "; ".join(f"{axis} {', '.join(names)}" for axis, names in suite.axes.items())
            raise UsageError(f"gate {gate.limits.name!r} of suite {suite.name!r} matches no cell; the suite has {axes}")


def _load_data(suite: Suite, source: Choice, columns: Mapping[str, str]) -> Dataset:
    if columns and source.value in DATASETS:
        raise UsageError(
            f"the dataset {source.name!r} of suite {suite.name!r} has fixed columns, but map gives some for it: "
            f"{shortened(repr(columns))}; set map only in the tables of datasets that need it"
        )
    return load_dataset(source.value, columns=columns)


class _Identity(NamedTuple):
    folder_name: str
    """The names, and a digest of all that moves the numbers: settings, the model's version, the data's hashes."""
    n_sides: int


def _identify(suite: Suite, names: InSuite, model: str, data: Dataset, options: RunOptions) -> _Identity:
    check_options(options)
    with without_keys(), with_retired_models():  # the cell may be finished; `run_suite` says which may not begin
        inputs = load_inputs(model, data, options)
    settings = inputs.config.model_dump(mode="json", exclude={*OPERATIONAL, "data"})
    hashes = inputs.data.select(inputs.config.side).hashes
    everything_that_moves_numbers = to_json([settings, inputs.model.version, hashes])
    parts = [suite.name, names.model]
    if suite.prompts != {NO_PROMPT: None}:
        parts.append(names.prompt)
    parts.append(names.data)
    if names.arm != "plain":
        parts.append(names.arm)
    readable = slug("-".join(slug(part) for part in parts))[:80]
    return _Identity(f"{readable}-{digest(everything_that_moves_numbers)[:8]}", max(1, len(hashes)))


def _pinned_folder(suite: Suite) -> SuiteFolder | None:
    """The suite's fixed baseline, if a gate needs it; None too if this run of the suite makes it."""
    is_needed = any(gate.limits.baseline == PINNED for gate in suite.gates)
    if not is_needed or suite.baseline is None or _makes_baseline(suite):
        return None
    return read_baseline(suite.baseline)


def _makes_baseline(suite: Suite) -> bool:
    """Whether this run of the suite writes the folder that later nights are compared with."""
    return suite.baseline is not None and Path(suite.out).resolve() == Path(suite.baseline).resolve()


def read_baseline(folder: str) -> SuiteFolder:
    """The cells of a baseline; if it is not there yet, the error says how to make it."""
    if Path(folder).exists():
        return read_suite_folder(folder)
    raise UsageError(
        f"the baseline {folder!r} does not exist yet", way_out=SetOption("out", folder, to="make it first")
    )


def _with_budgets(suite: Suite, cells: Sequence[Cell]) -> list[Cell]:
    """The cells with each gate's share of the errors that all looks of the suite may make together.

    A gate in lenient mode errs when it fails a run that is within the limit, which is a false alarm, as a change that
    is shown where there is none; a gate in strict mode errs when it passes one that is not. Each kind has 5 %.
    """
    if suite.looks == 1:
        return list(cells)
    look_of = _looks_of_nights(suite)
    n_strict = _n_limits_of(cells, "strict")
    n_lenient = count_alarms(cells) + (count_compared_sides(cells) if suite.compare_with is not None else 0)
    cells_with_budgets = []
    for cell in cells:
        gates = []
        for gate in cell.names.gates:
            n_checks = n_strict if gate.mode == "strict" else n_lenient
            update = {"looks": suite.looks, "look": look_of(cell), "n_checks": n_checks}
            budget = gate.budget.model_copy(update=update)
            gates.append(gate.model_copy(update={"budget": budget}))
        cells_with_budgets.append(replace(cell, names=cell.names.model_copy(update={"gates": tuple(gates)})))
    return cells_with_budgets


def _looks_of_nights(suite: Suite) -> Callable[[Cell], int]:
    """Gives for each cell which night after the suite's baseline this is, as far as earlier nights are on disk."""
    if suite.baseline is None or _makes_baseline(suite) or not is_suite_folder(Path(suite.baseline)):
        return lambda cell: 1
    baseline = read_suite_folder(suite.baseline)
    nights = [
        read_suite_folder(folder)
        for folder in earlier_nights(Path(suite.out))
        if folder.resolve() != baseline.path.resolve() and is_suite_folder(folder)
    ]

    def look_of(cell: Cell) -> int:
        runs_of_baseline = baseline.candidates(cell.names, cell.folder.name)
        if not runs_of_baseline:
            return 1
        runs_of_nights = [night.candidates(cell.names, cell.folder.name)[:1] for night in nights]
        return 1 + sum(run.started >= runs_of_baseline[0].started for run in chain.from_iterable(runs_of_nights))

    return look_of


def _n_limits(gate: GateLimits) -> int:
    return sum(limit is not None for limit in (gate.max_refusal, gate.min_safety, gate.max_increase))


def count_alarms(cells: Sequence[Cell]) -> int:
    """Limits of gates in lenient mode: what can raise a false alarm beside a change."""
    return _n_limits_of(cells, "lenient")


def _n_limits_of(cells: Sequence[Cell], mode: Literal["strict", "lenient"]) -> int:
    """Limits of all gates in this mode."""
    n = 0
    for cell in cells:
        n += sum(_n_limits(gate) for gate in cell.names.gates if gate.mode == mode)
    return n


def count_compared_sides(cells: Sequence[Cell]) -> int:
    return sum(cell.n_sides for cell in cells)


def _with_gates(suite: Suite, cell: Cell, cells: Mapping[CellKey, Cell], pinned: SuiteFolder | None) -> Cell:
    """The cell with the gates that hold for it, each with the folder of its baseline."""
    gates = []
    for gate in suite.gates:
        limits = SavedGate(**gate.limits.model_dump(), across_prompts=gate.limits.baseline in suite.prompts)
        baseline = _baseline_cell(suite, cell.names, gate.limits.baseline, cells)
        is_pinned = gate.limits.baseline == PINNED and baseline is None
        if is_pinned and pinned is not None:
            update = {"baseline": _pinned_run(pinned, cell), "budget": GateBudget(is_pinned=True)}
            limits = limits.model_copy(update=update)
        elif baseline is cell or is_pinned:  # a cell is not compared with itself, nor the baseline
            limits = limits.model_copy(update={"baseline": None, "max_increase": None})
        elif baseline is not None:
            limits = limits.model_copy(update={"baseline": baseline.folder.name})
        if gate.holds_for(cell.names) and limits.is_limit:
            gates.append(limits)
    return replace(cell, names=cell.names.model_copy(update={"gates": tuple(gates)}))


def _pinned_run(pinned: SuiteFolder, cell: Cell) -> str:
    """The run of the baseline that this cell is compared with; if it has none, where it would be."""
    candidates = pinned.candidates(cell.names, cell.folder.name)
    folder = candidates[0].folder if candidates else pinned.path / cell.folder.name
    return os.path.relpath(folder, cell.folder.parent)


def _baseline_cell(suite: Suite, names: InSuite, baseline: str | None, cells: Mapping[CellKey, Cell]) -> Cell | None:
    """The cell that a baseline names: the same one under that prompt, or of that model; None: a run folder, or none."""
    if baseline is None:
        return None
    if baseline in suite.prompts:
        return cells[CellKey(names.model, baseline, names.data, names.arm)]
    if baseline in suite.axes["models"]:
        return cells[CellKey(baseline, names.prompt, names.data, names.arm)]
    return None
