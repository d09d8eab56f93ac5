"""`mossbench traces`: logs of an application, from the file to a rate and to samples."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.option_groups import gather
from mossbench.cli.options import Option, json_option, quiet_option
from mossbench.cli.printing import say, show_json
from mossbench.cli.progress_bar import counter_of
from mossbench.cli.types import PATH, Names

traces_argument = click.argument("traces", metavar="TRACES", type=PATH)


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
            on_line=on_line,
        )
    if choices.as_json:
        show_json(imported.to_dict())
        return
    for line in imported_lines(imported):
        say(line)


@traces.command("purge")
@traces_argument
@click.option("--older", required=True, metavar="AGE", help="Delete what was asked longer ago: 12h, 30d or 4w.")
@json_option
def purge_command(traces: Path, older: str, as_json: bool) -> None:
    """Delete old traces with all that was kept of them.

    Datasets that were made of traces stay.

    Example: mossbench traces purge traces --older 30d
    """
    from mossbench.reports.words.traces import purged_text

    purged = mossbench.purge_traces(traces, older)
    if as_json:
        show_json(purged)
    else:
        say(purged_text(purged))
