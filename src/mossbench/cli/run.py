"""`mossbench run`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from shutil import which
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.commands import Command
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import ENGINE_OPTIONS, JUDGE_OPTIONS, PATH, given, options, was_given
from mossbench.cli.printing import note, said, say, show, show_json
from mossbench.cli.progress import progress_of
from mossbench.cli.published import show_short
from mossbench.cli.results import show_cautions, show_notices, show_results
from mossbench.cli.suites import run_suite_file
from mossbench.errors import Code, Interrupted, RunError, UsageError, install_command, message_of, some
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.models import Model
    from mossbench.results.table import Results
    from mossbench.runs.forecast import Forecast

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
INSTRUMENT_CHECK = "Instrument check: not comparable with rates on the published benchmark."


@click.command(cls=Command)
@click.argument("suite", required=False, type=PATH)
@options("run.model", "data", "map", "side", "ids", "offset", "limit", "shard", "epochs", "arm", "system", "seed")
@options("temperature", "max_tokens", "base_url", "as_published", "google_safety", "batch_size", "trust_remote_code")
@options("model_name")
@options(*JUDGE_OPTIONS, "no_judge", "rule", "run.out", "name", "resume", "max_connections", "start_connections")
@options("timeout", "retries", *ENGINE_OPTIONS)
@options("run.max_failed", "prices", "max_cost", "dry_run", "latency", "no_report", "junit", "summary", "quiet", "json")
def run(
    suite: Path | None,
    models: tuple[str, ...],
    resume: Path | None,
    out: Path | None,
    name: str | None,
    no_judge: bool,
    rule: str,
    max_failed: float,
    dry_run: bool,
    latency: float | None,
    no_report: bool,
    junit: Path | None,
    summary: Path | None,
    quiet: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.models import load_model
    from mossbench.models.presets import check_has_api
    from mossbench.runs.engines import EngineOptions
    from mossbench.runs.image_cache import ImageCache
    from mossbench.runs.inputs import let_models_read, model_options
    from mossbench.store.config import RunConfig

    judge = chosen_judge(chosen)
    how_asked = {option: chosen.pop(option) for option in ENGINE_OPTIONS}
    engine = EngineOptions(**given({"name": how_asked.pop("engine"), **how_asked}))
    asking = given(chosen)
    if suite is not None:
        if resume is not None or name is not None or no_judge or latency is not None or "max_cost" in asking:
            raise UsageError(
                "a suite finds its runs by itself and judges them: leave out --resume, --name, --no-judge, --latency "
                "and --max-cost"
            )
        if "model_name" in asking:
            raise UsageError(
                "--model-name names one recorded model; in a suite write model_name = … in the table of that model"
            )
        over = asking | given({"models": models or None, "out": out, "judge": judge})
        over |= {name: value for name, value in (("rule", rule), ("max_failed", max_failed)) if was_given(name)}
        how: Any = {"dry_run": dry_run, "no_report": no_report, "quiet": quiet, "as_json": as_json, "engine": engine}
        run_suite_file(suite, **how, junit=junit, summary=summary, overrides=over)
        return
    if junit is not None or summary is not None:
        raise UsageError("--junit and --summary are for suites and mossbench gate; name a suite file")
    images = ImageCache()  # models are asked one after another, about the same images
    if judge and no_judge:
        raise UsageError("--judge and --no-judge contradict each other; give one of them")
    if latency is not None and not dry_run:
        raise UsageError("--latency goes with --dry-run; leave out --latency, or add --dry-run")
    if "model_name" in asking and resume is None and len(models) != 1:
        raise UsageError("--model-name names one recorded model: give one --model replay/FILE with it")
    if dry_run:
        if resume is not None:
            raise UsageError("--dry-run forecasts a new run; leave out --resume")
        asking.pop("max_cost", None)
        asking |= {"engine": engine.name, "latency": latency, "judge": None if no_judge else judge or DEFAULT_JUDGE}
        show_forecasts(
            [mossbench.forecast_run(model, images=images, **asking) for model in models or DEFAULT_MODELS],
            as_json=as_json,
        )
        return
    asking["engine"] = engine
    if resume is not None:
        if out is not None or name is not None or len(models) > 1:
            raise UsageError(
                "--resume takes the folder and the model from the run: leave out --out, --name and further --model"
            )
        asking |= {"model": models[0]} if models else {}
        with progress_of(resume.name, quiet=quiet) as progress, redirect_stdout(sys.stderr):
            runs = [mossbench.resume_run(resume, judge=judge, no_judge=no_judge, progress=progress, **asking)]
    else:
        reader = None if no_judge else judge or DEFAULT_JUDGE
        the_data = asking.get("data", RunConfig.model_fields["data"].default)
        for model_asked in models:
            check_has_api(model_asked, str(the_data))
        # All of them before the first is asked: a typo in the last must not cost a run.
        asked = {name: load_model(name, **model_options(asking)) for name in models or DEFAULT_MODELS}
        if len(models) > 1:
            let_models_read(asked.values(), the_data, asking.get("columns"))
        folders = _folders(list(asked), out, name)
        runs, not_done = [], []
        for number, ((model_name, model), folder) in enumerate(zip(asked.items(), folders, strict=True), start=1):
            try:  # what a user's own model prints is not part of the result
                with progress_of(model_name, quiet=quiet) as progress, redirect_stdout(sys.stderr):
                    runs.append(
                        mossbench.run(model, judge=reader, out=folder, images=images, progress=progress, **asking)
                    )
            except Interrupted as error:
                if others := list(asked)[number:]:
                    error.add_note(f"not asked yet: {some(others, 5)}; run them by themselves with --model")
                raise
            except RunError as error:  # what the other models are asked goes out all the same
                if error.code is not Code.NOT_DONE:
                    raise
                not_done.append(error)
        if not_done:
            raise RunError("\n".join(on_command_line(one.message_with_notes) for one in not_done))
    with saying_what_is_complete(runs):
        _show_runs(runs, list(asked.values()) if not models and resume is None else [], rule, no_report, as_json)
    _exit_on_failures(runs, max_failed)


@contextmanager
def saying_what_is_complete(runs: Sequence[Results]) -> Iterator[None]:
    """What is said where Ctrl-C comes after the last answer: the runs are there, and how to see them."""
    try:
        yield
    except KeyboardInterrupt:
        folders = " ".join(quote(str(results.folder)) for results in runs)
        raise Interrupted(f"stopped. All answers are saved; show them with: mossbench results show {folders}") from None


def _show_runs(runs: list[Results], controls: list[Model], rule: str, no_report: bool, as_json: bool) -> None:
    """Prints the results and writes the reports; `controls` are the models of the first run, where it is that."""
    first_run = bool(controls)
    if first_run and not as_json:
        _show_controls(runs, controls, rule)
        show_short()
    else:
        show_results(runs, rule, as_json=as_json)
    for results in [] if as_json or first_run else runs:
        _show_cautions(results, rule)
    for results in runs:
        with_report = not no_report and (not first_run or results.model == SHOWN_IN_FULL)
        written = write_report_of(results, rule) if with_report else results.folder
        if with_report or not first_run:
            note(f"wrote {written}")
    if first_run:
        note(f"wrote {len(runs)} runs in {runs[0].folder.parent}")


def show_forecasts(forecasts: list[Forecast], *, as_json: bool) -> None:
    """Each forecast as a few lines; what was assumed stands beside what follows from it."""
    from mossbench.store.prices import ANSWER_TOKENS

    for text in sorted({notice for forecast in forecasts for notice in forecast.notices}):
        note(f"note: {text}")
    if as_json:
        return show_json([forecast.to_dict() for forecast in forecasts])
    for forecast in forecasts:
        say(said(__file__, "forecast", f=forecast, answer_tokens=ANSWER_TOKENS))
    say("Nothing was sent. Retries, and a judge's second question where its reply has no verdict, are not counted.")


def _folders(models: list[str], out: Path | None, name: str | None) -> list[Path | None]:
    """Where each model's run goes."""
    from mossbench.runs.running import folders_of
    from mossbench.store.keeping import check_name

    if name is None:
        return folders_of(models, out)
    if out is not None:
        raise UsageError("--name and --out both say where the run goes; give one of them")
    check_name(name)
    plain = Path("runs") / name
    return [
        plain.with_name(f"{name}-{one.name}") if one != plain else plain for one in folders_of(models, plain) if one
    ]


def _show_controls(runs: list[Results], models: list[Model], rule: str) -> None:
    """In five lines what was measured, whether it worked, and how to go on; then what was planted against measured."""
    from mossbench.reports.planted import planted_lines, planted_table, verdict_line
    from mossbench.reports.tables import layers_line, layers_words, provenance
    from mossbench.samples import Side

    n = {side: sum(row.key.side is side for row in runs[0].rows) for side in Side}
    those = "twins" if any(row.sample.twin is not None for row in runs[0].rows) else "requests"
    asked = f"{n[Side.BENIGN]} harmless requests and {n[Side.CONTRAST]} harmful {those}"
    show(f"Asked {len(runs)} control models {asked} each.")
    show(verdict_line(runs, rule))
    show(INSTRUMENT_CHECK)
    missing = "" if find_spec("openai") else install_command("openai")
    say(f"Next, your own model: {missing or 'one that speaks the OpenAI API'}")  # commands are never folded
    say(f"{own_command()} run --model openai/NAME --base-url http://HOST/v1 --limit 20\n")
    show_notices(runs)
    show(planted_table(runs, rule))
    if runs[0].judge:
        show(planted_lines(runs, models, rule))
    layers = {layers_words(results) for results in runs}
    if len(layers) == 1:
        show(f"each model: {layers.pop()}")
    else:
        for results in runs:
            show(layers_line(results))
    for text in dict.fromkeys(provenance(results, rule) for results in runs):
        show(text)


def own_command() -> str:
    """The command as it can be typed here: by its name where the path has it, else by where it is installed."""
    here = which("mossbench", path=str(Path(sys.executable).parent))
    if which("mossbench") or not here:
        return "mossbench"
    return str(Path(here).relative_to(Path.cwd())) if Path(here).is_relative_to(Path.cwd()) else here


def _show_cautions(results: Results, rule: str) -> None:
    """The headline and what weakens it, as the report has them; like the report, they must not cost the run."""
    import mossbench

    try:
        show_cautions([mossbench.make_report(results, rule=rule)])
    except Exception as error:
        note(f"no headline was made: {on_command_line(message_of(error))}; everything else is there")


def write_report_of(results: Results, rule: str) -> Path:
    """The report that was written, or else the run's folder: a report that fails must not cost the run."""
    import mossbench

    try:
        return mossbench.write_report(results, rule=rule)
    except Exception as error:
        if not results.folder.exists():
            raise RunError(
                f"run folder {str(results.folder)!r} was deleted or moved after the last answer, so no report was "
                f"written; if it was moved, write it there with: mossbench report FOLDER"
            ) from error
        again = f"mossbench report {quote(str(results.folder))}"
        note(f"no report was written: {on_command_line(message_of(error))}; everything else is there. Try: {again}")
        return results.folder


def _exit_on_failures(runs: list[Results], max_failed: float) -> None:
    """Says what failed and exits 1 when it is too much of a run."""
    from mossbench.results.failing import failure_texts

    for results in runs:
        for text in failure_texts(results):
            note(text)
    exit_on_too_many(runs, max_failed)


def exit_on_too_many(runs: Sequence[Results], max_failed: float, again: str | None = None) -> None:
    """Exits 1 and says what to do when too much of a run failed; `again` is the command that asks once more."""
    from mossbench.results.rows import errors_of

    exceeded = False
    for results in runs:
        failures = results.failures()
        if text := results.unfinished():
            exceeded = True
            note(f"not finished: {on_command_line(text)}")
        if failures.total() + results.judge_failures().total() > max_failed * len(results):
            exceeded = True
            command = again or f"mossbench run --resume {quote(str(results.folder))}"
            way_out = f"try again: {command}"
            if results.info.recorded_file:
                way_out = "fix the transcript and run it again"
            elif failures and all(error.stage == "picture" for error in errors_of(results.rows)):
                way_out = f"fix the images, then: {command}"
            note(f"that is more than --max-failed {max_failed:g}; {way_out}")
    if exceeded:
        raise SystemExit(1)
