"""`mossbench published`."""

from __future__ import annotations

import click

from mossbench.cli.printing import json_option, show, show_json


@click.command()
@click.option("--short", is_flag=True, help="Eight lines.")
@json_option
def published(short: bool, as_json: bool) -> None:
    """What the published figures of 20 models say once they have intervals: ranks, judges, safety, prompts."""
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
