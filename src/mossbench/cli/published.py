"""`mossbench published`."""

from __future__ import annotations

from pathlib import Path

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.option_groups import JudgeChoice, judge_options
from mossbench.cli.options import Option, json_option
from mossbench.cli.printing import note, show, show_json
from mossbench.cli.types import DATASET, PATH


@click.group(cls=Group, invoke_without_command=True)
@click.option("--short", is_flag=True, help="Print only eight lines.")
@json_option
@click.pass_context
def published(context: click.Context, short: bool, as_json: bool) -> None:
    """Show the published figures with intervals.

    They cover 20 models: ranks, judges, safety and system prompts.

    Example: mossbench published --short
    """
    from mossbench.reports.published_tables import findings_page

    if context.invoked_subcommand is not None:
        return
    if as_json:
        show_json(mossbench.published_findings())
    elif short:
        show_short()
    else:
        show(findings_page(mossbench.published_findings()))


@published.command("reproduce")
@click.argument("folder", type=PATH)
@click.option(
    "--data",
    cls=Option,
    type=DATASET,
    shown_default="those in FOLDER",
    help="Use the samples of this copy of the published set: {names}.",
)
@click.option(
    "--out",
    cls=Option,
    type=PATH,
    metavar="DIR",
    default="reproduction",
    help="Write the runs and reproduction.html into this folder.",
)
@judge_options
@json_option
def reproduce_command(folder: Path, data: str | None, out: Path, judge: JudgeChoice, as_json: bool) -> None:
    """Judge the released answers again and compare with the paper.

    FOLDER is the released repository. Every transcript in it becomes a run in --out. reproduction.html in --out has
    every published table and figure next to our numbers, or says why there are none.

    Example: mossbench published reproduce MOSSBench
    """
    from mossbench.plumbing.storage import write_atomically
    from mossbench.published.release import read_release
    from mossbench.published.reproduction import reproduce
    from mossbench.reports.published_tables import reproduction_page, reproduction_text

    judge_name = judge.name_or_default()
    release = read_release(folder, data=data)
    reproduction = reproduce(release, out, judge=judge_name, on_model=lambda name: note(f"judging {name}"))
    page = out / "reproduction.html"
    write_atomically(page, reproduction_page(reproduction, mossbench.published_findings()))
    if release.data.warning:
        note(release.data.warning)
    note(f"data licence: {release.data.licence}")
    note(f"wrote {page}")
    if as_json:
        show_json(reproduction)
    else:
        show(reproduction_text(reproduction))


def show_short() -> None:
    from mossbench.reports.words.published import short_findings

    show("\n" + "\n".join(short_findings(mossbench.published_findings())))
