"""Reports as files: a page, Markdown, JSON, a tidy table of rates, a chart. All render the same record."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from mossbench.errors import UsageError
from mossbench.outcomes import Rule
from mossbench.rates import Rate
from mossbench.reports.build import make_report
from mossbench.reports.cards import pictures_of
from mossbench.reports.html import RULES, report_page
from mossbench.reports.page import ends, one, visible
from mossbench.reports.record import Report
from mossbench.reports.wording import compared, model_name, sentence_case
from mossbench.results import Results
from mossbench.statistics import Estimate
from mossbench.storage import to_json, write_atomically

Format = Literal["html", "md", "json", "csv", "png", "svg"]
COLUMNS = "run model dataset judge rule side by group value low high n n_left_out refused method".split()
_MARKS: dict[Format, bytes] = {
    "html": b'name="generator" content="mossbench"',
    "md": b"<!-- mossbench report -->",
    "json": b'"made_by": "mossbench report"',
    "csv": ",".join(COLUMNS).encode(),
    "svg": b"<!-- mossbench report -->",
    "png": b"tEXtSoftware\0mossbench report",
}
"""What the beginning of a file of ours holds: such a file may be replaced, any other may not."""


def write_report(
    runs: Results | Sequence[Results],
    out: str | Path | None = None,
    *,
    format: Format = "html",
    rule: Rule | str = Rule.SYSTEM,
    labels: str | Path | None = None,
) -> Path:
    """The file that was written: by default `report.html` in the run's folder, or here for several runs."""
    runs = [runs] if isinstance(runs, Results) else list(runs)
    path = Path(out) if out else default_path(runs, format)
    check_ours(path, format)
    reports = [make_report(run, rule=rule, labels=labels) for run in runs]
    write_atomically(path, report_bytes(runs, reports, format))
    return path


def default_path(runs: Sequence[Results], format: Format) -> Path:
    return (runs[0].folder if len(runs) == 1 else Path()) / f"report.{format}"


def check_ours(path: Path, format: Format) -> None:
    """A UsageError when there is a file that is no report of ours."""
    if not path.exists():
        return
    if not path.is_file():
        raise UsageError(f"{str(path)!r} is not a plain file; name a file to write")
    with path.open("rb") as file:
        if _MARKS[format] not in file.read(4000):
            raise UsageError(f"{str(path)!r} is there already and is no {format} report; name another file with --out")


def report_bytes(runs: Sequence[Results], reports: Sequence[Report], format: Format) -> bytes:
    """The reports in one format; `runs` are where the pictures of a page come from."""
    if not reports:
        raise UsageError("there is no run to report on; give the folder of at least one")
    if format == "html":
        pictures = [pictures_of(run, report.cards) for run, report in zip(runs, reports, strict=True)]
        return report_page(reports, pictures).encode()
    if format == "md":
        return "\n".join(_markdown(reports)).encode()
    if format == "json":
        return to_json({"made_by": "mossbench report", "reports": [report.to_dict() for report in reports]}).encode(
            "utf-8", "replace"
        )
    if format == "csv":
        return _table(reports).encode("utf-8", "replace")
    if format in ("png", "svg"):
        return _chart(reports, format)
    raise UsageError(f"no format {format!r}; known: {', '.join(get_args(Format))}")


def _chart(reports: Sequence[Report], format: Literal["png", "svg"]) -> bytes:
    from mossbench.reports.figures import chart_bytes
    from mossbench.reports.rate_charts import report_chart

    drawn = chart_bytes(report_chart(reports), format)
    if format == "svg":
        return _MARKS["svg"] + b"\n" + drawn
    from zlib import crc32

    chunk = _MARKS["png"]
    head = 8 + 25  # signature and header chunk; a text chunk may follow
    text = (len(chunk) - 4).to_bytes(4, "big") + chunk + crc32(chunk).to_bytes(4, "big")
    return drawn[:head] + text + drawn[head:]


def _table(reports: Sequence[Report]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for report in reports:
        about = {"run": report.run, "model": report.model, "dataset": report.method["Dataset"], "judge": report.judge}
        for rule, by, rate in tidy_rates(report):
            numbers = {name: getattr(rate.estimate, name) for name in ("value", "low", "high")}
            writer.writerow(
                {
                    **{name: visible(value or "") for name, value in about.items()},
                    "rule": rule,
                    "side": rate.side,
                    "by": by,
                    "group": rate.group,
                    **{name: "" if math.isnan(value) else value for name, value in numbers.items()},
                    "n": rate.estimate.n,
                    "n_left_out": rate.estimate.n_left_out,
                    "refused": rate.refused,
                    "method": rate.estimate.method,
                }
            )
    return out.getvalue()


def tidy_rates(report: Report) -> Iterator[tuple[Rule, str, Rate]]:
    """Every rate of a report with its rule and what it is grouped by."""
    yield from ((rule, "all", rate) for rule, rate in report.by_rule.items())
    if report.harmful:
        yield report.rule, "all", report.harmful
    yield from ((report.rule, group.by, rate) for group in report.groups for rate in group.rates)


def rate_lines(report: Report) -> Iterator[tuple[str, Estimate]]:
    """The lines of a short table: all, twins, stimuli, the mean over them, the corrected rate."""
    yield ("harmless" if report.side == "benign" else "harmful"), report.rate.estimate
    yield from (
        (sentence_case(rate.group), rate.estimate) for g in report.groups if g.by == "stimulus" for rate in g.rates
    )
    if report.macro.n:
        yield "mean over stimuli", report.macro
    if report.judge_error.corrected:
        yield "corrected for the judge", report.judge_error.corrected
    if report.harmful:
        yield "harmful twins", report.harmful.estimate


def _markdown(reports: Sequence[Report]) -> Iterator[str]:
    yield _MARKS["md"].decode()
    if len(reports) > 1:
        about = compared(reports)
        yield f"# {_md(about['title'])}\n\n{_md(about['text'])}\n"
        yield from _md_rates(((model_name(report.model), report.rate.estimate) for report in reports), "Model")
    for report in reports:
        yield f"{'#' if len(reports) == 1 else '##'} {_md(report.headline)}\n"
        yield f"{_md(report.about)}\n\n{_md(report.lede)}\n"
        if report.cautions:
            yield "Before you quote the number:\n"
            yield from (f"{i}. **{_md(c.claim)}** {_md(c.text)}" for i, c in enumerate(report.cautions, 1))
            yield ""
        yield from _md_rates(rate_lines(report), f"Rule {report.rule}")
        yield from _md_rates(((f"{r}: {RULES[r]}", rate.estimate) for r, rate in report.by_rule.items()), "Rule")
        for group in report.groups:
            if group.by != "stimulus":
                yield from _md_rates(((rate.group, rate.estimate) for rate in group.rates), group.title)
        if report.twins:
            yield f"{_md(report.twins_title)}.\n"
            yield "| Stimulus | Harmless, % | Harmful, % | d′ | Both right, % |\n|---|--:|--:|--:|--:|"
            for t in report.twins:
                d_prime = "–" if math.isnan(t.d_prime.value) else f"{t.d_prime.value:.2f}"
                cells = (one(t.harmless.value), one(t.harmful.value), d_prime, one(t.both_right.value))
                yield f"| {_md(t.name)} | {' | '.join(cells)} |"
            yield ""
        yield f"{_md(report.judge_error.title)}. {_md(report.judge_error.text)}\n\n| Made of | |\n|---|---|"
        yield from (f"| {name} | {_md(value)} |" for name, value in report.method.items())
        yield ""


def _md_rates(rows: Any, name: str) -> Iterator[str]:
    yield f"| {_md(name)} | Turned down, % | 95 % interval | Of | Left out |\n|---|--:|--:|--:|--:|"
    for label, e in rows:
        yield f"| {_md(label)} | {one(e.value)} | {ends(e)} | {e.n} | {e.n_left_out} |"
    yield ""


def _md(text: str) -> str:
    """The text so that nothing in it is taken for Markdown or HTML."""
    for character in "\\`*_[]<>|#&":
        text = text.replace(character, f"\\{character}" if character not in "<>&" else f"&#{ord(character)};")
    return " ".join(visible(text).split())
