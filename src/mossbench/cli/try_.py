"""`mossbench try`."""

from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import JUDGE_OPTIONS, given, options
from mossbench.cli.printing import note, say, show_json


@click.command("try", cls=Command)
@options("try.model", "data", "map", "id", "try.side", "arm", "system", "seed", "temperature", "max_tokens", "base_url")
@options(
    "as_published", "google_safety", "trust_remote_code", "timeout", "try.retries", *JUDGE_OPTIONS, "prices", "json"
)
def try_(model: str, as_json: bool, **chosen: Any) -> None:
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.look.texts import sentences

    judge = chosen_judge(chosen) or DEFAULT_JUDGE
    trial = mossbench.try_sample(model, judge=judge, **given(chosen))
    for notice in trial.notices:
        note(f"note: {notice}")
    if as_json:
        show_json(trial.to_dict())
    else:
        settings = [f"{name} {_plain(value)}" for name, value in trial.sent.items()]
        say(sentences(__file__)("trial", t=trial, settings=settings), nl=False)
    if trial.exchange.answer.error is not None:
        raise SystemExit(1)


def _plain(value: Any) -> str:
    """A setting without the brackets of a list of records."""
    if isinstance(value, list):
        return "; ".join(map(_plain, value))
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)
