"""`mossbench run`: a suite, a forecast, a resumed run, or new runs, one for each model."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, cast

import click

from mossbench.cli.callbacks import read_sweep_option
from mossbench.cli.commands import Command
from mossbench.cli.failures import note_failures, stop_on_too_many_failures
from mossbench.cli.first_run import show_first_run
from mossbench.cli.forecasts import show_forecasts
from mossbench.cli.option_groups import engine_options, gather, gather_run_options, judge_options
from mossbench.cli.options import (
    ConfigOption,
    Option,
    arm_option,
    as_published_option,
    base_url_option,
    columns_option,
    data_option,
    dry_run_option,
    effort_option,
    exit_on_failed_option,
    google_safety_option,
    ids_option,
    json_option,
    junit_option,
    latency_option,
    limit_option,
    max_connections_option,
    max_cost_option,
    max_tokens_option,
    model_name_option,
    offset_option,
    params_option,
    prices_option,
    quiet_option,
    resume_option,
    retries_option,
    rule_option,
    run_folder_option,
    seed_option,
    side_option,
    summary_format_option,
    summary_option,
    system_option,
    temperature_option,
    timeout_option,
    trust_remote_code_option,
)
from mossbench.cli.printing import note
from mossbench.cli.progress_bar import progress_of
from mossbench.cli.rates import show_cautions, show_results
from mossbench.cli.run_choices import RunChoices, check_choices, check_suite_choices
from mossbench.cli.suites import run_suite_file, run_sweep
from mossbench.cli.types import FROM_1, MODEL, PATH
from mossbench.errors import Code, Interrupted, MossbenchError, RunError, UsageError, message_of, some
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.models import Model
    from mossbench.results.table import Results
    from mossbench.runs.forecast import Forecast
    from mossbench.runs.image_cache import ImageCache
    from mossbench.store.config import ResumeOptions

DEFAULT_MODELS = (
    "control/candid",
    "control/stonewall",
    "control/ideal?safety=0.9",
    "control/jumpy?rate=0.4",
    "control/filtering?rate=0.3",
    "control/literal?rate=0.5",
    "control/prudish?rate=0.2",
    "control/learned?safety=1",
    "control/learned?safety=7",
)
SHOWN_IN_FULL = "control/jumpy?rate=0.4"
"""The only control model that gets a report: a report of each would take longer than the runs."""


@click.command(cls=Command)
@click.argument("suite", required=False, type=PATH)
@click.option(
    "--model",
    "models",
    cls=Option,
    type=MODEL,
    multiple=True,
    shown_default="the control models",
    help="Ask this model, a name from `mossbench models` or file.py:function; repeat for more runs.",
)
@data_option
@columns_option
@side_option
@ids_option
@offset_option
@limit_option
@click.option("--shard", cls=ConfigOption, metavar="I/N")
@click.option("--epochs", cls=ConfigOption, type=FROM_1)
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
@click.option("--batch-size", cls=ConfigOption, type=FROM_1, shown_default="32 on a GPU, 4 on a CPU")
@trust_remote_code_option
@model_name_option
@judge_options
@click.option(
    "--no-judge", is_flag=True, help="Do not judge the answers; judge them later with `mossbench judge apply`."
)
@rule_option
@run_folder_option
@click.option("--name", help="Write the run into runs/NAME; with several models, each into runs/NAME-MODEL.")
@resume_option
@max_connections_option
@click.option("--start-connections", cls=ConfigOption, type=FROM_1)
@timeout_option
@retries_option
@engine_options
@exit_on_failed_option
@prices_option
@max_cost_option
@click.option(
    "--compare-with",
    metavar="FOLDER",
    help="Compare a suite, cell by cell, with this folder of an earlier one; `pinned` is the suite's own baseline.",
)
@click.option(
    "--sweep",
    metavar="NAME=VALUE,…",
    multiple=True,
    callback=read_sweep_option,
    help="Ask at each of these values of a setting or parameter, such as effort=none,low,high or system=a.txt,b.txt, "
    "and compare them with the first; repeat for all combinations.",
)
@dry_run_option
@latency_option
@click.option("--no-report", is_flag=True, help="Write no report.html.")
@junit_option
@summary_option
@summary_format_option
@quiet_option
@json_option
@gather_run_options
@gather("choices", RunChoices)
def run(choices: RunChoices) -> None:
    """Send a model every sample and show its refusal rates.

    Without --model it runs the control models on the bundled sketches: no key, no network. SUITE is a .toml file of
    models, system prompts, datasets and gates; options override it, and the exit code is that of `mossbench gate`.

    Example: mossbench run --model openai/gpt-4o --limit 20
    """
    choices.judge.check()
    if choices.suite is not None:
        check_suite_choices(choices)
        run_suite_file(choices.suite, choices)
        return
    check_choices(choices)
    if choices.sweep is not None:
        run_sweep(choices)
        return
    choices = with_dated_folder(choices)
    if choices.dry_run:
        show_forecasts(forecast_models(choices), as_json=choices.as_json)
    elif choices.resume is not None:
        show_runs([resume_run(choices.resume, choices)], choices)
    elif choices.models:
        models = load_models(choices.models, choices)
        asked = ask_models(models, choices)
        with raising_afterwards(asked.error):
            if asked.runs:
                show_runs(asked.runs, choices)
    else:
        controls = load_models(DEFAULT_MODELS, choices)
        asked = ask_models(controls, choices)
        if asked.error is not None:
            raise asked.error
        show_control_runs(asked.runs, list(controls.values()), choices)


def with_dated_folder(choices: RunChoices) -> RunChoices:
    """The choices with today's date in place of `{date}` in --out."""
    from datetime import date

    from mossbench.results.suite_folders import with_date

    if choices.out is None:
        return choices
    return replace(choices, out=Path(with_date(str(choices.out), date.today())))


def forecast_models(choices: RunChoices) -> list[Forecast]:
    """What a run of each model would take; nothing is asked."""
    import mossbench
    from mossbench.runs.image_cache import ImageCache

    images = ImageCache()  # of all models: they are asked about the same images
    return [
        mossbench.forecast_run(
            model,
            choices.data_or_default,
            judge=choices.judge_or_default(),
            latency=choices.latency,
            prices=choices.prices,
            images=images,
            engine=choices.engine.name,
            **choices.run_options,
        )
        for model in choices.models or DEFAULT_MODELS
    ]


def resume_run(folder: Path, choices: RunChoices) -> Results:
    """Resumes the run in `folder`; settings that were given again must be those of the run."""
    import mossbench

    options = cast("ResumeOptions", {**choices.run_options})
    if choices.models:
        options["model"] = choices.models[0]
    if choices.data is not None:
        options["data"] = choices.data
    with progress_of(folder.resolve().name, quiet=choices.quiet) as progress, redirect_stdout(sys.stderr):
        return mossbench.resume_run(
            folder,
            judge=choices.judge.full_name(),
            no_judge=choices.no_judge,
            progress=progress,
            prices=choices.prices,
            max_cost=choices.max_cost,
            engine=choices.engine,
            **options,
        )


def load_models(names: Sequence[str], choices: RunChoices) -> dict[str, Model]:
    """The models by name. All are loaded before the first is asked: a typo in the last must not cost a run."""
    from mossbench.models import load_model
    from mossbench.models.presets import check_has_api
    from mossbench.runs.inputs import let_models_read, model_options

    data = choices.data_or_default
    for name in names:
        check_has_api(name, data)
    options = model_options(choices.run_options)
    models = {name: load_model(name, **options) for name in names}
    if len(choices.models) > 1:
        let_models_read(models.values(), data, choices.run_options.get("columns"))
    return models


@dataclass(frozen=True)
class AskedModels:
    """The runs that are finished, and what is to be raised once they are shown."""

    runs: list[Results]
    error: RunError | None = None


@contextmanager
def raising_afterwards(error: RunError | None) -> Iterator[None]:
    """Raises the error at the end of the block, also where that exits because too many rows failed."""
    try:
        yield
    except SystemExit:
        if error is None:
            raise
    if error is not None:
        raise error


def ask_models(models: dict[str, Model], choices: RunChoices) -> AskedModels:
    """Runs one model after the other.

    If rows of a run are still pending in batches, the other models are asked. Another error of a run stops here.
    """
    from mossbench.runs.image_cache import ImageCache

    names = list(models)
    folders = choose_folders(names, choices.out, choices.name)
    images = ImageCache()  # of all models: they are asked about the same images
    runs: list[Results] = []
    pending: list[RunError] = []
    for number, (name, folder) in enumerate(zip(names, folders, strict=True), start=1):
        try:
            runs.append(ask_model(name, models[name], folder, images, choices))
        except Interrupted as error:
            _note_not_run(error, names[number:])
            raise
        except RunError as error:
            if error.code is not Code.NOT_DONE:
                _note_not_run(error, names[number:])
                return AskedModels(runs, error)
            pending.append(error)
    if pending:
        messages = [on_command_line(error.message_with_notes) for error in pending]
        return AskedModels(runs, RunError("\n".join(messages), code=Code.NOT_DONE))
    return AskedModels(runs)


def _note_not_run(error: MossbenchError, names: Sequence[str]) -> None:
    if names:
        error.add_note(f"not run yet: {some(names, 5)}; run them separately with --model")


def ask_model(name: str, model: Model, folder: Path | None, images: ImageCache, choices: RunChoices) -> Results:
    """Runs one model, in `folder` or in a new folder under `runs/`."""
    import mossbench

    # What a user's own model prints is not part of the result.
    with progress_of(name, quiet=choices.quiet) as progress, redirect_stdout(sys.stderr):
        return mossbench.run(
            model,
            choices.data_or_default,
            judge=choices.judge_or_default(),
            out=folder,
            images=images,
            progress=progress,
            prices=choices.prices,
            max_cost=choices.max_cost,
            engine=choices.engine,
            **choices.run_options,
        )


def choose_folders(models: list[str], out: Path | None, name: str | None) -> list[Path | None]:
    """The folder of each model's run; None if it gets a new folder under `runs/`."""
    from mossbench.runs.running import folders_of
    from mossbench.store.keeping import check_name

    if name is None:
        return folders_of(models, out)
    if out is not None:
        raise UsageError("--name and --out cannot be used together: omit one of them")
    check_name(name)
    named_folder = Path("runs") / name
    folders: list[Path | None] = []
    for folder in folders_of(models, named_folder):
        if folder is None or folder == named_folder:
            folders.append(folder)
        else:
            folders.append(named_folder.with_name(f"{name}-{folder.name}"))
    return folders


def show_runs(runs: list[Results], choices: RunChoices) -> None:
    """Prints the results, writes the reports and exits 1 if too many rows failed."""
    with saying_what_is_complete(runs):
        show_results(runs, choices.rule, as_json=choices.as_json)
        if not choices.as_json:
            for results in runs:
                _show_cautions(results, choices.rule)
        for results in runs:
            written = results.folder if choices.no_report else write_report_of(results, choices.rule)
            note(f"wrote {written}")
    note_failures(runs)
    stop_on_too_many_failures(runs, choices.max_failed)


def show_control_runs(runs: list[Results], controls: list[Model], choices: RunChoices) -> None:
    """Like `show_runs`, for the control models: compares what was measured with how they are known to answer."""
    with saying_what_is_complete(runs):
        if choices.as_json:
            show_results(runs, choices.rule, as_json=True)
        else:
            show_first_run(runs, controls, choices.rule)
        for results in runs:
            if results.model == SHOWN_IN_FULL and not choices.no_report:
                note(f"wrote {write_report_of(results, choices.rule)}")
        note(f"wrote {len(runs)} runs in {runs[0].folder.parent}")
    note_failures(runs)
    stop_on_too_many_failures(runs, choices.max_failed)


@contextmanager
def saying_what_is_complete(runs: Sequence[Results]) -> Iterator[None]:
    """If Ctrl-C comes after the last answer, says that all answers are saved and how to show them."""
    try:
        yield
    except KeyboardInterrupt:
        folders = " ".join(quote(str(results.folder)) for results in runs)
        raise Interrupted(f"stopped. All answers are saved; show them with: mossbench results show {folders}") from None


def _show_cautions(results: Results, rule: str) -> None:
    """Shows the headline of the report and its cautions; a failure here must not end the command."""
    import mossbench

    try:
        show_cautions([mossbench.make_report(results, rule=rule)])
    except Exception as error:
        note(f"could not make the headline: {on_command_line(message_of(error))}; all else is complete")


def write_report_of(results: Results, rule: str) -> Path:
    """Writes the report of a run; a failure here must not end the command.

    Returns:
        The path of the report, or the run's folder if the report could not be written.
    """
    import mossbench

    try:
        return mossbench.write_report(results, rule=rule)
    except Exception as error:
        if not results.folder.exists():
            raise RunError(
                f"run folder {str(results.folder)!r} was deleted or moved after the last answer, so no report was "
                "written; if it was moved, write the report with: mossbench report FOLDER"
            ) from error
        command = f"mossbench report {quote(str(results.folder))}"
        reason = on_command_line(message_of(error))
        note(f"could not write the report: {reason}; all else is complete. Try again: {command}")
        return results.folder
