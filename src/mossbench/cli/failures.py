"""What failed in runs that were just asked, and the exit code for it."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from mossbench.cli.printing import note
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.results.table import Results


def note_failures(runs: Sequence[Results]) -> None:
    from mossbench.results.failing import failure_texts

    for results in runs:
        for text in failure_texts(results):
            note(text)


def stop_on_too_many_failures(runs: Sequence[Results], max_failed: float, retry_command: str = "") -> None:
    """Exits 1 and says what to do when a run is not finished, or too much of it failed.

    `retry_command` is the command that asks again; by default it resumes the run.
    """
    has_failed = False
    for results in runs:
        text = results.unfinished()
        if text:
            has_failed = True
            note(f"not finished: {on_command_line(text)}")
        n_failed = results.failures().total() + results.judge_failures().total()
        if n_failed > max_failed * len(results):
            has_failed = True
            command = retry_command or f"mossbench run --resume {quote(str(results.folder))}"
            note(f"more than --max-failed {max_failed:g}; {_way_out(results, command)}")
    if has_failed:
        raise SystemExit(1)


def _way_out(results: Results, retry_command: str) -> str:
    from mossbench.results.rows import errors_of

    if results.info.recorded_file:
        return "fix the transcript and run it again"
    if results.failures() and all(error.stage == "picture" for error in errors_of(results.rows)):
        return f"fix the images, then: {retry_command}"
    return f"try again: {retry_command}"
