"""What is given beside a suite file, on the command line or in Python, comes before what the file says."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mossbench.datasets.columns import parse_columns
from mossbench.errors import bad_option
from mossbench.outcomes import Rule
from mossbench.runs.suite_cells import Choice, Suite

MAP = "map"
"""Another name of `columns`, that of its flag: a text as after `--map`, or a table."""


def with_overrides(suite: Suite, overrides: Mapping[str, Any]) -> Suite:
    """The suite with what was given beside its file."""
    settings = {key: value for key, value in overrides.items() if value is not None}
    if MAP in settings:
        if "columns" in settings:
            raise bad_option("map", "and columns are the same; omit one of them")
        settings["columns"] = settings.pop(MAP)
    if isinstance(settings.get("columns"), str):
        settings["columns"] = parse_columns(settings["columns"])
    update = _override_counting(suite, settings)
    for axis in ("models", "data"):
        chosen = settings.pop(axis, None)
        if chosen:
            update[axis] = _choose(getattr(suite, axis), [chosen] if isinstance(chosen, str) else chosen)
    if "system" in settings:
        prompt = settings.pop("system")
        is_named = prompt in suite.prompts
        update["prompts"] = {prompt: suite.prompts[prompt]} if is_named else {"given": prompt or None}
    if "arm" in settings:
        update["arms"] = (settings.pop("arm"),)
    if "judge" in settings:
        update["judges"] = (settings.pop("judge"),)
    update["overrides"] = settings
    return suite.model_copy(update=update)


def _override_counting(suite: Suite, settings: dict[str, Any]) -> dict[str, Any]:
    """Fields of the suite that say where and how it is counted, taken out of the settings; gates follow."""
    update: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for key in ("out", "prices"):
        if key in settings:
            update[key] = str(settings.pop(key))
    if "rule" in settings:
        limits["rule"] = Rule(settings.pop("rule"))
    if "max_failed" in settings:
        limits["max_failed"] = float(settings.pop("max_failed"))
    gates = [gate.model_copy(update={"limits": gate.limits.model_copy(update=limits)}) for gate in suite.gates]
    return {**update, **limits, "gates": tuple(gates)}


def _choose(choices: Sequence[Choice], names: Iterable[str]) -> tuple[Choice, ...]:
    """Choices of the suite by their names; what it does not name stands for itself."""
    by_name = {choice.name: choice for choice in choices}
    return tuple(by_name.get(name) or Choice(name=name, value=name) for name in names)
