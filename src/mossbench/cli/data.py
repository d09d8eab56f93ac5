"""`mossbench data`: which datasets there are, what is in them, what is wrong with them; export and download."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from mossbench.cli.arguments import run_argument
from mossbench.cli.commands import Group
from mossbench.cli.dataset_text import description_text, side_text, written_text
from mossbench.cli.option_groups import gather
from mossbench.cli.options import (
    Option,
    columns_option,
    default_of,
    field_of_config,
    json_option,
    rule_option,
    side_option,
    verdicts_of_option,
)
from mossbench.cli.printing import note, say, show, show_json, show_table
from mossbench.cli.traces import (
    cases_n_option,
    cases_name_option,
    overwrite_cases_option,
    refused_option,
    show_cases,
    twins_option,
)
from mossbench.cli.types import DATASET, PATH, Names
from mossbench.errors import n_of, shortened, some
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from rich.table import Table

    from mossbench.datasets import Dataset, Finding
    from mossbench.datasets.describe import Counts, Description, SideDescription
    from mossbench.store.config import RunSide

TableFormat = Literal["jsonl", "csv", "parquet"]
MAX_SAMPLES = 12
"""Samples of a finding that the table names; --json has all."""

format_option = click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["jsonl", "csv", "parquet"]),
    default=default_of("datasets:export_dataset", "format"),
    help="Write the table in this format.",
)
overwrite_export_option = click.option("--overwrite", is_flag=True, help="Replace an earlier export in OUT.")


def dataset_argument(default: str) -> Callable[[Any], Any]:
    """A name from `data list`, a folder or a file."""
    return click.argument("dataset", default=default, metavar=f"[DATASET={default}]", type=DATASET)


@click.group(cls=Group)
def data() -> None:
    """List, describe, check, import, export and fetch datasets.

    DATASET is a name that `data list` shows, a folder in a published layout or with metadata.jsonl, .csv or
    .parquet, or such a file.
    """


@data.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the datasets available by name.

    Example: mossbench data list
    """
    from mossbench.datasets import list_datasets

    datasets = list_datasets()
    if as_json:
        show_json(datasets)
        return
    rows = [
        (
            entry["name"],
            _count(entry["harmless"]),
            _count(entry["harmful"]),
            entry["modality"],
            entry["licence"],
            entry["state"],
        )
        for entry in datasets
    ]
    show_table("name", "harmless", "harmful", "modality", "licence", "state", rows=rows, pad_edge=False)
    for entry in datasets:
        if "fault" in entry:
            note(f"{entry['name']} cannot be read: {on_command_line(entry['fault'])}")
    say("You can also name a path: a folder or file of your own, or a local copy of the published sets.")


def _count(n: int | None) -> str:
    from mossbench.look.numbers import UNKNOWN

    return UNKNOWN if n is None else f"{n:,}"


@data.command("describe")
@dataset_argument("sketches")
@columns_option
@side_option
@click.option("--plot", type=PATH, help="Also draw the statistics: FILE.svg, .png or .html.")
@json_option
def describe_command(
    dataset: str, columns: dict[str, str] | None, side: RunSide | None, plot: Path | None, as_json: bool
) -> None:
    """Show what a dataset contains.

    Example: mossbench data describe sketches --side benign
    """
    from mossbench.datasets import describe_dataset

    description = describe_dataset(_load(dataset, side, columns))
    if plot is not None:  # before anything is shown, as it is what may fail
        from mossbench.look.charts import dataset_chart, save_chart

        plot = save_chart(dataset_chart(description), plot)
    if as_json:
        show_json(description)
    else:
        show_description(description)
    if plot is not None:
        note(f"wrote {plot}")


def _load(dataset: str, side: RunSide | None, columns: dict[str, str] | None) -> Dataset:
    from mossbench.datasets import load_dataset

    return load_dataset(dataset, side or field_of_config("side").default, columns=columns)


def show_description(description: Description) -> None:
    say(description_text(description))
    for side in description.sides:
        say()
        # Above its table, which would fold it.
        say(f"{side.side.value}: {n_of(side.n, 'sample')}, {side.n_twins} with a twin")
        show(_side_table(side))
        text = side_text(side)
        if text:
            say(text)


@data.command("check")
@dataset_argument("sketches")
@columns_option
@json_option
@click.pass_context
def check_command(ctx: click.Context, dataset: str, columns: dict[str, str] | None, as_json: bool) -> None:
    """Check a dataset for errors and oddities.

    Exit code: 1 if there are errors, 0 if there are only warnings.

    Example: mossbench data check path/to/my-data
    """
    from mossbench.datasets import Severity, check_dataset

    findings = check_dataset(dataset, columns=columns)
    if as_json:
        show_json([finding.as_dict() for finding in findings])
    else:
        _show_findings(findings)
    if any(finding.severity is Severity.ERROR for finding in findings):
        ctx.exit(1)


@data.command("export")
@click.argument("dataset", type=DATASET)
@click.argument("out", type=PATH)
@columns_option
@format_option
@side_option
@click.option("--tasks", is_flag=True, help="Also write eval.yaml and a file for each of its tasks, images included.")
@overwrite_export_option
@json_option
def export_command(
    dataset: str,
    out: Path,
    columns: dict[str, str] | None,
    format_: TableFormat,
    side: RunSide | None,
    tasks: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Write a dataset with its images to a folder.

    Both mossbench and the hub's ImageFolder loader read OUT.

    Example: mossbench data export sketches my-copy
    """
    from mossbench.datasets import export_dataset

    loaded = _load(dataset, side, columns)
    folder = export_dataset(loaded, out, format_, overwrite=overwrite, tasks=tasks)
    text = f"wrote {n_of(len(loaded), 'sample')} to {folder}"
    _show_written(loaded, text, {"folder": str(folder), "format": format_}, as_json=as_json)


@data.command("import")
@click.argument("source", type=PATH)
@click.option("--out", type=PATH, required=True, help="Write the dataset into this new folder.")
@columns_option
@format_option
@overwrite_export_option
@json_option
def import_command(
    source: Path, out: Path, columns: dict[str, str] | None, format_: TableFormat, overwrite: bool, as_json: bool
) -> None:
    """Make a clean dataset from your own table and its images.

    SOURCE is a .csv, .tsv, .jsonl or .parquet file, or a folder with metadata in one of these. Every column is
    kept. Images are copied from wherever SOURCE says they are. If any row or image is faulty, nothing is written.

    Example: mossbench data import mine.csv --map question=text,image=photo --out my-data
    """
    from mossbench.datasets import import_dataset

    imported = import_dataset(source, out, columns=columns, format=format_, overwrite=overwrite)
    text = f"wrote {n_of(len(imported), 'sample')} to {out}; use it with --data {out}"
    _show_written(imported, text, {"folder": str(out), "format": format_}, as_json=as_json)


@dataclass(frozen=True)
class FromRunChoices:
    """The options of `mossbench data from-run`."""

    out: Path
    refused: bool
    judge: str | None
    rule: str
    n: int | None
    name: str
    twins: Path | None
    overwrite: bool
    as_json: bool


@data.command("from-run")
@run_argument()
@click.option("--out", type=PATH, required=True, help="Write the dataset into this new folder.")
@refused_option
@verdicts_of_option
@rule_option
@cases_n_option
@cases_name_option
@twins_option
@overwrite_cases_option
@json_option
@gather("choices", FromRunChoices)
def from_run_command(run: Path, choices: FromRunChoices) -> None:
    """Make a dataset of the harmless samples that a run refused.

    Harmful twins come with them where the data have them.

    Example: mossbench data from-run runs/mine --refused --out refused
    """
    import mossbench

    written = mossbench.run_to_dataset(
        run,
        choices.out,
        choice="refused" if choices.refused else "all",
        judge=choices.judge,
        rule=choices.rule,
        n=choices.n,
        name=choices.name,
        twins=choices.twins,
        overwrite=choices.overwrite,
    )
    show_cases(written, as_json=choices.as_json)


@data.command("fetch")
@dataset_argument("official")
@click.option("--revision", cls=Option, shown_default="main", help="Fetch this branch, tag or commit.")
@json_option
def fetch_command(dataset: str, revision: str | None, as_json: bool) -> None:
    """Download a dataset into the cache.

    Updates a cached copy and resumes an interrupted download. Datasets of other authors come from the hub or GitHub,
    at a fixed revision, under the terms that are printed.

    Example: mossbench data fetch official
    """
    from mossbench.datasets import fetch_dataset

    fetched = fetch_dataset(dataset, revision=revision)
    text = f"{n_of(len(fetched), 'sample')} at revision {fetched.revision} in {fetched.root}"
    _show_written(fetched, text, {"folder": str(fetched.root), "revision": fetched.revision}, as_json=as_json)


def _show_written(dataset: Dataset, text: str, json_facts: dict[str, str | None], *, as_json: bool) -> None:
    """What was done, with what has to be said wherever the data go."""
    if not as_json:
        say(written_text(dataset, text))
        return
    content: dict[str, Any] = {
        "dataset": dataset.version,
        "n": len(dataset),
        "licence": dataset.licence,
        "warning": dataset.warning,
        **json_facts,
    }
    if dataset.notes:
        content["notes"] = dataset.notes
    show_json(content)


def _side_table(side: SideDescription) -> Table:
    from rich.table import Table

    from mossbench.datasets.describe import Counts
    from mossbench.samples import Harm, Stimulus

    stimuli = [stimulus for stimulus in Stimulus if stimulus in side.stimulus]
    table = Table("", pad_edge=False)
    for stimulus in stimuli:
        table.add_column(stimulus.title, justify="right")
    table.add_column("all", justify="right")

    def add(name: str, counts: Counts) -> None:
        table.add_row(name, *(str(counts.by_stimulus.get(stimulus, 0)) for stimulus in stimuli), str(counts.total))

    add("samples", Counts(total=side.n, by_stimulus=side.stimulus))
    if side.questions:
        means = side.questions.words_mean_by_stimulus
        cells = [f"{means[stimulus]:.1f}" for stimulus in stimuli]
        table.add_row("words in a request", *cells, f"{side.questions.words_mean:.1f}")
    harms = {f"{code} {Harm(code).title}": counts for code, counts in side.harm.items()}
    for block in (side.flags, harms):
        if block:
            table.add_section()
        for name, counts in block.items():
            add(name, counts)
    return table


def _show_findings(findings: tuple[Finding, ...]) -> None:
    from rich.text import Text

    from mossbench.datasets import Severity
    from mossbench.messages import step_on_command_line

    rows = []
    for finding in findings:
        colour = "red" if finding.severity is Severity.ERROR else "yellow"
        samples = some(map(shortened, finding.samples), MAX_SAMPLES)
        lines = filter(None, [finding.message, samples, f"→ {step_on_command_line(finding.way_out)}"])
        text = "\n".join(lines)
        rows.append((Text(finding.severity, style=colour), finding.code, str(finding.n or ""), text))
    show_table("", "finding", "n", "details", rows=rows, pad_edge=False)
    n_errors = sum(finding.severity is Severity.ERROR for finding in findings)
    say(f"{n_of(n_errors, 'error')}, {n_of(len(findings) - n_errors, 'warning')}")
