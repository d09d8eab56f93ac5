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
    was_given,
    with_answers_option,
)
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.rates import note_arms, show_cautions, show_notices, show_results
from mossbench.cli.types import DATASET, FROM_0, ONE_SIDE, PATH, RULE, Names
from mossbench.errors import UsageError, bad_option
from mossbench.messages import on_command_line
from mossbench.ways_out import OmitOption

if TYPE_CHECKING:
    from mossbench.published.every_eval_ever import Relationship
    from mossbench.reports.own_files import Format
    from mossbench.reports.record import Report
    from mossbench.results.comparisons import Comparison
    from mossbench.results.table import Results

ResultsFormat = Literal["published", "csv", "json", "parquet", "inspect", "eval-results"]
"""Formats that `write_results` writes; every other format has a function of its own."""
FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".json": "json",
    ".eval": "inspect",
    ".yaml": "eval-results",
    ".md": "model-card",
}
"""Suffix of the file that --out names -> format."""
FORMATS_WITH_ALL_ARMS = ("csv", "json", "parquet", "inspect")
"""Formats that have the rows of all arms; the others have those of the run's own arm."""
DEFAULT_ORGANIZATION = "unknown"
FORMATS_OF_ASKED_ROWS = ("published", "inspect")
"""Formats that leave out rows that were not asked."""


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
    """Show the refusal rates of one or more runs.

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

    It has the rates of both sides, and d′ for runs that have both. Nothing is summed or averaged over datasets.

    Example: mossbench results sets runs/on-xstest runs/on-sketches
    """
    from mossbench.reports.tables import sets_table

    results = [mossbench.load_results(run, judge=judge) for run in runs]
    lines = mossbench.over_sets(*results, rule=rule)
    show_notices(results)
    if as_json:
        show_json(lines)
        return
    judges = list(dict.fromkeys(line.judge for line in lines))
    for judge_name in judges:  # rates by different judges never share a table
        if len(judges) > 1:
            show(f"Judge {judge_name}")
        show(sets_table([line for line in lines if line.judge == judge_name]))
    for text in dict.fromkeys(f"data {line.data} · judge {line.judge} · rule {rule}" for line in lines):
        show(text)
    show("Datasets differ in requests and in what they call harmful: read each line by itself.")
    show("d′ is from the judge’s verdicts as they are; it is not corrected for the judge’s errors.")


@results.command("import")
@click.argument("file", type=PATH)
@new_run_option
@click.option(
    "--side",
    cls=Option,
    type=ONE_SIDE,
    shown_default="what the rows or their flags say",
    help="Use this side for all rows of the file.",
)
@click.option(
    "--model",
    cls=Option,
    default=default_of("published.results_json:import_results", "model"),
    shown_default="the file's name",
    help="Use this name for the model.",
)
@click.option(
    "--data",
    cls=Option,
    type=DATASET,
    shown_default="unknown data, not ranked on any board",
    help="Match a results.json with this dataset, so that boards can check it: {names}.",
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
    """Import results of other tools as a run.

    FILE is a results.json in the published layout, an Inspect log (.eval), or an Every Eval Ever record with its
    samples next to it.

    With --data, every row of a results.json must be a sample of that dataset. Boards accept only runs imported with
    --data.

    Example: mossbench results import results.json --out runs/theirs --data official --model "GPT-4o"
    """
    imported = mossbench.import_results(file, out, side=side, model=model, data=data, columns=columns)
    show_results([imported], rule, as_json=as_json)
    if imported.info.not_in_file:
        note(f"wrote {out}; boards only accept complete runs: add the missing rows to the file and import it again")
    elif imported.info.recorded_file:
        note(
            f"wrote {out}; submit it to a board: mossbench submit {quote(str(out))} --out FILE.json --availability API"
        )
    elif not imported.info.dataset.hashes:
        note(f"wrote {out}; to submit it to a board, import it again with --data")
    else:
        note(f"wrote {out}")


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
    help="Write this format.",
)
@overwrite_option
@verdicts_of_option
@click.option("--side", type=ONE_SIDE, help="published: write this side.")
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
    help="published: use stimulus names, or the older types.",
)
@click.option(
    "--hub-dataset",
    cls=Option,
    metavar="ORG/NAME",
    shown_default="where the samples came from",
    help="eval-results: name this dataset on the hub.",
)
@click.option("--url", help="eval-results: link to the answers and verdicts.")
@click.option(
    "--organization", cls=Option, default=DEFAULT_ORGANIZATION, help="every-eval-ever: name who made the evaluation."
)
@click.option(
    "--relationship",
    cls=Option,
    type=Names("relationship", "published.every_eval_ever:Relationship"),
    default=default_of("published.every_eval_ever:write_every_eval_ever", "relationship"),
    help="every-eval-ever: state how the evaluator is related to the model's maker.",
)
@with_answers_option
@gather("choices", ExportChoices)
def export_command(runs: tuple[Path, ...], format_: str | None, judge: str | None, choices: ExportChoices) -> None:
    """Export runs as a table, or one run for another tool.

    Tables are .csv, .parquet and .json. Other formats: a published results.json (--format published), a log for
    `inspect view` (.eval), a file of .eval_results for the hub (.yaml), a section of a model card (.md), and an Every
    Eval Ever record (--format every-eval-ever, --out a folder).

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
    for path in _write_layout(results, layout, choices):
        note(f"wrote {path}")
    note_arms(results)
    missing_in_file = "; those rows are not in the file" if layout in FORMATS_OF_ASKED_ROWS else ""
    for run in results:
        unfinished = run.unfinished()
        if unfinished:
            note(f"warning: not finished: {on_command_line(unfinished)}{missing_in_file}")


def _options_with_defaults(choices: ExportChoices) -> dict[str, object]:
    """The options that have a default -> their values, None for the default: then they say nothing."""
    defaults = {
        "style": default_of("published.results_json:write_results", "style")(),
        "organization": DEFAULT_ORGANIZATION,
        "relationship": default_of("published.every_eval_ever:write_every_eval_ever", "relationship")(),
        "with_answers": False,
    }
    values = {}
    for name, default in defaults.items():
        value = getattr(choices, name)
        values[name] = None if value == default else value
    return values


def _write_layout(results: list[Results], layout: str, choices: ExportChoices) -> list[Path]:
    """Writes the runs in this format, and returns the paths of the files."""
    from mossbench.published.results_json import check_options_fit

    options = {name: getattr(choices, name) for name in ("side", "rule", "hub_dataset", "url")}
    changed = {name: value for name, value in _options_with_defaults(choices).items() if value is not None}
    check_options_fit(layout, {**options, **changed})
    if layout == "every-eval-ever":
        paths = []
        for run in results:
            path = mossbench.write_every_eval_ever(
                run,
                choices.out,
                organization=choices.organization,
                relationship=choices.relationship,
                rule=choices.rule or "system",
                with_answers=choices.with_answers,
            )
            paths.append(path)
        return paths
    if layout == "model-card":
        if len(results) != 1:
            raise UsageError(f"a model card is of one run, not {len(results)}; repeat the command for each run")
        rule = choices.rule or "system"
        return [mossbench.write_model_card(results[0], choices.out, rule=rule, overwrite=choices.overwrite)]
    path = mossbench.write_results(
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
    return [path]


@click.command(cls=Command)
@runs_argument()
@verdicts_of_option
@group_by_option
@click.option(
    "--flips",
    cls=Option,
    type=FROM_0,
    default=3,
    help="List N changed samples in each direction; json and csv have all.",
)
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["table", "md", "csv", "flips", "json"]),
    default="table",
    help="Print this format; csv has a line for each difference, flips one for each changed sample.",
)
@click.option("--all-pairs", "every_pair", is_flag=True, help="Compare every run with each other, not only the first.")
@rule_option
@json_option
def compare(
    runs: tuple[Path, ...],
    judge: str | None,
    by: str,
    flips: int,
    format_: str,
    every_pair: bool,
    rule: str,
    as_json: bool,
) -> None:
    """Compare runs with the first, sample by sample.

    Two folders of suites are compared cell by cell; a cell is compared with the cell of the same names.

    Only samples that both runs answered count. One judge reads all runs: where they were judged by different offline
    judges or versions, the newest of these judges their answers again for this comparison, which costs nothing.

    Example: mossbench compare runs/before runs/after
    """
    from mossbench.results.suite_folders import is_suite_folder

    if any(is_suite_folder(run) for run in runs):
        if was_given("by") or was_given("flips") or every_pair or format_ == "flips":
            raise UsageError("--by, --flips, --all-pairs and --format flips are for runs; name two runs of the suites")
        compare_suites(runs, judge, rule, "json" if as_json else format_)
        return
    if as_json:
        format_ = "json"
    if format_ == "flips" and by != default_of("results.table:Results.rates", "by")():
        problem = "does not apply to flips, which has a line for each changed sample and no groups"
        raise bad_option("by", problem, OmitOption("by"))
    comparison = mossbench.compare(*runs, rule=rule, judge=judge, by=by, every_pair=every_pair)
    if format_ in ("csv", "flips"):  # all other formats print these notes with the result
        for text in comparison.asked_differently:
            note(f"note: {text}")
    for message in comparison.messages:
        note(f"note: {on_command_line(message)}")
    _say_comparison(comparison, format_, n_flips=flips)


def _say_comparison(comparison: Comparison, format_: str, *, n_flips: int) -> None:
    from mossbench.reports.comparison_tables import comparison_markdown, comparison_page, differences_csv, flips_csv

    if format_ == "json":
        show_json(comparison.to_dict())
    elif format_ == "csv":
        say(differences_csv(comparison), nl=False)
    elif format_ == "flips":
        say(flips_csv(comparison), nl=False)
    elif format_ == "md":
        say(comparison_markdown(comparison, n_flips=n_flips))
    else:
        show(comparison_page(comparison, n_flips=n_flips))


def compare_suites(folders: tuple[Path, ...], judge: str | None, rule: str, format_: str) -> None:
    """Compares the suite in each further folder with that in the first, cell by cell."""
    from mossbench.look.page import markdown, markdown_table
    from mossbench.reports.suite_tables import as_table, comparison_csv, comparison_rows
    from mossbench.reports.words.nightly import comparison_notes, comparison_text

    if len(folders) < 2:
        raise UsageError("a comparison needs at least two suites; name the folders of both")
    first, *others = folders
    comparisons = [mossbench.compare_suites(first, other, rule=rule, judge=judge) for other in others]
    if format_ == "json":
        show_json([comparison.to_dict() for comparison in comparisons])
        return
    if format_ == "csv":
        say(comparison_csv(comparisons), nl=False)
        return
    for other, comparison in zip(others, comparisons, strict=True):
        texts = [comparison_text(cell, comparison) for cell in comparison.cells]
        texts += comparison_notes(comparison)
        head, rows = comparison_rows(comparison)
        if format_ == "md":
            lines = [
                f"## {markdown(f'{other} compared with {first}')}",
                "",
                *markdown_table(head, rows, words=len(head)),
            ]
            say("\n".join([*lines, *(f"- {markdown(text)}" for text in texts), ""]))
            continue
        show(f"{other} compared with {first}")
        show(as_table((head, rows)))
        for text in texts:
            say(text)


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
    help="Treat labels that do not say how they were chosen as drawn at random.",
)
@click.option("--by", multiple=True, help="Also show rates by this column of your data; repeat for more.")
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["html", "md", "json", "csv", "png", "svg"]),
    shown_default="by the suffix of --out, or html",
    help="Write a page (html), text (md), everything (json), tidy rates (csv) or the charts (png, svg).",
)
@click.option(
    "--out", cls=Option, shown_default="report.html in the run's folder", help="Write this file; - is stdout."
)
@json_option
@gather("choices", ReportChoices)
def report(runs: tuple[Path, ...], choices: ReportChoices) -> None:
    """Write a report of one or more runs.

    The page has intervals and cautions, and needs no network. With several runs it starts with their headline rates on
    one axis.

    Example: mossbench report runs/mine --format md --out -
    """
    from mossbench.look.page import visible
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.writing import (
        check_may_replace,
        default_path,
        format_of,
        judge_notes,
        report_bytes,
        report_table,
    )

    _check_report_choices(runs, choices)
    format_ = "json" if choices.as_json else format_of(choices.out, choices.format_)
    results = [mossbench.load_results(run, judge=choices.judge) for run in runs]
    if choices.as_json or choices.out == "-":
        say(report_bytes(results, _make_reports(results, choices), format_), nl=False)
        return
    path = Path(choices.out) if choices.out else default_path(results, format_)
    check_may_replace(path, format_)
    reports = _make_reports(results, choices)
    write_atomically(path, report_bytes(results, reports, format_))
    show_cautions(reports)
    show(report_table(reports))
    for text in judge_notes(reports):
        show(visible(text))
    note(f"wrote {path}")


def _make_reports(results: list[Results], choices: ReportChoices) -> list[Report]:
    return [
        mossbench.make_report(
            run, rule=choices.rule, labels=choices.labels, labels_drawn=choices.labels_drawn, by=choices.by
        )
        for run in results
    ]


def _check_report_choices(runs: tuple[Path, ...], choices: ReportChoices) -> None:
    """Raises UsageError if the runs or options contradict each other."""
    if choices.labels is not None and len(runs) > 1:
        raise UsageError("--labels works with a single run; name only one")
    if choices.labels_drawn and len(runs) > 1:
        raise UsageError("--labels-drawn works with a single run; name only one")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("the same run is given twice; name each folder once")
    if choices.as_json and (choices.out or choices.format_):
        raise UsageError("--json prints the report and writes no file; omit --out and --format")
