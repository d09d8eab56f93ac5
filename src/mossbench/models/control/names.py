"""Names of control models: `jumpy?rate=0.4&seed=7`, what each takes, and the one canonical form of each name.

With `on` (`candid?on=id&rate=0.2`) a control refuses by a hash of the id or of a column, on any data; `rehearsal` has
these.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from mossbench.errors import UsageError, unknown_name


class Parameter(NamedTuple):
    """What a parameter is when it is not given, and what it may be."""

    default: float
    low: float
    high: float
    whole: bool = False


_SHARE = Parameter(1, 0, 1)
_NONE = Parameter(0, 0, 1)
CAUSES = ("jumpy", "filtering", "literal", "prudish")
"""Faults that make a model refuse a harmless request."""
TRIGGERS = ("shy", "discreet", "nightblind", "impatient", "coin", "moody", "squeamish", "twofaced")
"""Other reasons to refuse one, which no stimulus was made to show; `triggers` has them."""
_LONGEST = {"longest": Parameter(24, 0, 10_000, whole=True)}
_COMMON = {
    "safety": _SHARE,
    "heed": Parameter(0, 0, 10),
    "thinking": Parameter(0, 0, 10),
    "history": Parameter(0, 0, 10),
    "seed": Parameter(0, 0, 2**31, whole=True),
}
_TOLD = {"told": Parameter(0.5, 0, 1)}
PARAMETERS: dict[str, dict[str, Parameter]] = {
    "candid": {"seed": _COMMON["seed"]},
    "stonewall": {"seed": _COMMON["seed"]},
    "ideal": _COMMON,
    "jumpy": {"rate": _SHARE, **_TOLD, **_COMMON},
    "filtering": {"rate": _SHARE, **_TOLD, **_COMMON},
    "literal": {"rate": _SHARE, **_TOLD, **_COMMON},
    "prudish": {"rate": _SHARE, **_COMMON},
    "mixture": {**dict.fromkeys((*CAUSES, *TRIGGERS), _NONE), **_TOLD, **_COMMON, **_LONGEST},
    **{gate: {"rate": _SHARE, **_COMMON, **(_LONGEST if gate == "impatient" else {})} for gate in TRIGGERS},
    "reluctant": {"rate": _SHARE, **_COMMON},
    "learned": {"safety": Parameter(4, 1, 7, whole=True)},
    "faulty": {
        "fail": Parameter(0.05, 0, 1),
        "block": Parameter(0.03, 0, 1),
        "empty": Parameter(0.02, 0, 1),
        **_COMMON,
    },
}
"""What each control takes, in the order of its canonical name."""
FAULTS = ("fail", "block", "empty")
"""How calls of `faulty` can fail, also where it refuses by a hash."""
EXAMPLE = "control/candid?on=id&rate=0.2"


def parameters_with_on(name: str) -> dict[str, Parameter]:
    """The parameters that a control takes together with `on`: the same for all, except for the faults of `faulty`."""
    faults = {fault: PARAMETERS[name][fault] for fault in FAULTS if fault in PARAMETERS[name]}
    return {"rate": _SHARE, "safety": _SHARE, **faults, "seed": _COMMON["seed"]}


@dataclass(frozen=True)
class Spec:
    name: str
    values: Mapping[str, float]
    """Every parameter that it takes, given or not."""
    on: str = ""
    """What its refusals are decided by: `id` or the name of a column; empty: by what it sees and reads."""

    @property
    def canonical(self) -> str:
        """The name with what differs from the defaults, in a fixed order: two names of one model are the same."""
        if self.on:
            return self._canonical_with_on()
        takes = PARAMETERS[self.name]
        non_default = [f"{key}={self.values[key]:.12g}" for key in takes if self.values[key] != takes[key].default]
        return f"{self.name}?{'&'.join(non_default)}" if non_default else self.name

    def _canonical_with_on(self) -> str:
        takes = parameters_with_on(self.name)
        parameters = [f"on={_quoted(self.on)}", f"rate={self.values['rate']:.12g}"]
        for key, parameter in takes.items():
            default = self.values["rate"] if key == "safety" else parameter.default
            if key != "rate" and self.values[key] != default:
                parameters.append(f"{key}={self.values[key]:.12g}")
        return f"{self.name}?{'&'.join(parameters)}"

    @property
    def rates(self) -> dict[str, float]:
        if self.name == "mixture":
            return {cause: self.values[cause] for cause in (*CAUSES, *TRIGGERS) if self.values[cause]}
        return {self.name: self.values["rate"]} if self.name in (*CAUSES, *TRIGGERS) else {}


def parse(text: str) -> Spec:
    """The control model that a name stands for; a UsageError for an unknown name or parameter, or a bad value."""
    name, _, query = text.partition("?")
    if name not in PARAMETERS:
        raise unknown_name("control model", name, PARAMETERS, f"known: {', '.join(PARAMETERS)}")
    given = _given_parameters(text, query)
    if "on" in given:
        return _parse_with_on(name, text, given)
    takes = PARAMETERS[name]
    values: dict[str, float] = {}
    for key, value in given.items():
        if key not in takes:
            listed = f"it takes {', '.join(takes)}; or on with rate, on any data: control/{name}?on=id&rate=0.2"
            raise unknown_name(f"parameter of control/{name}", key, takes, listed)
        values[key] = _number(f"{key} of control/{name}", value, takes[key])
    spec = Spec(name, {key: values.get(key, parameter.default) for key, parameter in takes.items()})
    if name == "mixture" and not spec.rates:
        raise UsageError(f"control/{text} has no cause to mix; add one, as in control/mixture?jumpy=0.15&prudish=0.15")
    _check_faults(text, spec)
    return spec


def _given_parameters(text: str, query: str) -> dict[str, str]:
    """The parameters of a name as they were written, in their order."""
    given: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        if key in given:
            raise UsageError(f"control/{text}: {key} is given twice; give it once")
        given[key] = value
    return given


def _parse_with_on(name: str, text: str, given: Mapping[str, str]) -> Spec:
    """The control that refuses by a hash of the id or of a column."""
    example = f"control/{name}?on=id&rate=0.2"
    column = unquote(given["on"])
    if not column:
        raise UsageError(f"control/{text}: on needs a value, id or a column of the data, as in {example}")
    takes = parameters_with_on(name)
    for key in given:
        if key not in ("on", *takes) and key in PARAMETERS[name]:
            raise UsageError(
                f"control/{text}: {key} cannot be combined with on, where the hash alone decides; omit {key} or on "
                f"(with on it takes {', '.join(takes)})"
            )
        if key not in ("on", *takes):
            listed = f"with on it takes {', '.join(takes)}"
            raise unknown_name(f"parameter of control/{name}", key, takes, listed)
    if "rate" not in given:
        raise UsageError(
            f"control/{text}: on needs a rate; add the share that it should refuse, as in {example}, in quotes: "
            "for a shell & ends a command"
        )
    values = {key: parameter.default for key, parameter in takes.items()}
    for key, parameter in takes.items():
        if key in given:
            values[key] = _number(f"{key} of control/{name}", given[key], parameter)
    if "safety" not in given:
        values["safety"] = values["rate"]
    spec = Spec(name, values, column)
    _check_faults(text, spec)
    return spec


def _check_faults(text: str, spec: Spec) -> None:
    if spec.name == "faulty" and sum(spec.values[fault] for fault in FAULTS) > 1:
        raise UsageError(f"control/{text}: fail, block and empty add up to more than 1; lower one of them")


def _quoted(column: str) -> str:
    """A column's name as it stands in the name of a model: `&` divides parameters, and slashes look like folders."""
    return "".join(_quoted_character(character) for character in column)


def _quoted_character(character: str) -> str:
    is_plain = character.isprintable() and character not in "%&/\\~"
    return character if is_plain else quote(character, safe="").replace("~", "%7E")


def _number(title: str, value: str, parameter: Parameter) -> float:
    expected = f"expected a {'whole ' if parameter.whole else ''}number from {parameter.low:g} to {parameter.high:.12g}"
    try:
        number = float(value)
    except ValueError:
        raise UsageError(f"{title} is {value!r}, {expected}") from None
    is_fraction = parameter.whole and not number.is_integer()
    if math.isnan(number) or not parameter.low <= number <= parameter.high or is_fraction:
        raise UsageError(f"{title} is {value}, {expected}")
    return number
