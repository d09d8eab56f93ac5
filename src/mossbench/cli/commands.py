"""Commands and groups that list the names they take and know a typo when they see one."""

import shlex
from pathlib import Path

import click

from mossbench.cli.options import was_given
from mossbench.cli.printing import note
from mossbench.cli.types import Names
from mossbench.errors import UsageError, unknown_name


class Command(click.Command):
    """A command whose help lists the names that its arguments take, and whose errors point to its own help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out for an option without its value
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for param in self.params:
            if isinstance(param, click.Argument) and isinstance(param.type, Names):
                formatter.write_paragraph()
                formatter.write_text(f"{param.type.name.upper()} is {param.type.as_text()}.")


class Group(Command, click.Group):
    """A group that says which command was meant."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_only_the_name = self.no_args_is_help and not args and not ctx.resilient_parsing
        if is_only_the_name:
            note(ctx.get_help())
            ctx.exit(UsageError.exit_code)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        names = self.list_commands(ctx)
        is_typo = name not in names and not name.startswith("-")
        if is_typo and not ctx.resilient_parsing:
            ctx.fail(str(unknown_name("command", name, names, f"expected {', '.join(names)}")))
        return super().resolve_command(ctx, args)


def check_runs_folder(runs: Path, *, is_made_now: bool = False) -> None:
    """A UsageError when the folder of run folders is a file, or was named and does not exist, unless it is made now."""
    if runs.exists() and not runs.is_dir():
        raise UsageError(f"{str(runs)!r} is a file, expected a folder of runs")
    if was_given("runs") and not is_made_now and not runs.exists():
        raise UsageError(f"no folder {str(runs)!r}; name the folder that contains the runs")
    _check_kind_of_folder(runs)


def _check_kind_of_folder(runs: Path) -> None:
    """A UsageError for a run folder or a build in place of the folder of runs: all its pages would be empty."""
    from mossbench.store.keeping import run_folders

    if not runs.is_dir() or run_folders(runs):
        return
    if (runs / "run.json").is_file():
        has_name = runs.name not in ("", "..")
        run_folder = runs if has_name else runs.resolve()
        parent = shlex.quote(str(run_folder.parent))
        raise UsageError(f"{str(runs)!r} is a single run; name the folder that contains it: {parent}")
    if (runs / "build.toml").is_file() and (runs / "candidates.jsonl").is_file():
        command = f"mossbench serve --build {shlex.quote(str(runs))}"
        raise UsageError(f"{str(runs)!r} is a build, not a folder of runs; show it with: {command}")
