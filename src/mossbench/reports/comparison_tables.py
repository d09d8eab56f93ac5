"""Comparisons in the terminal, as Markdown and as CSV; `reports.words.comparisons` has their sentences."""

import math
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_in_table
from mossbench.look.page import markdown, markdown_table
from mossbench.plumbing.spreadsheets import cell, csv_text, number_cell
from mossbench.reports.tables import SHORT, SIDES, short_name, text_table
from mossbench.reports.words.comparisons import comparison_method, one_line, sentences
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.results.flips import Flip, choose_flips
from mossbench.samples import Side


def comparison_page(comparison: Comparison, *, n_flips: int) -> RenderableType:
    parts: list[RenderableType] = [Text(text) for text in sentences(comparison)]
    parts += [*_tables(comparison), *_flip_parts(comparison, n_flips), Text(comparison_method(comparison))]
    return Group(*parts)


def comparison_markdown(comparison: Comparison, *, n_flips: int) -> str:
    lines = [f"- {markdown(text)}" for text in sentences(comparison)]
    rows = []
    for difference in comparison.differences:
        group, *cells = _cells(difference)
        name = f"{SIDES[difference.side]}, {group}"
        if comparison.every_pair:
            name += f" ({short_name(difference.first)}, {short_name(difference.second)})"
        elif len(comparison.runs) > 2:
            name += f" ({short_name(difference.second)})"
        rows.append((name, *cells))
    lines += ["", *markdown_table(COLUMNS, rows)]
    for title, flips in _directions(comparison):
        lines += [f"**{markdown(title)}: {len(flips)}**", ""]
        for flip in flips[:n_flips]:
            lines.append(f"- {markdown(_flip_line(flip))}")
            for outcome, answer in zip(flip.outcomes, flip.answers, strict=True):
                lines.append(f"  - {markdown(f'{outcome}: {one_line(answer)}')}")
        if n_flips:
            lines.append("")
    lines.append("  \n".join(map(markdown, comparison_method(comparison).splitlines())))
    return "\n".join(lines)


def differences_csv(comparison: Comparison) -> str:
    """A line for each difference, with its interval and p-values."""
    rows: list[list[str | int | float]] = []
    for line in comparison.lines():
        if not rows:
            rows.append(list(line))
        values = []
        for value in line.values():
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            values.append(number_cell(value) if is_number else cell(value))
        rows.append(values)
    return csv_text(rows)


def flips_csv(comparison: Comparison) -> str:
    """A line for each changed sample."""
    names = "first second side sample epoch stimulus question refused_by".split()
    rows = [[*names, "first_outcome", "second_outcome", "first_answer", "second_answer"]]
    for flip in comparison.flips:
        values = [getattr(flip, name) for name in names]
        rows.append([cell(value) for value in (*values, *flip.outcomes, *flip.answers)])
    return csv_text(rows)


COLUMNS = ("samples", "1st/2nd %", "difference", "flips", "pairs", "p")


def _cells(difference: Difference) -> tuple[str, ...]:
    rates = "/".join("–" if math.isnan(rate) else f"{100 * rate:.1f}" for rate in difference.rates)
    pairs = f"{difference.estimate.n}/{difference.estimate.n + difference.estimate.n_left_out}"
    flips = f"{difference.only_first}/{difference.only_second}"
    gap = points_between(difference.estimate, digits=0)
    return SHORT.get(difference.group, difference.group), rates, gap, flips, pairs, p_in_table(difference.p_adjusted)


def _tables(comparison: Comparison) -> Iterator[RenderableType]:
    for pair in comparison.pairs:
        first, second = pair
        yield Text(f"\n1st {short_name(first)}, 2nd {short_name(second)}", style="bold")
        table = text_table(*COLUMNS, padding=(0, 1, 0, 0))
        for side in Side:
            of_side = [row for row in comparison.differences if (row.first, row.second) == pair and row.side is side]
            if of_side:
                table.add_row(Text(SIDES[side], style="bold"))
            for difference in of_side:
                name, *cells = _cells(difference)
                is_total = difference.group == "all"
                table.add_row(f"  {name}", *cells, style="bold" if is_total else None, end_section=is_total)
        yield table


def _directions(comparison: Comparison) -> Iterator[tuple[str, Sequence[Flip]]]:
    """The flips of each side by who refused, with a title."""
    for first, second in comparison.pairs:
        for side in Side:
            for refuser, helper in ((second, first), (first, second)):
                flips = choose_flips(comparison.flips, pair=(first, second), side=side, refused_by=refuser)
                if flips:
                    who = f"{short_name(refuser)} and answered by {short_name(helper)}"
                    yield f"{SIDES[side].capitalize()}, refused by {who}", flips


def _flip_parts(comparison: Comparison, n_flips: int) -> Iterator[RenderableType]:
    for title, flips in _directions(comparison):
        heading = f"{title}: {len(flips)}"
        yield Text(heading if n_flips else f"{heading}; list them with --flips N", style="bold")
        for flip in flips[:n_flips]:
            yield Text(f"  {_flip_line(flip)}")
            for outcome, answer in zip(flip.outcomes, flip.answers, strict=True):
                yield Text(f"    {outcome}: {one_line(answer)}", style="dim")
        if 0 < n_flips < len(flips):
            yield Text(f"  … {len(flips) - n_flips} more: raise --flips, or use --format flips or json")
        if n_flips:
            yield Text()


def _flip_line(flip: Flip) -> str:
    epoch = f", epoch {flip.epoch}" if flip.epoch > 1 else ""
    return f"{flip.sample}{epoch} ({flip.stimulus}; {flip.outcomes[0]} / {flip.outcomes[1]}) {one_line(flip.question)}"
