"""`mossbench cite`."""

from __future__ import annotations

import click

from mossbench.cli.commands import Command
from mossbench.cli.printing import say


@click.command(cls=Command)
def cite() -> None:
    """Print how to cite this software and the paper, as BibTeX.

    The paper set the task and published the 300 + 244 samples.

    Example: mossbench cite
    """
    from mossbench.reports.paper import references

    say(references(methods=False), nl=False)
