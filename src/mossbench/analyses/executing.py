"""The second step of an analysis: asks every row that has no answer yet, or opens the runs that a user names.

Every model has one run for all analyses: with all arms that any of them needs, and each row once. What comes out is the
runs on which `finishing` measures the analyses.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mossbench.analyses.analysis import AnyOptions, NotPossible, load_analysis, read_options
from mossbench.analyses.folders import add_missing_side, arms_as_begun
from mossbench.analyses.planning import AnalysisPlan, PlannedRun, RequestedAnalysis, list_names
from mossbench.analyses.saved import PAGE
from mossbench.datasets.arms import Arm, joined
from mossbench.errors import RunError, UsageError, bad_option
from mossbench.messages import Message
from mossbench.models import load_model
from mossbench.plumbing.file_names import slug
from mossbench.protocols import digest
from mossbench.results.table import Results, load_results
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.planning import spent_on_record
from mossbench.runs.progress import OnProgress
from mossbench.runs.running import run
from mossbench.store.config import RunOptions, RunSide
from mossbench.store.prices import AnyPrices
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import Command, OmitOption, ResumeAnalysis, WayToResume

_LONGEST_STEM = 150
"""Characters of the name of a page's file: most file systems take 255, with what is written beside it."""
_SMALLEST_COST_LIMIT = 1e-9
"""US dollars: the limit for a model if the models before it have spent all. It buys no row; 0 is not allowed."""


@dataclass(frozen=True)
class AnsweredAnalysis:
    """The answers of all models, and which analyses are measured on them."""

    requested: tuple[RequestedAnalysis, ...]
    runs: tuple[Results, ...]
    folder: Path
    """The folder of the page."""
    stem: str = PAGE
    """The name of the page's file, without .html."""
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True)
class _SharedSettings:
    """What the runs of all models have in common."""

    plan: AnalysisPlan
    progress: OnProgress | None
    prices: AnyPrices | None
    max_cost: float | None
    images: ImageCache
    way_to_resume: WayToResume
    """How a user resumes the analysis."""


@dataclass(frozen=True)
class _ModelRun:
    """The run of one model, as planned."""

    shared: _SharedSettings
    planned: PlannedRun
    side: RunSide
    spent_before: float
    """US dollars of `max_cost` that were spent on the other models, also by an earlier session on those after it."""


def execute_analysis(
    plan: AnalysisPlan,
    *,
    progress: OnProgress | None = None,
    prices: AnyPrices | None = None,
    max_cost: float | None = None,
    again: str = "",
) -> AnsweredAnalysis:
    """Asks one model after another; the other arguments are those of `analyse`.

    `again` is the command that started the analysis; messages name it with --resume.

    Raises:
        RunError: The cost limit left rows out; part of the rows would mislead.
    """
    for name in plan.reading_models:
        load_model(name)  # raises for a typo, before anything is asked and paid for
    shared = _SharedSettings(plan, progress, prices, max_cost, ImageCache(), _how_to_resume(plan, again))
    answered_runs: list[Results] = []
    for planned in plan.runs:
        side = _side_of_run(plan, planned)
        spent_before = 0.0 if max_cost is None else _spent_on_others(plan, planned)
        results = _ask_model(_ModelRun(shared, planned, side, spent_before))
        _read_answers(plan, results)
        answered_runs.append(results)
    return AnsweredAnalysis(plan.requested, tuple(answered_runs), plan.folder, notices=plan.notices)


def open_runs(
    names: str | Iterable[str],
    folders: Sequence[str | Path],
    *,
    judge: str | None,
    out: str | Path | None,
    options: AnyOptions | None,
) -> AnsweredAnalysis:
    """The answers of existing runs, opened rather than asked for; the arguments are those of `analyse_runs`."""
    all_options = read_options(options)
    if all_options.epochs is not None:
        problem = f"is {all_options.epochs}, but existing runs are not asked again"
        raise bad_option("epochs", problem, OmitOption("epochs"))
    runs = tuple(load_results(folder, judge=judge, arms="all") for folder in folders)
    requested = tuple(RequestedAnalysis(load_analysis(name), all_options) for name in list_names(names))
    if not runs:
        raise UsageError("no run given; name one or more run folders")
    if out is not None:
        return AnsweredAnalysis(requested, runs, Path(out))
    # The page of several runs is not that of the first one, which may have its own.
    return AnsweredAnalysis(requested, runs, runs[0].folder, _stem_of_page(runs))


def _stem_of_page(runs: Sequence[Results]) -> str:
    """A name for the page of several runs; one that a file system may not take is cut, with a digest of the whole."""
    stem = "-with-".join([PAGE, *(slug(results.name) for results in runs[1:])])
    if len(stem) <= _LONGEST_STEM:
        return stem
    return f"{stem[:_LONGEST_STEM]}-{digest(stem)[:8]}"


def _how_to_resume(plan: AnalysisPlan, command: str) -> WayToResume:
    """By the command that started the analysis; by a call in Python where no command did."""
    if command:
        return Command(f"{command} --resume {shlex.quote(str(plan.folder))}", to="resume it")
    return ResumeAnalysis(tuple(requested.name for requested in plan.requested), plan.folder)


def _side_of_run(plan: AnalysisPlan, planned: PlannedRun) -> RunSide:
    """The side to ask; a resumed run keeps its side, and a side that it lacks is added to it."""
    if not plan.resume:
        return plan.side
    return add_missing_side(planned.folder, planned.model, plan.dataset, plan.side, planned.options)


def _ask_model(model_run: _ModelRun) -> Results:
    """All answers of a model: the arms of the plan first, then the arms that depend on their answers."""
    plan = model_run.shared.plan
    folder = model_run.planned.folder
    arms = arms_as_begun(folder, plan.arms) if plan.resume else plan.arms
    results = _ask(model_run, arms, resume=plan.resume)
    further_arms = _follow_up_arms(plan, results)
    if further_arms:
        return _ask(model_run, arms_as_begun(folder, further_arms), resume=True)
    if not arms:  # the results have only the run's own arm, and the folder may have those of earlier analyses
        return load_results(folder, judge=results.judge, arms="all")
    return results


def _ask(model_run: _ModelRun, arms: tuple[Arm, ...], *, resume: bool) -> Results:
    """Asks the rows that the run does not have yet; a RunError if the cost limit leaves rows out."""
    shared = model_run.shared
    planned = model_run.planned
    options: RunOptions = {**planned.options, "side": model_run.side}
    results: Results = run(
        planned.model,
        shared.plan.dataset,
        judge=planned.judge,
        out=planned.folder,
        resume=resume,
        arms=arms,
        progress=shared.progress,
        prices=shared.prices,
        again=shared.way_to_resume,
        images=shared.images,
        max_cost=_remaining_cost(shared.max_cost, model_run.spent_before),
        one_format=True,
        **options,
    )
    _check_all_asked(results, shared.way_to_resume, model_run.spent_before)
    return results


def _spent_on_others(plan: AnalysisPlan, planned: PlannedRun) -> float:
    """US dollars that the runs of all other models have cost so far."""
    other_runs = [run for run in plan.runs if run is not planned]
    return sum(spent_on_record(RunFolder(run.folder)) for run in other_runs)


def _remaining_cost(max_cost: float | None, spent_before: float) -> float | None:
    """US dollars of the limit that are left for this model; None if there is no limit."""
    if max_cost is None:
        return None
    return max(max_cost - spent_before, _SMALLEST_COST_LIMIT)


def _check_all_asked(results: Results, way_to_resume: WayToResume, spent_before: float) -> None:
    """A RunError if the cost limit left rows out; it says how much other models cost."""
    open_rows = results.open_rows()
    if open_rows is None or results.info.max_cost is None:
        return
    other_models = f"{spent_before:.4g} USD went to other models; with the rest, " if spent_before else ""
    text = f"{results.model}: {other_models}{open_rows.state}; a higher limit includes what is already spent"
    raise RunError(text, way_out=replace(way_to_resume, to="raise max_cost and resume it"))


def _follow_up_arms(plan: AnalysisPlan, results: Results) -> tuple[Arm, ...]:
    """The arms that depend on the answers under the first ones."""
    arms: list[Arm] = []
    for requested in plan.possible:
        if requested.analysis.follow_up is None:
            continue
        try:
            arms += requested.analysis.follow_up(results, requested.options)
        except NotPossible:  # measuring it raises the same, and the page says why it is skipped
            continue
    return joined(arms)


def _read_answers(plan: AnalysisPlan, results: Results) -> None:
    """Lets the reading models that the user named read the answers."""
    for requested in plan.possible:
        if requested.analysis.read is not None:
            requested.analysis.read(results, requested.options)
