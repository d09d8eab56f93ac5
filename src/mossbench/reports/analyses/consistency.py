"""consistency on the page: flips by chance and by wording, and which samples flip."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mossbench.analyses.consistency import FATES, Consistency, Steadiness
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_value, percent, percent_of_n, points, quoted, whole
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.tables import SIDES
from mossbench.samples import Side
from mossbench.statistics import Estimate

MOST_SHOWN = 20
CAUTION = (
    "Frames change only politeness and tone; a model that is steady under them may flip when a request is rewritten. "
    "Pass your own with --paraphrases."
)


def section(record: Consistency) -> Section:
    return Section(
        title="Is the same request answered in the same way?",
        finding=_finding(record),
        text=_how_to_read(record),
        tables=tuple(_tables(record)),
        cautions=(*record.notes, *_cautions_asked_once(record), CAUTION),
    )


def _how_to_read(record: Consistency) -> tuple[str, ...]:
    return (
        f"{_how_often_asked(record)} A flip is a pair of repeats of which one is refused and the other is not. In the "
        "same words only chance can flip an answer; in other words the wording can too, and what it adds is the "
        "difference of the two.",
        "The spread shows where single answers differ: between samples (some requests are refused, others not, which "
        "is what a benchmark measures), between wordings of one sample, or between repeats.",
    )


def _cautions_asked_once(record: Consistency) -> Iterator[str]:
    repeated = _repeated(record)
    for side in record.sides:
        if side.n_askings and side not in repeated:
            yield f"No {SIDES[side.side]} request was asked twice, so these tables leave them out."


def chart(record: Consistency) -> Chart | None:
    drawn = []
    for side in _repeated(record):
        is_harmful = side.side is Side.CONTRAST
        for name, share in side.fates.items():
            drawn.append(
                Dot(f"{SIDES[side.side]}, {name} refused", share, text=percent_of_n(share), harmful=is_harmful)
            )
    if not drawn:
        return None
    title = "Samples refused always, sometimes and never"
    drawing = dots(drawn, title, "shares of samples, with 95 % intervals")
    return themed(drawing, _finding(record), labels=190)


def _how_often_asked(record: Consistency) -> str:
    """How often and in how many wordings requests were asked, side by side."""
    parts = []
    for side in record.sides:
        times = _up_to(side.n_epochs, "time")
        wordings = _up_to(side.n_wordings, "wording")
        parts.append(f"{SIDES[side.side]} requests {times} in {wordings}")
    return f"Asked were {' and '.join(parts)}." if parts else "Nothing was asked."


def _up_to(n: int, noun: str) -> str:
    return f"one {noun}" if n == 1 else f"up to {n} {noun}s"


def _repeated(record: Consistency) -> list[Steadiness]:
    """The sides of which something was asked twice or more, and counts."""
    return [side for side in record.sides if side.fates[FATES[0]].n]


def _finding(record: Consistency) -> str:
    if not any(side.n_askings for side in record.sides):
        return "No answer counts, so there is no finding."
    side = next(iter(_repeated(record)), None)
    if side is None:
        return "Nothing was asked twice, so there is no finding."
    sometimes = side.fates["sometimes"]
    finding = f"Of {sometimes.n} {SIDES[side.side]} requests {quoted(sometimes)} are refused sometimes but not always"
    if not math.isnan(side.same_words.value):
        finding += f"; two repeats in the same words differ in {percent(side.same_words.value)} of cases"
    if not math.isnan(side.other_words.value):
        finding += f", in other words in {percent(side.other_words.value)}"
    return f"{finding}."


def _tables(record: Consistency) -> Iterator[Table]:
    sides = _repeated(record)
    if sides:
        yield _flips_table(sides)
        yield _fates_table(sides)
        yield _spreads_table(sides)
    if record.in_other_words:
        yield _wordings_table(record)
    if record.unsteady:
        yield _unsteady_table(record)


def _flips_table(sides: Sequence[Steadiness]) -> Table:
    return Table(
        title="Flips",
        head=(
            "Two repeats differ",
            "Own words, %",
            "Same words, %",
            "Other words, %",
            "Wording adds, points",
            "Samples",
            "Epochs",
            "Wordings",
        ),
        rows=tuple(map(_flips_row, sides)),
        note="Own words: in all epochs of the dataset’s own words. The columns after it are of the epochs in which a "
        "sample was asked in all of its wordings, so that each counts as often as the others. Intervals are over "
        "samples, with those of one scene together, and allow for samples unlike all of these. What wording adds "
        "cannot be below 0.",
    )


def _flips_row(side: Steadiness) -> tuple[str, ...]:
    return (
        SIDES[side.side],
        cell(side.own_words) if side.own_words else "–",
        cell(side.same_words),
        cell(side.other_words),
        points(_not_below_zero(side.added)),
        str(side.n_samples),
        _epochs(side),
        str(side.n_wordings),
    )


def _fates_table(sides: Sequence[Steadiness]) -> Table:
    rows = [(SIDES[side.side], *(cell(side.fates[name]) for name in FATES)) for side in sides]
    left_out = ", ".join(f"{side.fates[FATES[0]].n_left_out} {SIDES[side.side]}" for side in sides)
    return Table(
        title="Always, sometimes, never",
        head=("Refused", "Always, %", "Sometimes, %", "Never, %"),
        rows=tuple(rows),
        note="Samples asked twice or more, over all wordings, in the epochs that all of them have; left out: "
        f"{left_out}.",
    )


def _spreads_table(sides: Sequence[Steadiness]) -> Table:
    rows = []
    for side in sides:
        spread = side.spread
        parts = (spread.between_samples, spread.between_wordings, spread.between_askings)
        rows.append((SIDES[side.side], *map(whole, parts)))
    return Table(
        title="Where answers differ",
        head=("Variance", "Between samples", "Between wordings", "Between repeats"),
        rows=tuple(rows),
        note="Shares of the variance of single answers, no intervals. With one epoch, wordings and repeats are the "
        "same.",
    )


def _not_below_zero(added: Estimate) -> Estimate:
    """What wording adds, with an interval that starts at 0 or above: it cannot remove flips."""
    return added if math.isnan(added.low) else replace(added, low=max(0.0, added.low))


def _epochs(side: Steadiness) -> str:
    """How often a wording was asked, and how often all were."""
    if side.n_wordings < 2 or side.n_common == side.n_epochs:
        return str(side.n_epochs)
    return f"{side.n_epochs}, of which {side.n_common} in all wordings"


def _wordings_table(record: Consistency) -> Table:
    rows = []
    for change in record.in_other_words:
        rates = map(percent, change.rates)
        rows.append((change.second, *rates, points(change.estimate), p_value(change.p_adjusted)))
    return Table(
        title="Does a wording change the rate?",
        head=("Wording", "Own words", "This wording", "Points", "p"),
        rows=tuple(rows),
        note="On the same requests; exact p, adjusted by Holm.",
    )


def _unsteady_table(record: Consistency) -> Table:
    ordered = sorted(record.unsteady, key=lambda row: abs(row[2] / row[3] - 0.5))
    rows = []
    for side, sample, n_refused, n_asked in ordered[:MOST_SHOWN]:
        rows.append((sample, SIDES[side], f"{n_refused} of {n_asked}"))
    note = "1 sample flips" if len(ordered) == 1 else f"{len(ordered)} samples flip"
    if len(ordered) > MOST_SHOWN:
        note += f"; the {MOST_SHOWN} least steady are shown"
    return Table(
        title="Samples that flip",
        head=("Sample", "Side", "Refused"),
        rows=tuple(rows),
        note=f"{note}.",
    )
