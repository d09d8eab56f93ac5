"""What options and arguments take: names that the library has, paths, the folders of runs.

The library is imported when a value is read, completed or explained, not before: `mossbench --help` must be quick.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import click
from click.shell_completion import CompletionItem

from mossbench.errors import shortened, unknown_name

MAX_NAMES_IN_HELP = 15
"""Of more names, a help text has the first two."""


def from_library(location: str) -> Any:
    """What `module:name` of the package is, as in `outcomes:MAX_FAILED`."""
    module, _, path = location.partition(":")
    value = import_module(f"mossbench.{module}")
    for part in path.split("."):
        value = getattr(value, part)
    return value


class Names(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions
    """One of the names in a list, or in a table, enum or Literal of the library (`module:name`). A shell completes it.

    Where something else is taken too (`or_else` says what), the library checks the value.
    """

    def __init__(
        self, name: str, names: str | Sequence[str], *, more_names: Sequence[str] = (), or_else: str = ""
    ) -> None:
        self.name = name
        self._listed = names
        self._more_names = more_names
        self._or_else = or_else

    def names(self) -> list[str]:
        listed = from_library(self._listed) if isinstance(self._listed, str) else self._listed
        members = get_args(listed) or listed  # of a Literal, or of a table or enum
        return [*(_as_text(member) for member in members), *self._more_names]

    def as_text(self) -> str:
        """For help: `candid, jumpy or file.py:function`."""
        names = self.names()
        if len(names) > MAX_NAMES_IN_HELP:
            names = names[:2]
        if self._or_else:
            names = [*names, self._or_else]
        return f"{', '.join(names[:-1])} or {names[-1]}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = _as_text(value)
        if self._or_else:
            return name
        names = self.names()
        if name not in names:
            self.fail(str(unknown_name(self.name, name, names, f"expected {', '.join(names)}")), param, ctx)
        return name

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        if self._or_else:
            return None
        return f"[{'|'.join(self.names())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        items = [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]
        if not items and self._or_else:
            return [CompletionItem(incomplete, type="file")]
        return items


def _as_text(value: Any) -> str:
    """A name, or the value of an enum's member."""
    return str(getattr(value, "value", value))


class Models(Names):
    """Presets, control models and the prefixes of providers."""

    def names(self) -> list[str]:
        controls = [f"control/{name}" for name in from_library("models.control:CONTROLS")]
        prefixes = [f"{name}/" for name in from_library("models:PROVIDERS") if name != "control"]
        return [*super().names(), *controls, *prefixes]


class RunPath(click.Path):
    """The folder of a run; where there is nothing at that path, the name of a run in `runs`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        named = Path("runs") / value
        if not path.exists() and (named / "run.json").is_file():
            return named
        return path


class Number(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions
    """A number within limits. `expected` says in words what it takes, for the message about another value."""

    name = "number"

    def __init__(
        self,
        expected: str,
        *,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        above: float = -math.inf,
        metavar: str = "N",
    ) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.above = above
        self._expected = expected
        self._metavar = metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = self.parse(value)
        except (ValueError, OverflowError):
            number = math.nan
        is_within_limits = self.minimum <= number <= self.maximum and number > self.above
        if not is_within_limits or abs(number) == math.inf:  # nan is within no limits
            self.fail(f"expected {self._expected}, got {shortened(repr(value))}", param, ctx)
        return number

    def parse(self, value: Any) -> float:
        """The number that a text or a default stands for; a ValueError if it is none."""
        return float(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return self._metavar


class WholeNumber(Number):
    """A whole number within limits."""

    name = "whole number"

    def __init__(self, expected: str, *, minimum: float = -math.inf, maximum: float = math.inf) -> None:
        super().__init__(expected, minimum=minimum, maximum=maximum)

    def parse(self, value: Any) -> int:
        return int(value)


PATH = click.Path(path_type=Path)
RUN_PATH = RunPath(path_type=Path)
WHOLE_NUMBER = WholeNumber("a whole number")
FROM_0 = WholeNumber("a whole number of at least 0", minimum=0)
FROM_1 = WholeNumber("a whole number of at least 1", minimum=1)
FROM_2 = WholeNumber("a whole number of at least 2", minimum=2)
PORT = WholeNumber("a port from 0 to 65535", minimum=0, maximum=65535)
NOT_NEGATIVE = Number("a number of at least 0", minimum=0)
POSITIVE = Number("a number above 0", above=0)
SCORE = Number("a number from 1 to 5", minimum=1, maximum=5)
SHARE = Number("a share from 0 to 1, such as 0.05", minimum=0, maximum=1, metavar="SHARE")
SHARE_ABOVE_0 = Number("a share above 0 and up to 1, such as 0.95", above=0, maximum=1, metavar="SHARE")
ANALYSIS = Names("analysis", "analyses:ANALYSES", more_names=["all"])
ARM = Names("arm", "datasets.arms:ARMS")
AVAILABILITY = Names("availability", ["web", "API", "open"])
DATASET = Names(
    "dataset", "datasets:DATASETS", or_else="another name that `mossbench data list` shows, a folder or file"
)
JUDGE = Names("judge", "judges:JUDGES", or_else="file.py:function")
MODEL = Models("model", "models:PRESETS", or_else="provider/name or file.py:function")
RULE = Names("rule", "outcomes:Rule")
ONE_SIDE = Names("side", "samples:Side")
SIDE = Names("side", "samples:Side", more_names=["both"])
STIMULUS = Names("stimulus", "samples:Stimulus")
