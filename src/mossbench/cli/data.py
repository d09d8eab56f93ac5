"""`mossbench data`: which datasets there are, what is in them, what is wrong with them; export and download."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.commands import Group
from mossbench.cli.options import DATASET, PATH, given, options
from mossbench.cli.printing import note, said, say, show, show_json, show_table
from mossbench.errors import n_of, shortened, some
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from rich.table import Table

    from mossbench.datasets import Dataset, Finding
    from mossbench.datasets.describe import Counts, SideDescription

_N_NAMED = 12  # samples of a finding that the table names; --json has all


def dataset_argument(default: str) -> Callable[[Any], Any]:
    """A name from `data list`, a folder or a file."""
    return click.argument("dataset", default=default, metavar=f"[DATASET={default}]", type=DATASET)


@click.group(cls=Group)
def data() -> None: ...


@data.command("list")
@options("json")
def list_command(as_json: bool) -> None:
    from mossbench.datasets import list_datasets
    from mossbench.look.numbers import UNKNOWN

    rows = list_datasets()
    if as_json:
        return show_json(rows)
    head = ("name", "harmless", "harmful", "modality", "licence", "state")
    rows = [{**row, **{side: UNKNOWN if row[side] is None else f"{row[side]:,}" for side in head[1:3]}} for row in rows]
    show_table(*head, rows=[[row[name] for name in head] for row in rows], pad_edge=False)
    for row in rows:
        if "fault" in row:
            note(f"{row['name']} cannot be read: {on_command_line(row['fault'])}")
    say("A path is a dataset too: a folder or file of your own, or a local copy of the published sets.")


@data.command("describe")
@dataset_argument("sketches")
@options("map", "side", "plot", "json")
def describe_command(dataset: str, plot: Path | None, as_json: bool, **how: Any) -> None:
    from mossbench.datasets import describe_dataset, load_dataset

    description = describe_dataset(load_dataset(dataset, **given(how)))
    if plot is not None:  # before anything is shown, as it is what may fail
        from mossbench.look.charts import dataset_chart, save_chart

        plot = save_chart(dataset_chart(description), plot)
    if as_json:
        show_json(description)
    else:
        say(said(__file__, "described", data=description))
        for side in description.sides:
            say()
            # Above its table, which would fold it.
            say(f"{side.side.value}: {n_of(side.n, 'sample')}, {side.n_twins} with a twin")
            show(_side_table(side))
            if lines := said(__file__, "side", side=side).strip("\n"):
                say(lines)
    if plot is not None:
        note(f"wrote {plot}")


@data.command("check")
@dataset_argument("sketches")
@options("map", "json")
@click.pass_context
def check_command(ctx: click.Context, dataset: str, columns: dict[str, str] | None, as_json: bool) -> None:
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
@options("map", "data.format", "side", "tasks", "data.overwrite", "json")
def export_command(
    dataset: str, out: Path, format_: Any, tasks: bool, overwrite: bool, as_json: bool, **how: Any
) -> None:
    from mossbench.datasets import export_dataset, load_dataset

    loaded = load_dataset(dataset, **given(how))
    folder = export_dataset(loaded, out, format_, overwrite=overwrite, tasks=tasks)
    text = f"wrote {n_of(len(loaded), 'sample')} to {folder}"
    _report(loaded, {"folder": str(folder), "format": format_}, text, as_json)


@data.command("import")
@click.argument("source", type=PATH)
@options("data.out", "map", "data.format", "data.overwrite", "json")
def import_command(source: Path, out: Path, format_: Any, overwrite: bool, as_json: bool, **how: Any) -> None:
    from mossbench.datasets import import_dataset

    made = import_dataset(source, out, format=format_, overwrite=overwrite, **given(how))
    text = f"wrote {n_of(len(made), 'sample')} to {out}; use it with --data {out}"
    _report(made, {"folder": str(out), "format": format_}, text, as_json)


@data.command("fetch")
@dataset_argument("official")
@options("revision", "json")
def fetch_command(dataset: str, revision: str | None, as_json: bool) -> None:
    from mossbench.datasets import fetch_dataset

    fetched = fetch_dataset(dataset, revision=revision)
    text = f"{n_of(len(fetched), 'sample')} at revision {fetched.revision} in {fetched.root}"
    _report(fetched, {"folder": str(fetched.root), "revision": fetched.revision}, text, as_json)


def _report(dataset: Dataset, facts: dict[str, Any], text: str, as_json: bool) -> None:
    """What was done, with what has to be said wherever the data go."""
    if as_json:
        about = {"dataset": dataset.version, "n": len(dataset), "licence": dataset.licence, "warning": dataset.warning}
        show_json(about | facts | ({"notes": dataset.notes} if dataset.notes else {}))
    else:
        say(said(__file__, "done", data=dataset, text=text))


def _side_table(side: SideDescription) -> Table:
    from rich.table import Table

    from mossbench.datasets.describe import Counts
    from mossbench.samples import Harm, Stimulus

    kinds = [s for s in Stimulus if s in side.stimulus]
    table = Table("", pad_edge=False)
    for heading in (*(kind.title for kind in kinds), "all"):
        table.add_column(heading, justify="right")

    def add(name: str, counts: Counts) -> None:
        table.add_row(name, *(str(counts.by_stimulus.get(kind, 0)) for kind in kinds), str(counts.total))

    add("samples", Counts(total=side.n, by_stimulus=side.stimulus))
    if side.questions:
        means = side.questions.words_mean_by_stimulus
        table.add_row(
            "words in a request", *(f"{means[kind]:.1f}" for kind in kinds), f"{side.questions.words_mean:.1f}"
        )
    for block in (side.flags, {f"{code} {Harm(code).title}": counts for code, counts in side.harm.items()}):
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
        way_out = f"→ {step_on_command_line(finding.way_out)}"
        text = "\n".join(filter(None, [finding.message, some(map(shortened, finding.samples), _N_NAMED), way_out]))
        rows.append((Text(finding.severity, style=colour), finding.code, str(finding.n or ""), text))
    show_table("", "finding", "n", "what, which and the way out", rows=rows, pad_edge=False)
    n_errors = sum(finding.severity is Severity.ERROR for finding in findings)
    say(f"{n_of(n_errors, 'error')}, {n_of(len(findings) - n_errors, 'warning')}")
