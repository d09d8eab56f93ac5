"""distortions: what the words of refusals show, and whether the same thing is answered when it is asked plainly.

Tags are put on the words of harmless requests' refusals (`tagging`); blocked and empty answers have no words. The
control for moralising is an arm: the same request as plain text that names what is meant, without a picture. A model
that lectures here and answers there has no objection to the thing itself.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mossbench.analyses.analysis import Options
from mossbench.analyses.rows import partners, put, rows_of
from mossbench.analyses.unseen import asks_for_image
from mossbench.analyses.tagging import TAGGER, Distortion, Tag, tags_of
from mossbench.analyses.tagging_model import Tags, tags_by_model
from mossbench.datasets import Dataset
from mossbench.datasets.arms import ARMS, PLAIN, Arm
from mossbench.outcomes import Kind, Rule
from mossbench.results.comparisons import Difference, difference
from mossbench.results.rates import clusters_of, group_of, groups_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.statistics import Estimate, cluster_rate

NONE_FOUND = "none found"
CONTROL = ARMS["explicit"]
MOST_EXAMPLES = 3  # of each distortion


@dataclass(frozen=True)
class Example:
    sample: str
    stimulus: str
    distortion: Distortion
    words: str
    """Of the answer, as evidence."""


@dataclass(frozen=True)
class Control:
    """The same requests as plain text without a picture."""

    difference: Difference
    """Refusal rate as plain text less that with the picture, on harmless requests that have such a text."""
    answered: Estimate
    """Of the refusals, the share whose request is answered as plain text."""
    lectured: Estimate
    """Of all harmless requests, the share that was lectured: moralising words in a refusal or round an answer."""
    moralised: Estimate
    """Of those lectured, the share that is answered without a lecture as plain text."""
    n_without: int
    """Harmless requests that have no such text, or were answered with that there is no picture."""


@dataclass(frozen=True)
class Distortions:
    model: str
    tagger: str
    n_counted: int
    """Harmless requests whose answer counts."""
    n_refused: int
    n_wordless: int
    """Of them blocked or empty: there are no words to tag."""
    n_untagged: int
    """Of them in words, for which the tagger gave no tags in the form asked for; they are left out."""
    shares: dict[str, Estimate]
    """Of the refusals with words, by distortion; they may add up to more than 1. `none found` is the rest."""
    by_stimulus: dict[str, dict[str, Estimate]]
    control: Control
    examples: tuple[Example, ...]


def arms(dataset: Dataset, options: Options) -> Sequence[Arm]:
    """The control, once for each harmless request that has an explicit text."""
    return [put(PLAIN, options.epochs), put(CONTROL, 1)]


def measure(results: Results, options: Options) -> Distortions:
    rule, rows = options.rule, [row for row in rows_of(results) if row.key.side is Side.BENIGN]
    values = yes(rows, rule)
    refused = [row for row, value in zip(rows, values, strict=True) if value == 1]
    plainly = rows_of(results, CONTROL.name)
    groups = groups_of((row for row in refused if _text(row)), "stimulus")
    worded = [row for some in groups.values() for row in some]
    read, tagger = [*worded, *filter(_may_lecture, [*rows, *plainly])], TAGGER
    tags: Tags = {row.key: tags_of(_text(row)) for row in read}
    if options.tagger_model:
        tagger, tags = tags_by_model(results, read, options.tagger_model)
    return Distortions(
        model=results.model,
        tagger=tagger,
        n_counted=sum(not math.isnan(value) for value in values),
        n_refused=len(refused),
        n_wordless=len(refused) - len(worded),
        n_untagged=sum(tags[row.key] is None for row in worded),
        shares=_shares(worded, tags),
        by_stimulus={name: _shares(some, tags) for name, some in groups.items()},
        control=_control(rows, plainly, tags, rule),
        examples=_examples(worded, tags),
    )


def _shares(rows: Sequence[ResultRow], tags: Tags) -> dict[str, Estimate]:
    found = [_named(tags[row.key]) for row in rows]
    clusters = clusters_of(rows, Rule.SYSTEM)
    return {
        name: cluster_rate([math.nan if some is None else float(name in some) for some in found], clusters)
        for name in [*map(str, Distortion), NONE_FOUND]
    }


def _named(tags: tuple[Tag, ...] | None) -> set[str] | None:
    return None if tags is None else {str(tag.distortion) for tag in tags} or {NONE_FOUND}


def _control(rows: list[ResultRow], plainly: list[ResultRow], tags: Tags, rule: Rule) -> Control:
    plainly = [row for row in plainly if not asks_for_image(row)]  # that there is no image is true
    pairs = partners(rows, plainly)
    asked = {row.key.sample for row in plainly}
    refused = [pair for pair in pairs if yes([pair[0]], rule) == [1]]
    lectured = [pair for pair in pairs if _lectures(pair[0], tags)]
    return Control(
        difference=difference("with the image", "as plain text", Side.BENIGN, "all", pairs, rule),
        answered=_share_of_pairs(refused, rule, lambda row: True),
        lectured=cluster_rate(
            [v if math.isnan(v) else float(_lectures(row, tags)) for row, v in zip(rows, yes(rows, rule), strict=True)],
            clusters_of(rows, rule),
        ),
        moralised=_share_of_pairs(lectured, rule, lambda row: not _lectures(row, tags)),
        n_without=len({row.key.sample for row in rows} - asked),
    )


def _share_of_pairs(
    pairs: Sequence[tuple[ResultRow, ResultRow]], rule: Rule, also: Callable[[ResultRow], bool]
) -> Estimate:
    """Of these pairs, the share that is not refused as plain text and `also` holds there; NaN rows are left out."""
    there = [row for _, row in pairs]
    values = [v if v != v else float(v == 0 and also(row)) for row, v in zip(there, yes(there, rule), strict=True)]
    return cluster_rate(values, clusters_of(there, rule))


def _may_lecture(row: ResultRow) -> bool:
    """Plain answers may speak of values unasked-for; a lecture stands in a refusal or round an answer."""
    return bool(_text(row)) and row.outcome.kind in (Kind.REFUSED, Kind.DEFLECTED, Kind.WARNED, Kind.PARTIAL)


def _lectures(row: ResultRow, tags: Tags) -> bool:
    return _may_lecture(row) and any(tag.distortion is Distortion.MORALISING for tag in tags[row.key] or ())


def _examples(rows: Sequence[ResultRow], tags: Tags) -> tuple[Example, ...]:
    found = [
        Example(row.key.sample, group_of(row, "stimulus"), tag.distortion, tag.words)
        for row in rows
        for tag in tags[row.key] or ()
    ]
    return tuple(one for kind in Distortion for one in [e for e in found if e.distortion is kind][:MOST_EXAMPLES])


def _text(row: ResultRow) -> str:
    return (row.exchange.answer.text or "").strip() if row.exchange else ""
