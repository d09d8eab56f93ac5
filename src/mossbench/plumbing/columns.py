"""A column of a table in which few values occur: for each row the number of its value among them.

What is counted of a large table is counted by these numbers, a value at a time and not a row at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Value = TypeVar("Value", bound=Hashable)
Codes: TypeAlias = "NDArray[np.int32]"
Mask: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True)
class Coded(Generic[Value]):
    """A column; `codes` are places in `values`."""

    codes: Codes
    values: tuple[Value, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, place: int) -> Value:
        value: Value = self.values[self.codes[place]]
        return value

    def take(self, places: NDArray[Any]) -> Coded[Value]:
        """The column of the rows at these places, or where a mask is true."""
        return replace(self, codes=self.codes[places])

    def counts(self) -> dict[Value, int]:
        """How many rows have each value, in the order in which rows first have it."""
        import numpy as np

        codes, first_places, n_rows = np.unique(self.codes, return_index=True, return_counts=True)
        in_order = np.argsort(first_places)
        return {self.values[code]: int(n) for code, n in zip(codes[in_order], n_rows[in_order], strict=True)}

    def where(self, holds: Callable[[Value], bool]) -> Mask:
        """In which rows the value is one for which this holds."""
        import numpy as np

        return np.asarray(np.array([holds(value) for value in self.values], dtype=bool)[self.codes])

    def numbers(self, number: Callable[[Value], float]) -> NDArray[np.float64]:
        """A number for each row, by its value."""
        import numpy as np

        return np.asarray(np.array([number(value) for value in self.values], dtype=float)[self.codes])


class Coder(Generic[Value]):
    """Gives each different value a number, in the order in which they first appear."""

    def __init__(self) -> None:
        self._codes: dict[Value, int] = {}

    def code(self, value: Value) -> int:
        return self._codes.setdefault(value, len(self._codes))

    def column(self, codes: Iterable[int] | NDArray[Any]) -> Coded[Value]:
        import numpy as np

        array = codes if isinstance(codes, np.ndarray) else np.fromiter(codes, dtype=np.int32)
        return Coded(array.astype(np.int32, copy=False), tuple(self._codes))


def coded(values: Sequence[Value]) -> Coded[Value]:
    """The column of these values."""
    import numpy as np

    coder = Coder[Value]()
    return coder.column(np.fromiter((coder.code(value) for value in values), dtype=np.int32, count=len(values)))
