"""Rates as they show themselves in a notebook and a console: a small table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mossbench.plumbing.frames import NOT_GIVEN, FramedLines
from mossbench.results.rates import Rate
from mossbench.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd

NOT_KNOWN = "not known"


class Rates(FramedLines[Rate]):
    """Refusal rates; `df()` has all that is known of them."""

    def df(self) -> pd.DataFrame:
        from mossbench.results.tidy import rates_frame

        return rates_frame(self)

    def shown_lines(self) -> list[dict[str, Any]]:
        return [_shown(rate, is_any_corrected=any(other.corrected for other in self)) for rate in self]

    def title(self) -> str:
        return "Share refused, with 95 % intervals" if self else "No rates"


def _shown(rate: Rate, *, is_any_corrected: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "requests": rate.side.adjective,
        "group": rate.group,
        "refused": share_text(rate.estimate) if rate.is_known else NOT_KNOWN,
        "counted": f"{rate.estimate.n} of {rate.estimate.n + rate.estimate.n_left_out}",
    }
    if is_any_corrected:
        line["corrected"] = share_text(rate.corrected.estimate) if rate.corrected else None
    return line


def share_text(estimate: Estimate) -> str:
    """`12.5 % [4.1–31.0]`; only the ends where no value is known, a dash where nothing counts."""
    if not estimate.n:
        return NOT_GIVEN
    value = "" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f} % "
    if math.isnan(estimate.low):
        return value.strip() or NOT_GIVEN
    return f"{value}[{100 * estimate.low:.1f}–{100 * estimate.high:.1f}]"
