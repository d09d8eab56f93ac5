"""Presets: the systems of the published table and current ones, by the name people know them by.

`--model llava-1.5-7b` is short for the model that a preset names. A state is of the month in which its vendor's list
or notice, or a page that quotes it, was read; where none was read it says "check". Vendors close models with little
notice, and a run says itself when one is gone. What cannot be run says how it can be measured. `published.toml` has how
each family was asked for the published table.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError
from mossbench.models.dated import CHECK, stale

SOURCE = "the vendor's list or notice, or a page that quotes it"
"""Of every state that has a month."""


@dataclass(frozen=True)
class Decoding:
    """Parameters of one request; None is not sent."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    safety: str | None = None
    """Threshold of Google's filters."""


_DATA = tomllib.loads(Path(__file__).with_name("published.toml").read_text("utf-8"))
PUBLISHED = {family: Decoding(**how) for family, how in _DATA["hosted"].items()}
PUBLISHED_LOCAL: dict[str, Any] = _DATA["local"]


class State(StrEnum):
    """Whether a system can still be run."""

    AVAILABLE = "available"
    GATED = "gated"
    """Its weights are given out after its terms were accepted on the hub; needs HF_TOKEN."""
    OLD_CODE = "old code"
    """Its weights are there, its own code was written for the transformers of its day."""
    RETIRED = "retired"
    """Closed by its vendor."""
    UNKNOWN = "unknown"
    """Neither offered by its vendor's list nor announced as closed."""
    BY_HAND = "by hand"
    """A web product: asked by hand, its answers replayed."""
    OWN_CODE = "own code"
    """Runs only with the code of its authors' repository."""


@dataclass(frozen=True)
class Preset:
    name: str
    title: str
    group: str
    """`web`, `api`, `open`: sections of the published table; `script`: has code there and no row; `now`: current."""
    model: str | None
    """What `--model` takes in its place; None where nothing does."""
    state: State
    as_of: str = CHECK
    """Month of what the state was read from, or CHECK."""
    note: str = ""
    base_url: str | None = None

    @property
    def stale(self) -> bool:
        """Whether its state may have changed since it was read; what is closed stays closed."""
        return self.state is not State.RETIRED and stale(self.as_of)

    @property
    def published(self) -> str:
        """How it was asked for the published table; empty when it was not."""
        if self.group == "now":
            return ""
        if self.group == "web":
            return "by hand, the product's defaults"
        if self.name in _NO_CODE:
            return "not known, since no code that runs was published"
        if self.name == "qwen-vl-chat":
            return "defaults of its chat"
        hosted = next((how for family, how in PUBLISHED.items() if family in (self.model or "")), None)
        given = vars(hosted) if hosted else PUBLISHED_LOCAL
        return ", ".join(f"{name} {value}" for name, value in given.items() if value is not None)

    def to_dict(self) -> dict[str, Any]:
        source = "" if self.as_of == CHECK else SOURCE
        return {**vars(self), "source": source, "stale": self.stale, "published": self.published}


_NO_CODE = {"minicpm-v-2", "minicpm-llama3-v-2.5", "mplug-owl2", "yi-vl-6b", "internvl-chat"}

PRESETS = {
    name: Preset(name, **{"model": None, **row, "state": State(row["state"])})
    for name, row in tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8")).items()
}
_BY_ANY_NAME = {name.lower(): preset for preset in PRESETS.values() for name in (preset.title, preset.name)}


def expand(model: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The model and options that a preset, by its name or its title, stands for; anything else as it is.

    For one that cannot be run, a UsageError with the way to measure it all the same.
    """
    preset = _BY_ANY_NAME.get(model.lower())
    if preset is None:
        return model, dict(options)
    if preset.state is State.BY_HAND:
        raise UsageError(
            f"{preset.title} is a web product without an API: write a sheet with `write_template('sketches', "
            f"'{preset.name}.csv')`, fill in its answers by hand, then run `model='replay/{preset.name}.csv'`"
        )
    if preset.model is None:
        raise UsageError(
            f"{preset.title} runs only with the code of its authors' repository; call that from a function and "
            f"run `model='path/to/file.py:function'` (docs/own.md), or serve it and run `model='openai/{preset.name}', "
            "base_url='URL'`"
        )
    given = dict(options)
    if preset.base_url is not None and given.get("base_url") is None:
        given["base_url"] = preset.base_url
    return preset.model, given


def preset_endpoint(model: str) -> str | None:
    """The address that a preset of this model asks; None when no preset has one of its own."""
    return next((one.base_url for one in PRESETS.values() if one.model == model and one.base_url), None)


def told_by_variable(name: str, base_url: str | None) -> str | None:
    """The endpoint of a model as it was loaded by `name`; None where that alone says it: a provider's or a preset's."""
    own = expand(name, {})[1].get("base_url")
    return None if own and own.rstrip("/") == base_url else base_url


def published_decoding(model: str) -> Decoding:
    """The published settings of the model's family, or a UsageError when it has none."""
    for family, published in PUBLISHED.items():
        if family in model.lower():
            return published
    raise UsageError(
        f"no published settings for {model!r}, only for names with {', '.join(PUBLISHED)}: leave out `as_published`"
    )
