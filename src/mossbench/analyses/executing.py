"""The second step of an analysis: asks what is missing, and has the answers that the analyses are measured on.

Every model has one run for all analyses: the union of the arms that they need, each row once.
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
from mossbench.plumbing.storage import slug
from mossbench.results.table import Results, load_results
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.progress import OnProgress
from mossbench.runs.running import run
from mossbench.store.config import RunOptions, RunSide
from mossbench.store.prices import AnyPrices
from mossbench.ways_out import Command, OmitOption, ResumeAnalysis, WayToResume

_NEARLY_NOTHING = 1e-9
"""US dollars that are left where other models took all: no row is asked for so little, and a limit may not be 0."""


@dataclass(frozen=True)
class AnsweredAnalysis:
    """The answers of all models, and which analyses are measured on them."""

    requested: tuple[RequestedAnalysis, ...]
    runs: tuple[Results, ...]
    folder: Path
    """Of the page."""
    stem: str = PAGE
    """How the page is named, before .html."""
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True)
class _Session:
    """What the runs of all models have in common."""

    plan: AnalysisPlan
    progress: OnProgress | None
    prices: AnyPrices | None
    max_cost: float | None
    images: ImageCache
    again: WayToResume
    """How a user goes on with the analysis."""


@dataclass(frozen=True)
class _Turn:
    """The model whose turn it is."""

    session: _Session
    planned: PlannedRun
    side: RunSide
    spent_before: float
    """US dollars that other models took of `max_cost`."""


def execute_analysis(
    plan: AnalysisPlan,
    *,
    progress: OnProgress | None = None,
    prices: AnyPrices | None = None,
    max_cost: float | None = None,
    again: str = "",
) -> AnsweredAnalysis:
    """Asks one model after another; the arguments beside the plan are those of `analyse`.

    Raises:
        RunError: The cost limit left rows out; part of the rows would mislead.
    """
    for name in plan.reading_models:
        load_model(name)  # a typo in it must not cost a run
    session = _Session(plan, progress, prices, max_cost, ImageCache(), _how_to_resume(plan, again))
    answered_runs: list[Results] = []
    for planned in plan.runs:
        side = _side_of_run(plan, planned)
        spent_before = sum(results.spent().total or 0.0 for results in answered_runs)
        results = _ask_model(_Turn(session, planned, side, spent_before))
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
    """Answers that are there, in place of asking; the arguments are those of `analyse_runs`."""
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
    stem = "-with-".join([PAGE, *(slug(results.name) for results in runs[1:])])
    return AnsweredAnalysis(requested, runs, runs[0].folder, stem)


def _how_to_resume(plan: AnalysisPlan, command: str) -> WayToResume:
    if command:
        return Command(f"{command} --resume {shlex.quote(str(plan.folder))}", to="resume it")
    return ResumeAnalysis(tuple(requested.name for requested in plan.requested), plan.folder)


def _side_of_run(plan: AnalysisPlan, planned: PlannedRun) -> RunSide:
    """The side that is asked; a run that is resumed keeps what it has, and gets the side that it lacks."""
    if not plan.resume:
        return plan.side
    return add_missing_side(planned.folder, planned.model, plan.dataset, plan.side, planned.options)


def _ask_model(turn: _Turn) -> Results:
    """All answers of a model: first what is known to be needed, then what these answers make necessary."""
    plan = turn.session.plan
    folder = turn.planned.folder
    arms = arms_as_begun(folder, plan.arms) if plan.resume else plan.arms
    results = _ask(turn, arms, resume=plan.resume)
    further_arms = _follow_up_arms(plan, results)
    if further_arms:
        return _ask(turn, arms_as_begun(folder, further_arms), resume=True)
    if not arms:  # then `run` gives its own arm alone
        return load_results(folder, judge=results.judge, arms="all")
    return results


def _ask(turn: _Turn, arms: tuple[Arm, ...], *, resume: bool) -> Results:
    """Asks what the run does not have yet; a RunError where the cost limit leaves rows out."""
    session = turn.session
    planned = turn.planned
    options: RunOptions = {**planned.options, "side": turn.side}
    results: Results = run(
        planned.model,
        session.plan.dataset,
        judge=planned.judge,
        out=planned.folder,
        resume=resume,
        arms=arms,
        progress=session.progress,
        prices=session.prices,
        again=session.again,
        images=session.images,
        max_cost=_remaining_cost(session.max_cost, turn.spent_before),
        one_format=True,
        **options,
    )
    _check_all_asked(results, session.again, turn.spent_before)
    return results


def _remaining_cost(max_cost: float | None, spent_before: float) -> float | None:
    """US dollars of the limit that other models did not take."""
    if max_cost is None:
        return None
    return max(max_cost - spent_before, _NEARLY_NOTHING)


def _check_all_asked(results: Results, again: WayToResume, spent_before: float) -> None:
    """A RunError where the cost limit left rows out, with what other models took of it."""
    open_rows = results.open_rows()
    if open_rows is None or results.info.max_cost is None:
        return
    other_models = f"{spent_before:.4g} USD went to other models; with the rest, " if spent_before else ""
    text = f"{results.model}: {other_models}{open_rows.state}; a higher limit includes what is already spent"
    raise RunError(text, way_out=replace(again, to="raise max_cost and resume it"))


def _follow_up_arms(plan: AnalysisPlan, results: Results) -> tuple[Arm, ...]:
    """Arms that can be named only when the first answers are there."""
    arms: list[Arm] = []
    for requested in plan.possible:
        if requested.analysis.follow_up is None:
            continue
        try:
            arms += requested.analysis.follow_up(results, requested.options)
        except NotPossible:  # `measure` says why
            continue
    return joined(arms)


def _read_answers(plan: AnalysisPlan, results: Results) -> None:
    """Has the models that the user named for it read the answers."""
    for requested in plan.possible:
        if requested.analysis.read is not None:
            requested.analysis.read(results, requested.options)
