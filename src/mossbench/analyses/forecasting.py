"""What an analysis would ask of each model: the dry run of a plan. Sends nothing."""

from dataclasses import replace

from mossbench.analyses.planning import AnalysisPlan
from mossbench.runs.forecast import Forecast, forecast_run
from mossbench.runs.row_asking import answered_keys
from mossbench.store.config import RunOptions
from mossbench.store.prices import AnyPrices
from mossbench.store.run_folder import RunFolder


def forecast_plan(
    plan: AnalysisPlan, *, latency: float | None, prices: AnyPrices | None, prepare: bool
) -> tuple[Forecast, ...]:
    """A forecast for each model; the arguments beside the plan are those of `forecast_run`."""
    notices = _notices_of_uncounted_calls(plan)
    forecasts = []
    for planned in plan.runs:
        options: RunOptions = {**planned.options, "side": plan.side}
        forecast = forecast_run(
            planned.model,
            plan.dataset,
            judge=planned.judge,
            latency=latency,
            prices=prices,
            arms=plan.arms,
            done=answered_keys(RunFolder(planned.folder)),
            prepare=prepare,
            **options,
        )
        forecasts.append(replace(forecast, notices=(*forecast.notices, *notices)))
    return tuple(forecasts)


def _notices_of_uncounted_calls(plan: AnalysisPlan) -> list[str]:
    notices = []
    if any(requested.analysis.follow_up for requested in plan.possible):
        notices.append("not counted: further requests about refused samples, which depend on the answers")
    if plan.reading_models:
        notices.append("not counted: calls to a model that reads refusals or captions")
    return notices
