"""Answers of a run under arms that are not counted, as facts; and the same as a message."""

from dataclasses import dataclass
from pathlib import Path

from mossbench.messages import Message
from mossbench.ways_out import ShowAllArms


@dataclass(frozen=True)
class UncountedArms:
    """Answers that an analysis added to a run under arms other than its own."""

    folder: Path
    counted_arm: str
    n_answers: int
    n_arms: int

    def message(self) -> Message:
        """What is not counted, and how to count it."""
        arms = "arm" if self.n_arms == 1 else "arms"
        return Message(
            f"only the arm {self.counted_arm} is counted; {self.n_answers:,} further answers under {self.n_arms} other "
            f"{arms} are not",
            (ShowAllArms(self.folder),),
        )
