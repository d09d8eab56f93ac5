"""Results: the rows of a run as they count (`table`), their `rates`, `twins`, `comparisons` and `gates`.

`calibration` says how often the intervals hold what was planted in a control model.
"""

from mossbench.outcomes import MAX_FAILED
from mossbench.results.rates import Rate
from mossbench.results.table import (
    ResultRow,
    Results,
    Spent,
    check_ready,
    load_results,
    too_many_failed,
)

__all__ = [
    "MAX_FAILED",
    "Rate",
    "ResultRow",
    "Results",
    "Spent",
    "check_ready",
    "load_results",
    "too_many_failed",
]
