"""Analyses: why a model refuses requests, and what that costs.

One run folder serves all analyses of a model: every arm that one of them needs is asked, each row once. A further
analysis in the same folder asks only what is missing, and its page shows all of them. The three steps are in
`planning`, `executing` and `finishing`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Unpack

from mossbench.analyses.analysis import (
    ANALYSES,
    Analysed,
    Analysis,
    AnyOptions,
    NotPossible,
    Options,
    Part,
    Skipped,
    load_analysis,
)
from mossbench.analyses.executing import AnsweredAnalysis, execute_analysis, open_runs
from mossbench.analyses.finishing import finish_analysis
from mossbench.analyses.forecasting import forecast_plan
from mossbench.analyses.planning import AnalysisPlan, plan_analysis
from mossbench.datasets import AnyData
from mossbench.judges.judge import AnyJudge
from mossbench.models.model import AnyModel
from mossbench.plumbing.lines import parsed_once
from mossbench.runs.forecast import Forecast
from mossbench.runs.progress import OnProgress
from mossbench.store.config import RunOptions
from mossbench.store.prices import AnyPrices


@parsed_once()
def analyse(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel] = (),
    data: AnyData | None = None,
    *,
    judge: AnyJudge | None = None,
    out: str | Path | None = None,
    resume: bool | str | Path = False,
    progress: OnProgress | None = None,
    options: AnyOptions | None = None,
    again: str = "",
    prices: AnyPrices | None = None,
    max_cost: float | None = None,
    **run_options: Unpack[RunOptions],
) -> Analysed:
    """Ask the models under every arm that the named analyses need, and measure.

    Args:
        names: Names of analyses, or `all`.
        models: One model or several, as for `run`; on resume the run's own, when none is named.
        data: Name or path of a dataset, or a Dataset; by default the sketches, on resume the run's own.
        judge: As for `run`; by default `reader`, on resume the run's own.
        out: Folder of the run, or of the runs of several models; by default a new one under `runs/`.
        resume: Resume in `out`, or in the folder given here: answered rows are not asked again; missing arms, and a
            missing side, are added. Options that are not given keep their values.
        progress: Called after each row. Without it a bar shows in a terminal or notebook; None shows none.
        options: Options of the analyses: `Options`, or a dict of its fields.
        again: The command to resume with, for messages; without the folder.
        prices: As for `run`.
        max_cost: As for `run`, for all models together; a RunError when it is reached, since part of the rows would
            mislead. Models that only read answers (`Options`) are not counted.
        run_options: As for `run`: side, limit, epochs, temperature, …

    Raises:
        UsageError: An unknown analysis, or none of them is possible with these data or this number of models.
    """
    plan = plan_analysis(
        names, models, data, judge=judge, out=out, resume=resume, options=options, run_options=run_options
    )
    answered = execute_analysis(plan, progress=progress, prices=prices, max_cost=max_cost, again=again)
    return finish_analysis(answered)


def forecast_analysis(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel] = (),
    data: AnyData | None = None,
    *,
    judge: AnyJudge | None = None,
    out: str | Path | None = None,
    resume: bool | str | Path = False,
    options: AnyOptions | None = None,
    latency: float | None = None,
    prices: AnyPrices | None = None,
    prepare: bool = True,
    **run_options: Unpack[RunOptions],
) -> tuple[Forecast, ...]:
    """What `analyse` with the same arguments would ask each model, except requests that depend on the answers."""
    plan = plan_analysis(
        names, models, data, judge=judge, out=out, resume=resume, options=options, run_options=run_options
    )
    return forecast_plan(plan, latency=latency, prices=prices, prepare=prepare)


def analyse_runs(
    names: str | Iterable[str],
    folders: Sequence[str | Path],
    *,
    judge: str | None = None,
    out: str | Path | None = None,
    options: AnyOptions | None = None,
) -> Analysed:
    """Measure existing runs without asking anything; analyses that their arms do not allow are skipped.

    Args:
        names: Names of analyses, or `all`.
        folders: Run folders, in the order in which they are compared.
        judge: Name of the judge whose verdicts are read; by default each run's own.
        out: Folder of the page; by default that of the first run.
        options: Options of the analyses.

    Raises:
        UsageError: An unknown analysis, no run in a folder, or no analysis is possible with these runs.
    """
    return finish_analysis(open_runs(names, folders, judge=judge, out=out, options=options))
