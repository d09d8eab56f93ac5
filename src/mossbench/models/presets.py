"""Presets: the systems of the published table and current ones, by the names people know them by.

`--model llava-1.5-7b` is short for the model that a preset names. A state has the month in which its vendor's list or
notice, or a page that quotes it, was read; where none was read it is "check". Vendors close models with little notice,
and a run says when one is gone. For a preset that cannot be run, the error says how to measure it. `published.toml` has
the settings of each family in the published table.

Whether a model is retired depends on the day: a preset with a day in `closes` is available before it, and retired from
it on. `check_offered` says so before a key or a package is asked for.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from mossbench.errors import UsageError
from mossbench.messages import Message
from mossbench.models import dated
from mossbench.models.dated import CHECK, stale
from mossbench.models.keys import secret
from mossbench.ways_out import OmitOption, RunRecorded, SetOption, SetOptions, WriteTemplate, ask_at_address

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
PUBLISHED: dict[str, Decoding] = {family: Decoding(**how) for family, how in _DATA["hosted"].items()}
PUBLISHED_LOCAL: dict[str, Any] = _DATA["local"]


class _Vendor(NamedTuple):
    """Who answers for a hosted provider, and the variable that may name another address."""

    title: str
    address_variable: str


_VENDORS = {
    "openai": _Vendor("OpenAI", "OPENAI_BASE_URL"),
    "anthropic": _Vendor("Anthropic", "ANTHROPIC_BASE_URL"),
    "google": _Vendor("Google", "GOOGLE_GEMINI_BASE_URL"),
}
"""By provider; all that have a model with a closing date."""


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
    stated: State
    """The state while its vendor offers it."""
    as_of: str = CHECK
    """Month of what the state was read from, or CHECK."""
    remark: str = ""
    base_url: str | None = None
    closes: date | None = None
    """The day from which its vendor does not answer for it; None where none is known."""
    snapshots: Mapping[str, date] = field(default_factory=dict)
    """Other ids of the model at its vendor, and the day from which each is closed."""
    stand_ins: tuple[str, ...] = ()
    """Presets that may be run in its place, the best first."""
    other_names: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """Whether it can be run today."""
        return State.RETIRED if _is_past(self.closes) else self.stated

    @property
    def note(self) -> str:
        day = ""
        if self.closes is not None:
            day = f"closed {self.closes}" if _is_past(self.closes) else f"until {self.closes}"
        return "; ".join(filter(None, (day, self.remark)))

    @property
    def stand_in(self) -> str | None:
        """The first preset that may be run in its place and is available today; None where there is none."""
        available = (name for name in self.stand_ins if PRESETS[name].state is State.AVAILABLE)
        return next(available, None)

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
        provider, _, id = (self.model or "").partition("/")
        family = _published_family(id) if provider in _VENDORS else None
        settings = PUBLISHED_LOCAL if family is None else vars(PUBLISHED[family])
        return ", ".join(f"{name} {value}" for name, value in settings.items() if value is not None)

    def to_dict(self) -> dict[str, Any]:
        source = "" if self.as_of == CHECK else SOURCE
        return {
            "name": self.name,
            "title": self.title,
            "group": self.group,
            "model": self.model,
            "state": self.state,
            "as_of": self.as_of,
            "note": self.note,
            "base_url": self.base_url,
            "closes": None if self.closes is None else self.closes.isoformat(),
            "stand_in": self.stand_in,
            "source": source,
            "stale": self.stale,
            "published": self.published,
        }


_NOT_HOSTED = ("local", "vllm", "control", "replay")
_NO_CODE = {"minicpm-v-2", "minicpm-llama3-v-2.5", "mplug-owl2", "yi-vl-6b", "internvl-chat"}


def _is_past(day: date | None) -> bool:
    return day is not None and dated.today() >= day


def _preset(name: str, row: Mapping[str, Any]) -> Preset:
    closes = row.get("closes")
    return Preset(
        name=name,
        title=row["title"],
        group=row["group"],
        model=row.get("model"),
        stated=State(row["state"]),
        as_of=row.get("as_of", CHECK),
        remark=row.get("note", ""),
        base_url=row.get("base_url"),
        closes=None if closes is None else date.fromisoformat(closes),
        snapshots={id: date.fromisoformat(day) for id, day in row.get("snapshots", {}).items()},
        stand_ins=tuple(row.get("stand_in", ())),
        other_names=tuple(row.get("names", ())),
    )


PRESETS = {
    name: _preset(name, row)
    for name, row in tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8")).items()
}


def check_table(presets: Mapping[str, Preset]) -> None:
    """Raises a ValueError where the table names an unknown preset or vendor: better now than in a message."""
    for preset in presets.values():
        for name in preset.stand_ins:
            if name not in presets:
                raise ValueError(f"presets.toml: {name!r}, which may stand in for {preset.name}, is no preset")
        ids = list(preset.snapshots)
        if preset.closes is not None:
            ids.append(preset.model or "")
        for id in ids:
            if id.partition("/")[0] not in _VENDORS:
                raise ValueError(
                    f"presets.toml: {preset.name} has a closing date for {id!r}, whose vendor is not known"
                )


check_table(PRESETS)


def plain_name(name: str) -> str:
    """A name by its letters and digits alone: `Gemini Pro 1.5`, `gemini-pro-1.5` and `Gemini-Pro_1.5` are the same."""
    return "".join(character for character in name.casefold() if character.isalnum())


def _by_plain_name() -> dict[str, Preset]:
    by_name: dict[str, Preset] = {}
    for preset in PRESETS.values():
        id = (preset.model or preset.name).rpartition("/")[2]  # as the published scripts name it
        for name in (preset.name, preset.title, id, *preset.other_names):
            owner = by_name.setdefault(plain_name(name), preset)
            if owner is not preset:
                raise ValueError(f"presets.toml: {name!r} is a name of {owner.name} and of {preset.name}")
    return by_name


_BY_ANY_NAME = _by_plain_name()
_SHORTEST_BEGINNING = 3  # letters and digits of a name that is cut off


def find_preset(name: str) -> Preset | None:
    """The preset with this name, in the package or in the published README, figures and folders; None: no preset.

    The one place where such names are resolved. A name with a slash is a provider's model, not a preset.
    """
    if "/" in name:
        return None
    return _BY_ANY_NAME.get(plain_name(name))


def presets_that_begin_so(name: str) -> list[str]:
    """Presets whose names begin with this text: `LLaVA-1.5` may be two of them."""
    beginning = plain_name(name)
    if "/" in name or len(beginning) < _SHORTEST_BEGINNING:
        return []
    names = [preset.name for plain, preset in _BY_ANY_NAME.items() if plain.startswith(beginning)]
    return list(dict.fromkeys(names))


_retired_may_load = ContextVar("retired_may_load", default=False)


@contextmanager
def with_retired_models() -> Iterator[None]:
    """Within it retired models load: a run that is resumed may have all its answers already."""
    before = _retired_may_load.set(True)
    try:
        yield
    finally:
        _retired_may_load.reset(before)


def retirement(model: str) -> str:
    """A message that the model with this id is retired, since when, and what may stand in; empty where it is not."""
    id = _vendors_id(model)
    for preset in PRESETS.values():
        for known_id, closes in _closing_days(preset).items():
            if id == known_id.lower() and _is_past(closes):
                return _retirement_message(preset, known_id, closes)
    return ""


def _vendors_id(model: str) -> str:
    """The id of a model as its vendor compares it: without case, and without the words that some put before it."""
    id = model.strip().lower().removeprefix("inspect/")
    return id.replace("google/models/", "google/", 1)


def _closing_days(preset: Preset) -> dict[str, date]:
    """The ids of a preset that have a day from which they are closed."""
    days = dict(preset.snapshots)
    if preset.model is not None and preset.closes is not None:
        days[preset.model] = preset.closes
    return days


def _retirement_message(preset: Preset, id: str, closes: date) -> str:
    vendor = _vendor_of(id).title
    named = f"{preset.title} ({id})" if preset.model == id else id
    stand_in = preset.name if preset.state is State.AVAILABLE else preset.stand_in
    advice = "no preset is known that may stand in for it"
    if stand_in is not None:
        advice = f"{stand_in} may stand in for it, as another model with rates of its own"
    return f"{vendor} retired {named} on {closes}; {advice}"


def _vendor_of(model: str) -> _Vendor:
    return _VENDORS[_vendors_id(model).partition("/")[0]]


def check_offered(model: str, base_url: str | None, *, option: str = "model", address: str = "base_url") -> None:
    """Raises a UsageError where a vendor has retired a model and no other address is given.

    Called before a key or a package is asked for: neither would help. `option` and `address` are the names of the
    two options in Python.
    """
    message = retirement(model)
    if not message or base_url is not None or _retired_may_load.get():
        return
    if secret(_vendor_of(model).address_variable):
        return
    elsewhere = SetOptions(
        (SetOption(option, model), SetOption(address, "URL")),
        to="if another service, or the vendor itself, still serves it for you, name the address",
    )
    raise UsageError(f"{message}.", way_out=elsewhere)


def check_has_api(model: str, data: str = "DATA") -> None:
    """Raises a UsageError for a web product, with the steps to ask it by hand about these data."""
    preset = find_preset(model)
    if preset is None or preset.state is not State.BY_HAND:
        return
    sheet = f"{preset.name}.csv"
    steps = (WriteTemplate(data, sheet), RunRecorded(sheet, data))
    text = f"{preset.title} is a web product without an API: write a sheet, fill in its answers by hand, then run it:"
    raise UsageError(Message(text, steps=steps))


def expand(model: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The model and options of a preset, by any of its names; anything else is returned unchanged.

    Raises a UsageError for a preset that cannot be run, with the way to measure it nevertheless.
    """
    preset = find_preset(model)
    if preset is None:
        return model, dict(options)
    check_has_api(model)
    if preset.model is None and preset.state is not State.OWN_CODE:
        note = f", {preset.note}" if preset.note else ""
        raise UsageError(
            f"{preset.title} has no model that can be run (state: {preset.state}{note})",
            way_out=ask_at_address(f"openai/{preset.name}", to="serve it and run it"),
        )
    if preset.model is None:
        raise UsageError(
            f"{preset.title} runs only with the code of its authors' repository",
            way_out=(
                SetOption("model", "path/to/file.py:function", to="call that from a function (docs/own.md) and run it"),
                ask_at_address(f"openai/{preset.name}", to="serve it and run it"),
            ),
        )
    expanded_options = dict(options)
    if preset.base_url is not None and expanded_options.get("base_url") is None:
        expanded_options["base_url"] = preset.base_url
    return preset.model, expanded_options


def preset_endpoint(model: str) -> str | None:
    """The address that a preset of this model asks; None when no preset has one of its own."""
    return next((preset.base_url for preset in PRESETS.values() if preset.model == model and preset.base_url), None)


def endpoint_to_record(name: str, base_url: str | None) -> str | None:
    """The endpoint of a model that was loaded by `name`; None where the name alone says it: a preset with its own."""
    preset = find_preset(name)
    if preset is None or preset.base_url is None or base_url is None:
        return base_url
    is_of_preset = preset.base_url.rstrip("/") == base_url.rstrip("/")
    return None if is_of_preset else base_url


def published_decoding(model: str) -> Decoding:
    """The published settings of a hosted model's family, or a UsageError when it has none."""
    family = _published_family(model)
    if family is not None:
        return PUBLISHED[family]
    raise UsageError(
        f"no published settings for {model!r}, only for hosted models whose names begin with {', '.join(PUBLISHED)}",
        way_out=OmitOption("as_published"),
    )


def _published_family(model: str) -> str | None:
    """The family that the last part of an id begins with, after `ft:` or `anthropic.` too; None: another model."""
    provider, _, _ = model.partition("/")
    if provider in _NOT_HOSTED:
        return None
    last_part = model.lower().rpartition("/")[2]
    for family in PUBLISHED:
        if re.search(rf"(?:^|[:.]){family}(?![a-z])", last_part):
            return family
    return None
