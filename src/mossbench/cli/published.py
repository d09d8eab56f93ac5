"""`mossbench published`."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import JUDGE_OPTIONS, PATH, options
from mossbench.cli.printing import note, show, show_json


@click.group(cls=Group, invoke_without_command=True)
@options("short", "json")
@click.pass_context
def published(context: click.Context, short: bool, as_json: bool) -> None:
    from mossbench.reports.published_tables import findings_page

    if context.invoked_subcommand is not None:
        return None
    if short and not as_json:
        return show_short()
    found = mossbench.published_findings()
    return show_json(found) if as_json else show(findings_page(found))


@published.command("reproduce")
@click.argument("folder", type=PATH)
@options("reproduce.data", "reproduce.out", *JUDGE_OPTIONS, "json")
def reproduce_command(folder: Path, data: str | None, out: Path, as_json: bool, **judging: Any) -> None:
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.plumbing.storage import write_atomically
    from mossbench.published.release import read_release
    from mossbench.published.reproduction import reproduce
    from mossbench.reports.published_tables import reproduction_page, reproduction_text

    judge = chosen_judge(judging) or DEFAULT_JUDGE
    release = read_release(folder, data=data)
    made = reproduce(release, out, judge=judge, on_model=lambda name: note(f"judging {name}"))
    write_atomically(out / "reproduction.html", reproduction_page(made, mossbench.published_findings()))
    for text in filter(None, (release.data.warning, f"data licence: {release.data.licence}")):
        note(text)
    note(f"wrote {out / 'reproduction.html'}")
    return show_json(made) if as_json else show(reproduction_text(made))


def show_short() -> None:
    from mossbench.reports.words.published import short_findings

    show("\n" + "\n".join(short_findings(mossbench.published_findings())))
