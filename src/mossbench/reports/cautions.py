"""What weakens a report's headline, worst first. Each function yields a caution only if there is a reason for it.

Cautions are records (`caution_figures`); `words.cautions` has their sentences.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from mossbench.judges.measured import measured
from mossbench.outcomes import MAX_FAILED, Counted, Layer, Outcome, Rule, Stop, counted
from mossbench.protocols import without_folders
from mossbench.reports import caution_figures as figures
from mossbench.reports.caution_figures import CautionFigures
from mossbench.reports.record import Caution, JudgeError
from mossbench.reports.words.cautions import caution_words
from mossbench.results.answerers import by_another
from mossbench.results.rates import Rate, groups_of, layers_of, rate_of
from mossbench.results.row_columns import (
    answers_in_counts,
    count_samples,
    first_answers,
    of_side,
    units_of,
    verdicts_in_counts,
    with_outcome,
)
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.unread import most_common_reason
from mossbench.samples import Side
from mossbench.statistics import Estimate, shown_between

MIN_SAMPLES_PER_GROUP = 50
"""With fewer samples in a group, or in all, a caution says so."""
MAX_SHARE_MISJUDGED = 0.1
"""A caution says so if a judge gets more than this share of the labelled answers wrong."""
_MAX_REASON = 200
"""Characters."""
_LEVEL = 0.05
"""Significance level of all pairs of groups together."""
_ROUNDING = 1e-9
"""Added before rounding down, so that 30.0 points do not become 29."""


def cautions(results: Results, rate: Rate, rule: Rule, error: JudgeError) -> tuple[Caution, ...]:
    """All cautions about the headline's `rate`, and about the other side if it was asked; worst first."""
    return tuple(_caution(record) for record in _worst_first(results, rate, rule, error))


def cautions_in_progress(cautions: Sequence[Caution]) -> tuple[Caution, ...]:
    """The cautions of a run in progress: missing answers will come, so nobody is asked to resume it."""
    return tuple(_caution_in_progress(caution) for caution in cautions)


def _caution_in_progress(caution: Caution) -> Caution:
    unfinished = caution.figures
    if not isinstance(unfinished, figures.Unfinished):
        return caution
    return _caution(figures.InProgress(unfinished.open_rows, unfinished.bounds))


def _caution(record: CautionFigures) -> Caution:
    words = caution_words(record)
    return Caution(words.claim, words.text, record.kind, record)


def _worst_first(results: Results, rate: Rate, rule: Rule, error: JudgeError) -> Iterator[CautionFigures]:
    """The order here is the order on the page. Rows that were left out weigh more if many requests failed."""
    rows_by_side = {side: of_side(results.rows, side) for side in Side}
    rows = rows_by_side[rate.side]
    left_out_many: list[CautionFigures] = []
    left_out_few: list[CautionFigures] = []
    for side, rows_of_side in rows_by_side.items():
        left_out = list(_left_out(results, rows_of_side, side, rule))
        if _has_many_failed(rows_of_side):
            left_out_many += left_out
        else:
            left_out_few += left_out
    yield from _unfinished(results, rule)
    yield from left_out_many
    yield from judge_errors(rate, error)
    yield from _stood_in(results, rule)
    yield from _model_changed(results)
    yield from _judge_failed(results)
    yield from left_out_few
    yield from _not_its_words(rows, rate, rule)
    yield from _instrument(results, rule, error)
    if not rate.is_known:
        yield figures.Unfamiliar(rate.n_unfamiliar, rate.layers[Layer.JUDGED])
    yield from _as_asked(results)
    yield from too_few_rows(rows, rate, rule)
    yield from _scenes(rate)
    for notice in results.info.notices:
        yield figures.Note(notice)


def _has_many_failed(rows: Sequence[ResultRow]) -> bool:
    n_of_layer = layers_of(rows)
    n_rows = len(rows) - n_of_layer[Layer.NOT_ASKED]
    return n_of_layer[Layer.FAILED] > MAX_FAILED * n_rows


def _unfinished(results: Results, rule: Rule) -> Iterator[CautionFigures]:
    open_rows = results.open_rows()
    if open_rows is not None:
        yield figures.Unfinished(open_rows, results.folder, bounds=rule is Rule.PAPER)
    if results.judge is None:
        n_unjudged = results.unjudged().total()
        if n_unjudged:
            yield figures.NotJudged(n_unjudged, results.folder)


def judge_errors(rate: Rate, error: JudgeError) -> Iterator[CautionFigures]:
    """Labels that do not allow a correction, and a judge that errs often or moves the rate out of its interval."""
    if error.unfilled:
        yield figures.PartlyLabelled(error.unfilled)
    elif error.not_random:
        yield figures.NotRandom(error.not_random)
    if error.unknown_choice:
        yield figures.UnknownChoice(error.unknown_choice)
    counts = error.counts
    if not error.measured_here or counts is None:
        return
    corrected = error.corrected
    is_moved = corrected is not None and not _overlap(corrected, rate.estimate)
    if is_moved or counts.wrong > MAX_SHARE_MISJUDGED * counts.n:
        yield figures.JudgeWrong(counts, corrected)


def _overlap(first: Estimate, second: Estimate) -> bool:
    return not (first.high < second.low or first.low > second.high)


def _left_out(results: Results, rows: Sequence[ResultRow], side: Side, rule: Rule) -> Iterator[CautionFigures]:
    rate = rate_of(side, "all", rows, rule)
    n_failed = rate.layers[Layer.FAILED]
    n_unjudged = rate.layers[Layer.UNJUDGED] if results.judge else 0
    why_failed = _why_failed(rows)
    why_unjudged = _with_ways_out(_why_unjudged(rows), results, rows)
    if rule is Rule.PAPER:
        if n_failed:
            without = rate_of(side, "all", rows, Rule.SYSTEM)
            yield figures.FailedCounted(n_failed, side, why_failed, without)
        if n_unjudged:
            yield figures.UnjudgedCounted(n_unjudged, side, why_unjudged)
        return
    n = n_failed + n_unjudged
    if n:
        n_all = rate.estimate.n + n
        yield figures.LeftOut(
            side=side,
            failed=n_failed,
            unjudged=n_unjudged,
            why_failed=why_failed,
            why_unjudged=why_unjudged,
            low=rate.refused / n_all,
            high=(rate.refused + n) / n_all,
        )


def _why_failed(rows: Sequence[ResultRow]) -> figures.Reason | None:
    messages = Counter[str]()
    for facts, n in answers_in_counts(rows):
        if facts.error is not None:
            error = facts.error
            messages[error.message if error.type == "error" else f"{error.type}: {error.message}"] += n
    return _most_common(messages)


def _why_unjudged(rows: Sequence[ResultRow]) -> figures.Reason | None:
    """Why answers have no verdict, except a judge that failed, which has a caution of its own."""
    reasons = Counter[str]()
    unjudged = with_outcome(rows, lambda outcome: outcome.layer is Layer.UNJUDGED)
    for facts, n in verdicts_in_counts(unjudged):
        if facts and facts.reason and not facts.code:
            reasons[facts.reason] += n
    return _most_common(reasons)


def _with_ways_out(why: figures.Reason | None, results: Results, rows: Sequence[ResultRow]) -> figures.Reason | None:
    """The reason with what helps, if it is the most common one of all rows without a verdict."""
    found = most_common_reason(results, rows)
    if why is None or found is None or not found.reason.startswith(why.text):
        return why
    return replace(why, ways_out=found.ways_out)


def _most_common(reasons: Counter[str]) -> figures.Reason | None:
    if not reasons:
        return None
    reason, n = reasons.most_common(1)[0]
    return figures.Reason(reason[:_MAX_REASON], n, is_only=len(reasons) == 1)


def _stood_in(results: Results, rule: Rule) -> Iterator[CautionFigures]:
    replacements = results.stood_in(rule)
    if replacements and replacements[0].may_be_alias:
        names = Counter[str]()
        for stood_in in replacements:
            names.update(stood_in.names)
        yield figures.MayBeAlias(results.model, _named_models(names))
        return
    for stood_in in replacements:
        yield figures.AnotherAnswered(results.model, _named_models(stood_in.names), stood_in)


def _named_models(names: Mapping[str, int]) -> tuple[figures.NamedModel, ...]:
    return tuple(figures.NamedModel(without_folders(name), n) for name, n in names.items())


def _model_changed(results: Results) -> Iterator[CautionFigures]:
    first_rows: dict[str, int] = {}
    for place, facts in first_answers(results.rows):
        if facts.model and not by_another(results.asked_model, facts):
            first_rows.setdefault(facts.model, place + 1)
    if len(first_rows) > 1:
        versions = tuple(without_folders(name) for name in first_rows)
        first_of_second = list(first_rows.values())[1]
        yield figures.ModelChanged(versions, first_of_second)


def _judge_failed(results: Results) -> Iterator[CautionFigures]:
    if results.drift:
        yield figures.Drift(results.drift)
    failures = results.judge_failures()
    if failures:
        reason, _ = failures.most_common(1)[0]
        yield figures.JudgeBroke(failures.total(), reason[:_MAX_REASON])


def _is_silent(outcome: Outcome) -> bool:
    return outcome.layer in (Layer.BLOCKED, Layer.EMPTY)


def _not_its_words(rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[CautionFigures]:
    silent = [row.outcome for row in with_outcome(rows, _is_silent)]
    if silent and counted(silent[0], rule) is Counted.REFUSED:
        yield figures.NotItsWords(
            without=rate_of(rate.side, "all", rows, Rule.MODEL),
            blocked=rate.layers[Layer.BLOCKED],
            empty=rate.layers[Layer.EMPTY],
            refused=rate.refused,
        )


def _instrument(results: Results, rule: Rule, error: JudgeError) -> Iterator[CautionFigures]:
    judge = results.judge
    if results.info.planted:
        yield figures.PlantedRefusals(tuple(results.planted(rule)))
    elif results.info.config.model.startswith("control/"):
        yield figures.InstrumentCheck()
    if error.measured_here or judge is None or judge.startswith("human/"):
        return
    if judge.startswith("keywords/"):
        yield figures.KeywordJudge(results.folder)
    elif not measured(judge):
        yield figures.JudgeUnmeasured(judge)


def _as_asked(results: Results) -> Iterator[CautionFigures]:
    n_cut_off = sum(n for facts, n in answers_in_counts(results.rows) if facts.stop is Stop.LENGTH)
    if n_cut_off:
        yield figures.CutOff(n_cut_off)
    uncounted = results.uncounted_arms()
    if uncounted is not None:
        yield figures.Elsewhere(uncounted)
    if len(results.info.arms) > 1:
        yield figures.SeveralArms(tuple(arm.name for arm in results.info.arms))


def too_few_rows(rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[CautionFigures]:
    """Too few samples. Rows are not counted: asking a sample again adds little information."""
    counting = with_outcome(rows, lambda outcome: counted(outcome, rule) is not Counted.LEFT_OUT)
    groups = groups_of(counting, "stimulus")
    sizes = [_n_samples(group) for group in groups.values()]
    n = sum(sizes)
    smallest = min(sizes, default=0)
    if len(sizes) > 1 and smallest < MIN_SAMPLES_PER_GROUP:
        yield figures.FewInGroup(smallest, _may_be_chance(list(groups.values()), smallest))
    elif 0 < n < MIN_SAMPLES_PER_GROUP:
        printed = rate.corrected.estimate if rate.corrected else rate.estimate
        yield figures.Few(n, rate.side, _width(printed))


def _width(estimate: Estimate) -> int | None:
    """Points between the ends of the interval as they are printed; None if there is no interval."""
    if math.isnan(estimate.low):
        return None
    return round(100 * estimate.high) - round(100 * estimate.low)


def _n_samples(rows: Sequence[ResultRow]) -> int:
    return count_samples(rows)


def _may_be_chance(groups: Sequence[Sequence[ResultRow]], smallest: int) -> tuple[int, int] | None:
    """The least and greatest difference, in points, that an exact test of the smallest group may miss.

    It is corrected for all pairs of groups; a scene, or a sample without one, counts once. None if there is no pair.
    """
    n_tests = len(groups) * (len(groups) - 1) // 2
    least = math.inf
    most = -math.inf
    for small_group, compared_group in permutations(groups, 2):
        if _n_samples(small_group) != smallest:
            continue
        low, high = shown_between(_n_units(small_group), _n_units(compared_group), confidence=1 - _LEVEL / n_tests)
        least = min(least, low)
        most = max(most, high)
    if math.isinf(least):
        return None
    return math.floor(100 * least + _ROUNDING), math.floor(100 * most + _ROUNDING)


def _n_units(rows: Sequence[ResultRow]) -> int:
    return len(set(units_of(rows).tolist()))


def _scenes(rate: Rate) -> Iterator[CautionFigures]:
    if rate.estimate.n_clusters is not None:
        yield figures.SharedScenes(rate.estimate.n, rate.estimate.n_clusters)
