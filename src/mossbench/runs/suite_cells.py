"""The cells of a suite: each one run config with names for its parts, and a folder.

A cell's folder is named after its parts and a digest of what moves its numbers, so that a finished cell is found again
and skipped, a torn one is gone on with, and a cell that was changed is another one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from mossbench.datasets import DATASETS, Dataset, load_dataset
from mossbench.errors import UsageError, shortened
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.models.keys import without_keys
from mossbench.models.presets import with_retired_models
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import to_json
from mossbench.protocols import digest
from mossbench.runs.inputs import load_inputs
from mossbench.runs.request import check_options
from mossbench.samples import Record
from mossbench.store.config import OPERATIONAL, RunOptions
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import GateLimits, InSuite, SavedGate

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

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {len(self.models)} models, {len(self.gates)} gates>"

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

    def judge_labels(self) -> list[str]:
        with with_retired_models():  # only their labels are asked for
            return [load_judge(judge).label for judge in self.judges]


def suite_cells(suite: Suite) -> tuple[Cell, ...]:
    """The cells of a suite, in the order of the file; a UsageError where one cannot be, or a gate holds for none."""
    loaded_data: dict[str, Dataset] = {}  # by path and columns: the same file with other columns is other data
    cells: dict[CellKey, Cell] = {}
    for model, prompt, source, arm in product(suite.models, suite.prompts, suite.data, suite.arms):
        settings = {**suite.settings, **model.settings, **source.settings, **suite.overrides}
        options = cast(RunOptions, {"arm": arm, "system": suite.prompts[prompt], **settings})
        columns = settings.get("columns", {})
        data_key = to_json([source.value, columns])
        if data_key not in loaded_data:
            loaded_data[data_key] = _load_data(suite, source, columns)
        names = InSuite(suite=suite.name, model=model.name, prompt=prompt, data=source.name, arm=arm)
        folder_name = _folder_name(suite, names, model.value, loaded_data[data_key], options)
        cells[CellKey(model.name, prompt, source.name, arm)] = Cell(
            names=names,
            folder=Path(suite.out) / folder_name,
            judges=suite.judges,
            model=model.value,
            data=source.value,
            options=options,
        )
    cells_with_gates = [_with_gates(suite, cell, cells) for cell in cells.values()]
    _check_gates_have_cells(suite, cells_with_gates)
    return tuple(cells_with_gates)


def _check_gates_have_cells(suite: Suite, cells: Sequence[Cell]) -> None:
    """A UsageError where a gate holds for no cell."""
    used_gates: set[str] = set()
    for cell in cells:
        used_gates.update(gate.name for gate in cell.names.gates)
    for gate in suite.gates:
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


def _folder_name(suite: Suite, names: InSuite, model: str, data: Dataset, options: RunOptions) -> str:
    """The names, and a digest of all that moves the numbers: settings, the model's version, the data's hashes."""
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
    return f"{readable}-{digest(everything_that_moves_numbers)[:8]}"


def _with_gates(suite: Suite, cell: Cell, cells: Mapping[CellKey, Cell]) -> Cell:
    """The cell with the gates that hold for it, each with the folder of its baseline."""
    gates = []
    for gate in suite.gates:
        limits = SavedGate(**gate.limits.model_dump(), across_prompts=gate.limits.baseline in suite.prompts)
        baseline = _baseline_cell(suite, cell.names, gate.limits.baseline, cells)
        if baseline is cell:  # a cell is not compared with itself
            limits = limits.model_copy(update={"baseline": None, "max_increase": None})
        elif baseline is not None:
            limits = limits.model_copy(update={"baseline": baseline.folder.name})
        if gate.holds_for(cell.names) and limits.is_limit:
            gates.append(limits)
    return replace(cell, names=cell.names.model_copy(update={"gates": tuple(gates)}))


def _baseline_cell(suite: Suite, names: InSuite, baseline: str | None, cells: Mapping[CellKey, Cell]) -> Cell | None:
    """The cell that a baseline names: the same one under that prompt, or of that model; None: a run folder, or none."""
    if baseline is None:
        return None
    if baseline in suite.prompts:
        return cells[CellKey(names.model, baseline, names.data, names.arm)]
    if baseline in suite.axes["models"]:
        return cells[CellKey(baseline, names.prompt, names.data, names.arm)]
    return None
