"""Models by name: the table of providers and `load_model`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mossbench.errors import UsageError, unknown_name
from mossbench.models.control import CONTROLS, control
from mossbench.models.model import Answerer, FunctionModel, Model, Prompt, Settings
from mossbench.models.replay import Replay
from mossbench.own_code import is_own_code, load_own_code

__all__ = ["PROVIDERS", "FunctionModel", "Model", "Prompt", "Settings", "load_model"]


def _openai(name: str, base_url: str | None) -> Model:
    from mossbench.models.openai import OpenAIModel

    return OpenAIModel(name, base_url)


PROVIDERS: dict[str, tuple[str, Callable[[str, str | None], Model]]] = {
    "control": ("planted behaviour, offline: " + ", ".join(CONTROLS), lambda name, _: control(name)),
    "replay": ("recorded answers: replay/FILE (.jsonl, .csv, results.json)", lambda name, _: Replay(Path(name))),
    "openai": ("OpenAI and compatible endpoints (--base-url); extra [openai]", _openai),
}
"""Provider -> what it is, and how to make one of its models from a name and a base URL."""

_SEE = f"models are provider/name with provider one of {', '.join(PROVIDERS)}, or path/to/file.py:function"


def load_model(spec: str | Model | Answerer, *, base_url: str | None = None) -> Model:
    """The model that `spec` names; a Model or a function of one Prompt is taken as it is."""
    if isinstance(spec, Model):
        return spec
    if callable(spec):
        return FunctionModel(spec, f"python/{getattr(spec, '__qualname__', type(spec).__name__)}")
    if is_own_code(spec):
        own = load_own_code(spec)
        return FunctionModel(own.function, own.name, own.version)
    if not isinstance(spec, str):
        raise UsageError(f"model is {spec!r}, expected a name, a Model or a function of a Prompt")
    provider, _, name = spec.partition("/")
    if provider not in PROVIDERS:
        near = [f"control/{c}" for c in CONTROLS] + [f"{known}/{name}" for known in PROVIDERS if name]
        raise unknown_name("model", spec, near, _SEE)
    if not name:
        raise UsageError(f"model {spec!r} has no name after the provider; {_SEE}")
    if base_url is not None and provider != "openai":
        raise UsageError(f"--base-url goes with openai/<model>, not with {spec!r}")
    return PROVIDERS[provider][1](name, base_url)
