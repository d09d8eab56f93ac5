"""`mossbench models`."""

from textwrap import wrap

import click

from mossbench.cli.commands import Command
from mossbench.cli.options import options
from mossbench.cli.printing import console, said, say, show_json

NAME = 22  # columns; no name is longer


@click.command(cls=Command)
@options("check", "json")
def models(check: bool, as_json: bool) -> None:
    from mossbench.models import PRESETS, PROVIDERS
    from mossbench.models.dated import CHECK, dated
    from mossbench.store.prices import price_of

    if check:
        return _check(as_json)
    providers = {f"{name}/…": one.what for name, one in PROVIDERS.items()}
    providers["file.py:function"] = "a function of your own: docs/own.md"
    presets = list(PRESETS.values())
    if as_json:
        rows = [{"model": name, "what": what} for name, what in providers.items()]
        return show_json([*rows, *(preset.to_dict() for preset in presets)])
    known = {"dated": dated, "price_of": price_of, "check": CHECK}
    for line in said(__file__, "listed", providers=providers, presets=presets, **known).splitlines():
        name, folded, text = line.partition("\t")
        if folded:
            _line(name, text)
        else:
            say(line)


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
    first, *more = wrap(text, width, break_on_hyphens=False, replace_whitespace=False) or [""]
    say("\n".join([f"  {name:{NAME}} {first}".rstrip(), *(f"  {'':{NAME}} {line}" for line in more)]))
