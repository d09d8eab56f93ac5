"""Commands and groups that list the names they take and know a typo when they see one.

What a command's help says stands in `commands.toml`.
"""

import shlex
import tomllib
from pathlib import Path

import click

from mossbench.cli.options import Names, was_given
from mossbench.errors import UsageError, unknown_name

HELP = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class Command(click.Command):
    """A command whose help lists the names that its arguments take."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for param in self.params:
            if isinstance(param, click.Argument) and isinstance(param.type, Names):
                formatter.write_paragraph()
                formatter.write_text(f"{param.type.name.upper()} is {param.type.said()}.")


class Group(Command, click.Group):
    """A group that says which command was meant."""

    command_class = Command

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        super().add_command(cmd, name)
        cmd.help = HELP[f"{self.name} {cmd.name}"]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known, name = self.list_commands(ctx), args[0]
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(str(unknown_name("command", name, known, f"expected {', '.join(known)}")))
        return super().resolve_command(ctx, args)


def check_runs_folder(runs: Path, *, made: bool = False) -> None:
    """A UsageError when the folder of run folders is a file, or was named, is not there and is not `made` now."""
    if runs.exists() and not runs.is_dir():
        raise UsageError(f"{str(runs)!r} is a file, expected the folder of run folders")
    if was_given("runs") and not made and not runs.exists():
        raise UsageError(f"no folder {str(runs)!r}; give the folder that holds the run folders")
    _check_kind_of_folder(runs)


def _check_kind_of_folder(runs: Path) -> None:
    """A UsageError for a run folder or a build in place of the folder of runs: all its pages would be empty."""
    from mossbench.store.keeping import run_folders

    if not runs.is_dir() or run_folders(runs):
        return
    if (runs / "run.json").is_file():
        named = runs if runs.name not in ("", "..") else runs.resolve()
        held_in = shlex.quote(str(named.parent))
        raise UsageError(f"{str(runs)!r} is the folder of one run; give the folder that holds it: {held_in}")
    if (runs / "build.toml").is_file() and (runs / "candidates.jsonl").is_file():
        shown = f"mossbench serve --build {shlex.quote(str(runs))}"
        raise UsageError(f"{str(runs)!r} is a build, not a folder of run folders; show it with: {shown}")
