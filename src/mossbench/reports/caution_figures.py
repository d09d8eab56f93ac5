"""What each caution rests on, as a record: a class for each kind, with the figures that its text is made of.

A record's `kind` is the name of its text in cautions.toml, and its fields are the values that the text takes. Both are
in the JSON of a report, so neither is renamed.
"""

from dataclasses import dataclass
from typing import ClassVar

from mossbench.results.answerers import StoodIn
from mossbench.statistics import Confusion, Estimate


@dataclass(frozen=True)
class Unfinished:
    kind: ClassVar = "unfinished"
    text: str
    """What is missing, and how to go on."""
    state: str
    """What is missing alone."""
    bounds: bool
    """Whether the rule gives only bounds while rows are missing."""


@dataclass(frozen=True)
class InProgress:
    """An unfinished run that somebody is just asking."""

    kind: ClassVar = "in_progress"
    text: str
    state: str
    bounds: bool


@dataclass(frozen=True)
class NotJudged:
    kind: ClassVar = "not_judged"
    n: int
    folder: str
    """Quoted for a shell."""


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
    which: str
    why: str
    without: str
    """The rate without these rows, in words."""


@dataclass(frozen=True)
class UnjudgedCounted:
    kind: ClassVar = "unjudged_counted"
    n: int
    which: str
    why: str


@dataclass(frozen=True)
class LeftOut:
    kind: ClassVar = "left_out"
    why: str
    failed: int
    unjudged: int
    which: str
    low: float
    """The rate if all of these rows were helped."""
    high: float
    """The rate if all of them were refused."""


@dataclass(frozen=True)
class MayBeAlias:
    kind: ClassVar = "may_be_alias"
    model: str
    names: str


@dataclass(frozen=True)
class AnotherAnswered:
    kind: ClassVar = "stood_in"
    one: StoodIn
    """The side's rows that another model answered."""
    which: str
    model: str
    names: str
    rate: str
    without: str
    those: str
    """The rate of the rows that another model answered, in words."""
    more: str
    may_be_chance: bool


@dataclass(frozen=True)
class ModelChanged:
    kind: ClassVar = "model_changed"
    n: int
    first: int
    """The row from which on the second version answered, counted from 1."""
    shown: str


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
    without: str
    blocked: int
    empty: int
    refused: int


@dataclass(frozen=True)
class PlantedRefusals:
    kind: ClassVar = "rehearsal"
    sides: str


@dataclass(frozen=True)
class InstrumentCheck:
    kind: ClassVar = "instrument_check"


@dataclass(frozen=True)
class KeywordJudge:
    kind: ClassVar = "keywords"
    folder: str


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
    text: str


@dataclass(frozen=True)
class SeveralArms:
    kind: ClassVar = "several_arms"
    arms: tuple[str, ...]


@dataclass(frozen=True)
class FewInGroup:
    kind: ClassVar = "few_in_group"
    n: int
    points: tuple[int, int] | None
    """Differences of fewer points than these may be chance: at the best rates, and at the worst; None: any may."""


@dataclass(frozen=True)
class Few:
    kind: ClassVar = "few"
    n: int
    requests: str
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
