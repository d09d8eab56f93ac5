"""Files of answers on the command line: which columns hold what, and the rates of what was judged."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

import mossbench
from mossbench.cli.callbacks import read_columns
from mossbench.cli.printing import show, show_json
from mossbench.cli.progress_bar import counter_of
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.results.judged_answers import JudgedAnswers

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def answer_columns_option(command: Decorated) -> Decorated:
    """Gives a command that takes `files` of answers the option `--map`; its files then name their columns."""

    @wraps(command)
    def with_named_columns(files: tuple[Path, ...], columns: dict[str, str] | None, **values: Any) -> Any:
        return command(files=tuple(_with_columns(file, columns) for file in files), **values)

    option = click.option(
        "--map",
        "columns",
        metavar="FIELD=COLUMN,…",
        callback=read_columns,
        help="Read columns of other names, such as response=output,question=prompt.",
    )
    return cast(Decorated, option(with_named_columns))


def _with_columns(file: Path, columns: dict[str, str] | None) -> Path:
    from mossbench.transcripts.columns import with_columns

    if columns and file.is_dir():
        raise UsageError(f"--map names columns of files, and {file} is a folder: omit --map")
    return with_columns(file, columns)


def judge_and_show(
    files: tuple[Path, ...],
    judge: str,
    *,
    out: Path,
    overwrite: bool,
    rule: str,
    max_connections: int,
    quiet: bool,
    as_json: bool,
) -> JudgedAnswers:
    """Judges files of answers, and shows the rates with what they rest on."""
    from mossbench.reports.judged_answers import answers_lines, answers_table

    with counter_of("judging", quiet=quiet) as on_row:
        judged = mossbench.judge_answers(
            files,
            judge,
            out=out,
            overwrite=overwrite,
            rule=rule,
            max_connections=max_connections,
            on_row=on_row,
        )
    if as_json:
        show_json(judged.to_dict())
    else:
        show(answers_table(judged))
        for line in answers_lines(judged):
            show(line)
    return judged
