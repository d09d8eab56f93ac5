"""Finished runs: `mossbench results` (count again, and the tables in and out), `compare` and `report`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal, cast

import click

import mossbench
from mossbench.cli.arguments import runs_argument
from mossbench.cli.commands import Command, Group
from mossbench.cli.option_groups import gather
from mossbench.cli.options import (
    Option,
    columns_option,
    default_of,
    group_by_option,
    json_option,
    new_run_option,
    out_option,
    overwrite_option,
    rule_option,
    verdicts_of_option,
    with_answers_option,
)
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.rates import note_arms, show_cautions, show_notices, show_results
from mossbench.cli.types import DATASET, FROM_0, ONE_SIDE, PATH, RULE, Names
from mossbench.errors import UsageError
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.published.every_eval_ever import Relationship
    from mossbench.reports.own_files import Format
    from mossbench.reports.record import Report
    from mossbench.results.table import Results

ResultsFormat = Literal["published", "csv", "json", "parquet", "inspect", "eval-results"]
"""What `write_results` takes; the other formats have writers of their own."""
FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".json": "json",
    ".eval": "inspect",
    ".yaml": "eval-results",
    ".md": "model-card",
}
FORMATS_WITH_ALL_ARMS = ("csv", "json", "parquet", "inspect")
FORMATS_OF_ASKED_ROWS = ("published", "inspect")
"""Rows that were not asked are not in these."""


@click.group(cls=Group)
def results() -> None:
    """Show, import and export the results of runs."""


@results.command("show")
@runs_argument()
@verdicts_of_option
@group_by_option
@rule_option
@json_option
def show_command(runs: tuple[Path, ...], judge: str | None, by: str, rule: str, as_json: bool) -> None:
    """Count the rows of one or more runs again.

    Example: mossbench results show runs/mine --by harm
    """
    arms: Literal["all", "own"] = "all" if by == "arm" else "own"
    results = [mossbench.load_results(run, judge=judge, arms=arms) for run in runs]
    show_results(results, rule, by=by, as_json=as_json)


@results.command("sets")
@runs_argument()
@verdicts_of_option
@rule_option
@json_option
def sets_command(runs: tuple[Path, ...], judge: str | None, rule: str, as_json: bool) -> None:
    """Show runs on several datasets in one table.

    Both sides of each, and d′ where a run has both. Nothing is added up or averaged over datasets.

    Example: mossbench results sets runs/on-xstest runs/on-sketches
    """
    from mossbench.reports.tables import sets_table

    results = [mossbench.load_results(run, judge=judge) for run in runs]
    lines = mossbench.over_sets(*results, rule=rule)
    show_notices(results)
    if as_json:
        show_json(lines)
        return
    show(sets_table(lines))
    for text in dict.fromkeys(f"data {line.data} · judge {line.judge} · rule {rule}" for line in lines):
        show(text)
    show("Sets differ in what they ask and what they call harmful: read each line by itself. d′ is as read.")


@results.command("import")
@click.argument("file", type=PATH)
@new_run_option
@click.option(
    "--side",
    cls=Option,
    type=ONE_SIDE,
    shown_default="what the rows or their flags say",
    help="Say which side the file holds.",
)
@click.option(
    "--model",
    cls=Option,
    default=default_of("published.results_json:import_results", "model"),
    shown_default="the file's name",
    help="Name the model.",
)
@click.option(
    "--data",
    cls=Option,
    type=DATASET,
    shown_default="unknown data, which no board ranks",
    help="Read a results.json as a run on these data, which boards can check: {names}.",
)
@columns_option
@rule_option
@json_option
def import_command(
    file: Path,
    out: Path,
    side: str | None,
    model: str,
    data: str | None,
    columns: dict[str, str] | None,
    rule: str,
    as_json: bool,
) -> None:
    """Make a run folder from results that others wrote.

    FILE is a results.json in the published layout, a log of Inspect's (.eval), or a record of Every Eval Ever with
    its samples beside it.

    With --data, the rows of a results.json must be samples of these data, and a board can take the run.

    Example: mossbench results import results.json --out runs/theirs --data official --model "GPT-4o"
    """
    imported = mossbench.import_results(file, out, side=side, model=model, data=data, columns=columns)
    show_results([imported], rule, as_json=as_json)
    if imported.info.not_in_file:
        note(f"wrote {out}; a board takes a whole run: add the missing rows to the file and import it again")
    elif imported.info.recorded_file:
        note(f"wrote {out}; for a board: mossbench submit {quote(str(out))} --out FILE.json --availability API")
    elif not imported.info.dataset.hashes:
        note(f"wrote {out}; a board needs to know the data that were asked: import it with --data to submit it")


@dataclass(frozen=True)
class ExportChoices:
    """How `mossbench results export` writes runs."""

    out: Path
    overwrite: bool
    side: str | None
    rule: str | None
    style: Literal["names", "types"]
    hub_dataset: str | None
    url: str | None
    organization: str
    relationship: Relationship
    with_answers: bool


@results.command("export")
@runs_argument()
@out_option
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names(
        "format", ["published", "csv", "json", "parquet", "inspect", "eval-results", "model-card", "every-eval-ever"]
    ),
    shown_default="by the suffix of --out",
    help="Write this layout.",
)
@overwrite_option
@verdicts_of_option
@click.option("--side", type=ONE_SIDE, help="Write this side, in the published layout.")
@click.option(
    "--rule",
    cls=Option,
    type=RULE,
    shown_default="paper in the published layout, system elsewhere",
    help="Counting rule: what counts as refused.",
)
@click.option(
    "--style",
    cls=Option,
    type=Names("style", ["names", "types"]),
    default=default_of("published.results_json:write_results", "style"),
    help="Name the rates by stimulus names or by the older types.",
)
@click.option(
    "--hub-dataset",
    cls=Option,
    metavar="ORG/NAME",
    shown_default="where the samples came from",
    help="Name the dataset on the hub that the results are of, in eval-results.",
)
@click.option("--url", help="Say where answers and verdicts can be read, in eval-results.")
@click.option("--organization", cls=Option, default="unknown", help="Say who made the evaluation, in every-eval-ever.")
@click.option(
    "--relationship",
    cls=Option,
    type=Names("relationship", "published.every_eval_ever:Relationship"),
    default=default_of("published.every_eval_ever:write_every_eval_ever", "relationship"),
    help="Say what the evaluator is to the model's maker, in every-eval-ever.",
)
@with_answers_option
@gather("choices", ExportChoices)
def export_command(runs: tuple[Path, ...], format_: str | None, judge: str | None, choices: ExportChoices) -> None:
    """Write runs as a table, or one as a file that others read.

    That is a published results.json, a log for `inspect view` (.eval), a file of .eval_results for the hub (.yaml),
    a section for a model's card (.md), or a record of Every Eval Ever (--format every-eval-ever, --out a folder).

    Example: mossbench results export runs/mine --out mine.csv
    """
    layout = format_ or FORMAT_OF_SUFFIX.get(choices.out.suffix.lower())
    if layout is None:
        raise UsageError(
            f"cannot tell the format from {choices.out.name!r}; add --format published, csv, json, parquet, inspect, "
            "eval-results, model-card or every-eval-ever"
        )
    arms: Literal["all", "own"] = "all" if layout in FORMATS_WITH_ALL_ARMS else "own"
    results = [mossbench.load_results(run, judge=judge, arms=arms) for run in runs]
    _write_layout(results, layout, choices)
    note(f"wrote {choices.out}")
    note_arms(results)
    what_of_them = "; they are not in it" if layout in FORMATS_OF_ASKED_ROWS else ""
    for run in results:
        unfinished = run.unfinished()
        if unfinished:
            note(f"warning: not finished: {on_command_line(unfinished)}{what_of_them}")


def _write_layout(results: list[Results], layout: str, choices: ExportChoices) -> None:
    if layout == "every-eval-ever":
        for run in results:
            written = mossbench.write_every_eval_ever(
                run,
                choices.out,
                organization=choices.organization,
                relationship=choices.relationship,
                rule=choices.rule or "system",
                with_answers=choices.with_answers,
            )
            note(f"wrote {written}")
    elif layout == "model-card":
        mossbench.write_model_card(results[0], choices.out, rule=choices.rule or "system", overwrite=choices.overwrite)
    else:
        mossbench.write_results(
            results,
            choices.out,
            format=cast("ResultsFormat", layout),
            side=choices.side,
            rule=choices.rule,
            style=choices.style,
            overwrite=choices.overwrite,
            hub_dataset=choices.hub_dataset,
            url=choices.url,
        )


@click.command(cls=Command)
@runs_argument()
@verdicts_of_option
@group_by_option
@click.option(
    "--flips",
    cls=Option,
    type=FROM_0,
    default=3,
    help="List N changed samples in each direction; json and csv list all.",
)
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["table", "md", "csv", "json"]),
    default="table",
    help="Print this format; csv has a line for each changed sample.",
)
@rule_option
@json_option
def compare(
    runs: tuple[Path, ...], judge: str | None, by: str, flips: int, format_: str, rule: str, as_json: bool
) -> None:
    """Compare runs with the first, sample by sample.

    Only samples that both runs answered count. All runs must have verdicts of the same judge.

    Example: mossbench compare runs/before runs/after
    """
    from mossbench.reports.comparison_tables import comparison_markdown, comparison_page, flips_csv

    comparison = mossbench.compare(*runs, rule=rule, judge=judge, by=by)
    if format_ == "csv":  # the other formats have them in the result
        for text in comparison.asked_differently:
            note(f"note: {text}")
    for message in comparison.messages:
        note(f"note: {on_command_line(message)}")
    if as_json or format_ == "json":
        show_json(comparison.to_dict())
    elif format_ == "csv":
        say(flips_csv(comparison), nl=False)
    elif format_ == "md":
        say(comparison_markdown(comparison, n_flips=flips))
    else:
        show(comparison_page(comparison, n_flips=flips))


@dataclass(frozen=True)
class ReportChoices:
    """What `mossbench report` counts, and what it writes."""

    judge: str | None
    rule: str
    labels: Path | None
    labels_drawn: str | None
    by: tuple[str, ...]
    format_: Format | None
    out: str | None
    as_json: bool


@click.command(cls=Command)
@runs_argument()
@verdicts_of_option
@rule_option
@click.option(
    "--labels",
    type=PATH,
    metavar="FILE",
    help="Measure the judge with people's labels of the answers, and correct the rate.",
)
@click.option(
    "--labels-drawn",
    type=Names("draw", ["random"]),
    help="Say that labels that do not say how they were chosen were drawn at random.",
)
@click.option("--by", multiple=True, help="Also show rates by this column of your data; repeat for more.")
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["html", "md", "json", "csv", "png", "svg"]),
    shown_default="by the suffix of --out, or html",
    help="Write a page, text, everything as JSON, tidy rates, or the charts.",
)
@click.option(
    "--out", cls=Option, shown_default="report.html in the run's folder", help="Write this file; - is stdout."
)
@json_option
@gather("choices", ReportChoices)
def report(runs: tuple[Path, ...], choices: ReportChoices) -> None:
    """Write a page with what one or more runs found.

    It has intervals and cautions and needs no network. Several runs give one page that starts with their headline
    rates on one axis.

    Example: mossbench report runs/mine --format md --out -
    """
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.writing import check_ours, default_path, format_of, report_bytes, report_table

    _check_report_choices(runs, choices)
    format_ = "json" if choices.as_json else format_of(choices.out, choices.format_)
    results = [mossbench.load_results(run, judge=choices.judge) for run in runs]
    if choices.as_json or choices.out == "-":
        say(report_bytes(results, _make_reports(results, choices), format_), nl=False)
        return
    path = Path(choices.out) if choices.out else default_path(results, format_)
    check_ours(path, format_)
    reports = _make_reports(results, choices)
    write_atomically(path, report_bytes(results, reports, format_))
    show_cautions(reports)
    show(report_table(reports))
    note(f"wrote {path}")


def _make_reports(results: list[Results], choices: ReportChoices) -> list[Report]:
    return [
        mossbench.make_report(
            run, rule=choices.rule, labels=choices.labels, labels_drawn=choices.labels_drawn, by=choices.by
        )
        for run in results
    ]


def _check_report_choices(runs: tuple[Path, ...], choices: ReportChoices) -> None:
    """A UsageError for runs and options that do not go together."""
    if choices.labels is not None and len(runs) > 1:
        raise UsageError("--labels are of one run's answers; give one run with it")
    if choices.labels_drawn and len(runs) > 1:
        raise UsageError("--labels-drawn is about the labels of one run's answers; give one run with it")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("a run is given twice; name each folder once")
    if choices.as_json and (choices.out or choices.format_):
        raise UsageError("--json prints the report as JSON and writes no file; omit --out and --format")
