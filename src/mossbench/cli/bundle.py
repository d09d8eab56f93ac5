"""`mossbench bundle`."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.options import PATH, RUN_PATH, options
from mossbench.cli.printing import note, say, show_json


class Packing(Group):
    """A group that makes a bundle where no command is named."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["make", *args])


@click.group(cls=Packing, context_settings={"ignore_unknown_options": True})
def bundle() -> None: ...


@bundle.command("make")
@click.argument("runs", nargs=-1, required=True, type=RUN_PATH)
@options("bundle.out", "samples", "overwrite")
def make_command(runs: tuple[Path, ...], out: Path, **how: Any) -> None:
    made = mossbench.write_bundle(runs, out, **how)
    for name, form in made.runs.items():
        note(f"{name}: {form} of its samples")
    note(f"wrote {out}; publish its SHA-256 where nobody can change it:")
    say(made.sha256)


@bundle.command("verify")
@click.argument("file", type=PATH)
@options("sha256", "verify.data", "map", "json")
@click.pass_context
def verify_command(
    context: click.Context, file: Path, sha256: str | None, data: str | None, columns: Any, as_json: bool
) -> None:
    from mossbench.reports.bundle_checking import verification_lines

    dataset = mossbench.load_dataset(data, columns=columns) if data else None
    found = mossbench.verify_bundle(file, sha256=sha256, data=dataset)
    if as_json:
        show_json(found)
    else:
        say("\n".join(verification_lines(found)))
    context.exit(1 if found.differences else 0)
