"""Finds the misprints of misprints.csv again: compares the published prints with each other and with arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mossbench.published.tables import (
    STIMULI,
    Misprint,
    PublishedPoint,
    PublishedRate,
    published_points,
    published_rates,
    read,
)

PIXEL = 0.011
"""A point measured off the plot may be one per cent away from what was drawn."""


def found_again() -> tuple[Misprint, ...]:
    """Every misprint that follows from comparing the published prints and from arithmetic."""
    figure, human = published_rates("gpt", table="figure"), published_rates("human", table="figure")
    return (
        *compare_prints(figure, published_rates("gpt", table="readme")),
        *check_averages(figure, "main results figure, GPT judge"),
        *check_averages(human, "main results figure, human"),
        *_check_prompts(),
        *_check_compliance(human),
        *compare_plot(published_points(tabled=False, swapped=False), figure),
        *_check_template(published_points(tabled=False, swapped=False)),
        *_check_perception(),
    )


def compare_prints(figure: Sequence[PublishedRate], readme: Sequence[PublishedRate]) -> Iterator[Misprint]:
    """Models and cells of the main table that the README does not have, or has otherwise."""
    there = {row.name: row for row in readme}
    for row in figure:
        if row.name not in there:
            n = f"{len(readme)} rows", f"{len(figure)} rows"
            yield Misprint("README board", f"{row.name} is missing", *n, "the figure has it")
            continue
        for stimulus, ours, theirs in zip(STIMULI, row.shares, there[row.name].shares, strict=True):
            if ours != theirs:
                fits = abs(row.mean - row.average) < 5.1e-5
                why = f"the figure has {_pct(ours)}" + (", which agrees with its average" if fits else "")
                what = f"{row.name}, {stimulus.upper()}"
                yield Misprint("README board", what, _pct(theirs), _pct(ours), why)


def check_averages(rows: Sequence[PublishedRate], where: str, *, digits: int = 2) -> Iterator[Misprint]:
    """Printed averages that are not those of their cells, rounded to `digits`."""
    for row in rows:
        if abs(row.average - row.mean) > 0.501 * 10 ** -(digits + 2):
            why = f"its cells are {' / '.join(map(_pct, row.shares))}"
            expected = f"{100 * row.mean:.{digits}f}"
            yield Misprint(where, f"{row.name}, average", f"{100 * row.average:.{digits}f}", expected, why)


def compare_plot(points: Sequence[PublishedPoint], figure: Sequence[PublishedRate]) -> Iterator[Misprint]:
    """Points whose harmless shares are not those of the main table."""
    table = {(row.availability, row.model): row for row in figure}
    for point in points:
        tabled = table[point.availability, point.model].shares
        if any(abs(drawn - cell) > PIXEL for drawn, cell in zip(point.harmless_refused, tabled, strict=True)):
            shown, expected = (" / ".join(map(_pct, shares)) for shares in (point.harmless_refused, tabled))
            where = "plot against safety"
            yield Misprint(where, f"{point.model}, harmless ER / NH / CI", shown, expected, "the main table has these")


def _check_prompts() -> Iterator[Misprint]:
    rows = [_printed(row, row["condition"]) for row in read("prompts")]
    yield from check_averages(rows, "system-prompt figure", digits=1)


def _check_compliance(human: Sequence[PublishedRate]) -> Iterator[Misprint]:
    table = {(row.availability, row.model): row for row in human}
    for line in read("compliance"):
        row, label = table[line["availability"], line["model"]], float(line["compliance"]) / 100
        if abs(1 - label - row.mean) > 1e-4:
            why = f"people found {100 * row.mean:.2f} refused"
            printed = f"{100 * label:.2f}"
            yield Misprint("compliance chart", f"{row.name}, label", printed, f"{100 - 100 * row.mean:.2f}", why)


def _check_template(points: Sequence[PublishedPoint]) -> Iterator[Misprint]:
    """The template is a run whose ER and NH safety are one model's; its CI safety should be that model's too."""
    er, nh, ci = (refused / n for refused, n in template_counts().values())
    for point in points:
        same = abs(point.harmful_refused[0] - er) < PIXEL and abs(point.harmful_refused[1] - nh) < PIXEL
        if same and abs(point.harmful_refused[2] - ci) > PIXEL:
            drawn_as = [other.model for other in points if abs(other.harmful_refused[2] - ci) < PIXEL]
            why = f"the submission template has its ER and NH and this CI, which is drawn for {', '.join(drawn_as)}"
            what = f"{point.model}, harmful CI"
            yield Misprint("plot against safety", what, _pct(point.harmful_refused[2]), _pct(ci), why, inferred=True)


def _check_perception() -> Iterator[Misprint]:
    """Drawn averages that are not the mean of their bars; both were measured, so two per cent are let be."""
    for line in read("perception"):
        row = _printed(line, f"{line['model']}, share {line['part']}")
        if abs(row.average - row.mean) > 0.02:
            why = f"its bars are {' / '.join(map(_pct, row.shares))}"
            shown, expected = f"about {_pct(row.average)}", f"about {100 * row.mean:.0f}"
            yield Misprint("perception figure", f"{row.name}, average", shown, expected, why)


def _printed(line: dict[str, str], name: str) -> PublishedRate:
    er, nh, ci = (float(line[stimulus]) / 100 for stimulus in STIMULI)
    return PublishedRate(name, "API", (er, nh, ci), float(line["average"]) / 100)


def _pct(share: float) -> str:
    return f"{100 * share:.2f}".rstrip("0").rstrip(".")


def template_counts() -> dict[str, tuple[int, int]]:
    """Refused, and out of how many, by stimulus, in the published submission template."""
    return {row["stimulus"]: (int(row["refused"]), int(row["n"])) for row in read("template")}
