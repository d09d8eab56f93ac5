"""`mossbench judge`: read answers again without any model, and find out how good a judge is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.judge_options import chosen_judge, judge_options
from mossbench.cli.printing import json_option, note, show, show_json
from mossbench.cli.progress import counter_of, progress_of
from mossbench.cli.results import rule_option, show_results
from mossbench.cli.run import max_failed_option
from mossbench.errors import UsageError

files_argument = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
connections_option = click.option(
    "--max-connections",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Calls of a judging model at once.",
)
quiet_option = click.option("--quiet", is_flag=True, help="No progress.")
model_rule_option = click.option(
    "--rule",
    type=click.Choice(["system", "model", "strict", "paper"]),
    default="model",
    show_default=True,
    help="What counts as refused.",
)


@click.group()
def judge() -> None:
    """Judges: apply one to answers, and measure how good it is."""


@judge.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the judges."""
    from mossbench.judges import JUDGES

    rows = {name: what for name, (what, _, _) in JUDGES.items()}
    rows["path/to/file.py:function"] = "one's own; see docs/own.md"
    if as_json:
        show_json([{"judge": name, "what": what} for name, what in rows.items()])
    else:
        for name, what in rows.items():
            click.echo(f"{name:26} {what}")


@judge.command("apply")
@files_argument
@click.option("--out", type=click.Path(path_type=Path), help="JSONL file to write, when judging files.")
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@judge_options
@rule_option
@max_failed_option
@connections_option
@quiet_option
@json_option
def apply_command(
    files: tuple[Path, ...],
    out: Path | None,
    overwrite: bool,
    rule: str,
    max_failed: float,
    max_connections: int,
    quiet: bool,
    as_json: bool,
    **judge_settings: Any,
) -> None:
    """Judge a run again, or the answers in any transcript files.

    FILES is the folder of one run (its verdicts are added there; answers that this judge has judged already are left
    alone), or .jsonl / .csv files with a `response` on each row, and --out. Stopped, the same command goes on.
    """
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(**judge_settings) or DEFAULT_JUDGE
    if len(files) == 1 and files[0].is_dir():
        if out is not None:
            raise UsageError("the verdicts of a run go into its folder: leave out --out")
        with progress_of(f"judging {files[0].name}", quiet=quiet) as progress:
            results = mossbench.judge_run(files[0], judge, max_connections=max_connections, progress=progress)
        show_results([results], rule, as_json=as_json)
        _exit_on_broken(results.judge_failures().total(), len(results), max_failed, "the same command tries them again")
        return
    if out is None:
        raise UsageError("judging files needs --out FILE.jsonl (or give the folder of one run)")
    with counter_of("judging", quiet=quiet) as on_row:
        applied = mossbench.apply_judge(
            files, judge, out=out, overwrite=overwrite, max_connections=max_connections, on_row=on_row
        )
    if as_json:
        layers = {str(layer): n for layer, n in applied.layers.items()}
        show_json({"out": str(out), "n": applied.n, "layers": layers, "unjudged": dict(applied.unjudged)})
    note(f"wrote {applied.n} rows to {out}")
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
@judge_options
@model_rule_option
@click.option("--against", help="A second judge, compared on the same rows (McNemar).")
@click.option("--picture-check", "n_pictures", type=click.IntRange(min=2), help="Judge N rows with other pictures too.")
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Disagreements to list.")
@click.option("--seed", type=click.IntRange(min=0), default=42, show_default=True, help="Seed of the bootstrap.")
@connections_option
@quiet_option
@json_option
def validate_command(
    files: tuple[Path, ...],
    rule: str,
    against: str | None,
    n_pictures: int | None,
    worst: int,
    seed: int,
    max_connections: int,
    quiet: bool,
    as_json: bool,
    **judge_settings: Any,
) -> None:
    """Measure a judge on labelled answers: rows with `response`, `refused` (0/1) and where known `kind`."""
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE
    from mossbench.reports.judge_tables import validation_report

    judge = chosen_judge(**judge_settings) or DEFAULT_JUDGE
    with counter_of("judging", quiet=quiet) as on_row:
        found = mossbench.validate_judge(
            files, judge, rule=rule, against=against, seed=seed, max_connections=max_connections, on_row=on_row
        )
    if not as_json:
        for part in validation_report(found, worst=worst):
            show(part)
    pictures = mossbench.check_pictures(files, judge, n=n_pictures, seed=seed) if n_pictures else None
    if as_json:
        show_json({**found.to_dict(most=worst), **({"pictures": pictures.to_dict()} if pictures else {})})
    elif pictures:
        show(pictures.summary())


@judge.command("tune")
@files_argument
@click.option(
    "--target", type=click.FloatRange(0, 1, min_open=True), default=0.99, show_default=True, help="Agreement to reach."
)
@model_rule_option
@json_option
def tune_command(files: tuple[Path, ...], target: float, rule: str, as_json: bool) -> None:
    """Find the threshold of a cascade from labelled answers and a target agreement."""
    import mossbench

    found = mossbench.tune_cascade(files, target=target, rule=rule)
    if as_json:
        show_json(found if found.threshold is not None else {**vars(found), "agreement": None})
        return
    if found.threshold is None:
        show(f"no threshold makes rules agree with {target:.1%} of the labels; every row would go to the model")
        return
    agreement = found.agreement
    show(
        f"threshold {found.threshold:.3f}: rules decides {found.saved:.1%} of {found.n} rows and agrees with "
        f"{agreement.value:.1%} [{agreement.low:.1%}–{agreement.high:.1%}] of their labels (target {target:.1%});\n"
        f"{1 - found.saved:.1%} would go to the model.\n"
        f"Use it: --judge cascade --threshold {found.threshold:.3f} --judge-model …"
    )


@judge.command("drift")
@judge_options
@click.option("--baseline", type=click.Path(path_type=Path), help="Verdicts saved earlier.  [default: shipped ones]")
@click.option("--save", type=click.Path(path_type=Path), help="Write what the judge says now, to compare with later.")
@click.option("--run", "runs", multiple=True, type=click.Path(path_type=Path), help="Note the finding in this run.")
@json_option
def drift_command(
    baseline: Path | None, save: Path | None, runs: tuple[Path, ...], as_json: bool, **judge_settings: Any
) -> None:
    """Check whether a judge still reads a frozen set of probe answers as it did. Exits 1 when it has drifted."""
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(**judge_settings) or DEFAULT_JUDGE
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
