"""The forms in which a suite or a gate is summed up for people. Help lists them, so that this imports nothing else."""

from typing import Literal

SummaryFormat = Literal["markdown", "slack", "text"]
