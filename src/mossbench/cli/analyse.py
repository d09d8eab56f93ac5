"""`mossbench analyse`."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import ANALYSIS, JUDGE_OPTIONS, given, options, was_given
from mossbench.cli.printing import note, show, show_json
from mossbench.cli.progress import progress_of
from mossbench.cli.run import exit_on_too_many, show_forecasts
from mossbench.errors import UsageError
from mossbench.messages import on_command_line

MANY_CALLS = 1000
"""About two runs on the published 300 + 244 samples. A run asks each sample once, as its user expects; an analysis asks
it under up to ten arms, which no flag says, so beyond this it asks first. Models that send nothing do not count."""
TOLD = tuple(
    "sample prompts baseline_prompt own_prompts_only paraphrases tagger_model published boxes oracle caption_model "
    "rule".split()
)
"""What the analyses are told; all else is told to the run, but for what is about the command itself."""
ABOUT = ("out", "resume", "max_failed", "dry_run", "latency", "yes", "quiet", "as_json")


@click.command(cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="ANALYSIS…", type=ANALYSIS)
@options("analyse.model", "run", "data", "map", "analyse.side", "ids", "limit", "analyse.epochs", "seed", "temperature")
@options("max_tokens", "base_url", "max_connections", "sample", "prompts", "baseline_prompt")
@options("own_prompts_only", "paraphrases", "tagger_model")
@options("analyse.published", "boxes", "oracle", "caption_model", *JUDGE_OPTIONS, "rule", "run.out", "resume")
@options("timeout", "retries", "prices", "max_cost", "dry_run", "latency", "yes", "run.max_failed", "quiet", "json")
def analyse(names: tuple[str, ...], models: tuple[str, ...], runs: tuple[Path, ...], **chosen: Any) -> None:
    from mossbench.analyses import forecast_analysis
    from mossbench.analyses.analysis import Options
    from mossbench.look.page import visible
    from mossbench.outcomes import Rule
    from mossbench.reports.analyses import analysis_json, section_of
    from mossbench.reports.tables import text_table

    out, resume, max_failed, dry_run, latency, yes, quiet, as_json = (chosen.pop(name) for name in ABOUT)
    if bool(models) == bool(runs) and not (resume and not models):
        both = "has both" if models else "needs a model"
        raise UsageError(
            f"analyse {both}: ask one with --model, such as --model control/candid, or name runs with --run"
        )
    if out is not None and resume is not None:
        raise UsageError("--resume goes on in its folder; leave out --out")
    read_by = chosen["judge"]
    judge = chosen_judge(chosen)
    asked = given(chosen)
    told = {name: asked.pop(name) for name in TOLD if name in asked}
    told["rule"] = Rule(told["rule"])
    if runs and (asking := [*asked, *(["resume"] if resume else [])]):
        params = click.get_current_context().command.params
        flag = next(param.opts[0] for param in params if param.name == asking[0])  # --map is `columns`
        raise UsageError(
            f"--run measures what is there and asks nothing: leave out {flag}, or ask a model with --model"
        )
    if latency is not None and not dry_run:
        raise UsageError("--latency goes with --dry-run; leave out --latency, or add --dry-run")
    if dry_run or not (yes or runs):
        how = {name: value for name, value in asked.items() if name != "max_cost"}
        how |= {"judge": judge, "prepare": dry_run, "out": resume or out, "resume": bool(resume), "latency": latency}
        forecasts = forecast_analysis(names, models, options=Options(**told), **how)
        if dry_run:
            show_forecasts(list(forecasts), as_json=as_json)
            return
        _confirm(sum(forecast.n_sent for forecast in forecasts))
    again = _command(click.get_current_context())
    name = models[0] if models else str(resume)
    with progress_of(name, quiet=quiet or bool(runs)) as progress, redirect_stdout(sys.stderr):
        if runs:
            analysed = mossbench.analyse_runs(names, runs, judge=read_by, out=out, options=Options(**told))
        else:
            asked |= {"judge": judge, "out": resume or out, "resume": bool(resume), "progress": progress}
            analysed = mossbench.analyse(names, models, options=Options(**told), again=again, **asked)
        path = mossbench.write_analysis(analysed)
    if as_json:
        show_json(analysis_json(analysed))
    else:
        for part in (part for part in analysed.parts if part.name in analysed.asked):
            section = section_of(part)
            of = f" ({part.model})" if len(analysed.runs) > 1 and part.model else ""
            show(f"{section.title}{of}\n  {section.finding}")
            if section.tables and section.tables[0].rows:
                table = text_table(*section.tables[0].head, folds=False, wraps=True)
                for row in section.tables[0].rows:
                    table.add_row(*map(visible, row))
                show(table)
            for text in (*(table.note for table in section.tables[:1] if table.note), *section.cautions):
                show(f"  {visible(text)}")
    for notice in analysed.notices:
        note(on_command_line(notice))
    others = list(dict.fromkeys(part.name for part in analysed.parts if part.name not in analysed.asked))
    note(f"wrote {path}" + (f", with the earlier {', '.join(others)}" if others else ""))
    if not runs:
        exit_on_too_many(analysed.runs, max_failed, f"{again} --resume {shlex.quote(str(analysed.folder))}")


def _confirm(n: int) -> None:
    """Asks before many calls that may cost money; where nobody can answer, they need --yes."""
    if n <= MANY_CALLS:
        return
    what = f"this analysis sends {n:,} requests or more, with those of a judging model"
    if not sys.stdin.isatty():
        raise UsageError(f"{what}; add --yes to send them, or --dry-run to see what they take")
    click.confirm(f"{what}. --dry-run shows what they take. Send them?", abort=True, err=True)


def _command(ctx: click.Context) -> str:
    """The command as it was given, without the folder: what it takes to go on."""
    words = ["mossbench", "analyse", *ctx.params["names"]]
    for param in ctx.command.params:
        name = str(param.name)
        if not isinstance(param, click.Option) or name in ("out", "resume") or not was_given(name):
            continue
        value = ctx.params[name]
        if param.is_flag:
            words += [param.opts[0]] if value else []
        else:
            value = ",".join(map("=".join, value.items())) if isinstance(value, dict) else value  # --map
            several = value if isinstance(value, tuple) else (value,)
            words += [word for one in several for word in (param.opts[0], str(one))]
    return shlex.join(words)
