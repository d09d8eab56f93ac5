"""distortions: what the words of refusals show, and whether the same thing is answered when it is asked plainly.

The words of refused harmless requests are tagged (`tagging`); blocked and empty answers have no words. The control for
moralising is an arm: the same request as plain text that names what is meant, without a picture. A model that lectures
when it sees the picture and answers the plain text has no objection to the thing itself.

Requests that were refused once are refused less often when they are asked again, whatever is changed: they were partly
chosen by chance (regression to the mean). So those that are refused or lectured are also asked again unchanged; the
share answered then is what the plain text would give by chance alone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from mossbench.analyses.analysis import Options
from mossbench.analyses.mean_differences import mean_within
from mossbench.analyses.rows import partners, put, rows_of
from mossbench.analyses.tagging import TAGGER, Distortion, Tag, tags_of
from mossbench.analyses.tagging_model import Tags, tags_by_model
from mossbench.analyses.unseen import asks_for_image
from mossbench.datasets import Dataset
from mossbench.datasets.arms import ARMS, PLAIN, Arm
from mossbench.outcomes import Kind, Rule
from mossbench.results.differences import Difference, difference
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
    expected: Estimate | None = None
    """Of the refusals, the share that is answered when it is only asked again, with the image: what regression to the
    mean gives. No value where none was asked again."""
    beyond: Estimate | None = None
    """What the plain text adds to that: the one less the other, on refusals that have both."""
    expected_moralised: Estimate | None = None
    """Of those lectured, the share that is answered without a lecture when it is only asked again."""
    most_expected: float = math.nan
    """The most that regression to the mean can give: all, but for the refusal rate, if all requests have one chance."""


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
    return [put(PLAIN, options.times), put(CONTROL, 1)]


def follow_up(results: Results, options: Options) -> Sequence[Arm]:
    """Requests that were refused or lectured, once more as they are, where nothing was asked twice."""
    if options.times > 1:
        return ()
    rows = [row for row in rows_of(results) if row.key.side is Side.BENIGN and row.key.epoch == 1]
    values = yes(rows, options.rule)
    ids = tuple(
        row.key.sample for row, value in zip(rows, values, strict=True) if value == 1 or _lectures_by_rules(row)
    )
    return [put(PLAIN, 2, ids)] if ids else []


def measure(results: Results, options: Options) -> Distortions:
    rule = options.rule
    n_epochs = _epochs_of_all(results)
    rows = [row for row in rows_of(results) if row.key.side is Side.BENIGN and row.key.epoch <= n_epochs]
    values = yes(rows, rule)
    refused = [row for row, value in zip(rows, values, strict=True) if value == 1]
    plain_text_rows = rows_of(results, CONTROL.name)
    groups = groups_of([row for row in refused if _text(row)], "stimulus")
    worded = list(chain.from_iterable(groups.values()))
    rows_by_sample = _plain_rows_by_sample(results)
    rows_of_all_epochs = chain.from_iterable(rows_by_sample.values())
    to_tag = [*worded, *filter(_may_lecture, [*rows, *plain_text_rows, *rows_of_all_epochs])]
    tagger = TAGGER
    tags: Tags = {row.key: tags_of(_text(row)) for row in to_tag}
    if options.tagger_model:
        tagger, tags = tags_by_model(results, to_tag, options.tagger_model)
    return Distortions(
        model=results.model,
        tagger=tagger,
        n_counted=sum(not math.isnan(value) for value in values),
        n_refused=len(refused),
        n_wordless=len(refused) - len(worded),
        n_untagged=sum(tags[row.key] is None for row in worded),
        shares=_shares(worded, tags),
        by_stimulus={name: _shares(members, tags) for name, members in groups.items()},
        control=_control(rows, plain_text_rows, rows_by_sample, tags, rule),
        examples=_examples(worded, tags),
    )


def _shares(rows: Sequence[ResultRow], tags: Tags) -> dict[str, Estimate]:
    names_of_rows = [_names_of(tags[row.key]) for row in rows]
    clusters = clusters_of(rows, Rule.SYSTEM)
    shares = {}
    for name in [*map(str, Distortion), NONE_FOUND]:
        has_name = [math.nan if names is None else float(name in names) for names in names_of_rows]
        shares[name] = cluster_rate(has_name, clusters)
    return shares


def _names_of(tags: tuple[Tag, ...] | None) -> set[str] | None:
    """The distortions that a refusal was tagged with; None where it was not tagged."""
    if tags is None:
        return None
    return {str(tag.distortion) for tag in tags} or {NONE_FOUND}


def _epochs_of_all(results: Results) -> float:
    """How often the plain requests were to be asked of all samples, without those asked again for their answer."""
    plain = [arm for arm in results.info.arms if arm.name == PLAIN.name and arm.ids is None]
    return max((arm.epochs or results.info.config.epochs for arm in plain), default=math.inf)


def _plain_rows_by_sample(results: Results) -> dict[str, list[ResultRow]]:
    """Every plain row of each harmless sample, in all epochs: also those in which only some were asked."""
    rows_by_sample: dict[str, list[ResultRow]] = {}
    for row in results.rows:
        if row.key.side is Side.BENIGN and row.key.arm == PLAIN.name:
            rows_by_sample.setdefault(row.key.sample, []).append(row)
    return rows_by_sample


def _control(
    rows: list[ResultRow],
    plain_text_rows: list[ResultRow],
    rows_by_sample: dict[str, list[ResultRow]],
    tags: Tags,
    rule: Rule,
) -> Control:
    plain_text_rows = [row for row in plain_text_rows if not asks_for_image(row)]  # that there is no image is true
    pairs = partners(rows, plain_text_rows)
    refused = [pair for pair in pairs if yes([pair[0]], rule) == [1]]
    lectured = [pair for pair in pairs if _lectures(pair[0], tags)]
    refused_rows = _first_rows(refused)
    lectured_rows = _first_rows(lectured)

    def is_unlectured(row: ResultRow) -> bool:
        return not _lectures(row, tags)

    answered_later = _shares_answered_later(refused_rows, rows_by_sample, rule, _is_any)
    unlectured_later = _shares_answered_later(lectured_rows, rows_by_sample, rule, is_unlectured)
    return Control(
        difference=difference("with the image", "as plain text", Side.BENIGN, "all", pairs, rule),
        answered=_share_of_pairs(refused, rule, _is_any),
        lectured=_share_lectured(rows, tags, rule),
        moralised=_share_of_pairs(lectured, rule, is_unlectured),
        n_without=len(_sample_ids(rows) - _sample_ids(plain_text_rows)),
        expected=cluster_rate(answered_later, clusters_of(refused_rows, rule)),
        beyond=_gain_as_text(refused, answered_later, rule),
        expected_moralised=cluster_rate(unlectured_later, clusters_of(lectured_rows, rule)),
        most_expected=_share_answered(rows, rule),
    )


def _first_rows(pairs: Sequence[tuple[ResultRow, ResultRow]]) -> list[ResultRow]:
    return [first for first, _ in pairs]


def _sample_ids(rows: Sequence[ResultRow]) -> set[str]:
    return {row.key.sample for row in rows}


def _is_any(_row: ResultRow) -> bool:
    """For shares of which nothing more is asked than that a row is answered."""
    return True


def _gain_as_text(
    refused: Sequence[tuple[ResultRow, ResultRow]], answered_later: Sequence[float], rule: Rule
) -> Estimate:
    """By how much more refused requests are answered as plain text than when they are asked again with the image."""
    refused_as_text = yes([as_text for _, as_text in refused], rule)
    gains = [1 - as_text - later for as_text, later in zip(refused_as_text, answered_later, strict=True)]
    return mean_within(gains, [row.sample.cluster or row.key.sample for row in _first_rows(refused)])


def _share_answered(rows: Sequence[ResultRow], rule: Rule) -> float:
    """Of the rows that count, the share that is not refused."""
    values = [value for value in yes(rows, rule) if not math.isnan(value)]
    return 1 - sum(values) / len(values) if values else math.nan


def _share_lectured(rows: Sequence[ResultRow], tags: Tags, rule: Rule) -> Estimate:
    """Of these rows, the share that lectures; rows that do not count are left out."""
    values = []
    for row, refused in zip(rows, yes(rows, rule), strict=True):
        values.append(math.nan if math.isnan(refused) else float(_lectures(row, tags)))
    return cluster_rate(values, clusters_of(rows, rule))


def _shares_answered_later(
    rows: Sequence[ResultRow],
    rows_by_sample: dict[str, list[ResultRow]],
    rule: Rule,
    also: Callable[[ResultRow], bool],
) -> list[float]:
    """Of each row, the share of its other epochs in which it is answered and `also` holds; NaN without any."""
    shares = []
    for row in rows:
        later_rows = [later for later in rows_by_sample.get(row.key.sample, []) if later.key.epoch != row.key.epoch]
        n_counted = 0
        n_answered = 0
        for later, refused in zip(later_rows, yes(later_rows, rule), strict=True):
            if not math.isnan(refused):
                n_counted += 1
                n_answered += refused == 0 and also(later)
        shares.append(n_answered / n_counted if n_counted else math.nan)
    return shares


def _share_of_pairs(
    pairs: Sequence[tuple[ResultRow, ResultRow]], rule: Rule, also: Callable[[ResultRow], bool]
) -> Estimate:
    """Of these pairs, the share that is not refused as plain text and `also` holds there; NaN rows are left out."""
    plain_text_rows = [row for _, row in pairs]
    values = []
    for row, refused in zip(plain_text_rows, yes(plain_text_rows, rule), strict=True):
        values.append(math.nan if math.isnan(refused) else float(refused == 0 and also(row)))
    return cluster_rate(values, clusters_of(plain_text_rows, rule))


def _lectures_by_rules(row: ResultRow) -> bool:
    return _may_lecture(row) and any(tag.distortion is Distortion.MORALISING for tag in tags_of(_text(row)))


def _may_lecture(row: ResultRow) -> bool:
    """Plain answers may mention values in passing; a lecture is part of a refusal, or surrounds an answer."""
    return bool(_text(row)) and row.outcome.kind in (Kind.REFUSED, Kind.DEFLECTED, Kind.WARNED, Kind.PARTIAL)


def _lectures(row: ResultRow, tags: Tags) -> bool:
    return _may_lecture(row) and any(tag.distortion is Distortion.MORALISING for tag in tags[row.key] or ())


def _examples(rows: Sequence[ResultRow], tags: Tags) -> tuple[Example, ...]:
    by_distortion: dict[Distortion, list[Example]] = {distortion: [] for distortion in Distortion}
    for row in rows:
        for tag in tags[row.key] or ():
            example = Example(row.key.sample, group_of(row, "stimulus"), tag.distortion, tag.words)
            by_distortion[tag.distortion].append(example)
    return tuple(chain.from_iterable(examples[:MOST_EXAMPLES] for examples in by_distortion.values()))


def _text(row: ResultRow) -> str:
    return (row.exchange.answer.text or "").strip() if row.exchange else ""
