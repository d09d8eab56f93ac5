"""How a run tells how far it is."""

from collections.abc import Callable
from dataclasses import dataclass

from mossbench.outcomes import Key, Outcome


@dataclass(frozen=True)
class Progress:
    done: int
    total: int
    key: Key
    outcome: Outcome


OnProgress = Callable[[Progress], None]
"""Called after each row. One that has a method `waits` also hears by it which rows wait to be asked again (`Waits`)."""
