"""What is given beside a suite file, on the command line or in Python, comes before what the file says."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from mossbench.datasets.columns import parse_columns
from mossbench.errors import bad_option
from mossbench.outcomes import Rule
from mossbench.results.suite_folders import with_date
from mossbench.runs.suite_cells import PINNED, Choice, Suite

MOST_LOOKS = 1000
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
    changed = suite.model_copy(update=update)
    return changed.model_copy(
        update={
            "out": with_date(changed.out, today()),
            "compare_with": _folder_to_compare_with(changed),
        }
    )


def today() -> date:
    """A function of its own, so that tests can choose the day."""
    return date.today()


def fault_of_looks(value: object) -> str:
    """What was expected in place of this number of nights; empty if it is one."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole and 1 <= int(str(value)) <= MOST_LOOKS:
        return ""
    return f"expected a whole number from 1 to {MOST_LOOKS}: the nights that one baseline is used for"


def fault_of_cost(value: object) -> str:
    """What was expected in place of this limit; empty if it is one."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if is_number and 0 < float(str(value)) < math.inf else "expected US dollars above 0"


def _folder_to_compare_with(suite: Suite) -> str | None:
    """The folder that `compare_with` means; a UsageError if it is `pinned` and the suite names no baseline."""
    if suite.compare_with != PINNED:
        return suite.compare_with
    if suite.baseline is None:
        raise bad_option(
            "compare_with",
            f'is {PINNED!r}, but suite {suite.name!r} names no baseline; write baseline = "FOLDER" in it',
        )
    return suite.baseline


def _override_counting(suite: Suite, settings: dict[str, Any]) -> dict[str, Any]:
    """Fields of the suite that say where and how it is counted, taken out of the settings; gates follow."""
    update: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for key in ("out", "prices", "baseline", "compare_with"):
        if key in settings:
            update[key] = str(settings.pop(key))
    for key, fault_of in (("looks", fault_of_looks), ("max_cost", fault_of_cost), ("max_cost_per_cell", fault_of_cost)):
        if key in settings:
            fault = fault_of(settings[key])
            if fault:
                raise bad_option(key, f"is {settings[key]!r}, {fault}")
            update[key] = settings.pop(key)
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
