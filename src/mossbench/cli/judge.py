"""`mossbench judge`: read answers again without any model, and find out how good a judge is."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.options import JUDGE_OPTIONS, given, options, runs_argument
from mossbench.cli.printing import note, said, say, show, show_json
from mossbench.cli.progress import counter_of, progress_of
from mossbench.cli.results import show_results
from mossbench.errors import UsageError, n_of

files_argument = runs_argument("files")


def judge_settings(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("judge_"): chosen.pop(name) for name in JUDGE_OPTIONS if name != "judge"}


def chosen_judge(chosen: dict[str, Any]) -> str | None:
    """The judge's name with its settings in it, taken out of the options; None when none was named."""
    from mossbench.judges import judge_spec

    judge, settings = chosen.pop("judge"), judge_settings(chosen)
    if judge is None:
        if any(value is not None for value in settings.values()):
            raise UsageError("--judge-model, --judge-base-url and --threshold go with --judge rubric/… or cascade")
        return None
    return judge_spec(judge, **settings)


@click.group(cls=Group)
def judge() -> None: ...


@judge.command("list")
@options("json")
def list_command(as_json: bool) -> None:
    from mossbench.judges import JUDGES

    rows = {name: one.what for name, one in JUDGES.items()}
    rows["path/to/file.py:function"] = "your own function; see docs/own.md"
    if as_json:
        show_json([{"judge": name, "what": what} for name, what in rows.items()])
    else:
        for name, what in rows.items():
            say(f"{name:26} {what}")


@judge.command("apply")
@files_argument
@options("judge.out", "overwrite", *JUDGE_OPTIONS, "rule", "run.max_failed", "judge.max_connections")
@options("judge.batch", "poll", "quiet", "json")
def apply_command(
    files: tuple[Path, ...], out: Path | None, rule: str, max_failed: float, quiet: bool, as_json: bool, **how: Any
) -> None:
    from mossbench.judges import DEFAULT_JUDGE

    judge, overwrite = chosen_judge(how) or DEFAULT_JUDGE, how.pop("overwrite")
    if len(files) == 1 and files[0].is_dir():
        if out is not None:
            raise UsageError("the verdicts of a run go into its folder: leave out --out")
        with progress_of(f"judging {files[0].name}", quiet=quiet) as progress:
            results = mossbench.judge_run(files[0], judge, progress=progress, **given(how))
        show_results([results], rule, as_json=as_json)
        _exit_on_broken(results.judge_failures().total(), len(results), max_failed, "the same command tries them again")
        return
    folders = [path for path in files if path.is_dir()]
    if len(folders) > 1:
        raise UsageError(f"this command takes one run, and {len(folders)} are given; repeat it for each of them")
    if how["batch"]:
        raise UsageError("--batch is for the answers of a run: give the folder of one run")
    if out is None:
        raise UsageError("judging files needs --out FILE.jsonl (or give the folder of one run)")
    with counter_of("judging", quiet=quiet) as on_row:
        at_once = how["max_connections"]
        applied = mossbench.apply_judge(
            files, judge, out=out, overwrite=overwrite, max_connections=at_once, on_row=on_row
        )
    if as_json:
        layers = {str(layer): n for layer, n in applied.layers.items()}
        show_json({"out": str(out), "n": applied.n, "layers": layers, "unjudged": dict(applied.unjudged)})
    note(f"wrote {n_of(applied.n, 'row')} to {out}")
    if applied.unjudged:
        reason, n = applied.unjudged.most_common(1)[0]
        note(f"{applied.unjudged.total()} rows have no verdict; most often ({n}): {reason}")
    kept = f"; the other verdicts are kept in {applied.journal}" if applied.journal else ""
    _exit_on_broken(applied.n_broken, applied.n, max_failed, f"the same with --overwrite tries them again{kept}")


def _exit_on_broken(n_broken: int, n: int, max_failed: float, way_out: str) -> None:
    """Exits 1 and says what to do when the judge broke down on too many rows."""
    if n_broken:
        note(f"{n_broken} of {n} rows broke the judge and count in no rate: {way_out}")
    if n_broken > max_failed * n:
        note(f"that is more than --max-failed {max_failed:g}")
        raise SystemExit(1)


@judge.command("validate")
@files_argument
@options(*JUDGE_OPTIONS, "judge.rule", "against", "picture_check", "worst", "judge.seed", "judge.max_connections")
@options("quiet", "json")
def validate_command(
    files: tuple[Path, ...], n_pictures: int | None, worst: int, quiet: bool, as_json: bool, **how: Any
) -> None:
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.reports.judge_tables import validation_report

    judge = chosen_judge(how) or DEFAULT_JUDGE
    with counter_of("judging", quiet=quiet) as on_row:
        found = mossbench.validate_judge(files, judge, on_row=on_row, **how)
    if not as_json:
        for part in validation_report(found, worst=worst):
            show(part)
    pictures = mossbench.check_pictures(files, judge, n=n_pictures, seed=how["seed"]) if n_pictures else None
    if as_json:
        show_json({**found.to_dict(most=worst), **({"pictures": pictures.to_dict()} if pictures else {})})
    elif pictures:
        show(pictures.summary())


@judge.command("scoreboard")
@files_argument
@options("scoreboard.judge", "judge_model", "judge_base_url", "threshold", "not_source", "fitted_on", "judge.rule")
@options("html", "overwrite", "judge.max_connections", "quiet", "json")
def scoreboard_command(
    files: tuple[Path, ...], judges: tuple[str, ...], html: Path | None, quiet: bool, as_json: bool, **how: Any
) -> None:
    from mossbench.judges import with_settings
    from mossbench.plumbing.storage import check_free, write_atomically
    from mossbench.reports.judge_tables import scoreboard_page, scoreboard_report

    overwrite = how.pop("overwrite")
    if html is not None:
        check_free(html, overwrite=overwrite)
    settings = judge_settings(how)
    if judges:
        how["judges"] = [with_settings(judge, **settings) for judge in judges]
    with counter_of("judging", quiet=quiet) as on_row:
        board = mossbench.score_judges(files, on_row=on_row, **how)
    if as_json:
        show_json(board)
    else:
        for part in scoreboard_report(board):
            show(part)
    if html is not None:
        write_atomically(html, scoreboard_page(board))
        note(f"wrote {html}")


@judge.command("tune")
@files_argument
@options("target", "judge.rule", "json")
def tune_command(files: tuple[Path, ...], as_json: bool, **how: Any) -> None:
    found = mossbench.tune_cascade(files, **how)
    if as_json:
        return show_json(found if found.threshold is not None else {**vars(found), "agreement": None})
    show(said(__file__, "tuned", t=found))


@judge.command("drift")
@options(*JUDGE_OPTIONS, "drift.baseline", "save", "drift.run", "json")
def drift_command(
    baseline: Path | None, save: Path | None, runs: tuple[Path, ...], as_json: bool, **reading: Any
) -> None:
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(reading) or DEFAULT_JUDGE
    if save is not None and baseline is None:
        note(f"wrote {mossbench.save_baseline(judge, save)}")
        return
    drift = mossbench.check_drift(judge, baseline=baseline, save=save, runs=runs)
    if as_json:
        show_json(drift.to_dict())
    else:
        show(drift.summary())
        for change in drift.changes:
            show(f"  {change.probe}: {change.before} before, {change.now} now")
    if drift.drifted:
        raise SystemExit(1)
