"""`mossbench analyse`."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.failures import stop_on_too_many_failures
from mossbench.cli.forecasts import show_forecasts
from mossbench.cli.option_groups import JudgeChoice, gather, gather_run_options, judge_options, only_given
from mossbench.cli.options import (
    Option,
    base_url_option,
    columns_option,
    data_option,
    dry_run_option,
    effort_option,
    exit_on_failed_option,
    ids_option,
    json_option,
    latency_option,
    limit_option,
    max_connections_option,
    max_cost_option,
    max_tokens_option,
    params_option,
    prices_option,
    quiet_option,
    resume_option,
    retries_option,
    rule_option,
    run_folder_option,
    seed_option,
    temperature_option,
    timeout_option,
    was_given,
)
from mossbench.cli.printing import note, show, show_json
from mossbench.cli.progress_bar import progress_of
from mossbench.cli.types import ANALYSIS, FROM_1, MODEL, PATH, RUN_PATH, SIDE
from mossbench.errors import UsageError
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.analyses.analysis import Analysed, Options
    from mossbench.reports.analyses.section import Section
    from mossbench.runs.forecast import Forecast
    from mossbench.store.config import RunOptions

MANY_CALLS = 1000
"""About two runs on the published 300 + 244 samples. A run asks each sample once, as its user expects; an analysis asks
it under up to ten arms, which no flag says, so beyond this it asks first. Models that send nothing do not count."""


def _analysis_options(
    sample: int | None,
    prompts: Path | None,
    baseline_prompt: str | None,
    own_prompts_only: bool | None,
    paraphrases: Path | None,
    tagger_model: str | None,
    published: bool | None,
    boxes: Path | None,
    oracle: Path | None,
    caption_model: str | None,
    rule: str,
) -> Options:
    from mossbench.analyses.analysis import Options
    from mossbench.outcomes import Rule

    options = {
        "sample": sample,
        "prompts": prompts,
        "baseline_prompt": baseline_prompt,
        "own_prompts_only": own_prompts_only,
        "paraphrases": paraphrases,
        "tagger_model": tagger_model,
        "published": published,
        "boxes": boxes,
        "oracle": oracle,
        "caption_model": caption_model,
        "rule": Rule(rule),
    }
    return Options(**only_given(options))


@dataclass(frozen=True)
class AnalysisChoices:
    """What was typed after `mossbench analyse`. None: not given, so the library decides."""

    names: tuple[str, ...]
    models: tuple[str, ...]
    runs: tuple[Path, ...]
    data: str | None
    run_options: RunOptions
    options: Options
    judge: JudgeChoice
    out: Path | None
    resume: Path | None
    prices: Path | None
    max_cost: float | None
    dry_run: bool
    latency: float | None
    yes: bool
    max_failed: float
    quiet: bool
    as_json: bool


@click.command(cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="ANALYSIS…", type=ANALYSIS)
@click.option(
    "--model",
    "models",
    type=MODEL,
    multiple=True,
    help="Ask this model, a name from `mossbench models` or file.py:function; repeat for more.",
)
@click.option(
    "--run",
    "runs",
    type=RUN_PATH,
    multiple=True,
    help="Analyse this finished run, without new requests; repeat for more.",
)
@data_option
@columns_option
@click.option("--side", cls=Option, type=SIDE, shown_default="what the analysis needs", help="Use only this side.")
@ids_option
@limit_option
@click.option(
    "--epochs", cls=Option, type=FROM_1, shown_default="what the analysis needs", help="Ask each plain request N times."
)
@seed_option
@temperature_option
@max_tokens_option
@effort_option
@params_option
@base_url_option
@max_connections_option
@click.option(
    "--sample",
    cls=Option,
    type=FROM_1,
    shown_default="all",
    help="stages: follow up N refused samples, spread evenly over the stimuli.",
)
@click.option("--prompts", type=PATH, metavar="DIR", help="prompts: use your own system prompts, one file each.")
@click.option(
    "--baseline-prompt",
    cls=Option,
    metavar="NAME",
    shown_default="none",
    help="prompts: compare the others with this prompt, such as the one in production.",
)
@click.option("--own-prompts-only", is_flag=True, default=None, help="prompts: omit the built-in system prompts.")
@click.option(
    "--paraphrases",
    type=PATH,
    metavar="FILE",
    help="consistency: use your own paraphrases, a CSV or JSONL file with id and text.",
)
@click.option(
    "--tagger-model",
    cls=Option,
    type=MODEL,
    shown_default="built-in rules",
    help="distortions: let this model read the refusals.",
)
@click.option("--published", is_flag=True, default=None, help="tradeoff: show the 16 published models too.")
@click.option(
    "--boxes",
    type=PATH,
    metavar="FILE",
    help="Read the position of each trigger from a CSV file with id,left,top,right,bottom.",
)
@click.option(
    "--oracle",
    type=PATH,
    metavar="FILE",
    help="Read correct descriptions and goals (oracle texts) by id from a CSV or JSONL file.",
)
@click.option(
    "--caption-model",
    cls=Option,
    type=MODEL,
    shown_default="built-in rules",
    help="stages: let this model compare captions with the truth.",
)
@judge_options
@rule_option
@run_folder_option
@resume_option
@timeout_option
@retries_option
@prices_option
@max_cost_option
@dry_run_option
@latency_option
@click.option("--yes", is_flag=True, help="Send more than 1,000 requests without asking first.")
@exit_on_failed_option
@quiet_option
@json_option
@gather_run_options
@gather("options", _analysis_options)
@gather("choices", AnalysisChoices)
def analyse(choices: AnalysisChoices) -> None:
    """Find out why a model refuses.

    Each analysis sends the same requests under several conditions and compares paired answers.

    Example: mossbench analyse causes stages --model control/literal
    """
    check_choices(choices)
    if choices.dry_run:
        show_forecasts(forecast(choices, prepare=True), as_json=choices.as_json)
        return
    if choices.runs:
        analysed = analyse_runs(choices)
    else:
        if not choices.yes:
            _confirm(sum(run_forecast.n_sent for run_forecast in forecast(choices, prepare=False)))
        analysed = ask_and_analyse(choices)
    path = mossbench.write_analysis(analysed)
    show_analysis(analysed, path, as_json=choices.as_json)
    if not choices.runs:
        retry_command = f"{_typed_command()} --resume {shlex.quote(str(analysed.folder))}"
        stop_on_too_many_failures(analysed.runs, choices.max_failed, retry_command)


def check_choices(choices: AnalysisChoices) -> None:
    """A UsageError for options that do not go together."""
    resumes_without_model = choices.resume is not None and not choices.models
    if choices.models and choices.runs:
        raise UsageError("--model and --run cannot be used together: omit one of them")
    if not choices.models and not choices.runs and not resumes_without_model:
        raise UsageError(
            "nothing to analyse: name a model with --model, such as --model control/candid, or finished runs with --run"
        )
    if choices.out is not None and choices.resume is not None:
        raise UsageError("--resume writes to the folder of the run; omit --out")
    choices.judge.check()
    flag = _asking_flag(choices) if choices.runs else ""
    if flag:
        raise UsageError(
            f"--run analyses finished runs and sends no requests: omit {flag}, or name a model with --model"
        )
    if choices.latency is not None and not choices.dry_run:
        raise UsageError("--latency only applies to --dry-run; omit --latency, or add --dry-run")


def _asking_flag(choices: AnalysisChoices) -> str:
    """The first flag on the line that says how a model is asked; empty where there is none."""
    asking_options = {*choices.run_options, "data", "prices", "max_cost"}
    context = click.get_current_context()
    flags = {param.name: param.opts[0] for param in context.command.params}  # --map is `columns`
    for name in context.params:  # in the order of the line
        if name in asking_options and was_given(name):
            return flags[name]
    return "--resume" if choices.resume is not None else ""


def forecast(choices: AnalysisChoices, *, prepare: bool) -> tuple[Forecast, ...]:
    """What the analysis would take; without `prepare` images are left alone, and only requests are counted."""
    from mossbench.analyses import forecast_analysis

    return forecast_analysis(
        choices.names,
        choices.models,
        choices.data,
        judge=choices.judge.full_name(),
        out=choices.resume or choices.out,
        resume=choices.resume is not None,
        options=choices.options,
        latency=choices.latency,
        prices=choices.prices,
        prepare=prepare,
        **choices.run_options,
    )


def _confirm(n: int) -> None:
    """Asks before many calls that may cost money; where nobody can answer, they need --yes."""
    if n <= MANY_CALLS:
        return
    message = f"this analysis sends at least {n:,} requests, including those to a judging model"
    if not sys.stdin.isatty():
        raise UsageError(f"{message}; add --yes to send them, or --dry-run to see tokens, cost and time")
    click.confirm(f"{message}. --dry-run shows tokens, cost and time. Send them?", abort=True, err=True)


def analyse_runs(choices: AnalysisChoices) -> Analysed:
    """Measures finished runs and asks nothing."""
    with redirect_stdout(sys.stderr):
        return mossbench.analyse_runs(
            choices.names, choices.runs, judge=choices.judge.judge, out=choices.out, options=choices.options
        )


def ask_and_analyse(choices: AnalysisChoices) -> Analysed:
    shown_name = choices.models[0] if choices.models else str(choices.resume)
    with progress_of(shown_name, quiet=choices.quiet) as progress, redirect_stdout(sys.stderr):
        return mossbench.analyse(
            choices.names,
            choices.models,
            choices.data,
            judge=choices.judge.full_name(),
            out=choices.resume or choices.out,
            resume=choices.resume is not None,
            progress=progress,
            options=choices.options,
            again=_typed_command(),
            prices=choices.prices,
            max_cost=choices.max_cost,
            **choices.run_options,
        )


def show_analysis(analysed: Analysed, path: Path, *, as_json: bool) -> None:
    from mossbench.reports.analyses import analysis_json, section_of

    if as_json:
        show_json(analysis_json(analysed))
    else:
        has_several_runs = len(analysed.runs) > 1
        for part in analysed.parts:
            if part.name in analysed.asked:
                model = part.model if has_several_runs else None
                _show_section(section_of(part), model)
    for notice in analysed.notices:
        note(on_command_line(notice))
    earlier = list(dict.fromkeys(part.name for part in analysed.parts if part.name not in analysed.asked))
    with_earlier = f", including the earlier {', '.join(earlier)}" if earlier else ""
    note(f"wrote {path}{with_earlier}")


def _show_section(section: Section, model: str | None) -> None:
    """The finding of an analysis, its first table and what weakens it."""
    from mossbench.look.page import visible
    from mossbench.reports.tables import text_table

    of_model = f" ({model})" if model else ""
    show(f"{section.title}{of_model}\n  {section.finding}")
    first_table = section.tables[0] if section.tables else None
    if first_table is not None and first_table.rows:
        table = text_table(*first_table.head, folds=False, wraps=True)
        for row in first_table.rows:
            table.add_row(*map(visible, row))
        show(table)
    if first_table is not None and first_table.note:
        show(f"  {visible(first_table.note)}")
    for caution in section.cautions:
        show(f"  {visible(caution)}")


def _typed_command() -> str:
    """The command as it was given, without the folder: what it takes to go on."""
    context = click.get_current_context()
    words = ["mossbench", "analyse", *context.params["names"]]
    for param in context.command.params:
        name = str(param.name)
        is_about_the_folder = name in ("out", "resume")
        if isinstance(param, click.Option) and not is_about_the_folder and was_given(name):
            words += _typed_option(param, context.params[name])
    return shlex.join(words)


def _typed_option(option: click.Option, value: Any) -> list[str]:
    """A flag with its value, once for each of several."""
    flag = option.opts[0]
    if option.is_flag:
        return [flag] if value else []
    if isinstance(value, dict):  # --map
        return [flag, ",".join(f"{field}={column}" for field, column in value.items())]
    values = value if isinstance(value, tuple) else (value,)
    words = []
    for single_value in values:
        words += [flag, str(single_value)]
    return words
