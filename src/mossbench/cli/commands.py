"""Commands and groups that list the names they take and know a typo when they see one."""

from __future__ import annotations

import click

from mossbench.cli.options import Names
from mossbench.errors import unknown_name


class Command(click.Command):
    """A command whose help lists the names that its arguments take."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for param in self.params:
            if isinstance(param, click.Argument) and isinstance(param.type, Names):
                formatter.write_paragraph()
                formatter.write_text(f"{param.type.name.upper()} is {param.type.said()}.")


class Group(click.Group):
    """A group that says which command was meant."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known, name = self.list_commands(ctx), args[0]
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(str(unknown_name("command", name, known, f"expected {', '.join(known)}")))
        return super().resolve_command(ctx, args)
