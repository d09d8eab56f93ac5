"""`mossbench cite`."""

import click

from mossbench.cli.commands import Command
from mossbench.cli.printing import say


@click.command(cls=Command)
def cite() -> None:
    from mossbench.reports.paper import references

    say(references(methods=False), nl=False)
