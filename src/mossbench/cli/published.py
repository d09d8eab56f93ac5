"""`mossbench published`."""

from __future__ import annotations

import click

from mossbench.cli.commands import Command
from mossbench.cli.options import options
from mossbench.cli.printing import show, show_json


@click.command(cls=Command)
@options("short", "json")
def published(short: bool, as_json: bool) -> None:
    """Show what the published figures say with intervals.

    Of 20 models: ranks, judges, safety and system prompts.

    Example: mossbench published --short
    """
    import mossbench
    from mossbench.reports.published_text import findings_page

    if short and not as_json:
        return show_short()
    found = mossbench.published_findings()
    if as_json:
        show_json(found)
    else:
        show(findings_page(found))


def show_short() -> None:
    import mossbench
    from mossbench.reports.published_text import short_findings

    show("\n" + "\n".join(short_findings(mossbench.published_findings())))
