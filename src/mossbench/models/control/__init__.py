"""Control models: behaviour that is known, to try the instrument on. `docs/controls.md` is about them."""

import tomllib
from pathlib import Path

from mossbench.models.control.names import parse
from mossbench.models.model import Model

CONTROLS: dict[str, str] = tomllib.loads(Path(__file__).with_name("controls.toml").read_text("utf-8"))
"""Name -> what it does."""


def control(name: str) -> Model:
    """The control model of that name, with its parameters: `jumpy?rate=0.4`, `candid?on=id&rate=0.2`."""
    spec = parse(name)
    if spec.on:
        from mossbench.models.control.rehearsal import Rehearsal

        return Rehearsal(spec)
    if spec.name == "learned":
        from mossbench.models.control.learned import Learned

        return Learned(spec)
    from mossbench.models.control.planted import Control

    return Control(spec)
