"""The options that name a judge, shared by every command that judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mossbench.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--judge", help="Judge name or file.py:function; see `mossbench judge list`.  [default: rules]"),
    click.option("--judge-model", help="Model that judges, for rubric/… and cascade, such as openai/<model>."),
    click.option("--judge-base-url", help="Endpoint of the judging model."),
    click.option("--threshold", type=click.FloatRange(0, 1), help="cascade: confidence from which rules decides."),
)
JUDGE_OPTIONS = ("judge", "judge_model", "judge_base_url", "threshold")


def judge_options(command: Command) -> Command:
    """Adds the options; the command takes them as `**judge` and gives them to `chosen_judge`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_judge(
    judge: str | None, judge_model: str | None, judge_base_url: str | None, threshold: float | None
) -> str | None:
    """The judge's name with its settings in it; None when none was named."""
    from mossbench.judges import judge_spec

    settings = {"model": judge_model, "base_url": judge_base_url, "threshold": threshold}
    if judge is None:
        if any(value is not None for value in settings.values()):
            raise UsageError("--judge-model, --judge-base-url and --threshold go with --judge rubric/… or cascade")
        return None
    return judge_spec(judge, **settings)
