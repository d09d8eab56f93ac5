"""`mossbench models`."""

from __future__ import annotations

from textwrap import wrap

import click

from mossbench.cli.commands import Command
from mossbench.cli.options import options
from mossbench.cli.printing import console, say, show_json
from mossbench.look.commands import as_commands

GROUPS = {
    "now": "Current models",
    "api": "Hosted models of the published table",
    "open": "Open models of the published table",
    "script": "Open models that the published code names and its table does not",
    "web": "Web products of the published table, asked by hand",
}
NAME = 22  # columns; no name is longer


@click.command(cls=Command)
@options("json")
def models(as_json: bool) -> None:
    """List the models: providers and presets.

    Example: mossbench models
    """
    from mossbench.models import PRESETS, PROVIDERS
    from mossbench.models.presets import CHECK

    providers = {f"{name}/…": what for name, (what, *_) in PROVIDERS.items()}
    providers["file.py:function"] = "a function of your own: docs/own.md"
    if as_json:
        rows = [{"model": name, "what": what} for name, what in providers.items()]
        show_json([*rows, *(preset.to_dict() for preset in PRESETS.values())])
        return
    say("Providers, for mossbench run --model PROVIDER/NAME")
    for name, what in providers.items():
        _line(name, what)
    say("\nPresets, for mossbench run --model PRESET: state, as of when, what it runs")
    for group, heading in GROUPS.items():
        say(f"\n{heading}")
        for preset in (preset for preset in PRESETS.values() if preset.group == group):
            _line(preset.name, f"{preset.state:9} {preset.as_of:7} {preset.model or '–'}")
            if preset.note:
                _line("", preset.note)
    say("\nHow presets were asked for the published table (--as-published)")
    for how in dict.fromkeys(preset.published for preset in PRESETS.values() if preset.published):
        say(f"  {how}")
        _line("", ", ".join(preset.name for preset in PRESETS.values() if preset.published == how))
    say(f"\n{CHECK}: not verified, look it up. A run reports when a model is gone")


def _line(name: str, text: str) -> None:
    """One name and what is said of it, folded to the terminal."""
    width = console().width - NAME - 4
    first, *more = wrap(as_commands(text), width, break_on_hyphens=False, replace_whitespace=False) or [""]
    say("\n".join([f"  {name:{NAME}} {first}".rstrip(), *(f"  {'':{NAME}} {line}" for line in more)]))
