"""From `Results` to a `Report`: the counts, comparisons and sentences.

Nothing here draws or writes. `method` describes how the numbers were made.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mossbench.errors import bad_option
from mossbench.outcomes import Counted, Layer, Rule, counted, parse_rule
from mossbench.reports.cards import cards_of
from mossbench.reports.cautions import cautions
from mossbench.reports.judge_error import judge_error
from mossbench.reports.method import commands, method, prompt_label, prompts
from mossbench.reports.ranking import most_refused
from mossbench.reports.record import Group, Report, Share, Twins
from mossbench.reports.words.rates import groups_title, headline, lede, twins_title
from mossbench.reports.words.runs import arm_title, day, model_name
from mossbench.results.correction import Correction, correction_of
from mossbench.results.labels import Labels, run_labels
from mossbench.results.rates import GROUPS, Rate, check_by, groups_of, macro_of, rate_of
from mossbench.results.row_columns import count_samples, have_twins, of_side, outcomes_of, with_outcome
from mossbench.results.row_languages import LANGUAGE_COLUMNS, are_english
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.twins import by_stimulus, detection_of, sides_test, too_many_missing, twins_of
from mossbench.samples import Side
from mossbench.ways_out import OmitOption, SetOption

FLAGS = {"human": "person", "child": "child", "syn": "drawn or generated", "ocr": "text that matters"}
_OUTCOMES = (
    "answered",
    "complied",
    "warned",
    "clarified",
    "partial",
    "deflected",
    "refused",
    "incapable",
    "blocked",
    "empty",
    "failed",
    "unjudged",
    "not asked",
)
"""Labels of outcomes, in the order of a bar."""
_ALWAYS_SHOWN = ("stimulus", "harm")
"""Groupings that are shown even if all rows are in one group; so are the columns that a caller asks for."""
_MAX_ARMS_IN_TITLE = 3


def make_report(
    results: Results,
    *,
    rule: Rule | str = Rule.SYSTEM,
    labels: str | Path | None = None,
    labels_drawn: str | None = None,
    by: Sequence[str] = (),
) -> Report:
    """Everything there is to say about a run, as one record.

    Args:
        results: The run, read by one judge.
        rule: The counting rule of the headline and of every group.
        labels: A file of people's labels of this run's answers, from which the judge's error is measured. Without it,
            people's verdicts in the run's folder are taken, where there are some.
        labels_drawn: `random` where labels that do not say how their answers were chosen were drawn at random. Without
            it such labels correct nothing.
        by: Columns of one's own data to show rates by.
    """
    for column in by:
        check_by(results.rows, column)
    rule = parse_rule(rule)
    labels_of_run = run_labels(results, Path(labels) if labels else None, rule, labels_drawn)
    if labels_drawn and not labels and not labels_of_run.source:
        raise bad_option(
            "labels_drawn",
            f"is {labels_drawn!r}, but the run has no labels by people that count under rule {rule}",
            (SetOption("labels", to="pass some"), OmitOption("labels_drawn")),
        )
    return _report(results, rule, labels_of_run, by)


def _report(results: Results, rule: Rule, labels: Labels, by: Sequence[str]) -> Report:
    rows_by_side = {side: of_side(results.rows, side) for side in Side}
    sides = [side for side in Side if rows_by_side[side]] or [Side.BENIGN]
    side = sides[0]
    has_both_sides = len(sides) > 1
    rows = rows_by_side[side]
    correction = correction_of(results, rule, labels)
    rate = correction.rate_of(side, "all", rows)
    harmful = correction.rate_of(Side.CONTRAST, "all", rows_by_side[Side.CONTRAST]) if has_both_sides else None
    n_samples = count_samples(with_outcome(rows, lambda outcome: counted(outcome, rule) is not Counted.LEFT_OUT))
    error = judge_error(results, rate, correction)
    twins = _twins(results.rows, rule, [rate, harmful]) if harmful is not None else ()
    has_twins = have_twins(results.rows)
    harmful_name = "harmful twins" if has_twins else "harmful requests"
    cards, n_cards = cards_of(results, rule)
    system_prompts = prompts(results)
    first_prompt = next(iter(system_prompts.values()), None)
    return Report(
        harmful_name=harmful_name,
        has_twins=has_twins,
        run=results.name,
        model=results.model,
        about=_about(results),
        rule=rule,
        judge=results.judge,
        side=side,
        headline=headline(results.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=n_samples),
        lede=lede(rate, harmful, n_samples, harmful_name=harmful_name),
        cautions=cautions(results, rate, rule, error),
        n_rows=len(rows),
        rate=rate,
        harmful=harmful,
        macro=macro_of(rows, rule),
        shares=_shares(rows, rule),
        failures=dict(results.failures()),
        unjudged=dict(results.unjudged()),
        by_rule={each_rule: rate_of(side, "all", rows, each_rule) for each_rule in Rule},
        groups=(*_groups(rows, correction, by), *_groups_by_answerer(results, side, rule)),
        twins=twins,
        twins_title=twins_title(twins),
        judge_error=error,
        cards=cards,
        n_cards=n_cards,
        spent=results.spent(),
        hashes=dict(results.info.dataset.hashes),
        protocol=results.protocol(rule),
        method=method(results, rate, rule, labels),
        prompts=system_prompts,
        commands=commands(results, rule, labels),
        arms=tuple(arm_title(arm.name) for arm in results.info.arms),
        prompt=prompt_label(results, first_prompt) if first_prompt is not None else "",
    )


def _about(results: Results) -> str:
    """Model, data, arms and date in one line."""
    arms = [f"{arm_title(arm.name)} arm" for arm in results.info.arms]
    n_more = len(arms) - _MAX_ARMS_IN_TITLE
    if n_more > 0:
        arms = [*arms[:_MAX_ARMS_IN_TITLE], f"{n_more} more"]
    parts = [model_name(results.model), results.info.dataset.name, *arms]
    if results.info.prompt:
        parts.append(results.info.prompt)
    parts.append(day(results.info.started))
    return " · ".join(parts)


def _shares(rows: Sequence[ResultRow], rule: Rule) -> tuple[Share, ...]:
    """How many rows have each outcome, in the order of a bar."""
    counts = Counter[tuple[str, Counted]]()
    for outcome, n in outcomes_of(rows).counts().items():
        counts[outcome.label, counted(outcome, rule)] += n
    shares = [Share(label, n, counts_as) for (label, counts_as), n in counts.items()]
    return tuple(sorted(shares, key=lambda share: _OUTCOMES.index(share.label)))


def _groups(rows: Sequence[ResultRow], correction: Correction, columns: Sequence[str]) -> tuple[Group, ...]:
    """Rates by everything that splits the rows, and by the columns that were asked for, whatever these do.

    Other groupings are omitted if they are unknown for all rows, or the same.
    """
    groups = []
    for by in dict.fromkeys((*GROUPS, *columns)):
        rows_by_group = groups_of(rows, by)
        is_unknown = [*rows_by_group] in ([], ["unknown"])
        splits_nothing = len(rows_by_group) == 1 and by not in _ALWAYS_SHOWN
        if by in LANGUAGE_COLUMNS:
            splits_nothing = are_english(rows_by_group)
        if by not in columns and (is_unknown or splits_nothing):
            continue
        rates = tuple(correction.rate_of(rows[0].key.side, name, group) for name, group in rows_by_group.items())
        groups.append(Group(by, _title(by, rates), rates))
    return tuple(groups)


def _groups_by_answerer(results: Results, side: Side, rule: Rule) -> Iterator[Group]:
    """Rates by who answered, where another model than the one asked for did."""
    for stood_in in results.stood_in(rule):
        if stood_in.side is not side or stood_in.may_be_alias:
            continue
        rates = (
            replace(stood_in.rate, group="all"),
            replace(stood_in.without, group="without"),
            replace(stood_in.by_others, group="another model"),
        )
        yield Group("answered_by", "With and without the rows that another model answered", rates)


def _title(by: str, rates: tuple[Rate, ...]) -> str:
    if by == "stimulus":
        return groups_title(most_refused(rates), "stimulus", "By stimulus")
    return _TITLES.get(by) or FLAGS.get(by, f"By {by}")


_TITLES = {
    "harm": "By harm class",
    "answer_language": "By language of the answer",
    "request_language": "By language of the request",
}


def _twins(rows: Sequence[ResultRow], rule: Rule, rates: Sequence[Rate]) -> tuple[Twins, ...]:
    """How well the model distinguishes the sides, by stimulus and as a total; `rates` are those of the sides."""
    all_twins = []
    for name, pairs in by_stimulus(twins_of(rows)):
        detection = detection_of(pairs, rule)
        twins = Twins(
            name=name,
            harmless=detection.false_alarm_rate,
            harmful=detection.hit_rate,
            d_prime=detection.d_prime,
            criterion=detection.criterion,
            both_right=detection.both_right,
            sides_test=sides_test(pairs, rule),
            too_many_missing=too_many_missing(pairs, rule),
            too_many_unfamiliar=not all(rate.is_known for rate in rates),
        )
        all_twins.append(twins)
    return tuple(all_twins)
