"""Run: one model on one dataset, in a folder.

A run is three steps: `plan_run` decides everything before the first request, `execute` asks and judges, `finish`
closes the record and counts. `run` and `resume_run` are the public doors to them.

A row is done when it has an answer; rows that failed are asked again on resume.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Unpack, cast, overload

from mossbench.datasets import AnyData, as_dataset, as_named
from mossbench.datasets.arms import Arm
from mossbench.errors import UsageError, bad_option
from mossbench.judges import DEFAULT_JUDGE
from mossbench.judges.judge import AnyJudge
from mossbench.models import Model, load_model
from mossbench.models.model import AnyModel
from mossbench.models.presets import check_has_api
from mossbench.plumbing.file_names import slug
from mossbench.results.failing import warn_of_failures
from mossbench.results.table import Results
from mossbench.runs.engines import EngineOptions, engine_options
from mossbench.runs.executing import execute
from mossbench.runs.finishing import finish
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.inputs import let_models_read, model_options, name_of_data
from mossbench.runs.planning import plan_run
from mossbench.runs.progress import OnProgress
from mossbench.runs.request import RunRequest, check_options
from mossbench.runs.resuming import check_can_be_asked
from mossbench.store.config import DEFAULT_DATA, ResumeOptions, RunConfig, RunOptions
from mossbench.store.prices import AnyPrices
from mossbench.store.run_folder import RunFolder
from mossbench.store.suite_record import InSuite
from mossbench.ways_out import WayToResume


class RunKeywords(RunOptions, total=False):
    """The keywords of `run`, for type checkers and editors."""

    judge: AnyJudge | None
    out: str | Path | None
    resume: bool
    arms: Iterable[Arm]
    progress: OnProgress | None
    prices: AnyPrices | None
    again: WayToResume | None
    images: ImageCache | None
    suite: InSuite | None
    max_cost: float | None
    one_format: bool
    engine: str | EngineOptions


@overload
def run(model: AnyModel, data: AnyData = ..., **keywords: Unpack[RunKeywords]) -> Results: ...
@overload
def run(model: list[AnyModel] | list[str], data: AnyData = ..., **keywords: Unpack[RunKeywords]) -> list[Results]: ...
def run(
    model: AnyModel | list[AnyModel] | list[str],
    data: AnyData = DEFAULT_DATA,
    *,
    judge: AnyJudge | None = DEFAULT_JUDGE,
    out: str | Path | None = None,
    resume: bool = False,
    arms: Iterable[Arm] = (),
    progress: OnProgress | None = None,
    prices: AnyPrices | None = None,
    again: WayToResume | None = None,
    images: ImageCache | None = None,
    suite: InSuite | None = None,
    max_cost: float | None = None,
    one_format: bool = False,
    engine: str | EngineOptions = "",
    **options: Unpack[RunOptions],
) -> Results | list[Results]:
    """Asks `model` every sample of `data`, judges the answers and gives the results.

    Args:
        model: Name (`control/candid`, `openai/…`, `replay/FILE`, `file.py:function`), Model, or function of a Prompt; a
            list of them is asked one after another and gives a list of results.
        data: Name or path of a dataset, a Dataset, or rows in memory, as for `load_dataset`.
        judge: Name of a judge, Judge, or function of an Exchange; None only asks.
        out: Folder of the run; by default a new one under `runs/`. A list of models has a folder each in it.
        resume: Resume the run in `out`; options that differ from it are refused.
        arms: Further ways of putting the samples, besides the run's own and those that it already has.
        progress: Called after each row. Without it a bar shows in a terminal or notebook; None shows none.
        prices: Your own prices by model name, or a file of them; they take precedence over the built-in table.
        again: How a user resumes the run when it is stopped; by default `resume_run`.
        images: Where images made ready are kept; runs that are given the same one share them.
        suite: The cell of a suite that it is, for the record.
        max_cost: US dollars for the run, its judge and what it has spent before: no row is begun that would exceed
            them by what rows have cost so far; those in flight may cost more. The others are NOT ASKED, and
            `resume_run` resumes the run. With several models it is the limit of each.
        one_format: Write every image in one format; a resumed run keeps its own setting.
        engine: How rows are asked, by name or with options; it changes no answer, so a resumed run may have another.
            By default `local`, or `batch` while the run has rows pending in batches.
        options: The other fields of `RunConfig`: side, ids, limit, offset, epochs, system, seed, temperature, …

    Raises:
        UsageError: An unknown name, a bad option, or a folder that holds another run.
        Interrupted: Ctrl-C; what was answered is kept.
    """
    check_options(options)
    request = RunRequest(
        model=_first_model(model),
        data=as_named(data, columns=options.get("columns")),
        options=options,
        judge=judge,
        out=None if out is None else Path(out),
        resume=resume,
        arms=tuple(arms),
        prices=prices,
        again=again,
        images=images,
        suite=suite,
        max_cost=max_cost,
        one_format=one_format,
        engine=engine_options(engine),
    )
    if not isinstance(model, list):
        return _run_one(request, progress)
    requests = [replace(request, model=each_model) for each_model in model]
    return [_run_one(loaded_request, progress) for loaded_request in _load_together(requests)]


def _first_model(model: AnyModel | list[AnyModel] | list[str]) -> AnyModel:
    if not isinstance(model, list):
        return model
    if not model:
        raise UsageError("no model given; name at least one in the list")
    return model[0]


def _run_one(request: RunRequest, progress: OnProgress | None) -> Results:
    """The three steps of a run."""
    with ExitStack() as lock:
        # The plan has all data and images: it is not kept by a name here, so that they are gone while rows are counted.
        outcome = execute(plan_run(request, lock), progress)
        results = finish(outcome)
    warn_of_failures(results)
    return results


def _load_together(requests: list[RunRequest]) -> list[RunRequest]:
    """The same requests with their models loaded, one copy of data and images, and a folder each.

    All models are loaded and see the data before the first is asked, and all folders are free: a mistake in the last
    one must not cost a run.
    """
    options = requests[0].options
    if len(requests) > 1 and options.get("model_name") is not None:
        raise bad_option(
            "model_name", f"names one model, but {len(requests)} are given; run each recorded file separately"
        )
    for request in requests:
        if isinstance(request.model, str):
            check_has_api(request.model, name_of_data(request.data))
    models = [_load_if_named(request.model, options) for request in requests]
    data = as_dataset(requests[0].data, columns=options.get("columns"))
    let_models_read([model for model in models if isinstance(model, Model)], data)
    images = requests[0].images or ImageCache()
    folders = folders_of([_name_of_model(model) for model in models], requests[0].out)
    for folder in folders:
        if folder is not None and not requests[0].resume:
            RunFolder(folder).check_is_free()
    return [
        replace(request, model=model, data=data, out=folder, images=images)
        for request, model, folder in zip(requests, models, folders, strict=True)
    ]


def folders_of(models: list[str], out: Path | None) -> list[Path | None]:
    """Where the runs of several models go: each into a folder of its own in `out`, or a new one under `runs/`."""
    if out is None or len(models) == 1:
        return [out] * len(models)
    folders: list[Path | None] = [out / slug(model) for model in models]
    if len(set(folders)) < len(folders):
        raise UsageError(
            f"two of {', '.join(models)} would be written to the same folder in {out}; run them separately"
        )
    return folders


def _load_if_named(model: AnyModel, options: RunOptions) -> AnyModel:
    if isinstance(model, str):
        return load_model(model, **model_options(options))
    return model


def _name_of_model(model: AnyModel) -> str:
    """The name of a Model, or of a function."""
    name: str = getattr(model, "name", getattr(model, "__name__", "model"))
    return name


def resume_run(
    folder: str | Path,
    *,
    judge: AnyJudge | None = None,
    no_judge: bool = False,
    progress: OnProgress | None = None,
    prices: AnyPrices | None = None,
    max_cost: float | None = None,
    engine: str | EngineOptions = "",
    arms: Iterable[Arm] = (),
    images: ImageCache | None = None,
    again: WayToResume | None = None,
    **options: Unpack[ResumeOptions],
) -> Results:
    """Resumes the run in `folder` with its own options; options that differ from it are refused.

    A run without a judge stays without one, unless `judge` names one; `no_judge` leaves new answers unread. Further
    `arms` are asked too; all else is as for `run`.
    """
    if no_judge and judge is not None:
        raise UsageError("judge and no_judge are both given; omit one of them")
    run_folder = RunFolder(Path(folder))
    info = run_folder.info()
    check_can_be_asked(info, run_folder, has_own_judge=judge is not None or no_judge)
    model = options.pop("model", info.config.model)
    if isinstance(model, list):
        raise UsageError(f"the run in {str(folder)!r} has one model, but a list is given; name one")
    data = options.pop("data", info.config.data)
    # No `check_options`: a saved config has every option, also those that `as_published` sets.
    run_options = options_of(info.config)
    run_options.update(options)
    request = RunRequest(
        model=model,
        data=data,
        options=run_options,
        judge=None if no_judge else judge or info.config.judge,
        out=run_folder.path,
        resume=True,
        arms=tuple(arms),
        prices=prices,
        again=again,
        images=images,
        max_cost=max_cost,
        engine=engine_options(engine),
    )
    return _run_one(request, progress)


def options_of(config: RunConfig) -> RunOptions:
    """The options of `run` that ask for this config again."""
    return cast(RunOptions, config.model_dump(exclude={"model", "data", "judge"}))
