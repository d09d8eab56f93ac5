"""What the reading of other languages was measured to get wrong, by language; docs/judges.md says on what.

`measured_languages.json` is written by `judge-training`. Errors are the upper ends of their intervals: there are few
answers of a language.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mossbench.statistics import Confusion, Estimate, wilson

JUDGES = ("reader/1",)
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


def worst_language(judge: str, languages: Collection[str]) -> tuple[MeasuredLanguage, MeasuredLanguage] | None:
    """Of these languages the one with most misses, and the one with most inventions; None if none was measured."""
    measured = measured_languages(judge)
    found = [measured[language] for language in languages if language in measured]
    if not found:
        return None
    return max(found, key=lambda language: language.misses), max(found, key=lambda language: language.invents)


@cache
def _read() -> dict[str, MeasuredLanguage]:
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return {row["language"]: MeasuredLanguage(row["language"], row["on"], Confusion(**row["counts"])) for row in rows}
