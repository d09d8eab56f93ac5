"""`mossbench run`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.forecasts import prices_option, show_forecasts
from mossbench.cli.judge_options import JUDGE_OPTIONS, chosen_judge, judge_options
from mossbench.cli.printing import json_option, note, show
from mossbench.cli.progress import progress_of
from mossbench.cli.published import show_short
from mossbench.cli.results import MAX_FAILED, rule_option, show_notices, show_results
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.models import Model
    from mossbench.results import Results

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
"""The one that has a report after the first run; seven would take longer than the runs."""
ARM_NAMES = "plain counterfactual text-only explicit caption blank swapped filled blurred".split()
INSTRUMENT_CHECK = "Instrument check: not comparable with rates on the published benchmark."


def _ids(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    ids = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    if values and not ids:
        raise click.BadParameter("names no id; leave it out to ask all samples")
    return ids or None


def _share(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if not 0 <= value <= 1:  # also refuses nan
        raise click.BadParameter(f"{value} is not a share from 0 to 1")
    return value


max_failed_option = click.option(
    "--max-failed",
    type=float,
    callback=_share,
    default=MAX_FAILED,
    show_default=True,
    help="Exit 1 when a larger share of rows failed, or broke the judge.",
)
ids_option = click.option("--ids", multiple=True, callback=_ids, help="Only these sample ids, separated by commas.")


def text_or_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {value[1:]!r}: {error}") from error


@click.command()
@click.option(
    "--model", "models", multiple=True, help="provider/name, a preset or file.py:function; repeat for several."
)
@click.option("--data", help="Dataset name, folder or file.  [default: sketches]")
@click.option("--side", type=click.Choice(["benign", "contrast", "both"]), help="Which side to ask.  [default: both]")
@ids_option
@click.option("--offset", type=click.IntRange(min=0), help="Skip the first N ids.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask only N ids; a sample and its twin share one.")
@click.option("--epochs", type=click.IntRange(min=1), help="Ask each sample N times.  [default: 1]")
@click.option("--arm", type=click.Choice(ARM_NAMES), help="How samples are put to the model.  [default: plain]")
@click.option("--system", callback=text_or_file, help="System prompt; @FILE reads it from a file.")
@click.option("--seed", type=int, help="Seed of the first epoch.  [default: 42]")
@click.option("--temperature", type=click.FloatRange(min=0), help="Randomness of the answers.  [default: 0]")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Longest answer.  [default: 1024]")
@click.option("--base-url", help="Endpoint instead of the provider's own, such as http://127.0.0.1:8000/v1.")
@click.option("--as-published", is_flag=True, default=None, help="Settings of the published table for this model.")
@click.option("--google-safety", metavar="LEVEL", help="Threshold of Google's filters, such as BLOCK_ONLY_HIGH.")
@click.option(
    "--batch-size",
    type=click.IntRange(min=1),
    help="local/…: questions answered together.  [default: 32 on a GPU, 4 on a CPU]",
)
@click.option("--trust-remote-code", is_flag=True, default=None, help="local/…: run code that a checkpoint brings.")
@judge_options
@click.option("--no-judge", is_flag=True, help="Only ask; judge later with `mossbench judge apply`.")
@rule_option
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a new one in runs/]")
@click.option("--resume", type=click.Path(path_type=Path), metavar="RUN", help="Go on with the run in this folder.")
@click.option("--max-connections", type=click.IntRange(min=1), help="Most questions in flight at once.  [default: 16]")
@click.option("--start-connections", type=click.IntRange(min=1), help="How many to start with.  [default: 4]")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds for one try.  [default: 120]")
@click.option("--retries", type=click.IntRange(min=0), help="Further tries of what may go through later.  [default: 6]")
@max_failed_option
@prices_option
@click.option("--dry-run", is_flag=True, help="Only say what it would take: requests, tokens, cost, time.")
@click.option(
    "--latency", type=click.FloatRange(min=0, min_open=True), help="--dry-run: seconds for one answer.  [default: 5]"
)
@click.option("--no-report", is_flag=True, help="Write no report.html into the run's folder.")
@click.option("--quiet", is_flag=True, help="No progress.")
@json_option
def run(
    models: tuple[str, ...],
    resume: Path | None,
    out: Path | None,
    no_judge: bool,
    rule: str,
    max_failed: float,
    dry_run: bool,
    latency: float | None,
    no_report: bool,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Ask a model every sample, judge its answers and show refusal rates.

    Without --model it runs the control models on the bundled sketches: no key, no network.
    """
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.runs.pictures import ImageCache

    judge = chosen_judge(**{name: options.pop(name) for name in JUDGE_OPTIONS})
    given = {name: value for name, value in options.items() if value is not None}
    given["images"] = ImageCache()  # models are asked one after another, about the same images
    if judge and no_judge:
        raise UsageError("--judge and --no-judge contradict each other; give one of them")
    if latency is not None and not dry_run:
        raise UsageError("--latency goes with --dry-run; a run takes the time it takes")
    if dry_run:
        if resume is not None:
            raise UsageError("--dry-run forecasts a new run; leave out --resume")
        given |= {"latency": latency} if latency else {}
        show_forecasts([mossbench.forecast_run(model, **given) for model in models or DEFAULT_MODELS], as_json=as_json)
        return
    if resume is not None:
        if out is not None or len(models) > 1:
            raise UsageError(
                "--resume takes the folder and the model from the run: leave out --out and further --model"
            )
        given |= {"model": models[0]} if models else {}
        with progress_of(resume.name, quiet=quiet) as progress, redirect_stdout(sys.stderr):
            runs = [mossbench.resume_run(resume, judge=judge, no_judge=no_judge, progress=progress, **given)]
    else:
        if out is not None and len(models) != 1:
            raise UsageError("--out is the folder of one run: give exactly one --model with it")
        reader = None if no_judge else judge or DEFAULT_JUDGE
        asked = _loaded(models or DEFAULT_MODELS, given)
        runs = [_run(name, model, reader, out, quiet, given) for name, model in asked.items()]
    first_run = not models and resume is None
    if first_run and not as_json:
        _show_controls(runs, list(asked.values()), rule)
        show_short()
    else:
        show_results(runs, rule, as_json=as_json)
    for results in runs:
        with_report = not no_report and (not first_run or results.model == SHOWN_IN_FULL)
        note(f"wrote {_report(results, rule) if with_report else results.folder}")
    _exit_on_failures(runs, max_failed)


def _loaded(models: tuple[str, ...], given: dict[str, Any]) -> dict[str, Model]:
    """The models by their names, all of them before the first is asked: a typo in the last must not cost a run."""
    from mossbench.models import load_model
    from mossbench.runs.running import model_options

    return {name: load_model(name, **model_options(given)) for name in models}


def _run(name: str, model: Model, judge: str | None, out: Path | None, quiet: bool, given: dict[str, Any]) -> Results:
    import mossbench

    # What a user's own model prints is not part of the result.
    with progress_of(name, quiet=quiet) as progress, redirect_stdout(sys.stderr):
        return mossbench.run(model, judge=judge, out=out, progress=progress, **given)


def _show_controls(runs: list[Results], models: list[Model], rule: str) -> None:
    """What was planted in the control models against what was measured."""
    from mossbench.reports.planted import planted_lines, planted_table
    from mossbench.reports.tables import layers_line, provenance

    show_notices(runs)
    show(INSTRUMENT_CHECK)
    show(planted_table(runs, rule))
    if runs[0].judge:
        show(planted_lines(runs, models, rule))
    layers = {layers_line(results).partition(": ")[2] for results in runs}
    for text in [f"each model: {layers.pop()}"] if len(layers) == 1 else map(layers_line, runs):
        show(text)
    for text in dict.fromkeys(provenance(results, rule) for results in runs):
        show(text)


def _report(results: Results, rule: str) -> Path:
    """The report that was written, or else the run's folder: a report that fails must not cost the run."""
    import mossbench

    try:
        return mossbench.write_report(results, rule=rule)
    except Exception as error:
        note(f"no report was written: {error}; everything else is there. Try: mossbench report {results.folder}")
        return results.folder


def _exit_on_failures(runs: list[Results], max_failed: float) -> None:
    """Says what failed and exits 1 when it is too much of a run."""
    for results in runs:
        for what, found in (
            ("rows failed", results.failures()),
            ("answers broke the judge", results.judge_failures()),
        ):
            if found:
                reason, n = found.most_common(1)[0]
                note(f"{found.total()} of {len(results)} {what} and count in no rate; most often ({n}): {reason}")
    exit_on_too_many(runs, max_failed)


def exit_on_too_many(runs: Sequence[Results], max_failed: float, again: str | None = None) -> None:
    """Exits 1 and says what to do when too much of a run failed; `again` is the command that asks once more."""
    exceeded = False
    for results in runs:
        failures = results.failures()
        if text := results.unfinished():
            exceeded = True
            note(f"not finished: {text}")
        if failures.total() + results.judge_failures().total() > max_failed * len(results):
            exceeded = True
            command = again or f"mossbench run --resume {results.folder}"
            way_out = f"try again: {command}"
            if results.model.startswith("replay/"):
                way_out = "mend the transcript and run it anew"
            elif results.failed_stages() == {"picture"}:
                way_out = f"mend the pictures, then: {command}"
            note(f"that is more than --max-failed {max_failed:g}; {way_out}")
    if exceeded:
        raise SystemExit(1)
