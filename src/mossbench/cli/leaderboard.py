"""`mossbench leaderboard`: show boards, add and check submissions, begin a board of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.options import PATH, options, runs_argument
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.results import note_arms
from mossbench.errors import SubmissionError, UsageError

if TYPE_CHECKING:
    from mossbench.leaderboard.boards import Board


@click.group(cls=Group)
def leaderboard() -> None: ...


@leaderboard.command("show")
@runs_argument(required=False)
@options("board", "published", "print", "stimulus", "availability", "sort", "descending", "own.judge", "show.format")
@options("show.out", "overwrite", "max_failed", "rule", "json")
def show_command(
    runs: tuple[Path, ...], board: Path | None, published: bool, print_: Any, stimulus: str | None, **how: Any
) -> None:
    from mossbench.leaderboard.boards import sorted_board
    from mossbench.leaderboard.printed import published_boards
    from mossbench.samples import Stimulus

    chosen = Stimulus(stimulus) if stimulus else None
    if print_ != "corrected" and (runs or board) and not published:
        raise UsageError("--print is for the published tables; add --published, or leave out runs and --board")
    counting = {name: how.pop(name) for name in ("rule", "max_failed")}
    boards = _own_boards(runs, board, how.pop("judge"), stimulus=chosen, **counting)
    if published or not (runs or board):
        boards += published_boards(print=print_, stimulus=chosen)
    order = {name: how.pop(name) for name in ("availability", "by", "descending")}
    shown = [sorted_board(one, **order) for one in boards]
    if not any(one.rows for one in shown):
        note(f"note: no model on these boards has availability {order['availability']}")
    _write(shown, **how)


@leaderboard.command("add")
@click.argument("file", type=PATH)
@options("add.board", "add.data", "map", "max_failed")
def add_command(file: Path, board: Path, data: str | None, columns: dict[str, str] | None, max_failed: float) -> None:
    dataset = mossbench.load_dataset(data, columns=columns) if data else None
    path = mossbench.add_submission(file, board, data=dataset, max_failed=max_failed)
    note(f"added as {path}")


@leaderboard.command("check")
@options("check.board", "add.data", "map", "max_failed", "json")
def check_command(
    board: Path | None, data: str | None, columns: dict[str, str] | None, max_failed: float, as_json: bool
) -> None:
    from mossbench.reports.published_tables import misprints_table

    if board is None:
        found = mossbench.check_published()
        return show_json(found) if as_json else show(misprints_table(found))
    dataset = mossbench.load_dataset(data, columns=columns) if data else None
    files = mossbench.check_board(board, data=dataset, max_failed=max_failed)
    if as_json:
        show_json({path.name: faults for path, faults in files.items()})
    if listed := [f"{path.name}: {fault}" for path, faults in files.items() for fault in faults]:
        raise SubmissionError(f"submissions in {board} have faults:", listed)
    return note(f"no fault in {board}; submissions: {len(files)}")


@leaderboard.command("init")
@click.argument("folder", type=PATH)
def init_command(folder: Path) -> None:
    for path in mossbench.init_board(folder):
        note(f"wrote {path}")


def _own_boards(runs: tuple[Path, ...], board: Path | None, judge: str | None, **options: Any) -> tuple[Board, ...]:
    from mossbench.leaderboard.boards import read_board
    from mossbench.leaderboard.submissions import same_run

    found: list[Any] = [mossbench.load_results(run, judge=judge) for run in runs]
    note_arms(found)
    if board is not None:
        submissions, damaged = read_board(board)
        for path, faults in damaged.items():
            note(f"note: {path} is set aside, fix or remove it: {'; '.join(faults)}")
        if not submissions and not runs:
            what = "sound submissions" if damaged else "submissions"
            raise UsageError(f"no {what} in {str(board)!r}; add one: mossbench leaderboard add FILE --board DIR")
        own = list(found)
        for one in submissions:
            if same := [run.name for run in own if one.rule == options["rule"] and same_run(one, run)]:
                note(f"note: the submission of {one.model} is the run {same[0]}, which is shown once")
            else:
                found.append(one)
    return mossbench.make_boards(found, **options)


def _write(boards: list[Board], format_: str, out: Path | None, overwrite: bool, as_json: bool) -> None:
    from mossbench.plumbing.storage import check_free, to_json, write_atomically
    from mossbench.reports.board_page import board_page
    from mossbench.reports.board_tables import boards_csv, boards_markdown, boards_table

    format_ = "json" if as_json else format_
    if format_ == "table":
        if out is not None:
            raise UsageError("--out needs --format md, csv, json or html")
        return show(boards_table(boards))
    text = {"json": to_json, "md": boards_markdown, "csv": boards_csv, "html": board_page}[format_](boards)
    if out is None:
        return say(text, nl=False)
    check_free(out, overwrite=overwrite)
    write_atomically(out, text)
    note(f"wrote {out}")
