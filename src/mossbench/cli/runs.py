"""`mossbench runs`: the runs that are here."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Group, check_runs_folder
from mossbench.cli.options import options, runs_argument
from mossbench.cli.printing import note, show, show_json
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from mossbench.results.listing import RunLine


class ListByDefault(Group):
    """`mossbench runs` alone is `mossbench runs list`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = args and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["list", *args])


@click.group(cls=ListByDefault)
def runs() -> None: ...


@runs.command("list")
@options("runs", "archived", "json")
def list_command(runs: Path, archived: bool, as_json: bool) -> None:
    from mossbench.store.keeping import ARCHIVE

    check_runs_folder(runs)
    lines = mossbench.list_runs(runs / ARCHIVE if archived else runs)
    if as_json:
        show_json(lines)
    elif not lines:
        note(f"no {'archived ' if archived else ''}runs in {runs}; `mossbench run` makes some")
    else:
        show(_table(lines))
        note("rates as the judge read them; `mossbench results show RUN` has them by group and corrected")


@runs.command("show")
@click.argument("run")
@options("runs", "own.judge", "rule", "json")
def show_command(run: str, runs: Path, judge: str | None, rule: str, as_json: bool) -> None:
    from mossbench.cli.results import show_results
    from mossbench.results.listing import line_of
    from mossbench.store.keeping import find_run

    folder = find_run(run, runs)
    results, line = mossbench.load_results(folder, judge=judge), line_of(folder)
    if as_json:
        return show_json({**dict(line), "config": results.info.config, "results": results.to_dict(rule=rule)})
    show(f"{line.name}: {line.state}, started {line.started}, mossbench {results.info.mossbench}")
    config = results.info.config.model_dump(exclude_defaults=True, exclude={"model", "data", "judge"})
    show("  " + ", ".join(f"{name} {value!r}" for name, value in {"data": line.data, **config}.items()))
    show_results([results], rule)


@runs.command("rename")
@click.argument("run")
@click.argument("name")
@options("runs")
def rename_command(run: str, name: str, runs: Path) -> None:
    from mossbench.store.keeping import find_run, rename_run

    folder = find_run(run, runs)
    if n := _n_labels(folder):
        raise UsageError(
            f"{n} labels in {folder.parent / 'annotations.db'} are of the run {folder.name!r} and know it by its name; "
            "keep the name, or copy the run's folder to the new one"
        )
    note(f"now {rename_run(folder, name)}")


@runs.command("merge")
@runs_argument("folders")
@options("import.out", "rule", "json")
def merge_command(folders: tuple[Path, ...], out: Path, rule: str, as_json: bool) -> None:
    from mossbench.cli.results import show_results

    was_there = (out / "run.json").exists()
    show_results([mossbench.merge_runs(folders, out)], rule, as_json=as_json)
    note(f"{out} holds exactly this merge already; nothing was changed" if was_there else f"wrote {out}")


@runs.command("archive")
@click.argument("run")
@options("runs")
def archive_command(run: str, runs: Path) -> None:
    from mossbench.store.keeping import archive_run

    note(f"now in {(folder := archive_run(run, runs))}; back with: mossbench runs restore {quote(folder.name)}")


@runs.command("restore")
@click.argument("run")
@options("runs")
def restore_command(run: str, runs: Path) -> None:
    from mossbench.store.keeping import restore_run

    note(f"now {restore_run(run, runs)}")


@runs.command("delete")
@click.argument("run")
@options("runs", "delete.yes")
def delete_command(run: str, runs: Path, yes: bool) -> None:
    from mossbench.results.listing import line_of
    from mossbench.store.keeping import delete_run, find_run

    folder = find_run(run, runs)
    line = line_of(folder)
    n = f"{line.summary.n_answers} answers{line.out and f' ({line.out})'}" if line.summary else "what is in it"
    if not yes and not click.confirm(f"Delete {folder} with {n} of {line.model or 'a run that cannot be read'}?"):
        raise UsageError("nothing was deleted")
    delete_run(folder)
    note(f"deleted {folder}")


def _table(lines: list[RunLine]) -> Table:
    from rich import box
    from rich.table import Table

    from mossbench.look.numbers import UNKNOWN, dollars
    from mossbench.messages import on_command_line
    from mossbench.protocols import RECORDED_ANSWERS
    from mossbench.reports.tables import short_name
    from mossbench.samples import Side

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for title in ("run, model", "data", "state"):
        table.add_column(title, overflow="fold")
    for title in ("harmless\nrefused", "harmful\nrefused", "cost"):
        table.add_column(title, justify="right", no_wrap=True)
    for line in lines:
        found = line.summary
        state = line.state if line.state != "not finished" or not found else f"{found.n_answers} of {line.n_rows}"
        failed = f", {found.n_failed} failed" if found and found.n_failed else ""
        rates = [_rate(found.rates.get(side)) if found else "" for side in Side]
        cost = dollars(found.cost) if found and found.cost is not None else UNKNOWN
        name = f"{line.name}\n  {short_name(line.model) if line.model else on_command_line(line.error)}"
        if line.recorded:
            name += f"\n  {RECORDED_ANSWERS}"
        out = f"\n{line.out}" if line.out else ""
        table.add_row(name, line.data, state + failed + out, *rates, cost)
    return table


def _rate(rate: Any) -> str:
    from mossbench.look.numbers import UNKNOWN

    value = f"{100 * rate.value:.1f} %" if rate and rate.value is not None else ""
    ends = f"[{100 * rate.low:.0f}–{100 * rate.high:.0f}]" if rate and rate.low is not None else ""
    return "\n".join(filter(None, (value, ends))) or UNKNOWN


def _n_labels(folder: Path) -> int:
    from mossbench.annotation.store import Store

    path = folder.parent / "annotations.db"
    if not path.is_file():
        return 0
    store = Store(path)
    items = store.items()
    return sum(items[label.item].body.get("run") == folder.name for label in store.labels())
