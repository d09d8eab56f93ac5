"""What a suite may cost, in all and by cell; and what its cells have cost.

As `max_cost` of a run, the limit of a suite counts what its cells have spent before: the same command, given again
after the limit is raised, goes on with what is left of it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from mossbench.errors import MossbenchError, RunError, UsageError
from mossbench.judges import load_judge
from mossbench.models import load_model
from mossbench.models.keys import without_keys
from mossbench.models.presets import with_retired_models
from mossbench.results.table import Results, load_results
from mossbench.runs.budget import check_limit, judge_prices
from mossbench.runs.inputs import model_options, read_prices
from mossbench.runs.suite_cells import Cell, Suite
from mossbench.store.prices import price_of
from mossbench.store.run_folder import RunFolder


@dataclass(frozen=True)
class CostLimit:
    """What one cell may cost, with what it has spent before."""

    dollars: float
    is_of_suite: bool
    """Whether the suite's limit leaves less than that of the cell."""
    max_cost: float
    """The limit as it was given, of the suite or of the cell."""
    spent_elsewhere: float
    """By other judges of the cell, and for that of the suite by its other cells."""

    def check(self) -> None:
        """A RunError if nothing is left: then no row of the cell is begun."""
        if self.dollars > 0:
            return
        spenders, key = ("other cells", "max_cost") if self.is_of_suite else ("its other judges", "max_cost_per_cell")
        raise RunError(
            f"not asked: {spenders} have spent {self.spent_elsewhere:.4f} of the {self.max_cost:g} US dollars that "
            f"{key} of the suite allows; raise {key} and run the same command again"
        )


def cost_limit_of(suite: Suite, cell: Cell, cells: Sequence[Cell]) -> CostLimit | None:
    """What a cell may cost now; None if nothing limits it."""
    limits = []
    by_other_judges = _spent_by_other_judges(cell)  # the run itself counts its answers and its own judge
    if cell.max_cost is not None:
        limits.append(CostLimit(cell.max_cost - by_other_judges, False, cell.max_cost, by_other_judges))
    if suite.max_cost is not None:
        elsewhere = by_other_judges + sum(spent_on(other) for other in cells if other.folder != cell.folder)
        limits.append(CostLimit(suite.max_cost - elsewhere, True, suite.max_cost, elsewhere))
    return min(limits, key=lambda limit: limit.dollars) if limits else None


def spent_on(cell: Cell) -> float:
    """US dollars that the answers and verdicts of a cell have cost, also of judges that read it before; as known."""
    results = _under_all_judges(cell)
    answers = [of_judge.spent().cost for of_judge in results[:1]]
    verdicts = [of_judge.spent().judge_cost for of_judge in results]
    return sum(cost for cost in (*answers, *verdicts) if cost is not None)


def _spent_by_other_judges(cell: Cell) -> float:
    """US dollars of verdicts by judges that are not the first of the cell, such as one that the suite had before."""
    first_judge = cell.judge_labels()[0] if cell.has_begun else None
    costs = [results.spent().judge_cost for results in _under_all_judges(cell) if results.judge != first_judge]
    return sum(cost for cost in costs if cost is not None)


def _under_all_judges(cell: Cell) -> list[Results]:
    """A cell under each judge that has verdicts in its folder; under none if there is none."""
    if not cell.has_begun:
        return []
    with suppress(MossbenchError):  # a damaged cell is reported when it is its turn
        labels = RunFolder(cell.folder).judges()
        return [load_results(cell.folder, judge=label) for label in labels] or [load_results(cell.folder)]
    return []


def spent_on_record(cell: Cell, results: Sequence[Results]) -> float | None:
    """US dollars of a cell that was run, with judges that read it before; None where a part is not known."""
    labels = {of_judge.judge for of_judge in results}
    earlier = [of_judge for of_judge in _under_all_judges(cell) if of_judge.judge not in labels]
    return spent_in([*results, *earlier])


def spent_in(results: Sequence[Results]) -> float | None:
    """US dollars of one run under each of its judges; None where a part is not known."""
    spent = [of_judge.spent() for of_judge in results]
    costs = [spent[0].cost, *(of_judge.judge_cost for of_judge in spent)]
    known_costs = [cost for cost in costs if cost is not None]
    return sum(known_costs) if len(known_costs) == len(costs) else None


def check_prices_known(suite: Suite, cell: Cell) -> None:
    """A UsageError where the cell has a limit that nobody can keep, since a model in it has no known price."""
    limit = cell.max_cost if cell.max_cost is not None else suite.max_cost
    if limit is None:
        return
    check_limit(limit, models_without_price(suite, cell))
    with without_keys(), with_retired_models():
        paid_judges = [judge for judge in cell.judges[1:] if load_judge(judge).bills()]
    if paid_judges:
        raise UsageError(
            f"max_cost of suite {suite.name!r} limits what the first judge costs, and {paid_judges[0]} reads the "
            "answers afterwards; name it first or alone, or omit max_cost"
        )


def models_without_price(suite: Suite, cell: Cell) -> list[str]:
    """Models of a cell, or of its judges, whose price is not known."""
    prices = read_prices(suite.prices)
    with without_keys(), with_retired_models():
        model = load_model(cell.model, **model_options(cell.options))
        judges = [load_judge(judge) for judge in cell.judges]
    base_url = cell.options.get("base_url")
    params = cell.options.get("params", {})
    price = price_of(model.name, base_url=base_url, prices=prices, params=params)
    names = [] if price else [model.name]
    for judge in judges:
        known_prices = judge_prices(judge, prices)
        names += [bill.model for bill in judge.bills() if bill.model not in known_prices]
    return list(dict.fromkeys(names))
