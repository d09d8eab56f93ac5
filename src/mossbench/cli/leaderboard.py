"""`mossbench leaderboard`: show boards, add submissions, check the published tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.printing import json_option, note, show, show_json
from mossbench.cli.results import max_failed_option, note_arms, rule_option
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.leaderboard import Board

STIMULI = ["exaggerated_risk", "negated_harm", "counterintuitive"]
board_option = click.option("--board", type=click.Path(path_type=Path), help="Folder of a board's submissions.")


@click.group()
def leaderboard() -> None:
    """Leaderboards: show, add, check."""


@leaderboard.command("show")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
@board_option
@click.option("--published", is_flag=True, help="The published tables too; alone when nothing else is given.")
@click.option(
    "--print",
    "print_",
    type=click.Choice(["corrected", "figure", "readme"]),
    default="corrected",
    show_default=True,
    help="Published tables: corrected with intervals, or as the paper's figure or its README print them.",
)
@click.option("--stimulus", type=click.Choice(STIMULI), help="Rank by one stimulus.  [default: all]")
@click.option("--availability", type=click.Choice(["web", "API", "open"]), help="Only these models.")
@click.option(
    "--sort",
    "by",
    type=click.Choice(["rate", "name", "date", "availability", "safety"]),
    default="rate",
    show_default=True,
    help="Order of the rows.",
)
@click.option("--descending", is_flag=True, help="The other way round.")
@click.option("--judge", help="Runs: judge whose verdicts to count.  [default: each run's own]")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "md", "csv", "json", "html"]),
    default="table",
    show_default=True,
    help="What to write.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file.  [default: print]")
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@max_failed_option
@rule_option
@json_option
def show_command(
    runs: tuple[Path, ...],
    board: Path | None,
    published: bool,
    print_: Any,
    stimulus: str | None,
    judge: str | None,
    format_: str,
    out: Path | None,
    overwrite: bool,
    max_failed: float,
    rule: str,
    as_json: bool,
    **order: Any,
) -> None:
    """Rank runs and submissions: one board for each protocol. Without any, the published tables."""
    from mossbench.leaderboard import published_boards, sorted_board
    from mossbench.samples import Stimulus

    chosen = Stimulus(stimulus) if stimulus else None
    if print_ != "corrected" and (runs or board) and not published:
        raise UsageError("--print is for the published tables; add --published, or leave out runs and --board")
    boards = _own_boards(runs, board, judge, stimulus=chosen, rule=rule, max_failed=max_failed)
    if published or not (runs or board):
        boards += published_boards(print=print_, stimulus=chosen)
    shown = [sorted_board(one, **order) for one in boards]
    if not any(one.rows for one in shown):
        note(f"note: no model on these boards has availability {order['availability']}")
    _write(shown, "json" if as_json else format_, out, overwrite)


@leaderboard.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--board", type=click.Path(path_type=Path), required=True, help="Folder of the board.")
@click.option(
    "--data", help="Dataset name or folder to check ids against; needed for data other than sketches and official."
)
@max_failed_option
def add_command(file: Path, board: Path, data: str | None, max_failed: float) -> None:
    """Check a submission and put it onto a board; a bad one is refused with every fault, the board unchanged."""
    import mossbench

    dataset = mossbench.load_dataset(data) if data else None
    path = mossbench.add_submission(file, board, data=dataset, max_failed=max_failed)
    note(f"added as {path}")


@leaderboard.command("check")
@json_option
def check_command(as_json: bool) -> None:
    """List the misprints in the published tables that follow from comparing them and from arithmetic."""
    import mossbench
    from mossbench.reports.published_text import misprints_table

    found = mossbench.check_published()
    if as_json:
        show_json(found)
    else:
        show(misprints_table(found))


def _own_boards(runs: tuple[Path, ...], board: Path | None, judge: str | None, **options: Any) -> tuple[Board, ...]:
    import mossbench
    from mossbench.leaderboard import read_board

    found: list[Any] = [mossbench.load_results(run, judge=judge) for run in runs]
    note_arms(found)
    if board is not None:
        submissions, damaged = read_board(board)
        for path, faults in damaged.items():
            note(f"note: {path} is set aside, fix or remove it: {'; '.join(faults)}")
        if not submissions and not runs:
            what = "sound submissions" if damaged else "submissions"
            raise UsageError(f"no {what} in {str(board)!r}; add one: mossbench leaderboard add FILE --board DIR")
        found += submissions
    return mossbench.make_boards(found, **options)


def _write(boards: list[Board], format_: str, out: Path | None, overwrite: bool) -> None:
    from mossbench.plumbing.storage import check_free, write_atomically
    from mossbench.reports.board_text import boards_table

    if format_ == "table":
        if out is not None:
            raise UsageError("--out needs --format md, csv, json or html")
        return show(boards_table(boards))
    text = _board_text(boards, format_)
    if out is None:
        return click.echo(text, nl=False)
    check_free(out, overwrite=overwrite)
    write_atomically(out, text)
    note(f"wrote {out}")


def _board_text(boards: list[Board], format_: str) -> str:
    from mossbench.plumbing.storage import to_json
    from mossbench.reports.board_page import board_page
    from mossbench.reports.board_text import boards_csv, boards_markdown

    if format_ == "json":
        return to_json(boards)
    return {"md": boards_markdown, "csv": boards_csv, "html": board_page}[format_](boards)
