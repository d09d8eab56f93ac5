"""Numbers in, estimates out; nothing here knows about refusals."""

from mossbench.statistics.proportions import Estimate, wilson

__all__ = ["Estimate", "wilson"]
