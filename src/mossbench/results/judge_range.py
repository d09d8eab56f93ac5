"""Where a rate may lie if the judge errs as much as on its worst measured source: shown where no rate is corrected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mossbench.judges.languages.detect import ENGLISH
from mossbench.judges.measured import WorstErrors, worst_errors
from mossbench.judges.measured_languages import worst_language
from mossbench.outcomes import Counted, Key, Layer, Rule, counted
from mossbench.results.corrected_rates import without_missing
from mossbench.results.labels import Labels
from mossbench.results.missing import widened_rate
from mossbench.results.rates import JudgeRange, Rate
from mossbench.results.row_columns import judged_rows
from mossbench.results.row_languages import languages_read, read_in_another_language
from mossbench.results.unfamiliar import count_unfamiliar
from mossbench.statistics import Confusion, Estimate

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow

FEWEST_TO_DISPROVE = 10
"""The fewest labelled refusals (or answers) of a run whose errors can disprove errors measured elsewhere."""


def judge_range_of(
    rate: Rate, rows: Sequence[ResultRow], *, rule: Rule, judge: str, labels: Labels
) -> JudgeRange | None:
    """Where the rate may lie if the judge misses and invents at most as much as on its worst measured source.

    Of the share q of judged answers that is read as refused, at least (q - b) / (1 - b) are refusals if it invents b,
    and at most q / (1 - a) if it misses a. Both ends of the interval as read are moved outwards by that, times the
    share of rows that the judge has read; so the range always holds the interval. Worked number: q in [0.10, 0.20],
    a = 0.34, b = 0.08, all rows read: [0.022, 0.303].
    """
    judged = judged_rows(rows)
    n_judged = len(judged)
    if rule is Rule.STRICT or not n_judged or math.isnan(rate.estimate.low):
        return None
    worst = errors_to_expect(judge, languages_read(judged))
    if worst is None or not rate.is_known_as_read or _labels_show_more(worst, rows, rule, labels):
        return None  # errors measured on other answers say nothing about these
    as_read = without_missing(rate.estimate, rate.n_missing)
    n_in_doubt = count_unfamiliar(read_in_another_language(judged))
    widened = widened_rate(_moved_outwards(as_read, n_judged, worst, n_in_doubt), rate.n_missing)
    sources = _join_sources(worst.misses_on, worst.invents_on)
    return JudgeRange(widened.low, widened.high, worst.misses, worst.invents, sources)


def errors_to_expect(judge: str, languages: Sequence[str]) -> WorstErrors | None:
    """The largest errors of the judge on answers in these languages; None where they were not measured."""
    in_english = worst_errors(judge)
    others = worst_language(judge, languages)
    if others is None:
        return in_english
    most_misses, most_inventions = others
    of_others = WorstErrors(most_misses.misses, most_misses.on, most_inventions.invents, most_inventions.on)
    if ENGLISH not in languages or in_english is None:
        return of_others
    misses, misses_on = max((in_english.misses, in_english.misses_on), (of_others.misses, of_others.misses_on))
    invents, invents_on = max((in_english.invents, in_english.invents_on), (of_others.invents, of_others.invents_on))
    return WorstErrors(misses, misses_on, invents, invents_on)


def _moved_outwards(as_read: Estimate, n_judged: int, worst: WorstErrors, n_in_doubt: int = 0) -> Estimate:
    """The interval as read, with both ends moved by what the judge may miss and invent on the rows it has read.

    The other rows that count are refusals that no judge reads, and stay as they are. At the upper end all
    `n_in_doubt` answers (unfamiliar, in another language than English) are refusals.
    """
    n_certain = as_read.n - n_judged
    low_of_judged = max(0.0, (as_read.low * as_read.n - n_certain) / n_judged)
    high_of_judged = min(1.0, (as_read.high * as_read.n - n_certain) / n_judged)
    least = max(0.0, (low_of_judged - worst.invents) / (1 - worst.invents))
    with_doubted = high_of_judged + n_in_doubt / n_judged
    most = min(1.0, with_doubted / (1 - worst.misses)) if worst.misses < 1 else 1.0
    share_judged = n_judged / as_read.n
    return replace(
        as_read,
        low=max(0.0, as_read.low - share_judged * (low_of_judged - least)),
        high=min(1.0, as_read.high + share_judged * max(0.0, most - high_of_judged)),
    )


def _labels_show_more(worst: WorstErrors, rows: Sequence[ResultRow], rule: Rule, labels: Labels) -> bool:
    """Whether labels of this run, however they were chosen, show larger errors than any measured source."""
    all_labels = {**labels.of_unknown_choice, **labels.at_random}
    own = own_errors(rows, rule, all_labels)
    n_refusals = own.true_yes + own.false_no
    n_answers = own.true_no + own.false_yes
    misses_more = n_refusals >= FEWEST_TO_DISPROVE and own.false_no / n_refusals > worst.misses
    invents_more = n_answers >= FEWEST_TO_DISPROVE and own.false_yes / n_answers > worst.invents
    return misses_more or invents_more


def _join_sources(*sources: str) -> str:
    return "; ".join(dict.fromkeys(sources))


def own_errors(rows: Sequence[ResultRow], rule: Rule, labels: Mapping[Key, bool]) -> Confusion:
    """The judge's errors on the rows that have both a label and a verdict."""
    truths = []
    readings = []
    for row in rows if labels else ():
        if row.key not in labels or row.outcome.layer is not Layer.JUDGED:
            continue
        reading = counted(row.outcome, rule)
        if reading is not Counted.UNKNOWN:
            truths.append(labels[row.key])
            readings.append(reading is Counted.REFUSED)
    return Confusion.of(truths, readings)
