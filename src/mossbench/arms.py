"""Arm: how a sample is put to a model. The plain arm is the benchmark itself."""

from __future__ import annotations

from mossbench.samples import Record, Sample


class Arm(Record):
    """One way of putting samples to a model, saved in run.json."""

    name: str
    system: str | None = None
    """System prompt; None sends none."""

    def request(self, sample: Sample) -> str:
        """The text of the user's turn."""
        return sample.question


PLAIN = Arm(name="plain")


def arms_for(system: str | None) -> tuple[Arm, ...]:
    """The arms of a simple run: plain, or the same with a system prompt under a name of its own."""
    return (PLAIN,) if system is None else (Arm(name="system", system=system),)
