"""The third step of an analysis: measures the answers, and says what a reader has to know of them first.

`reports.analyses` writes the page of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from mossbench.analyses.analysis import ANALYSES, Analysed, NotPossible, Options, Part, Skipped, load_analysis
from mossbench.analyses.claims import adjust_parts
from mossbench.analyses.executing import AnsweredAnalysis
from mossbench.analyses.planning import RequestedAnalysis, nothing_possible
from mossbench.analyses.run_caveats import confounders, missing_rows, n_missing
from mossbench.analyses.saved import earlier_options
from mossbench.errors import MossbenchError
from mossbench.messages import Message
from mossbench.outcomes import Rule
from mossbench.results.comparison_notes import read_by_another
from mossbench.results.comparison_words import read_by_another_message
from mossbench.results.one_judge import with_one_judge
from mossbench.results.table import Results

Measured = TypeVar("Measured", Results, Sequence[Results])
"""One run, or several."""


def finish_analysis(answered: AnsweredAnalysis) -> Analysed:
    """The parts that were asked for, and those that the folder's page shows already, in the order of `ANALYSES`.

    Raises:
        NotPossible: Nothing that was asked for can be done with these runs.
    """
    answered = replace(answered, runs=tuple(with_one_judge(answered.runs)))
    rule = answered.requested[0].options.rule
    parts: list[Part] = []
    for measurement in _measurements(answered, rule):
        parts += _measure(measurement, answered.runs)
    parts = adjust_parts(parts)
    asked_names = [requested.name for requested in answered.requested]
    asked_records = [part.record for part in parts if part.name in asked_names]
    skipped = [record for record in asked_records if isinstance(record, Skipped)]
    if len(skipped) == len(asked_records):
        raise nothing_possible(skipped)
    return Analysed(
        runs=answered.runs,
        parts=tuple(parts),
        folder=answered.folder,
        notices=(*_notices_of_runs(answered.runs, rule), *answered.notices),
        asked=tuple(asked_names),
        stem=answered.stem,
        rule=rule,
    )


@dataclass(frozen=True)
class _Measurement:
    """One analysis that is measured now."""

    requested: RequestedAnalysis
    skips_on: type[MossbenchError]
    """The errors for which it is skipped: an earlier one must not stop what was asked for now."""


def _measurements(answered: AnsweredAnalysis, rule: Rule) -> list[_Measurement]:
    """What was asked for now, and the earlier ones in the folder: rows of a later analysis may count in them."""
    by_name: dict[str, _Measurement] = {}
    for name, options in earlier_options(answered.folder, answered.stem, answered.runs).items():
        earlier = RequestedAnalysis(load_analysis(name), replace(options, rule=rule))
        by_name[name] = _Measurement(earlier, skips_on=MossbenchError)
    for requested in answered.requested:
        by_name[requested.name] = _Measurement(requested, skips_on=NotPossible)
    return [by_name[name] for name in ANALYSES if name in by_name]


def _measure(measurement: _Measurement, runs: Sequence[Results]) -> list[Part]:
    """The analysis of each run, and across them where it has such a record."""
    requested = measurement.requested
    if requested.skipped is not None:
        return [Part(requested.name, model="", record=requested.skipped)]
    analysis = requested.analysis
    parts = []
    if analysis.measure is not None:
        for run in runs:
            record = _record_or_reason(measurement, analysis.measure, run)
            parts.append(_part(requested, run.model, record, [run]))
    if analysis.across is not None and (len(runs) > 1 or analysis.measure is None):
        record = _record_or_reason(measurement, analysis.across, runs)
        parts.append(_part(requested, "", record, runs))
    return parts


def _record_or_reason(
    measurement: _Measurement, measure: Callable[[Measured, Options], object], measured: Measured
) -> object:
    """What the analysis finds in a run, or in several; or why it is skipped."""
    try:
        return measure(measured, measurement.requested.options)
    except measurement.skips_on as error:
        return Skipped(error.message)


def _part(requested: RequestedAnalysis, model: str, record: object, runs: Sequence[Results]) -> Part:
    return Part(
        name=requested.name,
        model=model,
        record=record,
        options=requested.options,
        n_rows=sum(len(run) for run in runs),
        n_missing=sum(n_missing(run) for run in runs),
    )


def _notices_of_runs(runs: Sequence[Results], rule: Rule) -> list[Message]:
    """What did not come back, and what else the arms differ in; with several models, of which one."""
    notices: list[Message] = []
    for run in runs:
        notices_of_run = [*missing_rows(run, rule), *confounders(run)]
        if len(runs) > 1:
            notices_of_run = [notice.after(f"{run.model}: ") for notice in notices_of_run]
        reread = read_by_another(run.name, run)
        if reread is not None:
            notices.append(read_by_another_message(reread))
        notices += notices_of_run
    return notices
