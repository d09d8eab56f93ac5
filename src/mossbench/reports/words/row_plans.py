"""What `mossbench plan` says: rows, what no refusal among them would show, and cost."""

from mossbench.look.numbers import dollars
from mossbench.runs.row_plans import NO_REFUSAL_OF, RowPlan


def plan_lines(plan: RowPlan) -> list[str]:
    rows = "1 row" if plan.n_rows == 1 else f"{plan.n_rows:,} rows"
    lines = [
        f"{rows}: a rate of {_percent(plan.rate)} then has a 95 % interval from {_percent(plan.low)} to "
        f"{_percent(plan.high)}.",
        f"If none of them is refused, the rate is below {_percent(plan.highest_of_none)}; none of {NO_REFUSAL_OF} "
        f"shows only that it is below {_percent(plan.highest_of_none_of_300)}.",
    ]
    if plan.design_effect > 1:
        lines.append(f"This is {plan.design_effect:g} times as many as rows of separate scenes would take.")
    else:
        lines.append(
            "Each row is taken to be a scene of its own: rows that share scenes, and epochs of a sample, tell less "
            "(--design-effect)."
        )
    lines.append(
        "This is the error of sampling alone: a judge that takes 1 answer in 1,000 for a refusal adds 0.10 points."
    )
    if plan.model is not None:
        lines.append(_cost_line(plan))
    return lines


def _cost_line(plan: RowPlan) -> str:
    samples = f"{plan.data} has {plan.n_samples:,} harmless requests"
    if plan.cost is None:
        return f"The cost with {plan.model} is unknown; {samples}. Nothing was sent."
    return f"About {dollars(plan.cost)} with {plan.model}, judge included; {samples}. Nothing was sent."


def _percent(share: float) -> str:
    """With enough digits to tell small rates apart."""
    return f"{100 * share:.3g} %"
