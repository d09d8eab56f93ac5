"""`mossbench transcript`: answers that were taken down by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.commands import Group
from mossbench.cli.options import RUN, default_of, given, options
from mossbench.cli.printing import note


@click.group(cls=Group)
def transcript() -> None:
    """Write sheets to fill in answers by hand.

    For products that can only be asked on their own web page.
    """


@transcript.command("template")
@options("data", "map", "template.out", "side", "ids", "offset", "limit")
def template_command(data: str | None, out: Path, **selection: Any) -> None:
    """Write a sheet with ids, requests and image paths.

    Fill in the answers by hand, then run the sheet as a model.

    Example: mossbench transcript template --out my-answers.csv
    """
    import mossbench

    data, side = (value or default_of(RUN, name) for name, value in (("data", data), ("side", selection["side"])))
    mossbench.write_template(data, out, **given(selection))
    note(f"wrote {out}; fill in `response` and leave it empty where there is none, then")
    note(f"  mossbench run --model replay/{out} --data {data} --side {side}")
