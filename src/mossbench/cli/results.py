"""Finished runs: `mossbench results` (count again, and the tables in and out), `compare`, `gate` and `report`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Command, Group
from mossbench.cli.options import PATH, options, run_argument, runs_argument
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.suites import EXIT_CODES, write_for_ci
from mossbench.errors import MossbenchError, UsageError
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.reports.record import Report
    from mossbench.results.table import Results

FORMATS = {".csv": "csv", ".parquet": "parquet", ".json": "json", ".eval": "inspect"}
FORMATS |= {".yaml": "eval-results", ".md": "model-card"}


@click.group(cls=Group)
def results() -> None: ...


@results.command("show")
@runs_argument()
@options("own.judge", "by", "rule", "json")
def show_command(runs: tuple[Path, ...], judge: str | None, by: Any, rule: str, as_json: bool) -> None:
    arms: Any = "all" if by == "arm" else "own"
    show_results([mossbench.load_results(run, judge=judge, arms=arms) for run in runs], rule, by=by, as_json=as_json)


@results.command("sets")
@runs_argument()
@options("own.judge", "rule", "json")
def sets_command(runs: tuple[Path, ...], judge: str | None, rule: str, as_json: bool) -> None:
    from mossbench.reports.tables import sets_table

    found = [mossbench.load_results(run, judge=judge) for run in runs]
    lines = mossbench.over_sets(*found, rule=rule)
    show_notices(found)
    if as_json:
        return show_json(lines)
    show(sets_table(lines))
    for text in dict.fromkeys(f"data {line.data} · judge {line.judge} · rule {rule}" for line in lines):
        show(text)
    show("Sets differ in what they ask and what they call harmful: read each line by itself. d′ is as read.")


@results.command("import")
@click.argument("file", type=PATH)
@options("import.out", "import.side", "import.model", "import.data", "map", "rule", "json")
def import_command(file: Path, out: Path, side: str | None, rule: str, as_json: bool, **about: Any) -> None:
    found = mossbench.import_results(file, out, side=side, **about)
    show_results([found], rule, as_json=as_json)
    if found.info.not_in_file:
        note(f"wrote {out}; a board takes a whole run: add the missing rows to the file and import it again")
    elif found.info.recorded_file:
        note(f"wrote {out}; for a board: mossbench submit {quote(str(out))} --out FILE.json --availability API")
    elif not found.info.dataset.hashes:
        note(f"wrote {out}; a board needs to know the data that were asked: import it with --data to submit it")


@results.command("export")
@runs_argument()
@options("out", "export.format", "overwrite", "own.judge", "export.side", "export.rule", "style", "hub_dataset", "url")
@options("organization", "relationship", "with_answers")
def export_command(runs: tuple[Path, ...], out: Path, format_: str | None, judge: str | None, **chosen: Any) -> None:
    layout: Any = format_ or FORMATS.get(out.suffix.lower())
    if layout is None:
        raise UsageError(
            f"cannot tell the format from {out.name!r}; add --format published, csv, json, parquet, inspect, "
            "eval-results, model-card or every-eval-ever"
        )
    arms: Any = "all" if layout in ("csv", "json", "parquet", "inspect") else "own"
    found = [mossbench.load_results(run, judge=judge, arms=arms) for run in runs]
    rule = chosen["rule"] or "system"
    about: Any = {name: chosen.pop(name) for name in ("organization", "relationship", "with_answers")}
    if layout == "every-eval-ever":
        for one in found:
            note(f"wrote {mossbench.write_every_eval_ever(one, out, rule=rule, **about)}")
    elif layout == "model-card":
        mossbench.write_model_card(found[0], out, rule=rule, overwrite=chosen["overwrite"])
    else:
        mossbench.write_results(found, out, format=layout, **chosen)
    note(f"wrote {out}")
    note_arms(found)
    for text in filter(None, (results.unfinished() for results in found)):
        left_out = "; they are not in it" if layout in ("published", "inspect") else ""
        note(f"warning: not finished: {on_command_line(text)}{left_out}")


@click.command(cls=Command)
@runs_argument()
@options("own.judge", "by", "flips", "compare.format", "rule", "json")
def compare(
    runs: tuple[Path, ...], judge: str | None, by: str, flips: int, format_: str, rule: str, as_json: bool
) -> None:
    from mossbench.reports.comparison_text import comparison_markdown, comparison_page, flips_csv

    found = mossbench.compare(*runs, rule=rule, judge=judge, by=by)
    for text in (*(found.asked_differently if format_ == "csv" else ()), *map(on_command_line, found.messages)):
        note(f"note: {text}")
    if as_json or format_ == "json":
        show_json(found.to_dict())
    elif format_ == "csv":
        say(flips_csv(found), nl=False)
    elif format_ == "md":
        say(comparison_markdown(found, n_flips=flips))
    else:
        show(comparison_page(found, n_flips=flips))


@click.command(cls=Command)
@run_argument()
@options(
    "max_refusal",
    "min_safety",
    "baseline",
    "max_increase",
    "mode",
    "max_failed",
    "as_read",
    "own.judge",
    "rule",
    "junit",
)
@options("summary", "json")
def gate(run: Path, baseline: Path | None, judge: str | None, as_json: bool, **limits: Any) -> None:
    from mossbench.reports.comparison_text import gate_line
    from mossbench.reports.suite_text import gate_cases

    files = {name: limits.pop(name) for name in ("junit", "summary")}
    try:
        results = mossbench.load_results(run, judge=judge)
        before = mossbench.load_results(baseline, judge=judge) if baseline else None
        note_arms(filter(None, [results, before]))
        decision = mossbench.gate(results, baseline=before, **limits)
    except MossbenchError as error:
        error.exit_code = EXIT_CODES["undecided"]  # 1 says that the model failed, which a damaged file does not
        raise
    if as_json:
        show_json({"state": decision.state, **vars(decision)})
    else:
        say(gate_line(decision))
    write_for_ci(decision.run, decision.state, None, gate_cases(decision), **files)
    raise SystemExit(EXIT_CODES[decision.state])


@click.command(cls=Command)
@runs_argument()
@options("own.judge", "rule", "labels", "labels_drawn", "report.by", "report.format", "report.out", "json")
def report(
    runs: tuple[Path, ...], labels: Path | None, format_: Any, out: str | None, as_json: bool, **how: Any
) -> None:
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.writing import check_ours, default_path, format_of, report_bytes, report_table

    if labels is not None and len(runs) > 1:
        raise UsageError("--labels are of one run's answers; give one run with it")
    if how["labels_drawn"] and len(runs) > 1:
        raise UsageError("--labels-drawn is about the labels of one run's answers; give one run with it")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("a run is given twice; name each folder once")
    if as_json and (out or format_):
        raise UsageError("--json prints the report as JSON and writes no file; leave out --out and --format")
    format_, out = ("json", "-") if as_json else (format_of(out, format_), out)
    judge = how.pop("judge")
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    path = Path(out) if out else default_path(results, format_)
    if out != "-":
        check_ours(path, format_)
    reports = [mossbench.make_report(run, labels=labels, **how) for run in results]
    content = report_bytes(results, reports, format_)
    if out == "-":
        say(content, nl=False)
        return
    write_atomically(path, content)
    show_cautions(reports)
    show(report_table(reports))
    note(f"wrote {path}")


def show_results(runs: list[Results], rule: str, *, by: Any = "stimulus", as_json: bool = False) -> None:
    """Rates of runs with what they were made of; notices, licence and paths go to stderr."""
    from mossbench.reports import tables

    show_notices(runs)
    if as_json:
        return show_json([results.to_dict(rule=rule, by=by) for results in runs])
    show(tables.rates_table(runs, rule=rule, by=by))
    for results in runs:
        show(tables.layers_line(results))
        for text in tables.planted_lines(results, rule):
            show(f"  {text}")
        for text in filter(None, (tables.spent_line(results), *tables.answerer_lines(results, rule))):
            show(text)
        for judge, n in results.n_via().items():
            show(f"  {judge} decided {n} of {sum(results.n_via().values())} ({n / sum(results.n_via().values()):.1%})")
    for text in dict.fromkeys(line for results in runs for line in tables.correction_lines(results, rule)):
        show(text)
    for text in dict.fromkeys(tables.provenance(results, rule) for results in runs):
        show(f"{text}\n95 % intervals in brackets, over scenes where samples share one")


def show_cautions(reports: Iterable[Report]) -> None:
    """What weakens each headline, as its page says it."""
    from mossbench.look.page import visible

    for report in reports:
        show(visible(report.headline))
        for number, caution in enumerate(report.cautions, 1):
            show(visible(f"  {number} {caution.claim} {caution.text}"))


def note_arms(runs: Iterable[Results]) -> None:
    """Which arm a command counts, where the folder has others, on stderr."""
    for results in runs:
        if text := results.elsewhere():
            note(f"note: {on_command_line(text)}")


def show_notices(runs: list[Results]) -> None:
    """What somebody should know who reads the rates, on stderr."""
    from mossbench.outcomes import MAX_FAILED, Layer
    from mossbench.protocols import not_taken

    about = set()
    for results in runs:
        failed, n_asked = results.layers()[Layer.FAILED], len(results) - results.layers()[Layer.NOT_ASKED]
        if text := results.unfinished():
            about.add(f"warning: not finished: {on_command_line(text)}")
        if failed > MAX_FAILED * n_asked:
            rest = "rates are of the others" if failed < n_asked else "there is no rate"
            about.add(f"warning: {failed} of {n_asked} rows failed, more than {MAX_FAILED:.0%}: {rest}")
        if refused := not_taken(results.info.sent):
            about.add(f"note: {results.model}: its provider does not take {', '.join(refused)}; asked for and not sent")
        if unjudged := results.unjudged():
            reason, n = unjudged.most_common(1)[0]
            about.add(f"note: {unjudged.total()} of {len(results)} rows have no verdict; most often ({n}): {reason}")
    note_arms(runs)
    about |= {f"note: {notice}" for results in runs for notice in results.info.notices}
    about |= {f"warning: {results.drift}" for results in runs if results.drift}
    about |= {results.info.dataset.warning for results in runs}
    about |= {f"data licence: {results.info.dataset.licence}" for results in runs if results.info.dataset.licence}
    for line in sorted(about - {""}):
        note(line)
