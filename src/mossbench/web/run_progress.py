"""How far a run is, as facts and in words."""

from dataclasses import dataclass
from typing import Literal, TypedDict

Phase = Literal["cannot be read", "being read", "in progress", "not finished", "ended"]
ListedUnder = Literal["going", "reading", "finished", "attention", "superseded"]
"""The states by which a list of runs can be filtered; superseded are those that need no attention any more."""


class ProgressJson(TypedDict):
    """progress.json, which a script of the page reads while a run is in progress."""

    n: int
    of: int
    going: bool
    state: str


@dataclass(frozen=True)
class RunProgress:
    phase: Phase
    n_answers: int = 0
    n_rows: int = 0
    n_missing: int = 0
    n_failed: int = 0
    n_unjudged: int = 0
    in_batches: str = ""
    """The rows that are pending in a batch API, in words; empty: none."""

    @property
    def is_going(self) -> bool:
        return self.phase == "in progress"

    @property
    def is_finished(self) -> bool:
        """Whether every row was asked, answered and judged."""
        is_whole = not (self.n_missing or self.n_failed or self.n_unjudged or self.in_batches)
        return self.phase == "ended" and is_whole

    @property
    def has_rates(self) -> bool:
        """Whether the run has stopped, and no row that was asked is lost or pending in a batch."""
        return self.phase in ("ended", "not finished") and not (self.n_missing or self.in_batches)

    @property
    def state(self) -> str:
        """`finished`, or what is missing."""
        state: str = self.phase
        if self.phase == "ended":
            counts = {"missing": self.n_missing, "failed": self.n_failed, "unjudged": self.n_unjudged}
            state = ", ".join(f"{n:,} {name}" for name, n in counts.items() if n) or "finished"
        return f"{state}, {self.in_batches}" if self.in_batches else state

    def listed_under(self, *, is_readable: bool, is_judged: bool) -> ListedUnder:
        if self.is_going:
            return "going"
        if self.phase == "being read":
            return "reading"
        return "finished" if is_readable and is_judged and self.is_finished else "attention"

    def to_dict(self) -> ProgressJson:
        return {"n": self.n_answers, "of": self.n_rows, "going": self.is_going, "state": self.state}
