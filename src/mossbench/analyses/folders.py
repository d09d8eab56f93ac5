"""The folders that analyses lie in: one run a model, which later analyses go on with, whatever they need."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import UsageError
from mossbench.models.model import AnyModel
from mossbench.models.presets import with_retired_models
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.lines import write_lines
from mossbench.runs.describing import describe_run
from mossbench.runs.inputs import load_inputs
from mossbench.runs.planning import new_folder
from mossbench.runs.selection import select_samples
from mossbench.samples import Side
from mossbench.store.config import DEFAULT_DATA, RunConfig, RunOptions, RunSide
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import SetOption

_CHOSEN_ANEW = {"model", "data", "columns", "judge", "side"}
"""What of a run's config is not simply as it was when a later analysis goes on with it."""


@dataclass(frozen=True)
class AnalysisFolders:
    """Where an analysis lies."""

    top: Path
    """Of its page."""
    runs: tuple[Path, ...]
    """One for each model: the same for one, folders in it for several, each of its own."""


@dataclass(frozen=True)
class EarlierRun:
    """What the run in a folder was asked for, as far as it is not the default; nothing where there is no run."""

    data: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    judge: str | None = None
    options: RunOptions = field(default_factory=RunOptions)
    """All else, which a later analysis takes over."""


def folders_for(model_names: Sequence[str], data: str, out: str | Path | None) -> AnalysisFolders:
    """The folders in `out`, or else in a new one under `runs/`."""
    if out is not None:
        top = Path(out)
    else:
        top = new_folder(RunConfig(model="+".join(model_names)[:80], data=data))
    if len(model_names) == 1:
        return AnalysisFolders(top, (top,))
    folder_names: list[str] = []
    for stem in map(slug, model_names):
        n_alike = sum(name == stem or name.startswith(f"{stem}~") for name in folder_names)
        folder_names.append(f"{stem}~{n_alike + 1}" if n_alike else stem)
    return AnalysisFolders(top, tuple(top / name for name in folder_names))


def check_is_folder(folder: str | Path | None) -> None:
    """A UsageError when there is no folder to go on in."""
    if folder is None or not Path(folder).is_dir():
        message = f"no folder {str(folder)!r} to resume in"
        raise UsageError(message, way_out=SetOption("out", to="start a new one"))


def model_of_run(folder: str | Path | None) -> str:
    """The model of the run in a folder, for a user who names none."""
    if folder is None:
        ways_out = (
            SetOption("models", to="name one, such as control/candid,"),
            SetOption("resume", to="name a run"),
        )
        raise UsageError("analyse needs a model", way_out=ways_out)
    check_is_folder(folder)
    holds_a_run = (Path(folder) / "run.json").exists()
    if not holds_a_run and any(Path(folder).glob("*/run.json")):
        message = f"{str(folder)!r} holds the runs of several models"
        raise UsageError(message, way_out=SetOption("models", to="name the ones to resume"))
    return RunFolder(Path(folder)).info().config.model


def read_earlier_run(folder: Path) -> EarlierRun:
    run_folder = RunFolder(folder)
    if not run_folder.info_path.exists():
        return EarlierRun()
    config = run_folder.info().config
    options = config.model_dump(exclude_defaults=True, exclude=_CHOSEN_ANEW)
    return EarlierRun(
        data=config.data if config.data != DEFAULT_DATA else None,
        columns=config.columns,
        judge=config.judge,
        options=cast(RunOptions, options),
    )


def arms_as_begun(folder: Path, arms: Iterable[Arm]) -> tuple[Arm, ...]:
    """The arms as the run in a folder has them, if an earlier version put them in other words: one way, one name."""
    begun = {arm.name: arm for arm in RunFolder(folder).arms()}
    return tuple(_as_begun(arm, begun[arm.name]) if arm.name in begun else arm for arm in arms)


def _as_begun(arm: Arm, begun: Arm) -> Arm:
    """The arm that the run has, for the samples and as often as it is asked for now."""
    return begun.model_copy(update={"side": arm.side, "ids": arm.ids, "epochs": arm.epochs})


def add_missing_side(folder: Path, model: AnyModel, data: Dataset, side: RunSide, options: RunOptions) -> RunSide:
    """The sides that a run has once `side` is asked too; one that lacks a side gets its samples, and keeps all else.

    Arms that are there stay on the side that they were put on. Where anything else differs, nothing is changed: `run`
    refuses it.
    """
    run_folder = RunFolder(folder)
    if not run_folder.info_path.exists():
        return side
    with run_folder.held():
        info = run_folder.info()
        if info.config.side in ("both", side):
            return info.config.side
        plan = _plan_both_sides(model, data, options, info.arms)
        widened = _widened(info, plan.info)
        if not widened.differences(plan.info):
            samples = {sample.key: sample for sample in run_folder.samples()}
            added = [sample for sample in plan.selected if sample.key not in samples]
            # First the samples: without them rows are not counted.
            write_lines(run_folder.samples_path, [*samples.values(), *added])
            run_folder.write_info(widened)
        return "both"


def _widened(info: RunInfo, planned: RunInfo) -> RunInfo:
    """The run on both sides, with the hashes that it has and each arm on the side that it was put on."""
    own_side = Side(info.config.side)
    hashes = {**planned.dataset.hashes, **info.dataset.hashes}
    arms = [arm.model_copy(update={"side": arm.side or own_side}) for arm in info.arms]
    return info.model_copy(
        update={
            "config": info.config.model_copy(update={"side": "both"}),
            "dataset": planned.dataset.model_copy(update={"hashes": hashes}),
            "arms": tuple(arms),
        }
    )


@dataclass(frozen=True)
class _RunOnBothSides:
    selected: Dataset
    """The samples of both sides that the run would ask."""
    info: RunInfo
    """What run.json would say of it."""


def _plan_both_sides(model: AnyModel, data: Dataset, options: RunOptions, arms: tuple[Arm, ...]) -> _RunOnBothSides:
    """The run as it would be if it had been asked for on both sides."""
    both_sides: RunOptions = {**options, "side": "both"}
    with with_retired_models():
        inputs = load_inputs(model, data, both_sides)
    selected = select_samples(inputs.data, inputs.config)
    return _RunOnBothSides(selected, describe_run(inputs, selected, arms))
