"""Samples one at a time or by hand: `mossbench try`, and `mossbench transcript` for sheets to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.commands import Command, Group
from mossbench.cli.option_groups import JudgeChoice, gather_trial_options, judge_options
from mossbench.cli.options import (
    Option,
    arm_option,
    as_published_option,
    base_url_option,
    columns_option,
    data_option,
    default_of,
    effort_option,
    field_of_config,
    google_safety_option,
    ids_option,
    json_option,
    limit_option,
    max_tokens_option,
    model_name_option,
    offset_option,
    params_option,
    prices_option,
    seed_option,
    side_option,
    system_option,
    temperature_option,
    timeout_option,
    trust_remote_code_option,
)
from mossbench.cli.printing import note, say, show_json
from mossbench.cli.types import FROM_0, MODEL, ONE_SIDE, PATH

if TYPE_CHECKING:
    from mossbench.store.config import RunSide, TrialOptions


@click.command("try", cls=Command)
@click.option(
    "--model", type=MODEL, required=True, help="Ask this model, a name from `mossbench models` or file.py:function."
)
@data_option
@columns_option
@click.option("--id", cls=Option, shown_default="the first harmless one", help="Send the sample with this id.")
@click.option(
    "--side",
    cls=Option,
    type=ONE_SIDE,
    shown_default="the side that has the id, benign before contrast",
    help="Send a sample of this side.",
)
@arm_option
@system_option
@seed_option
@temperature_option
@max_tokens_option
@effort_option
@params_option
@base_url_option
@as_published_option
@google_safety_option
@trust_remote_code_option
@timeout_option
@click.option(
    "--retries",
    cls=Option,
    type=FROM_0,
    default=default_of("store.config:TRIAL_RETRIES"),
    help="Retry a failed request up to N times.",
)
@judge_options
@prices_option
@json_option
@gather_trial_options
def try_(
    model: str,
    data: str | None,
    id: str | None,
    side: str | None,
    trial_options: TrialOptions,
    judge: JudgeChoice,
    prices: Path | None,
    as_json: bool,
) -> None:
    """Send one sample and show what was sent and what came back.

    It shows the request, the answer, the verdict and the cost, and writes no run.

    Example: mossbench try --model openai/gpt-4o --id 12
    """
    from mossbench.cli.trial_text import trial_text
    from mossbench.store.config import DEFAULT_DATA

    trial = mossbench.try_sample(
        model,
        DEFAULT_DATA if data is None else data,
        id=id,
        side=side,
        judge=judge.name_or_default(),
        prices=prices,
        **trial_options,
    )
    for notice in trial.notices:
        note(f"note: {notice}")
    if as_json:
        show_json(trial.to_dict())
    else:
        say(trial_text(trial))
    if trial.exchange.answer.error is not None:
        raise SystemExit(1)


@click.group(cls=Group)
def transcript() -> None:
    """Write sheets to record answers by hand.

    Use it for products with a web page but no API.
    """


@transcript.command("template")
@data_option
@columns_option
@click.option("--out", type=PATH, required=True, help="Write this sheet: .csv or .jsonl.")
@side_option
@ids_option
@offset_option
@limit_option
@model_name_option
def template_command(
    data: str | None,
    columns: dict[str, str] | None,
    out: Path,
    side: RunSide | None,
    ids: tuple[str, ...] | None,
    offset: int | None,
    limit: int | None,
    model_name: str | None,
) -> None:
    """Write a sheet with ids, requests and image paths.

    Fill in the answers by hand, then run the sheet as a model.

    Example: mossbench transcript template --out my-answers.csv
    """
    from mossbench.store.config import DEFAULT_DATA

    chosen_data = data or DEFAULT_DATA
    chosen_side = side or field_of_config("side").default
    mossbench.write_template(
        chosen_data,
        out,
        columns=columns,
        side=chosen_side,
        ids=ids,
        limit=limit,
        offset=offset or 0,
        model_name=model_name,
    )
    flags = {
        "--model": f"replay/{out}",
        "--data": chosen_data,
        "--side": chosen_side,
        "--map": ",".join(f"{field}={column}" for field, column in (columns or {}).items()),
        "--ids": ",".join(ids or ()),
        "--offset": str(offset or ""),
        "--limit": str(limit or ""),
    }
    name_hint = "" if model_name else " (--model-name says which model answered)"
    note(f"wrote {out}; fill in `response`, leave it empty where there is no answer, then run{name_hint}")
    note(f"  {_run_command(flags)}")


def _run_command(flags: dict[str, str]) -> str:
    """The command that runs the sheet; flags without a value are left out."""
    words = ["mossbench", "run"]
    for flag, value in flags.items():
        if value:
            words += [flag, value]
    return shlex.join(words)
