"""`mossbench runs`: the runs that are here."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.arguments import runs_argument
from mossbench.cli.commands import Group, check_runs_folder
from mossbench.cli.options import json_option, new_run_option, rule_option, runs_folder_option, verdicts_of_option
from mossbench.cli.printing import note, show, show_json
from mossbench.errors import UsageError, n_of
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from rich.table import Table

    from mossbench.results.listing import RunLine, SideRate


class ListByDefault(Group):
    """`mossbench runs` alone is `mossbench runs list`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names_a_command = args and not args[0].startswith("-")
        asks_for_help = args and args[0] in ctx.help_option_names
        if names_a_command or asks_for_help:
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, ["list", *args])


@click.group(cls=ListByDefault)
def runs() -> None:
    """List, show, rename, merge, archive and delete runs.

    RUN is a name in the folder of runs, or a path.
    """


@runs.command("list")
@runs_folder_option
@click.option("--archived", is_flag=True, help="List the archived runs instead.")
@json_option
def list_command(runs: Path, archived: bool, as_json: bool) -> None:
    """List runs: model, data, refusal rates, state, cost.

    Example: mossbench runs list
    """
    from mossbench.store.keeping import ARCHIVE

    check_runs_folder(runs)
    lines = mossbench.list_runs(runs / ARCHIVE if archived else runs)
    if as_json:
        show_json(lines)
    elif not lines:
        note(f"no {'archived ' if archived else ''}runs in {runs}; create one with `mossbench run`")
    else:
        show(_table(lines))
        note(
            "rates count the judge’s verdicts as they are; `mossbench results show RUN` has groups and corrected rates"
        )


@runs.command("show")
@click.argument("run")
@runs_folder_option
@verdicts_of_option
@rule_option
@json_option
def show_command(run: str, runs: Path, judge: str | None, rule: str, as_json: bool) -> None:
    """Show the settings and results of a run.

    Example: mossbench runs show first
    """
    from mossbench.cli.rates import show_results
    from mossbench.results.listing import line_of
    from mossbench.store.keeping import find_run

    folder = find_run(run, runs)
    results = mossbench.load_results(folder, judge=judge)
    line = line_of(folder)
    if as_json:
        show_json({**dict(line), "config": results.info.config, "results": results.to_dict(rule=rule)})
        return
    show(f"{line.name}: {line.state}, started {line.started}, mossbench {results.info.mossbench}")
    config = results.info.config.model_dump(exclude_defaults=True, exclude={"model", "data", "judge"})
    settings = [f"{name} {value!r}" for name, value in {"data": line.data, **config}.items()]
    show(f"  {', '.join(settings)}")
    show_results([results], rule)


@runs.command("rename")
@click.argument("run")
@click.argument("name")
@runs_folder_option
def rename_command(run: str, name: str, runs: Path) -> None:
    """Rename a run and its folder.

    Example: mossbench runs rename 2026-01-31-120000-mine before-the-fix
    """
    from mossbench.store.keeping import find_run, rename_run

    folder = find_run(run, runs)
    n_labels = _n_labels(folder)
    if n_labels:
        labels = folder.parent / "annotations.db"
        raise UsageError(
            f"cannot rename {folder.name!r}: its name is in {n_of(n_labels, 'label')} of {labels}; "
            "keep the name, or copy the folder under the new name"
        )
    note(f"renamed to {rename_run(folder, name)}")


@runs.command("merge")
@runs_argument("folders")
@new_run_option
@rule_option
@json_option
def merge_command(folders: tuple[Path, ...], out: Path, rule: str, as_json: bool) -> None:
    """Merge the shards of a run (run --shard) into one run.

    Example: mossbench runs merge runs/big-1 runs/big-2 --out runs/big
    """
    from mossbench.cli.rates import show_results

    is_merged_already = (out / "run.json").exists()
    show_results([mossbench.merge_runs(folders, out)], rule, as_json=as_json)
    if is_merged_already:
        note(f"{out} already holds this merge; nothing was changed")
    else:
        note(f"wrote {out}")


@runs.command("archive")
@click.argument("run")
@runs_folder_option
def archive_command(run: str, runs: Path) -> None:
    """Archive a run, so that lists and pages omit it.

    Example: mossbench runs archive first
    """
    from mossbench.store.keeping import archive_run

    folder = archive_run(run, runs)
    note(f"archived in {folder}; restore it with: mossbench runs restore {quote(folder.name)}")


@runs.command("restore")
@click.argument("run")
@runs_folder_option
def restore_command(run: str, runs: Path) -> None:
    """Restore an archived run.

    Example: mossbench runs restore first
    """
    from mossbench.store.keeping import restore_run

    note(f"restored to {restore_run(run, runs)}")


@runs.command("delete")
@click.argument("run")
@runs_folder_option
@click.option("--yes", is_flag=True, help="Delete without asking.")
def delete_command(run: str, runs: Path, yes: bool) -> None:
    """Delete a run with its answers and verdicts.

    Example: mossbench runs delete first --yes
    """
    from mossbench.results.listing import line_of
    from mossbench.store.keeping import delete_run, find_run

    folder = find_run(run, runs)
    line = line_of(folder)
    model = line.model or "a run that cannot be read"
    if not yes:
        _confirm(f"Delete {folder} with {_what_is_in(line)} of {model}?")
    delete_run(folder)
    note(f"deleted {folder}")


def _confirm(question: str) -> None:
    """Asks whether to delete; where nobody can answer, that needs --yes."""
    try:
        is_confirmed = click.confirm(question)
    except click.Abort:
        raise UsageError(
            "nothing was deleted: the question was not answered; add --yes to delete without asking"
        ) from None
    if not is_confirmed:
        raise UsageError("nothing was deleted")


def _what_is_in(line: RunLine) -> str:
    if not line.summary:
        return "what is in it"
    out = f" ({line.out})" if line.out else ""
    return f"{line.summary.n_answers} answers{out}"


def _table(lines: list[RunLine]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for title in ("run, model", "data", "state"):
        table.add_column(title, overflow="fold")
    for title in ("harmless\nrefused", "harmful\nrefused", "cost"):
        table.add_column(title, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(*_cells(line))
    return table


def _cells(line: RunLine) -> list[str]:
    from mossbench.look.numbers import UNKNOWN, dollars
    from mossbench.samples import Side

    summary = line.summary
    if summary is None:
        return [_name(line), line.data, _state(line), *("" for _ in Side), UNKNOWN]
    rates = [_rate(summary.rates.get(side)) for side in Side]
    cost = UNKNOWN if summary.cost is None else dollars(summary.cost)
    return [_name(line), line.data, _state(line), *rates, cost]


def _name(line: RunLine) -> str:
    """The name of a run, and below it its model, or why the run cannot be read."""
    from mossbench.protocols import RECORDED_ANSWERS
    from mossbench.reports.tables import short_name

    model = short_name(line.model) if line.model else on_command_line(line.error)
    recorded = f"\n  {RECORDED_ANSWERS}" if line.recorded else ""
    return f"{line.name}\n  {model}{recorded}"


def _state(line: RunLine) -> str:
    state: str = line.state
    if line.summary and line.state == "not finished":
        state = f"{line.summary.n_answers} of {line.n_rows}"
    if line.summary and line.summary.n_failed:
        state += f", {line.summary.n_failed} failed"
    if line.out:
        state += f"\n{line.out}"
    return state


def _rate(rate: SideRate | None) -> str:
    """A rate with its interval below it."""
    from mossbench.look.numbers import NOT_KNOWN, UNKNOWN

    if rate is None:
        return UNKNOWN
    if not rate.is_known:
        return NOT_KNOWN
    lines = []
    if rate.value is not None:
        lines.append(f"{100 * rate.value:.1f} %")
    if rate.low is not None and rate.high is not None:
        lines.append(f"[{100 * rate.low:.0f}–{100 * rate.high:.0f}]")
    return "\n".join(lines) or UNKNOWN


def _n_labels(folder: Path) -> int:
    from mossbench.annotation.store import Store

    path = folder.parent / "annotations.db"
    if not path.is_file():
        return 0
    store = Store(path)
    items = store.items()
    return sum(items[label.item].body.get("run") == folder.name for label in store.labels())
