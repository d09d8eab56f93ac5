"""`mossbench judge`: read answers again, without any model."""

from __future__ import annotations

from pathlib import Path

import click

from mossbench.cli.printing import json_option, show_json
from mossbench.cli.progress import progress_of
from mossbench.cli.results import rule_option, show_results


@click.group()
def judge() -> None:
    """Judges: which there are, and judging a run again."""


@judge.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the judges."""
    from mossbench.judges import JUDGES

    rows = {name: what for name, (what, _) in JUDGES.items()} | {
        "path/to/file.py:function": "one's own; see docs/own.md"
    }
    if as_json:
        show_json([{"judge": name, "what": what} for name, what in rows.items()])
    else:
        for name, what in rows.items():
            click.echo(f"{name:26} {what}")


@judge.command("apply")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--judge", "judge_name", help="Judge name or file.py:function.  [default: keywords]")
@rule_option
@click.option("--quiet", is_flag=True, help="No progress.")
@json_option
def apply_command(run: Path, judge_name: str | None, rule: str, quiet: bool, as_json: bool) -> None:
    """Judge the answers in a run folder; answers that this judge has judged already are left alone."""
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE

    with progress_of(f"judging {run.name}", quiet=quiet) as progress:
        results = mossbench.judge_run(run, judge_name or DEFAULT_JUDGE, progress=progress)
    show_results([results], rule, as_json=as_json)
