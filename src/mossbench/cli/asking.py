"""Samples one at a time or by hand: `mossbench try`, and `mossbench transcript` for sheets to fill in."""

import shlex
from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command, Group
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import JUDGE_OPTIONS, RUN, default_of, given, options
from mossbench.cli.printing import note, said, say, show_json


@click.command("try", cls=Command)
@options("try.model", "data", "map", "id", "try.side", "arm", "system", "seed", "temperature", "max_tokens", "base_url")
@options("as_published", "google_safety", "trust_remote_code", "timeout", "try.retries", *JUDGE_OPTIONS)
@options("prices", "json")
def try_(model: str, as_json: bool, **chosen: Any) -> None:
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(chosen) or DEFAULT_JUDGE
    trial = mossbench.try_sample(model, judge=judge, **given(chosen))
    for notice in trial.notices:
        note(f"note: {notice}")
    if as_json:
        show_json(trial.to_dict())
    else:
        settings = [f"{name} {_plain(value)}" for name, value in trial.sent.items()]
        say(said(__file__, "trial", t=trial, settings=settings), nl=False)
    if trial.exchange.answer.error is not None:
        raise SystemExit(1)


def _plain(value: Any) -> str:
    """A setting without the brackets of a list of records."""
    if isinstance(value, list):
        return "; ".join(map(_plain, value))
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


@click.group(cls=Group)
def transcript() -> None: ...


@transcript.command("template")
@options("data", "map", "template.out", "side", "ids", "offset", "limit")
@options("model_name")
def template_command(data: str | None, out: Path, **selection: Any) -> None:
    data, side = (value or default_of(RUN, name) for name, value in (("data", data), ("side", selection["side"])))
    mossbench.write_template(data, out, **given(selection))
    flags = {"--model": f"replay/{out}", "--data": data, "--side": side}
    flags["--map"] = ",".join(f"{field}={column}" for field, column in (selection["columns"] or {}).items())
    flags["--ids"] = ",".join(selection["ids"] or ())
    flags |= {f"--{name}": str(selection[name] or "") for name in ("offset", "limit")}
    command = shlex.join(["mossbench", "run", *(part for flag in flags.items() if flag[1] for part in flag)])
    named = "" if selection["model_name"] else " (--model-name says which model answered)"
    note(f"wrote {out}; fill in `response` and leave it empty where there is none, then{named}")
    note(f"  {command}")
