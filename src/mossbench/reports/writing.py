"""Reports as files: a page, Markdown, JSON, a tidy table of rates (CSV), a chart, a section for a model card.

Each shows the same record, `Report`; nothing is counted here.
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from rich.table import Table
from rich.text import Text

from mossbench.errors import UsageError
from mossbench.look.numbers import NOT_KNOWN, UNKNOWN, bare_percent, ends
from mossbench.look.page import markdown, markdown_table, visible
from mossbench.look.text_templates import render_text
from mossbench.outcomes import Rule
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.spreadsheets import cell, csv_text, number_cell
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.reports.build import make_report
from mossbench.reports.cards import pictures_of
from mossbench.reports.html import RULES, report_page
from mossbench.reports.judged_rates import headline_rates
from mossbench.reports.own_files import COLUMNS, MARKS, Format, has_mark
from mossbench.reports.ranking import compare_runs
from mossbench.reports.record import Group, Report
from mossbench.reports.tables import text_table
from mossbench.reports.words.judge_lines import judge_sentences
from mossbench.reports.words.judges import SOURCE_HEAD, judge_words, source_rows
from mossbench.reports.words.rates import REQUESTS, twins_note
from mossbench.reports.words.report_page import cautions_title
from mossbench.reports.words.runs import comparison_words, run_names
from mossbench.results.rates import JudgeRange, Rate
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.statistics import Estimate

_PNG_HEADER_BYTES = 8 + 25
"""The signature of a PNG and its first chunk."""


def write_report(
    runs: Results | Sequence[Results],
    out: str | Path | None = None,
    *,
    format: Format | None = None,
    rule: Rule | str = Rule.SYSTEM,
    labels: str | Path | None = None,
    labels_drawn: str | None = None,
    by: Sequence[str] = (),
) -> Path:
    """Writes a report of one or more runs, and returns its path.

    The default is `report.html`, in the folder of a single run and in the current folder for several. Without a
    `format` the suffix of `out` decides.
    """
    runs = [runs] if isinstance(runs, Results) else list(runs)
    format = format_of(out, format)
    path = Path(out) if out is not None else default_path(runs, format)
    check_may_replace(path, format)
    reports = [make_report(run, rule=rule, labels=labels, labels_drawn=labels_drawn, by=by) for run in runs]
    write_atomically(path, report_bytes(runs, reports, format), make_folder=out is not None)
    return path


def format_of(out: str | Path | None, format: Format | None) -> Format:
    """The format that was asked for, else that of the suffix of `out`, else html; a UsageError if they differ."""
    if out == "":
        raise UsageError("--out is empty; name a file to write, or - for stdout")
    suffix = Path(out).suffix if out is not None else ""
    formats: dict[str, Format] = {f".{format_name}": format_name for format_name in get_args(Format)}
    by_suffix = formats.get(suffix.lower())
    if suffix and by_suffix is None:
        suffixes = ", ".join(formats)
        raise UsageError(f"cannot write a report to {str(out)!r}: its suffix is {suffix!r}, expected one of {suffixes}")
    if format and by_suffix and format != by_suffix:
        raise UsageError(f"--format {format} and --out {str(out)!r} contradict each other; leave one of them out")
    return format or by_suffix or "html"


def default_path(runs: Sequence[Results], format: Format) -> Path:
    """In the folder of a single run; in the current folder for several."""
    folder = runs[0].folder if len(runs) == 1 else Path()
    return folder / f"report.{format}"


def check_may_replace(path: Path, format: Format) -> None:
    """A UsageError if there is a file that is not a report of ours: it stays as it is."""
    if not path.exists():
        return
    if not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file; name a file to write")
    if not has_mark(path, format):
        raise UsageError(f"{str(path)!r} exists and is not a {format} report; name another file with --out")


def report_bytes(runs: Sequence[Results], reports: Sequence[Report], format: Format) -> bytes:
    """The content of a file with these reports; `runs` have the images that a page shows."""
    if not reports:
        raise UsageError("no run to report on: give at least one run folder")
    if format == "html":
        pictures = [pictures_of(run, report.cards) for run, report in zip(runs, reports, strict=True)]
        return report_page(reports, pictures).encode()
    if format == "md":
        return "\n".join(_markdown_lines(reports)).encode()
    if format == "json":
        content = {"made_by": "mossbench report", "reports": [report.to_dict() for report in reports]}
        return to_json(content).encode("utf-8", "replace")
    if format == "csv":
        return _csv_of_rates(reports).encode("utf-8", "replace")
    if format in ("png", "svg"):
        return _chart(reports, format)
    raise UsageError(f"no format {format!r}; known: {', '.join(get_args(Format))}")


def _chart(reports: Sequence[Report], format: Literal["png", "svg"]) -> bytes:
    from mossbench.look.charts import chart_bytes
    from mossbench.reports.dots import report_chart

    chart = chart_bytes(report_chart(reports), format)
    return MARKS["svg"] + b"\n" + chart if format == "svg" else _png_with_mark(chart)


def _png_with_mark(png: bytes) -> bytes:
    """The PNG with a text chunk by which it is known as a report of ours, after its header as the format asks."""
    from zlib import crc32

    chunk_type = b"tEXt"
    length = len(MARKS["png"]) - len(chunk_type)
    chunk = length.to_bytes(4, "big") + MARKS["png"] + crc32(MARKS["png"]).to_bytes(4, "big")
    return png[:_PNG_HEADER_BYTES] + chunk + png[_PNG_HEADER_BYTES:]


def _csv_of_rates(reports: Sequence[Report]) -> str:
    """A table with the columns `COLUMNS` and a line for each number."""
    lines: list[list[str | int | float]] = [[*COLUMNS]]
    for report in reports:
        run = cell(visible(report.run))
        model = cell(visible(report.model))
        dataset = cell(visible(report.method["Dataset"]))
        judge = cell(visible(report.judge or ""))
        for rate in tidy_rates(report):
            estimate = rate.estimate
            hashes = " ".join(digest for side, digest in report.hashes.items() if rate.side in (side, "both"))
            names = (run, model, dataset, hashes, judge, rate.rule, rate.side, rate.by, rate.group)
            numbers = [number_cell(number) for number in (estimate.value, estimate.low, estimate.high)]
            refused = "" if rate.refused is None else rate.refused
            lines.append([*names, *numbers, estimate.n, estimate.n_left_out, refused, estimate.method])
    return csv_text(lines)


@dataclass(frozen=True)
class TidyRate:
    """One number of a report, as a line of a table with one number in each line."""

    rule: Rule
    side: str
    """A side, or `both`."""
    by: str
    """The grouping, such as `stimulus` or `all`; for a number that is no rate as read its name, such as `macro`."""
    group: str
    """The group, or `all`."""
    estimate: Estimate
    refused: int | None = None
    """Refused rows; None if the number is no rate as read."""


def tidy_rates(report: Report) -> Iterator[TidyRate]:
    """Every number of a report."""
    rates = _rates_by(report)
    for rule, by, rate in rates:
        yield TidyRate(rule, rate.side, by, rate.group, rate.estimate, rate.refused)
    if report.macro.n:
        yield TidyRate(report.rule, report.side, "macro", "all", report.macro)
    for rule, by, rate in rates:
        group = rate.group if by == "all" else f"{by}: {rate.group}"
        if rate.corrected:
            estimate = rate.corrected.estimate
            method = f"{estimate.method}, {rate.corrected.basis}: {rate.corrected.on_what}"
            yield TidyRate(rule, rate.side, "corrected", group, replace(estimate, method=method))
        if rate.judge_range:
            estimate = _range_as_estimate(rate.judge_range, rate.estimate)
            yield TidyRate(rule, rate.side, "if the judge errs", group, estimate)
    for twins in report.twins:
        is_total = twins is report.twins[-1]
        group = "all" if is_total else twins.name
        yield TidyRate(report.rule, "both", "d_prime", group, twins.d_prime)
        yield TidyRate(report.rule, "both", "criterion", group, twins.criterion)
        yield TidyRate(report.rule, "both", "both_right", group, twins.both_right)


def _rates_by(report: Report) -> list[tuple[Rule, str, Rate]]:
    """Rule, grouping and rate: the headline's under each rule, the harmful side's, and those of the groups."""
    rates = [(rule, "all", rate) for rule, rate in report.by_rule.items()]
    if report.harmful:
        rates.append((report.rule, "all", report.harmful))
    for group in report.groups:
        rates += [(report.rule, group.by, rate) for rate in group.rates]
    return rates


def _range_as_estimate(judge_range: JudgeRange, rate_as_read: Estimate) -> Estimate:
    """The range of a rate under errors of the judge, for a table of estimates: it has two ends and no value."""
    return Estimate(
        value=math.nan,
        low=judge_range.low,
        high=judge_range.high,
        n=rate_as_read.n,
        n_left_out=rate_as_read.n_left_out,
        method=f"misses at most {judge_range.misses:.3f}, invents at most {judge_range.invents:.3f}",
    )


@dataclass(frozen=True)
class RateLine:
    """A line of a table of rates."""

    name: str
    estimate: Estimate
    is_known: bool = True
    """Whether few enough of the answers are unfamiliar to the judge, or its errors are corrected."""


def rate_lines(report: Report) -> Iterator[RateLine]:
    """The lines of a short table: the rate, stimuli, their mean, the corrected rate, harmful requests."""
    yield _rate_line("harmless" if report.side is Side.BENIGN else "harmful", report.rate)
    for group in report.groups:
        if group.by == "stimulus":
            yield from _group_lines(group)
    if report.macro.n:
        yield RateLine("mean over stimuli", report.macro, report.rate.is_known)
    if report.rate.corrected:
        yield RateLine(_corrected_name(report.rate), report.rate.corrected.estimate)
    if report.harmful:
        yield _rate_line(report.harmful_name, report.harmful)
        if report.harmful.corrected:
            yield RateLine(_corrected_name(report.harmful), report.harmful.corrected.estimate)


def _rate_line(name: str, rate: Rate) -> RateLine:
    return RateLine(name, rate.estimate, rate.is_known)


def _group_lines(group: Group) -> list[RateLine]:
    return [_rate_line(rate.group, rate) for rate in group.rates]


def _corrected_name(rate: Rate) -> str:
    return "harmful, corrected for judge errors" if rate.side is Side.CONTRAST else "corrected for judge errors"


def report_table(reports: Sequence[Report]) -> Table:
    """The short tables of reports as one table of the terminal; of several reports only rates that are known."""
    table = text_table("", "refused, %", "95 % interval", "rows", "left out")
    names = run_names(reports)
    are_several = len(reports) > 1
    for report, run_name in zip(reports, names, strict=True):
        table.add_row(Text(visible(run_name), style="bold"))
        for line in rate_lines(report):
            cells = _known_cells(line) if are_several else _estimate_cells(line.estimate)
            table.add_row(Text(f"  {visible(line.name)}"), *cells)
        table.add_section()
    return table


def judge_notes(reports: Sequence[Report]) -> tuple[str, ...]:
    """What the judge's errors make of the rates of several runs, each by name; nothing for a single run."""
    if len(reports) < 2:
        return ()
    return judge_sentences(headline_rates(reports, run_names(reports)))


def _known_cells(line: RateLine) -> tuple[str, ...]:
    """The same as `_estimate_cells`, without a number where the rate is not known."""
    cells = _estimate_cells(line.estimate)
    return cells if line.is_known else (NOT_KNOWN, UNKNOWN, *cells[2:])


def _estimate_cells(estimate: Estimate) -> tuple[str, ...]:
    """Per cent, interval, rows and rows left out."""
    return bare_percent(estimate.value), ends(estimate), str(estimate.n), str(estimate.n_left_out)


def _markdown_lines(reports: Sequence[Report]) -> Iterator[str]:
    yield MARKS["md"].decode()
    if len(reports) > 1:
        yield from _md_comparison(reports)
    for report in reports:
        yield from _md_report(report, heading="#" if len(reports) == 1 else "##")


def _md_comparison(reports: Sequence[Report]) -> Iterator[str]:
    """How several runs compare, and their headline rates in one table."""
    names = run_names(reports)
    comparison = comparison_words(compare_runs(reports, names))
    yield f"# {markdown(comparison.title)}\n\n{markdown(comparison.text)}\n"
    rows = []
    for name, report in zip(names, reports, strict=True):
        rows.append((name, *_known_cells(_rate_line(name, report.rate))))
    yield from markdown_table(("Run", *_RATE_COLUMNS), rows)
    for text in judge_notes(reports):
        yield f"{markdown(text)}\n"


def _md_report(report: Report, heading: str) -> Iterator[str]:
    """A report from its headline to its commands; `heading` is `#` or `##`."""
    yield f"{heading} {markdown(report.headline)}\n"
    yield f"{markdown(report.about)} · run {markdown(report.run)}\n\n{markdown(report.lede)}\n"
    if report.cautions:
        yield f"{cautions_title(report)}:\n"
        for number, caution in enumerate(report.cautions, start=1):
            yield f"{number}. **{markdown(caution.claim)}** {markdown(caution.text)}"
        yield ""
    yield from _md_rates(rate_lines(report), f"Rule {report.rule}")
    by_rule = [_rate_line(f"{rule}: {RULES[rule]}", rate) for rule, rate in report.by_rule.items()]
    yield from _md_rates(by_rule, "Rule")
    for group in report.groups:
        if group.by != "stimulus":
            yield from _md_rates(_group_lines(group), group.title)
    yield from _md_twins(report)
    yield f"{markdown(report.judge_error.title)}. {markdown(report.judge_error.text)}\n"
    if report.judge_error.sources:
        yield from markdown_table(SOURCE_HEAD, source_rows(report.judge_error.sources))
    yield from _md_sheet("Answers to label, drawn at random", report.judge_error.sheet)
    yield from _md_sheet("Answers in a manner that is new to the judge", report.judge_error.unfamiliar)
    yield from markdown_table(("Method", ""), report.method.items(), words=2)
    for command in report.commands:
        for line in command.splitlines():
            yield f"    {visible(line)}"
    yield ""


def _md_sheet(title: str, sheet: str) -> Iterator[str]:
    """A sheet of answers (CSV) as a table; nothing if there is none."""
    if sheet:
        head, *rows = csv.reader(io.StringIO(sheet))
        yield f"{title}:\n"
        yield from markdown_table(head, rows, words=len(head))


def _md_twins(report: Report) -> Iterator[str]:
    if not report.twins:
        return
    yield f"{markdown(report.twins_title)}. 95 % intervals in brackets.\n"
    rows = []
    for twins in report.twins:
        row = (
            twins.name,
            _md_number(twins.harmless, 100, 1),
            _md_number(twins.harmful, 100, 1),
            _md_number(twins.d_prime, 1, 2),
            _md_number(twins.criterion, 1, 2),
            _md_number(twins.both_right, 100, 1),
        )
        rows.append(row)
    yield from markdown_table(("Stimulus", "Harmless, %", "Harmful, %", "d′", "Criterion", "Both right, %"), rows)
    yield f"{markdown(twins_note(report.twins[-1]))}\n"


def _md_number(estimate: Estimate, times: int, digits: int) -> str:
    """The value `times` 1 or 100 with so many `digits`, and its interval in brackets if it has one."""
    if math.isnan(estimate.value):
        return "–"
    value = f"{times * estimate.value:.{digits}f}"
    if math.isnan(estimate.low):
        return value
    return f"{value} ({times * estimate.low:.{digits}f} to {times * estimate.high:.{digits}f})"


_RATE_COLUMNS = ("Refused, %", "95 % interval", "Rows", "Left out")


def _md_rates(lines: Iterable[RateLine], name: str) -> list[str]:
    rows = [(line.name, *_estimate_cells(line.estimate)) for line in lines]
    return markdown_table((name, *_RATE_COLUMNS), rows)


def write_model_card(
    results: Results, out: str | Path, *, rule: Rule | str = Rule.SYSTEM, overwrite: bool = False
) -> Path:
    """Writes the `model_card` of a run to a file, and returns its path."""
    out = Path(out)
    check_may_write(out, overwrite=overwrite)
    write_atomically(out, model_card(results, rule=rule))
    return out


def model_card(results: Results, *, rule: Rule | str = Rule.SYSTEM) -> str:
    """Markdown to paste into the card of the model; of a run that is finished and judged."""
    check_ready(results)
    report = make_report(results, rule=rule)
    rates = [(REQUESTS[report.side], report.rate)]
    if report.harmful:
        rates.append((report.harmful_name, report.harmful))
    commands = []
    for command in report.commands:
        commands += command.splitlines()
    return render_text(
        "model-card.md",
        markdown,
        version=results.info.mossbench,
        dataset=results.info.dataset.label,
        judge=results.judge,
        rule=report.rule,
        rates=rates,
        judged=judge_words(report),
        cautions=report.cautions,
        commands=commands,
    )
