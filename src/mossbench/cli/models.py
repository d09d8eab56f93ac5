"""`mossbench models`."""

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
@options("check", "json")
def models(check: bool, as_json: bool) -> None:
    from mossbench.models import PRESETS, PROVIDERS
    from mossbench.models.dated import CHECK, dated
    from mossbench.models.presets import State

    if check:
        return _check(as_json)

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
            when = preset.as_of if preset.state is State.RETIRED else dated(preset.as_of)
            _line(preset.name, f"{preset.state:9} {when:7} {preset.model or '–'}")
            for text in filter(None, (preset.note, _price(preset.model) if group == "now" else "")):
                _line("", text)
    say("\nHow presets were asked for the published table (--as-published)")
    for how in dict.fromkeys(preset.published for preset in PRESETS.values() if preset.published):
        say(f"  {how}")
        _line("", ", ".join(preset.name for preset in PRESETS.values() if preset.published == how))
    say(f"\n{CHECK}: not verified, look it up. stale: read more than 90 days ago")
    say("mossbench models --check asks the providers. A run reports when a model is gone")


def _price(model: str | None) -> str:
    """The list price of a hosted model, or that none is known; empty for one that runs here."""
    from mossbench.runs.prices import price_of

    if model is None or model.startswith("local/"):
        return ""
    price = price_of(model)
    if price is None:
        return "no list price is known: give one with --prices FILE.json"
    return f"{price.input:g} USD in, {price.output:g} out for a million tokens ({price.said()})"


def _check(as_json: bool) -> None:
    """What the providers' lists say of the presets; exit code 1 when it is not what their states say."""
    from mossbench.models.listing import check_presets
    from mossbench.models.presets import PRESETS

    found = check_presets()
    if as_json:
        show_json([{**vars(listing), "surprises": listing.surprises} for listing in found])
    for listing in [] if as_json else found:
        say(f"{listing.address}: {listing.why_not or f'{listing.n_models:,} models'}")
        for name in () if listing.why_not else listing.presets:
            state = f"{PRESETS[name].state}, {PRESETS[name].as_of}"
            said = "listed" if name in listing.listed else "not listed"
            _line(name, f"{said} ({state}){': changed' if name in listing.surprises else ''}")
    if any(listing.surprises for listing in found):
        raise SystemExit(1)


def _line(name: str, text: str) -> None:
    """One name and what is said of it, folded to the terminal."""
    width = console().width - NAME - 4
    first, *more = wrap(as_commands(text), width, break_on_hyphens=False, replace_whitespace=False) or [""]
    say("\n".join([f"  {name:{NAME}} {first}".rstrip(), *(f"  {'':{NAME}} {line}" for line in more)]))
