"""The rates of runs with what is known of their judge's errors: facts, no sentences (`words.judge_lines` has these)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mossbench.outcomes import Rule
from mossbench.reports.record import Report
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side


@dataclass(frozen=True)
class JudgedRates:
    """The rates of one run, and what is known of its judge's errors."""

    name: str
    """Of the run, among those that are shown together."""
    judge: str
    rates: Sequence[Rate]
    """One for each side that is shown."""
    why_not_corrected: str = ""
    """Why rates without labels are not corrected; empty if they are."""
    labels_unused: Mapping[Side, str] = field(default_factory=dict)
    """Why people's labels do not correct the rates of a side; only for sides where that is so."""


def rates_of_results(name: str, results: Results, rule: Rule | str) -> JudgedRates | None:
    """The overall rates of a run; None if nobody has judged it."""
    if results.judge is None:
        return None
    rates = results.rates(rule=rule, by=None)
    correction = results.correction(rule)
    labels_unused = {rate.side: correction.labels_unused(rate.side) for rate in rates}
    return JudgedRates(
        name=name,
        judge=results.judge,
        rates=rates,
        why_not_corrected=correction.why_not,
        labels_unused={side: why for side, why in labels_unused.items() if why},
    )


def headline_rates(reports: Sequence[Report], names: Sequence[str]) -> list[JudgedRates]:
    """The headline's rate of each report whose run was judged; `names` are those of the runs."""
    return [
        JudgedRates(name, report.judge, [report.rate])
        for report, name in zip(reports, names, strict=True)
        if report.judge is not None
    ]
