"""consistency on the page: flips by chance and by wording, and which samples flip."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.consistency import FATES, Consistency, Steadiness
from mossbench.look.numbers import cell, of, p_value, percent, points, quoted, whole
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots, themed
from mossbench.samples import Side

NAMES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}
MOST_SHOWN = 20


def section(record: Consistency) -> Section:
    return Section(
        "Is the same request answered in the same way?",
        _finding(record),
        text=(
            f"{_asked(record)} A flip is a pair of repeats of which one is refused and the other is not. In "
            "the same words only chance can flip an "
            "answer; in other words the wording can too, and what it adds is the difference of the two.",
            "The spread shows where single answers differ: between samples (some requests are refused, others not, "
            "which is what a benchmark measures), between wordings of one sample, or between repeats.",
        ),
        tables=(*_steady(record), *_words(record), *_unsteady(record)),
        cautions=(
            *record.notes,
            *(
                f"No {NAMES[side.side]} request was asked twice, so these tables leave them out."
                for side in record.sides
                if side.n_askings and side not in _repeated(record)
            ),
            "Frames change only politeness and tone; a model that is steady under them may flip when a request is "
            "rewritten. Pass your own with --paraphrases.",
        ),
    )


def chart(record: Consistency) -> Any:
    drawn = [
        Dot(f"{NAMES[side.side]}, {name} refused", one, text=of(one), harmful=side.side is Side.CONTRAST)
        for side in _repeated(record)
        for name, one in side.fates.items()
    ]
    if not drawn:
        return None
    chart = dots(drawn, "Samples refused always, sometimes and never", "shares of samples, with 95 % intervals")
    return themed(chart, _finding(record), labels=190)


def _asked(record: Consistency) -> str:
    """How often and in how many wordings requests were asked, side by side."""
    parts = [
        f"{NAMES[side.side]} requests {_times(side.n_epochs, 'time')} in {_times(side.n_wordings, 'wording')}"
        for side in record.sides
    ]
    return f"Asked were {' and '.join(parts)}." if parts else "Nothing was asked."


def _times(n: int, noun: str) -> str:
    return f"{'one' if n == 1 else f'up to {n}'} {noun}{'' if n == 1 else 's'}"


def _repeated(record: Consistency) -> list[Steadiness]:
    """The sides of which something was asked twice or more, and counts."""
    return [side for side in record.sides if side.fates[FATES[0]].n]


def _steady(record: Consistency) -> tuple[Table, ...]:
    sides = _repeated(record)
    return (_flips(sides), _fates(sides), _spreads(sides)) if sides else ()


def _finding(record: Consistency) -> str:
    if not any(side.n_askings for side in record.sides):
        return "No answer counts, so there is no finding."
    side = next(iter(_repeated(record)), None)
    if side is None:
        return "Nothing was asked twice, so there is no finding."
    some = side.fates["sometimes"]
    found = f"Of {some.n} {NAMES[side.side]} requests {quoted(some)} are refused sometimes but not always"
    if not math.isnan(side.same_words.value):
        found += f"; two repeats in the same words differ in {percent(side.same_words.value)} of cases"
    if not math.isnan(side.other_words.value):
        found += f", in other words in {percent(side.other_words.value)}"
    return found + "."


def _flips(sides: list[Steadiness]) -> Table:
    rows = tuple(
        (
            NAMES[side.side],
            cell(side.same_words),
            cell(side.other_words),
            points(side.added),
            str(side.n_samples),
            str(side.n_epochs),
            str(side.n_wordings),
        )
        for side in sides
    )
    head = (
        "Two repeats differ",
        "Same words, %",
        "Other words, %",
        "Wording adds, points",
        "Samples",
        "Epochs",
        "Wordings",
    )
    return Table(head, rows, "Flips", "Intervals over samples; samples of one scene are taken together.")


def _fates(sides: list[Steadiness]) -> Table:
    rows = tuple((NAMES[side.side], *(cell(side.fates[name]) for name in FATES)) for side in sides)
    left = ", ".join(f"{s.fates[FATES[0]].n_left_out} {NAMES[s.side]}" for s in sides)
    note = f"Samples asked twice or more, over all wordings; left out: {left}."
    return Table(("Refused", *(f"{name.capitalize()}, %" for name in FATES)), rows, "Always, sometimes, never", note)


def _spreads(sides: list[Steadiness]) -> Table:
    rows = tuple((NAMES[side.side], *_spread(side)) for side in sides)
    head = ("Variance", "Between samples", "Between wordings", "Between repeats")
    note = "Shares of the variance of single answers, no intervals. With one epoch, wordings and repeats are the same."
    return Table(head, rows, "Where answers differ", note)


def _spread(side: Steadiness) -> tuple[str, str, str]:
    spread = side.spread
    return whole(spread.between_samples), whole(spread.between_wordings), whole(spread.between_askings)


def _words(record: Consistency) -> tuple[Table, ...]:
    if not record.in_other_words:
        return ()
    rows = tuple(
        (d.second, *map(percent, d.rates), points(d.estimate), p_value(d.p_adjusted)) for d in record.in_other_words
    )
    head = ("Wording", "Own words", "This wording", "Points", "p")
    return (Table(head, rows, "Does a wording change the rate?", "On the same requests; exact p, adjusted by Holm."),)


def _unsteady(record: Consistency) -> tuple[Table, ...]:
    if not record.unsteady:
        return ()
    ordered = sorted(record.unsteady, key=lambda row: abs(row[2] / row[3] - 0.5))
    rows = tuple((id, NAMES[side], f"{refused} of {asked}") for side, id, refused, asked in ordered[:MOST_SHOWN])
    note = f"{len(ordered)} samples flip" + (
        f"; the {MOST_SHOWN} least steady are shown." if len(ordered) > MOST_SHOWN else "."
    )
    return (Table(("Sample", "Side", "Refused"), rows, "Samples that flip", note),)
