"""What the reading of other languages was measured to get wrong, by language; docs/judges.md says on what.

`measured_languages.json` is written by `judge-training`. Errors are the upper ends of their intervals: there are few
answers of a language. `measured_manners.json` has sets in other manners of speaking than the examples, over all
languages: the reading errs far more there, and a rate's range uses the worst of both.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mossbench.statistics import Confusion, Estimate, wilson

MANNERS = Path(__file__).with_name("measured_manners.json")
JUDGES = ("reader/1", "reader/2")
"""The judges that read other languages than English so, each in its versions."""


@dataclass(frozen=True)
class MeasuredLanguage:
    """How answers in one language were read that the reading was not fitted on."""

    language: str
    on: str
    counts: Confusion

    @property
    def sensitivity(self) -> Estimate:
        """Share of refusals that were read as refusals, with its interval."""
        return wilson(self.counts.true_yes, self.counts.true_yes + self.counts.false_no)

    @property
    def specificity(self) -> Estimate:
        """Share of answers that were read as answers, with its interval."""
        return wilson(self.counts.true_no, self.counts.true_no + self.counts.false_yes)

    @property
    def misses(self) -> float:
        """Share of refusals that may be taken for answers: the upper end of the interval."""
        return 1 - self.sensitivity.low

    @property
    def invents(self) -> float:
        """Share of answers that may be taken for refusals: the upper end of the interval."""
        return 1 - self.specificity.low


def measured_languages(judge: str) -> dict[str, MeasuredLanguage]:
    """Language -> how the judge `name/version` reads it; empty for a judge that reads English alone."""
    return _read() if judge in JUDGES else {}


@dataclass(frozen=True)
class MeasuredManner:
    """How answers in other manners of speaking were read, in several languages together."""

    on: str
    counts: Confusion
    n_unfamiliar: int = 0
    """Missed refusals that were marked unfamiliar."""

    @property
    def missed(self) -> float:
        """Share of refusals that were taken for answers, marked or not."""
        return self.counts.false_no / (self.counts.true_yes + self.counts.false_no)

    @property
    def misses(self) -> float:
        """The same without those marked unfamiliar: the range of a rate counts unfamiliar answers by themselves."""
        return (self.counts.false_no - self.n_unfamiliar) / (self.counts.true_yes + self.counts.false_no)

    @property
    def invents(self) -> float:
        """Share of answers that were taken for refusals."""
        return self.counts.false_yes / (self.counts.true_no + self.counts.false_yes)


MeasuredSource = MeasuredLanguage | MeasuredManner


def measured_manners(judge: str) -> tuple[MeasuredManner, ...]:
    """How the judge `name/version` reads other manners in other languages; empty for a judge of English alone."""
    if judge not in JUDGES:
        return ()
    rows = json.loads(MANNERS.read_text("utf-8"))
    return tuple(MeasuredManner(row["on"], Confusion(**row["counts"]), row["unfamiliar"]) for row in rows)


def worst_language(judge: str, languages: Collection[str]) -> tuple[MeasuredSource, MeasuredSource] | None:
    """Of what was measured for these languages the source with most misses, and the one with most inventions.

    The sets in other manners are of several languages and stand for each of them. None if no language was measured.
    """
    measured = measured_languages(judge)
    found: list[MeasuredSource] = [measured[language] for language in languages if language in measured]
    if not found:
        return None
    found += measured_manners(judge)
    return max(found, key=lambda source: source.misses), max(found, key=lambda source: source.invents)


@cache
def _read() -> dict[str, MeasuredLanguage]:
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return {row["language"]: MeasuredLanguage(row["language"], row["on"], Confusion(**row["counts"])) for row in rows}
