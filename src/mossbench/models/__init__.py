"""Models by name: the table of providers, the plug-ins of other packages, and `load_model`."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from mossbench.errors import Code, UsageError, bad_option, unknown_name
from mossbench.models.control import CONTROLS
from mossbench.models.model import AnyModel, Denied, FunctionModel, Model, Overloaded, Prompt, Settings, own_model
from mossbench.models.presets import PRESETS, check_offered, expand, presets_that_begin_so
from mossbench.plumbing.own_code import OwnCode, is_own_code, load_own_code, usable
from mossbench.plumbing.plugins import find_plugin, load_plugin, names_of
from mossbench.ways_out import Listing, OmitOption, WayOut, ask_at_address

__all__ = ["PRESETS", "PROVIDERS", "Denied", "FunctionModel", "Model", "Overloaded", "Prompt", "Settings", "load_model"]


class Provider(NamedTuple):
    """What a provider is, what loads its models in this room, and which options of `load_model` it takes."""

    what: str
    made_by: str
    options: Sequence[str] = ()


PROVIDERS = {
    name: Provider(**{**row, "what": row["what"].format(controls=", ".join(CONTROLS))})
    for name, row in tomllib.loads(Path(__file__).with_name("providers.toml").read_text("utf-8")).items()
}

HOSTED = ("openai", "anthropic", "google", "inspect")
"""Providers of models that a vendor may retire."""

_SEE = (
    f"expected provider/name with one of the providers {', '.join(PROVIDERS)}, or path/to/file.py:function, or a preset"
)
_TAKES = "a Prompt"
"""What a model that is a function takes."""

_LIST_PRESETS = Listing("models", to="list the presets")


def load_model(
    spec: AnyModel,
    *,
    base_url: str | None = None,
    as_published: bool = False,
    safety: str | None = None,
    batch_size: int | None = None,
    trust_remote_code: bool = False,
    model_name: str | None = None,
) -> Model:
    """Loads the model that `spec` names; a Model or a function of one Prompt is taken as it is.

    Args:
        spec: `provider/name`, the name of a preset, `path/to/file.py:function`, a Model, or a function. A provider may
            come from another package (docs/extending.md).
        base_url: Endpoint to use instead of the provider's own.
        as_published: Use the decoding settings of the published table, whatever the run's settings.
        safety: Threshold of Google's filters, such as BLOCK_ONLY_HIGH; None leaves it to Google.
        batch_size: How many requests a local model answers together; None: 32 on a GPU, 4 on a CPU.
        trust_remote_code: Let a checkpoint run the Python code that comes with it.
        model_name: For recorded answers (`replay/FILE`), the model that gave them.
    """
    settings: dict[str, Any] = {
        "base_url": base_url,
        "as_published": as_published,
        "safety": safety,
        "batch_size": batch_size,
        "trust_remote_code": trust_remote_code,
        "model_name": model_name,
    }
    options = {name: value for name, value in settings.items() if value not in (None, False)}
    if isinstance(spec, str):
        spec, options = expand(spec, options)
    if isinstance(spec, Model):
        return spec
    if callable(spec):
        return FunctionModel(spec, f"python/{getattr(spec, '__qualname__', type(spec).__name__)}")
    if is_own_code(spec):
        return own_model(load_own_code(spec, Model, _TAKES))
    if not isinstance(spec, str):
        raise UsageError(f"model is {spec!r}, expected a name, a Model or a function of a Prompt")
    return _load_named(spec, options)


def _load_named(spec: str, options: dict[str, Any]) -> Model:
    """The model `provider/name` with these options."""
    provider, _, name = spec.partition("/")
    if provider not in PROVIDERS:
        return _load_from_package(spec)
    if not name:
        raise UsageError(f"model {spec!r} has no name after the provider; {_SEE}", way_out=_LIST_PRESETS)
    for option in options:
        if option not in PROVIDERS[provider].options:
            raise _option_not_taken(option, spec)
    if provider in HOSTED:
        check_offered(spec, options.get("base_url"))
    # The module is imported, with the packages that it needs, for its first model.
    model: Model = resolve_name(f"mossbench.models.{PROVIDERS[provider].made_by}")(name, **options)
    model.options = {**model.options, **options}  # a recorded file may say itself who answered
    return model


def _load_from_package(spec: str) -> Model:
    """The model of a provider that an installed package has; a UsageError if none has it."""
    provider, _, name = spec.partition("/")
    plugin = find_plugin("models", provider)
    if plugin is None:
        raise _unknown_model(spec)
    loaded = load_plugin(plugin)
    value = usable(spec, loaded.value, Model, _TAKES, argument=name, folder=loaded.folder)
    return own_model(OwnCode(spec, value, f"{plugin.package} {loaded.version}"))


def _unknown_model(spec: str) -> UsageError:
    """The error for a name whose provider is not known, with the names that it may have been meant for."""
    candidates = presets_that_begin_so(spec)
    if len(candidates) > 1:
        listed = " or ".join(map(repr, candidates))
        return UsageError(f"{spec!r} is the name of several presets; did you mean {listed}?", code=Code.NOT_FOUND)
    name = spec.partition("/")[2]
    near = [*PRESETS, *(f"control/{control}" for control in CONTROLS)]
    if name:
        near += [f"{provider}/{name}" for provider in PROVIDERS]
    for provider in names_of("models"):
        near.append(f"{provider}/{name}" if name else provider)
    return unknown_name("model", spec, near, _SEE, way_out=_LIST_PRESETS)


def _option_not_taken(option: str, spec: str) -> UsageError:
    """The error for an option that models of this provider do not take."""
    if option == "model_name":
        problem = f"is for recorded answers (replay/FILE), not for {spec!r}, which goes by its own name"
        return bad_option("model_name", problem, OmitOption("model_name"))
    provider, _, name = spec.partition("/")
    takers = [f"{taker}/<model>" for taker, about in PROVIDERS.items() if option in about.options]
    public_name = {"safety": "google_safety"}.get(option, option)
    way_out: WayOut = OmitOption(public_name)
    if option == "base_url" and provider in ("local", "vllm"):
        way_out = ask_at_address(f"openai/{name}", to="ask a server that has it")
    return bad_option(public_name, f"is for {', '.join(takers)}, not for {spec!r}", way_out)
