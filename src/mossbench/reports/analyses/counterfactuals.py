"""Counterfactuals on the page: what each change does, and the table of words and trigger."""

import math

from mossbench.analyses.counterfactuals import TITLES, Counterfactuals, Effect, TwoByTwo
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_said, p_value, percent, points, signed
from mossbench.reports.analyses.section import PAGES, Section, table
from mossbench.reports.dots import Dot, dots

WORDS = PAGES["counterfactuals"]


def section(record: Counterfactuals) -> Section:
    effects = [effect for effect in record.effects if effect.group == "all"]
    return Section(
        WORDS["title"],
        _finding(effects),
        tuple(WORDS["text"]),
        (
            table(WORDS["effects"], map(effect_row, effects), q=_q_note(record)),
            table(WORDS["two_by_two"], map(_two_row, record.tables)),
        ),
        (WORDS["caution"],),
    )


def chart(record: Counterfactuals) -> Chart | None:
    drawn = [
        Dot(TITLES[effect.arm], effect.rate, "" if effect.group == "all" else effect.group, strong=_shown(effect))
        for effect in record.effects
        if effect.rate.n and (effect.group != "all" or len(record.tables) == 1)
    ]
    return themed(dots(drawn, *WORDS["chart"], width=780)) if drawn else None


def _finding(effects: list[Effect]) -> str:
    plain, others = effects[0], [one for one in effects[1:] if _shown(one) and one.difference.value < 0]
    if not plain.rate.n:
        return "No answer counts, so nothing can be compared."
    start = f"{percent(plain.rate.value)} of the plain requests are refused"
    if not others:
        return f"{start}; no single change is shown to lower that over all requests."
    named = [f"“{TITLES[one.arm]}” ({signed(one.difference.value)})" for one in others]
    return f"{start}; shown to lower that, in points: {', '.join(named)}."


def _shown(effect: Effect) -> bool:
    return effect.p <= 0.05


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


def _two_row(two: TwoByTwo) -> tuple[str, ...]:
    cells = (two.both, two.words, two.trigger, two.neither)
    return ("All" if two.group == "all" else two.group, *map(cell, cells), points(two.interaction))


def _q_note(record: Counterfactuals) -> str:
    test = record.overall.get("all")
    if test is None or not test.n:
        return str(WORDS["no_q"])
    return str(WORDS["q"].format(test=test, p=p_said(test.p), n_arms=len(record.q_arms)))
