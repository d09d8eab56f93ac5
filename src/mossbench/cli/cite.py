"""`mossbench cite`."""

from __future__ import annotations

from pathlib import Path

import click

from mossbench import __version__
from mossbench.cli.commands import Command
from mossbench.cli.printing import say


@click.command(cls=Command)
def cite() -> None:
    """Print how to cite this software and the paper, as BibTeX.

    The paper set the task and published the 300 + 244 samples.

    Example: mossbench cite
    """
    entries = Path(__file__).with_name("citation.bib").read_text("utf-8")
    say(entries.replace("VERSION", __version__), nl=False)
