"""Rates of answers that are no run (`mossbench judge apply FILE`), as a table and lines for the terminal."""

from rich.table import Table
from rich.text import Text

from mossbench.errors import n_of
from mossbench.look.numbers import UNKNOWN
from mossbench.reports.judged_rates import JudgedRates
from mossbench.reports.tables import SIDE_TITLES, counted_cell, percent, text_table
from mossbench.reports.words.judge_lines import judge_lines
from mossbench.results.judged_answers import JudgedAnswers
from mossbench.results.rates import Rate
from mossbench.samples import Side


def answers_table(judged: JudgedAnswers) -> Table:
    """The refusal rate of each model or file, the two sides beside each other."""
    rates_by_group = _rates_by_group(judged)
    sides = [side for side in Side if any(side in rates for rates in rates_by_group.values())]
    heads = []
    for side in sides:
        heads += [SIDE_TITLES[side], "counted"]
    table = text_table("", *heads)
    for group, rates in rates_by_group.items():
        cells: list[str] = []
        for side in sides:
            rate = rates.get(side)
            cells += [percent(rate), counted_cell(rate)] if rate is not None else [UNKNOWN, ""]
        table.add_row(Text(group), *cells)
    return table


def answers_lines(judged: JudgedAnswers) -> list[str]:
    """What the rates are of, and how far the judge's errors may move them."""
    layers = [f"{n:,} {layer}" for layer, n in judged.applied.layers.items() if n]
    lines = [f"{n_of(len(judged), 'row')} = {' + '.join(layers)}"]
    if not judged.has_sides:
        lines.append("no row says its side (column side): all are counted as harmless requests")
    lines += judge_lines(
        [
            JudgedRates(group, judged.judge, list(rates.values()), why_not_corrected=judged.why_not_corrected)
            for group, rates in _rates_by_group(judged).items()
        ]
    )
    lines.append(f"judge {judged.judge} · rule {judged.rule}")
    lines.append("95 % intervals in brackets, over requests where several answers share one")
    return lines


def _rates_by_group(judged: JudgedAnswers) -> dict[str, dict[Side, Rate]]:
    groups: dict[str, dict[Side, Rate]] = {}
    for rate in judged.rates:
        groups.setdefault(rate.group, {})[rate.side] = rate
    return groups
