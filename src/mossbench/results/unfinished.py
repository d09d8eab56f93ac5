"""What a run has not asked yet, as facts; and the same as a message."""

from dataclasses import dataclass
from pathlib import Path

from mossbench.messages import Message
from mossbench.store.batch_log import PendingRows, pending_rows_text
from mossbench.ways_out import Resume


@dataclass(frozen=True)
class Unfinished:
    """Rows that a run still has to ask, and why it stopped where it did."""

    n_open: int
    n_planned: int
    pending: PendingRows | None
    """How many of the rows a batch API has; None: none."""
    n_unjudged: int
    max_cost: float | None
    """The limit at which the run was stopped, in US dollars; None: no limit stopped it."""
    spent: float | None
    """What was spent by then; None: not known."""

    @property
    def state(self) -> str:
        """What is missing, without what to do about it."""
        if self.max_cost is None:
            return self._rows()
        missing = []
        if self.n_open:
            missing.append(self._rows())
        if self.n_unjudged:
            missing.append(f"{self.n_unjudged:,} answers were not judged")
        spent = ""
        if self.spent is not None:
            spent = f" after {self.spent:.4g} USD"
            if self.spent > self.max_cost:
                spent += " (the requests in flight cost more than any before)"
        return f"stopped at the cost limit of {self.max_cost:g} USD{spent}: {' and '.join(missing)}"

    def message(self, folder: Path) -> Message:
        """What is missing, and how to ask for it in the folder of the run."""
        if self.max_cost is None:
            return Message(self.state, (Resume(folder),))
        higher = f"{self.state}; a higher limit includes what is already spent"
        return Message(higher, (Resume(folder, max_cost=True),))

    def _rows(self) -> str:
        missing = "were not asked yet"
        if self.pending is not None:
            missing = f"have no answer yet, {pending_rows_text(self.pending)}"
        return f"{self.n_open:,} of {self.n_planned:,} rows {missing}"
