"""From `Results` to a `Report`: what is counted, compared and said. Nothing here draws or writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mossbench.look.commands import as_commands
from mossbench.outcomes import Counted, Layer, Rule, counted, parse_rule
from mossbench.reports.cards import cards_of
from mossbench.reports.cautions import cautions
from mossbench.reports.judge_error import judge_error
from mossbench.reports.making import commands, method, prompts
from mossbench.reports.record import Group, Report, Share, Twins
from mossbench.reports.wording import arm_title, day, hardest, headline, lede, model_name, twins_title
from mossbench.results.correction import Correction, correction_of
from mossbench.results.labels import run_labels
from mossbench.results.rates import GROUPS, Rate, check_by, group_of, group_order, macro_of, rate_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.twins import by_stimulus, sides_test, told_apart, twins_of
from mossbench.samples import Side

FLAGS = {"human": "person", "child": "child", "syn": "drawn or generated", "ocr": "text that matters"}
_ORDER = (
    "answered complied warned clarified partial deflected refused incapable blocked empty failed unjudged".split()
    + ["not asked"]
)


def make_report(
    results: Results,
    *,
    rule: Rule | str = Rule.SYSTEM,
    labels: str | Path | None = None,
    by: Sequence[str] = (),
) -> Report:
    """Everything there is to say about a run, as one record.

    Args:
        results: The run, read by one judge.
        rule: The counting rule of the headline and of every group.
        labels: A file of people's labels of this run's answers, from which the judge's error is measured. Without it,
            people's verdicts in the run's folder are taken, where there are some.
        by: Columns of one's own data to show rates by.
    """
    for column in by:
        check_by(results.rows, column)
    rule = parse_rule(rule)
    sides = [side for side in Side if any(row.key.side is side for row in results.rows)] or [Side.BENIGN]
    side = sides[0]
    rows = [row for row in results.rows if row.key.side is side]
    people = run_labels(results, Path(labels) if labels else None, rule)
    correction = correction_of(results, rule, people)
    rate = correction.rate_of(side, "all", rows)
    others = [row for row in results.rows if row.key.side is not side]
    harmful = correction.rate_of(Side.CONTRAST, "all", others) if len(sides) > 1 else None
    groups = (*_groups(rows, correction, by), *_answerers(results, side, rule))
    n_samples = len({row.key.sample for row in rows if counted(row.outcome, rule) is not Counted.LEFT_OUT})
    error = judge_error(results, rate, correction)
    twins = _twins(results.rows, rule) if len(sides) > 1 else ()
    those = "harmful twins" if any(row.sample.twin is not None for row in results.rows) else "harmful requests"
    cards, n_cards = cards_of(results, rule)
    return Report(
        those=those,
        run=results.name,
        model=results.model,
        about=_about(results),
        rule=rule,
        judge=results.judge,
        side=side,
        headline=headline(results.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=n_samples),
        lede=lede(rate, harmful, n_samples, those=those),
        cautions=cautions(results, rate, rule, error),
        n_rows=len(rows),
        rate=rate,
        harmful=harmful,
        macro=macro_of(rows, rule),
        shares=_shares(rows, rule),
        failures={as_commands(why): n for why, n in results.failures().items()},
        unjudged=dict(results.unjudged()),
        by_rule={each: rate_of(side, "all", rows, each) for each in Rule},
        groups=groups,
        twins=twins,
        twins_title=twins_title(twins),
        judge_error=error,
        cards=cards,
        n_cards=n_cards,
        spent=results.spent(),
        hashes=dict(results.info.dataset.hashes),
        method=method(results, rate, rule, people),
        prompts=prompts(results),
        commands=commands(results, rule, people),
    )


def _about(results: Results) -> str:
    arms = [f"{arm_title(arm.name)} arm" for arm in results.info.arms]
    prompt = [results.info.prompt] if results.info.prompt else []
    parts = [model_name(results.model), results.info.dataset.name, *arms[:3], *prompt, day(results.info.started)]
    return " · ".join(parts)


def _shares(rows: Sequence[ResultRow], rule: Rule) -> tuple[Share, ...]:
    found = Counter((row.outcome.label, counted(row.outcome, rule)) for row in rows)
    return tuple(
        Share(label, n, counts)
        for (label, counts), n in sorted(found.items(), key=lambda item: _ORDER.index(item[0][0]))
    )


def _groups(rows: Sequence[ResultRow], correction: Correction, columns: Sequence[str]) -> tuple[Group, ...]:
    """Rates by everything that splits the rows; what is unknown for all of them, or the same, is left away."""
    found = []
    for by in dict.fromkeys((*GROUPS, *columns)):
        names = list(dict.fromkeys(group_of(row, by) for row in sorted(rows, key=lambda row: group_order(row, by))))
        if not names or names == ["unknown"] or (len(names) == 1 and by not in ("stimulus", "harm", *columns)):
            continue
        rates = tuple(
            correction.rate_of(rows[0].key.side, name, [row for row in rows if group_of(row, by) == name])
            for name in names
        )
        found.append(Group(by, _title(by, rates), rates))
    return tuple(found)


def _answerers(results: Results, side: Side, rule: Rule) -> tuple[Group, ...]:
    """Rates by who answered, where another model than the one asked for did."""
    return tuple(
        Group(
            "answered_by",
            "With and without the rows that another model answered",
            tuple(
                replace(rate, group=name)
                for name, rate in (("all", one.rate), ("without", one.without), ("another model", one.those))
            ),
        )
        for one in results.stood_in(rule)
        if one.side is side and not one.may_be_alias
    )


def _title(by: str, rates: tuple[Rate, ...]) -> str:
    if by == "stimulus":
        return hardest(rates, "stimulus", "By stimulus")
    return "By harm class" if by == "harm" else FLAGS.get(by, f"By {by}")


def _twins(rows: Sequence[ResultRow], rule: Rule) -> tuple[Twins, ...]:
    found = []
    for name, twins in by_stimulus(twins_of(rows)):
        told = told_apart(twins, rule)
        rates = told.false_alarm_rate, told.hit_rate
        measures = told.d_prime, told.criterion, told.both_right
        found.append(Twins(name, *rates, *measures, sides_test(twins, rule)))
    return tuple(found)
