"""`mossbench results`: count again, and the tables in and out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.printing import json_option, note, show, show_json
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.results import Results

rule_option = click.option(
    "--rule",
    type=click.Choice(["system", "model", "strict", "paper"]),
    default="system",
    show_default=True,
    help="What counts as refused.",
)
MAX_FAILED = 0.05  # the share of failed rows above which a run is not to be trusted, unless told otherwise
FORMATS = {".csv": "csv", ".parquet": "parquet", ".json": "json", ".eval": "inspect"}
max_failed_option = click.option(
    "--max-failed",
    type=click.FloatRange(0, 1),
    default=MAX_FAILED,
    show_default=True,
    help="Share of a side's rows that may be without answer or verdict.",
)
GROUPS = ["stimulus", "harm", "human", "child", "syn", "ocr", "arm", "epoch"]


@click.group()
def results() -> None:
    """Results of runs: show, import, export."""


@results.command("show")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--judge", help="Judge whose verdicts to count.  [default: the run's own]")
@click.option("--by", type=click.Choice(GROUPS), default="stimulus", show_default=True, help="Group rows by this.")
@rule_option
@json_option
def show_command(runs: tuple[Path, ...], judge: str | None, by: Any, rule: str, as_json: bool) -> None:
    """Count the rows of one or more runs again and show their rates."""
    import mossbench

    arms: Any = "all" if by == "arm" else "own"
    show_results([mossbench.load_results(run, judge=judge, arms=arms) for run in runs], rule, by=by, as_json=as_json)


@results.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the new run.")
@click.option(
    "--side",
    type=click.Choice(["benign", "contrast"]),
    help="Which side it is.  [default: as the rows say, or their flags]",
)
@click.option("--model", default="", help="Name of the model.  [default: the file's name]")
@rule_option
@json_option
def import_command(file: Path, out: Path, side: str | None, model: str, rule: str, as_json: bool) -> None:
    """Make a run folder from a results.json in the published layout, or a log of Inspect's (.eval)."""
    import mossbench

    show_results([mossbench.import_results(file, out, side=side, model=model)], rule, as_json=as_json)


@results.command("export")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File to write.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["published", "csv", "json", "parquet", "inspect"]),
    help="Layout.  [default: by suffix]",
)
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@click.option("--judge", help="Judge whose verdicts to count.  [default: the run's own]")
@click.option("--side", type=click.Choice(["benign", "contrast"]), help="Published layout: which side.")
@click.option(
    "--rule",
    type=click.Choice(["system", "model", "strict", "paper"]),
    help="What counts as refused.  [default: paper in the published layout, system in a log of Inspect's]",
)
@click.option(
    "--style", type=click.Choice(["names", "types"]), default="names", show_default=True, help="Keys of the rates."
)
def export_command(run: Path, out: Path, format_: str | None, judge: str | None, **options: Any) -> None:
    """Write a run as the published results.json, a tidy table, or a log for `inspect view`."""
    import mossbench

    chosen: Any = format_ or FORMATS.get(out.suffix.lower())
    if chosen is None:
        raise UsageError(
            f"cannot tell the format from {out.name!r}; add --format published, csv, json, parquet or inspect"
        )
    found = mossbench.load_results(run, judge=judge, arms="own" if chosen == "published" else "all")
    mossbench.write_results(found, out, format=chosen, **options)
    note(f"wrote {out}")
    note_arms([found])
    if text := found.unfinished():
        note(f"warning: not finished: {text}" + ("; they are not in it" if chosen in ("published", "inspect") else ""))


def show_results(runs: list[Results], rule: str, *, by: Any = "stimulus", as_json: bool = False) -> None:
    """Rates of runs with what they were made of; notices, licence and paths go to stderr."""
    from mossbench.reports.tables import layers_line, provenance, rates_table, spent_line

    show_notices(runs)
    if as_json:
        show_json([results.to_dict(rule=rule, by=by) for results in runs])
        return
    show(rates_table(runs, rule=rule, by=by))
    for results in runs:
        show(layers_line(results))
        if spent_line(results):
            show(spent_line(results))
        for judge, n in results.n_via().items():
            show(f"  {judge} decided {n} of {sum(results.n_via().values())} ({n / sum(results.n_via().values()):.1%})")
    for text in dict.fromkeys(provenance(results, rule) for results in runs):
        show(f"{text}\n95 % intervals in brackets, over scenes where samples share one")


def note_arms(runs: Iterable[Results]) -> None:
    """Which arm a command counts, where the folder has others, on stderr."""
    for results in runs:
        if text := results.elsewhere():
            note(f"note: {text}")


def show_notices(runs: list[Results]) -> None:
    """What somebody should know who reads the rates, on stderr."""
    from mossbench.outcomes import Layer

    about = set()
    for results in runs:
        failed, n_asked = results.layers()[Layer.FAILED], len(results) - results.layers()[Layer.NOT_ASKED]
        if text := results.unfinished():
            about.add(f"warning: not finished: {text}")
        if failed > MAX_FAILED * n_asked:
            about.add(
                f"warning: {failed} of {n_asked} rows failed, more than {MAX_FAILED:.0%}: rates are of the others"
            )
        if unjudged := results.unjudged():
            reason, n = unjudged.most_common(1)[0]
            about.add(f"note: {unjudged.total()} of {len(results)} rows have no verdict; most often ({n}): {reason}")
    note_arms(runs)
    about |= {f"note: {notice}" for results in runs for notice in results.info.notices}
    about |= {f"warning: {results.drift}" for results in runs if results.drift}
    about |= {results.info.dataset.warning for results in runs}
    about |= {f"data licence: {results.info.dataset.licence}" for results in runs if results.info.dataset.licence}
    for text in sorted(about - {""}):
        note(text)
