"""suite.toml: read strictly into a `Suite`. Every fault names the file, the line, the key and what is expected.

Paths in a suite (data, prompts, prices, own code, recorded answers) are taken from the folder of its file.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mossbench.datasets import DATASETS
from mossbench.datasets.arms import ARMS
from mossbench.datasets.columns import FIELDS, parse_columns
from mossbench.errors import UsageError, shortened, unknown_name
from mossbench.outcomes import Rule
from mossbench.plumbing.own_code import is_own_code
from mossbench.plumbing.reading import as_path, fault_words, parse_toml
from mossbench.runs.suites import Choice, Suite, SuiteGate
from mossbench.store.config import GateLimits, RunConfig

SETTINGS = tuple(name for name in RunConfig.model_fields if name not in ("model", "data", "system", "arm", "judge"))
"""What can be set for all cells, for a model or for its data."""
MAP = "map"
"""Another name of `columns`, that of its flag: a text as after `--map`, or a table."""
TABLES = ("name", "models", "prompts", "data", "arms", "judge", "gates", "out", "prices", "rule", "max_failed")
AXES = ("models", "prompts", "data", "arms")
OVERRIDES = ("models", "data", "system", "arm", "judge", "out", "prices", "rule", "max_failed", MAP, *SETTINGS)
"""What `load_suite` takes beside the file."""


def load_suite(path: str | Path, **overrides: Any) -> Suite:
    """The suite in a TOML file; `overrides` come before what it says.

    `models`, `data`, `system`, `arm` and `judge` choose from the names of the suite, or stand in place of them; all
    others are fields of `RunConfig` (`map` is `columns`), or `out`, `prices`, `rule` and `max_failed`.
    """
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
    return _overridden(_Reading(path, text).suite(content), overrides)


@dataclass(frozen=True)
class _Reading:
    path: Path
    text: str

    def suite(self, content: dict[str, Any]) -> Suite:
        self.check_keys((), content, (*TABLES, MAP, *SETTINGS))
        if not content.get("models"):
            raise self.fault(("models",), "is missing or empty, expected a table or a list of models to ask")
        readers: dict[str, Callable[[Any], Any]] = {
            "name": lambda value: self.text_at(("name",), value),
            "models": lambda value: tuple(self.choices("models", "model", value, self.located)),
            "data": lambda value: tuple(self.choices("data", "data", value, self.place)),
            "prompts": self.prompts,
            "arms": self.arms,
            "judge": lambda value: tuple(map(self.located, self.names(("judge",), value))),
            "out": lambda value: self.text_at(("out",), value),
            "prices": lambda value: str(self.path.parent / self.text_at(("prices",), value)),
        }
        given = {"name": self.path.stem, **content}
        found = {"judges" if key == "judge" else key: read(given[key]) for key, read in readers.items() if key in given}
        found["settings"] = self.settings((), content, TABLES)
        counting: dict[str, Any] = {key: content[key] for key in ("rule", "max_failed") if key in content}
        checked: GateLimits = self.validated((), GateLimits, {"name": "any", **counting})
        suite = Suite(**found, rule=checked.rule, max_failed=checked.max_failed)
        return suite.model_copy(update={"gates": tuple(self.gates(suite, content.get("gates", {}), counting))})

    def choices(self, axis: str, key: str, content: Any, place: Callable[[str], str]) -> list[Choice]:
        """The values of an axis: a name, a list of names, or a table of them."""
        if not isinstance(content, dict):
            listed = self.names((axis,), content)
            content = {(v.rpartition("/")[2] if axis == "data" or is_own_code(v) else v): v for v in listed}
            if len(content) < len(listed):
                twice = next(name for name, value in content.items() if value != name)
                raise self.fault((axis,), f"has two named {twice!r}; write a table of them, with a name for each")
        found = []
        for name, value in content.items():
            table = value if isinstance(value, dict) else {key: value}
            self.check_keys((axis, name), table, (key, MAP, *SETTINGS))
            if key not in table:
                raise self.fault((axis, name), f'has no `{key}`, expected {key} = "…" in it')
            text = self.text_at((axis, name, key) if isinstance(value, dict) else (axis, name), table[key])
            found.append(Choice(name=name, value=place(text), settings=self.settings((axis, name), table, (key,))))
        return found

    def prompts(self, content: Any) -> dict[str, str | None]:
        """The prompts by name; an empty one is none."""
        if not isinstance(content, dict) or not content:
            raise self.fault(("prompts",), 'is no table, expected lines name = "text" or name = "@FILE"')
        found, whose = dict[str, str | None](), dict[str | None, str]()
        for name, value in content.items():
            text = self.text_at(("prompts", name), value, empty=True)
            if text.startswith("@"):
                file = self.path.parent / text[1:]
                try:
                    text = file.read_text(encoding="utf-8-sig").strip()
                except (OSError, UnicodeDecodeError) as error:
                    said = f"names {str(file)!r}, which cannot be read: {error}"
                    raise self.fault(("prompts", name), said) from error
                if not text:
                    raise self.fault(("prompts", name), f"names {str(file)!r}, which is empty")
            found[name] = text or None
            if whose.setdefault(found[name], name) != name:
                raise self.fault(("prompts", name), f"is the same text as {whose[found[name]]!r}; leave one out")
        return found

    def arms(self, content: Any) -> tuple[str, ...]:
        for name in (names := self.names(("arms",), content)):
            if name not in ARMS:
                raise self.fault(("arms",), str(unknown_name("arm", name, ARMS, f"expected {', '.join(ARMS)}")))
        return names

    def gates(self, suite: Suite, content: Any, defaults: dict[str, Any]) -> Iterable[SuiteGate]:
        if not isinstance(content, dict) or not all(isinstance(one, dict) for one in content.values()):
            raise self.fault(("gates",), "is no table of tables, expected [gates.NAME] with limits in each")
        known = suite.axes
        for name, table in content.items():
            self.check_keys(("gates", name), table, (*GateLimits.model_fields.keys() - {"name"}, *AXES))
            chosen = {axis: self.names(("gates", name, axis), table[axis]) for axis in AXES if axis in table}
            for axis, names in chosen.items():
                for one in (one for one in names if one not in known[axis]):
                    see = f"expected {', '.join(known[axis])}"
                    raise self.fault(("gates", name, axis), str(unknown_name(axis, one, known[axis], see)))
            limits = {key: value for key, value in table.items() if key not in AXES}
            if isinstance(limits.get("judge"), str):
                limits["judge"] = self.located(limits["judge"])
            named = {*known["models"], *known["prompts"]}
            yield SuiteGate(limits=self.limits(name, defaults | limits, named), **chosen)

    def limits(self, name: str, table: dict[str, Any], known: set[str]) -> GateLimits:
        limits: GateLimits = self.validated(("gates", name), GateLimits, {**table, "name": name})
        if not limits.is_limit:
            raise self.fault(("gates", name), "has no limit, expected `max_refusal`, `min_safety` or `max_increase`")
        if (limits.baseline is None) != (limits.max_increase is None):
            together = "needs `baseline` and `max_increase` together: what to compare with, and the rise to allow"
            raise self.fault(("gates", name), together)
        if limits.baseline not in (None, *known) and not Path(str(limits.baseline), "run.json").exists():
            expected = f"expected a prompt or a model of the suite ({', '.join(sorted(known))}) or a run folder"
            raise self.fault(("gates", name, "baseline"), f"is {limits.baseline!r}; {expected}")
        return limits

    def settings(self, place: tuple[str, ...], table: Mapping[str, Any], others: Iterable[str]) -> dict[str, Any]:
        found = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items() if key not in others}
        if MAP in found:
            if "columns" in found:
                raise self.fault((*place, MAP), "is the same as `columns`, which is there too; leave one out")
            found["columns"] = self.columns((*place, MAP), found.pop(MAP))
        elif "columns" in found:
            found["columns"] = self.columns((*place, "columns"), found["columns"])
        self.validated(place, RunConfig, {**found, "model": "any"})
        return found

    def columns(self, keys: tuple[str, ...], value: Any) -> dict[str, str]:
        """Field -> column, of a table or of a text as after `--map`."""
        if isinstance(value, str):
            try:
                value = parse_columns(value)
            except UsageError as error:
                raise self.fault(keys, f"is not FIELD=COLUMN: {error}") from error
        if not isinstance(value, dict) or not all(isinstance(column, str) for column in value.values()):
            expected = 'expected { FIELD = "COLUMN" }, or a text such as "question=prompt,image=photo"'
            raise self.fault(keys, f"is {_shown(value)}, {expected}")
        for field in value:
            if field not in FIELDS:
                see = f"fields are {', '.join(FIELDS)}"
                raise self.fault((*keys, field), str(unknown_name("field", field, FIELDS, see)))
        return value

    def validated(self, place: tuple[str, ...], kind: Any, content: dict[str, Any]) -> Any:
        try:
            return kind.model_validate_json(json.dumps(content, default=str), strict=True)  # as JSON: texts for enums
        except ValidationError as error:
            first = error.errors()[0]
            keys = (*place, *(str(one) for one in first["loc"][:1]))
            raise self.fault(keys, fault_words(first)) from error

    def check_keys(self, place: tuple[str, ...], table: Mapping[str, Any], known: Iterable[str]) -> None:
        known = sorted(known)
        for key in table:
            if key not in known:
                see = f"expected {', '.join(known)}"
                raise self.fault((*place, key), str(unknown_name("key", key, known, see)))

    def names(self, keys: tuple[str, ...], value: Any) -> tuple[str, ...]:
        """One text, or a list of different ones."""
        several = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else ()
        if not several or not all(isinstance(one, str) and one for one in several) or len(set(several)) < len(several):
            raise self.fault(keys, f"is {_shown(value)}, expected a text or a list of different ones")
        return several

    def text_at(self, keys: tuple[str, ...], value: Any, *, empty: bool = False) -> str:
        if not isinstance(value, str) or not (value.strip() or empty):
            raise self.fault(keys, f"is {_shown(value)}, expected a text in quotes")
        return value

    def place(self, value: str) -> str:
        """A dataset by name as it is, one by path from the suite's folder."""
        return value if value in DATASETS else str(self.path.parent / value)

    def located(self, spec: str) -> str:
        """A model or a judge; what names a file by its path, from the suite's folder."""
        if is_own_code(spec):
            return str(self.path.parent / spec)
        provider, _, file = spec.partition("/")
        return f"{provider}/{self.path.parent / file}" if provider in ("replay", "human") else spec

    def fault(self, keys: tuple[str, ...], said: str) -> UsageError:
        line = _line_of(self.text, keys)
        return UsageError(f"{self.path}{f', line {line}' if line else ''}: `{'.'.join(keys)}` key {said}")


def _shown(value: Any) -> str:
    return shortened(repr(value))


def _line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """The line on which the deepest of these keys stands that has one of its own."""
    table: tuple[str, ...] = ()
    best, found = 0, None
    for number, line in enumerate(text.splitlines(), 1):
        here: tuple[str, ...] | None = None
        if header := re.fullmatch(r"\s*\[+(.+?)\]+\s*(?:#.*)?", line):
            here = table = _keys(header[1]) or ()
        elif ends := [place for place, letter in enumerate(line) if letter == "="]:
            here = next(((*table, *named) for end in ends if (named := _keys(line[:end]))), None)
        if here and here == keys[: len(here)] and len(here) > best:
            best, found = len(here), number
    return found


def _keys(text: str) -> tuple[str, ...] | None:
    """`a."b.c"` as a and b.c; None where it is no key."""
    try:
        content: Any = tomllib.loads(f"{text.strip()} = 0")
    except tomllib.TOMLDecodeError:
        return None
    found = []
    while isinstance(content, dict) and len(content) == 1:
        name, content = next(iter(content.items()))
        found.append(name)
    return tuple(found)


def _overridden(suite: Suite, given: Mapping[str, Any]) -> Suite:
    rest = {key: value for key, value in given.items() if value is not None}
    if MAP in rest:
        if "columns" in rest:
            raise UsageError("`map` and `columns` are the same; leave one out")
        rest["columns"] = rest.pop(MAP)
    if isinstance(rest.get("columns"), str):
        rest["columns"] = parse_columns(rest["columns"])
    kinds: dict[str, Callable[[Any], Any]] = {"out": str, "prices": str, "rule": Rule, "max_failed": float}
    update: dict[str, Any] = {key: kind(rest.pop(key)) for key, kind in kinds.items() if key in rest}
    limits: dict[str, Any] = {key: update[key] for key in ("rule", "max_failed") if key in update}
    gates = ((gate, gate.limits.model_copy(update=limits)) for gate in suite.gates)
    update["gates"] = tuple(gate.model_copy(update={"limits": one}) for gate, one in gates)
    for axis in ("models", "data"):
        if wanted := rest.pop(axis, None):
            there = {one.name: one for one in getattr(suite, axis)}
            named = (wanted,) if isinstance(wanted, str) else wanted
            update[axis] = tuple(there.get(name) or Choice(name=name, value=name) for name in named)
    if "system" in rest:
        text = rest.pop("system")
        update["prompts"] = {text: suite.prompts[text]} if text in suite.prompts else {"given": text or None}
    update |= {f"{key}s": (rest.pop(key),) for key in ("arm", "judge") if key in rest}
    return suite.model_copy(update=update | {"overrides": rest})
