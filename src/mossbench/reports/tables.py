"""Rates as tables for the terminal; they fit into 80 columns."""

import math
from collections.abc import Container, Iterable, Sequence
from itertools import groupby

from rich import box
from rich.console import JustifyMethod
from rich.padding import PaddingDimensions
from rich.table import Table
from rich.text import Text

from mossbench.datasets.recognition import copies_in_words
from mossbench.errors import n_of
from mossbench.look.numbers import NOT_KNOWN, UNKNOWN, bare_percent, brackets, dollars
from mossbench.look.numbers import number as numbered
from mossbench.outcomes import Layer, Rule, parse_rule
from mossbench.protocols import RECORDED_ANSWERS
from mossbench.reports.judged_rates import rates_of_results
from mossbench.reports.words.judge_lines import judge_lines
from mossbench.reports.words.languages import language_errors
from mossbench.reports.words.planted import planted_words
from mossbench.reports.words.rates import SIDES as SIDES
from mossbench.results.rates import Rate
from mossbench.results.row_languages import ANSWER_LANGUAGE, language_of_row
from mossbench.results.sets import SetLine
from mossbench.results.table import Results, Spent
from mossbench.samples import Side, Stimulus
from mossbench.store.run_info import RunInfo

SIDE_TITLES = {Side.BENIGN: "harmless: refused", Side.CONTRAST: "harmful: refused"}
SHORT = {Stimulus.COUNTERINTUITIVE.title: "Counterintuitive"}


def text_table(
    first: str,
    *other_columns: str,
    rows: Iterable[Iterable[str | Text]] = (),
    folds: bool = True,
    wraps: bool = False,
    words: Container[str] = (),
    title: str | Text | None = None,
    title_justify: JustifyMethod = "center",
    padding: PaddingDimensions = (0, 1),
) -> Table:
    """A table without edges: names in the first column, which may be folded; numbers in the others, but for `words`."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify=title_justify, padding=padding)
    table.add_column(first, overflow="fold" if folds else "ellipsis")
    for name in other_columns:
        if name in words:
            table.add_column(name, overflow="fold", no_wrap=not wraps)
        else:
            table.add_column(name, justify="right", no_wrap=not wraps)
    for row in rows:
        table.add_row(*row)
    return table


def rates_table(runs: Sequence[Results], *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> Table:
    """Refusal rates of runs: a block for each, a line for each group, the two sides beside each other.

    The column `counted` says how many rows the rate is out of, and of how many there are. Under a rate as read stands
    the corrected one, where there is one.
    """
    rule = parse_rule(rule)
    sides = [side for side in Side if any(_has_side(results, side) for results in runs)]
    heads = []
    for side in sides:
        heads += [SIDE_TITLES[side], "counted"]
    table = text_table("", *heads)
    for results in runs:
        table.add_row(Text(short_name(results.label), style="bold"))
        _add_rates(table, results.rates(rule=rule, by=by), sides)
        table.add_section()
    return table


def _has_side(results: Results, side: Side) -> bool:
    return any(row.key.side is side for row in results.rows)


def _add_rates(table: Table, rates: Sequence[Rate], sides: Sequence[Side]) -> None:
    """A line for each group, the total last; under it the corrected rates, where there are some."""
    is_all_unknown = {rate.group for rate in rates} == {"unknown", "all"}  # both lines would be the same
    by_group: dict[str, dict[Side, Rate]] = {}
    for rate in sorted(rates, key=lambda rate: rate.group == "all"):
        if rate.group == "all" or not is_all_unknown:
            by_group.setdefault(rate.group, {})[rate.side] = rate
    for group, by_side in by_group.items():
        _add_group(table, group, [by_side.get(side) for side in sides])


def _add_group(table: Table, group: str, rates: Sequence[Rate | None]) -> None:
    """The rates of the sides, and the corrected ones in a second line."""
    cells: list[str] = []
    corrected_cells: list[str] = []
    for rate in rates:
        cells += _cells(rate)
        corrected_cells += [_corrected(rate), ""]
    label = Text("  " + SHORT.get(group, group))
    table.add_row(label, *cells, style="bold" if group == "all" else None)
    if any(rate is not None and rate.corrected for rate in rates):
        table.add_row("    corrected", *corrected_cells, style="dim")


def sets_table(lines: Sequence[SetLine]) -> Table:
    """Runs on several datasets: a block for each model, a line for each dataset; no sum over them."""
    table = text_table("", *SIDE_TITLES.values(), "d′")
    for model, lines_of_model in groupby(lines, key=lambda line: line.model):
        table.add_row(Text(short_name(model), style="bold"))
        for line in lines_of_model:
            rates = (line.harmless, line.harmful)
            cells = [f"{percent(rate)} of {rate.estimate.n}" if rate else UNKNOWN for rate in rates]
            d_prime = numbered(line.d_prime) if line.d_prime else UNKNOWN
            table.add_row(Text(f"  {line.dataset}"), *cells, d_prime)
            if any(rate and rate.corrected for rate in rates):
                table.add_row("    corrected", *map(_corrected, rates), style="dim")
        table.add_section()
    return table


def short_name(model: str) -> str:
    """A model's name for a narrow column: a transcript goes by its file's name."""
    provider, _, name = model.partition("/")
    return f"replay/{name.split('/')[-1]}" if provider == "replay" else model


def _cells(rate: Rate | None) -> tuple[str, str]:
    if rate is None:
        return "", ""
    return percent(rate), counted_cell(rate)


def counted_cell(rate: Rate) -> str:
    """`24/25`: how many rows the rate is out of, and of how many there are."""
    return f"{rate.estimate.n}/{rate.estimate.n + rate.estimate.n_left_out}"


def percent(rate: Rate) -> str:
    """`12.5 % [4–31]`; a dash when nothing counts, only the bounds when only these are known."""
    estimate = rate.estimate
    if not estimate.n:
        return UNKNOWN
    if not rate.is_known:
        return NOT_KNOWN
    value = "" if math.isnan(estimate.value) else f"{bare_percent(estimate.value)} %"
    return f"{value} {brackets(estimate)}".strip()


def _corrected(rate: Rate | None) -> str:
    """The corrected rate; empty where there is none."""
    if rate is None or rate.corrected is None:
        return ""
    estimate = rate.corrected.estimate
    return f"{bare_percent(estimate.value)} % {brackets(estimate)}"


def correction_lines(runs: Sequence[Results], rule: Rule | str) -> list[str]:
    """What the rates of these runs rest on: which are corrected, which have a range, and which are not known."""
    labels = [short_name(results.label) for results in runs]
    judged_rates = []
    for label, results in zip(labels, runs, strict=True):
        name = label if labels.count(label) == 1 else f"{label}, run {results.name}"
        rates = rates_of_results(name, results, rule)
        if rates is not None:
            judged_rates.append(rates)
    return judge_lines(judged_rates)


def language_lines(results: Results) -> tuple[str, ...]:
    """What the judge gets wrong in each language of the answers."""
    languages = [language for row in results.rows if (language := language_of_row(row, ANSWER_LANGUAGE))]
    return language_errors(results.judge or "", sorted(set(languages)))


def layers_line(results: Results) -> str:
    """`calm: 300 rows = 286 judged (95.3 %) + 14 failed (4.7 %)`: where every row is."""
    asked_or_recorded = f", {RECORDED_ANSWERS}" if results.info.recorded else ""
    return f"{short_name(results.label)}{asked_or_recorded}: {layers_words(results)}"


def layers_words(results: Results) -> str:
    """The same without the name of the run."""
    total = results.n_planned
    layers = results.layers() if results.rows else {Layer.NOT_ASKED: total}
    parts = []
    for layer, n in reversed(layers.items()):
        if n:
            name = "not asked yet" if layer is Layer.NOT_ASKED else str(layer)
            parts.append(f"{n:,} {name} ({100 * n / total:.1f} %)")
    return f"{n_of(total, 'row')} = {' + '.join(parts)}"


def planted_lines(results: Results, rule: Rule | str) -> list[str]:
    """`harmless: planted 8 of 40, found 8 of 40`, for each side of a rehearsal; empty for other runs."""
    return [planted_words(planted) for planted in results.planted(rule)]


def thinking_words(spent: Spent) -> str:
    """` (1,200 of them thinking)`; empty where no provider counted any."""
    return f" ({spent.reasoning_tokens:,} of them thinking)" if spent.reasoning_tokens else ""


def spent_line(results: Results) -> str:
    """`412,000 tokens in, 90,000 out, 1.93 USD (list prices 2026-11)`; empty when nothing was counted."""
    spent = results.spent()
    parts = []
    if spent.n_counted:
        parts.append(f"{spent.input_tokens:,} tokens in, {spent.output_tokens:,} out{thinking_words(spent)}")
        parts.append(_cost(results.info, spent.cost))
        if spent.judge_cost != 0:
            parts.append(f"judge {dollars(spent.judge_cost)}")
        if spent.n_uncounted:
            parts.append(f"{n_of(spent.n_uncounted, 'answer')} without a token count")
    if spent.n_retries:
        parts.append("1 retry" if spent.n_retries == 1 else f"{spent.n_retries} retries")
    return f"  {', '.join(parts)}" if parts else ""


def _cost(info: RunInfo, cost: float | None) -> str:
    """The cost, and of which month its prices are."""
    if info.price and info.price.as_of:
        return f"{dollars(cost)} ({info.price.month_text(info.started)})"
    return dollars(cost)


def answerer_lines(results: Results, rule: Rule | str) -> list[str]:
    """Rows that another model answered: how many, which, and the rates with and without them; empty where none is."""
    lines = []
    for stood_in in results.stood_in(rule):
        names = ", ".join(f"{name} {n}" for name, n in stood_in.names.items())
        side = SIDES[stood_in.side]
        if stood_in.may_be_alias:
            lines.append(f"  no reply names the model asked for; {side} rows are answered by: {names}")
        else:
            rows = f"{stood_in.n} of {stood_in.n_answered} {side} rows ({names})"
            rates = f"{percent(stood_in.rate)} with them, {percent(stood_in.without)} without"
            lines.append(f"  another model answered {rows}: {rates}")
    return lines


def provenance(results: Results, rule: Rule | str) -> str:
    judge = results.judge or "none"
    copies = copies_in_words(results.protocol(rule).copies)
    data = f"{results.info.dataset.label} ({copies})" if copies else results.info.dataset.label
    return f"data {data} · judge {judge} · rule {parse_rule(rule)}"
