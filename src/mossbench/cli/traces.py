"""`mossbench traces`: logs of an application, from the file to a rate and to samples."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.callbacks import read_ids
from mossbench.cli.commands import Group
from mossbench.cli.option_groups import JudgeChoice, gather, judge_options
from mossbench.cli.options import (
    Option,
    base_url_option,
    default_of,
    json_option,
    overwrite_option,
    quiet_option,
)
from mossbench.cli.printing import say, show_json, show_table
from mossbench.cli.progress_bar import counter_of
from mossbench.cli.types import FROM_0, FROM_1, MODEL, PATH, PORT, SHARE, Names

if TYPE_CHECKING:
    from mossbench.traces.cases import CasesWritten

traces_argument = click.argument("traces", metavar="TRACES", type=PATH)


refused_option = click.option(
    "--refused/--all",
    "refused",
    default=True,
    help="Take what was refused at least once, which is the default, or everything harmless.",
)
cases_n_option = click.option("--n", type=FROM_1, help="Take at most N.")
cases_name_option = click.option(
    "--name", cls=Option, default="", shown_default="that of the folder", help="Give the dataset this name."
)
twins_option = click.option(
    "--twins",
    type=PATH,
    metavar="FILE.csv",
    help="Add the harmful twins that are filled in here; if the file does not exist, write it with a row for each.",
)
overwrite_cases_option = click.option("--overwrite", is_flag=True, help="Replace an earlier dataset in OUT.")


def show_cases(written: CasesWritten, *, as_json: bool) -> None:
    """What was written, with what a test of it needs."""
    from mossbench.reports.words.traces import cases_lines

    if as_json:
        show_json(written)
        return
    for line in cases_lines(written):
        say(line)


def read_pairs(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE`, in several options."""
    pairs: dict[str, str] = {}
    for value in values:
        name, equals, rest = value.partition("=")
        if not equals or not name or not rest:
            raise click.BadParameter(f"expected NAME=VALUE, got {value!r}")
        pairs[name] = rest
    return pairs


def read_map(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dict[str, str] | None:
    """`request=question,answer=reply`, by field."""
    if value is None:
        return None
    return read_pairs(_ctx, _param, tuple(filter(None, (part.strip() for part in value.split(",")))))


@click.group(cls=Group)
def traces() -> None:
    """Find refused users in logs, and make tests of them.

    TRACES is a folder that `traces import` has written.
    """


@dataclass(frozen=True)
class ImportChoices:
    """The options of `mossbench traces import`."""

    out: Path
    format_: str | None
    columns: dict[str, str] | None
    redact: dict[str, str]
    images: Path | None
    encoding: str | None
    quiet: bool
    as_json: bool


@traces.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PATH)
@click.option("--out", type=PATH, required=True, help="Write the traces into this folder, or add them to it.")
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", "traces.formats:NAMES"),
    shown_default="told from each record",
    help="Read all records in this format.",
)
@click.option(
    "--map",
    "columns",
    metavar="FIELD=COLUMN,…",
    callback=read_map,
    help="Which columns of a table, or fields of records of your own, hold request, answer, user and so on.",
)
@click.option(
    "--redact",
    multiple=True,
    metavar="NAME=PATTERN",
    callback=read_pairs,
    help="Redact what this regular expression finds, too; repeat for more.",
)
@click.option(
    "--images", cls=Option, type=PATH, shown_default="the log's folder", help="Look for images in this folder."
)
@click.option(
    "--encoding",
    cls=Option,
    metavar="NAME",
    shown_default="UTF-8 or UTF-16",
    help="Read files in this encoding, such as cp1252.",
)
@quiet_option
@json_option
@gather("choices", ImportChoices)
def import_command(files: tuple[Path, ...], choices: ImportChoices) -> None:
    """Import logs, redacted before anything is stored.

    FILE is JSON lines, a JSON list, CSV or Parquet, also compressed with gzip. The format is told from its content. A
    line that cannot be read is kept with its reason. Nothing leaves the machine.

    Example: mossbench traces import app.jsonl --out traces
    """
    from mossbench.reports.words.traces import imported_lines

    with counter_of("reading", quiet=choices.quiet or choices.as_json) as on_line:
        imported = mossbench.import_traces(
            files,
            choices.out,
            format=choices.format_,
            columns=choices.columns,
            redact=choices.redact,
            images=choices.images,
            encoding=choices.encoding,
            on_line=on_line,
        )
    if choices.as_json:
        show_json(imported.to_dict())
    for line in () if choices.as_json else imported_lines(imported):
        say(line)
    if imported.is_empty:
        raise SystemExit(1)


@dataclass(frozen=True)
class SortChoices:
    """The options of `mossbench traces sort`."""

    column: str | None
    harmless: tuple[str, ...]
    harmful: tuple[str, ...]
    model: str | None
    base_url: str | None
    n: int | None
    quiet: bool
    as_json: bool


@traces.command("sort")
@traces_argument
@click.option("--column", metavar="NAME", help="Sort by this column of the log.")
@click.option("--harmless", multiple=True, metavar="VALUE", help="The column's value for harmless requests.")
@click.option("--harmful", multiple=True, metavar="VALUE", help="The column's value for harmful requests.")
@click.option("--model", type=MODEL, help="Have this model sort; the drawn requests are sent to it.")
@base_url_option
@click.option(
    "--n",
    cls=Option,
    type=FROM_1,
    shown_default=default_of("traces.sorting:DEFAULT_DRAW"),
    help="Have the model sort N traces, drawn at random.",
)
@quiet_option
@json_option
@gather("choices", SortChoices)
def sort_command(traces: Path, choices: SortChoices) -> None:
    """Sort requests into harmless and harmful.

    By a column of the log, or by a judging model that you name. People sort on the page of `traces serve`. Identical
    requests are sorted once.

    Example: mossbench traces sort traces --column moderation
    """
    from mossbench.reports.words.traces import sorted_text

    with counter_of("sorting", quiet=choices.quiet or choices.as_json) as on_request:
        done = mossbench.sort_traces(
            traces,
            column=choices.column,
            harmless=choices.harmless,
            harmful=choices.harmful,
            model=choices.model,
            base_url=choices.base_url,
            n=choices.n,
            on_request=on_request,
        )
    if choices.as_json:
        show_json(done)
    else:
        say(sorted_text(done))
    if done.n_failed:
        raise SystemExit(1)


@dataclass(frozen=True)
class RateChoices:
    """The options of `mossbench traces rate`."""

    by: str
    labels: tuple[Path, ...]
    judge: JudgeChoice
    quiet: bool
    as_json: bool


@traces.command("rate")
@traces_argument
@click.option(
    "--by",
    cls=Option,
    metavar="COLUMN",
    default=default_of("traces.rates:rate_traces", "by"),
    help="Break the rate down by day, model, source, format or a column of the log.",
)
@click.option(
    "--labels",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Correct the judge's errors by these labels, from the rows of `traces draw`; repeat for more.",
)
@judge_options
@quiet_option
@json_option
@gather("choices", RateChoices)
def rate_command(traces: Path, choices: RateChoices) -> None:
    """Print how many harmless requests were refused.

    It says first what the sorting rests on. A judge that asks a model reads only the drawn harmless answers.

    Example: mossbench traces rate traces --by model
    """
    from mossbench.reports.words.traces import GROUP_COLUMNS, group_cells, rate_lines

    with counter_of("judging", quiet=choices.quiet or choices.as_json) as on_trace:
        rate = mossbench.rate_traces(
            traces, by=choices.by, judge=choices.judge.name_or_default(), labels=choices.labels, on_trace=on_trace
        )
    if choices.as_json:
        show_json(rate.to_dict())
        return
    for line in rate_lines(rate):
        say(line)
    show_table(rate.by, *GROUP_COLUMNS, rows=group_cells(rate), pad_edge=False)


@dataclass(frozen=True)
class DrawChoices:
    """The options of `mossbench traces draw`."""

    n: int
    out: Path
    judge: JudgeChoice
    overwrite: bool


@traces.command("draw")
@traces_argument
@click.option(
    "--n", type=FROM_1, cls=Option, default=default_of("traces.rates:draw_to_label", "n"), help="Draw N rows."
)
@click.option("--out", type=PATH, required=True, help="Write the rows to this .csv or .jsonl file.")
@judge_options
@overwrite_option
@gather("choices", DrawChoices)
def draw_command(traces: Path, choices: DrawChoices) -> None:
    """Draw answers to label, so that the judge's errors are known.

    Fill in `refused` with 0 or 1, from the first row on: what is labelled without a gap counts. Rows are drawn for a
    judge: give the labels to `traces rate` with the same one.

    Example: mossbench traces draw traces --n 60 --out to-label.csv
    """
    judge = choices.judge.name_or_default()
    mossbench.write_rows_to_label(traces, choices.out, n=choices.n, judge=judge, overwrite=choices.overwrite)
    named = f" --judge {choices.judge.judge}" if choices.judge.judge else ""
    say(f"wrote {choices.out}; give it back with: mossbench traces rate {traces} --labels {choices.out}{named}")


@dataclass(frozen=True)
class CaseChoices:
    """The options of `mossbench traces to-dataset`."""

    out: Path
    refused: bool
    ids: tuple[str, ...] | None
    n: int | None
    name: str
    twins: Path | None
    labels: tuple[Path, ...]
    judge: JudgeChoice
    overwrite: bool
    as_json: bool


@traces.command("to-dataset")
@traces_argument
@click.option("--out", type=PATH, required=True, help="Write the dataset into this new folder.")
@refused_option
@click.option("--ids", multiple=True, callback=read_ids, help="Take only these requests, separated by commas.")
@cases_n_option
@cases_name_option
@twins_option
@click.option(
    "--labels",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Go by these labels of answers before the judge; repeat for more.",
)
@judge_options
@overwrite_cases_option
@json_option
@gather("choices", CaseChoices)
def to_dataset_command(traces: Path, choices: CaseChoices) -> None:
    """Make a dataset of refused harmless requests.

    Requests that were refused most often come first; identical ones are one sample. Gates, suites and pytest run the
    dataset like any other.

    Example: mossbench traces to-dataset traces --out refused --n 50 --twins twins.csv
    """
    written = mossbench.traces_to_dataset(
        traces,
        choices.out,
        choice="refused" if choices.refused else "all",
        ids=choices.ids or (),
        n=choices.n,
        name=choices.name,
        twins=choices.twins,
        labels=choices.labels,
        judge=choices.judge.name_or_default(),
        overwrite=choices.overwrite,
    )
    show_cases(written, as_json=choices.as_json)


@traces.command("serve")
@traces_argument
@click.option(
    "--n",
    type=FROM_0,
    cls=Option,
    default=default_of("traces.sorting:TO_SORT"),
    help="Have N requests to sort, drawn at random; those that are in the queue count.",
)
@click.option(
    "--double",
    cls=Option,
    type=SHARE,
    default=default_of("traces.sorting:add_to_sort", "double"),
    help="Have this share of them sorted by two people.",
)
@click.option("--port", cls=Option, type=PORT, default=8765, help="Listen on this port; 0 picks a free one.")
def serve_command(traces: Path, n: int, double: float, port: int) -> None:
    """Open the page where people sort requests.

    The page shows requests without their answers. Several people can sort: invite them on the page People.

    Example: mossbench traces serve traces --n 200
    """
    from mossbench.traces.folder import TracesFolder
    from mossbench.traces.sorting import add_to_sort
    from mossbench.web.serving import listen, serve_app
    from mossbench.web.settings import Settings

    folder = TracesFolder.open(traces)
    add_to_sort(folder, n, double=double)
    socket = listen("127.0.0.1", port)
    say(f"traces are at http://127.0.0.1:{socket.getsockname()[1]}/traces  (Ctrl-C stops it)")
    with suppress(KeyboardInterrupt):
        serve_app(Settings(folder.path, traces=folder.path), socket)


@traces.command("purge")
@traces_argument
@click.option("--older", required=True, metavar="AGE", help="Delete what was asked longer ago: 12h, 30d or 4w.")
@json_option
def purge_command(traces: Path, older: str, as_json: bool) -> None:
    """Delete old traces with all that was kept of them.

    Texts of deleted traces are taken out of sheets, too. Datasets that were made of traces stay, and are named.

    Example: mossbench traces purge traces --older 30d
    """
    from mossbench.reports.words.traces import purged_lines

    purged = mossbench.purge_traces(traces, older)
    if as_json:
        show_json(purged)
        return
    for line in purged_lines(purged):
        say(line)
