"""`mossbench analyse`."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.judge_options import JUDGE_OPTIONS, chosen_judge, judge_options
from mossbench.cli.printing import json_option, note, show, show_json
from mossbench.cli.progress import progress_of
from mossbench.cli.results import rule_option
from mossbench.cli.run import exit_on_too_many, ids_option, max_failed_option
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from mossbench.reports.analyses.section import Table

FILE = click.Path(path_type=Path)
OPTIONS = tuple("sample prompts paraphrases tagger_model published boxes oracle caption_model rule".split())
"""What the analyses are told; all else is told to the run."""


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--model", "models", multiple=True, help="provider/name or file.py:function; repeat for several.")
@click.option("--run", "runs", type=FILE, multiple=True, help="A run that is there, instead of --model; repeat.")
@click.option("--data", help="Dataset name, folder or file.  [default: sketches]")
@click.option(
    "--side", type=click.Choice(["benign", "contrast", "both"]), help="Which side to ask.  [default: as needed]"
)
@ids_option
@click.option("--limit", type=click.IntRange(min=1), help="Ask only N ids; a sample and its twin share one.")
@click.option("--epochs", type=click.IntRange(min=1), help="Ask the plain request N times.  [default: by analysis]")
@click.option("--seed", type=int, help="Seed of the first epoch.  [default: 42]")
@click.option("--temperature", type=click.FloatRange(min=0), help="Randomness of the answers.  [default: 0]")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Longest answer.  [default: 1024]")
@click.option("--base-url", help="Endpoint instead of the provider's own, such as http://127.0.0.1:8000/v1.")
@click.option("--max-connections", type=click.IntRange(min=1), help="Most questions in flight at once.  [default: 16]")
@click.option("--sample", type=click.IntRange(min=1), help="stages: N refused samples, as many of each stimulus.")
@click.option("--prompts", type=FILE, metavar="DIR", help="prompts: one's own system prompts, a file each.")
@click.option("--paraphrases", type=FILE, metavar="FILE", help="consistency: CSV or JSONL with id and text.")
@click.option("--tagger-model", help="distortions: model that reads refusals.  [default: by rules]")
@click.option("--published", is_flag=True, default=None, help="tradeoff: show the 16 published models too.")
@click.option("--boxes", type=FILE, metavar="FILE", help="CSV id,left,top,right,bottom: where the trigger is.")
@click.option("--oracle", type=FILE, metavar="FILE", help="CSV or JSONL with oracle texts by id.")
@click.option("--caption-model", help="stages: model that compares captions with the truth.  [default: by rules]")
@judge_options
@rule_option
@click.option("--out", type=FILE, help="Folder of the run.  [default: a new one in runs/]")
@click.option("--resume", type=FILE, metavar="RUN", help="Go on in this folder; only what is missing is asked.")
@max_failed_option
@click.option("--quiet", is_flag=True, help="No progress.")
@json_option
def analyse(
    names: tuple[str, ...],
    models: tuple[str, ...],
    runs: tuple[Path, ...],
    data: str | None,
    out: Path | None,
    resume: Path | None,
    max_failed: float,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Find out why a model refuses: NAME is an analysis, several of them, or `all`.

    Every analysis puts the same requests in several ways and compares the answers pair by pair.
    """
    from mossbench.analyses import analyse as run_analyses
    from mossbench.analyses import analyse_runs
    from mossbench.analyses.analysis import Options
    from mossbench.look.page import visible
    from mossbench.outcomes import Rule
    from mossbench.reports.analyses import analysis_json, section_of, write_analysis

    if bool(models) == bool(runs) and not (resume and not models):
        both = "has both" if models else "needs a model"
        raise UsageError(
            f"analyse {both}: ask one with --model, such as --model control/candid, or name runs with --run"
        )
    if out is not None and resume is not None:
        raise UsageError("--resume goes on in its folder; leave out --out")
    read_by = options["judge"]
    judge = chosen_judge(**{name: options.pop(name) for name in JUDGE_OPTIONS})
    given = {name: value for name, value in options.items() if value is not None}
    told = {name: given.pop(name) for name in OPTIONS if name in given}
    told["rule"] = Rule(told["rule"])
    given |= {"data": data} if data else {}
    if runs and (asking := [*given, *(["resume"] if resume else [])]):
        flag = f"--{asking[0].replace('_', '-')}"
        raise UsageError(f"--run measures what is there and asks nothing: leave out {flag}, or ask anew with --model")
    again = _command(click.get_current_context())
    name = models[0] if models else str(resume)
    with progress_of(name, quiet=quiet or bool(runs)) as progress, redirect_stdout(sys.stderr):
        if runs:
            analysed = analyse_runs(names, runs, judge=read_by, out=out, options=Options(**told))
        else:
            analysed = run_analyses(
                names,
                models,
                judge=judge,
                out=resume or out,
                resume=resume is not None,
                progress=progress,
                options=Options(**told),
                again=again,
                **given,
            )
        path = write_analysis(analysed)
    if as_json:
        show_json(analysis_json(analysed))
    else:
        for part in (part for part in analysed.parts if part.name in analysed.asked):
            section = section_of(part)
            of = f" ({part.model})" if len(analysed.runs) > 1 and part.model else ""
            show(f"{section.title}{of}\n  {section.finding}")
            if section.tables and section.tables[0].rows:
                show(_rich(section.tables[0]))
            for text in (*(table.note for table in section.tables[:1] if table.note), *section.cautions):
                show(f"  {visible(text)}")
    for text in analysed.notices:
        note(text)
    others = list(dict.fromkeys(part.name for part in analysed.parts if part.name not in analysed.asked))
    note(f"wrote {path}" + (f", with the earlier {', '.join(others)}" if others else ""))
    if not runs:
        exit_on_too_many(analysed.runs, max_failed, f"{again} --resume {shlex.quote(str(analysed.folder))}")


def _command(ctx: click.Context) -> str:
    """The command as it was given, without the folder: what it takes to go on."""
    words = ["mossbench", "analyse", *ctx.params["names"]]
    for param in ctx.command.params:
        if ctx.get_parameter_source(str(param.name)) is not click.core.ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[str(param.name)]
        if param.name in ("names", "out", "resume") or not isinstance(param, click.Option):
            continue
        if param.is_flag:
            words += [param.opts[0]] if value else []
        else:
            several = value if isinstance(value, tuple) else (value,)
            words += [word for one in several for word in (param.opts[0], str(one))]
    return shlex.join(words)


def _rich(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    from mossbench.look.page import visible

    found = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, name in enumerate(table.head):
        found.add_column(name, justify="right" if number else "left")
    for row in table.rows:
        found.add_row(*map(visible, row))
    return found
