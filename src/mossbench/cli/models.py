"""`mossbench models`."""

from __future__ import annotations

import click

from mossbench.cli.printing import json_option, show_json


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List what can be run with --model."""
    from mossbench.models import PROVIDERS

    rows = {f"{name}/…": what for name, (what, *_) in PROVIDERS.items()}
    rows["path/to/file.py:function"] = "one's own; see docs/own.md"
    if as_json:
        show_json([{"model": name, "what": what} for name, what in rows.items()])
    else:
        for name, what in rows.items():
            click.echo(f"{name:26} {what}")
