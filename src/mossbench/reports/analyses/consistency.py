"""consistency on the page: flips by chance and by wording, and which samples flip."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mossbench.analyses.consistency import FATES, Consistency, Steadiness
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, of, p_value, percent, points, quoted, whole
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.tables import SIDES
from mossbench.samples import Side
from mossbench.statistics import Estimate

WORDS = PAGES["consistency"]
MOST_SHOWN = 20


def section(record: Consistency) -> Section:
    once = [side for side in record.sides if side.n_askings and side not in _repeated(record)]
    return Section(
        WORDS["title"],
        _finding(record),
        tuple(text.format(asked=_asked(record)) for text in WORDS["text"]),
        (*_steady(record), *_words(record), *_unsteady(record)),
        (*record.notes, *(WORDS["once"].format(side=SIDES[side.side]) for side in once), WORDS["caution"]),
    )


def chart(record: Consistency) -> Chart | None:
    drawn = [
        Dot(f"{SIDES[side.side]}, {name} refused", one, text=of(one), harmful=side.side is Side.CONTRAST)
        for side in _repeated(record)
        for name, one in side.fates.items()
    ]
    return themed(dots(drawn, *WORDS["chart"]), _finding(record), labels=190) if drawn else None


def _asked(record: Consistency) -> str:
    """How often and in how many wordings requests were asked, side by side."""
    parts = [
        f"{SIDES[side.side]} requests {_times(side.n_epochs, 'time')} in {_times(side.n_wordings, 'wording')}"
        for side in record.sides
    ]
    return f"Asked were {' and '.join(parts)}." if parts else "Nothing was asked."


def _times(n: int, noun: str) -> str:
    return f"{'one' if n == 1 else f'up to {n}'} {noun}{'' if n == 1 else 's'}"


def _repeated(record: Consistency) -> list[Steadiness]:
    """The sides of which something was asked twice or more, and counts."""
    return [side for side in record.sides if side.fates[FATES[0]].n]


def _finding(record: Consistency) -> str:
    if not any(side.n_askings for side in record.sides):
        return "No answer counts, so there is no finding."
    side = next(iter(_repeated(record)), None)
    if side is None:
        return "Nothing was asked twice, so there is no finding."
    some = side.fates["sometimes"]
    found = f"Of {some.n} {SIDES[side.side]} requests {quoted(some)} are refused sometimes but not always"
    if not math.isnan(side.same_words.value):
        found += f"; two repeats in the same words differ in {percent(side.same_words.value)} of cases"
    if not math.isnan(side.other_words.value):
        found += f", in other words in {percent(side.other_words.value)}"
    return found + "."


def _steady(record: Consistency) -> Iterator[Table]:
    sides = _repeated(record)
    if not sides:
        return
    flips = [
        (
            cell(one.own_words) if one.own_words else "–",
            cell(one.same_words),
            cell(one.other_words),
            points(_not_below_nothing(one.added)),
            str(one.n_samples),
            _epochs(one),
            str(one.n_wordings),
        )
        for one in sides
    ]
    yield table(WORDS["flips"], _named(sides, flips))
    fates = [tuple(cell(side.fates[name]) for name in FATES) for side in sides]
    left = ", ".join(f"{s.fates[FATES[0]].n_left_out} {SIDES[s.side]}" for s in sides)
    yield table(WORDS["fates"], _named(sides, fates), left=left)
    spreads = [(s.between_samples, s.between_wordings, s.between_askings) for s in (side.spread for side in sides)]
    yield table(WORDS["spreads"], _named(sides, [tuple(map(whole, parts)) for parts in spreads]))


def _not_below_nothing(added: Estimate) -> Estimate:
    """What words add, with an interval that ends where it can: they cannot add less than nothing."""
    return added if math.isnan(added.low) else replace(added, low=max(0.0, added.low))


def _epochs(side: Steadiness) -> str:
    """How often a wording was asked, and how often all were."""
    if side.n_wordings < 2 or side.n_common == side.n_epochs:
        return str(side.n_epochs)
    return f"{side.n_epochs}, of which {side.n_common} in all wordings"


def _named(sides: list[Steadiness], rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(SIDES[side.side], *row) for side, row in zip(sides, rows, strict=True)]


def _words(record: Consistency) -> Iterator[Table]:
    rows = [
        (d.second, *map(percent, d.rates), points(d.estimate), p_value(d.p_adjusted)) for d in record.in_other_words
    ]
    if rows:
        yield table(WORDS["wordings"], rows)


def _unsteady(record: Consistency) -> Iterator[Table]:
    ordered = sorted(record.unsteady, key=lambda row: abs(row[2] / row[3] - 0.5))
    more = f"; the {MOST_SHOWN} least steady are shown" if len(ordered) > MOST_SHOWN else ""
    rows = [(id, SIDES[side], f"{refused} of {asked}") for side, id, refused, asked in ordered[:MOST_SHOWN]]
    if rows:
        yield table(WORDS["unsteady"], rows, n=len(ordered), more=more)
