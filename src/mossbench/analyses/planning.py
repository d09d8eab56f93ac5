"""The first step of an analysis: what is asked of which model, for which analyses. Nothing is sent or written yet.

Each analysis names its own arms (`arms` in its module); arms that depend on first answers come in `executing`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from mossbench.analyses.analysis import (
    ANALYSES,
    Analysis,
    AnyOptions,
    NotPossible,
    Options,
    Skipped,
    load_analysis,
    read_options,
)
from mossbench.analyses.folders import (
    AnalysisFolders,
    EarlierRun,
    check_is_folder,
    folders_for,
    model_of_run,
    read_earlier_run,
)
from mossbench.analyses.material import prepared
from mossbench.analyses.saved import saved_material
from mossbench.datasets import AnyData, Dataset, NamedData, as_dataset, as_named
from mossbench.datasets.arms import Arm, joined
from mossbench.errors import UsageError, bad_option
from mossbench.judges import DEFAULT_JUDGE
from mossbench.judges.judge import AnyJudge
from mossbench.messages import Message
from mossbench.models.model import AnyModel
from mossbench.runs.request import check_options
from mossbench.store.config import DEFAULT_DATA, RunOptions, RunSide
from mossbench.ways_out import SetOption, WayOut


@dataclass(frozen=True)
class RequestedAnalysis:
    """An analysis that the user named, and what it is told."""

    analysis: Analysis
    options: Options
    arms: tuple[Arm, ...] = ()
    """The arms that it needs; none where it is only measured on existing runs."""
    skipped: Skipped | None = None
    """Why it cannot be done with these data or this number of models; None if it can."""

    @property
    def name(self) -> str:
        return self.analysis.name


@dataclass(frozen=True)
class PlannedRun:
    """One model, and the run in which it is asked."""

    model: AnyModel
    folder: Path
    judge: AnyJudge
    options: RunOptions
    """The user's options, completed by those of the run that is resumed; without the side, which the plan has."""


@dataclass(frozen=True)
class AnalysisPlan:
    """Everything that is decided before the first request; a dry run forecasts its cost.

    `runs` makes the rows of each run from its options and from the dataset, the side and the arms here.
    """

    requested: tuple[RequestedAnalysis, ...]
    """In the order in which the user named them; at least one can be done."""
    options: Options
    runs: tuple[PlannedRun, ...]
    folder: Path
    """The folder of the page; with one model also that of its run."""
    resume: bool
    dataset: Dataset
    """Both sides, all samples, with the user's boxes and texts."""
    notices: tuple[Message, ...]
    """Messages about the user's boxes and texts, if an analysis uses them."""
    side: RunSide
    arms: tuple[Arm, ...]
    """All arms that any of the analyses needs, each once."""

    @property
    def possible(self) -> list[RequestedAnalysis]:
        """The analyses that can be done."""
        return [requested for requested in self.requested if requested.skipped is None]

    @property
    def reading_models(self) -> list[str]:
        """Models that read answers when all are there."""
        names = (self.options.tagger_model, self.options.caption_model)
        return [name for name in names if name]


def plan_analysis(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel],
    data: AnyData | None,
    *,
    judge: AnyJudge | None,
    out: str | Path | None,
    resume: bool | str | Path,
    options: AnyOptions | None,
    run_options: RunOptions,
) -> AnalysisPlan:
    """Finds the folders and what lies in them, loads the data, and has each analysis name its arms.

    The arguments are those of `analyse`.

    Raises:
        UsageError: An unknown analysis, or none of them is possible with these data or this number of models.
    """
    check_options(run_options)  # first, before any file is changed
    given_data = None if data is None else as_named(data, columns=run_options.get("columns"))
    analyses = [load_analysis(name) for name in list_names(names)]
    targets = _find_targets(models, given_data, out, resume)
    all_options = _complete_options(read_options(options), run_options, targets)
    material = prepared(_load_data(given_data, run_options, targets.earlier_runs), all_options)
    n_models = len(targets.models)
    requested = [_request(analysis, all_options, material.dataset, n_models) for analysis in analyses]
    possible = [request for request in requested if request.skipped is None]
    if not possible:
        raise nothing_possible([request.skipped for request in requested if request.skipped is not None])
    uses_material = any(request.analysis.declaration.material for request in possible)
    return AnalysisPlan(
        requested=tuple(requested),
        options=all_options,
        runs=_plan_runs(targets, judge, run_options),
        folder=targets.folders.top,
        resume=targets.resume,
        dataset=material.dataset,
        notices=material.notices if uses_material else (),
        side=run_options.get("side") or _side_for(possible),
        arms=joined(chain.from_iterable(request.arms for request in requested)),
    )


def list_names(names: str | Iterable[str]) -> list[str]:
    """The names of the analyses that a user asks for, each once; `all` means every analysis."""
    requested = [names] if isinstance(names, str) else list(names)
    if not requested:
        raise UsageError(f"no analysis given; choose from {', '.join(ANALYSES)}, or all")
    if "all" in requested:
        return list(ANALYSES)
    return list(dict.fromkeys(requested))


def nothing_possible(skipped: Sequence[Skipped]) -> NotPossible:
    """The error where none of the analyses can be done, with each reason once."""
    reasons = dict.fromkeys(reason.why for reason in skipped)
    texts = [reason.text for reason in reasons]
    ways_out: dict[WayOut, None] = {}
    for reason in reasons:
        ways_out |= dict.fromkeys(reason.ways_out)
    return NotPossible("; ".join(texts), way_out=tuple(ways_out))


@dataclass(frozen=True)
class _Targets:
    """Which models are asked, and in which folders."""

    models: list[AnyModel]
    folders: AnalysisFolders
    resume: bool
    earlier_runs: list[EarlierRun]
    """For each model the run that is in its folder; empty records where no run is resumed."""


def _find_targets(
    models: AnyModel | Sequence[AnyModel], data: NamedData | None, out: str | Path | None, resume: bool | str | Path
) -> _Targets:
    if not isinstance(resume, bool):  # it is the folder that is resumed
        out = resume
        resume = True
    all_models = _list_models(models) or [model_of_run(out)]
    if resume:
        check_is_folder(out)
    model_names = [_name_of_model(model) for model in all_models]
    folders = folders_for(model_names, _name_of_data(data), out)
    earlier_runs = [read_earlier_run(folder) if resume else EarlierRun() for folder in folders.runs]
    return _Targets(all_models, folders, resume, earlier_runs)


def _list_models(models: AnyModel | Sequence[AnyModel]) -> list[AnyModel]:
    """The models in a list; a text is one model, and not a sequence of letters."""
    if isinstance(models, Sequence) and not isinstance(models, str):
        return list(models)
    return [models]


def _name_of_model(model: AnyModel) -> str:
    """The name by which the folder of a model is called; of a function its own."""
    if isinstance(model, str):
        return model
    name: str = getattr(model, "name", getattr(model, "__name__", "model"))
    return name


def _name_of_data(data: NamedData | None) -> str:
    if isinstance(data, Dataset):
        return data.name
    return str(data or DEFAULT_DATA)


def _complete_options(options: Options, run_options: RunOptions, targets: _Targets) -> Options:
    """The user's options, completed by the files that earlier analyses in the folder used, and by the run's epochs."""
    if targets.resume:
        earlier = saved_material(targets.folders.top)
        options = replace(options, boxes=options.boxes or earlier.boxes, oracle=options.oracle or earlier.oracle)
    epochs = run_options.get("epochs")
    if epochs is None:
        return options
    if options.epochs is not None and options.epochs != epochs:
        raise bad_option("epochs", f"is {epochs}, but {options.epochs} in options; omit one of them")
    return replace(options, epochs=epochs)


def _load_data(data: NamedData | None, run_options: RunOptions, earlier_runs: Sequence[EarlierRun]) -> Dataset:
    """The data that the user names, or else those of the runs that are resumed."""
    earlier_data = [run.data for run in earlier_runs if run.data is not None]
    earlier_columns = [run.columns for run in earlier_runs if run.columns]
    if data is None:
        data = earlier_data[0] if earlier_data else DEFAULT_DATA
    columns = run_options.get("columns")
    if not columns:
        columns = earlier_columns[0] if earlier_columns else {}
    return as_dataset(data, columns=columns)


def _request(analysis: Analysis, options: Options, dataset: Dataset, n_models: int) -> RequestedAnalysis:
    """The analysis with its arms, or with the reason why it is skipped."""
    own_options = replace(options, epochs=options.epochs or analysis.declaration.epochs)
    try:
        _check_n_models(analysis, n_models)
        arms = analysis.arms(dataset, own_options)
    except NotPossible as error:
        return RequestedAnalysis(analysis, own_options, skipped=Skipped(error.message))
    return RequestedAnalysis(analysis, own_options, arms=tuple(arms))


def _check_n_models(analysis: Analysis, n_models: int) -> None:
    """Raises NotPossible, before anything is asked, if the analysis needs another number of models."""
    n_needed = analysis.declaration.n_models
    if n_needed not in (None, n_models):
        message = f"{analysis.name} compares {n_needed} models, not {n_models}"
        raise NotPossible(message, way_out=SetOption("models", to="name them"))


def _side_for(possible: Iterable[RequestedAnalysis]) -> RunSide:
    """The harmless side alone if no analysis needs both, so that nobody pays for rows that are not used."""
    if any(request.analysis.declaration.side == "both" for request in possible):
        return "both"
    return "benign"


def _plan_runs(targets: _Targets, judge: AnyJudge | None, run_options: RunOptions) -> tuple[PlannedRun, ...]:
    user_options = run_options.copy()
    # Left out, since the arms have the epochs, the plan has the side of all runs, and the data are read already.
    user_options.pop("epochs", None)
    user_options.pop("side", None)
    user_options.pop("columns", None)
    planned = []
    for model, folder, earlier in zip(targets.models, targets.folders.runs, targets.earlier_runs, strict=True):
        options: RunOptions = {**earlier.options, **user_options}
        own_judge = judge or earlier.judge or DEFAULT_JUDGE
        planned.append(PlannedRun(model, folder, own_judge, options))
    return tuple(planned)
