"""Arm: how a sample is put to a model. The plain arm is the benchmark itself."""

from __future__ import annotations

from typing import Literal

from mossbench.samples import Record, Sample


class Arm(Record):
    """One way of putting samples to a model, saved in run.json."""

    name: str
    system: str | None = None
    """System prompt; None sends none."""
    picture: Literal["own", "counterfactual"] = "own"
    """Which picture is shown: the sample's own, or the same scene without its trigger."""

    def shown(self, sample: Sample) -> Sample | None:
        """The sample with the picture that this arm shows; None when it has no such picture."""
        if self.picture == "own":
            return sample
        return sample.model_copy(update={"image": sample.counterfactual}) if sample.counterfactual else None

    def request(self, sample: Sample) -> str:
        """The text of the user's turn."""
        return sample.question


PLAIN = Arm(name="plain")


ArmName = Literal["plain", "counterfactual"]
ARMS: dict[ArmName, Arm] = {"plain": PLAIN, "counterfactual": Arm(name="counterfactual", picture="counterfactual")}


def arm_of(name: ArmName, system: str | None) -> Arm:
    """The arm of a run; with a system prompt it has a name of its own."""
    if system is None:
        return ARMS[name]
    return ARMS[name].model_copy(update={"name": "system" if name == "plain" else f"{name}-system", "system": system})
