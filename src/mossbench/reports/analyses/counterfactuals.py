"""Counterfactuals on the page: what each change does, and the table of words and trigger."""

import math
from collections.abc import Sequence

from mossbench.analyses.counterfactuals import TITLES, Counterfactuals, Effect, TwoByTwo
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_said, p_value, percent, points, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots

HOW_TO_READ = (
    "Every harmless request is asked again with one thing changed: the alarming object (the trigger) is removed from "
    "the image, the whole image is left out, or other words are sent. Differences are within samples, in points; p is "
    "adjusted for the number of changes (Holm).",
    "In the second table, harmless words are the request with its harmless goal spelled out. Every column is of "
    "requests with an image. The interaction is what words and trigger do together beyond what each does alone: above "
    "zero, neither alone is refused as much.",
)
CAUTION = (
    "Without an image some models ask for it or say that they see none. Such answers are left out, whatever kind the "
    "judge gives them: nobody knows what the model would do with the request."
)


def section(record: Counterfactuals) -> Section:
    effects = [effect for effect in record.effects if effect.group == "all"]
    return Section(
        title="How do refusals change when one thing is changed?",
        finding=_finding(effects),
        text=HOW_TO_READ,
        tables=(_effects_table(record, effects), _words_and_trigger_table(record)),
        cautions=(CAUTION,),
    )


def chart(record: Counterfactuals) -> Chart | None:
    has_one_group = len(record.tables) == 1
    drawn = []
    for effect in record.effects:
        is_total = effect.group == "all"
        if effect.rate.n and (has_one_group or not is_total):
            column = "" if is_total else effect.group
            drawn.append(Dot(TITLES[effect.arm], effect.rate, column, strong=_is_shown(effect)))
    if not drawn:
        return None
    subtitle = "harmless requests refused, with 95 % intervals; red where the change is shown to have an effect"
    return themed(dots(drawn, "The same requests, one thing changed", subtitle, width=780))


def _finding(effects: Sequence[Effect]) -> str:
    plain = effects[0]
    if not plain.rate.n:
        return "No answer counts, so nothing can be compared."
    start = f"{percent(plain.rate.value)} of the plain requests are refused"
    lowering = [effect for effect in effects[1:] if _is_shown(effect) and effect.difference.value < 0]
    if not lowering:
        return f"{start}; no single change lowers that significantly over all requests."
    named = [f"“{TITLES[effect.arm]}” ({signed(effect.difference.value)})" for effect in lowering]
    return f"{start}; significantly lowered, in points, by: {', '.join(named)}."


def _is_shown(effect: Effect) -> bool:
    return effect.p <= 0.05


def _effects_table(record: Counterfactuals, effects: Sequence[Effect]) -> Table:
    return Table(
        head=("Change", "Refused, %", "Change, points", "p", "Answers", "Left out"),
        rows=tuple(map(effect_row, effects)),
        note=_whether_arms_differ(record),
    )


def effect_row(effect: Effect) -> tuple[str, ...]:
    rate = effect.rate
    return (
        TITLES[effect.arm],
        cell(rate),
        points(effect.difference) if effect.difference.n else "",
        "" if math.isnan(effect.p) else p_value(effect.p),
        str(rate.n),
        str(rate.n_left_out),
    )


def _whether_arms_differ(record: Counterfactuals) -> str:
    test = record.overall.get("all")
    if test is None or not test.n:
        return "Cochran’s Q: too few arms have answers that count."
    return (
        f"Do the arms differ? Cochran’s Q = {test.statistic:.1f}, {p_said(test.p)}, on the first answers of {test.n} "
        f"requests under {len(record.q_arms)} arms ({test.n_left_out} left out)."
    )


def _words_and_trigger_table(record: Counterfactuals) -> Table:
    return Table(
        title="Words and trigger",
        head=(
            "Requests",
            "Own words, trigger",
            "Own words, no trigger",
            "Harmless words, trigger",
            "Harmless words, no trigger",
            "Interaction, points",
        ),
        rows=tuple(map(_words_and_trigger_row, record.tables)),
    )


def _words_and_trigger_row(two: TwoByTwo) -> tuple[str, ...]:
    cells = (two.both, two.words, two.trigger, two.neither)
    return ("All" if two.group == "all" else two.group, *map(cell, cells), points(two.interaction))
