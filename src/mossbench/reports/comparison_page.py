"""A comparison as a page: which tables there are, and where every difference stands on one axis around zero."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mossbench.look.numbers import p_value, signed
from mossbench.reports.comparison_text import headline, sentences
from mossbench.reports.tables import SIDES, short_name
from mossbench.results.comparisons import Comparison, Difference
from mossbench.samples import Side

_TITLES = {"stimulus": "By stimulus", "harm": "By harm class"}
_TOPS = (5, 10, 20, 30, 40, 50, 60, 80, 100)


def comparison_values(by: Mapping[str, Comparison]) -> dict[str, Any]:
    """All that the page says of the comparison, whose differences are there by one or more columns."""
    found = next(iter(by.values()))
    top = _top(one for comparison in by.values() for one in comparison.differences)
    return {
        "headline": headline(found),
        "findings": [text for text in sentences(found) if text.removesuffix(".") not in found.asked_differently],
        "found": found,
        "names": [short_name(name) for name in found.runs],
        "top": top,
        "others": [_other(second, by, top) for second in found.runs[1:]],
        "unpaired": [(short_name(name), n) for name, n in found.n_unpaired.items() if n],
    }


def _top(differences: Iterable[Difference]) -> int:
    """Points to either side of zero: the shortest axis that holds all intervals."""
    known = [abs(x) for one in differences for x in (one.estimate.low, one.estimate.high, one.estimate.value)]
    most = max((100 * x for x in known if not math.isnan(x)), default=0)
    return next(top for top in _TOPS if most <= top + 1e-9)


def _other(second: str, by: Mapping[str, Comparison], top: int) -> dict[str, Any]:
    """The tables of one run that is compared with the first: one for each side."""
    sides = []
    for side in Side:
        parts = [("", _rows(next(iter(by.values())).differences, second, side, top, total=True))]
        for column, comparison in by.items():
            rows = _rows(comparison.differences, second, side, top, total=False)
            parts += [(_TITLES.get(column, f"By {column}"), rows)] if len(rows) > 1 else []
        if parts[0][1]:
            sides.append({"side": side, "title": f"{SIDES[side].capitalize()} requests", "parts": parts})
    return {"run": second, "name": short_name(second), "sides": sides}


def _rows(differences: Sequence[Difference], second: str, side: Side, top: int, *, total: bool) -> list[dict[str, Any]]:
    those = [one for one in differences if (one.second, one.side) == (second, side) and (one.group == "all") == total]
    return [_row(one, top) for one in those]


def _row(one: Difference, top: int) -> dict[str, Any]:
    estimate = one.estimate
    says = "not shown" if not one.told_apart else "more" if estimate.value > 0 else "fewer"
    ends = "–" if math.isnan(estimate.low) else f"{signed(estimate.low)} to {signed(estimate.high)}"
    places = {name: _place(getattr(estimate, name), top) for name in ("low", "value", "high")}
    return {
        "name": "All" if one.group == "all" else one.group,
        "rates": one.rates,
        "points": "–" if math.isnan(estimate.value) else signed(estimate.value).replace("+0.0", "0.0"),
        "ends": ends,
        "places": places,
        "now_answered": one.only_first,
        "now_refused": one.only_second,
        "n": estimate.n,
        "n_left_out": estimate.n_left_out,
        "p": p_value(one.p_adjusted),
        "says": says,
    }


def _place(difference: float, top: int) -> str:
    """Where it stands between minus and plus `top` points, as an SVG length; empty where it is not known."""
    return "" if math.isnan(difference) else f"{50 + 5000 * difference / top:.2f}%"
