"""Comparisons in the terminal, as Markdown and as CSV; `reports.words.comparisons` has their sentences."""

import math
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_in_table
from mossbench.look.page import markdown, markdown_table
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.reports.tables import SHORT, SIDES, short_name, text_table
from mossbench.reports.words.comparisons import comparison_method, one_line, sentences
from mossbench.results.comparisons import Comparison, Flip
from mossbench.results.differences import Difference
from mossbench.samples import Side


def comparison_page(comparison: Comparison, *, n_flips: int) -> RenderableType:
    parts: list[RenderableType] = [Text(text) for text in sentences(comparison)]
    parts += [*_tables(comparison), *_flip_parts(comparison, n_flips), Text(comparison_method(comparison))]
    return Group(*parts)


def comparison_markdown(comparison: Comparison, *, n_flips: int) -> str:
    lines = [f"- {markdown(text)}" for text in sentences(comparison)]
    rows = []
    for difference in comparison.differences:
        first, *cells = _cells(difference)
        name = f"{SIDES[difference.side]}, {first}"
        if len(comparison.runs) > 2:
            name += f" ({short_name(difference.second)})"
        rows.append((name, *cells))
    lines += ["", *markdown_table(COLUMNS, rows)]
    for title, flips in _directions(comparison):
        lines += [f"**{markdown(title)}: {len(flips)}**", ""]
        for flip in flips[:n_flips]:
            answers = zip(flip.outcomes, flip.answers, strict=True)
            lines += [
                f"- {markdown(_flip_line(flip))}",
                *(f"  - {markdown(f'{o}: {one_line(a)}')}" for o, a in answers),
            ]
        lines += [""] if n_flips else []
    return "\n".join([*lines, "  \n".join(map(markdown, comparison_method(comparison).splitlines()))])


def flips_csv(comparison: Comparison) -> str:
    names = "second side sample epoch stimulus question refused_by".split()
    head = [*names, "first_outcome", "second_outcome", "first_answer", "second_answer"]
    flips = [[*(getattr(flip, name) for name in names), *flip.outcomes, *flip.answers] for flip in comparison.flips]
    return csv_text([head, *(map(cell, flip) for flip in flips)])


COLUMNS = ("samples", "1st/2nd %", "difference", "flips", "pairs", "p")


def _cells(difference: Difference) -> tuple[str, ...]:
    rates = "/".join("–" if math.isnan(rate) else f"{100 * rate:.1f}" for rate in difference.rates)
    pairs = f"{difference.estimate.n}/{difference.estimate.n + difference.estimate.n_left_out}"
    flips = f"{difference.only_first}/{difference.only_second}"
    gap = points_between(difference.estimate, digits=0)
    return SHORT.get(difference.group, difference.group), rates, gap, flips, pairs, p_in_table(difference.p_adjusted)


def _tables(comparison: Comparison) -> Iterator[RenderableType]:
    for second in comparison.runs[1:]:
        yield Text(f"\n1st {short_name(comparison.runs[0])}, 2nd {short_name(second)}", style="bold")
        table = text_table(*COLUMNS, padding=(0, 1, 0, 0))
        for side in Side:
            members = [
                difference
                for difference in comparison.differences
                if (difference.second, difference.side) == (second, side)
            ]
            if members:
                table.add_row(Text(SIDES[side], style="bold"))
            for difference in members:
                first, *cells = _cells(difference)
                total = difference.group == "all"
                table.add_row(f"  {first}", *cells, style="bold" if total else None, end_section=total)
        yield table


def _directions(comparison: Comparison) -> Iterator[tuple[str, list[Flip]]]:
    for second in comparison.runs[1:]:
        for side in Side:
            for refuser, other in ((second, comparison.runs[0]), (comparison.runs[0], second)):
                flips = [f for f in comparison.flips if (f.second, f.side, f.refused_by) == (second, side, refuser)]
                if flips:
                    who = f"{short_name(refuser)} and answered by {short_name(other)}"
                    yield f"{SIDES[side].capitalize()}, refused by {who}", flips


def _flip_parts(comparison: Comparison, n_flips: int) -> Iterator[RenderableType]:
    for title, flips in _directions(comparison):
        yield Text(f"{title}: {len(flips)}" + ("" if n_flips else "; list them with --flips N"), style="bold")
        for flip in flips[:n_flips]:
            yield Text(f"  {_flip_line(flip)}")
            for outcome, answer in zip(flip.outcomes, flip.answers, strict=True):
                yield Text(f"    {outcome}: {one_line(answer)}", style="dim")
        if 0 < n_flips < len(flips):
            yield Text(f"  … {len(flips) - n_flips} more: raise --flips, or use --format csv or json")
        if n_flips:
            yield Text()


def _flip_line(flip: Flip) -> str:
    epoch = f", epoch {flip.epoch}" if flip.epoch > 1 else ""
    return f"{flip.sample}{epoch} ({flip.stimulus}; {flip.outcomes[0]} / {flip.outcomes[1]}) {one_line(flip.question)}"
