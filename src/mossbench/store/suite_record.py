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


class GateBudget(Record):
    """How often a gate is decided, and with how many others: its share of the errors that all of them may make.

    All looks of all gates together are wrong with a chance of 5 % at most (Bonferroni: however they depend).
    """

    looks: int = Field(default=1, ge=1)
    """Nights on which the suite is run and its gates are decided."""
    look: int = Field(default=1, ge=1, exclude_if=lambda look: look == 1)
    """Which of these nights the run is of, as far as earlier ones are on disk."""
    n_checks: int = Field(default=1, ge=1)
    """Checks of the suite that share the budget."""
    is_pinned: bool = False
    """Whether the baseline is the suite's fixed one, which may have been asked more often."""

    @property
    def confidence(self) -> float:
        if self.looks == 1:  # a suite that is run once decides each gate by itself
            return 0.95
        return 1 - 0.05 / (self.looks * self.n_checks)


class SavedGate(GateLimits):
    """A gate as a suite wrote it into the record of a run, with the folder of its baseline."""

    across_prompts: bool | None = None
    """Whether the suite names the baseline by its prompt, so that the two prompts differ on purpose; None: written
    before this was recorded."""
    budget: GateBudget = Field(default=GateBudget(), exclude_if=lambda budget: budget == GateBudget())


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
