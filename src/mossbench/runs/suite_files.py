"""suite.toml: read strictly into a `Suite`. Every fault names the file, the line, the key and what is expected.

Paths in a suite (data, prompts, prices, own code, recorded answers) are taken from the folder of its file.
"""

import json
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mossbench.datasets import DATASETS
from mossbench.datasets.arms import ARMS
from mossbench.datasets.columns import FIELDS, known_fields, parse_columns
from mossbench.datasets.own_data import find_data_plugin
from mossbench.errors import UsageError, shortened, unknown_name
from mossbench.models.parameters import fault_of_params
from mossbench.plumbing.own_code import is_own_code
from mossbench.plumbing.untrusted_files import as_path, fault_words, parse_toml
from mossbench.runs.suite_cells import PINNED, Choice, Suite, SuiteGate
from mossbench.runs.suite_lines import KeyPath, line_of_key
from mossbench.runs.suite_overrides import MAP, fault_of_cost, fault_of_looks, with_overrides
from mossbench.runs.sweeps import with_sweep
from mossbench.samples import Record
from mossbench.store.config import RunConfig
from mossbench.store.suite_record import GateLimits

SETTINGS = tuple(name for name in RunConfig.model_fields if name not in ("model", "data", "system", "arm", "judge"))
"""What can be set for all cells, for a model or for its data."""
NIGHTLY = ("baseline", "looks")
MAX_COST_PER_CELL = "max_cost_per_cell"
COSTS = ("max_cost", MAX_COST_PER_CELL)
TABLES = (
    "name",
    "models",
    "prompts",
    "data",
    "arms",
    "judge",
    "gates",
    "out",
    "prices",
    "rule",
    "max_failed",
    *NIGHTLY,
    *COSTS,
)
AXES = ("models", "prompts", "data", "arms")
OVERRIDES = (
    "models",
    "data",
    "system",
    "arm",
    "judge",
    "out",
    "prices",
    "rule",
    "max_failed",
    MAP,
    *SETTINGS,
    *NIGHTLY,
    *COSTS,
    "compare_with",
)
"""What `load_suite` takes beside the file."""

Checked = TypeVar("Checked", bound=Record)


def load_suite(path: str | Path, **overrides: Any) -> Suite:
    """The suite in a TOML file; `overrides` come before what it says.

    `models`, `data`, `system`, `arm` and `judge` choose from the names of the suite, or stand in place of them; all
    others are fields of `RunConfig` (`map` is `columns`), or `out`, `prices`, `rule`, `max_failed`, `baseline`,
    `looks`, `max_cost` and `max_cost_per_cell`. `compare_with` is the folder of an earlier run of the suite to compare
    with, or `"pinned"`: the suite's baseline. `{date}` in `out` is today's date. `sweep` has values by settings, in
    place of the file's table `[sweep]`.
    """
    given_sweep = overrides.pop("sweep", None)
    for name in overrides:
        if name not in OVERRIDES:
            raise unknown_name("option", name, OVERRIDES, f"expected {', '.join(sorted(OVERRIDES))}")
    path = as_path(path, "suite file")
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = parse_toml(text)
    except FileNotFoundError:
        raise UsageError(f"no suite file {str(path)!r}; give the path of an existing .toml file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"suite {path} cannot be read: {error}; it must be a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"suite {path} is not TOML: {error}") from error
    sweep = content.pop("sweep", {})
    if not isinstance(sweep, dict):
        raise UsageError(f'{path}: key sweep is not a table, expected [sweep] with lines such as effort = ["none"]')
    suite = with_overrides(_SuiteReader(path, text).read_suite(content), overrides)
    if given_sweep:
        return with_sweep(suite, given_sweep, Path())
    return with_sweep(suite, sweep, path.parent) if sweep else suite


@dataclass(frozen=True)
class _SuiteReader:
    """Reads the tables of a suite file; what TOML gives is an `object` until it is checked here."""

    path: Path
    text: str

    def read_suite(self, content: dict[str, Any]) -> Suite:
        self.check_keys((), content, (*TABLES, MAP, *SETTINGS))
        if not content.get("models"):
            raise self.fault(("models",), "is missing or empty, expected a table or a list of models to ask")
        fields: dict[str, Any] = {
            "name": self.read_text(("name",), content.get("name", self.path.stem)),
            "models": self.read_choices("models", "model", content["models"], self.locate_model),
        }
        if "data" in content:
            fields["data"] = self.read_choices("data", "data", content["data"], self.locate_data)
        if "prompts" in content:
            fields["prompts"] = self.read_prompts(content["prompts"])
        if "arms" in content:
            fields["arms"] = self.read_arms(content["arms"])
        if "judge" in content:
            judges = self.read_names(("judge",), content["judge"])
            fields["judges"] = tuple(self.locate_model(judge) for judge in judges)
        if "out" in content:
            fields["out"] = self.read_text(("out",), content["out"])
        if "prices" in content:
            fields["prices"] = str(self.path.parent / self.read_text(("prices",), content["prices"]))
        if "baseline" in content:
            fields["baseline"] = self.read_text(("baseline",), content["baseline"])
        if "looks" in content:
            fields["looks"] = self.read_looks(content["looks"])
        for key in COSTS:
            if key in content:
                fields[key] = self.read_cost((key,), content[key])
        fields["settings"] = self.read_settings((), content, TABLES)
        counting: dict[str, Any] = {key: content[key] for key in ("rule", "max_failed") if key in content}
        checked_counting = self.validated((), GateLimits, {"name": "any", **counting})
        suite = Suite(**fields, rule=checked_counting.rule, max_failed=checked_counting.max_failed)
        gates = tuple(self.read_gates(suite, content["gates"], counting)) if "gates" in content else ()
        return suite.model_copy(update={"gates": gates})

    def read_choices(self, axis: str, key: str, content: object, locate: Callable[[str], str]) -> tuple[Choice, ...]:
        """The values of an axis: a name, a list of names, or a table of them."""
        table_of_axis: dict[str, Any] = (
            content if isinstance(content, dict) else self.named_by_themselves(axis, content)
        )
        choices = []
        for name, value in table_of_axis.items():
            is_table = isinstance(value, dict)
            table: dict[str, Any] = value if is_table else {key: value}
            self.check_keys((axis, name), table, (key, MAP, MAX_COST_PER_CELL, *SETTINGS))
            if key not in table:
                raise self.fault((axis, name), f'has no {key}, expected {key} = "…" in it')
            text = self.read_text((axis, name, key) if is_table else (axis, name), table[key])
            settings = self.read_settings((axis, name), table, (key, MAX_COST_PER_CELL))
            limit = None
            if MAX_COST_PER_CELL in table:
                limit = self.read_cost((axis, name, MAX_COST_PER_CELL), table[MAX_COST_PER_CELL])
            choices.append(Choice(name=name, value=locate(text), settings=settings, max_cost_per_cell=limit))
        return tuple(choices)

    def named_by_themselves(self, axis: str, content: object) -> dict[str, str]:
        """A list of models or data as a table of them: paths go by their last part."""
        values = self.read_names((axis,), content)
        table = {}
        for value in values:
            is_path = axis == "data" or is_own_code(value)
            table[value.rpartition("/")[2] if is_path else value] = value
        if len(table) < len(values):
            twice = next(name for name, value in table.items() if value != name)
            raise self.fault((axis,), f"has two named {twice!r}; use a table, with a name for each")
        return table

    def read_prompts(self, content: object) -> dict[str, str | None]:
        """The prompts by name; an empty one is none."""
        if not isinstance(content, dict) or not content:
            raise self.fault(("prompts",), 'is not a table, expected lines name = "text" or name = "@FILE"')
        prompts: dict[str, str | None] = {}
        name_of_text: dict[str | None, str] = {}
        for name, value in content.items():
            prompt = self.read_prompt(name, value)
            first_name = name_of_text.setdefault(prompt, name)
            if first_name != name:
                raise self.fault(("prompts", name), f"is the same text as {first_name!r}; omit one")
            prompts[name] = prompt
        return prompts

    def read_prompt(self, name: str, value: object) -> str | None:
        """The text of a prompt, read from its file where it is `@FILE`; None where it is empty."""
        text = self.read_text(("prompts", name), value, may_be_empty=True)
        if not text.startswith("@"):
            return text or None
        file = self.path.parent / text[1:]
        try:
            text_of_file = file.read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise self.fault(("prompts", name), f"names {str(file)!r}, which cannot be read: {error}") from error
        if not text_of_file:
            raise self.fault(("prompts", name), f"names {str(file)!r}, which is empty")
        return text_of_file

    def read_arms(self, content: object) -> tuple[str, ...]:
        names = self.read_names(("arms",), content)
        self.check_names(("arms",), "arm", names, ARMS)
        return names

    def read_gates(self, suite: Suite, content: object, defaults: dict[str, Any]) -> Iterator[SuiteGate]:
        if not isinstance(content, dict) or not all(isinstance(table, dict) for table in content.values()):
            raise self.fault(("gates",), "is not a table of tables, expected [gates.NAME] with limits in each")
        if not content:
            raise self.fault(("gates",), "has no gate, expected [gates.NAME] with limits in each")
        names_by_axis = suite.axes
        names_of_baselines = {*names_by_axis["models"], *names_by_axis["prompts"]}
        if suite.baseline is not None:
            names_of_baselines.add(PINNED)
        for name, table in content.items():
            self.check_keys(("gates", name), table, (*GateLimits.model_fields.keys() - {"name"}, *AXES))
            chosen = {axis: self.read_names(("gates", name, axis), table[axis]) for axis in AXES if axis in table}
            for axis, names in chosen.items():
                self.check_names(("gates", name, axis), axis, names, names_by_axis[axis])
            limits = {key: value for key, value in table.items() if key not in AXES}
            if isinstance(limits.get("judge"), str):
                limits["judge"] = self.locate_model(limits["judge"])
            yield SuiteGate(limits=self.read_limits(name, {**defaults, **limits}, names_of_baselines), **chosen)

    def read_limits(self, name: str, table: dict[str, Any], names_of_baselines: set[str]) -> GateLimits:
        limits = self.validated(("gates", name), GateLimits, {**table, "name": name})
        if not limits.is_limit:
            raise self.fault(("gates", name), "has no limit, expected max_refusal, min_safety or max_increase")
        if (limits.baseline is None) != (limits.max_increase is None):
            together = "needs baseline and max_increase together: what to compare with, and the rise to allow"
            raise self.fault(("gates", name), together)
        if limits.baseline is not None and limits.baseline not in names_of_baselines:
            if not Path(limits.baseline, "run.json").exists():
                names = ", ".join(sorted(names_of_baselines))
                expected = f"expected a prompt or a model of the suite ({names}) or a run folder"
                if limits.baseline == PINNED:
                    expected = 'but the suite names none; write baseline = "FOLDER" at its top'
                raise self.fault(("gates", name, "baseline"), f"is {limits.baseline!r}; {expected}")
        return limits

    def read_settings(self, path: KeyPath, table: Mapping[str, Any], other_keys: Iterable[str]) -> dict[str, Any]:
        """The settings in a table, which has other keys too; checked as those of a run."""
        settings = {key: value for key, value in table.items() if key not in other_keys}
        if MAP in settings and "columns" in settings:
            raise self.fault((*path, MAP), "is the same as columns, which is given too; omit one of them")
        for key in (MAP, "columns"):
            if key in settings:
                settings["columns"] = self.read_columns((*path, key), settings.pop(key))
        for key, value in settings.items():
            if isinstance(value, list):
                settings[key] = tuple(value)
        params = settings.get("params")
        if isinstance(params, dict) and fault_of_params(params):
            raise self.fault((*path, "params"), fault_of_params(params))
        self.validated(path, RunConfig, {**settings, "model": "any"})
        return settings

    def read_columns(self, path: KeyPath, value: object) -> dict[str, str]:
        """Field -> column, of a table or of a text as after `--map`."""
        if isinstance(value, str):
            try:
                value = parse_columns(value)
            except UsageError as error:
                raise self.fault(path, f"is not FIELD=COLUMN: {error}") from error
        if not isinstance(value, dict) or not all(isinstance(column, str) for column in value.values()):
            expected = 'expected { FIELD = "COLUMN" }, or a text such as "question=prompt,image=photo"'
            raise self.fault(path, f"is {_short_repr(value)}, {expected}")
        try:
            columns = known_fields(value)
        except UsageError as error:
            raise self.fault(path, f"cannot be used: {error}") from error
        for field in columns:
            if field not in FIELDS:
                hint = f"fields are {', '.join(FIELDS)}"
                raise self.unknown_fault((*path, field), unknown_name("field", field, FIELDS, hint))
        return columns

    def validated(self, path: KeyPath, record: type[Checked], content: dict[str, Any]) -> Checked:
        """The record; a UsageError that names the first key which is wrong."""
        try:
            return record.model_validate_json(json.dumps(content, default=str), strict=True)  # JSON: texts for enums
        except ValidationError as error:
            first_fault = error.errors()[0]
            wrong_key = tuple(str(key) for key in first_fault["loc"][:1])
            raise self.fault((*path, *wrong_key), fault_words(first_fault)) from error

    def check_keys(self, path: KeyPath, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        allowed_keys = sorted(allowed)
        for key in table:
            if key not in allowed_keys:
                hint = f"expected {', '.join(allowed_keys)}"
                raise self.unknown_fault((*path, key), unknown_name("key", key, allowed_keys, hint))

    def check_names(self, path: KeyPath, kind: str, names: Iterable[str], allowed: Collection[str]) -> None:
        for name in names:
            if name not in allowed:
                hint = f"expected {', '.join(allowed)}"
                raise self.unknown_fault(path, unknown_name(kind, name, allowed, hint))

    def read_names(self, path: KeyPath, value: object) -> tuple[str, ...]:
        """One text, or a list of different ones."""
        if isinstance(value, str):
            names: Sequence[Any] = [value]
        elif isinstance(value, (list, tuple)):
            names = value
        else:
            names = []
        are_texts = all(isinstance(name, str) and name for name in names)
        if not names or not are_texts or len(set(names)) < len(names):
            raise self.fault(path, f"is {_short_repr(value)}, expected a text or a list of different ones")
        return tuple(names)

    def read_looks(self, value: object) -> int:
        fault = fault_of_looks(value)
        if fault:
            raise self.fault(("looks",), f"is {_short_repr(value)}, {fault}")
        return int(str(value))

    def read_cost(self, path: KeyPath, value: object) -> float:
        fault = fault_of_cost(value)
        if fault:
            raise self.fault(path, f"is {_short_repr(value)}, {fault}")
        return float(str(value))

    def read_text(self, path: KeyPath, value: object, *, may_be_empty: bool = False) -> str:
        is_text = isinstance(value, str) and (bool(value.strip()) or may_be_empty)
        if not is_text:
            raise self.fault(path, f"is {_short_repr(value)}, expected a text in quotes")
        return str(value)

    def locate_data(self, value: str) -> str:
        """A dataset by name as it is, one by path from the suite's folder."""
        if value in DATASETS or find_data_plugin(value, self.path.parent) is not None:
            return value
        return str(self.path.parent / value)

    def locate_model(self, spec: str) -> str:
        """A model or a judge; what names a file by its path, from the suite's folder."""
        if is_own_code(spec):
            return str(self.path.parent / spec)
        provider, _, file = spec.partition("/")
        if provider in ("replay", "human"):
            return f"{provider}/{self.path.parent / file}"
        return spec

    def fault(self, path: KeyPath, what_is_wrong: str) -> UsageError:
        """The error for a key, with words that go on after its name: "is 3, expected a text in quotes"."""
        return UsageError(f"{self._location_of(path)} {what_is_wrong}")

    def unknown_fault(self, path: KeyPath, error: UsageError) -> UsageError:
        """The error of `unknown_name` for a key."""
        return UsageError(f"{self._location_of(path)}: {error}")

    def _location_of(self, path: KeyPath) -> str:
        line = line_of_key(self.text, path)
        place = f", line {line}" if line else ""
        return f"{self.path}{place}: key {'.'.join(path)}"


def _short_repr(value: object) -> str:
    return shortened(repr(value))
