"""Parameters of a request beyond temperature and length: `effort` and `params`, by the provider's own names.

`parameters.toml` says for each provider which ones it takes and what is sent for those that have a common meaning:
`effort`, `thinking_budget` and `thinking_text`. What a provider does not take is refused before anything is sent. A
provider without a table, such as somebody's own code, is handed all of them.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError, bad_option, shortened, unknown_name
from mossbench.models.keys import redacted
from mossbench.models.parameter_secrets import secret_in
from mossbench.plumbing.json_values import value_words
from mossbench.ways_out import OmitOption, SetOption

BUDGET = "thinking_budget"
THINKING_TEXT = "thinking_text"
HEADERS = "extra_headers"
BODY = "extra_body"
"""Fields of the request's body that the provider's table does not have."""
BETAS = "betas"
"""Anthropic's betas, which go in a header."""
_BETA_HEADER = "anthropic-beta"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VALUE = "VALUE"
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class Mapped:
    """A parameter with a common meaning: what a provider is sent for it."""

    sends: Mapping[str, Any]
    """With the word VALUE where the value stands."""
    least: int | None = None
    below_max_tokens: bool = False
    """Whether it must be smaller than the limit on the answer."""


@dataclass(frozen=True)
class Takes:
    """What one provider takes, and in which SDK's types that stands."""

    headers: bool
    sdk: str = ""
    version: str = ""
    type: str = ""
    effort: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is sent for each level."""
    mapped: Mapping[str, Mapped] = field(default_factory=dict)
    """`thinking_budget` and `thinking_text`, where it has them."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Names that have an option of their own, and that option."""
    named: Mapping[str, Any] = field(default_factory=dict)
    """What is sent as it is: a kind of value, or a list of all values."""

    @property
    def names(self) -> tuple[str, ...]:
        beside = (HEADERS, BODY) if self.headers else ()
        return (*self.mapped, *self.named, *beside)


@cache
def _tables() -> dict[str, Takes]:
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {provider: _takes(table) for provider, table in content.items()}


def _takes(table: Mapping[str, Any]) -> Takes:
    mapped = {name: Mapped(**table[name]) for name in (BUDGET, THINKING_TEXT) if name in table}
    return Takes(
        headers=table["headers"],
        sdk=table.get("sdk", ""),
        version=table.get("version", ""),
        type=table.get("type", ""),
        effort=table.get("effort", {}),
        mapped=mapped,
        options=table.get("options", {}),
        named={**table.get("takes", {}), **table.get("takes_beside_the_type", {})},
    )


def taken_by(provider: str | None) -> Takes | None:
    """What a provider takes; None where it is handed everything: own code, plug-ins, recorded answers."""
    return _tables().get(provider or "")


# What is sent


def wire_parameters(provider: str, effort: str | None, params: Mapping[str, Any]) -> dict[str, Any]:
    """What is sent for `effort` and `params`, in the provider's names; what is said twice, `params` decide."""
    takes = taken_by(provider)
    if takes is None:
        return dict(params)
    sent: dict[str, Any] = {}
    for name, mapped in takes.mapped.items():
        if name == THINKING_TEXT and params.get(name) is True:
            sent = _merged(sent, mapped.sends)
    if effort is not None:
        sent = _merged(sent, takes.effort.get(effort, {}))
    for name, value in params.items():
        if name == BUDGET and name in takes.mapped:
            sent = _merged(sent, _with_value(takes.mapped[name].sends, value))
        elif name == BETAS and provider == "anthropic":
            sent = _merged(sent, {HEADERS: {_BETA_HEADER: ",".join(value)}})
        elif name not in takes.mapped:
            sent = _merged(sent, {name: value})
    return sent


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Both, field by field; where they contradict each other, the second."""
    merged = dict(first)
    for name, value in second.items():
        before = merged.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            merged[name] = _merged(before, value)
        else:
            merged[name] = value
    return merged


def _with_value(sends: Any, value: Any) -> Any:
    if isinstance(sends, Mapping):
        return {name: _with_value(part, value) for name, part in sends.items()}
    return value if sends == _VALUE else sends


def split_headers(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """What goes into the body, with `extra_body` in its place, and the headers."""
    body = {name: value for name, value in parameters.items() if name not in (HEADERS, BODY)}
    return {**body, **parameters.get(BODY, {})}, dict(parameters.get(HEADERS, {}))


# How it is shown


def parameter_words(effort: str | None, params: Mapping[str, Any]) -> tuple[str, ...]:
    """`effort high`, `service_tier=flex`: as people read them, in a fixed order."""
    words = [] if effort is None else [f"effort {effort}"]
    return (*words, *params_words(params))


def params_words(params: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{name}={value_words(value)}" for name, value in sorted(params.items()))


def name_with_parameters(model: str, effort: str | None, params: Mapping[str, Any]) -> str:
    """A model with how it is asked to think, as lists and pages show it: `openai/x (effort high)`."""
    words = [shortened(text, _LONGEST_SHOWN) for text in parameter_words(effort, params)]
    return f"{model} ({', '.join(words)})" if words else model


_USUAL_TIERS = ("auto", "default", "standard", "standard_only")


def has_list_price(params: Mapping[str, Any]) -> bool:
    """Whether list prices hold for these parameters: another tier or speed has prices of its own."""
    tiers = (params.get("service_tier", "default"), params.get("speed", "standard"))
    return all(tier in _USUAL_TIERS for tier in tiers) and BODY not in params


# What is refused before anything is sent


def fault_of_params(params: Mapping[str, Any]) -> str:
    """What is wrong with parameters whatever the provider: a name that is none, or a secret; empty: nothing."""
    fault = fault_of_names(params)
    if fault:
        return fault
    secret = next(filter(None, (secret_in(name, value) for name, value in params.items())), "")
    if not secret:
        return ""
    return f"{secret}: secrets are read from the environment or .env, and never written into a run"


def fault_of_names(params: Mapping[str, Any]) -> str:
    """What a record of a run is read with too: secrets are refused before they are written."""
    wrong = next((name for name in params if not _NAME.fullmatch(name)), None)
    return "" if wrong is None else f"has {shortened(repr(wrong))}, expected names of letters, digits and _"


def check_parameters(
    provider: str | None, model: str, effort: str | None, params: Mapping[str, Any], max_tokens: int
) -> None:
    """A UsageError for a parameter or a value that the provider does not take, as far as its SDK's types say."""
    takes = taken_by(provider)
    if takes is None:
        return
    if effort is not None:
        _check_effort(takes, model, effort)
    for name, value in params.items():
        _check_name(takes, model, name)
        if name in takes.mapped:
            _check_mapped(takes.mapped[name], model, name, value, max_tokens)
        else:
            _check_value(takes, model, name, value)


def _as_of(takes: Takes) -> str:
    return f" (as of {takes.sdk} {takes.version})" if takes.version else ""


def _check_effort(takes: Takes, model: str, effort: str) -> None:
    if effort in takes.effort:
        return
    if not takes.effort:
        raise bad_option("effort", f"is {effort!r}, but {model} takes no effort", OmitOption("effort"))
    levels = ", ".join(takes.effort)
    raise bad_option("effort", f"is {effort!r}, but {model} takes {levels}{_as_of(takes)}")


def _check_name(takes: Takes, model: str, name: str) -> None:
    if name in takes.names:
        return
    if name in takes.options:
        option = takes.options[name]
        if option == BUDGET:
            raise bad_option("params", f"has {name} for {model}; name it {BUDGET}")
        raise bad_option("params", f"has {name}, which has an option of its own", SetOption(option, to="set it there"))
    listed = f"params of {model} are {', '.join(takes.names) or 'none'}{_as_of(takes)}"
    if takes.headers:
        listed += f'; a server that takes more: {BODY}={{"{name[:40]}": …}}'
    raise unknown_name("parameter", name, takes.names, listed)


def _check_mapped(mapped: Mapped, model: str, name: str, value: Any, max_tokens: int) -> None:
    if name == THINKING_TEXT:
        if not isinstance(value, bool):
            raise bad_option("params", f"has {name} {value!r}, expected true or false")
        return
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or (mapped.least is not None and value < mapped.least):
        raise bad_option("params", f"has {name} {value!r}, but {model} takes whole numbers from {mapped.least}")
    if mapped.below_max_tokens and value >= max_tokens:
        more = SetOption("max_tokens", value + 1024, to="leave room for the answer")
        raise bad_option(
            "params", f"has {name} {value}, which must be less than max tokens ({max_tokens}): both count", more
        )


_KINDS: dict[str, tuple[type, ...]] = {
    "number": (int, float),
    "whole": (int,),
    "text": (str,),
    "boolean": (bool,),
    "object": (dict,),
    "list": (list, tuple),
}
_KIND_WORDS = {
    "number": "a number",
    "whole": "a whole number",
    "text": "a text",
    "boolean": "true or false",
    "object": "an object in JSON",
    "list": "a list in JSON",
}


def _check_value(takes: Takes, model: str, name: str, value: Any) -> None:
    expected = "object" if name in (HEADERS, BODY) else takes.named[name]
    if isinstance(expected, list):
        if value not in expected:
            raise bad_option("params", f"has {name} {value!r}, but {model} takes {', '.join(expected)}{_as_of(takes)}")
        return
    is_flag = isinstance(value, bool) and expected != "boolean"
    if expected != "any" and (is_flag or not isinstance(value, _KINDS[expected])):
        raise bad_option("params", f"has {name} {shortened(repr(value))}, expected {_KIND_WORDS[expected]}")
    if name == HEADERS and not all(isinstance(text, str) for text in value.values()):
        raise bad_option("params", f"has {name} with a value that is no text")
    if name == BODY:
        _check_body(takes, value)


def _check_body(takes: Takes, body: Mapping[str, Any]) -> None:
    """Fields that the request has already may not be replaced behind its back: then run.json would not say so."""
    for field_name in body:
        if field_name in takes.named:
            raise bad_option("params", f"has {field_name} in {BODY}; give it as a parameter of its own")
        if field_name in takes.options or field_name in _OWN_FIELDS:
            raise bad_option("params", f"has {field_name} in {BODY}, which the request has already")


_OWN_FIELDS = (
    "messages",
    "contents",
    "model",
    "system",
    "input",
    "stream",
    "n",
    "tools",
    "tool_choice",
    "generationConfig",
)


def check_for_batches(params: Mapping[str, Any]) -> None:
    """A UsageError for headers: the requests of a batch have none of their own."""
    for name in (HEADERS, BETAS):
        if name in params:
            problem = f"has {name}, which the requests of a batch cannot have"
            raise bad_option("params", problem, SetOption("engine", "local"))


def read_param(text: str) -> tuple[str, Any]:
    """`name=value` as name and value; the value is JSON, or else the text itself."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"expected name=value, got {shortened(repr(redacted(text)))}")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value
