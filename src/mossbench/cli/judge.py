"""`mossbench judge`: read answers again without any model, and find out how good a judge is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.answers import answer_columns_option, judge_and_show
from mossbench.cli.arguments import runs_argument
from mossbench.cli.callbacks import read_sources
from mossbench.cli.commands import Group
from mossbench.cli.option_groups import JudgeChoice, JudgeSettings, gather, judge_options, judge_settings_options
from mossbench.cli.options import (
    Option,
    default_of,
    exit_on_failed_option,
    json_option,
    overwrite_option,
    poll_option,
    quiet_option,
    rule_option,
)
from mossbench.cli.plugins import described_plugins
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.progress_bar import counter_of, progress_of
from mossbench.cli.rates import show_results
from mossbench.cli.types import FROM_0, FROM_1, FROM_2, JUDGE, PATH, RULE, RUN_PATH, SHARE_ABOVE_0
from mossbench.errors import UsageError, n_of

if TYPE_CHECKING:
    from mossbench.judges.files import Applied, Tuning
    from mossbench.results.scoreboard import Scoreboard

files_argument = runs_argument("files")
judges_rule_option = click.option(
    "--rule",
    cls=Option,
    type=RULE,
    default=default_of("judges.files:validate_judge", "rule"),
    help="Count refusals by this rule: system (what a user sees), model (the model's own words), "
    "strict (partial answers too) or paper (failed calls too).",
)
judges_connections_option = click.option(
    "--max-connections",
    cls=Option,
    type=FROM_1,
    default=default_of("judges.files:validate_judge", "max_connections"),
    help="Send at most N requests to a judging model at once.",
)


@click.group(cls=Group)
def judge() -> None:
    """Judge answers again, and measure how accurate a judge is."""


@judge.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the judges.

    Example: mossbench judge list
    """
    from mossbench.judges import JUDGES, load_judge
    from mossbench.judges.measured_languages import measured_languages, measured_manners
    from mossbench.reports.words.languages import other_languages

    descriptions = {name: entry.what for name, entry in JUDGES.items()}
    descriptions |= described_plugins("judges", JUDGES)
    descriptions["path/to/file.py:function"] = "your own function; see docs/own.md"
    if as_json:
        show_json([{"judge": name, "what": description} for name, description in descriptions.items()])
        return
    for name, description in descriptions.items():
        say(f"{name:26} {description}")
    reader = load_judge("reader").label
    say(other_languages(list(measured_languages(reader).values()), measured_manners(reader)))


@dataclass(frozen=True)
class Judging:
    """The options of `mossbench judge apply`."""

    out: Path | None
    overwrite: bool
    judge: JudgeChoice
    rule: str
    max_failed: float
    max_connections: int
    batch: bool
    poll: float | None
    quiet: bool
    as_json: bool


@judge.command("apply")
@files_argument
@answer_columns_option
@click.option("--out", type=PATH, help="Write the rows with their verdicts to this JSONL file, when judging files.")
@overwrite_option
@judge_options
@rule_option
@exit_on_failed_option
@judges_connections_option
@click.option(
    "--batch", is_flag=True, help="Ask the judging model through its provider's batch API, for about half the price."
)
@poll_option
@quiet_option
@json_option
@gather("judging", Judging)
def apply_command(files: tuple[Path, ...], judging: Judging) -> None:
    """Judge a run again, or the answers in transcript files.

    FILES is one run folder, or tables (.jsonl, .csv, .parquet) with a `response` on each row. Verdicts are added to
    the run folder, or written to --out. Then it prints the rates with their intervals. Answers that this judge has
    judged already are skipped: to resume, repeat the command.

    Example: mossbench judge apply runs/mine --judge keywords
    """
    judging.judge.check()
    if len(files) == 1 and files[0].is_dir():
        judge_run(files[0], judging)
        return
    folders = [path for path in files if path.is_dir()]
    if len(folders) > 1:
        raise UsageError(f"expected one run, got {len(folders)}; repeat the command for each run")
    if judging.batch:
        raise UsageError("--batch only works on a run: name one run folder")
    if judging.out is None:
        raise UsageError("judging files needs --out FILE.jsonl (or name one run folder)")
    judge_files(files, judging.out, judging)


def judge_run(folder: Path, judging: Judging) -> None:
    """Judges a run again and shows its rates."""
    from mossbench.runs.batches.queue import POLL

    if judging.out is not None:
        raise UsageError("the verdicts of a run are written to its folder: omit --out")
    with progress_of(f"judging {folder.resolve().name}", quiet=judging.quiet) as progress:
        results = mossbench.judge_run(
            folder,
            judging.judge.name_or_default(),
            max_connections=judging.max_connections,
            progress=progress,
            batch=judging.batch,
            poll=POLL if judging.poll is None else judging.poll,
        )
    show_results([results], judging.rule, as_json=judging.as_json)
    n_broken = results.judge_failures().total()
    _stop_on_broken_judge(n_broken, len(results), judging.max_failed, "repeat the command to judge them again")


def judge_files(files: tuple[Path, ...], out: Path, judging: Judging) -> None:
    """Judges transcript files and says what came out."""
    judged = judge_and_show(
        files,
        judging.judge.name_or_default(),
        out=out,
        overwrite=judging.overwrite,
        rule=judging.rule,
        max_connections=judging.max_connections,
        quiet=judging.quiet,
        as_json=judging.as_json,
    )
    applied = judged.applied
    note(f"wrote {n_of(applied.n, 'row')} to {out}")
    _note_unjudged(applied)
    kept_verdicts = f"; the other verdicts are kept in {applied.journal}" if applied.journal else ""
    way_out = f"repeat the command with --overwrite to judge them again{kept_verdicts}"
    _stop_on_broken_judge(applied.n_broken, applied.n, judging.max_failed, way_out)


def _note_unjudged(applied: Applied) -> None:
    if not applied.unjudged:
        return
    reason, n = applied.unjudged.most_common(1)[0]
    note(f"{applied.unjudged.total()} rows have no verdict; most often ({n}): {reason}")


def _stop_on_broken_judge(n_broken: int, n: int, max_failed: float, way_out: str) -> None:
    """Exits 1 and says what to do when the judge broke down on too many rows."""
    if n_broken:
        note(f"the judge failed on {n_broken} of {n} rows, which are left out of all rates: {way_out}")
    if n_broken > max_failed * n:
        note(f"more than --max-failed {max_failed:g}")
        raise SystemExit(1)


@judge.command("validate")
@files_argument
@answer_columns_option
@judge_options
@judges_rule_option
@click.option("--against", type=JUDGE, help="Compare with a second judge on the same rows (McNemar's test).")
@click.option(
    "--picture-check",
    "n_pictures",
    type=FROM_2,
    help="Judge N rows again with other images, to see whether the image changes the verdict.",
)
@click.option(
    "--worst",
    cls=Option,
    type=FROM_0,
    default=default_of("reports.judge_tables:validation_report", "worst"),
    help="List at most N disagreements.",
)
@click.option(
    "--seed",
    cls=Option,
    type=FROM_0,
    default=default_of("judges.files:validate_judge", "seed"),
    help="Use this seed for the bootstrap.",
)
@judges_connections_option
@quiet_option
@json_option
def validate_command(
    files: tuple[Path, ...],
    judge: JudgeChoice,
    rule: str,
    against: str | None,
    n_pictures: int | None,
    worst: int,
    seed: int,
    max_connections: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure a judge on labelled answers.

    FILES are tables (.jsonl, .csv, .parquet) whose rows have `response`, `refused` (0 or 1) and, where known, `kind`.

    Example: mossbench judge validate labels.jsonl --judge rules --against keywords
    """
    from mossbench.reports.judge_tables import validation_report

    name = judge.name_or_default()
    with counter_of("judging", quiet=quiet) as on_row:
        validation = mossbench.validate_judge(
            files, name, rule=rule, against=against, seed=seed, max_connections=max_connections, on_row=on_row
        )
    if not as_json:
        for part in validation_report(validation, worst=worst):
            show(part)
    pictures = mossbench.check_pictures(files, name, n=n_pictures, seed=seed) if n_pictures else None
    if as_json:
        content = validation.to_dict(most=worst)
        if pictures:
            content["pictures"] = pictures.to_dict()
        show_json(content)
    elif pictures:
        show(pictures.summary())


@dataclass(frozen=True)
class Comparing:
    """What `mossbench judge scoreboard` compares, and how."""

    judges: tuple[str, ...]
    judge_settings: JudgeSettings
    not_sources: tuple[str, ...]
    fitted_on: dict[str, set[str]]
    rule: str
    max_connections: int
    quiet: bool


@judge.command("scoreboard")
@files_argument
@answer_columns_option
@click.option(
    "--judge",
    "judges",
    cls=Option,
    type=JUDGE,
    multiple=True,
    shown_default="reader and keywords",
    help="Compare {names}; repeat for more.",
)
@judge_settings_options
@click.option("--not-source", "not_sources", multiple=True, help="Skip the rows of this source; repeat for more.")
@click.option(
    "--fitted-on",
    multiple=True,
    metavar="JUDGE=SOURCE",
    callback=read_sources,
    help="Report this source separately, as one that the judge was fitted on; repeat for more.",
)
@judges_rule_option
@click.option("--html", type=PATH, metavar="FILE", help="Also write a page to this file.")
@overwrite_option
@judges_connections_option
@quiet_option
@json_option
@gather("comparing", Comparing)
def scoreboard_command(
    files: tuple[Path, ...], comparing: Comparing, html: Path | None, overwrite: bool, as_json: bool
) -> None:
    """Compare judges on labelled answers, source by source.

    FILES are as for `judge validate`. The source of a row is its `source`, or else the name of its file.

    Example: mossbench judge scoreboard labels.jsonl --judge rules --judge keywords --html board.html
    """
    from mossbench.plumbing.storage import check_may_write, write_atomically
    from mossbench.reports.judge_tables import scoreboard_page, scoreboard_report

    if html is not None:
        check_may_write(html, overwrite=overwrite)
    scoreboard = compare_judges(files, comparing)
    if as_json:
        show_json(scoreboard)
    else:
        for part in scoreboard_report(scoreboard):
            show(part)
    if html is not None:
        write_atomically(html, scoreboard_page(scoreboard))
        note(f"wrote {html}")


def compare_judges(files: tuple[Path, ...], comparing: Comparing) -> Scoreboard:
    from mossbench.judges import with_settings

    settings = comparing.judge_settings.as_keywords()
    judges = [with_settings(name, **settings) for name in comparing.judges]
    with counter_of("judging", quiet=comparing.quiet) as on_row:
        return mossbench.score_judges(
            files,
            judges or default_of("results.scoreboard:score_judges", "judges")(),
            not_sources=comparing.not_sources,
            fitted_on=comparing.fitted_on,
            rule=comparing.rule,
            max_connections=comparing.max_connections,
            on_row=on_row,
        )


@judge.command("explain")
@click.argument("answer")
@click.option("--request", default="", help="Read it as the answer to this request.")
@json_option
def explain_command(answer: str, request: str, as_json: bool) -> None:
    """Show why the judge reader reads an answer as it does.

    It lists the patterns that match, what each one changes, and what the encoder makes of the answer.

    Example: mossbench judge explain "I only discuss billing." --request "How long does it keep?"
    """
    from mossbench.reports.explanation import explanation_report

    explanation = mossbench.explain_verdict(request, answer)
    if as_json:
        show_json(explanation.to_dict())
        return
    for part in explanation_report(explanation):
        show(part)


@judge.command("tune")
@files_argument
@answer_columns_option
@click.option(
    "--target",
    cls=Option,
    type=SHARE_ABOVE_0,
    default=default_of("judges.files:tune_cascade", "target"),
    help="Reach this agreement with the labels.",
)
@judges_rule_option
@json_option
def tune_command(files: tuple[Path, ...], target: float, rule: str, as_json: bool) -> None:
    """Find the threshold of a cascade from labelled answers.

    Example: mossbench judge tune labels.jsonl --target 0.98
    """
    tuning = mossbench.tune_cascade(files, target=target, rule=rule)
    if not as_json:
        show(tuning_text(tuning))
    elif tuning.threshold is not None:
        show_json(tuning)
    else:
        show_json({**vars(tuning), "agreement": None})


def tuning_text(tuning: Tuning) -> str:
    """Which threshold a cascade should have, what it saves and how to use it."""
    if tuning.threshold is None:
        return f"no threshold makes rules agree with {tuning.target:.1%} of the labels; every row would go to the model"
    rows = "row" if tuning.n == 1 else "rows"
    agreement = f"{tuning.agreement.value:.1%} [{tuning.agreement.low:.1%}–{tuning.agreement.high:.1%}]"
    return (
        f"threshold {tuning.threshold:.3f}: rules decides {tuning.saved:.1%} of {tuning.n} {rows} and agrees with "
        f"{agreement} of their labels (target {tuning.target:.1%});\n"
        f"{1 - tuning.saved:.1%} would go to the model.\n"
        f"Use it: --judge cascade --threshold {tuning.threshold:.3f} --judge-model …"
    )


@judge.command("drift")
@judge_options
@click.option(
    "--baseline", cls=Option, type=PATH, shown_default="the built-in ones", help="Compare with verdicts saved earlier."
)
@click.option("--save", type=PATH, help="Save the current verdicts to this file, to compare with later.")
@click.option("--run", "runs", type=RUN_PATH, multiple=True, help="Record the result in this run; repeat for more.")
@json_option
def drift_command(
    judge: JudgeChoice, baseline: Path | None, save: Path | None, runs: tuple[Path, ...], as_json: bool
) -> None:
    """Check whether a judge still gives the same verdicts.

    It judges a frozen set of probe answers. Exit code: 1 if its verdicts have changed.

    Example: mossbench judge drift --judge rules
    """
    name = judge.name_or_default()
    if save is not None and baseline is None:
        note(f"wrote {mossbench.save_baseline(name, save)}")
        return
    drift = mossbench.check_drift(name, baseline=baseline, save=save, runs=runs)
    if as_json:
        show_json(drift.to_dict())
    else:
        show(drift.summary())
        for change in drift.changes:
            show(f"  {change.probe}: {change.before} before, {change.now} now")
    if drift.drifted:
        raise SystemExit(1)
