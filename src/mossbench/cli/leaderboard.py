"""`mossbench leaderboard`: show boards, add and check submissions, begin a board of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.arguments import runs_argument
from mossbench.cli.commands import Group
from mossbench.cli.option_groups import gather
from mossbench.cli.options import (
    Option,
    columns_option,
    default_of,
    json_option,
    max_failed_option,
    overwrite_option,
    rule_option,
    verdicts_of_option,
)
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.rates import note_arms
from mossbench.cli.types import AVAILABILITY, DATASET, PATH, STIMULUS, Names
from mossbench.errors import SubmissionError, UsageError

if TYPE_CHECKING:
    from mossbench.datasets import Dataset
    from mossbench.leaderboard.boards import Board, Sort
    from mossbench.leaderboard.submission_records import Submission
    from mossbench.published.tables import Print
    from mossbench.results.table import Results

checking_data_option = click.option(
    "--data", type=DATASET, help="Check ids with this dataset; needed for data other than sketches and official."
)


@click.group(cls=Group)
def leaderboard() -> None:
    """Rank runs and submissions, and check the published tables."""


@dataclass(frozen=True)
class BoardChoices:
    """What `mossbench leaderboard show` ranks, and how."""

    runs: tuple[Path, ...]
    board: Path | None
    published: bool
    table: Print
    stimulus: str | None
    availability: str | None
    by: Sort
    descending: bool
    judge: str | None
    max_failed: float
    rule: str


@dataclass(frozen=True)
class BoardFile:
    """How boards are written, and where to."""

    format_: str
    out: Path | None
    overwrite: bool
    as_json: bool


@leaderboard.command("show")
@runs_argument(required=False)
@click.option("--board", type=PATH, metavar="DIR", help="Read the submissions in this folder.")
@click.option(
    "--published", is_flag=True, help="Show the published tables too; the default when no run and no --board is given."
)
@click.option(
    "--print",
    "table",
    cls=Option,
    type=Names("print", "published.tables:Print"),
    default=default_of("leaderboard.printed:published_boards", "table"),
    help="Show the published tables corrected with intervals, or as the paper's figure or README prints them.",
)
@click.option("--stimulus", cls=Option, type=STIMULUS, shown_default="all", help="Rank by one stimulus.")
@click.option("--availability", type=AVAILABILITY, help="Show only these models.")
@click.option(
    "--sort",
    "by",
    cls=Option,
    type=Names("order", "leaderboard.boards:Sort"),
    default=default_of("leaderboard.boards:sorted_board", "by"),
    help="Sort the rows by this column.",
)
@click.option("--descending", is_flag=True, help="Reverse the order.")
@verdicts_of_option
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=Names("format", ["table", "md", "csv", "json", "html"]),
    default="table",
    help="Write this format.",
)
@click.option("--out", type=PATH, help="Write to this file instead of printing.")
@overwrite_option
@max_failed_option
@rule_option
@json_option
@gather("choices", BoardChoices)
@gather("file", BoardFile)
def show_command(choices: BoardChoices, file: BoardFile) -> None:
    """Rank runs and submissions, one board for each protocol.

    Without runs and --board it shows the published tables.

    Example: mossbench leaderboard show runs/a runs/b --published
    """
    from mossbench.leaderboard.boards import sorted_board

    boards = [
        sorted_board(board, by=choices.by, descending=choices.descending, availability=choices.availability)
        for board in chosen_boards(choices)
    ]
    if not any(board.rows for board in boards):
        note(f"note: no model on these boards has availability {choices.availability}")
    write_boards(boards, file)


def chosen_boards(choices: BoardChoices) -> list[Board]:
    """Boards of one's own runs and submissions, and the published ones."""
    from mossbench.leaderboard.printed import published_boards
    from mossbench.samples import Stimulus

    stimulus = Stimulus(choices.stimulus) if choices.stimulus else None
    has_own = bool(choices.runs) or choices.board is not None
    if choices.table != "corrected" and has_own and not choices.published:
        raise UsageError("--print only applies to the published tables; add --published, or omit runs and --board")
    entries = own_entries(choices)
    boards = list(mossbench.make_boards(entries, rule=choices.rule, stimulus=stimulus, max_failed=choices.max_failed))
    if choices.published or not has_own:
        boards += published_boards(table=choices.table, stimulus=stimulus)
    return boards


def own_entries(choices: BoardChoices) -> list[Results | Submission]:
    """The runs that were named and the submissions of the board; what is both is there once, as the run."""
    from mossbench.leaderboard.submission_records import same_run

    runs = [mossbench.load_results(run, judge=choices.judge) for run in choices.runs]
    note_arms(runs)
    entries: list[Results | Submission] = [*runs]
    submissions = read_submissions(choices.board, has_runs=bool(runs)) if choices.board is not None else []
    for submission in submissions:
        is_same_rule = submission.rule == choices.rule
        same_runs = [run.name for run in runs if is_same_rule and same_run(submission, run)]
        if same_runs:
            note(f"note: the submission of {submission.model} is the run {same_runs[0]}, and is shown once")
        else:
            entries.append(submission)
    return entries


def read_submissions(board: Path, *, has_runs: bool) -> list[Submission]:
    """The sound submissions of a board; the others are named."""
    from mossbench.reports.board_bundles import read_board

    submissions, damaged = read_board(board)
    for path, faults in damaged.items():
        note(f"note: skipped {path}, fix or remove it: {'; '.join(faults)}")
    if not submissions and not has_runs:
        missing = "sound submissions" if damaged else "submissions"
        raise UsageError(f"no {missing} in {str(board)!r}; add one: mossbench leaderboard add FILE --board DIR")
    return list(submissions)


def write_boards(boards: list[Board], file: BoardFile) -> None:
    from mossbench.plumbing.json_values import to_json
    from mossbench.plumbing.storage import check_may_write, write_atomically
    from mossbench.reports.board_page import board_page
    from mossbench.reports.board_tables import boards_csv, boards_markdown, boards_table

    format_ = "json" if file.as_json else file.format_
    if format_ == "table":
        if file.out is not None:
            raise UsageError("--out needs --format md, csv, json or html")
        show(boards_table(boards))
        return
    writers = {"json": to_json, "md": boards_markdown, "csv": boards_csv, "html": board_page}
    text = writers[format_](boards)
    if file.out is None:
        say(text, nl=False)
        return
    check_may_write(file.out, overwrite=file.overwrite)
    write_atomically(file.out, text)
    note(f"wrote {file.out}")


@leaderboard.command("add")
@click.argument("file", type=PATH)
@click.option(
    "--bundle", type=PATH, help="Count and judge again from this bundle of the run, and keep the bundle on the board."
)
@click.option("--board", type=PATH, required=True, metavar="DIR", help="Add to the board in this folder.")
@checking_data_option
@columns_option
@max_failed_option
def add_command(
    file: Path,
    bundle: Path | None,
    board: Path,
    data: str | None,
    columns: dict[str, str] | None,
    max_failed: float,
) -> None:
    """Check a submission and add it to a board.

    A faulty submission is rejected with a list of all faults, and the board is not changed. With the bundle of its run
    the board shows what was verified; without, verdicts are shown as claimed unless the answers are in the file.

    Example: mossbench leaderboard add my-model.json --bundle my-run.zip --board board
    """
    path = mossbench.add_submission(
        file, board, data=_load_if_named(data, columns), max_failed=max_failed, bundle=bundle
    )
    note(f"added as {path}")
    if bundle is not None:
        note(f"verified with {bundle}, which is kept as {path.with_suffix('.zip')}")


@leaderboard.command("check")
@click.option("--board", type=PATH, metavar="DIR", help="Check the submissions in this folder.")
@checking_data_option
@columns_option
@max_failed_option
@json_option
def check_command(
    board: Path | None, data: str | None, columns: dict[str, str] | None, max_failed: float, as_json: bool
) -> None:
    """Check all submissions of a board, or the published tables.

    With --board, it lists the faults of every file, as if it were added now. Without, it lists the misprints in the
    published tables, found by comparing the tables with each other and by arithmetic.

    Example: mossbench leaderboard check --board submissions
    """
    if board is None:
        check_published(as_json=as_json)
        return
    faults_by_path = mossbench.check_board(board, data=_load_if_named(data, columns), max_failed=max_failed)
    if as_json:
        show_json({path.name: faults for path, faults in faults_by_path.items()})
    all_faults = []
    for path, faults in faults_by_path.items():
        all_faults += [f"{path.name}: {fault}" for fault in faults]
    if all_faults:
        raise SubmissionError(f"faults in the submissions in {board}:", all_faults)
    note(f"no faults in {board}; submissions checked: {len(faults_by_path)}")


def check_published(*, as_json: bool) -> None:
    """Shows the misprints in the published tables."""
    from mossbench.reports.published_tables import misprints_table

    misprints = mossbench.check_published()
    if as_json:
        show_json(misprints)
    else:
        show(misprints_table(misprints))


def _load_if_named(data: str | None, columns: dict[str, str] | None) -> Dataset | None:
    return mossbench.load_dataset(data, columns=columns) if data else None


@leaderboard.command("init")
@click.argument("folder", type=PATH)
def init_command(folder: Path) -> None:
    """Write the files of a board of your own in a git repository.

    Submissions are files; a workflow checks them and publishes the board as a site.

    Example: mossbench leaderboard init my-board
    """
    for path in mossbench.init_board(folder):
        note(f"wrote {path}")
