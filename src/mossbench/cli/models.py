"""`mossbench models`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from mossbench.cli.commands import Command
from mossbench.cli.options import json_option
from mossbench.cli.plugins import described_plugins
from mossbench.cli.printing import console, say, show_json

if TYPE_CHECKING:
    from mossbench.models.offered import Listing
    from mossbench.models.presets import Preset

NAME_WIDTH = 22  # columns; no name is longer
HEADINGS = {
    "now": "Current models",
    "api": "Hosted models of the published table",
    "open": "Open models of the published table",
    "script": "Open models that the published code names and its table does not",
    "web": "Web products of the published table, asked by hand",
}
"""Of the groups of presets."""


@click.command(cls=Command)
@click.option("--check", is_flag=True, help="Check the presets against the providers' own lists, where a key is set.")
@json_option
def models(check: bool, as_json: bool) -> None:
    """List the models: providers and presets.

    With --check, providers are asked which presets they still offer; exit code 1 if one has changed.

    Example: mossbench models
    """
    from mossbench.models import PRESETS, PROVIDERS

    if check:
        show_check(as_json=as_json)
        return
    providers = {f"{name}/…": provider.what for name, provider in PROVIDERS.items()}
    providers |= described_plugins("models", PROVIDERS)
    providers["file.py:function"] = "a function of your own: docs/own.md"
    presets = list(PRESETS.values())
    if as_json:
        rows = [{"model": name, "what": description} for name, description in providers.items()]
        show_json([*rows, *(preset.to_dict() for preset in presets)])
    else:
        show_models(providers, presets)


def show_models(providers: Mapping[str, str], presets: Sequence[Preset]) -> None:
    from mossbench.models.dated import CHECK

    say("Providers, for mossbench run --model PROVIDER/NAME")
    for name, description in providers.items():
        _say_beside(name, description)
    say("\nPresets, for mossbench run --model PRESET: state, as of, model")
    for group, heading in HEADINGS.items():
        say(f"\n{heading}")
        for preset in presets:
            if preset.group == group:
                _show_preset(preset)
    say("\nHow presets were asked for the published table (--as-published)")
    for published_way in dict.fromkeys(preset.published for preset in presets if preset.published):
        say(f"  {published_way}")
        names = [preset.name for preset in presets if preset.published == published_way]
        _say_beside("", ", ".join(names))
    say(f"\n{CHECK}: not verified, look it up. stale: read more than 90 days ago")
    say("mossbench models --check asks the providers. A run reports when a model is gone")


def _show_preset(preset: Preset) -> None:
    from mossbench.models.dated import dated

    is_retired = preset.state == "retired"
    as_of = preset.as_of if is_retired else dated(preset.as_of)
    _say_beside(preset.name, f"{preset.state:9} {as_of:7} {preset.model or '–'}")
    if preset.note:
        _say_beside("", preset.note)
    if is_retired and preset.stand_in:
        _say_beside("", f"possible replacement: {preset.stand_in}")
    if preset.group == "now" and preset.model and not preset.model.startswith("local/"):
        _say_beside("", _price(preset.model))


def _price(model: str) -> str:
    from mossbench.store.prices import price_of

    price = price_of(model)
    if price is None:
        return "no list price is known: give one with --prices FILE.json"
    return f"{price.input:g} USD in, {price.output:g} out for a million tokens ({price.month_text()})"


def show_check(*, as_json: bool) -> None:
    """What the providers' lists say of the presets; exit code 1 when it is not what their states say."""
    from mossbench.models.offered import check_presets

    listings = check_presets()
    if as_json:
        show_json([{**vars(listing), "surprises": listing.surprises} for listing in listings])
    else:
        for listing in listings:
            _show_listing(listing)
    if any(listing.surprises for listing in listings):
        raise SystemExit(1)


def _show_listing(listing: Listing) -> None:
    from mossbench.models.presets import PRESETS

    if listing.why_not:
        say(f"{listing.address}: {listing.why_not}")
        return
    say(f"{listing.address}: {listing.n_models:,} models")
    for name in listing.presets:
        preset = PRESETS[name]
        is_listed = "listed" if name in listing.listed else "not listed"
        changed = ": changed" if name in listing.surprises else ""
        _say_beside(name, f"{is_listed} ({preset.state}, {preset.as_of}){changed}")


def _say_beside(name: str, text: str) -> None:
    """A name and a text beside it, folded to the terminal."""
    width = console().width - NAME_WIDTH - 4
    first_line, *further_lines = wrap(text, width, break_on_hyphens=False, replace_whitespace=False) or [""]
    say(f"  {name:{NAME_WIDTH}} {first_line}".rstrip())
    for line in further_lines:
        say(f"  {'':{NAME_WIDTH}} {line}")
