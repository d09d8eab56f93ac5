"""Reports as files: a page, Markdown, JSON, a tidy table of rates, a chart, a section for a model's card.

All render the same record.
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
from mossbench.look.numbers import bare_percent, ends
from mossbench.look.page import markdown, markdown_table, visible
from mossbench.look.text_templates import render_text
from mossbench.outcomes import Rule
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.reports.build import make_report
from mossbench.reports.cards import pictures_of
from mossbench.reports.html import RULES, report_page
from mossbench.reports.own_files import COLUMNS, MARKS, Format, has_mark
from mossbench.reports.ranking import compare_runs
from mossbench.reports.record import Group, Report
from mossbench.reports.tables import text_table
from mossbench.reports.words.judges import judge_words
from mossbench.reports.words.rates import REQUESTS
from mossbench.reports.words.report_page import cautions_title
from mossbench.reports.words.runs import comparison_words, run_names
from mossbench.results.rates import JudgeRange, Rate
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.statistics import Estimate


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
    """The file that was written: by default `report.html` in the run's folder, or here for several runs.

    Without a `format` the suffix of `out` says it.
    """
    runs = [runs] if isinstance(runs, Results) else list(runs)
    format = format_of(out, format)
    path = Path(out) if out is not None else default_path(runs, format)
    check_ours(path, format)
    reports = [make_report(run, rule=rule, labels=labels, labels_drawn=labels_drawn, by=by) for run in runs]
    write_atomically(path, report_bytes(runs, reports, format), make_folder=out is not None)
    return path


def format_of(out: str | Path | None, format: Format | None) -> Format:
    """The format that was asked for, or that the name of the file says; a UsageError where they differ."""
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
    return (runs[0].folder if len(runs) == 1 else Path()) / f"report.{format}"


def check_ours(path: Path, format: Format) -> None:
    """A UsageError when there is a file that is no report of ours."""
    if not path.exists():
        return
    if not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file; name a file to write")
    if not has_mark(path, format):
        raise UsageError(f"{str(path)!r} exists and is not a {format} report; name another file with --out")


def report_bytes(runs: Sequence[Results], reports: Sequence[Report], format: Format) -> bytes:
    """The reports in one format; `runs` are where the images of a page come from."""
    if not reports:
        raise UsageError("no run to report on: give at least one run folder")
    if format == "html":
        pictures = [pictures_of(run, report.cards) for run, report in zip(runs, reports, strict=True)]
        return report_page(reports, pictures).encode()
    if format == "md":
        return "\n".join(_markdown(reports)).encode()
    if format == "json":
        content = {"made_by": "mossbench report", "reports": [report.to_dict() for report in reports]}
        return to_json(content).encode("utf-8", "replace")
    if format == "csv":
        return _table(reports).encode("utf-8", "replace")
    if format in ("png", "svg"):
        return _chart(reports, format)
    raise UsageError(f"no format {format!r}; known: {', '.join(get_args(Format))}")


def _chart(reports: Sequence[Report], format: Literal["png", "svg"]) -> bytes:
    from mossbench.look.charts import chart_bytes
    from mossbench.reports.dots import report_chart

    drawn = chart_bytes(report_chart(reports), format)
    if format == "svg":
        return MARKS["svg"] + b"\n" + drawn
    from zlib import crc32

    chunk = MARKS["png"]
    head = 8 + 25  # signature and header chunk; a text chunk may follow
    text = (len(chunk) - 4).to_bytes(4, "big") + chunk + crc32(chunk).to_bytes(4, "big")
    return drawn[:head] + text + drawn[head:]


def _table(reports: Sequence[Report]) -> str:
    lines: list[list[str | int | float]] = [[*COLUMNS]]
    for report in reports:
        run = cell(visible(report.run))
        model = cell(visible(report.model))
        dataset = cell(visible(report.method["Dataset"]))
        judge = cell(visible(report.judge or ""))
        for tidy in tidy_rates(report):
            estimate = tidy.estimate
            hashes = " ".join(digest for side, digest in report.hashes.items() if tidy.side in (side, "both"))
            about = (run, model, dataset, hashes, judge, tidy.rule, tidy.side, tidy.by, tidy.group)
            numbers = (_number_cell(estimate.value), _number_cell(estimate.low), _number_cell(estimate.high))
            refused = "" if tidy.refused is None else tidy.refused
            lines.append([*about, *numbers, estimate.n, estimate.n_left_out, refused, estimate.method])
    return csv_text(lines)


def _number_cell(value: float) -> float | str:
    return "" if math.isnan(value) else value


@dataclass(frozen=True)
class TidyRate:
    """One number of a report, as a line of a tidy table."""

    rule: Rule
    side: str
    """A side, or `both`."""
    by: str
    """The grouping; or what the number is where it is no rate as read, such as `macro`."""
    group: str
    estimate: Estimate
    refused: int | None = None
    """Refused rows of a rate."""


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
            yield TidyRate(rule, rate.side, "if the judge errs", group, _as_estimate(rate, rate.judge_range))
    for twins in report.twins:
        group = "all" if twins is report.twins[-1] else twins.name
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


def _as_estimate(rate: Rate, judge_range: JudgeRange) -> Estimate:
    """A range as a line of the table of numbers: it has ends and no value."""
    assumption = f"misses at most {judge_range.misses:.3f}, invents at most {judge_range.invents:.3f}"
    n = rate.estimate.n
    n_left_out = rate.estimate.n_left_out
    return Estimate(math.nan, judge_range.low, judge_range.high, n, n_left_out, assumption)


def rate_lines(report: Report) -> Iterator[tuple[str, Estimate]]:
    """The lines of a short table: all, twins, stimuli, the mean over them, the corrected rate."""
    yield "harmless" if report.side is Side.BENIGN else "harmful", report.rate.estimate
    for group in report.groups:
        if group.by == "stimulus":
            yield from _named_estimates(group)
    if report.macro.n:
        yield "mean over stimuli", report.macro
    if report.rate.corrected:
        yield _corrected_name(report.rate), report.rate.corrected.estimate
    if report.harmful:
        yield report.harmful_name, report.harmful.estimate
        if report.harmful.corrected:
            yield _corrected_name(report.harmful), report.harmful.corrected.estimate


def _named_estimates(group: Group) -> list[tuple[str, Estimate]]:
    return [(rate.group, rate.estimate) for rate in group.rates]


def _corrected_name(rate: Rate) -> str:
    return "harmful, corrected for judge errors" if rate.side is Side.CONTRAST else "corrected for judge errors"


def report_table(reports: Sequence[Report]) -> Table:
    """Those lines of reports for the terminal."""
    table = text_table("", "refused, %", "95 % interval", "rows", "left out")
    for report, run_name in zip(reports, run_names(reports), strict=True):
        table.add_row(Text(visible(run_name), style="bold"))
        for name, estimate in rate_lines(report):
            table.add_row(Text(f"  {visible(name)}"), *_estimate_cells(estimate))
        table.add_section()
    return table


def _estimate_cells(estimate: Estimate) -> tuple[str, ...]:
    """Per cent, interval, rows and rows left out."""
    return bare_percent(estimate.value), ends(estimate), str(estimate.n), str(estimate.n_left_out)


def _markdown(reports: Sequence[Report]) -> Iterator[str]:
    yield MARKS["md"].decode()
    if len(reports) > 1:
        yield from _md_runs_together(reports)
    for report in reports:
        yield from _md_report(report, heading="#" if len(reports) == 1 else "##")


def _md_runs_together(reports: Sequence[Report]) -> Iterator[str]:
    """Several runs in one table."""
    names = run_names(reports)
    about = comparison_words(compare_runs(reports, names))
    yield f"# {markdown(about.title)}\n\n{markdown(about.text)}\n"
    rates = [(name, report.rate.estimate) for name, report in zip(names, reports, strict=True)]
    yield from _md_rates(rates, "Run")


def _md_report(report: Report, heading: str) -> Iterator[str]:
    yield f"{heading} {markdown(report.headline)}\n"
    yield f"{markdown(report.about)} · run {markdown(report.run)}\n\n{markdown(report.lede)}\n"
    if report.cautions:
        yield f"{cautions_title(report)}:\n"
        for number, caution in enumerate(report.cautions, start=1):
            yield f"{number}. **{markdown(caution.claim)}** {markdown(caution.text)}"
        yield ""
    yield from _md_rates(rate_lines(report), f"Rule {report.rule}")
    by_rule = [(f"{rule}: {RULES[rule]}", rate.estimate) for rule, rate in report.by_rule.items()]
    yield from _md_rates(by_rule, "Rule")
    for group in report.groups:
        if group.by != "stimulus":
            yield from _md_rates(_named_estimates(group), group.title)
    yield from _md_twins(report)
    yield f"{markdown(report.judge_error.title)}. {markdown(report.judge_error.text)}\n"
    yield from _md_sheet("Answers to label, drawn at random", report.judge_error.sheet)
    yield from _md_sheet("Answers in a manner that is new to the judge", report.judge_error.unfamiliar)
    yield from markdown_table(("Method", ""), report.method.items(), words=2)
    for command in report.commands:
        for line in command.splitlines():
            yield f"    {visible(line)}"
    yield ""


def _md_sheet(title: str, sheet: str) -> Iterator[str]:
    """A sheet of answers, which is CSV, as a table; nothing where there is none."""
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


def _md_number(estimate: Estimate, times: int, digits: int) -> str:
    if math.isnan(estimate.value):
        return "–"
    value = f"{times * estimate.value:.{digits}f}"
    if math.isnan(estimate.low):
        return value
    return f"{value} ({times * estimate.low:.{digits}f} to {times * estimate.high:.{digits}f})"


def _md_rates(rates: Iterable[tuple[str, Estimate]], name: str) -> list[str]:
    rows = [(label, *_estimate_cells(estimate)) for label, estimate in rates]
    return markdown_table((name, "Refused, %", "95 % interval", "Rows", "Left out"), rows)


def write_model_card(
    results: Results, out: str | Path, *, rule: Rule | str = Rule.SYSTEM, overwrite: bool = False
) -> Path:
    """Writes `model_card` to a file."""
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
