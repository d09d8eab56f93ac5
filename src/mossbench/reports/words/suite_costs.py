"""What a suite would cost and has cost, in words, and why a cost is unknown."""

from collections.abc import Sequence

from mossbench.errors import some
from mossbench.look.numbers import dollars
from mossbench.runs.forecast import Forecast
from mossbench.runs.suite_cells import Suite
from mossbench.runs.suites import CellForecast, SuiteRun

HOW_TO_PRICE = (
    'write prices, in US dollars per million tokens, to a file, such as {"NAME": {"input": 2.5, "output": 10}}, and '
    "name it with prices = in the suite or --prices"
)

MOST_CELLS = 3
"""Cells that are named with a limit of their own, at most."""


def forecast_cost_lines(suite: Suite, forecasts: Sequence[CellForecast]) -> list[str]:
    """Why costs are unknown, each reason once, and what the limits of the suite are."""
    reasons: dict[str, None] = {}
    for cell_forecast in forecasts:
        reasons |= dict.fromkeys(why_cost_unknown(cell_forecast.forecast))
    lines = [f"Cost unknown: {reason}." for reason in reasons]
    if any("no price" in reason for reason in reasons):
        lines.append(f"To know it, {HOW_TO_PRICE}.")
    if suite.max_cost is not None:
        lines.append(_limit_line(suite.max_cost, forecasts))
    return [*lines, *_limits_of_cells(forecasts)]


def _limits_of_cells(forecasts: Sequence[CellForecast]) -> list[str]:
    """The limits of single cells, with the cells where not all have the same."""
    cells_by_limit: dict[float, list[str]] = {}
    for forecast in forecasts:
        if forecast.cell.max_cost is not None:
            cells_by_limit.setdefault(forecast.cell.max_cost, []).append(forecast.cell.names.label)
    lines = []
    for limit, labels in sorted(cells_by_limit.items()):
        cells = "" if len(labels) == len(forecasts) else f" for {some(labels, MOST_CELLS)}"
        lines.append(f"max_cost_per_cell: {dollars(limit)}{cells}.")
    return lines


def why_cost_unknown(forecast: Forecast) -> list[str]:
    """Empty where the cost is known."""
    reasons = []
    if forecast.price is None:
        reasons.append(f"no price for {forecast.model}")
    elif forecast.cost is None:
        reasons.append(f"how many tokens an image counts as is unknown for {forecast.model}; try a few samples first")
    for calls in forecast.judging:
        if calls.price is None:
            reasons.append(f"no price for the judging model {calls.model}")
        elif calls.cost is None:
            reasons.append(f"how many tokens an image counts as is unknown for the judging model {calls.model}")
    return reasons


def _limit_line(max_cost: float, forecasts: Sequence[CellForecast]) -> str:
    costs = [forecast.forecast.total_cost for forecast in forecasts]
    known_costs = [cost for cost in costs if cost is not None]
    limit = f"max_cost of the suite: {dollars(max_cost)}"
    if len(known_costs) < len(costs):
        return f"{limit}; whether it is enough is unknown."
    total = sum(known_costs)
    enough = "more than is expected" if total <= max_cost else "less than is expected, so cells would be left unasked"
    return f"{limit}, {enough} ({dollars(total)})."


def suite_spent_line(suite_run: SuiteRun) -> str:
    """What the cells have cost on record, in all sessions; with what limits them."""
    spent = [cell_run.spent for cell_run in suite_run.cells if cell_run.results or cell_run.spent is not None]
    known_costs = [cost for cost in spent if cost is not None]
    n_unknown = len(spent) - len(known_costs)
    limit = suite_run.suite.max_cost
    text = f"Spent: {dollars(sum(known_costs))}"
    if n_unknown:
        text += f" without {n_unknown} of {len(spent)} cells, whose cost is not known in full"
    return f"{text}, of {dollars(limit)} allowed." if limit is not None else f"{text}."
