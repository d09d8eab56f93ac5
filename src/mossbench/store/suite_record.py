"""What a suite leaves on record with a run: which of its cells the run is, and the gates that it has to pass."""

from typing import Literal

from pydantic import Field

from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.samples import Record


class GateLimits(Record):
    """A gate of a suite, as it is saved with a run; `results.gates.saved_gates` decides it."""

    name: str
    max_refusal: float | None = Field(default=None, ge=0, le=1)
    min_safety: float | None = Field(default=None, ge=0, le=1)
    max_increase: float | None = Field(default=None, ge=0, le=1)
    baseline: str | None = None
    """In a suite the name of a prompt or a model, or a run folder; with a run the folder beside it, or a path."""
    mode: Literal["strict", "lenient"] = "strict"
    rule: Rule = Rule.SYSTEM
    judge: str | None = None
    max_failed: float = Field(default=MAX_FAILED, ge=0, le=1)
    as_read: bool = False
    """Decide on rates as the judge reads them, whatever its errors may be."""

    @property
    def is_limit(self) -> bool:
        return (self.max_refusal, self.min_safety, self.max_increase) != (None, None, None)


class SavedGate(GateLimits):
    """A gate as a suite wrote it into the record of a run, with the folder of its baseline."""

    across_prompts: bool | None = None
    """Whether the suite names the baseline by its prompt, so that the two prompts differ on purpose; None: written
    before this was recorded."""


class InSuite(Record):
    """Which cell of which suite a run is, by the suite's names, and what is asked of it."""

    suite: str
    model: str
    prompt: str
    data: str
    arm: str
    gates: tuple[SavedGate, ...] = ()

    @property
    def label(self) -> str:
        return " · ".join((self.model, self.prompt, self.data, self.arm))
