"""Numbers in, estimates out; nothing here knows about refusals."""

from mossbench.statistics.agreement import Confusion, agreement, fleiss_kappa, macro_f1
from mossbench.statistics.paired import mcnemar_mid_p
from mossbench.statistics.proportions import Estimate, wilson, wilson_interval

__all__ = [
    "Confusion",
    "Estimate",
    "agreement",
    "fleiss_kappa",
    "macro_f1",
    "mcnemar_mid_p",
    "wilson",
    "wilson_interval",
]
