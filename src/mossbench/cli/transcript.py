"""`mossbench transcript`: answers that were taken down by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.printing import note
from mossbench.cli.run import ids_option


@click.group()
def transcript() -> None:
    """Answers of products that can only be asked on their own web page."""


@transcript.command("template")
@click.option("--data", default="sketches", show_default=True, help="Dataset name, folder or file.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Sheet to write: .csv or .jsonl.")
@click.option(
    "--side", type=click.Choice(["benign", "contrast", "both"]), default="both", show_default=True, help="Which side."
)
@ids_option
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Skip the first N ids.")
@click.option("--limit", type=click.IntRange(min=1), help="Only N ids; a sample and its twin share one.")
def template_command(data: str, out: Path, **selection: Any) -> None:
    """Write a sheet with ids, questions and picture paths, to fill the answers in by hand."""
    import mossbench

    mossbench.write_template(data, out, **selection)
    note(f"wrote {out}; fill in `response` and leave it empty where there is none, then")
    note(f"  mossbench run --model replay/{out} --data {data} --side {selection['side']}")
