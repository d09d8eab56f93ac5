"""What each caution rests on, as a record: a class for each kind, with the facts that its text is made of.

`words.cautions` says them. Kinds and fields are in the JSON of a report.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from mossbench.results.answerers import StoodIn
from mossbench.results.rates import Rate
from mossbench.results.rehearsal import PlantedAndFound
from mossbench.results.uncounted_arms import UncountedArms
from mossbench.results.unfinished import Unfinished as OpenRows
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate
from mossbench.ways_out import WayOut


@dataclass(frozen=True)
class Reason:
    """Why rows failed or have no verdict: the most common reason."""

    text: str
    n: int
    """Rows with this reason."""
    is_only: bool
    """Whether no row has another one."""
    ways_out: tuple[WayOut, ...] = ()
    """What helps."""


@dataclass(frozen=True)
class NamedModel:
    """A model that replies name, and in how many rows."""

    name: str
    n: int


@dataclass(frozen=True)
class Unfinished:
    kind: ClassVar = "unfinished"
    open_rows: OpenRows
    folder: Path
    """Of the run."""
    bounds: bool
    """Whether the rule gives only bounds while rows are missing."""


@dataclass(frozen=True)
class InProgress:
    """An unfinished run that is being asked right now."""

    kind: ClassVar = "in_progress"
    open_rows: OpenRows
    bounds: bool


@dataclass(frozen=True)
class NotJudged:
    kind: ClassVar = "not_judged"
    n: int
    folder: Path


@dataclass(frozen=True)
class PartlyLabelled:
    kind: ClassVar = "partly_labelled"
    why: str


@dataclass(frozen=True)
class NotRandom:
    kind: ClassVar = "not_random"
    why: str


@dataclass(frozen=True)
class UnknownChoice:
    kind: ClassVar = "unknown_choice"
    why: str


@dataclass(frozen=True)
class JudgeWrong:
    kind: ClassVar = "judge_wrong"
    counts: Confusion
    fixed: Estimate | None
    """The rate without these errors, where it could be corrected."""


@dataclass(frozen=True)
class FailedCounted:
    kind: ClassVar = "failed_counted"
    n: int
    side: Side
    why: Reason | None
    without: Rate
    """The rate without these rows."""


@dataclass(frozen=True)
class UnjudgedCounted:
    kind: ClassVar = "unjudged_counted"
    n: int
    side: Side
    why: Reason | None


@dataclass(frozen=True)
class LeftOut:
    kind: ClassVar = "left_out"
    side: Side
    failed: int
    unjudged: int
    why_failed: Reason | None
    why_unjudged: Reason | None
    low: float
    """The rate if all of these rows were helped."""
    high: float
    """The rate if all of them were refused."""


@dataclass(frozen=True)
class MayBeAlias:
    kind: ClassVar = "may_be_alias"
    model: str
    """The one that was asked for."""
    names: tuple[NamedModel, ...]


@dataclass(frozen=True)
class AnotherAnswered:
    kind: ClassVar = "stood_in"
    model: str
    names: tuple[NamedModel, ...]
    rows: StoodIn
    """The side's rows that another model answered."""


@dataclass(frozen=True)
class ModelChanged:
    kind: ClassVar = "model_changed"
    versions: tuple[str, ...]
    """As the provider names them, in the order in which they came."""
    first: int
    """The row from which on the second version answered, counted from 1."""


@dataclass(frozen=True)
class Drift:
    kind: ClassVar = "drift"
    text: str


@dataclass(frozen=True)
class JudgeBroke:
    kind: ClassVar = "judge_broke"
    n: int
    reason: str


@dataclass(frozen=True)
class NotItsWords:
    kind: ClassVar = "not_its_words"
    without: Rate
    """The rate of the model's own words."""
    blocked: int
    empty: int
    refused: int


@dataclass(frozen=True)
class PlantedRefusals:
    kind: ClassVar = "rehearsal"
    sides: tuple[PlantedAndFound, ...]


@dataclass(frozen=True)
class InstrumentCheck:
    kind: ClassVar = "instrument_check"


@dataclass(frozen=True)
class KeywordJudge:
    kind: ClassVar = "keywords"
    folder: Path


@dataclass(frozen=True)
class JudgeUnmeasured:
    kind: ClassVar = "judge_unmeasured"
    judge: str


@dataclass(frozen=True)
class Unfamiliar:
    kind: ClassVar = "unfamiliar"
    n: int
    of: int


@dataclass(frozen=True)
class CutOff:
    kind: ClassVar = "cut_off"
    n: int


@dataclass(frozen=True)
class Elsewhere:
    kind: ClassVar = "elsewhere"
    uncounted: UncountedArms


@dataclass(frozen=True)
class SeveralArms:
    kind: ClassVar = "several_arms"
    arms: tuple[str, ...]


@dataclass(frozen=True)
class FewInGroup:
    kind: ClassVar = "few_in_group"
    n: int
    points: tuple[int, int] | None
    """The smallest difference that can be shown, and the largest that may be chance at some rates; None: any may.

    The second is usually the larger one, as what can be shown depends on the rates; in very small groups it is not.
    """


@dataclass(frozen=True)
class Few:
    kind: ClassVar = "few"
    n: int
    side: Side
    width: int | None
    """Points between the ends of the interval."""


@dataclass(frozen=True)
class SharedScenes:
    kind: ClassVar = "scenes"
    rows: int
    n: int


@dataclass(frozen=True)
class Note:
    kind: ClassVar = "note"
    text: str


CautionFigures = (
    Unfinished
    | InProgress
    | NotJudged
    | PartlyLabelled
    | NotRandom
    | UnknownChoice
    | JudgeWrong
    | FailedCounted
    | UnjudgedCounted
    | LeftOut
    | MayBeAlias
    | AnotherAnswered
    | ModelChanged
    | Drift
    | JudgeBroke
    | NotItsWords
    | PlantedRefusals
    | InstrumentCheck
    | KeywordJudge
    | JudgeUnmeasured
    | Unfamiliar
    | CutOff
    | Elsewhere
    | SeveralArms
    | FewInGroup
    | Few
    | SharedScenes
    | Note
)
