"""RunRequest: the arguments of `run` as a user gave them, before anything is loaded."""

from dataclasses import dataclass, field
from pathlib import Path

from mossbench.datasets import NamedData
from mossbench.datasets.arms import Arm
from mossbench.errors import bad_option
from mossbench.judges.judge import AnyJudge
from mossbench.models.model import AnyModel
from mossbench.runs.engines import EngineOptions
from mossbench.runs.image_cache import ImageCache
from mossbench.store.config import RunOptions, TrialOptions
from mossbench.store.prices import AnyPrices
from mossbench.store.suite_record import InSuite
from mossbench.ways_out import OmitOption, WayToResume


@dataclass(frozen=True)
class RunRequest:
    """One run as somebody asked for it; nothing of it is loaded yet. `run` explains each field."""

    model: AnyModel
    data: NamedData
    options: RunOptions
    """Fields of `RunConfig`."""
    judge: AnyJudge | None
    out: Path | None = None
    resume: bool = False
    arms: tuple[Arm, ...] = ()
    prices: AnyPrices | None = None
    again: WayToResume | None = None
    """The call or command that resumes the run, for messages; None: `resume_run`."""
    images: ImageCache | None = None
    suite: InSuite | None = None
    max_cost: float | None = None
    one_format: bool = False
    engine: EngineOptions = field(default_factory=EngineOptions)


def check_options(options: TrialOptions) -> None:
    """A UsageError where some of the options that a user gave would be ignored."""
    if not options.get("as_published"):
        return
    ignored = [name for name in ("max_tokens", "temperature") if name in options]
    if ignored:
        problem = f"sets how answers are drawn, so {' and '.join(ignored)} would be ignored"
        raise bad_option("as_published", problem, tuple(map(OmitOption, ("as_published", *ignored))))
