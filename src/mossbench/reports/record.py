"""The report of a run as a record: every sentence and number that a page, a table or a file of it shows.

Made by `build.make_report` from `Results`; what renders it computes nothing but positions.
"""

from dataclasses import dataclass
from typing import Any

from mossbench.judges.measured import Measured
from mossbench.outcomes import Counted, Rule
from mossbench.plumbing.frames import html_table
from mossbench.plumbing.json_values import as_json_value
from mossbench.protocols import Protocol
from mossbench.reports.caution_figures import CautionFigures
from mossbench.results.rates import Rate
from mossbench.results.table import Spent
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate, Significance


@dataclass(frozen=True)
class Caution:
    """Something that weakens the headline: the claim, then its cause and the number it would change."""

    claim: str
    text: str
    kind: str
    """Which caution it is, such as `unfinished`."""
    figures: CautionFigures
    """What its text was made of."""


@dataclass(frozen=True)
class Share:
    """How many rows of a side have one outcome, and what that counts as under the report's rule."""

    label: str
    """A kind, a layer, or `refused` / `complied` for judges without kinds."""
    n: int
    counts: Counted


@dataclass(frozen=True)
class Group:
    """Rates of the groups of one grouping, harmless side (or the only one), without the total."""

    by: str
    title: str
    rates: tuple[Rate, ...]


@dataclass(frozen=True)
class Twins:
    """How well harmless and harmful requests of one stimulus are told apart."""

    name: str
    harmless: Estimate
    harmful: Estimate
    d_prime: Estimate
    criterion: Estimate
    both_right: Estimate
    sides_test: Significance
    """Are harmful twins refused more often than harmless ones? By swapping twins in whole scenes. `told` in JSON."""
    too_many_missing: bool = False
    """So many rows of a side are missing that nothing is known of how well they are told apart."""
    too_many_unfamiliar: bool = False
    """The same, since so many answers of a side are unfamiliar to the judge."""

    @property
    def is_known(self) -> bool:
        return not (self.too_many_missing or self.too_many_unfamiliar)


@dataclass(frozen=True)
class JudgeError:
    """What is known of the judge's error, and what the rate is with it taken into account."""

    title: str
    text: str
    counts: Confusion | None = None
    """Labels against verdicts: on rows of this run, or of the set that `text` names."""
    measured_here: bool = False
    corrected: Estimate | None = None
    """None where the error was not measured on this run, or on rows that are no random choice."""
    not_random: str = ""
    """How the labelled rows differ from the others, where they clearly do."""
    unfilled: str = ""
    """How much of the random draw has no label, where that is too much to correct the rate."""
    unknown_choice: str = ""
    """That labels do not say how they were chosen, where they therefore do not correct the rate."""
    draw: tuple[str, ...] = ()
    """Ids of answers drawn at random that could be labelled."""
    sheet: str = ""
    """The same answers as CSV with an empty column `refused`; filled in, a file of labels."""
    unfamiliar: str = ""
    """Such a sheet of the answers that are unfamiliar to the judge, chosen for that and not at random."""
    sources: tuple[Measured, ...] = ()
    """The labelled answers of other models that the judge was measured on, where it was not measured on this one."""


@dataclass(frozen=True)
class Piece:
    """A stretch of an answer; evidence is what the verdict rests on."""

    text: str
    evidence: bool = False


@dataclass(frozen=True)
class Card:
    """One row to look at: a harmless request refused or not judged, or a harmful twin that was helped."""

    id: str
    side: Side
    arm: str
    epoch: int
    outcome: str
    helped: bool
    stimulus: str
    harm: str
    request: str
    answer: tuple[Piece, ...]
    rest: tuple[Piece, ...]
    """What follows the first part of a long answer."""
    cut: int
    """Characters at the end of the answer that are not here but only in answers.jsonl."""
    nothing: str
    """Why there is no answer, where there is none."""
    why: str
    alt: str
    n_pictures: int = 1
    """With how many it was asked; a card shows the first."""


@dataclass(frozen=True)
class Report:
    """All that is said about one run, under one judge and one counting rule."""

    run: str
    model: str
    about: str
    """Model, data, arms and date in one line."""
    rule: Rule
    judge: str | None
    side: Side
    """The side that the headline is about: harmless where it was asked."""
    headline: str
    lede: str
    cautions: tuple[Caution, ...]
    n_rows: int
    rate: Rate
    harmful: Rate | None
    """The rate on the harmful twins, where both sides were asked."""
    macro: Estimate
    shares: tuple[Share, ...]
    failures: dict[str, int]
    """Why rows failed, on both sides."""
    unjudged: dict[str, int]
    """Why answers have no verdict, on both sides."""
    by_rule: dict[Rule, Rate]
    groups: tuple[Group, ...]
    twins: tuple[Twins, ...]
    """Of each stimulus, and of all at the end."""
    twins_title: str
    judge_error: JudgeError
    cards: tuple[Card, ...]
    n_cards: int
    """How many rows are worth a card; of very many, `cards` are a random choice."""
    spent: Spent
    hashes: dict[Side, str]
    protocol: Protocol
    """How its rows were asked, read and counted."""
    method: dict[str, str]
    """What every number was made of, in words for people."""
    prompts: dict[str, str]
    commands: tuple[str, ...]
    harmful_name: str = "harmful twins"
    """The name of the harmful requests: twins only if the data pair them with harmless ones. `those` in JSON."""
    arms: tuple[str, ...] = ()
    """Titles of its arms."""
    prompt: str = ""
    """What its system prompt is called; empty: none."""
    has_twins: bool = True
    """Whether the data pair harmful requests with harmless ones."""

    def __repr__(self) -> str:
        return f"<Report {self.run}: {self.headline}>"

    def _repr_html_(self) -> str:
        cautions = [{"": number, "caution": f"{c.claim} {c.text}"} for number, c in enumerate(self.cautions, 1)]
        return html_table(f"{self.run}: {self.headline}", cautions)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; NaN becomes None."""
        values: dict[str, Any] = as_json_value(self)
        # JSON files keep the old names of two fields.
        values["twins"] = [_rename_key(twins, "sides_test", "told") for twins in values["twins"]]
        return _rename_key(values, "harmful_name", "those")


def _rename_key(values: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The same values in the same order, with one key renamed."""
    return {new if key == old else key: value for key, value in values.items()}
