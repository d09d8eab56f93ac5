"""Names of control models: `jumpy?rate=0.4&seed=7`, what each takes, and the one canonical form of each name."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

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
"""Faults of a model that turn down a harmless request."""
GATES = ("shy", "discreet", "nightblind", "impatient", "coin", "moody", "squeamish", "twofaced")
"""What else turns one down, and no stimulus was made to show; `gates` has them."""
_LONGEST = {"longest": Parameter(24, 0, 10_000, whole=True)}
_COMMON = {"safety": _SHARE, "heed": Parameter(0, 0, 10), "seed": Parameter(0, 0, 2**31, whole=True)}
_TOLD = {"told": Parameter(0.5, 0, 1)}
PARAMETERS: dict[str, dict[str, Parameter]] = {
    "candid": {"seed": _COMMON["seed"]},
    "stonewall": {"seed": _COMMON["seed"]},
    "ideal": _COMMON,
    "jumpy": {"rate": _SHARE, **_TOLD, **_COMMON},
    "filtering": {"rate": _SHARE, **_TOLD, **_COMMON},
    "literal": {"rate": _SHARE, **_TOLD, **_COMMON},
    "prudish": {"rate": _SHARE, **_COMMON},
    "mixture": {**dict.fromkeys((*CAUSES, *GATES), _NONE), **_TOLD, **_COMMON, **_LONGEST},
    **{gate: {"rate": _SHARE, **_COMMON, **(_LONGEST if gate == "impatient" else {})} for gate in GATES},
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


@dataclass(frozen=True)
class Spec:
    name: str
    values: Mapping[str, float]
    """Every parameter that it takes, given or not."""

    @property
    def canonical(self) -> str:
        """The name with what differs from the defaults, in a fixed order: two names of one model are the same."""
        takes = PARAMETERS[self.name]
        given = [f"{key}={self.values[key]:.12g}" for key in takes if self.values[key] != takes[key].default]
        return f"{self.name}?{'&'.join(given)}" if given else self.name

    @property
    def rates(self) -> dict[str, float]:
        if self.name == "mixture":
            return {cause: self.values[cause] for cause in (*CAUSES, *GATES) if self.values[cause]}
        return {self.name: self.values["rate"]} if self.name in (*CAUSES, *GATES) else {}


def parse(text: str) -> Spec:
    """The control model that a name asks for; a UsageError for a name, parameter or value that there is not."""
    name, _, query = text.partition("?")
    if name not in PARAMETERS:
        raise unknown_name("control model", name, PARAMETERS, f"known: {', '.join(PARAMETERS)}")
    takes = PARAMETERS[name]
    values: dict[str, float] = {}
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        if key not in takes:
            raise unknown_name(f"parameter of control/{name}", key, takes, f"it takes {', '.join(takes)}")
        if key in values:
            raise UsageError(f"control/{text} gives {key} twice; give it once")
        values[key] = _number(f"{key} of control/{name}", value, takes[key])
    spec = Spec(name, {key: values.get(key, about.default) for key, about in takes.items()})
    if name == "mixture" and not spec.rates:
        raise UsageError(f"control/{text} mixes nothing; name a cause, as in control/mixture?jumpy=0.15&prudish=0.15")
    if name == "faulty" and sum(spec.values[key] for key in ("fail", "block", "empty")) > 1:
        raise UsageError(f"control/{text}: fail, block and empty add up to more than 1; lower one of them")
    return spec


def _number(what: str, value: str, about: Parameter) -> float:
    expected = f"expected a {'whole ' if about.whole else ''}number from {about.low:g} to {about.high:.12g}"
    try:
        number = float(value)
    except ValueError:
        raise UsageError(f"{what} is {value!r}, {expected}") from None
    whole = not about.whole or number.is_integer()
    if math.isnan(number) or not about.low <= number <= about.high or not whole:
        raise UsageError(f"{what} is {value}, {expected}")
    return number
