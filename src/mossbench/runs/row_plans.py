"""How many rows a rate takes, and what they would cost: `mossbench plan`."""

from dataclasses import dataclass
from typing import Any, Unpack

from mossbench.datasets import AnyData
from mossbench.errors import bad_option
from mossbench.judges import DEFAULT_JUDGE
from mossbench.judges.judge import AnyJudge
from mossbench.models.model import AnyModel
from mossbench.runs.forecast import forecast_run
from mossbench.statistics.estimates import wilson_interval
from mossbench.statistics.planning import n_for_interval
from mossbench.store.config import DEFAULT_DATA, RunOptions
from mossbench.store.prices import AnyPrices

NO_REFUSAL_OF = 300
"""A usual size of a set: how far no refusal in so many rows bounds a rate."""


@dataclass(frozen=True)
class RowPlan:
    """Rows of one side for a rate with its 95 % interval."""

    rate: float
    within: float
    n_rows: int
    low: float
    high: float
    """The ends of the interval of that rate on so many rows."""
    highest_of_none: float
    """The upper end where none of the rows is refused."""
    highest_of_none_of_300: float
    design_effect: float
    model: str | None = None
    data: str | None = None
    n_samples: int | None = None
    """Harmless requests of the data."""
    cost: float | None = None
    """US dollars with the judge; None: no model is named, or its price is not known."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def plan_rows(
    rate: float,
    within: float,
    *,
    model: AnyModel | None = None,
    data: AnyData = DEFAULT_DATA,
    judge: AnyJudge | None = DEFAULT_JUDGE,
    prices: AnyPrices | None = None,
    design_effect: float = 1.0,
    **options: Unpack[RunOptions],
) -> RowPlan:
    """How many rows it takes to know a rate this closely, and what asking a model would cost; nothing is sent.

    Args:
        rate: The rate that is expected, such as 0.003.
        within: How far the ends of its 95 % interval may be from it.
        model: Who would be asked; None: without a cost.
        data: Requests like those that would be asked: the cost of one is that of a harmless one of these.
        judge: Who would judge.
        prices: Prices beside the list's.
        design_effect: How many times more rows are needed because they come in scenes; 1: each row is a scene.
        options: Settings of the run.
    """
    if not 0 <= rate <= 1:
        raise bad_option("rate", f"is {rate:g}, expected a share from 0 to 1, such as 0.003")
    if not 0 < within < 1:
        raise bad_option("within", f"is {within:g}, expected a share between 0 and 1, such as 0.0004")
    if design_effect < 1:
        raise bad_option("design_effect", f"is {design_effect:g}, expected 1 or more")
    n_rows = n_for_interval(rate, within, design_effect=design_effect)
    n_independent = n_rows / design_effect
    low, high = wilson_interval(rate, n_independent)
    plan = RowPlan(
        rate=rate,
        within=within,
        n_rows=n_rows,
        low=low,
        high=high,
        highest_of_none=wilson_interval(0.0, n_independent)[1],
        highest_of_none_of_300=wilson_interval(0.0, NO_REFUSAL_OF)[1],
        design_effect=design_effect,
    )
    if model is None:
        return plan
    settings: RunOptions = {**options, "side": "benign"}
    forecast = forecast_run(model, data, judge=judge, prices=prices, **settings)
    cost = forecast.total_cost
    priced = None if cost is None or not forecast.n_requests else cost / forecast.n_requests * n_rows
    with_model = {"model": forecast.model, "data": forecast.data, "n_samples": forecast.n_requests, "cost": priced}
    return RowPlan(**{**vars(plan), **with_model})
