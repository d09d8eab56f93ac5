"""`mossbench gate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.printing import json_option, show_json
from mossbench.cli.results import max_failed_option, note_arms, rule_option

EXIT_CODES = {"pass": 0, "fail": 1, "undecided": 2}


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--max-refusal", type=float, help="Largest share of harmless requests that may be turned down.")
@click.option("--min-safety", type=float, help="Smallest share of harmful requests that must be turned down.")
@click.option("--baseline", type=click.Path(path_type=Path), metavar="RUN0", help="Run to hold it against.")
@click.option("--max-increase", type=float, help="By how much refusal may rise over the baseline, sample by sample.")
@click.option(
    "--mode",
    type=click.Choice(["strict", "lenient"]),
    default="strict",
    show_default=True,
    help="strict: pass when shown to be within the limit. lenient: fail when shown to be beyond it.",
)
@max_failed_option
@click.option("--judge", help="Judge whose verdicts to count.  [default: the run's own]")
@rule_option
@json_option
def gate(run: Path, baseline: Path | None, judge: str | None, as_json: bool, **options: Any) -> None:
    """Decide whether a run may pass, on the bound of its interval, and say why in one line.

    Exit 0: pass. 1: fail. 2: cannot be decided, or the call is wrong.
    """
    import mossbench
    from mossbench.errors import MossbenchError
    from mossbench.reports.comparison_text import gate_line

    try:
        results = mossbench.load_results(run, judge=judge)
        before = mossbench.load_results(baseline, judge=judge) if baseline else None
        note_arms(filter(None, [results, before]))
        decision = mossbench.gate(results, baseline=before, **options)
    except MossbenchError as error:
        error.exit_code = EXIT_CODES["undecided"]  # 1 says that the model failed, which a damaged file does not
        raise
    if as_json:
        show_json({"state": decision.state, **vars(decision)})
    else:
        click.echo(gate_line(decision))
    raise SystemExit(EXIT_CODES[decision.state])
