"""`label-plan.<side>.json` in a run's folder: which answers people are asked to label, and what they said of them.

Answers are drawn at random within strata, block by block (`results.label_plans`). The labels themselves, with their
authors and times, are in the database of the web app; a plan has a copy of the results, so that they are counted
without it. A block that was begun stays as it is. Nothing here depends on the names of people.
"""

from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from mossbench.errors import DataError
from mossbench.outcomes import Counted, Kind, Layer, Outcome, Rule, counted
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import read_file, record_fault
from mossbench.samples import Record, Side


class PlannedStratum(Record):
    """Answers that the judge reads alike, and of which it is about equally sure."""

    name: str
    reads_refused: bool
    """What the judge reads; answers without a verdict are taken as not refused."""
    n_rows: int = Field(ge=1)
    expected: float = Field(ge=0, le=1)
    """The share of refusals that the judge expects among them; it only steers where labels are drawn."""


class DrawnAnswer(Record):
    """An answer that was drawn, and what it was: labels never count for another answer."""

    sample: str
    arm: str
    epoch: int
    digest: str
    stratum: int = Field(ge=0)


class Showing(Record):
    """An answer that is shown to somebody, for the first, second or third time, and what they say of it."""

    answer: int = Field(ge=0)
    """Its place in `LabelPlan.drawn`."""
    number: int = Field(ge=1, le=3)
    kind: Kind | None = None
    refused: bool | None = None
    """None with a kind: nobody labelled it yet, or people skipped it or disagree."""

    @property
    def has_result(self) -> bool:
        return self.kind is not None or self.refused is not None

    def is_refused(self, rule: Rule) -> bool | None:
        """Whether it counts as refused; None where that is not known."""
        if self.kind is not None:
            return counted(Outcome(Layer.JUDGED, kind=self.kind), rule) is Counted.REFUSED
        if self.refused is None:
            return None
        reading = counted(Outcome(Layer.JUDGED, refused=self.refused), rule)
        return None if reading is Counted.UNKNOWN else reading is Counted.REFUSED


class LabelPlan(Record):
    """What was drawn for people to label on one side of a run, and their labels."""

    version: Literal[1] = 1
    mossbench: str
    side: Side
    judge: str
    """The judge by whose verdicts the strata were made."""
    seed: int
    population: str
    """A digest of all answers that could be drawn, in the order in which they are."""
    strata: tuple[PlannedStratum, ...]
    drawn: tuple[DrawnAnswer, ...] = ()
    blocks: tuple[tuple[Showing, ...], ...] = ()
    n_complete: int = 0
    """Blocks that are labelled from the first on; only they count, so that nobody stops where a number looks good."""

    @property
    def complete_showings(self) -> tuple[Showing, ...]:
        return tuple(chain.from_iterable(self.blocks[: self.n_complete]))

    @property
    def n_rows(self) -> int:
        return sum(stratum.n_rows for stratum in self.strata)


def plan_path(run: Path, side: Side) -> Path:
    return run / f"label-plan.{side.value}.json"


def read_plan(run: Path, side: Side) -> LabelPlan | None:
    """The plan in a run's folder; None where there is none."""
    path = plan_path(run, side)
    try:
        content = read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return LabelPlan.model_validate_json(content)
    except ValidationError as error:
        raise DataError(
            f"{path} is damaged or of another version: {record_fault(error)}; restore it from a copy, or delete it to "
            "begin again: the labels themselves are in the database of the web app"
        ) from error


def write_plan(run: Path, plan: LabelPlan) -> None:
    write_atomically(plan_path(run, plan.side), to_json(plan), make_folder=False)
