"""Counterfactuals on the page: what each change does, and the table of words and trigger."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.counterfactuals import TITLES, Counterfactuals, Effect, TwoByTwo
from mossbench.look.numbers import cell, p_value, percent, points, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots, themed

TITLE = "How do refusals change when one thing is changed?"
TEXT = (
    "Every harmless request is asked again with one thing changed: the alarming object (the trigger) is removed from "
    "the image, the whole image is left out, or other words are sent. "
    "Differences are within samples, in points; p is adjusted for the number of changes (Holm).",
    "In the second table, harmless words are the request with its harmless goal spelled out. Every column is of "
    "requests with an image. The interaction is what words and trigger do together "
    "beyond what each does alone: above zero, neither alone is refused as much.",
)


def section(record: Counterfactuals) -> Section:
    effects = [effect for effect in record.effects if effect.group == "all"]
    return Section(
        TITLE,
        _finding(effects),
        TEXT,
        tables=(
            Table(
                ("Change", "Refused, %", "Change, points", "p", "Answers", "Left out"),
                tuple(map(effect_row, effects)),
                note=_q_note(record),
            ),
            Table(
                ("Requests", "Own words, trigger", "Own words, no trigger", "Harmless words, trigger")
                + ("Harmless words, no trigger", "Interaction, points"),
                tuple(map(_two_row, record.tables)),
                title="Words and trigger",
            ),
        ),
        cautions=(
            "Without an image some models ask back or say that they see none. Asking back counts as an answer; saying "
            "that there is nothing to see is left out where that is true.",
        ),
    )


def chart(record: Counterfactuals) -> Any:
    drawn = [
        Dot(TITLES[effect.arm], effect.rate, "" if effect.group == "all" else effect.group, strong=_shown(effect))
        for effect in record.effects
        if effect.rate.n and (effect.group != "all" or len(record.tables) == 1)
    ]
    subtitle = "harmless requests refused, with 95 % intervals; red where the change is shown to have an effect"
    return themed(dots(drawn, "The same requests, one thing changed", subtitle, width=780)) if drawn else None


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


def _two_row(table: TwoByTwo) -> tuple[str, ...]:
    cells = (table.both, table.words, table.trigger, table.neither)
    return ("All" if table.group == "all" else table.group, *map(cell, cells), points(table.interaction))


def _q_note(record: Counterfactuals) -> str:
    test = record.overall.get("all")
    if test is None or not test.n:
        return "Cochran’s Q: too few arms have answers that count."
    p = "p < 0.001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return (
        f"Do the arms differ? Cochran’s Q = {test.statistic:.1f}, {p}, on the first answers of {test.n} requests under "
        f"{len(record.q_arms)} arms ({test.n_left_out} left out)."
    )
