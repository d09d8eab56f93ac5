"""`mossbench run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.printing import json_option, note
from mossbench.cli.progress import progress_of
from mossbench.cli.results import rule_option, show_results
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.results import Results

DEFAULT_MODELS = ("control/candid", "control/stonewall")
INSTRUMENT_CHECK = (
    "Instrument check on control models: candid answers everything, stonewall\n"
    "refuses everything. Not comparable with rates on the published benchmark."
)


def _ids(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    ids = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    return ids or None


def _text_or_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {value[1:]!r}: {error}") from error


@click.command()
@click.option("--model", "models", multiple=True, help="provider/name or file.py:function; repeat for several runs.")
@click.option("--data", help="Dataset name, folder or file.  [default: sketches]")
@click.option("--side", type=click.Choice(["benign", "contrast", "both"]), help="Which side to ask.  [default: both]")
@click.option("--ids", multiple=True, callback=_ids, help="Only these sample ids, separated by commas.")
@click.option("--offset", type=click.IntRange(min=0), help="Skip the first N ids.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask only N ids; a sample and its twin share one.")
@click.option("--epochs", type=click.IntRange(min=1), help="Ask each sample N times.  [default: 1]")
@click.option("--system", callback=_text_or_file, help="System prompt; @FILE reads it from a file.")
@click.option("--seed", type=int, help="Seed of the first epoch.  [default: 42]")
@click.option("--temperature", type=click.FloatRange(min=0), help="Randomness of the answers.  [default: 0]")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Longest answer.  [default: 1024]")
@click.option("--base-url", help="Endpoint for openai/<model>, such as http://127.0.0.1:8000/v1.")
@click.option("--judge", help="Judge name or file.py:function.  [default: keywords]")
@click.option("--no-judge", is_flag=True, help="Only ask; judge later with `mossbench judge apply`.")
@rule_option
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a new one in runs/]")
@click.option("--resume", type=click.Path(path_type=Path), metavar="RUN", help="Go on with the run in this folder.")
@click.option("--max-connections", type=click.IntRange(min=1), help="Questions in flight at once.  [default: 8]")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds for one answer.  [default: 120]")
@click.option(
    "--max-failed", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Exit 1 above this share."
)
@click.option("--quiet", is_flag=True, help="No progress.")
@json_option
def run(
    models: tuple[str, ...],
    resume: Path | None,
    out: Path | None,
    judge: str | None,
    no_judge: bool,
    rule: str,
    max_failed: float,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Ask a model every sample, judge its answers and show refusal rates.

    Without --model it runs the control models on the bundled sketches: no key, no network.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if judge and no_judge:
        raise UsageError("--judge and --no-judge contradict each other; give one of them")
    if resume is not None:
        if out is not None or len(models) > 1:
            raise UsageError(
                "--resume names the run's folder and its model is known: leave out --out and further --model"
            )
        runs = [_resume(resume, judge, no_judge, quiet, {**given, **({"model": models[0]} if models else {})})]
    else:
        if out is not None and len(models) != 1:
            raise UsageError("--out is the folder of one run: give exactly one --model with it")
        chosen = models or DEFAULT_MODELS
        runs = [_run(model, out, None if no_judge else judge or "", quiet, given) for model in chosen]
    heading = INSTRUMENT_CHECK if not models and resume is None else ""
    show_results(runs, rule, as_json=as_json, heading=heading)
    for results in runs:
        note(f"wrote {results.folder}")
    _exit_on_failures(runs, max_failed)


def _run(model: str, out: Path | None, judge: str | None, quiet: bool, given: dict[str, Any]) -> Results:
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE

    data = given.get("data", "sketches")
    options = {name: value for name, value in given.items() if name != "data"}
    with progress_of(model, quiet=quiet) as progress:
        return mossbench.run(
            model, data, judge=DEFAULT_JUDGE if judge == "" else judge, out=out, progress=progress, **options
        )


def _resume(folder: Path, judge: str | None, no_judge: bool, quiet: bool, given: dict[str, Any]) -> Results:
    import mossbench

    with progress_of(folder.name, quiet=quiet) as progress:
        return mossbench.resume_run(folder, judge=judge, no_judge=no_judge, progress=progress, **given)


def _exit_on_failures(runs: list[Results], max_failed: float) -> None:
    from mossbench.outcomes import Layer

    exceeded = False
    for results in runs:
        n_failed = results.layers()[Layer.FAILED]
        if n_failed:
            reason, n = results.failures().most_common(1)[0]
            note(f"{n_failed} of {len(results)} rows failed and count in no rate; most often ({n}): {reason}")
        if n_failed > max_failed * len(results):
            exceeded = True
            way_out = f"ask them again with: mossbench run --resume {results.folder}"
            note(f"that is more than --max-failed {max_failed:g}; {way_out}")
    if exceeded:
        raise SystemExit(1)
