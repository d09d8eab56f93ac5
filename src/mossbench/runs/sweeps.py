"""Sweeps: a suite whose models are asked at several points, such as `effort=none,low,high`.

Each point is a cell of the suite for each model, prompt, dataset and arm; `results.sweep_tables` compares them with the
first.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError, bad_option, shortened
from mossbench.judges import DEFAULT_JUDGE
from mossbench.models.parameters import fault_of_params
from mossbench.plumbing.json_values import value_words
from mossbench.runs.suite_cells import Choice, Suite
from mossbench.store.config import OPERATIONAL, RunConfig

Sweep = Mapping[str, Sequence[Any]]
"""Settings or parameters, and the values of each."""
MOST_POINTS = 100
_NOT_SWEPT = {"model", "data", "columns", "shard", "params", "model_name", *OPERATIONAL}
_CHOOSES_SAMPLES = ("side", "ids", "offset", "limit")
_NOT_SENT = ("default",)
"""A value that leaves a setting to the provider."""


def read_sweep(texts: Sequence[str]) -> dict[str, list[Any]]:
    """`effort=none,low`, several times, as values by name; each value is JSON, or else a text."""
    sweep: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip()
        if not equals or not name or not values.strip():
            raise UsageError(f"expected NAME=VALUE,VALUE, as in effort=none,low,high, got {shortened(repr(text))}")
        if name in sweep:
            raise UsageError(f"{name} is swept twice; give all of its values at once")
        sweep[name] = [_read_value(value.strip()) for value in values.split(",") if value.strip()]
    return sweep


def _read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def check_sweep(sweep: Sweep) -> None:
    """A UsageError for a sweep that cannot be made."""
    n_points = 1
    for name, values in sweep.items():
        if name in _CHOOSES_SAMPLES:
            problem = f"has {name}, which changes the samples that are asked: points are compared sample by sample"
            raise bad_option("sweep", problem)
        if name in _NOT_SWEPT:
            raise bad_option("sweep", f"has {name}, which cannot be swept")
        if not isinstance(values, (list, tuple)) or not values:
            raise bad_option("sweep", f"has no list of values for {name}")
        if len({value_words(value) for value in values}) < len(values):  # 0 and 0.0 are one temperature
            raise bad_option("sweep", f"has a value of {name} twice")
        n_points *= len(values)
    if n_points < 2:
        raise bad_option("sweep", "has one point; a sweep needs two values, of which the first is compared with")
    if n_points > MOST_POINTS:
        raise bad_option("sweep", f"has {n_points} points, at most {MOST_POINTS} are asked")


def with_sweep(suite: Suite, sweep: Sweep, folder: Path) -> Suite:
    """The suite with a model for each model and point; files of system prompts are taken from `folder`.

    Gates that name a model hold for all of its points; as a baseline it is its first one.
    """
    check_sweep(sweep)
    axes = [[(name, value) for value in values] for name, values in sweep.items()]
    points = [dict(point) for point in product(*axes)]
    choices = []
    for model in suite.models:
        for point in points:
            choices.append(_choice_at(model, point, folder))
    names = {
        model.name: tuple(choice.name for choice in choices if choice.swept == model.name) for model in suite.models
    }
    gates = []
    for gate in suite.gates:
        models = gate.models and tuple(point for name in gate.models for point in names[name])
        limits = gate.limits
        if limits.baseline in names:
            limits = limits.model_copy(update={"baseline": names[limits.baseline][0]})
        gates.append(gate.model_copy(update={"models": models, "limits": limits}))
    return suite.model_copy(update={"models": tuple(choices), "gates": tuple(gates)})


def _choice_at(model: Choice, point: Mapping[str, Any], folder: Path) -> Choice:
    settings = dict(model.settings)
    params = dict(settings.get("params", {}))
    for name, value in point.items():
        if name == "system":
            settings["system"] = _system_prompt(value, folder)
        elif name in RunConfig.model_fields:
            settings[name] = None if value in _NOT_SENT else value
        elif value not in _NOT_SENT:
            params[name] = value
    fault = fault_of_params(params)
    if fault:
        raise bad_option("sweep", fault)
    if params:
        settings["params"] = params
    labels = tuple(f"{name}={_value_label(name, value)}" for name, value in point.items())
    name = " ".join((model.name, *labels))
    return model.model_copy(update={"name": name, "settings": settings, "swept": model.name, "point": labels})


def _value_label(name: str, value: Any) -> str:
    if name == "system":
        return Path(str(value).removeprefix("@")).name
    return value_words(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _system_prompt(value: Any, folder: Path) -> str | None:
    """The text of a file; None for `none`."""
    if not isinstance(value, str):
        raise bad_option("sweep", f"has system {value!r}, expected the name of a file, or none")
    if value in ("none", ""):
        return None
    path = folder / value.removeprefix("@")
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise bad_option("sweep", f"names the system prompt {str(path)!r}, which cannot be read: {error}") from error
    if not text:
        raise bad_option("sweep", f"names the system prompt {str(path)!r}, which is empty; none sends none")
    return text


def make_sweep(
    models: str | Sequence[str],
    data: str = "sketches",
    *,
    sweep: Sweep,
    judge: str = DEFAULT_JUDGE,
    out: str | Path = "runs",
    **settings: Any,
) -> Suite:
    """A suite that asks models about data at each point of a sweep; `run_suite` runs it.

    Args:
        models: The model, or several.
        data: The dataset.
        sweep: Settings of runs, or parameters of the provider, and the values of each; the first are compared with.
        judge: Who judges.
        out: The folder of its runs.
        settings: Other settings of all runs, as for `run`.
    """
    named = [models] if isinstance(models, str) else list(models)
    suite = Suite(
        name="sweep",
        models=tuple(Choice(name=name, value=name) for name in named),
        data=(Choice(name=Path(data).name or data, value=data),),
        judges=(judge,),
        settings=settings,
        out=str(out),
    )
    return with_sweep(suite, sweep, Path())
