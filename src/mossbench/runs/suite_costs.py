"""What a suite may cost, in all and by cell; and what its cells have cost.

As `max_cost` of a run, the limit of a suite counts what its cells have spent before: the same command, given again
after the limit is raised, goes on with what is left of it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mossbench.errors import MossbenchError, RunError, UsageError
from mossbench.judges import load_judge
from mossbench.models import load_model
from mossbench.models.keys import without_keys
from mossbench.models.presets import with_retired_models
from mossbench.results.table import Results, load_results
from mossbench.runs.budget import check_limit, judge_prices
from mossbench.runs.inputs import model_options, read_prices
from mossbench.runs.planning import spent_on_record
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
    spent_by_others: float

    def check(self) -> None:
        """A RunError if other cells have left nothing: then no row of this one is begun."""
        if self.is_of_suite and self.dollars <= 0:
            raise RunError(
                f"not asked: the other cells have spent {self.spent_by_others:.4f} of the {self.max_cost:g} US dollars "
                "that max_cost of the suite allows; raise max_cost and run the same command again"
            )


def cost_limit_of(suite: Suite, cell: Cell, cells: Sequence[Cell]) -> CostLimit | None:
    """What a cell may cost now; None if nothing limits it."""
    limits = []
    if cell.max_cost is not None:
        limits.append(CostLimit(cell.max_cost, False, cell.max_cost, 0.0))
    if suite.max_cost is not None:
        spent_by_others = sum(spent_on(other) for other in cells if other.folder != cell.folder)
        limits.append(CostLimit(suite.max_cost - spent_by_others, True, suite.max_cost, spent_by_others))
    return min(limits, key=lambda limit: limit.dollars) if limits else None


def spent_on(cell: Cell) -> float:
    """US dollars that a cell has cost with all judges on record; parts whose price is not known count as 0."""
    with suppress(MossbenchError):  # a damaged cell is reported when it is its turn
        return spent_on_record(RunFolder(cell.folder))
    return 0.0


def spent_in(folder: Path, results: Sequence[Results]) -> float | None:
    """US dollars of one run with all judges on record; None where a part is not known.

    `results` are the run under each judge of the suite: judges that the suite no longer names were paid for too.
    """
    labels = {of_judge.judge for of_judge in results}
    try:
        former = [load_results(folder, judge=label) for label in RunFolder(folder).judges() if label not in labels]
    except MossbenchError:  # verdicts that the suite does not need are damaged
        return None
    spent = [of_judge.spent() for of_judge in (*results, *former)]
    costs = [spent[0].cost, *(of_judge.judge_cost for of_judge in spent)]
    known_costs = [cost for cost in costs if cost is not None]
    return sum(known_costs) if len(known_costs) == len(costs) else None


def check_prices_known(suite: Suite, cell: Cell) -> None:
    """A UsageError where the cell has a limit that nobody can keep, since a model in it has no known price."""
    limit = cell.max_cost if cell.max_cost is not None else suite.max_cost
    if limit is None:
        return
    option = "max_cost_per_cell" if cell.max_cost is not None else "max_cost"
    check_limit(limit, models_without_price(suite, cell))
    with without_keys(), with_retired_models():
        paid_judges = [judge for judge in cell.judges if load_judge(judge).bills()]
    paid_afterwards = [judge for judge in cell.judges[1:] if judge in paid_judges]
    if paid_afterwards:
        way_out = (
            "name it first or alone" if len(paid_judges) == 1 else "keep one judge that costs money, and name it first"
        )
        raise UsageError(
            f"{option} of suite {suite.name!r} limits what the first judge costs, and {paid_afterwards[0]} reads the "
            f"answers afterwards; {way_out}, or omit {option}"
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
