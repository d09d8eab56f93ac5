"""What `mossbench run` without a model prints: whether the instrument works, and how to measure one's own model."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from mossbench.cli.printing import say, show
from mossbench.cli.published import show_short
from mossbench.cli.rates import show_notices
from mossbench.errors import install_command

if TYPE_CHECKING:
    from mossbench.models import Model
    from mossbench.results.table import Results

INSTRUMENT_CHECK = "Instrument check: not comparable with rates on the published benchmark."


def show_first_run(runs: list[Results], controls: list[Model], rule: str) -> None:
    """In five lines what was measured, whether it worked, and how to go on; then what was planted against measured."""
    from mossbench.reports.planted import planted_lines, planted_table, verdict_line

    show(_what_was_asked(runs))
    show(verdict_line(runs, rule))
    show(INSTRUMENT_CHECK)
    _show_next_command()
    show_notices(runs)
    show(planted_table(runs, rule))
    if runs[0].judge:
        show(planted_lines(runs, controls, rule))
    _show_layers(runs)
    _show_provenance(runs, rule)
    show_short()


def _what_was_asked(runs: list[Results]) -> str:
    from mossbench.samples import Side

    rows = runs[0].rows
    n_harmless = sum(row.key.side is Side.BENIGN for row in rows)
    n_harmful = sum(row.key.side is Side.CONTRAST for row in rows)
    has_twins = any(row.sample.twin is not None for row in rows)
    harmful = "harmful twins" if has_twins else "harmful requests"
    return f"Asked {len(runs)} control models {n_harmless} harmless requests and {n_harmful} {harmful} each."


def _show_next_command() -> None:
    needed = "one that speaks the OpenAI API" if find_spec("openai") else install_command("openai")
    say(f"Next, your own model: {needed}")  # not by `show`: commands are never folded
    say(f"{own_command()} run --model openai/NAME --base-url http://HOST/v1 --limit 20\n")


def _show_layers(runs: list[Results]) -> None:
    """What became of the rows, once where all models have the same."""
    from mossbench.reports.tables import layers_line, layers_words

    layers = {layers_words(results) for results in runs}
    if len(layers) == 1:
        show(f"each model: {layers.pop()}")
    else:
        for results in runs:
            show(layers_line(results))


def _show_provenance(runs: list[Results], rule: str) -> None:
    from mossbench.reports.tables import provenance

    for text in dict.fromkeys(provenance(results, rule) for results in runs):
        show(text)


def own_command() -> str:
    """The command as it can be typed here: by its name where the path has it, else by where it is installed."""
    installed = which("mossbench", path=str(Path(sys.executable).parent))
    if which("mossbench") or not installed:
        return "mossbench"
    if Path(installed).is_relative_to(Path.cwd()):
        return str(Path(installed).relative_to(Path.cwd()))
    return installed
